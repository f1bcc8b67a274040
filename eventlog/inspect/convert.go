package inspect

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"time"

	"forgetmenot/eventlog"
)

// Converted says what a conversion wrote.
type Converted struct {
	Format    string
	SessionID string // of the first session
	Events    int64
}

// Convert writes what a file says as `eventlog export` would, for an import into a store: sessions, events with ids behind after, each with its own
// time, and a key for each record, so that the same record is never in a store twice. A payload is at most limit bytes long; 0 is no limit.
//
// The error is as from [Events], a payload's *eventlog.LimitError, or the writer's.
func Convert(ctx context.Context, s Source, after int64, limit int, to io.Writer) (Converted, error) {
	w := bufio.NewWriterSize(to, 64<<10)
	c := &converter{to: w, id: after, base: s.base(), report: NewReport(s.Name), seen: map[string]*run{}}
	f, err := known(s)
	if err != nil {
		return c.done, err
	}
	w.Write(exportHeader()) // errors stay with the writer until it is flushed
	_, err = read(ctx, s, f, c.report, nil, func(e *Event) error {
		payload := e.Payload()
		if limit > 0 && len(payload) > limit {
			return &Error{Op: "read", File: s.Name, Place: e.Place, Err: &eventlog.LimitError{What: "payload", Size: len(payload), Most: limit, Unit: "bytes"}}
		}
		c.take(e, payload)
		return nil
	})
	if err != nil {
		return c.done, err
	}
	c.begin()
	for _, r := range c.order {
		c.key(r)
	}
	fmt.Fprintf(w, `{"end":{"sessions":%d,"events":%d,"keys":%d}}`+"\n", len(c.seen), c.done.Events, c.keys)
	return c.done, w.Flush()
}

type converter struct {
	to     *bufio.Writer
	base   string
	report *Report
	id     int64
	keys   int64
	last   time.Time
	seen   map[string]*run
	order  []*run
	done   Converted

	begun   bool
	waiting []waitingEvent
}

// A run is the events that a record gave, of one session.
type run struct {
	format, session string
	events          int64 // of the session before it
	line            int64
	first, last     int64 // event ids
}

// Key names the record that events come from, and so makes its import happen once. Number counts the session's events before it.
func Key(e *Event, number int64) string {
	return fmt.Sprintf("import/%s/%d/%d", e.Format, e.Line, number)
}

// take takes the next event. Those before the first one with a time wait for it: they are no older.
func (c *converter) take(e *Event, payload []byte) {
	if !e.Time.IsZero() {
		c.last = e.Time
	}
	if c.begun {
		c.event(e, payload)
		return
	}
	c.waiting = append(c.waiting, waitingEvent{Event{Format: e.Format, SessionID: e.SessionID, Type: e.Type, Place: e.Place}, payload})
	if !c.last.IsZero() || len(c.waiting) == mostWaiting {
		c.begin()
	}
}

const mostWaiting = 100

type waitingEvent struct {
	event   Event
	payload []byte
}

func (c *converter) begin() {
	c.begun = true
	for i := range c.waiting {
		c.event(&c.waiting[i].event, c.waiting[i].payload)
	}
	c.waiting = nil
}

func (c *converter) event(e *Event, payload []byte) {
	at := int64(0)
	if !c.last.IsZero() {
		at = c.last.UnixMilli()
	}
	r := c.seen[e.SessionID]
	if r == nil {
		r = &run{format: e.Format, session: e.SessionID}
		c.seen[e.SessionID] = r
		c.order = append(c.order, r)
		title, createdAt := e.Format+": "+c.base, at
		if !c.report.createdAt.IsZero() { // the file knows better
			title, createdAt = c.report.title, c.report.createdAt.UnixMilli()
		}
		c.to.Write(exportSessionLine(e.SessionID, title, createdAt))
		if c.done.SessionID == "" {
			c.done.Format, c.done.SessionID = e.Format, e.SessionID
		}
	} else if r.line != e.Line {
		c.key(r)
	}
	c.id++
	if r.first == 0 || r.line != e.Line {
		r.line, r.first = e.Line, c.id
	}
	r.last = c.id
	r.events++
	c.done.Events++
	c.to.Write(exportEvent(nil, c.id, e.SessionID, e.Type, payload, at))
}

// key writes the key of a run that is complete.
func (c *converter) key(r *run) {
	if r.first == 0 {
		return
	}
	before := r.events - (r.last - r.first + 1)
	b := quoted([]byte(`{"key":{"sessionId":`), r.session)
	b = quoted(append(b, `,"key":`...), Key(&Event{Format: r.format, Place: Place{Line: r.line}}, before))
	b = fmt.Appendf(b, `,"firstEventId":%d,"lastEventId":%d}}`+"\n", r.first, r.last)
	c.to.Write(b)
	c.keys++
	r.first = 0
}
