package jsonlstore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"
	"unicode/utf8"

	"forgetmenot/eventlog"
)

// The format of a session's file. It is text in UTF-8, in lines that end with "\n" and nothing else; U+2028, U+2029 and U+0085 are letters like
// any other. Each line is a JSON object with its members in this order, and no white space between them:
//
//	{"sum":S,"format":"forgetmenot-session","version":1,"session":ID,"title":T,"number":N,"createdAt":MS}
//	{"sum":S,"seq":1,"id":12,"at":MS,"type":TYPE,"payload":{…}}
//	{"sum":S,"seq":2,"id":13,"at":MS,"left":1,"key":KEY,"type":TYPE,"payload":{…}}
//	{"sum":S,"seq":3,"id":14,"at":MS,"type":TYPE,"payloadText":"{\n}"}
//
// seq counts the session's events from 1, so that a line that is missing or comes twice shows. id is the event's, of the whole store. Times are
// Unix milliseconds. left is how many events of the same append follow: an append whose last event (left is 0, and not written) is not there is
// no part of the session. key is the append's, on its first event.
//
// payload is the payload byte for byte, and last in its line. One with a line break between its tokens stands in payloadText, as a JSON string.
//
// sum is CRC-32C, in eight hexadecimal digits, of the sum of the line before (its four bytes, the highest first; the header follows on zeros) and
// of everything behind it in its own line, without the line's end. JSON alone would not notice a digit that has changed. As sums are chained, a line is only right behind
// the one that it was written behind: of two writers who have each continued the same file, only one can be believed.
// It is a guard against accidents, and no signature.
const (
	formatName    = "forgetmenot-session"
	formatVersion = 1
)

const (
	sumStart = `{"sum":"`
	sumSize  = len(sumStart) + 8 + len(`",`) // where what the sum is about begins
)

// bom is what some editors put before a text. It is read over, as a whole file should not be lost for it.
const bom = "\ufeff"

// A header is the first line of a file.
type header struct {
	id, title string
	number    int64
	createdAt int64 // Unix milliseconds
}

// A record is an event as its line has it.
type record struct {
	seq, id, at int64
	left        int64
	key         string
	typ         string
	payload     []byte
}

// A place is a position in a file, right behind a line, with all that it takes to judge the next one.
type place struct {
	offset int64 // of a packed file, that of the frame which the next line begins
	seq    int64 // of the line before; 0 behind the header
	id     int64 // the newest
	left   int64 // of the line before
	sum    uint32
}

// line is the number of the next line, from 1.
func (p place) line() int64 { return p.seq + 2 }

// --- writing ---------------------------------------------------------------------------------------------------------------

func appendHeader(b []byte, h header) ([]byte, place) {
	start := len(b)
	b = append(b, sumStart+`00000000","format":"`+formatName+`","version":`...)
	b = strconv.AppendInt(b, formatVersion, 10)
	b = append(b, `,"session":`...)
	b = appendString(b, h.id)
	b = append(b, `,"title":`...)
	b = appendString(b, h.title)
	b = append(b, `,"number":`...)
	b = strconv.AppendInt(b, h.number, 10)
	b = append(b, `,"createdAt":`...)
	b = strconv.AppendInt(b, h.createdAt, 10)
	b = append(b, '}')
	sum := sign(b[start:], 0)
	b = append(b, '\n')
	return b, place{offset: int64(len(b) - start), sum: sum}
}

// appendRecord writes the event that comes at a place, and tells the place behind it. The record brings no seq.
func appendRecord(b []byte, at place, r record) ([]byte, place) {
	start := len(b)
	b = append(b, sumStart+`00000000","seq":`...)
	b = strconv.AppendInt(b, at.seq+1, 10)
	b = append(b, `,"id":`...)
	b = strconv.AppendInt(b, r.id, 10)
	b = append(b, `,"at":`...)
	b = strconv.AppendInt(b, r.at, 10)
	if r.left > 0 {
		b = append(b, `,"left":`...)
		b = strconv.AppendInt(b, r.left, 10)
	}
	if r.key != "" {
		b = append(b, `,"key":`...)
		b = appendString(b, r.key)
	}
	b = append(b, `,"type":`...)
	b = appendString(b, r.typ)
	if bytes.ContainsAny(r.payload, "\n\r") { // \r too: many programs take it for the end of a line
		b = append(b, `,"payloadText":`...)
		b = appendString(b, r.payload)
	} else {
		b = append(b, `,"payload":`...)
		b = append(b, r.payload...)
	}
	b = append(b, '}')
	next := place{seq: at.seq + 1, id: r.id, left: r.left, sum: sign(b[start:], at.sum)}
	b = append(b, '\n')
	next.offset = at.offset + int64(len(b)-start)
	return b, next
}

