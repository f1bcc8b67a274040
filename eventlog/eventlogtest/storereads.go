package eventlogtest

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"forgetmenot/eventlog"

	"pgregory.net/rapid"
)

var readChecks = []StoreCheck{
	{
		Name:        "cursor",
		Explanation: "A range begins behind After, which is exclusive, whether or not there is an event with that id.",
		check:       checkCursor,
	},
	{
		Name:        "until",
		Explanation: "A range ends with Until, which is inclusive, whether or not there is an event with that id; 0 is no end.",
		check:       checkUntil,
	},
	{
		Name:        "long-reads",
		Explanation: "However long a session is, it is read whole and in order, also by readers who come back with a cursor.",
		check:       checkLongReads,
	},
	{
		Name:        "messages",
		Explanation: "Messages are the fold of a session's events, each with its event's id.",
		check:       checkMessages,
	},
	{
		Name:        "replay",
		Explanation: "Replay up to an event is the fold of the events up to there: the session as it was then.",
		check:       checkReplayUntil,
	},
	{
		Name:        "tool-calls",
		Explanation: "Tool calls are what ProjectToolCalls makes of a session's events: a result goes to the newest open call with its id and never replaces another.",
		check:       checkToolCalls,
	},
	{
		Name:        "iterators",
		Explanation: "An iterator may be used again and reads anew each time, shows what had been acknowledged when it was started, and may be left early.",
		check:       checkIterators,
	},
	{
		Name:        "iterators-hold-nothing",
		Explanation: "While the caller works on an item nothing of the store is held: it may append and read from within its loop.",
		check:       checkIteratorsHoldNothing,
	},
}

// scattered is a store with events in three sessions, in an order of no session.
func (l *lab) scattered() (*tried, []eventlog.StoredEvent) {
	s := l.fresh()
	s.create("a", "b", "c")
	var all []eventlog.StoredEvent
	for i, id := range []string{"a", "b", "a", "c", "c", "a", "b", "a"} {
		all = append(all, s.add(id, []eventlog.NewEvent{user(fmt.Sprint(i)), note(i)}[:1+i%2]...).Events...)
	}
	return s, all
}

// readsIn compares everything that takes a range with the events that are known.
func (s *tried) readsIn(r eventlog.Range, all []eventlog.StoredEvent) {
	what := fmt.Sprintf("after %d until %d", r.After, r.Until)
	same("All "+what, shown(showEvent, between(all, r, "")), shown(showEvent, s.all(r)))
	for _, id := range []string{"a", "b", "c"} {
		own := between(all, r, id)
		same(fmt.Sprintf("Events of %q %s", id, what), shown(showEvent, own), shown(showEvent, s.events(id, r)))
		same(fmt.Sprintf("Messages of %q %s", id, what), shown(showMessage, folded(own)), shown(showMessage, s.messages(id, r)))
	}
}

func folded(events []eventlog.StoredEvent) []eventlog.StoredMessage {
	var messages []eventlog.StoredMessage
	for _, e := range events {
		if m, ok := eventlog.FoldEvent(e.Event); ok {
			messages = append(messages, eventlog.StoredMessage{EventID: e.EventID, Message: m})
		}
	}
	return messages
}

func plain(events []eventlog.StoredEvent) []eventlog.Event {
	list := make([]eventlog.Event, len(events))
	for i, e := range events {
		list[i] = e.Event
	}
	return list
}

func checkCursor(l *lab) {
	s, all := l.scattered()
	for _, after := range append(ids(all), math.MinInt64, -1, 0, all[len(all)-1].EventID+1, math.MaxInt64) {
		s.readsIn(eventlog.Range{After: after}, all)
	}
}

func checkUntil(l *lab) {
	s, all := l.scattered()
	last := all[len(all)-1].EventID
	for _, until := range append(ids(all), 0, -1, last+1, math.MaxInt64) {
		for _, after := range []int64{0, all[3].EventID, last} {
			s.readsIn(eventlog.Range{After: after, Until: until}, all)
		}
	}
}

