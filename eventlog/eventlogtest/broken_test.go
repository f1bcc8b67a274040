package eventlogtest_test

import (
	"encoding/json"
	"slices"
	"strings"
	"sync/atomic"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/eventlogtest"
)

// simple is a right log, as plain as can be: every append copies everything.
type simple struct{ events []eventlog.Event }

func copied(e eventlog.Event) eventlog.Event {
	e.Payload = slices.Clone(e.Payload)
	return e
}

func simpleLog() eventlogtest.Subject[simple] {
	events := func(l simple, session string) []eventlog.Event {
		out := []eventlog.Event{}
		for _, e := range l.events {
			if e.SessionID == session {
				out = append(out, copied(e))
			}
		}
		return out
	}
	return eventlogtest.Subject[simple]{
		CreateEventLog: func() simple { return simple{} },
		AppendEvent: func(l simple, e eventlog.Event) (simple, error) {
			next := make([]eventlog.Event, len(l.events), len(l.events)+1)
			for i, old := range l.events {
				next[i] = copied(old)
			}
			e = copied(e)
			e.EventID = int64(len(next) + 1)
			return simple{append(next, e)}, nil
		},
		GetEventsForSession: events,
		ListSessions: func(l simple) []string {
			out := []string{}
			for _, e := range l.events {
				if !slices.Contains(out, e.SessionID) {
					out = append(out, e.SessionID)
				}
			}
			return out
		},
		ReplaySession: func(l simple, session string) []eventlog.Message { return eventlog.Fold(events(l, session)) },
	}
}

// A fault is one plausible mistake in a Go log, the property that names it, and the most calls that show it.
type fault struct {
	name     string
	property string
	calls    int
	open     func() eventlogtest.Subject[simple]
}

// broken makes a fault of a change to the right log.
func broken(name, property string, calls int, change func(right eventlogtest.Subject[simple], s *eventlogtest.Subject[simple])) fault {
	return fault{name, property, calls, func() eventlogtest.Subject[simple] {
		s := simpleLog()
		change(simpleLog(), &s)
		return s
	}}
}

type subject = eventlogtest.Subject[simple]

