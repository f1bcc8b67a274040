package inspect

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// A scanner reads one JSON text once: it finds out whether it is JSON, notices what may be lost on other ways of reading it, and remembers where
// the few members stand that the reader wants. It builds nothing, so its speed is that of looking at every byte.
type scanner struct {
	text  []byte
	slots [][]byte // the members that were wanted, by number; nil for one that is not there. Of a repeated key the last one counts, as in JavaScript
	depth int
	most  int // how deep it may nest; 0 for as deep as encoding/json reads
	// trusted texts have been read before and are JSON, so that of a string only the end is looked for. Another text is misread then, but nothing worse.
	trusted bool
	high    uint64 // has a high bit where the text is not ASCII
	fault   fault
	odd     oddities
}

// A fault is what makes a text no JSON, and where.
type fault struct {
	at     int // byte of the text
	reason string
}

// Oddities are what JSON allows and a reader may trip over: the byte of the text where the first of each stands, or -1.
type oddities struct {
	bigInt    int // an integer that a float64 does not hold
	surrogate int // \ud800 without its other half: no Unicode text can hold it
	nul       int // \u0000
}

// A member is a member of an object that a reader wants: where it is kept, and which members of its own are wanted.
type member struct {
	key   string
	slot  int // -1 when only some of its members are wanted
	inner []member
}

// wanted makes the tree of members from paths such as "payload.type". The slot of each is its place among the paths. A dot is never part of a key.
func wanted(paths ...string) []member {
	var root []member
	for slot, path := range paths {
		at := &root
		for rest, key, more := path, "", true; more; {
			key, rest, more = cutDot(rest)
			i := 0
			for i < len(*at) && (*at)[i].key != key {
				i++
			}
			if i == len(*at) {
				*at = append(*at, member{key: key, slot: -1})
			}
			if !more {
				(*at)[i].slot = slot
			}
			at = &(*at)[i].inner
		}
	}
	return root
}

func cutDot(path string) (key, rest string, more bool) {
	for i := range len(path) {
		if path[i] == '.' {
			return path[:i], path[i+1:], true
		}
	}
	return path, "", false
}

// scan reads text. When it is not JSON in valid UTF-8, s.fault says why. The slots alias text.
func (s *scanner) scan(text []byte, want []member, slots int) bool {
	s.text, s.depth, s.high, s.odd = text, 0, 0, oddities{-1, -1, -1}
	if s.most == 0 {
		s.most = mostDepth
	}
	if cap(s.slots) < slots {
		s.slots = make([][]byte, slots)
	}
	s.slots = s.slots[:slots]
	clear(s.slots)
	end := s.value(s.space(0), want)
	if end < 0 {
		return false
	}
	if end = s.space(end); end < len(text) {
		return s.wrong(end, "there is more behind the JSON value") >= 0
	}
	if s.high&highBits != 0 && !utf8.Valid(text) {
		return s.wrong(firstInvalid(text), "it is not valid UTF-8") >= 0
	}
	return true
}

func firstInvalid(text []byte) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return at
}

// wrong notes a fault. Like all that follow, it returns the place to go on at, and -1 when there is none.
func (s *scanner) wrong(at int, reason string) int {
	s.fault = fault{at, reason}
	return -1
}

func (s *scanner) space(i int) int {
	for i < len(s.text) {
		switch s.text[i] {
		case ' ', '\t', '\r', '\n':
			i++
		default:
			return i
		}
	}
	return i
}

const (
	endsEarly = "it ends in the middle of a value"
	mostDepth = 10_000 // as encoding/json, which reads the payloads afterwards
)

func (s *scanner) value(i int, want []member) int {
	if i >= len(s.text) {
		return s.wrong(i, endsEarly)
	}
	switch c := s.text[i]; {
	case c == '"':
		return s.string(i)
	case c == '{':
		return s.object(i, want)
	case c == '[':
		return s.array(i)
	case c == '-' || c >= '0' && c <= '9':
		return s.number(i)
	case c == 't':
		return s.literal(i, "true")
	case c == 'f':
		return s.literal(i, "false")
	case c == 'n':
		return s.literal(i, "null")
	case c == 0:
		return s.wrong(i, "a NUL byte stands where a value should")
	}
	return s.wrong(i, "no JSON value begins here")
}

func (s *scanner) literal(i int, word string) int {
	if i+len(word) > len(s.text) {
		return s.wrong(len(s.text), endsEarly)
	}
	if string(s.text[i:i+len(word)]) != word {
		return s.wrong(i, "no JSON value begins here")
	}
	return i + len(word)
}

func (s *scanner) object(i int, want []member) int {
	if s.depth++; s.depth > s.most {
		return s.wrong(i, "it nests too deep")
	}
	i = s.space(i + 1)
	if i < len(s.text) && s.text[i] == '}' {
		s.depth--
		return i + 1
	}
	for {
		if i >= len(s.text) {
			return s.wrong(i, endsEarly)
		}
		if s.text[i] != '"' {
			return s.wrong(i, "an object's key should begin here")
		}
		from := i
		if i = s.string(i); i < 0 {
			return -1
		}
		m := find(want, s.text[from:i])
		if i = s.space(i); i >= len(s.text) {
			return s.wrong(i, endsEarly)
		}
		if s.text[i] != ':' {
			return s.wrong(i, "a colon is missing behind a key")
		}
		i = s.space(i + 1)
		from = i
		var inner []member
		if m != nil {
			inner = m.inner
			s.forget(inner) // those of an earlier value with the same key
		}
		if i = s.value(i, inner); i < 0 {
			return -1
		}
		if m != nil && m.slot >= 0 {
			s.slots[m.slot] = s.text[from:i:i]
		}
		if i = s.space(i); i >= len(s.text) {
			return s.wrong(i, endsEarly)
		}
		switch s.text[i] {
		case ',':
			i = s.space(i + 1)
		case '}':
			s.depth--
			return i + 1
		default:
			return s.wrong(i, "a comma or the object's end is missing")
		}
	}
}

func (s *scanner) forget(members []member) {
	for _, m := range members {
		if m.slot >= 0 {
			s.slots[m.slot] = nil
		}
		s.forget(m.inner)
	}
}

// find is the member that a key, with its quotes, is for.
func find(want []member, quoted []byte) *member {
	if len(want) == 0 {
		return nil
	}
	key := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(key, '\\') >= 0 {
		var plain string
		if json.Unmarshal(quoted, &plain) != nil {
			return nil
		}
		key = []byte(plain)
	}
	for i := range want {
		if want[i].key == string(key) {
			return &want[i]
		}
	}
	return nil
}

func (s *scanner) array(i int) int {
	if s.depth++; s.depth > s.most {
		return s.wrong(i, "it nests too deep")
	}
	i = s.space(i + 1)
	if i < len(s.text) && s.text[i] == ']' {
		s.depth--
		return i + 1
	}
	for {
		if i = s.value(i, nil); i < 0 {
			return -1
		}
		if i = s.space(i); i >= len(s.text) {
			return s.wrong(i, endsEarly)
		}
		switch s.text[i] {
		case ',':
			i = s.space(i + 1)
		case ']':
			s.depth--
			return i + 1
		default:
			return s.wrong(i, "a comma or the array's end is missing")
		}
	}
}