// sign puts the sum of a line into it.
func sign(line []byte, before uint32) uint32 {
	sum := sumOf(line, before)
	const digits = "0123456789abcdef"
	for i := range 8 {
		line[len(sumStart)+i] = digits[sum>>(28-4*i)&15]
	}
	return sum
}

func sumOf(line []byte, before uint32) uint32 {
	table := crc32.MakeTable(crc32.Castagnoli) // made once, by the package
	sum := crc32.Checksum([]byte{byte(before >> 24), byte(before >> 16), byte(before >> 8), byte(before)}, table)
	return crc32.Update(sum, table, line[sumSize:])
}

// appendString writes a JSON string of valid UTF-8. Letters that JSON allows stay as they are, whatever HTML or JavaScript think of them.
func appendString[T string | []byte](b []byte, s T) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// --- reading ---------------------------------------------------------------------------------------------------------------

// readHeader reads the first line of a file, without its end but with what may stand before it. The error is a *LineError without a file.
func readHeader(line []byte) (header, place, error) {
	refuse := func(kind error, format string, args ...any) (header, place, error) {
		return header{}, place{}, &LineError{Line: 1, Reason: fmt.Sprintf(format, args...), Err: kind}
	}
	offset := len(line) + 1
	line = bytes.TrimPrefix(line, []byte(bom))
	var named struct {
		Format  string
		Version json.Number
	}
	if json.Unmarshal(line, &named) != nil || named.Format != formatName {
		return refuse(eventlog.ErrNotStore, "it does not begin with the header of a session file")
	}
	version, err := named.Version.Int64()
	if err != nil || version < 1 {
		return refuse(eventlog.ErrCorrupt, "the version of its format is %q", named.Version)
	}
	if version > formatVersion {
		return refuse(eventlog.ErrNewerVersion, "its format has version %d, this program knows versions up to %d", version, formatVersion)
	}
	s := scanner{rest: line}
	s.take(sumStart)
	sum, ok := s.sum()
	if !ok || sum != sumOf(line, 0) {
		return refuse(eventlog.ErrCorrupt, "the header's checksum is wrong")
	}
	var h header
	s.take(`"format":"` + formatName + `","version":`)
	s.int()
	s.take(`,"session":`)
	h.id = s.string()
	s.take(`,"title":`)
	h.title = s.string()
	s.take(`,"number":`)
	h.number = s.int()
	s.take(`,"createdAt":`)
	h.createdAt = s.int()
	s.take("}")
	if s.failed || len(s.rest) > 0 || h.id == "" || h.number < 1 {
		return refuse(eventlog.ErrCorrupt, "the header is not complete")
	}
	return h, place{offset: int64(offset), sum: sum}, nil
}