func checkLongReads(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	var all []eventlog.StoredEvent
	for i, n := range []int{1, 255, 999, 2, 1000, 300} {
		batch := notes(len(all), n)
		batch[0] = user("x")
		all = append(all, s.add([]string{"a", "a", "b"}[i%3], batch...).Events...)
	}
	growing("the ids of long batches", 0, all)
	facts := shown(showEvent, all)
	same("All", facts, shown(showEvent, s.all(eventlog.Range{})))
	for _, id := range []string{"a", "b"} {
		own := between(all, eventlog.Range{}, id)
		same("Events of "+id, shown(showEvent, own), shown(showEvent, s.events(id, eventlog.Range{})))
		same("Messages of "+id, shown(showMessage, folded(own)), shown(showMessage, s.messages(id, eventlog.Range{})))
	}
	// One page after the other, as a client does.
	var paged []eventlog.StoredEvent
	for len(paged) < len(all) {
		after, before := int64(0), len(paged)
		if before > 0 {
			after = paged[before-1].EventID
		}
		for e, err := range s.All(s.ctx, eventlog.Range{After: after}) {
			if err != nil {
				failf("All: %w", err)
			}
			if paged = append(paged, e); len(paged) == before+333 {
				break
			}
		}
		if len(paged) == before {
			failf("All after %d ends before the last event", after)
		}
	}
	same("All, page by page", facts, shown(showEvent, paged))
}

// histories fills a session of a store with drawn events, many times over.
func (l *lab) histories(n int, judge func(s *tried, id string, stored []eventlog.StoredEvent)) {
	s := l.fresh()
	s.create("other")
	for seed := range n {
		id := fmt.Sprintf("session %d", seed)
		s.create(id)
		var stored []eventlog.StoredEvent
		for _, batch := range drawn(seed, func(t *rapid.T) [][]eventlog.NewEvent {
			return [][]eventlog.NewEvent{drawEvents(t, 1, 6), drawEvents(t, 1, 3), drawEvents(t, 1, 6)}
		}) {
			stored = append(stored, s.add(id, batch...).Events...)
			s.add("other", drawn(seed, drawEvent)) // whose calls and results are its own
		}
		judge(s, id, stored)
	}
}

func checkMessages(l *lab) {
	l.histories(40, func(s *tried, id string, stored []eventlog.StoredEvent) {
		same("the fold of what Events yields", shown(showMessage, folded(s.events(id, eventlog.Range{}))), shown(showMessage, s.messages(id, eventlog.Range{})))
		same("Messages", shown(showMessage, folded(stored)), shown(showMessage, s.messages(id, eventlog.Range{})))
	})
}

func checkReplayUntil(l *lab) {
	showOne := func(m eventlog.Message) string { return showMessage(eventlog.StoredMessage{Message: m}) }
	l.histories(6, func(s *tried, id string, stored []eventlog.StoredEvent) {
		for until := range s.session(id).LastEventID + 2 {
			want := between(stored, eventlog.Range{Until: until}, "")
			got, err := eventlog.Replay(s.ctx, s, id, until)
			if err != nil {
				failf("Replay: %w", err)
			}
			same(fmt.Sprintf("the replay until %d", until), shown(showOne, eventlog.Fold(plain(want))), shown(showOne, got))
		}
	})
}

func checkToolCalls(l *lab) {
	s := l.fresh()
	s.create("known")
	call := func(id string) eventlog.NewEvent {
		return event(eventlog.TypeToolCall, `{"callId":"`+id+`","name":"f","arguments":"{}"}`)
	}
	result := func(id, content string) eventlog.NewEvent {
		return event(eventlog.TypeToolResult, `{"callId":"`+id+`","content":"`+content+`"}`)
	}
	// An orphan; a call used again, while open and when done; a late result; parallel calls; one that stays open.
	for _, e := range []eventlog.NewEvent{
		result("c", "early"), call("c"), result("c", "first"), result("c", "late"), call("c"), call("c"), result("c", "newest"), result("c", "older"),
		result("c", "late again"), call("d"), call("e"), result("d", "d"), call("open"),
	} {
		s.add("known", e)
		same("ToolCalls", shown(showToolCall, eventlog.ProjectToolCalls(plain(s.events("known", eventlog.Range{})))), shown(showToolCall, s.toolCalls("known")))
	}
	l.histories(40, func(s *tried, id string, stored []eventlog.StoredEvent) {
		same("ToolCalls", shown(showToolCall, eventlog.ProjectToolCalls(plain(stored))), shown(showToolCall, s.toolCalls(id)))
	})
}

