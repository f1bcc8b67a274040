package eventlogtest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"forgetmenot/eventlog"
)

var sessionChecks = []StoreCheck{
	{
		Name:        "session-created",
		Explanation: "CreateSession makes a session and answers with it: its id, title and time, a number, and no events.",
		check:       checkSessionCreated,
	},
	{
		Name:        "session-exists",
		Explanation: "Creating a session that is there already is ErrSessionExists, and changes nothing.",
		check:       checkSessionExists,
	},
	{
		Name:        "session-unknown",
		Explanation: "A session that was not created is ErrNoSession, for every method that is about one; one that has no events yet is empty.",
		check:       checkSessionUnknown,
	},
	{
		Name:        "session-counts",
		Explanation: "A session tells its last event's id and how many events it has.",
		check:       checkSessionCounts,
	},
	{
		Name:        "sessions-by-creation",
		Explanation: "Sessions lists each session once, the oldest first; a session's cursor continues behind it.",
		check:       checkSessionsByCreation,
	},
	{
		Name:        "sessions-by-activity",
		Explanation: "Sessions lists each session once, the one with the newest event first, those without events last, the newest of them first; a session's cursor continues behind it.",
		check:       checkSessionsByActivity,
	},
	{
		Name:        "sessions-while-changing",
		Explanation: "While sessions are created and get events, a list that is being read shows none twice, and leaves out none that stays where it was.",
		check:       checkSessionsWhileChanging,
	},
}

func checkSessionCreated(l *lab) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 8_999_999, time.FixedZone("elsewhere", 3600))
	s := l.freshWith(eventlog.StoreOptions{Now: func() time.Time { return at }})
	number := int64(0)
	for _, id := range []string{"b", "a"} {
		created, err := s.CreateSession(s.ctx, id, "title of "+id)
		if err != nil {
			failf("CreateSession %q: %w", id, err)
		}
		if created.Number <= number {
			failf("session %q has the number %d; numbers begin at 1 and grow, and the last was %d", id, created.Number, number)
		}
		number = created.Number
		want := eventlog.Session{ID: id, Title: "title of " + id, Number: number, CreatedAt: at.UTC().Truncate(time.Millisecond)}
		same("CreateSession", []string{showSession(want)}, []string{showSession(created)})
		same("Session", []string{showSession(want)}, []string{showSession(s.session(id))})
	}
}

func checkSessionExists(l *lab) {
	s := l.fresh()
	if _, err := s.CreateSession(s.ctx, "a", "first"); err != nil {
		failf("CreateSession: %w", err)
	}
	again := func() {
		_, err := s.CreateSession(s.ctx, "a", "second")
		refused("creating a session again", err, eventlog.ErrSessionExists)
	}
	s.unchanged("a session was created again", again)
	s.add("a", note(1))
	s.unchanged("a session with events was created again", again)
}

func checkSessionUnknown(l *lab) {
	s := l.fresh()
	s.create("a", "empty")
	s.add("a", user("hello"))
	for _, id := range []string{"b", "A", "a ", "a\x00", "", "a\xff", strings.Repeat("x", 600)} {
		_, err := s.Session(s.ctx, id)
		refused(fmt.Sprintf("Session %.20q", id), err, eventlog.ErrNoSession)
		for _, r := range []eventlog.Range{{}, {After: 7}, {Until: 1}} {
			_, err = drain(s.Events(s.ctx, id, r))
			refused(fmt.Sprintf("Events of %.20q", id), err, eventlog.ErrNoSession)
			_, err = drain(s.Messages(s.ctx, id, r))
			refused(fmt.Sprintf("Messages of %.20q", id), err, eventlog.ErrNoSession)
		}
		_, err = drain(s.ToolCalls(s.ctx, id))
		refused(fmt.Sprintf("ToolCalls of %.20q", id), err, eventlog.ErrNoSession)
	}
	s.unchanged("appends to sessions that do not exist", func() {
		for _, id := range []string{"b", "A", "a ", "a\x00"} {
			for _, o := range []eventlog.AppendOptions{{}, {Expect: eventlog.ExpectNone()}, {Expect: eventlog.ExpectLast(1)}, {Key: "k"}} {
				_, err := s.Append(s.ctx, id, notes(1, 2), o)
				refused(fmt.Sprintf("Append to %.20q", id), err, eventlog.ErrNoSession)
			}
		}
	})
	if n := len(s.events("empty", eventlog.Range{})) + len(s.messages("empty", eventlog.Range{})) + len(s.toolCalls("empty")); n != 0 {
		failf("a session without events has %d items", n)
	}
}

