package eventlogtest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"forgetmenot/eventlog"

	"pgregory.net/rapid"
)

var modelChecks = []StoreCheck{{
	Name:        "model",
	Explanation: "Whatever is done to a store in whatever order, it answers like lists that nobody else has.",
	check:       checkModel,
}}

func checkModel(l *lab) {
	for seed := range l.traits.Cases {
		steps := drawn(seed, func(t *rapid.T) []step { return drawSteps(t, l.traits.Volatile) })
		if err := l.follow(steps); err != nil {
			steps, err = l.smallest(steps, err)
			var lines []string
			for _, s := range steps {
				lines = append(lines, s.String())
			}
			failf("%w\nafter these steps:\n  %s", err, strings.Join(lines, "\n  "))
		}
	}
}

// follow takes the steps on a new store and on a model, and compares every answer.
func (l *lab) follow(steps []step) error {
	s := l.fresh()
	err := caught(func() {
		m := &storeModel{keys: map[string]eventlog.Receipt{}}
		for i, step := range steps {
			if step.do == "reopen" {
				s = s.reopened()
				continue
			}
			m.take(s, fmt.Sprintf("step %d, %s", i+1, step.do), step)
		}
		same("the store in the end", m.picture(), s.picture())
	})
	if closing := caught(s.close); err == nil {
		err = closing
	}
	return err
}

// A storeModel is a store as lists. What a store may choose, ids and times, it takes from the store's answers, once.
type storeModel struct {
	sessions []eventlog.Session
	events   []eventlog.StoredEvent
	keys     map[string]eventlog.Receipt // by session and key
}

func (m *storeModel) find(id string) *eventlog.Session {
	i := slices.IndexFunc(m.sessions, func(s eventlog.Session) bool { return s.ID == id })
	if i < 0 {
		return nil
	}
	return &m.sessions[i]
}

// id is that of the event at a place from the end; beyond the oldest it is 0, before the newest one that is to come.
func (m *storeModel) id(fromEnd int) int64 {
	switch at := len(m.events) - 1 - fromEnd; {
	case at < 0:
		return 0
	case at >= len(m.events):
		return m.last() + 1
	default:
		return m.events[at].EventID
	}
}

func (m *storeModel) last() int64 {
	if len(m.events) == 0 {
		return 0
	}
	return m.events[len(m.events)-1].EventID
}

func (m *storeModel) take(s *tried, what string, step step) {
	r := eventlog.Range{After: m.id(step.after), Until: m.id(step.until)}
	switch step.do {
	case "create":
		m.create(s, what, step)
	case "append":
		m.append(s, what, step)
	case "list":
		list := m.list(step.order)
		at := min(max(step.after, 0), len(list))
		cursor := eventlog.SessionCursor{}
		if at > 0 {
			cursor = list[at-1].Cursor(step.order)
		}
		same(what, shown(showSession, list[at:]), shown(showSession, s.sessions(step.order, cursor)))
	case "watch":
		if want := between(m.events, eventlog.Range{After: r.After}, ""); len(want) > 0 {
			same(what, shown(showEvent, want), shown(showEvent, s.watched(r.After, len(want))))
		}
	case "read":
		same(what+" All", shown(showEvent, between(m.events, r, "")), shown(showEvent, s.all(r)))
		if m.find(step.session) == nil {
			_, err := drain(s.Events(s.ctx, step.session, r))
			refused(what, err, eventlog.ErrNoSession)
			return
		}
		own := between(m.events, r, step.session)
		same(what+" Events", shown(showEvent, own), shown(showEvent, s.events(step.session, r)))
		same(what+" Messages", shown(showMessage, folded(own)), shown(showMessage, s.messages(step.session, r)))
		calls := eventlog.ProjectToolCalls(plain(between(m.events, eventlog.Range{}, step.session)))
		same(what+" ToolCalls", shown(showToolCall, calls), shown(showToolCall, s.toolCalls(step.session)))
	}
}

func (m *storeModel) create(s *tried, what string, step step) {
	made, err := s.CreateSession(s.ctx, step.session, step.title)
	if m.find(step.session) != nil {
		refused(what, err, eventlog.ErrSessionExists)
		return
	}
	if err != nil {
		failf("%s: %w", what, err)
	}
	if n := len(m.sessions); n > 0 && made.Number <= m.sessions[n-1].Number || made.Number < 1 {
		failf("%s: the number %d does not grow", what, made.Number)
	}
	want := eventlog.Session{ID: step.session, Title: step.title, Number: made.Number, CreatedAt: made.CreatedAt}
	same(what, []string{showSession(want)}, []string{showSession(made)})
	m.sessions = append(m.sessions, made)
}

