package property

import (
	"fmt"
	"strings"
	"unicode"
)

// Pretty is v as a person reads it in code: spaces after separators, no escapes for letters of any script, but escapes for what
// the eye cannot tell (a combining accent, an unusual space).
func (v Value) Pretty() string {
	var b strings.Builder
	v.pretty(&b)
	return b.String()
}

func (v Value) pretty(b *strings.Builder) {
	switch v.kind {
	case Text:
		b.WriteString(quote(v.text))
	case List:
		b.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			item.pretty(b)
		}
		b.WriteByte(']')
	case Object:
		if len(v.items) == 0 {
			b.WriteString("{}")
			return
		}
		b.WriteString("{ ")
		for i, item := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(keyText(v.keys[i]))
			b.WriteString(": ")
			item.pretty(b)
		}
		b.WriteString(" }")
	default:
		b.Write(v.AppendJSON(nil))
	}
}

// keyText writes an object's key as JavaScript does. `__proto__: x` in code would set the prototype, so that one is computed.
func keyText(k string) string {
	if k == "__proto__" {
		return `["__proto__"]`
	}
	if !isIdentifier(k) {
		return quote(k)
	}
	return k
}

// quote writes a string as JavaScript code that a person can read and copy: printable characters stand for themselves, what
// the eye cannot tell apart is escaped.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, size := decodeWTF8(s[i:])
		i += size
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == ' ' || size > 0 && r < 0x7f && r >= 0x20:
			b.WriteRune(r)
		case r >= 0xa1 && unicode.IsPrint(r) && !unseen(r):
			b.WriteRune(r)
		case r >= 0x10000:
			fmt.Fprintf(&b, `\u{%x}`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// unseen tells of printable characters that the eye misses or takes for others: marks, which join what stands before them; fillers and blanks;
// the Hangul vowels and finals that a syllable decomposes into; and U+FFFD, which stands for anything.
func unseen(r rune) bool {
	return unicode.In(r, unicode.M, unicode.Other_Default_Ignorable_Code_Point) || r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff ||
		r == 0x2800 || r == 0xfffd
}
