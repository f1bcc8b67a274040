package property

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func FuzzParseValue(f *testing.F) {
	for _, seed := range []string{
		`null`, ` [1, -0, 1e-7, 1E+21, 0.5, 01, 1., -]`, `{"a":1,"A":2,"a":{"b":[]}}`, `"\ud83d\ude00\ud83d\u0000\/é"`, "\"\xed\xa0\x80\xff\"", `{"__proto__":{"__proto__":null}}`,
		strings.Repeat("[", 300), `"\u12`, `tru`, `{"a"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseValue(text)
		tooLarge := err != nil && (errors.Is(err, errTooDeep) || strings.HasSuffix(err.Error(), "a number too large"))
		if !tooLarge {
			require.Equal(t, json.Valid([]byte(text)), err == nil, "%q: %v", text, err)
		}
		if err != nil {
			require.Equal(t, Value{}, v)
			return
		}
		out := v.JSON()
		again, err := ParseValue(out)
		require.NoError(t, err, "%q", out)
		require.Equal(t, out, again.JSON())
		if utf8.ValidString(text) { // what is no text is replaced in print
			require.True(t, v.Equal(again))
		}
		require.False(t, strings.ContainsAny(v.Pretty(), "\n\r\u2028\u2029"))
	})
}

func FuzzDecodeTranscript(f *testing.F) {
	for _, seed := range []string{
		`{"steps":[{"value":[1]},{}],"console":["x"],"dropped":3}`, `{"steps":[{"kind":"Promise"},{"threw":{"name":"E","message":"out of memory","line":1}}]}`,
		`{"steps":[{"unreadable":{"message":"stack overflow"}},{}]}`, `{"steps":[{},{"value":` + strings.Repeat("[", 300) + `}]}`, `{"steps":{"a":{},"b":{}}}`, `{"steps":[1,2]}`, `{"steps":[{"kind":""},{}],"console":{"a":1}}`,
	} {
		f.Add([]byte(seed))
	}
	p := (&Program{})
	p.Add("f", Opaque)
	p.Add("g", Answer, Ref(0))
	f.Fuzz(func(t *testing.T, data []byte) {
		tr, err := DecodeTranscript(p, data)
		if err != nil {
			require.Nil(t, tr)
			return
		}
		require.Len(t, tr.Steps, len(p.Calls))
		for i, s := range tr.Steps {
			speaks := 0
			for _, is := range []bool{s.Threw != nil, s.Unreadable != nil, s.Wrong != "", s.Value.Kind() != Null} {
				if is {
					speaks++
				}
			}
			require.LessOrEqual(t, speaks, 1, "one part speaks")
			require.True(t, s.Answered() || s.Says(p.Calls[i].Shape) != "")
			require.True(t, s.Result(Answer) == nil || json.Valid(s.Result(Answer)))
		}
		if stop := tr.Exhausted(); stop != nil {
			require.False(t, tr.Steps[stop.Call].Answered())
		}
		require.NotEmpty(t, newCounterexample(&Property{}, p, tr, &Refutation{At: 1}).Code())
	})
}

func FuzzDecodeProgram(f *testing.F) {
	f.Add(everyVerb().Encode())
	f.Add(busy(2).Encode())
	for _, seed := range []string{
		`[[],[]]`, `[["f","f"],[[0,0],[1,3,0,7,-1,{"a":-0}]]]`, `[["value","look","set","push","memory"],[[0,2],[1,2],[2,3],[3,3],[4,1],[2,3,0,0],[2,3,0,0,-1,["__proto__"]]]]`,
		`[["f"],[[0,0,1,0]]]`, `{"a":["f"],"b":[[0,0]]}`, `[[1],[[0,0]]]`, "[[\"\xe6\"],[[0,0],[0,0]]]",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := DecodeProgram(data)
		if err != nil {
			require.Nil(t, p)
			return
		}
		out := p.Encode()
		back, err := DecodeProgram(out)
		require.NoError(t, err, "%s", out)
		require.Equal(t, string(out), string(back.Encode()))
		require.Len(t, p.Lines(), len(p.Calls))
		p = back // in which no bytes are left that are no text
		for i := range p.Calls {
			for _, q := range []*Program{p.drop(i, 1), p.drop(0, i), p.cone(i), p.truncate(i), p.Merge(i, 0)} {
				if q != nil && i > 0 {
					requireWellFormed(t, q)
				}
			}
		}
	})
}
