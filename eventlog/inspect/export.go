package inspect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"forgetmenot/eventlog"
)

// exportFormat reads what `eventlog export` writes: a header; each session; each event, by id; each idempotency key; and an end that counts them. It is
// all of a store, so nothing in it may be missing: an import refuses a file with a bad line.
type exportFormat struct{}

const (
	exportName    = "forgetmenot-eventlog"
	exportVersion = 1
)

func (exportFormat) name() string { return exportName }

func (exportFormat) policy() string {
	return "an import takes all of it or nothing; a repair keeps the lines that are whole, and counts them anew"
}

func (exportFormat) recognise(h *head) confidence {
	if is(h.slots[headFormat], exportName) {
		return surely
	}
	return no
}

const (
	exportFormatSlot = iota
	exportVersionSlot
	exportSession
	exportKey
	exportEnd
	exportEventID
	exportSessionID
	exportType
	exportPayload
	exportPayloadText
	exportCreatedAt
	exportCallID
	exportToolName
	exportSessionName
	exportKeySession
	exportKeyFirst
	exportKeyLast
	exportEndSessions
	exportEndEvents
	exportEndKeys
	exportSlots
)

func exportMembers() []member {
	return wanted("format", "version", "session", "key", "end", "eventId", "sessionId", "type", "payload", "payloadText", "createdAt", "payload.callId", "payload.name",
		"session.id", "key.sessionId", "key.firstEventId", "key.lastEventId", "end.sessions", "end.events", "end.keys")
}

// An exportLog is where reading an export stands.
type exportLog struct {
	sessions           map[string]bool
	events, keys, last int64
	named, ended       bool
	seen               []idRange // the ids of the events, in their order
	asItWas            []byte    // the end, when it counts right
	counted            int64     // the events that it counts
	scratch            scanner
}

// An idRange is event ids that follow each other without a gap.
type idRange struct{ first, last int64 }

func (f exportFormat) read(r *reader, emit func(*Event) error) (tail, error) {
	r.endMatters, r.blankMatters = true, true
	want := exportMembers()
	l := &exportLog{sessions: map[string]bool{}}
	e := &Event{}
	for r.next(want, exportSlots) {
		s := r.scan.slots
		if !l.named {
			if !is(s[exportFormatSlot], exportName) {
				r.drop(BadLine, "it stands before the header")
				continue
			}
			l.named = true
			if r.report.Version = string(s[exportVersionSlot]); r.report.Version != strconv.Itoa(exportVersion) {
				return tail{}, r.refuse(Unsupported, fmt.Sprintf("it has version %.20s, and %d is known", r.report.Version, exportVersion))
			}
			continue
		}
		if l.ended {
			r.drop(Order, "it stands behind the end")
			continue
		}
		switch {
		case s[exportSession] != nil:
			l.session(r, s)
		case s[exportEventID] != nil:
			if !l.event(r, s, e) {
				continue
			}
			if err := emit(e); err != nil {
				return tail{}, err
			}
		case s[exportKey] != nil:
			l.key(r, s)
		case s[exportEnd] != nil:
			l.end(r, s)
		default:
			r.drop(BadLine, "it is neither a session, an event, a key nor the end")
		}
	}
	if err := r.finish(); err != nil {
		return tail{}, err
	}
	if !l.named {
		return tail{}, r.refuse(Corrupt, "there is no header: it is no export, or its beginning is gone")
	}
	if !l.ended {
		r.fault(EndMissing, "the end is missing, which counts what there should be: the export was cut off")
	}
	return tail{close: l.close, end: l.endLine}, nil
}

func (l *exportLog) session(r *reader, s [][]byte) {
	id, ok := textOf(s[exportSessionName])
	switch {
	case !ok || id == "":
		r.drop(BadLine, "it is a session without an id")
	case l.sessions[id]:
		r.drop(Order, "the session has come before")
	default:
		l.sessions[id] = true
	}
}

func (l *exportLog) event(r *reader, s [][]byte, e *Event) bool {
	id := eventIDOf(s[exportEventID])
	session, _ := textOf(s[exportSessionID])
	eventType, _ := textOf(s[exportType])
	*e = Event{
		Format: exportName, SessionID: session, Type: eventType, Time: timeOf(s[exportCreatedAt]), Place: r.place(), own: true, Record: s[exportPayload],
	}
	e.EventID = id
	if text := s[exportPayloadText]; text != nil {
		plain, _ := textOf(text)
		e.Record = []byte(plain)
	}
	switch {
	case id <= 0:
		r.drop(BadLine, "it has no event id")
	case id <= l.last:
		r.drop(Order, fmt.Sprintf("event %d comes behind event %d; two writers may have forked the log", id, l.last))
	case !l.sessions[session]:
		r.drop(Order, fmt.Sprintf("its session %.80q has not come before", session))
	case eventType == "":
		r.drop(BadLine, "it has no type")
	case !l.payload(e, s):
		r.drop(BadLine, "its payload is no JSON object")
	default:
		if n := len(l.seen); n > 0 && l.last+1 == id {
			l.seen[n-1].last = id
		} else {
			l.seen = append(l.seen, idRange{id, id})
		}
		l.last = id
		l.events++
		return true
	}
	return false
}

