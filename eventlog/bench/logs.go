package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/benbjohnson/immutable"

	"forgetmenot/eventlog"
)

// work is what every log has to do.
type work struct{ events, sessions int }

var payload = json.RawMessage(`{"content":"What is the weather in Paris today?"}`)

// names returns the session of each event: all sessions in turn, in no order that
// memory could like.
func (w work) names() []string {
	sessions := make([]string, w.sessions)
	for i := range sessions {
		sessions[i] = fmt.Sprintf("session-%04d", i)
	}
	names := make([]string, w.events)
	for i := range names {
		names[i] = sessions[i*7919%w.sessions]
	}
	return names
}

func appendOurs(l eventlog.Log, name string) eventlog.Log {
	l, err := l.Append(name, eventlog.TypeUserMessage, payload)
	if err != nil {
		panic(err) // the work is right
	}
	return l
}

// plain is slice+map.
type plain struct {
	events   []eventlog.Event
	index    map[string][]int
	sessions []string
}

func newPlain() *plain { return &plain{index: map[string][]int{}} }

func (p *plain) append(name string) {
	places, known := p.index[name]
	if !known {
		p.sessions = append(p.sessions, name)
	}
	p.index[name] = append(places, len(p.events))
	p.events = append(p.events, newEvent(len(p.events), name))
}

// read copies, as every log must that does not want to be changed from outside.
func (p *plain) read(name string) []eventlog.Event {
	places := p.index[name]
	events := make([]eventlog.Event, len(places))
	for i, place := range places {
		events[i] = p.events[place]
		events[i].Payload = bytes.Clone(events[i].Payload)
	}
	return events
}

// persistent is a log on somebody else's persistent list and map.
type persistent struct {
	events *immutable.List[eventlog.Event]
	index  *immutable.Map[string, *immutable.List[int]]
}

func newPersistent() persistent {
	return persistent{immutable.NewList[eventlog.Event](), immutable.NewMap[string, *immutable.List[int]](nil)}
}

func (p persistent) append(name string) persistent {
	places, known := p.index.Get(name)
	if !known {
		places = immutable.NewList[int]()
	}
	n := p.events.Len()
	return persistent{p.events.Append(newEvent(n, name)), p.index.Set(name, places.Append(n))}
}

func newEvent(place int, name string) eventlog.Event {
	return eventlog.Event{EventID: int64(place + 1), SessionID: name, Type: eventlog.TypeUserMessage, Payload: bytes.Clone(payload)}
}