func checkSessionCounts(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	count := map[string]int64{}
	last := map[string]int64{}
	for i, id := range []string{"a", "b", "a", "a", "b"} {
		r := s.add(id, notes(i, i+1)...)
		count[id] += int64(i + 1)
		last[id] = r.Events[i].EventID
		for _, id := range []string{"a", "b"} {
			now := s.session(id)
			equal(fmt.Sprintf("the event count of %q", id), count[id], now.EventCount)
			equal(fmt.Sprintf("the last event id of %q", id), last[id], now.LastEventID)
		}
	}
	for _, listed := range s.sessions(eventlog.ByCreation, eventlog.SessionCursor{}) {
		same("a listed session", []string{showSession(s.session(listed.ID))}, []string{showSession(listed)})
	}
}

// pages reads a list of sessions with a new call behind each.
func (s *tried) pages(order eventlog.SessionOrder) []eventlog.Session {
	var list []eventlog.Session
	after := eventlog.SessionCursor{}
	for {
		rest := s.sessions(order, after)
		if len(rest) == 0 {
			return list
		}
		list = append(list, rest[0])
		if len(list) > 1000 {
			failf("the list of sessions has no end when each page begins at the last one's cursor")
		}
		// A cursor is the same after a trip through its key.
		if last, number, ok := rest[0].Cursor(order).Key(); ok {
			after = eventlog.NewSessionCursor(last, number)
		}
	}
}

func checkSessionsByCreation(l *lab) {
	s := l.fresh()
	equal("the list of no sessions", "", idsOf(s.sessions(eventlog.ByCreation, eventlog.SessionCursor{})))
	s.create("c", "a", "d", "b")
	s.add("d", note(1))
	s.add("a", note(2))
	equal("the list of sessions", "c a d b", idsOf(s.sessions(eventlog.ByCreation, eventlog.SessionCursor{})))
	equal("the list of sessions, read page by page", "c a d b", idsOf(s.pages(eventlog.ByCreation)))
	behind := s.session("a").Cursor(eventlog.ByCreation)
	s.add("a", note(3))
	s.create("e")
	equal("the sessions behind a cursor", "d b e", idsOf(s.sessions(eventlog.ByCreation, behind)))
}

func checkSessionsByActivity(l *lab) {
	s := l.fresh()
	equal("the list of no sessions", "", idsOf(s.sessions(eventlog.ByActivity, eventlog.SessionCursor{})))
	s.create("a", "b", "c", "d", "e")
	equal("the list of sessions without events", "e d c b a", idsOf(s.sessions(eventlog.ByActivity, eventlog.SessionCursor{})))
	s.add("b", note(1))
	s.add("d", note(2))
	s.add("a", note(3))
	equal("the list of sessions", "a d b e c", idsOf(s.sessions(eventlog.ByActivity, eventlog.SessionCursor{})))
	s.add("b", note(4))
	equal("the list of sessions, after an event", "b a d e c", idsOf(s.sessions(eventlog.ByActivity, eventlog.SessionCursor{})))
	equal("the list of sessions, read page by page", "b a d e c", idsOf(s.pages(eventlog.ByActivity)))
	behind := s.session("a").Cursor(eventlog.ByActivity)
	s.add("a", note(5)) // to the front: the cursor stays where it was
	equal("the sessions behind a cursor", "d e c", idsOf(s.sessions(eventlog.ByActivity, behind)))
}

func checkSessionsWhileChanging(l *lab) {
	const n = 300
	s := l.fresh()
	name := func(i int) string { return fmt.Sprintf("s%03d", i) }
	for i := range n {
		s.create(name(i))
	}
	for i := range n / 2 {
		s.add(name(i), note(i))
	}
	for _, order := range []eventlog.SessionOrder{eventlog.ByCreation, eventlog.ByActivity} {
		before := s.sessions(order, eventlog.SessionCursor{})
		moved := map[string]bool{}
		seen := map[string]bool{}
		var listed []string
		for session, err := range s.Sessions(s.ctx, order, eventlog.SessionCursor{}) {
			if err != nil {
				failf("Sessions: %w", err)
			}
			if seen[session.ID] {
				failf("session %q is listed twice", session.ID)
			}
			seen[session.ID] = true
			listed = append(listed, session.ID)
			if at := len(seen); at%20 == 0 && at <= n/2 {
				// One that has been shown and one that has not get an event.
				for _, id := range []string{before[at/2].ID, before[n-at/2].ID} {
					s.add(id, note(at))
					moved[id] = order == eventlog.ByActivity
				}
				s.create(fmt.Sprintf("new %d %d", order, at))
			}
		}
		var stayed []string
		for _, session := range before {
			if !moved[session.ID] {
				stayed = append(stayed, session.ID)
			}
		}
		listed = slices.DeleteFunc(listed, func(id string) bool { return moved[id] || strings.HasPrefix(id, fmt.Sprintf("new %d", order)) })
		same("the sessions that stayed where they were", stayed, listed)
	}
}
