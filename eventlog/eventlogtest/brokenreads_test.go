package eventlogtest_test

import (
	"context"
	"encoding/json"
	"iter"
	"slices"
	"strings"
	"sync"

	"forgetmenot/eventlog"
)

// What is wrong with what is read, and with the values in it.
var brokenReads = []storeFault{
	{name: "a cursor is inclusive", check: "cursor", change: func(right store, s *bent) {
		s.events = func(ctx context.Context, id string, r ranged) events {
			r.After = max(r.After, 1) - 1
			return right.Events(ctx, id, r)
		}
	}},
	{name: "a cursor must be an event of the session", check: "cursor", change: func(right store, s *bent) {
		s.messages = func(ctx context.Context, id string, r ranged) iter.Seq2[eventlog.StoredMessage, error] {
			if own, err := list(right.Events(ctx, id, ranged{})); err == nil && !slices.ContainsFunc(own, func(e event) bool { return e.EventID == r.After }) {
				r.After = 0
			}
			return right.Messages(ctx, id, r)
		}
	}},
	{name: "until is exclusive", check: "until", change: func(right store, s *bent) {
		s.all = func(ctx context.Context, r ranged) events {
			if r.Until > 1 {
				r.Until--
			}
			return right.All(ctx, r)
		}
	}},
	{name: "a read ends after a thousand events", check: "long-reads", change: func(right store, s *bent) {
		s.all = func(ctx context.Context, r ranged) events {
			n := 0
			return kept(right.All(ctx, r), func(event) bool { n++; return n <= 1000 })
		}
	}},
	{name: "a page begins with the last event of the page before", check: "long-reads", change: func(right store, s *bent) {
		s.events = func(ctx context.Context, id string, r ranged) events {
			return func(yield func(event, error) bool) {
				n := 0
				for e, err := range right.Events(ctx, id, r) {
					if n++; !yield(e, err) || n%256 == 0 && !yield(e, err) {
						return
					}
				}
			}
		}
	}},
	{name: "content is decoded and encoded", check: "messages", change: func(right store, s *bent) {
		s.messages = func(ctx context.Context, id string, r ranged) iter.Seq2[eventlog.StoredMessage, error] {
			return changed(right.Messages(ctx, id, r), func(m *eventlog.StoredMessage) { m.Message.Content = recoded(m.Message.Content) })
		}
	}},
	{name: "a replay shows today", check: "replay", change: func(right store, s *bent) {
		s.messages = func(ctx context.Context, id string, r ranged) iter.Seq2[eventlog.StoredMessage, error] {
			return right.Messages(ctx, id, ranged{After: r.After})
		}
	}},
	{name: "a late result replaces the first", check: "tool-calls", change: func(right store, s *bent) {
		s.calls = func(ctx context.Context, id string) iter.Seq2[eventlog.ToolCallState, error] {
			return yielded(func() ([]eventlog.ToolCallState, error) {
				calls, err := list(right.ToolCalls(ctx, id))
				for _, late := range calls {
					for i, c := range calls {
						if late.Status == eventlog.ToolCallLate && c.Status == eventlog.ToolCallDone && c.ToolCall.ToolCallID == late.ToolCall.ToolCallID {
							calls[i].Result, calls[i].ResultEventID = late.Result, late.ResultEventID
						}
					}
				}
				return calls, err
			})
		}
	}},
	{name: "calls with one id are one call", check: "tool-calls", change: func(right store, s *bent) {
		s.calls = func(ctx context.Context, id string) iter.Seq2[eventlog.ToolCallState, error] {
			seen := map[string]bool{}
			return kept(right.ToolCalls(ctx, id), func(c eventlog.ToolCallState) bool {
				again := seen[c.ToolCall.ToolCallID]
				seen[c.ToolCall.ToolCallID] = true
				return !again
			})
		}
	}},
	{name: "an iterator can be used once", check: "iterators", change: func(right store, s *bent) {
		s.events = func(ctx context.Context, id string, r ranged) events {
			next, stop := iter.Pull2(right.Events(ctx, id, r))
			return func(yield func(event, error) bool) {
				defer stop()
				for e, err, ok := next(); ok && yield(e, err); e, err, ok = next() {
				}
			}
		}
	}},
	{name: "an iterator shows what was there when it was made", check: "iterators", change: func(right store, s *bent) {
		s.all = func(ctx context.Context, r ranged) events {
			all, err := list(right.All(ctx, r))
			return yielded(func() ([]event, error) { return all, err })
		}
	}},
	{name: "a lock is held while the caller works", check: "iterators-hold-nothing", hangs: true, change: func(right store, s *bent) {
		var mu sync.Mutex
		s.events = func(ctx context.Context, id string, r ranged) events {
			return func(yield func(event, error) bool) {
				mu.Lock()
				defer mu.Unlock()
				right.Events(ctx, id, r)(yield)
			}
		}
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			mu.Lock()
			defer mu.Unlock()
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "payloads are decoded and encoded", check: "payload-bytes", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			again := slices.Clone(events)
			for i := range again {
				again[i].Payload = recoded(again[i].Payload)
			}
			return right.Append(ctx, id, again, o)
		}
	}},
	{name: "a text ends at NUL", check: "odd-strings", change: func(right store, s *bent) {
		s.create = func(ctx context.Context, id, title string) (eventlog.Session, error) {
			title, _, _ = strings.Cut(title, "\x00")
			return right.CreateSession(ctx, id, title)
		}
	}},
	{name: "ids differ by more than case", check: "ids-by-bytes", change: func(right store, s *bent) {
		s.create = func(ctx context.Context, id, title string) (eventlog.Session, error) {
			return right.CreateSession(ctx, strings.ToLower(id), title)
		}
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			return right.Append(ctx, strings.ToLower(id), events, o)
		}
	}},
	{name: "keys differ by more than spaces", check: "ids-by-bytes", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			o.Key = strings.TrimSpace(o.Key)
			return right.Append(ctx, id, events, o)
		}
	}},
	{name: "long types are cut", check: "limits", change: func(right store, s *bent) {
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			short := slices.Clone(events)
			for i := range short {
				short[i].Type = short[i].Type[:min(10, len(short[i].Type))]
			}
			return right.Append(ctx, id, short, o)
		}
	}},
	{name: "titles have no limit", check: "limits-default", change: func(right store, s *bent) {
		s.create = func(ctx context.Context, id, title string) (eventlog.Session, error) {
			return right.CreateSession(ctx, id, title[:min(4096, len(title))])
		}
	}},
	{name: "payloads are kept as they were handed in", check: "copies-in", change: func(right store, s *bent) {
		var kept sync.Map
		s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
			r, err := right.Append(ctx, id, events, o)
			if err == nil && !r.Repeated {
				for i, e := range r.Events {
					kept.Store(e.EventID, events[i].Payload)
				}
			}
			return r, err
		}
		s.all = func(ctx context.Context, r ranged) events {
			return changed(right.All(ctx, r), func(e *event) {
				payload, _ := kept.Load(e.EventID)
				e.Payload = slices.Clone(payload.(json.RawMessage))
			})
		}
	}},
	{name: "a cached payload is handed out", check: "copies-out", change: func(right store, s *bent) {
		var cache sync.Map
		s.events = func(ctx context.Context, id string, r ranged) events {
			return changed(right.Events(ctx, id, r), func(e *event) {
				payload, _ := cache.LoadOrStore(e.EventID, e.Payload)
				e.Payload = payload.(json.RawMessage)
			})
		}
	}},
	{name: "a title is made valid", check: "session-valid", change: func(right store, s *bent) {
		s.create = func(ctx context.Context, id, title string) (eventlog.Session, error) {
			return right.CreateSession(ctx, id, strings.ToValidUTF8(title, "\ufffd"))
		}
	}},
}
