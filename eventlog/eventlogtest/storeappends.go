package eventlogtest

import (
	"fmt"
	"time"

	"forgetmenot/eventlog"
)

var appendChecks = []StoreCheck{
	{
		Name:        "append-receipt",
		Explanation: "Append answers with the events as they are stored, in their order, and with what they outlive.",
		check:       checkReceipt,
	},
	{
		Name:        "append-ids",
		Explanation: "Ids are at least 1 and grow strictly over the whole store, whatever was refused in between.",
		check:       checkIDsGrow,
	},
	{
		Name:        "append-whole",
		Explanation: "A batch is stored wholly or not at all: one event that cannot be refuses all of them.",
		check:       checkWhole,
	},
	{
		Name:        "append-empty",
		Explanation: "An append of no events is ErrEmptyBatch.",
		check:       checkEmptyBatch,
	},
	{
		Name:        "expect",
		Explanation: "An append that expects another last event is ErrConflict and writes nothing; one that expects nothing, or the right one, is stored.",
		check:       checkExpect,
	},
	{
		Name:        "expect-numbers",
		Explanation: "A conflict tells which last event was expected and which the session has.",
		check:       checkConflictNumbers,
	},
	{
		Name:        "key-once",
		Explanation: "An append that is repeated with its key is stored once, and answers with the first receipt, whatever it expects.",
		check:       checkKeyOnce,
	},
	{
		Name:        "key-reused",
		Explanation: "A key that came before with other events is ErrKeyReused, and nothing is written.",
		check:       checkKeyReused,
	},
	{
		Name:        "key-of-session",
		Explanation: "A key belongs to its session: the same key in another session is another key.",
		check:       checkKeyOfSession,
	},
	{
		Name:        "key-after-refusal",
		Explanation: "A refused append has written nothing, so its key is still free.",
		check:       checkKeyAfterRefusal,
	},
	{
		Name:        "time-is-data",
		Explanation: "CreatedAt is the time that the store was told, in whole milliseconds of UTC; when time goes backwards the order is still that of the ids.",
		check:       checkTime,
	},
}

func checkReceipt(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	for _, batch := range [][]eventlog.NewEvent{{note(1)}, {user("x"), note(2), user("y")}, notes(10, 100)} {
		r := s.add("a", batch...)
		equal("Repeated of a first append", false, r.Repeated)
		if volatile := r.Durability == eventlog.Volatile; volatile != s.traits.Volatile {
			failf("the receipt says that an event %s", r.Durability)
		}
		for i, e := range r.Events {
			equal("the session in a receipt", "a", e.SessionID)
			equal("the type in a receipt", batch[i].Type, e.Type)
			equal("the payload in a receipt", string(batch[i].Payload), string(e.Payload))
		}
		same("Events, against the receipt", shown(showEvent, r.Events), shown(showEvent, s.events("a", eventlog.Range{After: r.Events[0].EventID - 1})))
		same("All, against the receipt", shown(showEvent, r.Events), shown(showEvent, s.all(eventlog.Range{After: r.Events[0].EventID - 1})))
	}
	equal("the events of another session", 0, len(s.events("b", eventlog.Range{})))
}

func checkIDsGrow(l *lab) {
	s := l.fresh()
	s.create("a", "b", "c")
	var acknowledged []eventlog.StoredEvent
	for i := range 12 {
		acknowledged = append(acknowledged, s.add([]string{"a", "b", "c"}[i*i%3], notes(i, i%3+1)...).Events...)
		_, err := s.Append(s.ctx, "a", []eventlog.NewEvent{note(1), {Type: "note", Payload: []byte(`[]`)}}, eventlog.AppendOptions{})
		refused("an append with a payload that is no object", err, eventlog.ErrInvalidPayload)
		_, err = s.Append(s.ctx, "b", notes(1, 3), eventlog.AppendOptions{Expect: eventlog.ExpectLast(1 << 40)})
		refused("an append that expects what is not", err, eventlog.ErrConflict)
	}
	growing("the order of acknowledgement", 0, acknowledged)
	same("All", shown(showEvent, acknowledged), shown(showEvent, s.all(eventlog.Range{})))
	for _, id := range []string{"a", "b", "c"} {
		same("Events of "+id, shown(showEvent, between(acknowledged, eventlog.Range{}, id)), shown(showEvent, s.events(id, eventlog.Range{})))
	}
}

