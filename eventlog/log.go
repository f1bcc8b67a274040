package eventlog

import (
	"encoding/json"
	"hash/maphash"
	"iter"
	"strings"
)

// A Log is one version of an event log: an immutable value, cheap to copy. The
// zero value is an empty log.
//
// All methods may be called from several goroutines at once. What they return
// is the caller's own: changing it changes no log.
type Log struct {
	// The version's events are the first used ones of tail and all those of the
	// chunks before it. Later slots of tail belong to other versions.
	tail *chunk
	used int

	// index finds the newest event of each session among the events before
	// tail, and, when tail is used up, among those in tail as well. It is kept
	// here rather than in the chunk, so that dropping old versions frees theirs.
	index *node

	newest *session // the session that appeared last; it links to those before it
}

// New returns an empty log.
func New() Log { return Log{} }

// Append returns a new log that holds the events of l and then the given one,
// with the next id. l itself stays as it was.
//
// The event's id is one more than l.LastID(), so that ids count the events of a
// log from 1. Two logs that were grown from one ancestor give out the same ids
// for different events; an id means something only within its own log.
//
// sessionID and eventType are any non-empty valid UTF-8, compared byte by byte.
// payload is any JSON object in valid UTF-8; its bytes are copied, and come back
// exactly as they are. Else the result is l itself and an [*AppendError], which
// says what to mend.
func (l Log) Append(sessionID, eventType string, payload json.RawMessage) (Log, error) {
	if err := check(sessionID, eventType, payload); err != nil {
		return l, err
	}
	tail, used := l.tail, l.used
	switch {
	case tail == nil:
		tail = &chunk{seed: maphash.MakeSeed()}
	case used == chunkSize:
		tail, used = tail.next(), 0
	}

	next := Log{index: l.index, newest: l.newest}
	e := &entry{id: l.LastID() + 1, typ: intern(eventType), payload: string(payload)}
	hash := tail.hash(sessionID)
	if head := l.head(sessionID, hash); head != nil {
		e.session, e.nth, e.prev = head.session, head.nth+1, head
	} else {
		e.session, e.nth = newSession(sessionID, hash, l.newest), 1
		next.newest = e.session
	}

	next.tail, next.used = tail.put(used, e), used+1
	if next.used == chunkSize {
		next.index = next.index.withAll(&next.tail.entries)
	}
	return next, nil
}

// Len returns the number of events in the log.
func (l Log) Len() int {
	if l.tail == nil {
		return 0
	}
	return l.tail.before + l.used
}

// LastID returns the id of the log's newest event, 0 for an empty log. As a
// cursor it stands for "has seen all of this version".
func (l Log) LastID() int64 { return int64(l.Len()) }

// Events returns the events of one session in the order in which they were
// appended: an empty slice, not nil, for a session that the log does not know.
func (l Log) Events(sessionID string) []Event {
	e := l.find(sessionID)
	if e == nil {
		return []Event{}
	}
	events := make([]Event, e.nth)
	for ; e != nil; e = e.prev {
		events[e.nth-1] = e.event()
	}
	return events
}

// Sessions returns the ids of all sessions, each once, in the order of their
// first event. It is never nil.
func (l Log) Sessions() []string {
	s := l.newest
	if s == nil {
		return []string{}
	}
	names := make([]string, s.nth)
	for ; s != nil; s = s.prev {
		names[s.nth-1] = s.name
	}
	return names
}

// Replay returns the messages of one session: Fold of its Events. It is never
// nil.
func (l Log) Replay(sessionID string) []Message {
	e := l.find(sessionID)
	if e == nil {
		return []Message{}
	}
	entries := make([]*entry, e.nth)
	for ; e != nil; e = e.prev {
		entries[e.nth-1] = e
	}
	messages := make([]Message, 0, len(entries))
	var payload []byte // one buffer for all: a message copies what it keeps
	for _, e := range entries {
		payload = append(payload[:0], e.payload...)
		if m, ok := foldEvent(e.typ, payload); ok {
			messages = append(messages, m)
		}
	}
	return messages
}

// All yields every event of the log in the order of their ids. The sequence may
// be used any number of times, and goes on showing this version.
func (l Log) All() iter.Seq[Event] {
	return func(yield func(Event) bool) {
		if l.tail == nil {
			return
		}
		// Chunks link backwards, as only that way can versions share them.
		chunks := make([]*chunk, l.tail.before/chunkSize+1)
		for c := l.tail; c != nil; c = c.prev {
			chunks[c.before/chunkSize] = c
		}
		for _, c := range chunks {
			n := min(l.Len()-c.before, chunkSize)
			for _, e := range c.entries[:n] {
				if !yield(e.event()) {
					return
				}
			}
		}
	}
}

// find returns the newest event of a session in this version, or nil.
func (l Log) find(sessionID string) *entry {
	if l.tail == nil {
		return nil
	}
	return l.head(sessionID, l.tail.hash(sessionID))
}

func (l Log) head(sessionID string, hash uint64) *entry {
	if l.tail == nil {
		return nil
	}
	if e := l.tail.newest(l.used, sessionID, hash); e != nil {
		return e
	}
	return l.index.get(sessionID, hash)
}

// intern returns the type's own constant where there is one, else a copy: a
// string cut out of a large text would keep all of it alive.
func intern(eventType string) string {
	switch eventType {
	case TypeUserMessage:
		return TypeUserMessage
	case TypeAssistantMessage:
		return TypeAssistantMessage
	case TypeToolCall:
		return TypeToolCall
	case TypeToolResult:
		return TypeToolResult
	}
	return strings.Clone(eventType)
}
