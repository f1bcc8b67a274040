package inspect

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"
)

// sessionFormat reads a session's file of eventlog/jsonlstore: a header, then an event a line, numbered by seq, with the store's ids. Each line begins with
// a checksum of the one before and itself. An append of several events says with each how many follow (left): without the last one it is no
// part of the session. What is whole and not right is damage, and the store refuses the file.
type sessionFormat struct{}

const (
	sessionName    = "forgetmenot-session"
	sessionVersion = 1
)

func (sessionFormat) name() string { return sessionName }

func (sessionFormat) policy() string {
	return "a torn last line, or an append whose last event is missing, was never acknowledged and is cut; any other damage is refused, as the store does"
}

func (sessionFormat) recognise(h *head) confidence {
	if is(h.slots[headFormat], sessionName) {
		return surely
	}
	return no
}

const (
	sessionSum = iota
	sessionFormatSlot
	sessionVersionSlot
	sessionID
	sessionTitle
	sessionCreatedAt
	sessionSeq
	sessionEventID
	sessionAt
	sessionLeft
	sessionType
	sessionPayload
	sessionPayloadText
	sessionCallID
	sessionToolName
	sessionSlots
)

// A sessionLog is where reading a session's file stands.
type sessionLog struct {
	id       string
	seq, ids int64
	left     int64
	sum      uint32
	table    *crc32.Table
	held     []Event // of an append that is not complete
	scratch  scanner
}

func (f sessionFormat) read(r *reader, emit func(*Event) error) (tail, error) {
	r.endMatters, r.blankMatters = true, true
	want := wanted("sum", "format", "version", "session", "title", "createdAt", "seq", "id", "at", "left", "type", "payload", "payloadText",
		"payload.callId", "payload.name")
	l := &sessionLog{table: crc32.MakeTable(crc32.Castagnoli)}
	if err := l.header(r, want); err != nil {
		return tail{}, err
	}
	for r.next(want, sessionSlots) {
		if r.firstBad.Line > 0 {
			break
		}
		e, why := l.event(r)
		if why != "" {
			return tail{}, r.refuse(Corrupt, why)
		}
		if l.left > 0 {
			r.hold()
			e.Record = bytes.Clone(e.Record)
			l.held = append(l.held, *e)
			continue
		}
		r.release()
		for i := range l.held {
			if err := emit(&l.held[i]); err != nil {
				return tail{}, err
			}
		}
		l.held = nil
		if err := emit(e); err != nil {
			return tail{}, err
		}
	}
	if bad := r.firstBad; bad.Line > 0 && (bad.Line != r.line.number || !r.line.torn) {
		return tail{}, r.refuseAt(bad, Corrupt, "the line is whole and no event, and the store refuses such a file")
	}
	if err := r.finish(); err != nil {
		return tail{}, err
	}
	r.dropHeld("the append that it belongs to is not complete, and was never acknowledged")
	return tail{whyOpen: "ids are given out by the store: an agent appends the closers when it goes on with the session"}, nil
}

func (l *sessionLog) header(r *reader, want []member) error {
	if !r.next(want, sessionSlots) {
		if err := r.finish(); err != nil {
			return err
		}
		return r.refuse(Corrupt, "there is no header")
	}
	s := r.scan.slots
	if r.line.number != 1 || !is(s[sessionFormatSlot], sessionName) {
		return r.refuse(Corrupt, "the first line is no header")
	}
	r.report.Version = string(s[sessionVersionSlot])
	if v, err := strconv.Atoi(r.report.Version); err != nil || v != sessionVersion {
		return r.refuse(Unsupported, fmt.Sprintf("it has version %.20s, and %d is known", r.report.Version, sessionVersion))
	}
	l.id, _ = textOf(s[sessionID])
	if !l.checks(r) || l.id == "" {
		return r.refuse(Corrupt, "the header's checksum is wrong, or it is not complete")
	}
	r.report.title, _ = textOf(s[sessionTitle])
	r.report.createdAt = timeOf(s[sessionCreatedAt])
	return nil
}

// event reads an event, or says why it is none.
func (l *sessionLog) event(r *reader) (e *Event, why string) {
	s := r.scan.slots
	seq, id, left := eventIDOf(s[sessionSeq]), eventIDOf(s[sessionEventID]), eventIDOf(s[sessionLeft])
	eventType, _ := textOf(s[sessionType])
	e = &Event{Format: sessionName, SessionID: l.id, Type: eventType, Time: timeOf(s[sessionAt]), Place: r.place(), own: true, Record: s[sessionPayload]}
	e.EventID = id
	if text := s[sessionPayloadText]; text != nil {
		plain, _ := textOf(text)
		e.Record = []byte(plain)
	} else if _, last, ok := bytes.Cut(r.line.text, []byte(`,"payload":`)); ok { // the white space around it is the payload's too
		e.Record = bytes.TrimSuffix(last, []byte("}"))
	}
	switch {
	case seq == 0 || id == 0 || eventType == "" || s[sessionSum] == nil:
		return nil, "it is not an event of this format"
	case seq > l.seq+1:
		return nil, fmt.Sprintf("it is event %d of the session and follows on event %d: what stood between is missing", seq, l.seq)
	case seq <= l.seq:
		return nil, fmt.Sprintf("it is event %d of the session and follows on event %d: it comes twice, or another program has written too", seq, l.seq)
	case !l.checks(r):
		return nil, "its checksum is wrong: the line, or one before it, is not what was written"
	case id <= l.ids:
		return nil, fmt.Sprintf("its event id is %d, after %d: ids must grow", id, l.ids)
	case left < 0 || l.left > 0 && left != l.left-1:
		return nil, "it does not continue the append of the event before it"
	case !l.payload(e, s):
		return nil, "its payload is no JSON object"
	}
	l.seq, l.ids, l.left = seq, id, left
	return e, ""
}

func (l *sessionLog) payload(e *Event, s [][]byte) bool {
	if s[sessionPayloadText] == nil && kind(s[sessionPayload]) == '{' {
		e.CallID, _ = textOf(s[sessionCallID])
		e.Name, _ = textOf(s[sessionToolName])
		return true
	}
	return own(e, &l.scratch)
}

// Where in a line that what the checksum is about begins.
const (
	sumStart = `{"sum":"`
	sumSize  = len(sumStart) + 8 + len(`",`)
)

// checks tells whether the line's checksum is right, and goes on with it.
func (l *sessionLog) checks(r *reader) bool {
	text := r.line.text
	if r.line.cr {
		text = append(bytes.Clone(text), '\r') // which the checksum then does not fit
	}
	if len(text) < sumSize || string(text[:len(sumStart)]) != sumStart {
		return false
	}
	sum, err := strconv.ParseUint(string(text[len(sumStart):len(sumStart)+8]), 16, 32)
	if err != nil || uint32(sum) != sumOf(text, l.sum, l.table) {
		return false
	}
	l.sum = uint32(sum)
	return true
}

// sumOf is the checksum of a line, behind one with the checksum before.
func sumOf(line []byte, before uint32, table *crc32.Table) uint32 {
	sum := crc32.Checksum(binary.BigEndian.AppendUint32(nil, before), table)
	return crc32.Update(sum, table, line[sumSize:])
}