func checkWhole(l *lab) {
	s := l.fresh()
	s.create("a")
	s.add("a", user("before"))
	bad := []struct {
		name  string
		field string
		event eventlog.NewEvent
		kinds []error
	}{
		{"an empty type", "type", event("", `{}`), []error{eventlog.ErrEmptyType}},
		{"a type that is not UTF-8", "type", event("a\xffb", `{}`), []error{eventlog.ErrInvalidUTF8}},
		{"no payload", "payload", eventlog.NewEvent{Type: "note"}, []error{eventlog.ErrInvalidPayload}},
		{"an array", "payload", event("note", `[]`), []error{eventlog.ErrInvalidPayload}},
		{"null", "payload", event("note", `null`), []error{eventlog.ErrInvalidPayload}},
		{"a payload that is cut off", "payload", event("note", `{"content":"x`), []error{eventlog.ErrInvalidPayload}},
		{"two payloads", "payload", event("note", `{}{}`), []error{eventlog.ErrInvalidPayload}},
		{"a payload that is not UTF-8", "payload", event("note", "{\"content\":\"\xff\"}"), []error{eventlog.ErrInvalidPayload, eventlog.ErrInvalidUTF8}},
	}
	for _, b := range bad {
		for _, batch := range [][]eventlog.NewEvent{{b.event}, {note(1), note(2), b.event}, {note(1), b.event, note(2)}, {b.event, note(1)}} {
			s.unchanged("a refused batch with "+b.name, func() {
				_, err := s.Append(s.ctx, "a", batch, eventlog.AppendOptions{})
				refused("a batch with "+b.name, err, b.kinds...)
				equal("the field that is at fault in a batch with "+b.name, b.field, as[*eventlog.AppendError](b.name, err).Field)
			})
		}
	}
}

func checkEmptyBatch(l *lab) {
	s := l.fresh()
	s.create("a")
	s.unchanged("an append of no events", func() {
		for _, o := range []eventlog.AppendOptions{{}, {Key: "k"}, {Expect: eventlog.ExpectNone()}} {
			_, err := s.Append(s.ctx, "a", nil, o)
			refused("an append of no events", err, eventlog.ErrEmptyBatch)
			_, err = s.Append(s.ctx, "a", []eventlog.NewEvent{}, o)
			refused("an append of no events", err, eventlog.ErrEmptyBatch)
		}
	})
}

func checkExpect(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	last := int64(0)
	expecting := func(want eventlog.Expectation, batch ...eventlog.NewEvent) {
		events := s.addIf("a", eventlog.AppendOptions{Expect: want}, batch...).Events
		last = events[len(events)-1].EventID
		s.add("b", note(0)) // what happens in another session is no conflict
	}
	conflicts := func(wants ...eventlog.Expectation) {
		for _, want := range wants {
			expected, _ := want.Last()
			s.unchanged("a conflict", func() {
				_, err := s.Append(s.ctx, "a", notes(1, 2), eventlog.AppendOptions{Expect: want})
				refused(fmt.Sprintf("an append that expects %d where %d is the last event", expected, last), err, eventlog.ErrConflict)
			})
		}
	}
	conflicts(eventlog.ExpectLast(1), eventlog.ExpectLast(7))
	expecting(eventlog.ExpectNone(), note(1))
	first := last
	conflicts(eventlog.ExpectNone(), eventlog.ExpectLast(0), eventlog.ExpectLast(last+1), eventlog.ExpectLast(last-1))
	expecting(eventlog.ExpectLast(last), notes(2, 3)...)
	conflicts(eventlog.ExpectNone(), eventlog.ExpectLast(first), eventlog.ExpectLast(last-1), eventlog.ExpectLast(last+1), eventlog.ExpectLast(-1))
	// The last event of the store is not the last of the session.
	all := s.all(eventlog.Range{})
	conflicts(eventlog.ExpectLast(all[len(all)-1].EventID))
	expecting(eventlog.Expectation{}, note(5))
	expecting(eventlog.ExpectLast(last), note(6))
}

