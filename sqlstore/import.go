package sqlstore

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// Import reads what Export wrote into this store: all of it, or nothing. Sessions must be new to the store, and events keep their ids, which must be
// greater than those that are there; in an empty store both are so. Every line is checked as an append is.
//
// The error is ErrNotStore when it is not an export, ErrNewerVersion, ErrCorrupt when a line is wrong or the end is missing, ErrSessionExists,
// ErrConflict when the store has events with such ids, or ErrTooLarge; it tells the line. Appends wait while it reads, so read from a file.
func (s *Store) Import(ctx context.Context, from io.Reader) (Counts, error) {
	var n Counts
	err := s.write(&request{ctx: ctx, alone: true, apply: func(w *writer) error {
		// Of a reader there is only one reading: unlike an append, an import is not made again.
		if n != (Counts{}) {
			return refusal{&fault{eventlog.ErrIO, "import again", errors.New("the transaction was interrupted")}}
		}
		i := &importer{writer: w, ctx: ctx, limits: s.o.Limits, sessions: map[string]*imported{}, lines: bufio.NewReaderSize(from, 1<<16)}
		err := i.all()
		n = i.n
		if err != nil && i.line > 0 {
			err = &lineError{i.line, err}
		}
		return err
	}})
	if err != nil {
		return Counts{}, storeError("import", s.path, err)
	}
	return n, nil
}

// A lineError says in which line of an import something is wrong.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }

type imported struct {
	number, last, count int64
}

type importer struct {
	*writer
	ctx      context.Context
	limits   eventlog.Limits
	lines    *bufio.Reader
	line     int
	n        Counts
	sessions map[string]*imported
}

// An importLine is any line of an export; which one tells what is in it.
type importLine struct {
	headerLine
	Session     *sessionLine    `json:"session"`
	Key         *keyLine        `json:"key"`
	End         *Counts         `json:"end"`
	EventID     *int64          `json:"eventId"`
	SessionID   string          `json:"sessionId"`
	Type        string          `json:"type"`
	Payload     json.RawMessage `json:"payload"`
	PayloadText *string         `json:"payloadText"`
	CreatedAt   int64           `json:"createdAt"`
}

func wrong(format string, args ...any) error {
	return refusal{&fault{eventlog.ErrCorrupt, "export it again; nothing was imported", fmt.Errorf(format, args...)}}
}

func (i *importer) all() error {
	text, err := i.next()
	if err != nil {
		return err
	}
	var header headerLine
	if json.Unmarshal(text, &header) != nil || header.Format != formatName {
		return refusal{&fault{eventlog.ErrNotStore, "name a file that Export has written", errors.New("it is not an export")}}
	}
	if header.Version != formatVersion {
		return refusal{&fault{eventlog.ErrNewerVersion, mendNewer, fmt.Errorf("the export has version %d, this program knows %d", header.Version, formatVersion)}}
	}
	for {
		if err := i.ctx.Err(); err != nil {
			return refusal{err}
		}
		text, err := i.next()
		if err != nil {
			return err
		}
		var l importLine
		if err := json.Unmarshal(text, &l); err != nil {
			return wrong("it is not what Export writes: %w", err)
		}
		switch {
		case l.Session != nil:
			err = i.session(*l.Session)
		case l.EventID != nil:
			err = i.event(l)
		case l.Key != nil:
			err = i.key(*l.Key)
		case l.End != nil:
			if *l.End != i.n {
				return wrong("the end tells of %+v, there were %+v", *l.End, i.n)
			}
			return i.finish()
		default:
			err = wrong("it is neither a session, an event, a key nor the end")
		}
		if err != nil {
			return err
		}
	}
}

