package sqlstore

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strconv"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// The export format: UTF-8, one JSON object a line, lines ended by "\n", in this order:
//
//	{"format":"forgetmenot-eventlog","version":1}
//	{"session":{"id":"a","title":"","createdAt":1700000000000}}                                            each session, by creation
//	{"eventId":1,"sessionId":"a","type":"user_message","payload":{"content":"x"},"createdAt":1700000000000}  each event, by id
//	{"key":{"sessionId":"a","key":"k","firstEventId":1,"lastEventId":1}}                                   each idempotency key
//	{"end":{"sessions":1,"events":1,"keys":1}}
//
// Times are Unix milliseconds. payload is the very bytes that were appended. Where they could not stand in a line as they are, because they hold a
// line end, begin or end with white space, or nest too deep to stand one level deeper, the key is payloadText, and its value a JSON string
// whose characters are the payload. Hashes are not exported: they follow from the rest.
const (
	formatName    = "forgetmenot-eventlog"
	formatVersion = 1
)

type (
	headerLine struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	sessionLine struct {
		ID        string `json:"id"`
		Title     string `json:"title"`
		CreatedAt int64  `json:"createdAt"`
	}
	keyLine struct {
		SessionID    string `json:"sessionId"`
		Key          string `json:"key"`
		FirstEventID int64  `json:"firstEventId"`
		LastEventID  int64  `json:"lastEventId"`
	}
	// Counts say how much an export or an import holds.
	Counts struct {
		Sessions int64 `json:"sessions"`
		Events   int64 `json:"events"`
		Keys     int64 `json:"keys"`
	}
)

// Export writes the whole store as text, as it is at one moment, in the format that the package's documentation describes. Import reads it again.
// Events keep their ids, times and the bytes of their payloads, so that an import into an empty store ends with the same hash.
func (s *Store) Export(ctx context.Context, to io.Writer) (Counts, error) {
	n, err := s.export(ctx, to)
	return n, storeError("export", s.path, err)
}

func (s *Store) export(ctx context.Context, to io.Writer) (Counts, error) {
	if err := s.begin(ctx); err != nil {
		return Counts{}, err
	}
	defer s.calls.Done()
	c, err := openReader(s.ctx, s.path, s.o)
	if err != nil {
		return Counts{}, s.explained(ctx, err)
	}
	defer c.close()
	x := &exporter{conn: c, to: bufio.NewWriterSize(to, 1<<16)}
	err = c.do(func() error {
		c.db.SetInterrupt(ctx)
		if err := c.db.Exec("BEGIN"); err != nil {
			return err
		}
		return x.all()
	})
	c.rollback()
	if err == nil {
		x.failed = x.to.Flush()
	}
	if x.failed != nil {
		return x.n, &fault{eventlog.ErrIO, "look after where the export is written to", x.failed}
	}
	return x.n, s.explained(ctx, err)
}

type exporter struct {
	*conn
	to     *bufio.Writer
	line   bytes.Buffer
	n      Counts
	failed error // in writing
}

func (x *exporter) all() error {
	x.write(func() { x.object(headerLine{formatName, formatVersion}) })
	err := x.each("SELECT id, title, created_at FROM sessions ORDER BY number", func(s *sqlite3.Stmt) {
		x.wrapped("session", sessionLine{s.ColumnText(0), s.ColumnText(1), s.ColumnInt64(2)})
		x.n.Sessions++
	})
	if err != nil {
		return err
	}
	err = x.each(`SELECT e.event_id, e.type, e.payload, e.created_at, s.id
		FROM events e CROSS JOIN sessions s ON s.number = e.session ORDER BY e.event_id`, func(s *sqlite3.Stmt) {
		x.event(s)
		x.n.Events++
	})
	if err != nil {
		return err
	}
	err = x.each(`SELECT s.id, k.key, k.first_event_id, k.last_event_id
		FROM append_keys k JOIN sessions s ON s.number = k.session ORDER BY k.first_event_id, k.key`, func(s *sqlite3.Stmt) {
		x.wrapped("key", keyLine{s.ColumnText(0), s.ColumnText(1), s.ColumnInt64(2), s.ColumnInt64(3)})
		x.n.Keys++
	})
	if err != nil {
		return err
	}
	x.write(func() { x.wrapped("end", x.n) })
	return x.failed
}

func (x *exporter) each(sql string, row func(*sqlite3.Stmt)) error {
	err := x.query(func(s *sqlite3.Stmt) bool {
		x.write(func() { row(s) })
		return x.failed == nil
	}, sql)
	return firstOf(err, x.failed)
}

// write writes the line that f makes.
func (x *exporter) write(f func()) {
	x.line.Reset()
	f()
	x.line.WriteByte('\n')
	if x.failed == nil {
		_, x.failed = x.to.Write(x.line.Bytes())
	}
}

func (x *exporter) wrapped(key string, v any) {
	x.line.WriteString(`{"` + key + `":`)
	x.object(v)
	x.line.WriteByte('}')
}

// object writes a value of plain fields. <, > and & stay as they are: this is not a web page.
func (x *exporter) object(v any) {
	e := json.NewEncoder(&x.line)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	x.line.Truncate(x.line.Len() - 1) // the encoder ends with a new line
}

func (x *exporter) event(s *sqlite3.Stmt) {
	b := &x.line
	b.WriteString(`{"eventId":` + strconv.FormatInt(s.ColumnInt64(0), 10) + `,"sessionId":`)
	x.object(s.ColumnText(4))
	b.WriteString(`,"type":`)
	x.object(s.ColumnText(1))
	if payload := s.ColumnRawText(2); standsInLine(payload) {
		b.WriteString(`,"payload":`)
		b.Write(payload)
	} else {
		b.WriteString(`,"payloadText":`)
		x.object(string(payload))
	}
	b.WriteString(`,"createdAt":` + strconv.FormatInt(s.ColumnInt64(3), 10) + `}`)
}

// standsInLine tells whether a payload can be written as it is.
func standsInLine(payload []byte) bool {
	return len(bytes.TrimSpace(payload)) == len(payload) && bytes.IndexByte(payload, '\n') < 0 && !nestsDeep(payload)
}