func checkConflictNumbers(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	numbers := func(sessionID string, want eventlog.Expectation, expected, actual int64) {
		_, err := s.Append(s.ctx, sessionID, notes(1, 2), eventlog.AppendOptions{Expect: want})
		refused("a conflict", err, eventlog.ErrConflict)
		equal("a conflict", eventlog.ConflictError{Expected: expected, Actual: actual}, *as[*eventlog.ConflictError]("a conflict", err))
	}
	numbers("a", eventlog.ExpectLast(5), 5, 0)
	events := s.add("a", notes(1, 3)...).Events
	s.add("b", notes(1, 2)...)
	last := events[2].EventID
	numbers("a", eventlog.ExpectNone(), 0, last)
	numbers("a", eventlog.ExpectLast(events[0].EventID), events[0].EventID, last)
	numbers("a", eventlog.ExpectLast(1<<50), 1<<50, last)
	numbers("b", eventlog.ExpectLast(last), last, s.session("b").LastEventID)
}

func checkKeyOnce(l *lab) {
	s := l.fresh()
	s.create("a")
	batch := []eventlog.NewEvent{note(1), user("x"), event("note", ` {"a" : 1,"a":2} `)}
	first := s.addIf("a", eventlog.AppendOptions{Key: "k", Expect: eventlog.ExpectNone()}, batch...)
	repeat := func(s *tried) {
		s.unchanged("a repeated append", func() {
			for _, want := range []eventlog.Expectation{{}, eventlog.ExpectNone(), eventlog.ExpectLast(first.Events[2].EventID), eventlog.ExpectLast(99)} {
				again := s.addIf("a", eventlog.AppendOptions{Key: "k", Expect: want}, batch...)
				same("the receipt of a repeated append", shown(showEvent, first.Events), shown(showEvent, again.Events))
				equal("Repeated of a repeated append", true, again.Repeated)
				equal("the durability of a repeated append", first.Durability, again.Durability)
			}
		})
	}
	repeat(s)
	other := s.addIf("a", eventlog.AppendOptions{Key: "K"}, batch...) // another key, though the events are equal
	equal("Repeated of an append with another key", false, other.Repeated)
	for range 2 { // no key at all is no key that comes back
		equal("Repeated of an append without a key", false, s.add("a", batch...).Repeated)
	}
	repeat(s)
	if !l.traits.Volatile {
		repeat(s.reopened())
	}
}

func checkKeyReused(l *lab) {
	s := l.fresh()
	s.create("a")
	s.addIf("a", eventlog.AppendOptions{Key: "k"}, event("one", `{"n":1}`), event("two", `{}`))
	s.add("a", note(1))
	others := map[string][]eventlog.NewEvent{
		"other payloads":         {event("one", `{"n":2}`), event("two", `{}`)},
		"other white space":      {event("one", `{"n": 1}`), event("two", `{}`)},
		"other types":            {event("one", `{"n":1}`), event("Two", `{}`)},
		"fewer events":           {event("one", `{"n":1}`)},
		"more events":            {event("one", `{"n":1}`), event("two", `{}`), event("two", `{}`)},
		"another order":          {event("two", `{}`), event("one", `{"n":1}`)},
		"types and text swapped": {event("two", `{"n":1}`), event("one", `{}`)},
		"text joined otherwise":  {event(`one{"n":1}two`, `{}`)},
	}
	try := func(s *tried) {
		for name, batch := range others {
			s.unchanged("a key with "+name, func() {
				_, err := s.Append(s.ctx, "a", batch, eventlog.AppendOptions{Key: "k"})
				refused("a key with "+name, err, eventlog.ErrKeyReused)
			})
		}
	}
	try(s)
	if !l.traits.Volatile {
		try(s.reopened())
	}
}