// next reads a line. Only a line feed ends one: other characters that some take for line ends stand in texts.
func (i *importer) next() ([]byte, error) {
	i.line++
	most := 8*i.limits.Payload + 1<<20 // every byte of a payload can be escaped
	var line []byte
	for {
		part, err := i.lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(line, []byte{'\n'}), nil
		case len(line) > most:
			return nil, refusal{&eventlog.LimitError{What: "line", Size: len(line), Most: most, Unit: "bytes"}}
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF):
			return nil, wrong("the export ends too early")
		default:
			return nil, refusal{&fault{eventlog.ErrIO, "look after where the export is read from", err}}
		}
	}
}

func (i *importer) session(l sessionLine) error {
	if err := i.limits.CheckSession(l.ID, l.Title); err != nil {
		return invalid(err)
	}
	made, err := i.create(eventlog.Session{ID: l.ID, Title: l.Title, CreatedAt: timeOf(l.CreatedAt)})
	if err != nil {
		return err
	}
	i.sessions[l.ID] = &imported{number: made.Number}
	i.n.Sessions++
	return nil
}

// invalid keeps the reason of a *eventlog.StoreError, whose operation is not ours.
func invalid(err error) error {
	var e *eventlog.StoreError
	if errors.As(err, &e) {
		err = e.Err
	}
	return refusal{&fault{eventlog.ErrCorrupt, "export it again; nothing was imported", err}}
}

// mostID is the greatest id that an import can bring: up to there JavaScript counts exactly, and behind it there is room for more.
const mostID = 1<<53 - 1

func (i *importer) event(l importLine) error {
	session := i.sessions[l.SessionID]
	if session == nil {
		return wrong("the session %q of event %d has not come before", shortened(l.SessionID), *l.EventID)
	}
	payload := l.Payload
	if l.PayloadText != nil {
		payload = json.RawMessage(*l.PayloadText)
	}
	e := eventlog.NewEvent{Type: l.Type, Payload: payload}
	if err := i.limits.CheckAppend(l.SessionID, []eventlog.NewEvent{e}, eventlog.AppendOptions{}); err != nil {
		return invalid(err)
	}
	if *l.EventID < 1 || *l.EventID > mostID {
		return wrong("no event has the id %d", *l.EventID)
	}
	if *l.EventID <= i.end.id {
		if i.n.Events > 0 {
			return wrong("event %d comes behind event %d", *l.EventID, i.end.id)
		}
		return refusal{&fault{&eventlog.ConflictError{Expected: *l.EventID - 1, Actual: i.end.id}, "import into a new file", nil}}
	}
	b := newBatch(timeOf(l.CreatedAt), l.SessionID, []eventlog.NewEvent{e}, eventlog.AppendOptions{})
	own := &b.events[0]
	own.EventID = *l.EventID
	if err := i.put(session.number, own); err != nil {
		return err
	}
	session.last = own.EventID
	session.count++
	i.n.Events++
	return nil
}

func (i *importer) key(l keyLine) error {
	session := i.sessions[l.SessionID]
	if session == nil {
		return wrong("the session %q of a key has not come before", shortened(l.SessionID))
	}
	all, own := int64(0), int64(0)
	_, err := i.conn.one(func(s *sqlite3.Stmt) { all, own = s.ColumnInt64(0), s.ColumnInt64(1) },
		"SELECT count(*), count(*) FILTER (WHERE session = ?1) FROM events WHERE event_id BETWEEN ?2 AND ?3", session.number, l.FirstEventID, l.LastEventID)
	if err != nil {
		return err
	}
	if l.Key == "" || all == 0 || all != own {
		return wrong("the key %q stands for events %d to %d, which are not all of its session", shortened(l.Key), l.FirstEventID, l.LastEventID)
	}
	if err := i.conn.insertKey(session.number, l.Key, l.FirstEventID, l.LastEventID); err != nil {
		return wrong("the key %q comes twice, or its events are not there: %w", shortened(l.Key), err)
	}
	i.n.Keys++
	return nil
}

func (i *importer) finish() error {
	for _, s := range i.sessions {
		if err := i.conn.exec("UPDATE sessions SET last_event_id = ?, event_count = ? WHERE number = ?", s.last, s.count, s.number); err != nil {
			return err
		}
	}
	return nil
}
