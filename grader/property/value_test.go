package property

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestTheZeroValueIsNull(t *testing.T) {
	require.Equal(t, Null, Value{}.Kind())
	require.Equal(t, "null", Value{}.JSON())
	require.True(t, Value{}.Equal(MustParse("null")))
}

func TestKindsHaveNamesForAMessage(t *testing.T) {
	var names []string
	for _, text := range []string{"null", "true", "1", `""`, "[]", "{}"} {
		names = append(names, MustParse(text).Kind().String())
	}
	require.Equal(t, []string{"null", "a boolean", "a number", "a string", "an array", "an object"}, names)
}

func TestKeysAreExact(t *testing.T) {
	v := MustParse(`{"eventId":1,"EventId":2,"eventid":3,"eventId ":4,"\u0065\u0301":5,"\u00e9":6}`)
	for key, want := range map[string]float64{"eventId": 1, "EventId": 2, "eventid": 3, "eventId ": 4, "e\u0301": 5, "\u00e9": 6} {
		got, ok := v.Get(key)
		require.True(t, ok, key)
		require.Equal(t, want, got.Number(), key)
	}
	_, ok := v.Get("EVENTID")
	require.False(t, ok)
	require.Equal(t, Value{}, v.Field("EVENTID"))
}

func TestOfARepeatedKeyTheLastWins(t *testing.T) {
	const text = `{"a":1,"b":2,"a":3}`
	for name, v := range map[string]Value{
		"parsed": MustParse(text),
		"built":  ObjectOf(Field{"a", Num(1)}, Field{"b", Num(2)}, Field{"a", Num(3)}),
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, `{"a":3,"b":2}`, v.JSON())
			require.Equal(t, 3.0, v.Field("a").Number())
			require.Equal(t, `{"a":9,"b":2}`, v.With("a", Num(9)).JSON())
			require.Equal(t, `{"b":2}`, v.Without("a").JSON())
			require.True(t, v.Equal(MustParse(`{"b":2,"a":3}`)))
			require.False(t, v.Equal(MustParse(`{"a":3,"b":2,"c":0}`)))
		})
	}
	// Neither way round may the second a stand for the missing b.
	twice, both := MustParse(`{"a":1,"a":1}`), MustParse(`{"a":1,"b":2}`)
	require.False(t, twice.Equal(both))
	require.False(t, both.Equal(twice))
}

func TestRepeatedKeysOfALargeObject(t *testing.T) {
	var fields []Field
	for round := range 2 {
		for i := range 3 * manyKeys {
			fields = append(fields, Field{string(rune('A' + i)), Num(float64(100*round + i))})
		}
	}
	v := ObjectOf(fields...)
	require.Len(t, v.Keys(), 3*manyKeys)
	for i, k := range v.Keys() {
		require.Equal(t, string(rune('A'+i)), k)
		require.Equal(t, float64(100+i), v.Items()[i].Number())
	}
}

// Whatever is read, the last of a key is what encoding/json keeps too.
func TestRepeatedKeysAreAnyParsers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := "{"
		for i := range rapid.IntRange(0, 40).Draw(t, "fields") {
			if i > 0 {
				text += ","
			}
			text += String(rapid.StringOfN(rapid.RuneFrom([]rune("abcdef")), 1, 2, -1).Draw(t, "key")).JSON() + ":" + Num(float64(i)).JSON()
		}
		text += "}"
		var want map[string]float64
		require.NoError(t, json.Unmarshal([]byte(text), &want))
		v := MustParse(text)
		require.Len(t, v.Keys(), len(want))
		for k, n := range want {
			require.Equal(t, n, v.Field(k).Number())
		}
	})
}

func TestEqualIsJSONEquality(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(2).Draw(t, "v")
		w := values(2).Draw(t, "w")
		if rapid.Bool().Draw(t, "related") {
			w = shuffled(t, v)
		}
		require.Equal(t, canonical(v) == canonical(w), v.Equal(w))
		require.Equal(t, v.Equal(w), w.Equal(v))
		require.True(t, v.Equal(v))
	})
}

// shuffled is v with the keys of its objects in another order, and now and then another value somewhere.
func shuffled(t *rapid.T, v Value) Value {
	if rapid.IntRange(0, 9).Draw(t, "change") == 0 {
		return values(0).Draw(t, "instead")
	}
	switch v.Kind() {
	case List:
		items := slices.Clone(v.Items())
		for i := range items {
			items[i] = shuffled(t, items[i])
		}
		return ListOf(items...)
	case Object:
		w := ObjectOf()
		for _, k := range rapid.Permutation(v.Keys()).Draw(t, "order") {
			w = w.With(k, shuffled(t, v.Field(k)))
		}
		return w
	}
	return v
}

func TestEqualTellsApart(t *testing.T) {
	all := []string{"null", "true", "false", "0", "1", `""`, `"0"`, `"null"`, "[]", "[null]", "[0]", "[0,1]", "[1,0]", "{}", `{"a":null}`, `{"a":0}`, `{"A":0}`, `{"a":0,"b":1}`, `{"a":1,"b":0}`}
	for i, a := range all {
		for j, b := range all {
			require.Equal(t, i == j, MustParse(a).Equal(MustParse(b)), "%s and %s", a, b)
		}
	}
	require.True(t, MustParse("-0").Equal(MustParse("0")), "as JSON.stringify has it")
	require.True(t, MustParse("1e2").Equal(MustParse("100.0")))
}

func TestWithAndWithoutLeaveTheValueAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(2).Draw(t, "v")
		before := v.JSON()
		key, field := keyTexts().Draw(t, "key"), values(1).Draw(t, "field")

		with, without := v.With(key, field), v.Without(key)
		got, ok := with.Get(key)
		require.True(t, ok)
		require.True(t, got.Equal(field))
		_, ok = without.Get(key)
		require.False(t, ok)
		for _, k := range v.Keys() {
			if k != key {
				require.True(t, with.Field(k).Equal(v.Field(k)))
				require.True(t, without.Field(k).Equal(v.Field(k)))
			}
		}
		require.True(t, with.Without(key).Equal(without))
		require.Equal(t, before, v.JSON())

		// Two values grown from one do not meet either.
		one, two := with.With("one", Num(1)), with.With("two", Num(2))
		require.Equal(t, 1.0, one.Field("one").Number())
		require.Equal(t, 2.0, two.Field("two").Number())
	})
}

func TestWithOfWhatIsNoObject(t *testing.T) {
	for _, text := range []string{"null", "1", `"x"`, "[1,2]"} {
		require.Equal(t, `{"a":true}`, MustParse(text).With("a", Boolean(true)).JSON(), text)
		require.Equal(t, `{}`, MustParse(text).Without("a").JSON(), text)
	}
}

func TestAListIsACopy(t *testing.T) {
	items := []Value{Num(1), Num(2)}
	v := ListOf(items...)
	items[0] = String("changed")
	require.Equal(t, "[1,2]", v.JSON())
}

func TestInt(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "-0": 0, "7": 7, "-1": -1, "1e3": 1000, "9007199254740992": 1 << 53, "-9007199254740992": -1 << 53} {
		n, ok := MustParse(text).Int()
		require.True(t, ok, text)
		require.Equal(t, want, n, text)
	}
	for _, v := range []Value{Num(0.5), Num(1e300), Num(math.Inf(1)), Num(math.NaN()), Num(1<<53 + 2), String("1"), Boolean(true), {}} {
		_, ok := v.Int()
		require.False(t, ok, v.Pretty())
	}
}
