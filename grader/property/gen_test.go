package property

import (
	"bytes"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// units are the UTF-16 code units of a JavaScript string: letters, what needs an escape, what hides, and surrogates alone and in pairs.
func units() *rapid.Generator[[]uint16] {
	unit := rapid.OneOf(
		rapid.SampledFrom([]uint16{'a', 'A', '0', '"', '\\', '/', 0, '\n', '\r', '\t', '\b', '\f', 0x1f, 0x7f, 0x80, 0xa0, 0xad, 0xe9, 0x301, 0x200b, 0x2028, 0x3164, 0xfffd, 0xffff}),
		rapid.SampledFrom([]uint16{0xd800, 0xd83d, 0xdbff, 0xdc00, 0xde00, 0xdfff}),
		rapid.Uint16(),
	)
	return rapid.SliceOfN(unit, 0, 6)
}

// wtf8 is what a Text should hold for these units, by the definition of WTF-8.
func wtf8(units []uint16) string {
	var b []byte
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		switch {
		case utf16.IsSurrogate(r) && i+1 < len(units) && utf16.DecodeRune(r, rune(units[i+1])) != '\ufffd':
			b = append(b, string(utf16.DecodeRune(r, rune(units[i+1])))...)
			i++
		case utf16.IsSurrogate(r):
			b = append(b, 0xed, 0x80|byte(r>>6&0x3f), 0x80|byte(r&0x3f))
		default:
			b = append(b, string(r)...)
		}
	}
	return string(b)
}

func texts() *rapid.Generator[string] { return rapid.Map(units(), wtf8) }

// keys are few, so that they repeat and that objects have some in common; some mean something to JavaScript.
func keyTexts() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"a", "A", "b", "", "1", "__proto__", "constructor", "a b", "é", "class"}), texts())
}

func numbers() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(-3, 3), func(n int) float64 { return float64(n) }),
		rapid.SampledFrom([]float64{0.5, -1.5, 1e-6, 1e-7, 1.25e-9, 1e-10, 5e-324, 1e20, 1e21, 1.7976931348623157e308, 1 << 53, 1234567.5, 123456789.125}),
		rapid.Float64(),
	)
}

// values are JSON values of a depth up to this.
func values(depth int) *rapid.Generator[Value] {
	return rapid.Custom(func(t *rapid.T) Value {
		kinds := int(Object)
		if depth == 0 {
			kinds = int(Text)
		}
		switch Kind(rapid.IntRange(0, kinds).Draw(t, "kind")) {
		case Bool:
			return Boolean(rapid.Bool().Draw(t, "bool"))
		case Number:
			return Num(numbers().Draw(t, "number"))
		case Text:
			return String(texts().Draw(t, "text"))
		case List:
			return ListOf(rapid.SliceOfN(values(depth-1), 0, 4).Draw(t, "items")...)
		case Object:
			var fields []Field
			for range rapid.IntRange(0, 4).Draw(t, "fields") {
				fields = append(fields, Field{keyTexts().Draw(t, "key"), values(depth-1).Draw(t, "value")})
			}
			return ObjectOf(fields...)
		}
		return Value{}
	})
}

// canonical is a text that two values share exactly when they are the same JSON value: sorted keys, no -0.
func canonical(v Value) string {
	switch v.Kind() {
	case Number:
		return Num(v.Number() + 0).JSON() // -0 + 0 is 0
	case List:
		parts := make([]string, len(v.Items()))
		for i, item := range v.Items() {
			parts[i] = canonical(item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case Object:
		fields := map[string]string{}
		for i, k := range v.Keys() {
			fields[k] = canonical(v.Items()[i])
		}
		parts := []string{}
		for _, k := range slices.Sorted(maps.Keys(fields)) {
			parts = append(parts, String(k).JSON()+":"+fields[k])
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return v.JSON()
}

// programs are well-formed programs of any functions and every verb; what they would do does not matter.
func programs() *rapid.Generator[*Program] {
	return rapid.Custom(func(t *rapid.T) *Program {
		p := &Program{}
		ref := func() Arg { return Ref(rapid.IntRange(0, len(p.Calls)-1).Draw(t, "ref")) }
		lit := func() Arg { return Lit(values(1).Draw(t, "literal")) }
		path := Lit(ListOf(String("a"), Num(0)))
		for range rapid.IntRange(1, 9).Draw(t, "calls") {
			kind := rapid.IntRange(0, 9).Draw(t, "kind")
			if len(p.Calls) == 0 {
				kind %= 2
			}
			switch kind {
			case 0:
				p.Add("create", Opaque)
			case 1:
				p.Add(VerbValue, Plain, lit())
			case 2, 3:
				p.Add("append", Opaque, ref(), lit())
			case 4:
				p.Add("append", Opaque, ref(), ref())
			case 5:
				p.Add("read", Answer, ref(), lit())
			case 6:
				p.Add(VerbLook, Plain, ref())
			case 7:
				p.Add(VerbSet, Nothing, ref(), path, lit())
			case 8:
				p.Add(VerbPush, Nothing, ref(), path, lit())
			default:
				p.Add(VerbMemory, Answer)
			}
		}
		return p
	})
}

// requireWellFormed asks of a program that it crosses into a realm, and so that each reference points back.
func requireWellFormed(t require.TestingT, p *Program) {
	back, err := DecodeProgram(p.appendJSON(nil))
	require.NoError(t, err)
	require.Equal(t, p.Lines(), back.Lines())
}

// program reads a program from its JSON.
func program(t require.TestingT, text string) *Program {
	p, err := DecodeProgram([]byte(text))
	require.NoError(t, err)
	return p
}

// node runs JavaScript where there is a Node.js, and answers what it printed.
func node(t *testing.T, script string) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node on this machine")
	}
	cmd := exec.CommandContext(t.Context(), path, "-")
	cmd.Stdin = strings.NewReader(script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s\n%s", stderr.String(), script)
	return string(out)
}
