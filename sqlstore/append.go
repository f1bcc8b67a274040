package sqlstore

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"time"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// CreateSession implements eventlog.Store.
func (s *Store) CreateSession(ctx context.Context, id, title string) (eventlog.Session, error) {
	if err := s.o.Limits.CheckSession(id, title); err != nil {
		return eventlog.Session{}, err
	}
	created := eventlog.Session{ID: strings.Clone(id), Title: strings.Clone(title), CreatedAt: millis(s.o.Now())}
	made, err := change(ctx, s, 0, func(w *writer) (eventlog.Session, error) { return w.create(created) })
	if err != nil {
		return eventlog.Session{}, storeError("create session", id, err)
	}
	return made, nil
}

func (w *writer) create(session eventlog.Session) (eventlog.Session, error) {
	_, found, err := w.conn.session(session.ID)
	if err != nil {
		return session, err
	}
	if found {
		return session, refusal{eventlog.ErrSessionExists}
	}
	err = w.conn.exec("INSERT INTO sessions (id, title, created_at) VALUES (?, ?, ?)", session.ID, session.Title, session.CreatedAt.UnixMilli())
	session.Number = w.conn.db.LastInsertRowID()
	return session, err
}

// Append implements eventlog.Store. Appends that come at once, from any number of goroutines, are made durable together.
func (s *Store) Append(ctx context.Context, sessionID string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error) {
	if err := s.o.Limits.CheckAppend(sessionID, events, o); err != nil {
		return eventlog.Receipt{}, err
	}
	b := newBatch(millis(s.o.Now()), sessionID, events, o)
	receipt, err := change(ctx, s, b.bytes, func(w *writer) (eventlog.Receipt, error) { return w.append(b) })
	if err != nil {
		return eventlog.Receipt{}, storeError("append", sessionID, err)
	}
	receipt.Durability = s.o.durability()
	return receipt, nil
}

// A batch is an append with all that can be worked out before it is the writer's turn. It is the writer's own copy, as a caller whose context
// ends does not wait.
type batch struct {
	sessionID string
	expect    eventlog.Expectation
	key       string
	events    []batchEvent
	bytes     int // of the payloads
}

type batchEvent struct {
	eventlog.StoredEvent
	message *eventlog.Message // nil when the event folds to none
	leaf    digest
	deep    int64
}

func newBatch(now time.Time, sessionID string, events []eventlog.NewEvent, o eventlog.AppendOptions) *batch {
	b := &batch{sessionID: strings.Clone(sessionID), expect: o.Expect, key: strings.Clone(o.Key), events: make([]batchEvent, len(events))}
	for i, e := range events {
		own := &b.events[i]
		own.SessionID, own.Type, own.Payload, own.CreatedAt = b.sessionID, strings.Clone(e.Type), bytes.Clone(e.Payload), now
		if m, ok := eventlog.FoldEvent(own.Event); ok {
			own.message = &m
		}
		b.bytes += len(e.Payload)
		own.leaf = leafOf(own.SessionID, own.Type, own.Payload, now.UnixMilli())
		if nestsDeep(own.Payload) {
			own.deep = 1
		}
	}
	return b
}

// nestsDeep tells whether a JSON text has more levels than SQLite's JSON functions read. https://sqlite.org/json1.html
func nestsDeep(text []byte) bool {
	const most = 1000
	if bytes.Count(text, []byte{'{'})+bytes.Count(text, []byte{'['}) <= most {
		return false
	}
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			if depth++; depth > most {
				return true
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return false
}

func (w *writer) append(b *batch) (eventlog.Receipt, error) {
	session, found, err := w.conn.session(b.sessionID)
	if err != nil {
		return eventlog.Receipt{}, err
	}
	if !found {
		return eventlog.Receipt{}, refusal{eventlog.ErrNoSession}
	}
	// The key comes first: whoever repeats an append cannot know how the session ends by now.
	if b.key != "" {
		if r, found, err := w.repeated(session, b); found || err != nil {
			return r, err
		}
	}
	if want, ok := b.expect.Last(); ok && want != session.LastEventID {
		return eventlog.Receipt{}, refusal{&eventlog.ConflictError{Expected: want, Actual: session.LastEventID}}
	}

	r := eventlog.Receipt{Events: make([]eventlog.StoredEvent, len(b.events))}
	for i := range b.events {
		e := &b.events[i]
		e.EventID = w.end.id + 1
		if err := w.put(session.Number, e); err != nil {
			return r, err
		}
		r.Events[i] = e.StoredEvent
	}
	first, last := b.events[0].EventID, w.end.id
	if b.key != "" {
		if err := w.conn.insertKey(session.Number, b.key, first, last); err != nil {
			return r, err
		}
	}
	return r, w.conn.exec("UPDATE sessions SET last_event_id = ?, event_count = event_count + ? WHERE number = ?", last, int64(len(b.events)), session.Number)
}

// repeated finds the events that an append with this key has stored.
func (w *writer) repeated(session eventlog.Session, b *batch) (r eventlog.Receipt, found bool, err error) {
	first, last := int64(0), int64(0)
	found, err = w.conn.one(func(s *sqlite3.Stmt) {
		first, last = s.ColumnInt64(0), s.ColumnInt64(1)
	}, "SELECT first_event_id, last_event_id FROM append_keys WHERE session = ? AND key = ?", session.Number, b.key)
	if !found || err != nil {
		return r, false, err
	}
	if r.Events, _, err = w.conn.eventsOf(nil, session, span{first - 1, last}, len(b.events)+1, -1); err != nil {
		return r, true, err
	}
	same := slices.EqualFunc(r.Events, b.events, func(old eventlog.StoredEvent, e batchEvent) bool {
		return old.Type == e.Type && bytes.Equal(old.Payload, e.Payload)
	})
	if !same {
		return eventlog.Receipt{}, true, refusal{eventlog.ErrKeyReused}
	}
	r.Repeated = true
	return r, true, nil
}

// put puts an event that has its id at the end of the log, with all that follows from it but for the session's row.
func (w *writer) put(session int64, e *batchEvent) error {
	if err := w.conn.project(session, e.Event, e.message); err != nil {
		return err
	}
	hash := w.end.hash.next(e.EventID, e.leaf)
	w.end = end{e.EventID, hash}
	// OR FAIL, for what stands at the table's trigger. The writer takes back what a failed append has done.
	return w.conn.exec("INSERT OR FAIL INTO events (event_id, session, type, payload, created_at, deep, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
		e.EventID, session, e.Type, e.Payload, e.CreatedAt.UnixMilli(), e.deep, hash[:])
}

func (c *conn) insertKey(session int64, key string, first, last int64) error {
	return c.exec("INSERT OR FAIL INTO append_keys (session, key, first_event_id, last_event_id) VALUES (?, ?, ?, ?)", session, key, first, last)
}
