package sqlstore

import (
	"context"
	"iter"
	"math"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// Sessions implements eventlog.Store.
func (s *Store) Sessions(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error] {
	return paged(ctx, s, "sessions", "", func() fetch[eventlog.Session] {
		cursor := after
		return func(c *conn, room []eventlog.Session) (page []eventlog.Session, more bool, err error) {
			if order == eventlog.ByActivity {
				page, more, err = c.sessionsByActivity(room, cursor)
			} else {
				page, more, err = c.sessionsByCreation(room, cursor)
			}
			if n := len(page); n > 0 {
				cursor = page[n-1].Cursor(order)
			}
			return page, more, err
		}
	})
}

func (c *conn) sessionsByCreation(room []eventlog.Session, after eventlog.SessionCursor) ([]eventlog.Session, bool, error) {
	_, number, _ := after.Key()
	return c.sessions(room, "SELECT "+sessionColumns+" FROM sessions WHERE number > ? ORDER BY number", number)
}

// sessionsByActivity reads those with the cursor's last event that were made earlier, then those with an earlier last event. Only sessions
// without events can have the same one; for them a comparison of the pair (last_event_id, number) would not use more than the
// first half of the index. https://sqlite.org/rowvalue.html
func (c *conn) sessionsByActivity(room []eventlog.Session, after eventlog.SessionCursor) (page []eventlog.Session, more bool, err error) {
	last, number, ok := after.Key()
	if !ok {
		last, number = math.MaxInt64, math.MaxInt64
	}
	page, more, err = c.sessions(room, "SELECT "+sessionColumns+" FROM sessions WHERE last_event_id = ? AND number < ? ORDER BY number DESC", last, number)
	if more || err != nil {
		return page, more, err
	}
	return c.sessions(page, "SELECT "+sessionColumns+" FROM sessions WHERE last_event_id < ? ORDER BY last_event_id DESC, number DESC", last)
}

func (c *conn) sessions(page []eventlog.Session, sql string, args ...any) ([]eventlog.Session, bool, error) {
	more := false
	err := c.query(func(s *sqlite3.Stmt) bool {
		page = append(page, readSession(s))
		more = len(page) == pageRows
		return !more
	}, sql, args...)
	return page, more, err
}
