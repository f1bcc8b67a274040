package eventlogtest

import (
	"fmt"
	"slices"
	"strings"

	"forgetmenot/eventlog"
)

var valueChecks = []StoreCheck{
	{
		Name:        "payload-bytes",
		Explanation: "A payload comes back byte for byte: white space, repeated keys, the spelling of numbers and of letters.",
		check:       checkPayloadBytes,
	},
	{
		Name:        "odd-strings",
		Explanation: "Ids, titles, types and keys are any valid UTF-8, and come back as they were.",
		check:       checkOddStrings,
	},
	{
		Name:        "ids-by-bytes",
		Explanation: "Ids are compared byte by byte: case, accents in another form, spaces and a last byte make another session, type or key.",
		check:       checkIDsByBytes,
	},
	{
		Name:        "limits",
		Explanation: "What is larger than a limit is ErrTooLarge, a *LimitError with the numbers, and nothing is written; what just fits is stored.",
		check:       checkLimits,
	},
	{
		Name:        "limits-default",
		Explanation: "Without options the limits are those of the zero Limits.",
		check:       checkDefaultLimits,
	},
	{
		Name:        "session-valid",
		Explanation: "A session's id is not empty, its id and title are valid UTF-8; else nothing is created.",
		check:       checkSessionValid,
	},
	{
		Name:        "copies-in",
		Explanation: "The store keeps none of the caller's memory.",
		check:       checkCopiesIn,
	},
	{
		Name:        "copies-out",
		Explanation: "What the store gives is the caller's own: changing it changes nothing in the store.",
		check:       checkCopiesOut,
	},
}