var faults = []fault{
	broken("an unknown session answers nil", "contract", 2, func(right subject, s *subject) {
		s.GetEventsForSession = func(l simple, id string) []eventlog.Event {
			if events := right.GetEventsForSession(l, id); len(events) > 0 {
				return events
			}
			return nil
		}
	}),
	broken("an error for an empty payload", "contract", 2, func(right subject, s *subject) {
		s.AppendEvent = func(l simple, e eventlog.Event) (simple, error) {
			if string(e.Payload) == "{}" {
				return l, eventlog.ErrInvalidPayload
			}
			return right.AppendEvent(l, e)
		}
	}),
	broken("a payload that goes through a map of strings", "append", 3, func(right subject, s *subject) {
		s.AppendEvent = func(l simple, e eventlog.Event) (simple, error) {
			var m map[string]any
			json.Unmarshal(e.Payload, &m)
			for k, v := range m {
				if v == nil {
					delete(m, k)
				}
			}
			e.Payload, _ = json.Marshal(m)
			return right.AppendEvent(l, e)
		}
	}),
	broken("events of unknown types are not kept", "append", 3, func(right subject, s *subject) {
		s.AppendEvent = func(l simple, e eventlog.Event) (simple, error) {
			if !strings.Contains(e.Type, "_") {
				return l, nil
			}
			return right.AppendEvent(l, e)
		}
	}),
	broken("a session keeps its last forty events", "append", 60, func(right subject, s *subject) {
		s.GetEventsForSession = func(l simple, id string) []eventlog.Event {
			events := right.GetEventsForSession(l, id)
			return events[max(0, len(events)-20):]
		}
	}),
	broken("the history is aliased: append without a copy, into spare capacity", "immutability", 6, func(right subject, s *subject) {
		s.CreateEventLog = func() simple { return simple{make([]eventlog.Event, 0, 64)} }
		s.AppendEvent = func(l simple, e eventlog.Event) (simple, error) {
			e = copied(e)
			e.EventID = int64(len(l.events) + 1)
			return simple{append(l.events, e)}, nil
		}
	}),
	broken("two logs share one backing array", "independence", 7, func(right subject, s *subject) {
		shared := make([]eventlog.Event, 0, 200)
		s.AppendEvent = func(l simple, e eventlog.Event) (simple, error) {
			e = copied(e)
			e.EventID = int64(len(l.events) + 1)
			if cap(l.events) == 0 {
				l.events = shared
			}
			return simple{append(l.events, e)}, nil
		}
	}),
	broken("the index of sessions is keyed by joined text", "isolation", 4, func(right subject, s *subject) {
		s.GetEventsForSession = func(l simple, id string) []eventlog.Event {
			out := []eventlog.Event{}
			for _, e := range l.events {
				if strings.HasPrefix(e.SessionID+"|", strings.TrimSpace(id)) && strings.TrimSpace(e.SessionID) == strings.TrimSpace(id) {
					out = append(out, copied(e))
				}
			}
			return out
		}
	}),
	broken("a session is found by its prefix", "isolation", 4, func(right subject, s *subject) {
		s.ReplaySession = func(l simple, id string) []eventlog.Message {
			var own []eventlog.Event
			for _, e := range l.events {
				if strings.HasPrefix(e.SessionID, id) {
					own = append(own, e)
				}
			}
			return eventlog.Fold(own)
		}
	}),
	broken("ids are counted per session", "monotonic-ids", 5, func(right subject, s *subject) {
		s.GetEventsForSession = func(l simple, id string) []eventlog.Event {
			events := right.GetEventsForSession(l, id)
			for i := range events {
				events[i].EventID = int64(i + 1)
			}
			return events
		}
	}),
	broken("ids are sixteen bits of a hash", "monotonic-ids", 8, func(right subject, s *subject) {
		s.GetEventsForSession = func(l simple, id string) []eventlog.Event {
			events := right.GetEventsForSession(l, id)
			for i := range events {
				events[i].EventID = events[i].EventID*40503%65521 + 1
			}
			return events
		}
	}),
	broken("the list of sessions ends at ten", "sessions", 13, func(right subject, s *subject) {
		s.ListSessions = func(l simple) []string {
			ids := right.ListSessions(l)
			return ids[:min(10, len(ids))]
		}
	}),
	broken("the sessions are sorted", "sessions", 4, func(right subject, s *subject) {
		s.ListSessions = func(l simple) []string {
			ids := right.ListSessions(l)
			slices.Sort(ids)
			return ids
		}
	}),
	broken("the newest session comes first", "sessions", 4, func(right subject, s *subject) {
		s.ListSessions = func(l simple) []string {
			ids := right.ListSessions(l)
			slices.Reverse(ids)
			return ids
		}
	}),
	broken("parallel calls become one message", "replay", 4, func(right subject, s *subject) {
		s.ReplaySession = func(l simple, id string) []eventlog.Message {
			out := []eventlog.Message{}
			for _, m := range right.ReplaySession(l, id) {
				if n := len(out); n > 0 && m.ToolCalls != nil && out[n-1].ToolCalls != nil {
					out[n-1].ToolCalls = append(out[n-1].ToolCalls, m.ToolCalls...)
					continue
				}
				out = append(out, m)
			}
			return out
		}
	}),
	broken("a result without its call is left out", "replay", 3, func(right subject, s *subject) {
		s.ReplaySession = func(l simple, id string) []eventlog.Message {
			open := map[string]bool{}
			out := []eventlog.Message{}
			for _, m := range right.ReplaySession(l, id) {
				for _, c := range m.ToolCalls {
					open[c.ToolCallID] = true
				}
				if m.Role == eventlog.RoleTool && !open[m.ToolCallID] {
					continue
				}
				out = append(out, m)
			}
			return out
		}
	}),
	broken("ids come from a counter of the package", "purity", 6, func(right subject, s *subject) {
		var last atomic.Int64
		s.AppendEvent = func(l simple, e eventlog.Event) (simple, error) {
			next, err := right.AppendEvent(l, e)
			next.events[len(next.events)-1].EventID = last.Add(1)
			return next, err
		}
	}),
	broken("the event handed in is normalised in place", "purity", 4, func(right subject, s *subject) {
		s.AppendEvent = func(l simple, e eventlog.Event) (simple, error) {
			next, err := right.AppendEvent(l, e)
			for i, c := range e.Payload {
				if c == 'm' {
					e.Payload[i] = 'M'
				}
			}
			return next, err
		}
	}),
	broken("the payload is kept as it was handed in", "tamper-proof", 6, func(right subject, s *subject) {
		s.AppendEvent = func(l simple, e eventlog.Event) (simple, error) {
			payload := e.Payload
			next, err := right.AppendEvent(l, e)
			next.events[len(next.events)-1].Payload = payload
			for i := range l.events {
				next.events[i].Payload = l.events[i].Payload
			}
			return next, err
		}
	}),
	broken("the stored payload is handed out", "tamper-proof", 6, func(right subject, s *subject) {
		s.GetEventsForSession = func(l simple, id string) []eventlog.Event {
			out := []eventlog.Event{}
			for _, e := range l.events {
				if e.SessionID == id {
					out = append(out, e)
				}
			}
			return out
		}
	}),
	broken("names with underscores in front are hidden", "hostile-names", 3, func(right subject, s *subject) {
		s.ListSessions = func(l simple) []string {
			return slices.DeleteFunc(right.ListSessions(l), func(id string) bool { return strings.HasPrefix(id, "__") })
		}
	}),
	broken("every append copies the log", "scale", 3, func(subject, *subject) {}),
}
