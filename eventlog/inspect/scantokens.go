package inspect

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
)

const (
	ones     = 0x0101010101010101
	highBits = 0x8080808080808080
)

// has marks, by its high bit, the first byte of w that is b. Bytes behind it can be marked wrongly.
func has(w uint64, b byte) uint64 {
	x := w ^ ones*uint64(b)
	return (x - ones) &^ x & highBits
}

// The escapes of one letter, as bits: of the letters up to 63, and of those from 64 on.
const (
	escapesLow  = 1<<'"' | 1<<'/'
	escapesHigh = 1<<('\\'-64) | 1<<('b'-64) | 1<<('f'-64) | 1<<('n'-64) | 1<<('r'-64) | 1<<('t'-64)
)

// string reads the string that begins at i with its quote, eight bytes at a time where nothing happens.
func (s *scanner) string(i int) int {
	if s.trusted {
		return s.skip(i)
	}
	text := s.text
	for i++; ; {
		for i+8 <= len(text) {
			w := binary.LittleEndian.Uint64(text[i:])
			s.high |= w
			stop := has(w, '"') | has(w, '\\') | (w-ones*0x20)&^w&highBits // the last marks control characters
			if stop != 0 {
				i += bits.TrailingZeros64(stop) >> 3
				break
			}
			i += 8
		}
		if i >= len(text) {
			return s.wrong(i, endsEarly)
		}
		switch c := text[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			if i+1 < len(text) {
				if e := text[i+1]; e < 64 && escapesLow>>e&1 != 0 || e >= 64 && e < 128 && escapesHigh>>(e-64)&1 != 0 {
					i += 2
					continue
				}
			}
			if i = s.escape(i); i < 0 {
				return -1
			}
		case c == 0:
			return s.wrong(i, "a NUL byte stands in a string")
		case c < 0x20:
			return s.wrong(i, "a control character stands in a string")
		default:
			s.high |= uint64(c) // of the last few bytes
			i++
		}
	}
}

// skip passes over a string that has been read before: only its end is looked for.
func (s *scanner) skip(i int) int {
	for from := i + 1; ; {
		at := bytes.IndexByte(s.text[from:], '"')
		if at < 0 {
			return s.wrong(len(s.text), endsEarly)
		}
		end := from + at
		slashes := end
		for s.text[slashes-1] == '\\' { // the quote that begins the string is none
			slashes--
		}
		if (end-slashes)%2 == 0 {
			return end + 1
		}
		from = end + 1
	}
}

// escape reads the escape at i, which is none of one letter.
func (s *scanner) escape(i int) int {
	if i+1 >= len(s.text) {
		return s.wrong(len(s.text), endsEarly)
	}
	unit, ok := s.unit(i)
	if !ok {
		if s.text[i+1] == 'u' && i+6 > len(s.text) {
			return s.wrong(len(s.text), endsEarly)
		}
		return s.wrong(i, "JSON has no such escape")
	}
	switch {
	case unit == 0 && s.odd.nul < 0:
		s.odd.nul = i
	case unit >= 0xd800 && unit < 0xdc00:
		if low, ok := s.unit(i + 6); ok && low >= 0xdc00 && low < 0xe000 {
			return i + 12
		}
		fallthrough
	case unit >= 0xdc00 && unit < 0xe000:
		if s.odd.surrogate < 0 {
			s.odd.surrogate = i
		}
	}
	return i + 6
}

// unit is what \uXXXX at i stands for.
func (s *scanner) unit(i int) (unit uint32, ok bool) {
	if i+6 > len(s.text) || s.text[i] != '\\' || s.text[i+1] != 'u' {
		return 0, false
	}
	for _, c := range s.text[i+2 : i+6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		unit = unit<<4 | uint32(c)
	}
	return unit, true
}

func (s *scanner) number(i int) int {
	from := i
	if s.text[i] == '-' {
		i++
	}
	digits := i
	switch {
	case i >= len(s.text):
		return s.wrong(i, endsEarly)
	case s.text[i] == '0':
		i++
	default:
		i = s.digits(i)
	}
	whole := i
	if whole == digits {
		return s.wrong(i, "a digit is missing in a number")
	}
	if i < len(s.text) && s.text[i] == '.' {
		from := i + 1
		if i = s.digits(from); i == from {
			return s.missingDigit(i)
		}
	}
	if i < len(s.text) && s.text[i]|0x20 == 'e' {
		i++
		if i < len(s.text) && (s.text[i] == '+' || s.text[i] == '-') {
			i++
		}
		from := i
		if i = s.digits(from); i == from {
			return s.missingDigit(i)
		}
	}
	if i == whole && whole-digits >= 16 && s.odd.bigInt < 0 && big(s.text[digits:whole]) {
		s.odd.bigInt = from
	}
	return i
}

func (s *scanner) missingDigit(i int) int {
	if i >= len(s.text) {
		return s.wrong(i, endsEarly)
	}
	return s.wrong(i, "a digit is missing in a number")
}

func (s *scanner) digits(i int) int {
	for i < len(s.text) && s.text[i] >= '0' && s.text[i] <= '9' {
		i++
	}
	return i
}

// big tells whether a whole number is beyond 2^53, up to where a float64 counts exactly.
func big(digits []byte) bool {
	n, err := strconv.ParseUint(string(digits), 10, 64)
	return err != nil || n > 1<<53
}
