package property

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds nesting, so that hostile text cannot exhaust the stack.
const maxDepth = 200

var errTooDeep = errors.New("nested too deeply")

// ParseValue reads one JSON text. Lone surrogates in escapes survive (as WTF-8); numbers are float64, as in JavaScript.
func ParseValue(text string) (Value, error) {
	p := parser{s: text}
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	p.space()
	if p.i < len(p.s) {
		return Value{}, p.fail("something follows the value")
	}
	return v, nil
}

// MustParse is ParseValue for texts in tests and tables; it panics on bad text.
func MustParse(text string) Value {
	v, err := ParseValue(text)
	if err != nil {
		panic(err)
	}
	return v
}

type parser struct {
	s string
	i int
}

func (p *parser) fail(what string) error { return fmt.Errorf("JSON at byte %d: %s", p.i, what) }

func (p *parser) space() {
	for p.i < len(p.s) {
		switch p.s[p.i] {
		case ' ', '\n', '\r', '\t':
			p.i++
		default:
			return
		}
	}
}

func (p *parser) take(c byte) bool {
	p.space()
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

func (p *parser) value(depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, fmt.Errorf("JSON at byte %d: %w", p.i, errTooDeep)
	}
	p.space()
	if p.i >= len(p.s) {
		return Value{}, p.fail("the text ends where a value should stand")
	}
	rest := p.s[p.i:]
	switch c := rest[0]; {
	case c == '"':
		s, err := p.str()
		return String(s), err
	case c == '{':
		p.i++
		return p.object(depth)
	case c == '[':
		p.i++
		return p.list(depth)
	case strings.HasPrefix(rest, "true"):
		p.i += 4
		return Boolean(true), nil
	case strings.HasPrefix(rest, "false"):
		p.i += 5
		return Boolean(false), nil
	case strings.HasPrefix(rest, "null"):
		p.i += 4
		return Value{}, nil
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	return Value{}, p.fail("no JSON value starts here")
}

func (p *parser) number() (Value, error) {
	start := p.i
	for p.i < len(p.s) {
		c := p.s[p.i]
		if c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E' {
			p.i++
			continue
		}
		break
	}
	text := p.s[start:p.i]
	if !isNumber(text) {
		p.i = start
		return Value{}, p.fail("bad number")
	}
	if len(text) <= 15 { // the usual case: a small integer
		n, err := strconv.Atoi(text)
		if err == nil && text != "-0" {
			return Num(float64(n)), nil
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		p.i = start
		return Value{}, p.fail("a number too large")
	}
	return Num(f), nil
}

// isNumber tells whether text is a number by the grammar of JSON (RFC 8259, section 6), which is narrower than Go's.
func isNumber(text string) bool {
	digits := func() bool {
		n := 0
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		text = text[n:]
		return n > 0
	}
	text = strings.TrimPrefix(text, "-")
	if rest, ok := strings.CutPrefix(text, "0"); ok {
		text = rest
	} else if !digits() {
		return false
	}
	if rest, ok := strings.CutPrefix(text, "."); ok {
		if text = rest; !digits() {
			return false
		}
	}
	if text != "" && (text[0] == 'e' || text[0] == 'E') {
		text = text[1:]
		if text != "" && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return text == ""
}

func (p *parser) list(depth int) (Value, error) {
	v := Value{kind: List}
	if p.take(']') {
		return v, nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		v.items = append(v.items, item)
		if p.take(']') {
			return v, nil
		}
		if !p.take(',') {
			return Value{}, p.fail("a comma or ] should stand here")
		}
	}
}

func (p *parser) object(depth int) (Value, error) {
	b := objectBuilder{}
	if p.take('}') {
		return b.value(), nil
	}
	b.keys, b.items = make([]string, 0, 4), make([]Value, 0, 4)
	for {
		p.space()
		if p.i >= len(p.s) || p.s[p.i] != '"' {
			return Value{}, p.fail("a key should stand here")
		}
		key, err := p.str()
		if err != nil {
			return Value{}, err
		}
		if !p.take(':') {
			return Value{}, p.fail("a colon should stand here")
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		b.put(key, item)
		if p.take('}') {
			return b.value(), nil
		}
		if !p.take(',') {
			return Value{}, p.fail("a comma or } should stand here")
		}
	}
}

func (p *parser) str() (string, error) {
	p.i++
	start := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '"':
			s := p.s[start:p.i]
			p.i++
			return s, nil
		case c == '\\':
			return p.escaped(start)
		case c < 0x20:
			return "", p.fail("a control character in a string")
		}
		p.i++
	}
	return "", p.fail("a string does not end")
}

func (p *parser) escaped(start int) (string, error) {
	b := []byte(p.s[start:p.i])
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == '"':
			return string(b), nil
		case c < 0x20:
			p.i--
			return "", p.fail("a control character in a string")
		case c != '\\':
			b = append(b, c)
			continue
		}
		if p.i >= len(p.s) {
			break
		}
		e := p.s[p.i]
		p.i++
		switch e {
		case '"', '\\', '/':
			b = append(b, e)
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			u, err := p.unit()
			if err != nil {
				return "", err
			}
			if u >= 0xd800 && u < 0xdc00 && strings.HasPrefix(p.s[p.i:], `\u`) {
				back := p.i
				p.i += 2
				low, err := p.unit()
				if err != nil {
					return "", err
				}
				if low >= 0xdc00 && low < 0xe000 {
					u = 0x10000 + (u-0xd800)<<10 + (low - 0xdc00)
				} else {
					p.i = back
				}
			}
			b = appendWTF8(b, u)
		default:
			return "", p.fail("an unknown escape")
		}
	}
	return "", p.fail("a string does not end")
}

func (p *parser) unit() (rune, error) {
	if p.i+4 > len(p.s) {
		return 0, p.fail("a short \\u escape")
	}
	n, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 16)
	if err != nil {
		return 0, p.fail("a bad \\u escape")
	}
	p.i += 4
	return rune(n), nil
}

// WTF-8 is UTF-8 in which a lone surrogate has its three bytes: what JavaScript strings need.
func appendWTF8(b []byte, r rune) []byte {
	if r >= 0xd800 && r < 0xe000 {
		return append(b, byte(0xe0|r>>12), byte(0x80|r>>6&0x3f), byte(0x80|r&0x3f))
	}
	return utf8.AppendRune(b, r)
}

func decodeWTF8(s string) (rune, int) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 && len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80 {
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3
	}
	return r, size
}