func checkKeyOfSession(l *lab) {
	s := l.fresh()
	s.create("a", "b", "ab")
	for i, id := range []string{"a", "b", "ab"} {
		// Joined with the key, two of the ids are the same text.
		key := []string{"bk", "k", "k"}[i]
		r := s.addIf(id, eventlog.AppendOptions{Key: key, Expect: eventlog.ExpectNone()}, note(0))
		equal("Repeated of a key that is new in its session", false, r.Repeated)
		equal("the session of a receipt", id, r.Events[0].SessionID)
	}
	equal("Repeated of the same events in another session", false, s.addIf("b", eventlog.AppendOptions{Key: "bk"}, note(0)).Repeated)
	equal("Repeated in the first session", true, s.addIf("a", eventlog.AppendOptions{Key: "bk"}, note(0)).Repeated)
}

func checkKeyAfterRefusal(l *lab) {
	s := l.freshWith(eventlog.StoreOptions{Limits: eventlog.Limits{Payload: 100}})
	_, err := s.Append(s.ctx, "a", notes(1, 1), eventlog.AppendOptions{Key: "k"})
	refused("an append to a session that is not there", err, eventlog.ErrNoSession)
	s.create("a")
	_, err = s.Append(s.ctx, "a", notes(1, 2), eventlog.AppendOptions{Key: "k", Expect: eventlog.ExpectLast(9)})
	refused("an append that expects what is not", err, eventlog.ErrConflict)
	_, err = s.Append(s.ctx, "a", []eventlog.NewEvent{event("", `{}`)}, eventlog.AppendOptions{Key: "k"})
	refused("an append without a type", err, eventlog.ErrEmptyType)
	_, err = s.Append(s.ctx, "a", []eventlog.NewEvent{user(fmt.Sprintf("%200d", 1))}, eventlog.AppendOptions{Key: "k"})
	refused("an append that is too large", err, eventlog.ErrTooLarge)
	equal("Repeated of the first append that is stored", false, s.addIf("a", eventlog.AppendOptions{Key: "k"}, notes(5, 2)...).Repeated)
	equal("the number of events", 2, len(s.all(eventlog.Range{})))
}

func checkTime(l *lab) {
	start := time.Date(2026, 10, 25, 1, 30, 0, 123_456_789, time.UTC)
	at := start
	// Whatever asks for the time, only this check's own goroutine changes it, between calls.
	s := l.freshWith(eventlog.StoreOptions{Now: func() time.Time { return at }})
	s.create("a", "b")
	var stored []eventlog.StoredEvent
	for i, step := range []time.Duration{0, time.Hour, -time.Second, -48 * time.Hour, -time.Microsecond, 0, -60 * 365 * 24 * time.Hour} {
		at = at.Add(step).In(time.FixedZone("elsewhere", i*3600))
		for _, e := range s.add([]string{"a", "b"}[i%2], notes(i, 2)...).Events {
			if want := time.UnixMilli(at.UnixMilli()).UTC(); !e.CreatedAt.Equal(want) || e.CreatedAt.Location() != time.UTC {
				failf("CreatedAt is %v, it should be %v", e.CreatedAt, want)
			}
			stored = append(stored, e)
		}
	}
	growing("while time goes backwards", 0, stored)
	same("All", shown(showEvent, stored), shown(showEvent, s.all(eventlog.Range{})))
	same("Events", shown(showEvent, between(stored, eventlog.Range{}, "a")), shown(showEvent, s.events("a", eventlog.Range{})))
	same("Watch", shown(showEvent, stored), shown(showEvent, s.watched(0, len(stored))))
	equal("the sessions by activity", "a b", idsOf(s.sessions(eventlog.ByActivity, eventlog.SessionCursor{})))
}