// readRecord reads the line at a place, without its end. What is not right in it is a *LineError without a file. The payload is a part of the line; that
// it is JSON is for checkPayload to see, once: a checksum does not change its mind.
func readRecord(line []byte, at place) (r record, next place, err error) {
	refuse := func(format string, args ...any) (record, place, error) {
		return record{}, at, &LineError{Line: at.line(), Reason: fmt.Sprintf(format, args...), Err: eventlog.ErrCorrupt}
	}
	s := scanner{rest: line}
	s.take(sumStart)
	sum, _ := s.sum()
	s.take(`"seq":`)
	r.seq = s.int()
	s.take(`,"id":`)
	r.id = s.int()
	s.take(`,"at":`)
	r.at = s.int()
	if s.maybe(`,"left":`) {
		r.left = s.int()
	}
	if s.maybe(`,"key":`) {
		r.key = s.string()
	}
	s.take(`,"type":`)
	r.typ = s.string()
	if s.maybe(`,"payloadText":`) {
		r.payload = []byte(s.string())
		s.take("}")
	} else {
		s.take(`,"payload":`)
		r.payload = bytes.TrimSuffix(s.rest, []byte("}"))
		if len(r.payload) == len(s.rest) {
			s.failed = true
		}
		s.rest = nil
	}
	switch {
	case s.failed || len(s.rest) > 0:
		return refuse("it is not an event of this format")
	case r.seq > at.seq+1:
		return refuse("it is event %d of the session and follows on event %d: what stood between is missing", r.seq, at.seq)
	case r.seq <= at.seq:
		return refuse("it is event %d of the session and follows on event %d: it comes twice, or another program has written too", r.seq, at.seq)
	case sum != sumOf(line, at.sum):
		return refuse("its checksum is wrong: the line, or one before it, is not what was written")
	case r.id <= at.id:
		return refuse("its event id is %d, after %d: ids must grow", r.id, at.id)
	case r.left < 0 || at.left > 0 && r.left != at.left-1 || at.left > 0 && r.key != "":
		return refuse("it does not continue the append of the event before it")
	case r.typ == "":
		return refuse("its event has no type")
	}
	return r, place{offset: at.offset + int64(len(line)) + 1, seq: r.seq, id: r.id, left: r.left, sum: sum}, nil
}

// checkPayload tells what is wrong with the payload of the line at a place.
func (r record) checkPayload(at place) error {
	text := bytes.TrimLeft(r.payload, " \t\r\n")
	if len(text) > 0 && text[0] == '{' && utf8.Valid(r.payload) && json.Valid(r.payload) {
		return nil
	}
	return &LineError{Line: at.line(), Reason: "its payload is no JSON object", Err: eventlog.ErrCorrupt}
}

func (r record) event(sessionID string) eventlog.StoredEvent {
	return eventlog.StoredEvent{
		Event:     eventlog.Event{EventID: r.id, SessionID: sessionID, Type: r.typ, Payload: bytes.Clone(r.payload)},
		CreatedAt: timeOf(r.at),
	}
}

func timeOf(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// A scanner reads a line of the one form in which it is written. After its first failure it reads nothing any more.
type scanner struct {
	rest   []byte
	failed bool
}

func (s *scanner) maybe(text string) bool {
	if s.failed || len(s.rest) < len(text) || string(s.rest[:len(text)]) != text {
		return false
	}
	s.rest = s.rest[len(text):]
	return true
}

func (s *scanner) take(text string) {
	if !s.maybe(text) {
		s.failed = true
	}
}

func (s *scanner) sum() (sum uint32, ok bool) {
	for i := range 8 {
		var digit byte
		switch {
		case i >= len(s.rest):
			s.failed = true
		case s.rest[i] >= '0' && s.rest[i] <= '9':
			digit = s.rest[i] - '0'
		case s.rest[i] >= 'a' && s.rest[i] <= 'f':
			digit = s.rest[i] - 'a' + 10
		default:
			s.failed = true
		}
		sum = sum<<4 | uint32(digit)
	}
	if !s.failed {
		s.rest = s.rest[8:]
	}
	s.take(`",`)
	return sum, !s.failed
}

// int reads a number as strconv writes it.
func (s *scanner) int() int64 {
	n := 0
	for n < len(s.rest) && (s.rest[n] >= '0' && s.rest[n] <= '9' || n == 0 && s.rest[n] == '-') {
		n++
	}
	v, err := strconv.ParseInt(string(s.rest[:n]), 10, 64)
	if s.failed || err != nil || n > 1 && s.rest[0] == '0' {
		s.failed = true
		return 0
	}
	s.rest = s.rest[n:]
	return v
}

func (s *scanner) string() string {
	if s.failed || len(s.rest) == 0 || s.rest[0] != '"' {
		s.failed = true
		return ""
	}
	escaped := false
	for i := 1; i < len(s.rest); i++ {
		switch s.rest[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			quoted := s.rest[:i+1]
			s.rest = s.rest[i+1:]
			var text string
			if !escaped {
				text = string(quoted[1 : len(quoted)-1])
			} else if json.Unmarshal(quoted, &text) != nil {
				s.failed = true
			}
			if !utf8.ValidString(text) {
				s.failed = true
			}
			return text
		}
	}
	s.failed = true
	return ""
}
