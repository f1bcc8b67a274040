package eventlog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"forgetmenot/eventlog"
)

// Each benchmark measures the log beside what a program would do that needs no
// older version: append to a slice, and keep a map of each session's places.
// The folder bench prints their ratios, in bytes too.

const benchEvents, benchSessions = 1_000_000, 1000

var benchPayload = json.RawMessage(`{"content":"What is the weather in Paris today?"}`)

type plainLog struct {
	events []eventlog.Event
	index  map[string][]int
}

func (p *plainLog) append(sessionID string) {
	p.index[sessionID] = append(p.index[sessionID], len(p.events))
	p.events = append(p.events, eventlog.Event{
		EventID: int64(len(p.events) + 1), SessionID: sessionID, Type: eventlog.TypeUserMessage, Payload: bytes.Clone(benchPayload),
	})
}

func (p *plainLog) read(sessionID string) []eventlog.Event {
	places := p.index[sessionID]
	events := make([]eventlog.Event, len(places))
	for i, place := range places {
		events[i] = p.events[place]
		events[i].Payload = bytes.Clone(events[i].Payload)
	}
	return events
}

func benchNames() []string {
	names := make([]string, benchSessions)
	for i := range names {
		names[i] = fmt.Sprintf("session-%04d", i)
	}
	return names
}

func benchAppend(b *testing.B, l eventlog.Log, sessionID string) eventlog.Log {
	l, err := l.Append(sessionID, eventlog.TypeUserMessage, benchPayload)
	if err != nil {
		b.Fatal(err)
	}
	return l
}

// One operation is an append to a log that grows to benchEvents and then starts
// anew.
func BenchmarkAppend(b *testing.B) {
	names := benchNames()
	b.Run("log", func(b *testing.B) {
		b.ReportAllocs()
		l := eventlog.New()
		for i := 0; b.Loop(); i++ {
			if i%benchEvents == 0 {
				l = eventlog.New()
			}
			l = benchAppend(b, l, names[i%benchSessions])
		}
	})
	b.Run("slice+map", func(b *testing.B) {
		b.ReportAllocs()
		var p plainLog
		for i := 0; b.Loop(); i++ {
			if i%benchEvents == 0 {
				p = plainLog{index: map[string][]int{}}
			}
			p.append(names[i%benchSessions])
		}
	})
}

// One operation makes a fork of one event; in a chain each is a fork of the one
// before.
func BenchmarkFork(b *testing.B) {
	names := benchNames()
	b.Run("old version", func(b *testing.B) {
		b.ReportAllocs()
		l := eventlog.New()
		for i := range 1017 {
			l = benchAppend(b, l, names[i%benchSessions])
		}
		benchAppend(b, l, names[0])
		for i := 0; b.Loop(); i++ {
			benchAppend(b, l, names[i%benchSessions])
		}
	})
	b.Run("chain", func(b *testing.B) {
		b.ReportAllocs()
		l := eventlog.New()
		for i := 0; b.Loop(); i++ {
			benchAppend(b, l, names[0])
			l = benchAppend(b, l, names[i%benchSessions])
		}
	})
}

// One operation reads a session of 1,000 events, out of 1,000 such sessions.
func BenchmarkRead(b *testing.B) {
	names := benchNames()
	l, p := eventlog.New(), plainLog{index: map[string][]int{}}
	for i := range benchEvents {
		l = benchAppend(b, l, names[i%benchSessions])
		p.append(names[i%benchSessions])
	}
	b.Run("Events", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			l.Events(names[i%benchSessions])
		}
	})
	b.Run("Events, slice+map", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			p.read(names[i%benchSessions])
		}
	})
	b.Run("Replay", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			l.Replay(names[i%benchSessions])
		}
	})
	b.Run("Sessions", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			l.Sessions()
		}
	})
}

// One operation is a session of 100,000 events, read after a crash.
func BenchmarkRecover(b *testing.B) {
	var events []eventlog.StoredEvent
	for len(events) < 100_000 {
		for _, e := range []eventlog.NewEvent{
			{Type: eventlog.TypeTurnStart, Payload: json.RawMessage(`{}`)},
			{Type: eventlog.TypeUserMessage, Payload: benchPayload},
			{Type: eventlog.TypeToolCall, Payload: json.RawMessage(`{"callId":"c1","name":"weather","arguments":"{\"city\":\"Paris\"}"}`)},
			{Type: eventlog.TypeToolStart, Payload: json.RawMessage(`{"callId":"c1"}`)},
			{Type: eventlog.TypeToolResult, Payload: json.RawMessage(`{"callId":"c1","content":"rain"}`)},
			{Type: eventlog.TypeAssistantMessage, Payload: benchPayload},
			{Type: eventlog.TypeTurnEnd, Payload: json.RawMessage(`{"reason":"done"}`)},
		} {
			events = append(events, eventlog.StoredEvent{Event: eventlog.Event{EventID: int64(len(events) + 1), SessionID: "s", Type: e.Type, Payload: e.Payload}})
		}
	}
	for b.Loop() {
		if r := eventlog.Recover(events); len(r.Closers) > 0 {
			b.Fatal("the last turn is whole")
		}
	}
}
