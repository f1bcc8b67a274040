package sqlstore

import (
	"context"
	"iter"
	"math"
	"time"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// How much a reading connection fetches before it is given back: so many rows, or so many bytes of them when that is less. The consumer works on
// a page without any hold on the file, so that a slow one keeps nobody waiting and no old state of the store alive.
const (
	pageRows  = 256
	pageBytes = 1 << 20
)

// A span is a range of ids as SQL takes it: after < id <= until.
type span struct{ after, until int64 }

func spanOf(r eventlog.Range) span {
	if r.Until == 0 {
		return span{r.After, math.MaxInt64}
	}
	return span{r.After, r.Until}
}

// A fetch reads the page behind the one before into the room that is given, and tells whether there can be more.
type fetch[T any] func(c *conn, room []T) (page []T, more bool, err error)

// paged yields what a sequence of pages holds. Each use of the iterator starts anew.
func paged[T any](ctx context.Context, s *Store, op, subject string, start func() fetch[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		next := start()
		var page []T // one room for all of them: nobody but this function sees it
		for more := true; more; {
			err := s.read(ctx, func(c *conn) (err error) {
				page, more, err = next(c, page[:0])
				return err
			})
			if goesOn := hand(ctx, s, op, subject, page, err, yield); !goesOn {
				return
			}
		}
	}
}

// hand yields the items of a page, and then its error. It tells whether the consumer wants to go on.
func hand[T any](ctx context.Context, s *Store, op, subject string, page []T, err error, yield func(T, error) bool) bool {
	if err == nil {
		for _, item := range page {
			if err = s.ended(ctx); err != nil {
				break
			}
			if !yield(item, nil) {
				return false
			}
		}
	}
	if err != nil {
		var zero T
		yield(zero, storeError(op, subject, err))
		return false
	}
	return true
}

// Session implements eventlog.Store.
func (s *Store) Session(ctx context.Context, id string) (eventlog.Session, error) {
	var session eventlog.Session
	err := s.read(ctx, func(c *conn) (err error) {
		session, err = c.known(id)
		return err
	})
	if err != nil {
		return eventlog.Session{}, storeError("session", id, err)
	}
	return session, nil
}

const sessionColumns = "number, id, title, created_at, last_event_id, event_count"

func readSession(s *sqlite3.Stmt) eventlog.Session {
	return eventlog.Session{
		Number: s.ColumnInt64(0), ID: s.ColumnText(1), Title: s.ColumnText(2), CreatedAt: timeOf(s.ColumnInt64(3)),
		LastEventID: s.ColumnInt64(4), EventCount: s.ColumnInt64(5),
	}
}

func timeOf(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

func (c *conn) session(id string) (session eventlog.Session, found bool, err error) {
	found, err = c.one(func(s *sqlite3.Stmt) { session = readSession(s) }, "SELECT "+sessionColumns+" FROM sessions WHERE id = ?", id)
	return session, found, err
}

func (c *conn) known(id string) (eventlog.Session, error) {
	session, found, err := c.session(id)
	if err == nil && !found {
		err = eventlog.ErrNoSession
	}
	return session, err
}
