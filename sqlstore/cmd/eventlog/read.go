package main

import (
	"context"
	"fmt"
	"iter"

	"forgetmenot/eventlog"
)

func sessions(ctx context.Context, c *call) error {
	order := eventlog.ByActivity
	if c.created {
		order = eventlog.ByCreation
	}
	return c.reading(ctx, func(s eventlog.Store) error {
		t := table{}
		if !c.json {
			t = newTable(c.out, "SESSION", "CREATED", "EVENTS", "LAST EVENT", "TITLE")
			defer t.Flush()
		}
		n := 0
		for session, err := range s.Sessions(ctx, order, eventlog.SessionCursor{}) {
			if err != nil {
				return err
			}
			if c.json {
				fmt.Fprintf(c.out, `{"id":%s,"title":%s,"createdAt":%d,"number":%d,"lastEventId":%d,"eventCount":%d}`+"\n",
					quoted(session.ID), quoted(session.Title), session.CreatedAt.UnixMilli(), session.Number, session.LastEventID, session.EventCount)
			} else {
				t.row(cut(clean(session.ID), 60), clock(session.CreatedAt), fmt.Sprint(session.EventCount), fmt.Sprint(session.LastEventID), cut(clean(session.Title), 60))
			}
			if n++; n == c.limit {
				break
			}
		}
		return nil
	})
}

// log is the events that a call is about.
func (c *call) log(ctx context.Context, s eventlog.Store, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	if c.given["session"] {
		return s.Events(ctx, c.session, r)
	}
	return s.All(ctx, r)
}

func events(ctx context.Context, c *call) error {
	return c.reading(ctx, func(s eventlog.Store) error {
		return c.printAll(c.eventPrinter(), c.log(ctx, s, eventlog.Range{After: c.after}))
	})
}

func (c *call) printAll(p *eventPrinter, events iter.Seq2[eventlog.StoredEvent, error]) error {
	n := 0
	for e, err := range events {
		if err != nil {
			p.flush() // what was read before is shown
			return err
		}
		if err := p.print(e); err != nil {
			return err
		}
		if n++; n == c.limit {
			break
		}
	}
	return p.flush()
}

// An eventPrinter shows events as lines of JSON, or as rows.
type eventPrinter struct {
	c *call
	t table
	n int
}

// rowsAtOnce is after how many rows a table is printed: it must know its columns' widths, and not the whole log.
const rowsAtOnce = 500

func (c *call) eventPrinter() *eventPrinter {
	p := &eventPrinter{c: c}
	if !c.json {
		p.t = newTable(c.out, "EVENT", "TIME", "SESSION", "TYPE", "PAYLOAD")
	}
	return p
}

func (p *eventPrinter) print(e eventlog.StoredEvent) error {
	if p.c.json {
		return jsonEvent(p.c.out, e)
	}
	p.t.event(e)
	if p.n++; p.n%rowsAtOnce == 0 {
		return p.t.Flush()
	}
	return nil
}

func (p *eventPrinter) flush() error {
	if p.c.json {
		return nil
	}
	return p.t.Flush()
}

func tail(ctx context.Context, c *call) error {
	return c.reading(ctx, func(s eventlog.Store) error {
		p := c.eventPrinter()
		last := c.after
		if !c.given["after"] {
			newest, err := c.newest(ctx, s)
			if err != nil {
				return err
			}
			for _, e := range newest {
				last = e.EventID
				if err := p.print(e); err != nil {
					return err
				}
			}
			if err := p.flush(); err != nil {
				return err
			}
		}
		if !c.follow {
			if !c.given["after"] {
				return nil
			}
			return c.printAll(p, c.log(ctx, s, eventlog.Range{After: last}))
		}
		for e, err := range s.Watch(ctx, last) {
			switch {
			case ctx.Err() != nil:
				return nil // Ctrl-C is how this ends
			case err != nil:
				return err
			case c.given["session"] && e.SessionID != c.session:
				continue
			}
			if err := p.print(e); err != nil {
				return err
			}
			if err := p.flush(); err != nil { // somebody waits for it
				return err
			}
		}
		return nil
	})
}

// newest is what tail begins with: the last ten events.
func (c *call) newest(ctx context.Context, s eventlog.Store) ([]eventlog.StoredEvent, error) {
	most := 10
	if c.limit > 0 {
		most = c.limit
	}
	last := int64(0)
	for session, err := range s.Sessions(ctx, eventlog.ByActivity, eventlog.SessionCursor{}) {
		if err != nil {
			return nil, err
		}
		last = session.LastEventID
		break
	}
	// A log is read forwards. So a little of its end is read, and more of it when that was not enough: ids have gaps, and sessions take turns.
	for window := int64(most); ; window *= 10 {
		after := max(0, last-window)
		var found []eventlog.StoredEvent
		for e, err := range c.log(ctx, s, eventlog.Range{After: after, Until: last}) {
			if err != nil {
				return nil, err
			}
			if len(found) == most {
				found = append(found[:0], found[1:]...)
			}
			found = append(found, e)
		}
		if len(found) == most || after == 0 {
			return found, nil
		}
	}
}

func messages(ctx context.Context, c *call) error {
	return c.reading(ctx, func(s eventlog.Store) error {
		t := table{}
		if !c.json {
			t = newTable(c.out, "EVENT", "ROLE", "MESSAGE")
			defer t.Flush()
		}
		for m, err := range s.Messages(ctx, c.arguments[0], eventlog.Range{After: c.after}) {
			if err != nil {
				return err
			}
			if !c.json {
				t.row(fmt.Sprint(m.EventID), m.Message.Role, cut(clean(said(m.Message)), cellWidth))
				continue
			}
			text, err := jsonMessage(m.Message)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.out, `{"eventId":%d,"message":%s}`+"\n", m.EventID, text)
		}
		return nil
	})
}

func replay(ctx context.Context, c *call) error {
	return c.reading(ctx, func(s eventlog.Store) error {
		for m, err := range s.Messages(ctx, c.arguments[0], eventlog.Range{Until: c.until}) {
			if err != nil {
				return err
			}
			if !c.json {
				fmt.Fprintf(c.out, "%s: %s\n", m.Message.Role, clean(said(m.Message)))
				continue
			}
			text, err := jsonMessage(m.Message)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.out, "%s\n", text)
		}
		return nil
	})
}
