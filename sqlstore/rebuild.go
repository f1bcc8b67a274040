package sqlstore

import (
	"context"
	"fmt"
	"math"
	"strings"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// A schemaObject is a table, index or trigger.
type schemaObject struct{ kind, name, table, sql string }

// schemaObjects are those of a file, but for what SQLite makes by itself. https://sqlite.org/schematab.html
func (c *conn) schemaObjects() (list []schemaObject, err error) {
	err = c.query(func(s *sqlite3.Stmt) bool {
		list = append(list, schemaObject{s.ColumnText(0), s.ColumnText(1), s.ColumnText(2), s.ColumnText(3)})
		return true
	}, "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*' ORDER BY rowid")
	return list, err
}

// wantedSchema is what a store of today has, in the order in which it can be made.
func wantedSchema() ([]schemaObject, error) {
	c := &conn{stmts: map[string]*sqlite3.Stmt{}}
	var err error
	if c.db, err = sqlite3.Open(":memory:"); err != nil {
		return nil, err
	}
	defer c.close()
	for _, step := range migrations() {
		if err := c.db.Exec(step); err != nil {
			return nil, err
		}
	}
	return c.schemaObjects()
}

func ofStore(schema []schemaObject, table string) bool {
	for _, o := range schema {
		if o.kind == "table" && strings.EqualFold(o.name, table) {
			return true
		}
	}
	return false
}

// Rebuild makes everything that is derived from the events anew: messages, tool calls, and what sessions say of their events. Triggers that are
// missing or changed are put back too. It is one transaction: the store is as it was, or mended. Others wait meanwhile.
//
// Events are taken as they are. When Verify reports a FaultLog or a FaultFile, restore a backup instead.
func (s *Store) Rebuild(ctx context.Context) error {
	err := s.write(&request{ctx: ctx, alone: true, apply: func(w *writer) error { return w.conn.rebuild(ctx) }})
	return storeError("rebuild", s.path, err)
}

func (c *conn) rebuild(ctx context.Context) error {
	want, err := wantedSchema()
	if err != nil {
		return err
	}
	got, err := c.schemaObjects()
	if err != nil {
		return err
	}
	// The triggers first: they forbid what follows. tool_calls refers to messages.
	for _, o := range got {
		if o.kind == "trigger" && ofStore(want, o.table) {
			if err := c.db.Exec("DROP TRIGGER " + sqlite3.QuoteIdentifier(o.name)); err != nil {
				return err
			}
		}
	}
	if err := c.db.Exec("DROP TABLE IF EXISTS tool_calls; DROP TABLE IF EXISTS messages"); err != nil {
		return err
	}
	derived := func(o schemaObject) bool { return o.table == "messages" || o.table == "tool_calls" }
	for _, o := range want {
		if derived(o) && o.kind != "trigger" {
			if err := c.db.Exec(o.sql); err != nil {
				return err
			}
		}
	}
	if err := c.projectAll(ctx); err != nil {
		return err
	}
	if err := c.db.Exec(`UPDATE sessions SET last_event_id = (SELECT coalesce(max(event_id), 0) FROM events e WHERE e.session = sessions.number),
		event_count = (SELECT count(*) FROM events e WHERE e.session = sessions.number)`); err != nil {
		return err
	}
	for _, o := range want {
		if o.kind == "trigger" {
			if err := c.db.Exec(o.sql); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *conn) projectAll(ctx context.Context) error {
	type placed struct {
		eventlog.Event
		session int64
	}
	for after, more := int64(math.MinInt64), true; more; {
		if err := ctx.Err(); err != nil {
			return refusal{err}
		}
		var page []placed
		bytes := 0
		err := c.query(func(s *sqlite3.Stmt) bool {
			page = append(page, placed{readEvent(s).Event, s.ColumnInt64(4)})
			bytes += len(page[len(page)-1].Payload)
			return len(page) < pageRows && bytes < pageBytes
		}, "SELECT event_id, type, payload, created_at, session FROM events WHERE event_id > ? ORDER BY event_id", after)
		if err != nil {
			return err
		}
		for _, e := range page {
			after = e.EventID
			if m, ok := eventlog.FoldEvent(e.Event); ok {
				if err := c.project(e.session, e.Event, &m); err != nil {
					return fmt.Errorf("event %d: %w", e.EventID, err)
				}
			}
		}
		more = len(page) > 0
	}
	return nil
}
