package eventlogtest_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"forgetmenot/eventlog"
)

// What is wrong with sessions and appends.
var brokenWrites = []storeFault{
	{name: "a session's number is counted from 0", check: "session-created", change: func(right store, s *bent) {
		s.create = func(ctx context.Context, id, title string) (eventlog.Session, error) {
			made, err := right.CreateSession(ctx, id, title)
			made.Number--
			return made, err
		}
	}},
	{name: "creating a session again gives the old one", check: "session-exists", change: func(right store, s *bent) {
		s.create = func(ctx context.Context, id, title string) (eventlog.Session, error) {
			made, err := right.CreateSession(ctx, id, title)
			if errors.Is(err, eventlog.ErrSessionExists) {
				return right.Session(ctx, id)
			}
			return made, err
		}
	}},
	{name: "an unknown session answers empty", check: "session-unknown", change: func(right store, s *bent) {
		s.events = func(ctx context.Context, id string, r ranged) events {
			return func(yield func(event, error) bool) {
				for e, err := range right.Events(ctx, id, r) {
					if errors.Is(err, eventlog.ErrNoSession) || !yield(e, err) {
						return
					}
				}
			}
		}
	}},
	{name: "an append makes its session", check: "session-unknown", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			right.CreateSession(ctx, id, "")
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "errors are bare", check: "session-unknown", change: func(right store, s *bent) {
		s.session = func(ctx context.Context, id string) (eventlog.Session, error) {
			found, err := right.Session(ctx, id)
			if err != nil {
				err = errors.Unwrap(err)
			}
			return found, err
		}
	}},
	{name: "the event count counts batches", check: "session-counts", change: func(right store, s *bent) {
		var appends sync.Map
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			n, _ := appends.LoadOrStore(id, new(atomic.Int64))
			n.(*atomic.Int64).Add(1)
			return right.Append(ctx, id, events, o)
		}
		s.session = func(ctx context.Context, id string) (eventlog.Session, error) {
			found, err := right.Session(ctx, id)
			if n, ok := appends.Load(id); ok {
				found.EventCount = n.(*atomic.Int64).Load()
			}
			return found, err
		}
	}},
	{name: "sessions are sorted by id", check: "sessions-by-creation", change: func(right store, s *bent) {
		s.sessions = func(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error] {
			return yielded(func() ([]eventlog.Session, error) {
				sessions, err := list(right.Sessions(ctx, order, after))
				slices.SortFunc(sessions, func(a, b eventlog.Session) int { return strings.Compare(a.ID, b.ID) })
				return sessions, err
			})
		}
	}},
	{name: "by activity, sessions without events come first", check: "sessions-by-activity", change: func(right store, s *bent) {
		s.sessions = func(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error] {
			return yielded(func() ([]eventlog.Session, error) {
				sessions, err := list(right.Sessions(ctx, order, after))
				if order == eventlog.ByActivity {
					slices.SortStableFunc(sessions, func(a, b eventlog.Session) int {
						return cmp.Compare(min(a.LastEventID, 1), min(b.LastEventID, 1))
					})
				}
				return sessions, err
			})
		}
	}},
	{name: "pages of sessions are counted by place", check: "sessions-while-changing", change: func(right store, s *bent) {
		s.sessions = func(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error] {
			return func(yield func(eventlog.Session, error) bool) {
				for place := 0; ; place++ {
					sessions, err := list(right.Sessions(ctx, order, after))
					if err != nil {
						yield(eventlog.Session{}, err)
						return
					}
					if place >= len(sessions) || !yield(sessions[place], nil) {
						return
					}
				}
			}
		}
	}},
	{name: "the receipt's events are in reverse", check: "append-receipt", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			slices.Reverse(r.Events)
			return r, err
		}
	}},
	{name: "a volatile store promises more", check: "append-receipt", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			r.Durability = eventlog.ToPowerLoss
			return r, err
		}
	}},
	{name: "ids are counted per session", check: "append-ids", change: func(right store, s *bent) {
		perSession := func(ctx context.Context, id string, e *event) {
			own, _ := list(right.Events(ctx, id, ranged{Until: e.EventID}))
			e.EventID = int64(len(own))
		}
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			for i := range r.Events {
				perSession(ctx, id, &r.Events[i])
			}
			return r, err
		}
		s.all = func(ctx context.Context, r ranged) events {
			return changed(right.All(ctx, r), func(e *event) { perSession(ctx, e.SessionID, e) })
		}
	}},
	{name: "a batch is not atomic", check: "append-whole", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			return oneByOne(ctx, right, id, events, o)
		}
	}},
	{name: "no events are fine", check: "append-empty", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			if len(events) == 0 {
				return eventlog.Receipt{}, nil
			}
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "conflicts are ignored", check: "expect", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			o.Expect = eventlog.Expectation{}
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "expecting none is expecting nothing", check: "expect", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			if last, ok := o.Expect.Last(); ok && last == 0 {
				o.Expect = eventlog.Expectation{}
			}
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "the store's last event is expected, not the session's", check: "expect", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			if last, ok := o.Expect.Last(); ok {
				all, _ := list(right.All(ctx, ranged{}))
				if n := len(all); n > 0 && all[n-1].EventID == last {
					o.Expect = eventlog.Expectation{}
				}
			}
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "a conflict has its numbers the wrong way round", check: "expect-numbers", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			var conflict *eventlog.ConflictError
			if errors.As(err, &conflict) {
				conflict.Actual, conflict.Expected = conflict.Expected, conflict.Actual
			}
			return r, err
		}
	}},
	{name: "a conflict has no numbers", check: "expect-numbers", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			if errors.Is(err, eventlog.ErrConflict) {
				err = &eventlog.StoreError{Op: "append", Err: eventlog.ErrConflict}
			}
			return r, err
		}
	}},
	{name: "keys are forgotten", check: "key-once", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			o.Key = ""
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "keys are remembered in the process", check: "key-once", keeps: true, change: rememberKeys},
	{name: "a repeat has to expect the right event", check: "key-once", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			if want, ok := o.Expect.Last(); ok {
				if now, err := right.Session(ctx, id); err == nil && now.LastEventID != want {
					return eventlog.Receipt{}, &eventlog.StoreError{Op: "append", Err: &eventlog.ConflictError{Expected: want, Actual: now.LastEventID}}
				}
			}
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "a key with other events gives the first receipt", check: "key-reused", change: func(right store, s *bent) {
		var first sync.Map
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			if errors.Is(err, eventlog.ErrKeyReused) {
				r, err := first.Load(id + o.Key)
				return r.(eventlog.Receipt), map[bool]error{false: errors.New("unreachable")}[err]
			}
			if err == nil {
				first.Store(id+o.Key, r)
			}
			return r, err
		}
	}},
	{name: "the hash of a batch joins its texts", check: "key-reused", change: func(right store, s *bent) {
		joined := func(events []eventlog.NewEvent) string {
			text := ""
			for _, e := range events {
				text += e.Type + string(e.Payload)
			}
			return text
		}
		var first sync.Map
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			if old, ok := first.Load(id + o.Key + joined(events)); ok && errors.Is(err, eventlog.ErrKeyReused) {
				return old.(eventlog.Receipt), nil
			}
			if err == nil {
				first.Store(id+o.Key+joined(events), r)
			}
			return r, err
		}
	}},
	{name: "a key belongs to the store", check: "key-of-session", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			sessions, _ := list(right.Sessions(ctx, eventlog.ByCreation, eventlog.SessionCursor{}))
			if o.Key != "" && len(sessions) > 0 && sessions[0].EventCount > 0 {
				if r, err := right.Append(ctx, sessions[0].ID, events, options{Key: o.Key, Expect: eventlog.ExpectLast(math.MaxInt64)}); err == nil {
					return r, nil
				}
			}
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "the key is taken before the append is refused", check: "key-after-refusal", change: func(right store, s *bent) {
		var taken sync.Map
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			content := fmt.Sprintf("%q", events)
			if old, seen := taken.LoadOrStore(id+"\x00"+o.Key, content); o.Key != "" && seen && old != content {
				return eventlog.Receipt{}, &eventlog.StoreError{Op: "append", Err: eventlog.ErrKeyReused}
			}
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "the order is that of time", check: "time-is-data", change: func(right store, s *bent) {
		s.all = func(ctx context.Context, r ranged) events {
			return yielded(func() ([]event, error) {
				all, err := list(right.All(ctx, r))
				slices.SortStableFunc(all, func(a, b event) int { return a.CreatedAt.Compare(b.CreatedAt) })
				return all, err
			})
		}
	}},
	{name: "times are local", check: "time-is-data", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			for i := range r.Events {
				r.Events[i].CreatedAt = r.Events[i].CreatedAt.Local()
			}
			return r, err
		}
	}},
}
