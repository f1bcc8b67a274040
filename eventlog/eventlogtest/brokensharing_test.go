package eventlogtest_test

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"forgetmenot/eventlog"
)

// What goes wrong when several have to do with a store: contexts, writers, watchers, closing, opening again.
var brokenSharing = []storeFault{
	{name: "contexts are not looked at", check: "context-ended", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			return right.Append(context.WithoutCancel(ctx), id, events, o)
		}
	}},
	{name: "a context that ends leaves half a batch", check: "context-ends-in-append", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			if ctx.Done() == nil || ctx.Err() == nil && len(events) < 5 {
				return right.Append(ctx, id, events, o)
			}
			runtime.Gosched()
			r, err := right.Append(ctx, id, events, o)
			if err != nil && errors.Is(err, context.Canceled) {
				right.Append(context.WithoutCancel(ctx), id, events[:2], options{})
			}
			return r, err
		}
	}},
	{name: "a read whose context ends just ends", check: "context-ends-in-read", change: func(right store, s *bent) {
		s.events = func(ctx context.Context, id string, r ranged) events { return silent(right.Events(ctx, id, r)) }
	}},
	{name: "a batch is stored event by event", check: "batches-stand-together", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			return oneByOne(ctx, right, id, events, o)
		}
	}},
	{name: "who expects is checked before, not while, it is stored", check: "writers-one-session", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			if want, ok := o.Expect.Last(); ok {
				now, _ := right.Session(ctx, id)
				if now.LastEventID != want {
					return right.Append(ctx, id, events, o)
				}
				runtime.Gosched()
				o.Expect = eventlog.Expectation{}
			}
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "an acknowledged event is overwritten", check: "writers-many-sessions", change: func(right store, s *bent) {
		s.all = func(ctx context.Context, r ranged) events {
			return kept(right.All(ctx, r), func(e event) bool { return e.EventID%97 != 0 })
		}
	}},
	{name: "keys are looked up before, not while, it is stored", check: "writers-one-key", change: func(right store, s *bent) {
		var first sync.Map
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			if r, ok := first.Load(id + o.Key); ok && o.Key != "" {
				again := r.(eventlog.Receipt)
				again.Repeated = true
				return again, nil
			}
			runtime.Gosched()
			r, err := right.Append(ctx, id, events, options{})
			if err == nil {
				first.Store(id+o.Key, r)
			}
			return r, err
		}
	}},
	{name: "two who create a session both do", check: "writers-create", change: func(right store, s *bent) {
		s.create = func(ctx context.Context, id, title string) (eventlog.Session, error) {
			_, err := right.Session(ctx, id)
			runtime.Gosched()
			made, creating := right.CreateSession(ctx, id, title)
			if err != nil && errors.Is(creating, eventlog.ErrSessionExists) {
				return right.Session(ctx, id)
			}
			return made, creating
		}
	}},
	{name: "a lower id is seen after a higher one", check: "readers-miss-nothing", change: func(right store, s *bent) {
		var seen atomic.Int64
		s.all = func(ctx context.Context, r ranged) events {
			return yielded(func() ([]event, error) {
				all, err := list(right.All(ctx, r))
				if n := len(all); n > 2 && seen.Swap(all[n-1].EventID) < all[n-1].EventID {
					all = slices.Delete(all, n-2, n-1)
				}
				return all, err
			})
		}
	}},
	{name: "a watch begins now", check: "watch", hangs: true, change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events {
			return func(yield func(event, error) bool) {
				if all, _ := list(right.All(ctx, ranged{})); len(all) > 0 {
					after = all[len(all)-1].EventID
				}
				right.Watch(ctx, after)(yield)
			}
		}
	}},
	{name: "a watch skips what came between reading and waiting", check: "watch", change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events {
			return func(yield func(event, error) bool) {
				for e, err := range right.All(ctx, ranged{After: after}) {
					if !yield(e, err) {
						return
					}
				}
				all, _ := list(right.All(ctx, ranged{}))
				if n := len(all); n > 0 {
					after = max(after, all[n-1].EventID-1)
				}
				right.Watch(ctx, after)(yield)
			}
		}
	}},
	{name: "a watch repeats its cursor", check: "watch", change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events { return right.Watch(ctx, after-1) }
	}},
	{name: "a watch ends with what is stored", check: "watch", change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events { return right.All(ctx, ranged{After: after}) }
	}},
	{name: "a watch that comes back begins one too late", check: "watch-reconnects", change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events {
			if after > 50 && after < 300 {
				after++
			}
			return right.Watch(ctx, after)
		}
	}},
	{name: "a slow watcher misses events", check: "watch-slow", change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events { return buffered(ctx, right, after, true) }
	}},
	{name: "a slow watcher stops the writers", check: "watch-slow", hangs: true, change: func(right store, s *bent) {
		room := make(chan struct{}, 16) // events that a watcher has not taken yet
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			for range events {
				select {
				case room <- struct{}{}:
				case <-ctx.Done():
				}
			}
			return right.Append(ctx, id, events, o)
		}
		s.watch = func(ctx context.Context, after int64) events {
			return changed(right.Watch(ctx, after), func(*event) {
				select {
				case <-room:
				default:
				}
			})
		}
	}},
	{name: "of two watchers each sees a part", check: "watchers", change: func(right store, s *bent) {
		var taken sync.Map
		s.watch = func(ctx context.Context, after int64) events {
			return kept(right.Watch(ctx, after), func(e event) bool {
				_, gone := taken.LoadOrStore(e.EventID, true)
				return !gone || e.Type == "end"
			})
		}
	}},
	{name: "a watch outlives its context", check: "watch-context", hangs: true, change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events { return right.Watch(context.WithoutCancel(ctx), after) }
	}},
	{name: "a watch ends without its error", check: "watch-context", change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events { return silent(right.Watch(ctx, after)) }
	}},
	{name: "a closed store's watch just ends", check: "watch-close", change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events { return silent(right.Watch(ctx, after)) }
	}},
	{name: "a watch waits on in a closed store", check: "watch-close", hangs: true, change: func(right store, s *bent) {
		s.watch = func(ctx context.Context, after int64) events {
			return func(yield func(event, error) bool) {
				for e, err := range right.Watch(ctx, after) {
					if errors.Is(err, eventlog.ErrClosed) {
						<-ctx.Done()
					}
					if !yield(e, err) {
						return
					}
				}
			}
		}
	}},
	{name: "a closed store goes on", check: "closed", change: func(right store, s *bent) {
		s.close = func() error { return nil }
	}},
	{name: "a store can be closed once", check: "closed", change: func(right store, s *bent) {
		var closed atomic.Bool
		s.close = func() error {
			if closed.Swap(true) {
				return &eventlog.StoreError{Op: "close", Err: eventlog.ErrClosed}
			}
			return right.Close()
		}
	}},
	{name: "a read of a closed store is cut short", check: "close-during-reads", change: func(right store, s *bent) {
		s.events = func(ctx context.Context, id string, r ranged) events { return silent(right.Events(ctx, id, r)) }
	}},
	{name: "it acknowledges before it stores", check: "close-during-appends", keeps: true, change: func(right store, s *bent) {
		var closing atomic.Bool
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			last := closing.Load()
			r, err := right.Append(ctx, id, events, o)
			if errors.Is(err, eventlog.ErrClosed) && !last { // it was under way
				return eventlog.Receipt{Events: []event{{Event: eventlog.Event{EventID: 1, SessionID: id}}}}, nil
			}
			return r, err
		}
		s.close = func() error {
			err := right.Close()
			runtime.Gosched()
			closing.Store(true)
			return err
		}
	}},
	{name: "a closing store takes appends", check: "close-during-appends", change: func(right store, s *bent) { s.close = func() error { return nil } }},
	{name: "sessions are kept with their events", check: "reopen", keeps: true, change: func(right store, s *bent) {
		var made sync.Map
		s.create = func(ctx context.Context, id, title string) (eventlog.Session, error) {
			made.Store(id, true)
			return right.CreateSession(ctx, id, title)
		}
		s.sessions = func(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error] {
			return kept(right.Sessions(ctx, order, after), func(session eventlog.Session) bool {
				_, here := made.Load(session.ID)
				return here || session.EventCount > 0
			})
		}
	}},
	{name: "ids are counted from when the store was opened", check: "reopen-ids", keeps: true, change: func(right store, s *bent) {
		all, _ := list(right.All(context.Background(), ranged{}))
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			for i := range r.Events {
				r.Events[i].EventID -= int64(len(all))
			}
			return r, err
		}
	}},
	{name: "a watch shows what came since the store was opened", check: "reopen-watch", keeps: true, change: func(right store, s *bent) {
		all, _ := list(right.All(context.Background(), ranged{}))
		s.watch = func(ctx context.Context, after int64) events { return right.Watch(ctx, max(after, int64(len(all)))) }
	}},
	{name: "a handle remembers how a session ends", check: "handles", keeps: true, change: staleHandle},
	{name: "a handle has its own lock", check: "handles-writers", keeps: true, change: func(right store, s *bent) {
		var mu sync.Mutex
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			mu.Lock()
			defer mu.Unlock()
			if want, ok := o.Expect.Last(); ok {
				if now, _ := right.Session(ctx, id); now.LastEventID == want {
					runtime.Gosched()
					o.Expect = eventlog.Expectation{}
				}
			}
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "only the last three keys are remembered", check: "model", change: func(right store, s *bent) {
		var mu sync.Mutex
		var recent []string
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			mu.Lock()
			defer mu.Unlock()
			key := id + o.Key
			if o.Key != "" && !slices.Contains(recent, key) {
				recent = append(recent, key)
			}
			r, err := right.Append(ctx, id, events, o)
			if r.Repeated && len(recent) > 3 && slices.Contains(recent[:len(recent)-3], key) {
				r, err = right.Append(ctx, id, events, options{})
			}
			return r, err
		}
	}},
}