func checkIterators(l *lab) {
	s, all := l.scattered()
	events := s.Events(s.ctx, "a", eventlog.Range{})
	everything := s.All(s.ctx, eventlog.Range{})
	messages := s.Messages(s.ctx, "a", eventlog.Range{})
	calls := s.ToolCalls(s.ctx, "a")
	sessions := s.Sessions(s.ctx, eventlog.ByActivity, eventlog.SessionCursor{})
	all = append(all, s.add("a", user("before the first use"), event(eventlog.TypeToolCall, `{"callId":"c"}`)).Events...)
	for i := range 3 {
		own := between(all, eventlog.Range{}, "a")
		same("Events, used again", shown(showEvent, own), shown(showEvent, whole("Events", events)))
		same("All, used again", shown(showEvent, all), shown(showEvent, whole("All", everything)))
		same("Messages, used again", shown(showMessage, folded(own)), shown(showMessage, whole("Messages", messages)))
		same("ToolCalls, used again", shown(showToolCall, eventlog.ProjectToolCalls(plain(own))), shown(showToolCall, whole("ToolCalls", calls)))
		equal("Sessions, used again", "a b c", idsOf(whole("Sessions", sessions)))
		for range events {
			break
		}
		for range everything {
			break
		}
		for range messages {
			break
		}
		for range calls {
			break
		}
		for range sessions {
			break
		}
		all = append(all, s.add("a", user(fmt.Sprint(i)), event(eventlog.TypeToolResult, `{"callId":"c"}`)).Events...)
	}
	watch := s.Watch(s.ctx, 0)
	for range 2 {
		for e, err := range watch {
			if err != nil {
				failf("Watch: %w", err)
			}
			equal("the first event of a watch that is used again", all[0].EventID, e.EventID)
			break
		}
	}
}

func checkIteratorsHoldNothing(l *lab) {
	s, all := l.scattered()
	work := func() {
		s.add("b", note(1))
		s.session("b")
		s.events("c", eventlog.Range{})
		s.toolCalls("a")
	}
	var seen []eventlog.StoredEvent
	for e, err := range s.Events(s.ctx, "a", eventlog.Range{}) {
		if err != nil {
			failf("Events: %w", err)
		}
		seen = append(seen, e)
		work()
	}
	same("Events, with appends from within the loop", shown(showEvent, between(all, eventlog.Range{}, "a")), shown(showEvent, seen))
	n := 0
	for _, err := range s.All(s.ctx, eventlog.Range{Until: all[len(all)-1].EventID}) {
		if err != nil {
			failf("All: %w", err)
		}
		n++
		work()
	}
	equal("the length of All, with appends from within the loop", len(all), n)
	for _, err := range s.Messages(s.ctx, "a", eventlog.Range{}) {
		if err != nil {
			failf("Messages: %w", err)
		}
		work()
	}
	for _, err := range s.Sessions(s.ctx, eventlog.ByCreation, eventlog.SessionCursor{}) {
		if err != nil {
			failf("Sessions: %w", err)
		}
		work()
	}
	for e, err := range s.Watch(s.ctx, 0) {
		if err != nil {
			failf("Watch: %w", err)
		}
		work()
		if e.EventID == all[3].EventID {
			break
		}
	}
	// A reader who pauses in the middle, as a coroutine can, stops nobody, and finds the rest when he goes on.
	next, stop := iter.Pull2(s.Events(s.ctx, "a", eventlog.Range{}))
	defer stop()
	var paused []eventlog.StoredEvent
	for e, err, ok := next(); ok; e, err, ok = next() {
		if err != nil {
			failf("Events: %w", err)
		}
		paused = append(paused, e)
		work()
	}
	same("Events, read with pauses", shown(showEvent, between(all, eventlog.Range{}, "a")), shown(showEvent, paused))
	// Nor is anything held for a caller who panics.
	for range 2 {
		func() {
			defer func() { _ = recover() }()
			for range s.Events(s.ctx, "a", eventlog.Range{}) {
				panic("the caller's own")
			}
		}()
		work()
	}
	if !slices.IsSorted(ids(s.all(eventlog.Range{}))) {
		failf("All is not in the order of ids")
	}
}