// payload finds in an event's payload what calls are told by.
func (l *exportLog) payload(e *Event, s [][]byte) bool {
	if s[exportPayloadText] == nil && kind(e.Record) == '{' {
		e.CallID, _ = textOf(s[exportCallID])
		e.Name, _ = textOf(s[exportToolName])
		return true
	}
	return own(e, &l.scratch)
}

// own finds in the payload of one of our events what calls are told by. It is false when that is no JSON object.
func own(e *Event, s *scanner) bool {
	if !s.scan(e.Record, wanted("callId", "name"), 2) {
		return false
	}
	e.CallID, _ = textOf(s.slots[0])
	e.Name, _ = textOf(s.slots[1])
	return kind(bytes.TrimLeft(e.Record, " \t\r\n")) == '{'
}

func (l *exportLog) key(r *reader, s [][]byte) {
	session, _ := textOf(s[exportKeySession])
	first, last := eventIDOf(s[exportKeyFirst]), eventIDOf(s[exportKeyLast])
	at, _ := slices.BinarySearchFunc(l.seen, first, func(r idRange, id int64) int { return cmp.Compare(r.last, id) })
	if !l.sessions[session] || at == len(l.seen) || l.seen[at].first > last || first > last {
		r.drop(BadLine, "it is a key of events that are not there")
		return
	}
	l.keys++
}

func (l *exportLog) end(r *reader, s [][]byte) {
	l.ended = true
	r.withhold() // a repair writes it behind what it appends
	sessions, events, keys := int64(len(l.sessions)), l.events, l.keys
	if eventIDOf(s[exportEndSessions]) != sessions || eventIDOf(s[exportEndEvents]) != events || eventIDOf(s[exportEndKeys]) != keys {
		r.drop(Corrupt, fmt.Sprintf("it counts %s sessions, %s events and %s keys, and there are %d, %d and %d: lines are missing",
			s[exportEndSessions], s[exportEndEvents], s[exportEndKeys], sessions, events, keys))
		return
	}
	l.asItWas, l.counted = append(bytes.Clone(r.line.text), r.line.lineEnd()...), events
}

// close makes the lines of the closers.
func (l *exportLog) close(sessionID string, open eventlog.Recovery) []byte {
	var b []byte
	for _, c := range open.Closers {
		l.last++
		l.events++
		b = exportEvent(b, l.last, sessionID, c.Type, c.Payload, closingTime(open).UnixMilli())
	}
	return b
}

func (l *exportLog) endLine() []byte {
	if l.asItWas != nil && l.counted == l.events {
		return l.asItWas
	}
	return fmt.Appendf(nil, `{"end":{"sessions":%d,"events":%d,"keys":%d}}`+"\n", len(l.sessions), l.events, l.keys)
}

func exportHeader() []byte {
	return fmt.Appendf(nil, `{"format":%q,"version":%d}`+"\n", exportName, exportVersion)
}

func exportSessionLine(id, title string, createdAt int64) []byte {
	b := quoted([]byte(`{"session":{"id":`), id)
	b = quoted(append(b, `,"title":`...), title)
	return append(strconv.AppendInt(append(b, `,"createdAt":`...), createdAt, 10), "}}\n"...)
}

func exportEvent(b []byte, id int64, session, eventType string, payload json.RawMessage, createdAt int64) []byte {
	b = strconv.AppendInt(append(b, `{"eventId":`...), id, 10)
	b = quoted(append(b, `,"sessionId":`...), session)
	b = quoted(append(b, `,"type":`...), eventType)
	if bytes.IndexByte(payload, '\n') >= 0 || len(bytes.TrimSpace(payload)) != len(payload) {
		b = quoted(append(b, `,"payloadText":`...), string(payload))
	} else {
		b = append(append(b, `,"payload":`...), payload...)
	}
	b = strconv.AppendInt(append(b, `,"createdAt":`...), createdAt, 10)
	return append(b, "}\n"...)
}