// oddStrings are valid UTF-8 that something or other cuts, joins, trims or takes for something else.
func oddStrings() []string {
	return []string{
		"\x00", "a\x00b", "a\x00c", "a", " ", " a", "a ", "\n", "\u2028", "\u2029\u0085", "\ufeffa", "\U0001f600", "\U0001f469\u200d\U0001f680", "\u00e9", "e\u0301", "E", "e",
		"9007199254740993", "9007199254740992", "1.0", "1", "01", "0", "null", "NULL", "true", "__proto__", "'", "\"", "a'; DROP TABLE events; --", "%", "_", "*", "?", "$1", `\`,
		`\x00`, "/", "..", "../a", ":", "|", "<&>", "\u0131", "\ufffd", "\U0010ffff", "\x7f", "\x01", strings.Repeat("x", 512), strings.Repeat("x", 511) + "y", strings.Repeat("\U0001f600", 128),
	}
}

func checkPayloadBytes(l *lab) {
	s := l.fresh()
	s.create("a")
	values := []string{
		`12345678901234567890`, `9007199254740993`, `1.0`, `1e400`, `-0`, `1E+2`, `0.1e-7`, `"\u0000"`, `"\ud800"`, `"\u00e9"`, "\"\u00e9\"", "\"e\u0301\"", "\"\u2028\u2029\u0085\"",
		"\"\U0001f600\"", `"\ud83d\ude00"`, `"\/"`, `"/"`, `"<&>"`, "\"\x7f\"", `""`, `null`, `[ ]`, `{ }`, `{"b":1,"a":2,"b":3}`, `"` + strings.Repeat("x", 70_000) + `"`,
		strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
	}
	payloads := []string{`{}`, ` { } `, "\r\n\t{\n}\t", `{"a":1,"a":2}`, `{"":{"":0}}`, `{"__proto__":1}`, `{"\u0061":1}`, "{\"\U0001f600\":1}"}
	for _, v := range values {
		payloads = append(payloads, `{"content":`+v+`}`, "{ \"content\"\t:"+v+" }")
	}
	var batch []eventlog.NewEvent
	for i, p := range payloads {
		batch = append(batch, event([]string{"note", eventlog.TypeUserMessage}[i%2], p))
	}
	receipt := s.add("a", batch...)
	exact := func(what string, events []eventlog.StoredEvent) {
		for i, e := range events {
			if string(e.Payload) != payloads[i] {
				failf("%s: the payload\n  %.200q\nhas become\n  %.200q", what, payloads[i], e.Payload)
			}
		}
	}
	look := func(s *tried) {
		exact("Events", s.events("a", eventlog.Range{}))
		exact("All", s.all(eventlog.Range{}))
		exact("Watch", s.watched(0, len(payloads)))
		same("Messages", shown(showMessage, folded(receipt.Events)), shown(showMessage, s.messages("a", eventlog.Range{})))
	}
	exact("the receipt", receipt.Events)
	look(s)
	if !l.traits.Volatile {
		look(s.reopened())
	}
}

func checkOddStrings(l *lab) {
	odd := oddStrings()
	s := l.fresh()
	for i, text := range odd {
		if _, err := s.CreateSession(s.ctx, text, text); err != nil {
			failf("CreateSession %q: %w", text, err)
		}
		s.addIf(text, eventlog.AppendOptions{Key: text}, event(text, fmt.Sprintf(`{"n":%d}`, i)), note(i))
	}
	look := func(s *tried) {
		for i, session := range s.sessions(eventlog.ByCreation, eventlog.SessionCursor{}) {
			if session.ID != odd[i] || session.Title != odd[i] {
				failf("session %d has the id %q and the title %q, both should be %q", i, session.ID, session.Title, odd[i])
			}
		}
		for i, text := range odd {
			equal("the id of a session", text, s.session(text).ID)
			events := s.events(text, eventlog.Range{})
			equal(fmt.Sprintf("the number of events of session %q", text), 2, len(events))
			equal("the session of an event", text, events[0].SessionID)
			equal("the type of an event", text, events[0].Type)
			again := s.addIf(text, eventlog.AppendOptions{Key: text}, event(text, fmt.Sprintf(`{"n":%d}`, i)), note(i))
			if !again.Repeated {
				failf("the key %q is forgotten", text)
			}
		}
		equal("the number of events", 2*len(odd), len(s.all(eventlog.Range{})))
	}
	look(s)
	if !l.traits.Volatile {
		look(s.reopened())
	}
}

func checkIDsByBytes(l *lab) {
	s := l.fresh()
	families := append(slices.Clone(confusable), []string{strings.Repeat("x", 511) + "a", strings.Repeat("x", 511) + "b", strings.Repeat("x", 511), strings.Repeat("X", 511) + "a"})
	// What happened in a session and in no other of its family.
	for _, family := range families {
		known := map[string]bool{}
		for i, id := range family {
			if _, err := s.Session(s.ctx, id); err == nil {
				continue // in another family too
			}
			known[id] = true
			s.create(id)
			r := s.addIf(id, eventlog.AppendOptions{Key: "k", Expect: eventlog.ExpectNone()}, event(id, fmt.Sprintf(`{"n":%d}`, i)))
			equal("Repeated", false, r.Repeated)
		}
		for id := range known {
			events := s.events(id, eventlog.Range{})
			equal(fmt.Sprintf("the number of events of %q", id), 1, len(events))
			equal("the type of an event", id, events[0].Type)
			equal("the session of an event", id, events[0].SessionID)
		}
	}
	s.create("keys")
	stored := map[string]int64{}
	for _, family := range families {
		for i, key := range family {
			r := s.addIf("keys", eventlog.AppendOptions{Key: key}, note(0))
			if first, ok := stored[key]; ok && first != r.Events[0].EventID || !ok && r.Repeated {
				failf("key %d of %q is taken for another", i, family)
			}
			stored[key] = r.Events[0].EventID
		}
	}
}

func checkLimits(l *lab) {
	limits := eventlog.Limits{Payload: 40, BatchEvents: 4, BatchBytes: 100, ID: 10, Title: 12}
	s := l.freshWith(eventlog.StoreOptions{Limits: limits})
	// The right sizes first, so that a store which is only slow to say no is not taken for one that is right.
	sized := func(n int) eventlog.NewEvent { return event("note", `{"n":"`+strings.Repeat("x", n-8)+`"}`) }
	ten := strings.Repeat("i", 10)
	if _, err := s.CreateSession(s.ctx, ten, strings.Repeat("t", 12)); err != nil {
		failf("a session that just fits: %w", err)
	}
	s.addIf(ten, eventlog.AppendOptions{Key: strings.Repeat("k", 10)}, event(strings.Repeat("y", 10), `{}`))
	s.add(ten, sized(40), sized(40), sized(10), sized(10))
	tooLarge := func(err error, want eventlog.LimitError) {
		what := fmt.Sprintf("a %s of %d %s", want.What, want.Size, want.Unit)
		refused(what, err, eventlog.ErrTooLarge)
		equal(what, want, *as[*eventlog.LimitError](what, err))
	}
	s.unchanged("what is too large", func() {
		long := strings.Repeat("i", 11)
		_, err := s.CreateSession(s.ctx, long, "")
		tooLarge(err, eventlog.LimitError{What: "session id", Size: 11, Most: 10, Unit: "bytes"})
		_, err = s.CreateSession(s.ctx, "new", strings.Repeat("\u00e9", 7))
		tooLarge(err, eventlog.LimitError{What: "title", Size: 14, Most: 12, Unit: "bytes"})
		try := func(want eventlog.LimitError, o eventlog.AppendOptions, batch ...eventlog.NewEvent) {
			_, err := s.Append(s.ctx, ten, batch, o)
			tooLarge(err, want)
		}
		none := eventlog.AppendOptions{}
		try(eventlog.LimitError{What: "key", Size: 11, Most: 10, Unit: "bytes"}, eventlog.AppendOptions{Key: long}, note(1))
		try(eventlog.LimitError{What: "type", Size: 11, Most: 10, Unit: "bytes"}, none, note(1), event(long, `{}`))
		try(eventlog.LimitError{What: "payload", Size: 41, Most: 40, Unit: "bytes"}, none, note(1), sized(41))
		try(eventlog.LimitError{What: "batch", Size: 5, Most: 4, Unit: "events"}, none, notes(1, 5)...)
		try(eventlog.LimitError{What: "batch", Size: 101, Most: 100, Unit: "bytes"}, none, sized(40), sized(40), sized(21))
		_, err = s.Append(s.ctx, long, notes(1, 1), none)
		tooLarge(err, eventlog.LimitError{What: "session id", Size: 11, Most: 10, Unit: "bytes"})
	})
	s.add(ten, note(1))
}

func checkDefaultLimits(l *lab) {
	s := l.fresh()
	most := eventlog.Limits{}.WithDefaults()
	id := strings.Repeat("i", most.ID)
	if _, err := s.CreateSession(s.ctx, id, strings.Repeat("t", most.Title)); err != nil {
		failf("a session that just fits: %w", err)
	}
	_, err := s.CreateSession(s.ctx, id+"i", "")
	refused("an id that is too long", err, eventlog.ErrTooLarge)
	_, err = s.CreateSession(s.ctx, "x", strings.Repeat("t", most.Title+1))
	refused("a title that is too long", err, eventlog.ErrTooLarge)
	payload := make([]byte, most.Payload)
	copy(payload, `{"x":"`)
	for i := 6; i < len(payload)-2; i++ {
		payload[i] = 'x'
	}
	copy(payload[len(payload)-2:], `"}`)
	s.add(id, eventlog.NewEvent{Type: "note", Payload: payload})
	_, err = s.Append(s.ctx, id, []eventlog.NewEvent{{Type: "note", Payload: append(payload, ' ')}}, eventlog.AppendOptions{})
	refused("a payload that is too large", err, eventlog.ErrTooLarge)
	s.add(id, notes(0, most.BatchEvents)...)
	_, err = s.Append(s.ctx, id, notes(0, most.BatchEvents+1), eventlog.AppendOptions{})
	refused("a batch that is too long", err, eventlog.ErrTooLarge)
	equal("the number of events", int64(most.BatchEvents+1), s.session(id).EventCount)
	for e, err := range s.Events(s.ctx, id, eventlog.Range{}) {
		if err != nil {
			failf("Events: %w", err)
		}
		if string(e.Payload) != string(payload) {
			failf("a payload of %d bytes has changed", len(payload))
		}
		break
	}
}

func checkSessionValid(l *lab) {
	s := l.fresh()
	s.unchanged("sessions that cannot be", func() {
		_, err := s.CreateSession(s.ctx, "", "title")
		refused("a session without an id", err, eventlog.ErrEmptySession)
		_, err = s.CreateSession(s.ctx, "a\xff", "title")
		refused("a session id that is not UTF-8", err, eventlog.ErrInvalidUTF8)
		_, err = s.CreateSession(s.ctx, "a", "\xff")
		refused("a title that is not UTF-8", err, eventlog.ErrInvalidUTF8)
		_, err = s.Append(s.ctx, "", notes(1, 1), eventlog.AppendOptions{})
		refused("an append to no session", err, eventlog.ErrEmptySession)
		_, err = s.Append(s.ctx, "a\xff", notes(1, 1), eventlog.AppendOptions{})
		refused("an append to a session id that is not UTF-8", err, eventlog.ErrInvalidUTF8)
	})
	s.create("a")
	s.unchanged("a key that cannot be", func() {
		_, err := s.Append(s.ctx, "a", notes(1, 1), eventlog.AppendOptions{Key: "\xff"})
		refused("a key that is not UTF-8", err, eventlog.ErrInvalidUTF8)
	})
}

func checkCopiesIn(l *lab) {
	s := l.fresh()
	s.create("a")
	payload := []byte(`{"content":"before"}`)
	batch := []eventlog.NewEvent{{Type: eventlog.TypeUserMessage, Payload: payload}, note(1)}
	s.addIf("a", eventlog.AppendOptions{Key: "k"}, batch...)
	s.unchanged("the caller has changed what it handed in", func() {
		copy(payload, `{"content":"after!"}`)
		batch[1] = note(2)
	})
	_, err := s.Append(s.ctx, "a", batch, eventlog.AppendOptions{Key: "k"})
	refused("a key with the changed events", err, eventlog.ErrKeyReused)
	again := s.addIf("a", eventlog.AppendOptions{Key: "k"}, user("before"), note(1))
	equal("Repeated of the events as they were", true, again.Repeated)
}

func checkCopiesOut(l *lab) {
	s := l.fresh()
	s.create("a")
	spoil := func(text []byte) {
		for i := range text {
			text[i] = '!'
		}
		_ = append(text, "!!!!"...)
	}
	spoilEvents := func(events []eventlog.StoredEvent) {
		for i := range events {
			spoil(events[i].Payload)
			events[i].EventID, events[i].Type = -1, "spoilt"
		}
	}
	batch := []eventlog.NewEvent{
		user("hello"), event(eventlog.TypeToolCall, `{"callId":"c","name":"f"}`), event(eventlog.TypeToolResult, `{"callId":"c","content":{"x":[1,2]}}`),
	}
	first := s.addIf("a", eventlog.AppendOptions{Key: "k"}, batch...)
	s.unchanged("the caller has changed what it was given", func() {
		spoilEvents(first.Events)
		for range 2 {
			spoilEvents(s.addIf("a", eventlog.AppendOptions{Key: "k"}, batch...).Events)
			spoilEvents(s.events("a", eventlog.Range{}))
			spoilEvents(s.all(eventlog.Range{}))
			spoilEvents(s.watched(0, 3))
			for _, m := range s.messages("a", eventlog.Range{}) {
				spoil(m.Message.Content)
				for i := range m.Message.ToolCalls {
					m.Message.ToolCalls[i].Name = "spoilt"
				}
			}
			for _, c := range s.toolCalls("a") {
				spoil(c.Result)
			}
		}
	})
	// Two watchers, too, do not share what they see.
	events, others := s.watched(0, 3), s.watched(0, 3)
	facts := shown(showEvent, others)
	spoilEvents(events)
	same("what another watcher holds", facts, shown(showEvent, others))
}
