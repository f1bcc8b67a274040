package inspect

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func scanned(text string, paths ...string) (s scanner, ok bool) {
	ok = s.scan([]byte(text), wanted(paths...), len(paths))
	return s, ok
}

func TestScanFindsTheWantedMembers(t *testing.T) {
	s, ok := scanned(`{"type" : "a", "payload":{"x":[{"type":1}],"type":"b","n":{"type":2}}, "type":"c","e\u0061":1}`,
		"type", "payload.type", "payload.n.type", "ea", "payload", "missing")
	require.True(t, ok)
	var got []string
	for _, slot := range s.slots {
		got = append(got, string(slot))
	}
	require.Equal(t, []string{`"c"`, `"b"`, "2", "1", `{"x":[{"type":1}],"type":"b","n":{"type":2}}`, ""}, got)
}

// The last of two values counts wholly, as in JavaScript: nothing of the first one shines through.
func TestScanForgetsARepeatedKey(t *testing.T) {
	s, ok := scanned(`{"payload":{"type":"a"},"payload":{"other":1}}`, "payload.type")
	require.True(t, ok)
	require.Nil(t, s.slots[0])
}

func TestScanNoticesWhatOthersLose(t *testing.T) {
	for _, c := range []struct {
		text                   string
		bigInt, surrogate, nul int
	}{
		{`[9007199254740992,-9007199254740992,0.12345678901234567,1e400]`, -1, -1, -1},
		{`[1,9007199254740993]`, 3, -1, -1},
		{`[-123456789012345678901234567890]`, 1, -1, -1},
		{`["\ud83d\ude00"]`, -1, -1, -1},
		{`["\ud83d"]`, -1, 2, -1},
		{`["\ude00\ud83d"]`, -1, 2, -1},
		{`["\ud83d\ud83d\ude00"]`, -1, 2, -1},
		{`["a\u0000"]`, -1, -1, 3},
	} {
		s, ok := scanned(c.text)
		require.True(t, ok, c.text)
		require.Equal(t, oddities{c.bigInt, c.surrogate, c.nul}, s.odd, c.text)
	}
}

func TestScanSaysWhereAndWhy(t *testing.T) {
	for _, c := range []struct {
		text   string
		at     int
		reason string
	}{
		{``, 0, endsEarly},
		{`{"a":"bc`, 8, endsEarly},
		{`{"a":1} x`, 8, "more behind"},
		{`{"a" 1}`, 5, "colon"},
		{`{"a":1,}`, 7, "key"},
		{`[1 2]`, 3, "comma"},
		{`"a` + "\x00" + `"`, 2, "NUL"},
		{"\x00\x00", 0, "NUL"},
		{`"\x"`, 1, "escape"},
		{`"\u12"  x`, 1, "escape"},
		{`01`, 1, "more behind"},
		{`-`, 1, endsEarly},
		{`1.x`, 2, "digit"},
		{`tru`, 3, endsEarly},
		{`trux`, 0, "no JSON value"},
		{"\"abcdefghi\xff\"", 10, "UTF-8"},
		{strings.Repeat("[", 10_001), 10_000, "deep"},
	} {
		s, ok := scanned(c.text)
		require.False(t, ok, "%.40q", c.text)
		require.Contains(t, s.fault.reason, c.reason, "%.40q", c.text)
		require.Equal(t, c.at, s.fault.at, "%.40q", c.text)
	}
}

func TestElementsAndTexts(t *testing.T) {
	var got []string
	elements([]byte(`[ 1 ,"a,]", [2,{"b":[]}] ,{} ]`), func(e []byte) { got = append(got, string(e)) })
	require.Equal(t, []string{`1`, `"a,]"`, `[2,{"b":[]}]`, `{}`}, got)
	for _, none := range []string{``, `{}`, `"a"`, `[`, `[1,`, `[]`} {
		elements([]byte(none), func(e []byte) { require.NotEqual(t, "", string(e)) })
	}
	text, ok := textOf([]byte(`"a\n\ud800"`))
	require.True(t, ok)
	require.Equal(t, "a\n\ufffd", text)
	_, ok = textOf([]byte(`1`))
	require.False(t, ok)
}

// The scanner and encoding/json agree on what is JSON, but for UTF-8, which encoding/json does not look at.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,-2.5e+3,true,false,null,"x\u00e9\ud800"],"b":{}}`, `"é 漢字 12345678"`, ` [ ] `, `{"a":1,"a":2}`, "\"\xff\"", `[0,]`, `-0.0`, `1E5`, `"\u0000"`, "\ufeff{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s scanner
		ok := s.scan(text, wanted("a", "b.c"), 2)
		trusting := scanner{trusted: true}
		if trusts := trusting.scan(text, wanted("a", "b.c"), 2); ok {
			require.True(t, trusts)
			require.Equal(t, s.slots, trusting.slots)
		}
		require.Equal(t, json.Valid(text) && utf8.Valid(text), ok, "%q: %s", text, s.fault.reason)
		if !ok {
			return
		}
		var o map[string]json.RawMessage
		if json.Unmarshal(text, &o) == nil {
			require.Equal(t, string(o["a"]), string(s.slots[0]))
		}
	})
}
