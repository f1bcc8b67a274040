package sqlstore

import (
	"context"
	"iter"
	"sync"
	"time"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// news tells watches that events have come.
type news struct {
	mu      sync.Mutex
	grown   chan struct{} // closed, and replaced, when there are more events
	last    int64         // the newest id that was told
	waiting int           // watches that are open
	polling bool
}

// tell wakes the watches when an id is new to them.
func (n *news) tell(last int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if last > n.last {
		n.last = last
		n.wake()
	}
}

func (n *news) wake() {
	close(n.grown)
	n.grown = make(chan struct{})
}

// next is closed when events come that a read which begins now does not see.
func (n *news) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.grown
}

// Watch implements eventlog.Store. Appends of this store wake it as soon as they are stored; those of other processes are looked for every
// Options.PollInterval.
func (s *Store) Watch(ctx context.Context, after int64) iter.Seq2[eventlog.StoredEvent, error] {
	return func(yield func(eventlog.StoredEvent, error) bool) {
		s.watching(1)
		defer s.watching(-1)
		in := spanOf(eventlog.Range{After: after})
		for {
			grown := s.news.next()
			var page []eventlog.StoredEvent
			more := false
			err := s.read(ctx, func(c *conn) (err error) {
				page, more, err = c.eventsAfter(nil, in)
				return err
			})
			if n := len(page); n > 0 {
				in.after = page[n-1].EventID
			}
			if goesOn := hand(ctx, s, "watch", "", page, err, yield); !goesOn {
				return
			}
			if more {
				continue
			}
			select {
			case <-grown:
			case <-ctx.Done():
			case <-s.done:
			}
		}
	}
}

// watching counts the watches that are open. While there are any, one goroutine looks after other processes for all of them.
func (s *Store) watching(more int) {
	s.news.mu.Lock()
	defer s.news.mu.Unlock()
	s.news.waiting += more
	if s.news.waiting > 0 && !s.news.polling {
		s.news.polling = true
		go s.poll()
	}
}

func (s *Store) poll() {
	tick := time.NewTicker(s.o.PollInterval)
	defer tick.Stop()
	for failed := false; ; {
		last := int64(0)
		err := s.read(s.ctx, func(c *conn) error {
			_, err := c.one(func(s *sqlite3.Stmt) { last = s.ColumnInt64(0) }, "SELECT max(event_id) FROM events")
			return err
		})
		// A watch that is woken reads for itself, and finds the error if there is one.
		s.news.tell(last)
		if failed != (err != nil) {
			failed = err != nil
			s.news.mu.Lock()
			s.news.wake()
			s.news.mu.Unlock()
		}
		select {
		case <-tick.C:
		case <-s.done:
			return
		}
		s.news.mu.Lock()
		if s.news.waiting == 0 {
			s.news.polling = false
			s.news.mu.Unlock()
			return
		}
		s.news.mu.Unlock()
	}
}
