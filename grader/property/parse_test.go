package property

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "JSON at byte 0: the text ends where a value should stand"},
		{" \n", "JSON at byte 2: the text ends where a value should stand"},
		{"[1,", "JSON at byte 3: the text ends where a value should stand"},
		{"nul", "JSON at byte 0: no JSON value starts here"},
		{"undefined", "JSON at byte 0: no JSON value starts here"},
		{"'a'", "JSON at byte 0: no JSON value starts here"},
		{"+1", "JSON at byte 0: no JSON value starts here"},
		{".5", "JSON at byte 0: no JSON value starts here"},
		{"\ufeff1", "JSON at byte 0: no JSON value starts here"},
		{"\v1", "JSON at byte 0: no JSON value starts here"},
		{"1 2", "JSON at byte 2: something follows the value"},
		{"truex", "JSON at byte 4: something follows the value"},
		{"{}]", "JSON at byte 2: something follows the value"},
		{"0x10", "JSON at byte 1: something follows the value"},
		{"1_000", "JSON at byte 1: something follows the value"},
		{"-", "JSON at byte 0: bad number"},
		{"--1", "JSON at byte 0: bad number"},
		{"01", "JSON at byte 0: bad number"},
		{"-01", "JSON at byte 0: bad number"},
		{"00", "JSON at byte 0: bad number"},
		{"1.", "JSON at byte 0: bad number"},
		{"-.5", "JSON at byte 0: bad number"},
		{"1.e3", "JSON at byte 0: bad number"},
		{"1e", "JSON at byte 0: bad number"},
		{"1e+", "JSON at byte 0: bad number"},
		{"1-2", "JSON at byte 0: bad number"},
		{"[1.2.3]", "JSON at byte 1: bad number"},
		{"1e999", "JSON at byte 0: a number too large"},
		{"[1 2]", "JSON at byte 3: a comma or ] should stand here"},
		{"[1", "JSON at byte 2: a comma or ] should stand here"},
		{"[1,]", "JSON at byte 3: no JSON value starts here"},
		{"{1:2}", "JSON at byte 1: a key should stand here"},
		{"{", "JSON at byte 1: a key should stand here"},
		{`{"a":1,}`, "JSON at byte 7: a key should stand here"},
		{`{"a" 1}`, "JSON at byte 5: a colon should stand here"},
		{`{"a"`, "JSON at byte 4: a colon should stand here"},
		{`{"a":}`, "JSON at byte 5: no JSON value starts here"},
		{`{"a":1 "b":2}`, "JSON at byte 7: a comma or } should stand here"},
		{`{"a":1`, "JSON at byte 6: a comma or } should stand here"},
		{`{"a\x":1}`, "JSON at byte 5: an unknown escape"},
		{`"a`, "JSON at byte 2: a string does not end"},
		{`"a\`, "JSON at byte 3: a string does not end"},
		{`"a\n`, "JSON at byte 4: a string does not end"},
		{"\"a\nb\"", "JSON at byte 2: a control character in a string"},
		{"\"\\t\x01\"", "JSON at byte 3: a control character in a string"},
		{`"\x41"`, "JSON at byte 3: an unknown escape"},
		{`"\u12"`, "JSON at byte 3: a short \\u escape"},
		{`"\u12`, "JSON at byte 3: a short \\u escape"},
		{`"\u12x4"`, "JSON at byte 3: a bad \\u escape"},
		{`"\u+123"`, "JSON at byte 3: a bad \\u escape"},
		{`"\ud83d\uzzzz"`, "JSON at byte 9: a bad \\u escape"},
		{`"\ud83d\u12`, "JSON at byte 9: a short \\u escape"},
	} {
		v, err := ParseValue(c.text)
		require.EqualError(t, err, c.want, "%q", c.text)
		require.Equal(t, Value{}, v, "%q", c.text)
		require.False(t, json.Valid([]byte(c.text)) && c.text != "1e999", "%q", c.text)
		require.Panics(t, func() { MustParse(c.text) }, "%q", c.text)
	}
}

// A text that something happened to is read exactly when it is still JSON.
func TestDamagedTextIsJudgedAsEncodingJSONDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(values(2).Draw(t, "v").JSON())
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		switch rapid.IntRange(0, 2).Draw(t, "damage") {
		case 0:
			text[at] = rapid.SampledFrom([]byte(`"\{}[],:0123456789.eE+-untrlfas `+"\x00\n")).Draw(t, "byte")
		case 1:
			text = append(text[:at], text[at+1:]...)
		default:
			text = text[:at]
		}
		_, err := ParseValue(string(text))
		if err != nil && strings.HasSuffix(err.Error(), "a number too large") {
			return
		}
		require.Equal(t, json.Valid(text), err == nil, "%q: %v", text, err)
	})
}

func TestSpaceAroundEverything(t *testing.T) {
	v := MustParse(" \t\r\n{ \"a\" : [ 1 , true , false , null ] , \"b\" : { } , \"c\" : [ ] } \n")
	require.Equal(t, `{"a":[1,true,false,null],"b":{},"c":[]}`, v.JSON())
}

func TestDepthIsBounded(t *testing.T) {
	for _, c := range []struct{ name, open, inner, close string }{
		{"lists", "[", "0", "]"},
		{"objects", `{"a":`, "0", "}"},
		{"both", `[{"a":`, "0", "}]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			per := strings.Count(c.open, "[") + strings.Count(c.open, "{")
			nested := func(n int) string { return strings.Repeat(c.open, n) + c.inner + strings.Repeat(c.close, n) }
			_, err := ParseValue(nested(maxDepth / per))
			require.NoError(t, err)
			_, err = ParseValue(nested(maxDepth/per + 1))
			require.ErrorIs(t, err, errTooDeep)
			_, err = ParseValue(strings.Repeat(c.open, 1_000_000))
			require.ErrorIs(t, err, errTooDeep)
		})
	}
}
