package eventlogtest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"forgetmenot/eventlog"
)

// --- judging -------------------------------------------------------------------------------------------------------------

// refused fails the check unless a call was refused for the reason that it should be.
func refused(what string, err error, kinds ...error) {
	if err == nil {
		failf("%s: no error, it should be %q", what, kinds[0])
	}
	for _, kind := range kinds {
		if !errors.Is(err, kind) {
			failf("%s: the error is %q, it should be %q", what, err, kind)
		}
	}
	var own *eventlog.StoreError
	if !errors.As(err, &own) {
		failf("%s: the error %q is a %T, not a *StoreError", what, err, err)
	}
}

// as finds the part of an error that has a type.
func as[E error](what string, err error) E {
	var e E
	if !errors.As(err, &e) {
		failf("%s: the error %q has no %T", what, err, e)
	}
	return e
}

// same compares two lists of facts, and shows the first that differs.
func same(what string, want, got []string) {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(want):
			failf("%s: %d too many, the first is\n  %s", what, len(got)-len(want), got[i])
		case i >= len(got):
			failf("%s: the last %d are missing, the first of them is\n  %s", what, len(want)-len(got), want[i])
		case want[i] != got[i]:
			failf("%s: number %d is\n  %s\nit should be\n  %s", what, i+1, got[i], want[i])
		}
	}
}

// equal compares two answers.
func equal[T comparable](what string, want, got T) {
	if want != got {
		failf("%s is %+v, it should be %+v", what, got, want)
	}
}

// --- facts ----------------------------------------------------------------------------------------------------------------

func showEvent(e eventlog.StoredEvent) string {
	return fmt.Sprintf("event %d of session %+q: %+q %+q at %s", e.EventID, e.SessionID, e.Type, e.Payload, e.CreatedAt.Format("2006-01-02T15:04:05.999999999Z07:00"))
}

func showSession(s eventlog.Session) string {
	return fmt.Sprintf("session %+q, title %+q, number %d, last event %d, %d events, since %s",
		s.ID, s.Title, s.Number, s.LastEventID, s.EventCount, s.CreatedAt.Format("2006-01-02T15:04:05.999999999Z07:00"))
}

func showMessage(m eventlog.StoredMessage) string {
	calls := ""
	if m.Message.ToolCalls != nil {
		calls = fmt.Sprintf(" calls %+q", m.Message.ToolCalls)
	}
	return fmt.Sprintf("message %d: %s %+q%s to %+q", m.EventID, m.Message.Role, m.Message.Content, calls, m.Message.ToolCallID)
}

func showToolCall(c eventlog.ToolCallState) string {
	return fmt.Sprintf("tool call %d %s: %+q, result %d %+q", c.EventID, c.Status, c.ToolCall, c.ResultEventID, c.Result)
}

func shown[T any](show func(T) string, items []T) []string {
	facts := make([]string, len(items))
	for i, item := range items {
		facts[i] = show(item)
	}
	return facts
}

// picture is all that can be asked of a store.
func (s *tried) picture() []string {
	sessions := s.sessions(eventlog.ByCreation, eventlog.SessionCursor{})
	facts := shown(showSession, sessions)
	facts = append(facts, shown(showSession, s.sessions(eventlog.ByActivity, eventlog.SessionCursor{}))...)
	facts = append(facts, shown(showEvent, s.all(eventlog.Range{}))...)
	for _, session := range sessions {
		facts = append(facts, showSession(s.session(session.ID)))
		facts = append(facts, shown(showEvent, s.events(session.ID, eventlog.Range{}))...)
		facts = append(facts, shown(showMessage, s.messages(session.ID, eventlog.Range{}))...)
		facts = append(facts, shown(showToolCall, s.toolCalls(session.ID))...)
	}
	return facts
}

// unchanged fails the check when f changes anything that the store answers.
func (s *tried) unchanged(what string, f func()) {
	before := s.picture()
	f()
	same("the store after "+what, before, s.picture())
}

// --- events ---------------------------------------------------------------------------------------------------------------

func event(eventType, payload string) eventlog.NewEvent {
	return eventlog.NewEvent{Type: eventType, Payload: []byte(payload)}
}

// note is an event that can be told from others.
func note(n int) eventlog.NewEvent { return event("note", `{"n":`+strconv.Itoa(n)+`}`) }

func notes(from, n int) []eventlog.NewEvent {
	events := make([]eventlog.NewEvent, n)
	for i := range events {
		events[i] = note(from + i)
	}
	return events
}

func user(text string) eventlog.NewEvent {
	return event(eventlog.TypeUserMessage, `{"content":`+strconv.Quote(text)+`}`)
}

func ids(events []eventlog.StoredEvent) []int64 {
	list := make([]int64, len(events))
	for i, e := range events {
		list[i] = e.EventID
	}
	return list
}

// growing fails the check unless the ids of events grow strictly from above a floor.
func growing(what string, above int64, events []eventlog.StoredEvent) {
	for _, e := range events {
		if e.EventID <= above {
			failf("%s: event %d comes after event %d", what, e.EventID, above)
		}
		above = e.EventID
	}
}

func idsOf(sessions []eventlog.Session) string {
	list := []string{}
	for _, s := range sessions {
		list = append(list, s.ID)
	}
	return strings.Join(list, " ")
}

func between(all []eventlog.StoredEvent, r eventlog.Range, sessionID string) []eventlog.StoredEvent {
	return slices.DeleteFunc(slices.Clone(all), func(e eventlog.StoredEvent) bool {
		return e.EventID <= r.After || r.Until != 0 && e.EventID > r.Until || sessionID != "" && e.SessionID != sessionID
	})
}
