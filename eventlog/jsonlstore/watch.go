package jsonlstore

import (
	"context"
	"iter"
	"time"

	"forgetmenot/eventlog"
)

// Watch implements eventlog.Store. Appends of this store wake it as soon as they are stored; those of others are looked for every
// Options.PollInterval. It leaves out sessions that are damaged, without an end: see Damaged.
func (s *Store) Watch(ctx context.Context, after int64) iter.Seq2[eventlog.StoredEvent, error] {
	return func(yield func(eventlog.StoredEvent, error) bool) {
		s.watching(1)
		defer s.watching(-1)
		w := windowOf(eventlog.Range{After: after})
		for {
			s.mu.RLock()
			grown := s.grown // whatever comes from now on closes it
			s.mu.RUnlock()
			err := s.ended(ctx)
			var events []eventlog.StoredEvent
			last := w.after
			if err == nil {
				events, last, _, err = s.pageOfAll(ctx, w)
			}
			if goesOn := hand(ctx, s, "watch", "", events, err, yield); !goesOn {
				return
			}
			if last > w.after {
				w.after = last
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

// watching counts the watches that are open. While there are any, one goroutine looks after other stores for all of them.
func (s *Store) watching(more int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches += more
	if s.watches > 0 && !s.polling && !s.o.Exclusive {
		s.polling = true
		go s.poll()
	}
}

func (s *Store) poll() {
	tick := time.NewTicker(s.o.PollInterval)
	defer tick.Stop()
	for failed := false; ; {
		// A watch that is woken reads for itself, and finds the error if there is one.
		if err := s.refresh(context.Background()); failed != (err != nil) {
			failed = err != nil
			s.mu.Lock()
			close(s.grown)
			s.grown = make(chan struct{})
			s.mu.Unlock()
		}
		select {
		case <-tick.C:
		case <-s.done:
			return
		}
		s.mu.Lock()
		if s.watches == 0 {
			s.polling = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}
