package eventlog_test

import (
	"encoding/json"
	"fmt"
	"time"

	"pgregory.net/rapid"

	"forgetmenot/eventlog"
)

// A runs writes down what an agent would that keeps its promises: turns of steps of calls, with call ids that come again.
type runs struct {
	t      *rapid.T
	events []eventlog.StoredEvent
}

// drawRuns is a session of whole turns. Half of the sessions know nothing of turns and steps and hold the four oldest types alone.
func drawRuns(t *rapid.T) []eventlog.StoredEvent {
	r := &runs{t: t}
	bare := rapid.IntRange(0, 3).Draw(t, "bare") == 0
	for range rapid.IntRange(1, 2).Draw(t, "turns") {
		r.turn(bare)
	}
	return r.events
}

func (r *runs) turn(bare bool) {
	r.run(bare, eventlog.TypeTurnStart, `{}`)
	r.put(eventlog.TypeUserMessage, `{"content":%s}`, r.content())
	for range rapid.IntRange(0, 2).Draw(r.t, "steps") {
		r.run(bare, eventlog.TypeStepStart, `{}`)
		r.run(bare, eventlog.TypeModelRequest, `{}`)
		if rapid.IntRange(0, 4).Draw(r.t, "retry") == 0 {
			r.run(bare, eventlog.TypeModelRetry, `{"attempt":1,"waitMs":10,"error":"busy"}`)
			r.run(bare, eventlog.TypeModelRequest, `{}`)
		}
		if rapid.Bool().Draw(r.t, "words") {
			r.put(eventlog.TypeAssistantMessage, `{"content":%s}`, r.content())
		}
		r.calls(bare)
		r.run(bare, eventlog.TypeStepEnd, `{"reason":"done"}`)
	}
	r.run(bare, eventlog.TypeStepStart, `{}`)
	r.run(bare, eventlog.TypeModelRequest, `{}`)
	r.put(eventlog.TypeAssistantMessage, `{"content":%s}`, r.content())
	r.run(bare, eventlog.TypeStepEnd, `{"reason":"done"}`)
	r.run(bare, eventlog.TypeTurnEnd, `{"reason":"done"}`)
	if rapid.IntRange(0, 5).Draw(r.t, "note") == 0 {
		r.put("note", `{"content":"not a message"}`)
	}
}

// calls are made side by side, under ids that differ, and their results come in any order.
func (r *runs) calls(bare bool) {
	ids := []string{"c1", "c2", "", "call.with/odd letters", "a-call-id-that-is-longer-than-any-provider-takes"}
	ids = rapid.Permutation(ids).Draw(r.t, "ids")[:rapid.IntRange(1, 3).Draw(r.t, "calls")]
	for _, id := range ids {
		arguments := rapid.SampledFrom([]string{`{}`, ``, `{"n":12345678901234567890}`, `not json`, `[1]`, `null`}).Draw(r.t, "arguments")
		name := rapid.SampledFrom([]string{"search", "web.search", "", "查", "a_name_that_is_longer_than_the_sixty_four_letters_that_a_provider_takes"}).Draw(r.t, "name")
		r.put(eventlog.TypeToolCall, `{"callId":%s,"name":%s,"arguments":%s}`, text(id), text(name), text(arguments))
	}
	for _, id := range ids {
		r.run(bare, eventlog.TypeToolStart, `{"callId":%s}`, text(id))
		if rapid.IntRange(0, 5).Draw(r.t, "impatient") == 0 {
			r.put(eventlog.TypeUserMessage, `{"content":"are you there?"}`)
		}
	}
	for _, id := range rapid.Permutation(ids).Draw(r.t, "order") {
		r.put(eventlog.TypeToolResult, `{"callId":%s,"content":%s}`, text(id), r.content())
	}
	if rapid.IntRange(0, 5).Draw(r.t, "late") == 0 {
		r.put(eventlog.TypeToolResult, `{"callId":%s,"content":%s}`, text(ids[0]), r.content())
	}
}

func (r *runs) content() string {
	return rapid.SampledFrom([]string{`"hello"`, `"two\nlines"`, `""`, `"  "`, `null`, `{"a": 1.0}`, `[]`, `0`, `"\ud800"`}).Draw(r.t, "content")
}

// run is an event of the run, which a bare session does not have.
func (r *runs) run(bare bool, eventType, format string, args ...any) {
	if !bare {
		r.put(eventType, format, args...)
	}
}

func (r *runs) put(eventType, format string, args ...any) {
	r.events = stored(r.events, eventlog.NewEvent{Type: eventType, Payload: json.RawMessage(fmt.Sprintf(format, args...))})
}

// stored appends events as a store would: with the next ids, a second apart.
func stored(events []eventlog.StoredEvent, more ...eventlog.NewEvent) []eventlog.StoredEvent {
	events = events[:len(events):len(events)]
	for _, e := range more {
		id := int64(1)
		if len(events) > 0 {
			id = events[len(events)-1].EventID + 2 // other sessions have the ids between
		}
		events = append(events, eventlog.StoredEvent{
			Event:     eventlog.Event{EventID: id, SessionID: "s", Type: e.Type, Payload: e.Payload},
			CreatedAt: time.UnixMilli(1_700_000_000_000 + id*1000),
		})
	}
	return events
}

func plain(events []eventlog.StoredEvent) []eventlog.Event {
	out := make([]eventlog.Event, len(events))
	for i, e := range events {
		out[i] = e.Event
	}
	return out
}

func text(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
