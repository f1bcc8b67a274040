package format

import (
	"fmt"
	"strings"
	"unicode"
)

// Clean makes a text that a stranger chose fit for a terminal: what could move the cursor, change colours or the direction of writing is
// spelled out. Line breaks are spelled out too.
func Clean(s string) string {
	if !strings.ContainsFunc(s, steers) && strings.ToValidUTF8(s, "") == s {
		return s
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\ufffd") {
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteByte(' ')
		case steers(r) && r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case steers(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cleanLines is Clean for a text of several lines.
func cleanLines(s string) []string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	for i, l := range lines {
		lines[i] = Clean(l)
	}
	return lines
}

// steers tells the characters that do something to a terminal or to the order of what stands beside them.
func steers(r rune) bool {
	return unicode.IsControl(r) || // C0, DEL and C1, which has a one-character CSI
		r == '\u2028' || r == '\u2029' || r == '\u061c' || r == '\u200e' || r == '\u200f' ||
		r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
