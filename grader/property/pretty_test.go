package property

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPretty(t *testing.T) {
	for text, want := range map[string]string{
		"null": "null", "true": "true", "-1.5": "-1.5", `""`: `""`, "[]": "[]", "{}": "{}",
		`[1,[2],{}]`: `[1, [2], {}]`,
		`{"sessionId":"s","type":"note","payload":{"n":1}}`:        `{ sessionId: "s", type: "note", payload: { n: 1 } }`,
		`{"a b":1,"1":2,"":3,"a1":4,"$_":5,"é":6,"a-b":7}`:         `{ "a b": 1, "1": 2, "": 3, a1: 4, $_: 5, "é": 6, "a-b": 7 }`,
		`{"class":1,"constructor":2,"__proto__":3,"__proto":4}`:    `{ class: 1, constructor: 2, ["__proto__"]: 3, __proto: 4 }`,
		`"it's \"quoted\" \\ and / on\ntwo lines"`:                 `"it's \"quoted\" \\ and / on\ntwo lines"`,
		`"\u00e9\u4f60\u597d\ud83d\ude00"`:                         `"é你好😀"`,
		`"\u0000\t\r\u007f\u0085\u00a0"`:                           `"\u0000\u0009\u000d\u007f\u0085\u00a0"`,
		`"e\u0301"`:                                                `"e\u0301"`,
		`"\ud800 \udfff"`:                                          `"\ud800 \udfff"`,
		`"\ufffd"`:                                                 `"\ufffd"`,
		`"\ud834\udd73"`:                                           `"\u{1d173}"`,
		`"session\u200b"`:                                          `"session\u200b"`,
		`"\u00ad\u2028\u2029\u2003\u202e\u2066\ufeff\ue000\ufe0f"`: `"\u00ad\u2028\u2029\u2003\u202e\u2066\ufeff\ue000\ufe0f"`,
	} {
		require.Equal(t, want, MustParse(text).Pretty())
	}
}

// What prints as nothing, as space, or together with its neighbour is escaped, whatever Unicode calls it.
func TestWhatTheEyeCannotTellApartIsEscaped(t *testing.T) {
	for _, r := range []rune{
		0xa0, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180e, 0x2000, 0x200b, 0x200d, 0x2028, 0x202f, 0x205f, 0x2060, 0x2800, 0x3000, 0x3164, 0xfe00, 0xfeff, 0xffa0, 0xfffd, 0xe0001, 0xe0100, // unseen
		0x301, 0x308, 0x20dd, 0xbbe, // marks: they join the letter before
		0x1161, 0x11a8, // what a Korean syllable decomposes into
	} {
		text := String("a" + string(r) + "b").Pretty()
		require.Regexp(t, `^"a\\u(\{[0-9a-f]{5}\}|[0-9a-f]{4})b"$`, text, "U+%04X", r)
	}
	for _, s := range []string{"é", "ß", "你好", "한국", "Ω", "ж", "א", "😀", "€", "½", "。"} {
		require.Equal(t, `"`+s+`"`, String(s).Pretty())
	}
}

func TestPrettyIsOneLineOfText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := values(2).Draw(t, "v").Pretty()
		require.True(t, strings.ToValidUTF8(text, "") == text)
		require.False(t, strings.ContainsAny(text, "\n\r\t\u2028\u2029\u0000"))
	})
}

// Pasted code means what the value is, __proto__ and lone surrogates included.
func TestPrettyIsTheValueInJavaScript(t *testing.T) {
	sample := []Value{
		MustParse(`{"__proto__":{"a":1},"b":{"__proto__":null}}`),
		MustParse(`{"constructor":1,"toString":2,"class":3,"10":4,"9":5,"":6,"a b":7}`),
		MustParse(`["\ud800","\udc00\ud800","\ud83d\ude00","\u2028\u2029","</script>","` + "`${1}`" + `","\u0000\u0001","\\u0041"]`),
		MustParse(`[-0,1e-7,1e21,-1.5,5e-324,1.7976931348623157e308]`),
	}
	for seed := range 300 {
		sample = append(sample, values(3).Example(seed))
	}
	var script strings.Builder
	script.WriteString("'use strict'; const out = [];\n")
	for _, v := range sample {
		script.WriteString("out.push((" + v.Pretty() + "));\n")
	}
	script.WriteString("process.stdout.write(JSON.stringify(out));")
	got, err := ParseValue(node(t, script.String()))
	require.NoError(t, err)
	require.Len(t, got.Items(), len(sample))
	for i, v := range sample {
		require.True(t, v.Equal(got.Items()[i]), "%s became %s", v.Pretty(), got.Items()[i].JSON())
	}
}