func (m *storeModel) append(s *tried, what string, step step) {
	session := m.find(step.session)
	last := int64(0)
	own := between(m.events, eventlog.Range{}, step.session)
	if len(own) > 0 {
		last = own[len(own)-1].EventID
	}
	o := eventlog.AppendOptions{Key: step.key}
	switch step.expect {
	case "none":
		o.Expect = eventlog.ExpectNone()
	case "last":
		o.Expect = eventlog.ExpectLast(last)
	case "first":
		if len(own) > 0 {
			o.Expect = eventlog.ExpectLast(own[0].EventID)
		}
	case "next":
		o.Expect = eventlog.ExpectLast(m.last() + 1)
	}
	expected, given := o.Expect.Last()
	key := strconv.Quote(step.session) + step.key
	first, repeated := m.keys[key]

	r, err := s.Append(s.ctx, step.session, step.events, o)
	switch {
	case len(step.events) == 0:
		refused(what, err, eventlog.ErrEmptyBatch)
	case session == nil:
		refused(what, err, eventlog.ErrNoSession)
	case repeated && step.key != "" && !sameEvents(first.Events, step.events):
		if given && expected != last && errors.Is(err, eventlog.ErrConflict) {
			return // both are true, and the contract does not say which comes first
		}
		refused(what, err, eventlog.ErrKeyReused)
	case repeated && step.key != "":
		if err != nil {
			failf("%s again: %w", what, err)
		}
		same(what+" again", shown(showEvent, first.Events), shown(showEvent, r.Events))
		equal(what+": Repeated", true, r.Repeated)
	case given && expected != last:
		refused(what, err, eventlog.ErrConflict)
		equal(what, eventlog.ConflictError{Expected: expected, Actual: last}, *as[*eventlog.ConflictError](what, err))
	case err != nil:
		failf("%s: %w", what, err)
	default:
		m.store(what, step, r)
	}
}

// store takes a receipt for what was stored, after a look at it.
func (m *storeModel) store(what string, step step, r eventlog.Receipt) {
	equal(what+": Repeated", false, r.Repeated)
	growing(what, m.last(), r.Events)
	if !sameEvents(r.Events, step.events) {
		failf("%s: the receipt is for other events: %q", what, shown(showEvent, r.Events))
	}
	for _, e := range r.Events {
		equal(what+": the session", step.session, e.SessionID)
		e.Payload = slices.Clone(e.Payload)
		m.events = append(m.events, e)
	}
	session := m.find(step.session)
	session.LastEventID, session.EventCount = m.last(), session.EventCount+int64(len(r.Events))
	if step.key != "" {
		m.keys[strconv.Quote(step.session)+step.key] = r
	}
}

func sameEvents(stored []eventlog.StoredEvent, events []eventlog.NewEvent) bool {
	return slices.EqualFunc(stored, events, func(s eventlog.StoredEvent, e eventlog.NewEvent) bool {
		return s.Type == e.Type && string(s.Payload) == string(e.Payload)
	})
}

func (m *storeModel) list(order eventlog.SessionOrder) []eventlog.Session {
	list := slices.Clone(m.sessions)
	if order == eventlog.ByActivity {
		slices.Reverse(list) // the newest first, where there are no events
		slices.SortStableFunc(list, func(a, b eventlog.Session) int { return int(b.LastEventID - a.LastEventID) })
	}
	return list
}

// picture is what tried.picture should be.
func (m *storeModel) picture() []string {
	facts := append(shown(showSession, m.list(eventlog.ByCreation)), shown(showSession, m.list(eventlog.ByActivity))...)
	facts = append(facts, shown(showEvent, m.events)...)
	for _, session := range m.sessions {
		own := between(m.events, eventlog.Range{}, session.ID)
		facts = append(facts, showSession(session))
		facts = append(facts, shown(showEvent, own)...)
		facts = append(facts, shown(showMessage, folded(own))...)
		facts = append(facts, shown(showToolCall, eventlog.ProjectToolCalls(plain(own)))...)
	}
	return facts
}
