package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"forgetmenot/eventlog"
)

// A run is a session as its turn sees it: what the log says, and whatever the turn has added to it since.
type run struct {
	l       *Loop
	session string
	events  []eventlog.StoredEvent // of the whole session; those that are not stored yet have ids that may become others
	stored  int                    // how many are stored
	loaded  int64                  // the last event that this run found, and did not make
	user    int                    // where in events the turn's first message is

	hold bool // the bug: nothing is stored at any checkpoint
}

// load replays a session.
func (l *Loop) load(ctx context.Context, session string) (*run, error) {
	r := &run{l: l, session: session}
	for e, err := range l.store.Events(ctx, session, eventlog.Range{}) {
		if err != nil {
			return nil, err
		}
		r.add(e)
	}
	r.loaded = r.last()
	return r, nil
}

func (r *run) add(e eventlog.StoredEvent) {
	if e.Type == eventlog.TypeUserMessage {
		r.user = len(r.events)
	}
	r.events = append(r.events, e)
	r.stored = len(r.events)
}

// last is the session's last stored event.
func (r *run) last() int64 {
	if r.stored == 0 {
		return 0
	}
	return r.events[r.stored-1].EventID
}

// put adds events to the turn. They are stored at the next checkpoint.
func (r *run) put(events ...eventlog.NewEvent) {
	for _, e := range events {
		if _, message := eventlog.FoldEvent(eventlog.Event{Type: e.Type, Payload: e.Payload}); r.l.o.MessagesOnly && !message {
			continue
		}
		if e.Type == eventlog.TypeUserMessage {
			r.user = len(r.events)
		}
		id := int64(1)
		if n := len(r.events); n > 0 {
			id = r.events[n-1].EventID + 1
		}
		r.events = append(r.events, eventlog.StoredEvent{Event: eventlog.Event{EventID: id, SessionID: r.session, Type: e.Type, Payload: e.Payload}})
	}
}

// begin puts the start of a turn.
func (r *run) begin(content json.RawMessage) {
	r.put(object(eventlog.TypeTurnStart), userMessage(content))
}

// flush stores what was put, behind the events that this run knows: it fails with ErrConflict when the session has others.
func (r *run) flush(ctx context.Context, key string) (eventlog.Receipt, error) {
	var events []eventlog.NewEvent
	for _, e := range r.events[r.stored:] {
		events = append(events, eventlog.NewEvent{Type: e.Type, Payload: e.Payload})
	}
	receipt, err := r.l.store.Append(ctx, r.session, events, eventlog.AppendOptions{Expect: eventlog.ExpectLast(r.last()), Key: key})
	if err != nil {
		return receipt, err
	}
	r.events = append(r.events[:r.stored], receipt.Events...)
	r.stored = len(r.events)
	if !receipt.Repeated {
		r.l.appended(receipt.Events)
	}
	return receipt, nil
}

// checkpoint stands before every effect. It fails closed: when what has happened cannot be stored, the effect must not happen.
func (r *run) checkpoint(ctx context.Context, m Moment) error {
	if !r.hold && r.l.o.Policy(m) {
		if err := r.store(ctx); err != nil {
			return err
		}
	}
	return r.l.at(ctx, m, r.session)
}

// store is flush for events of the agent's own, under a key that no other append to this session has.
func (r *run) store(ctx context.Context) error {
	if r.stored == len(r.events) {
		return nil
	}
	_, err := r.flush(ctx, fmt.Sprintf("after:%d", r.last()))
	if errors.Is(err, eventlog.ErrKeyReused) {
		// Another service on this store is in the same turn, and was here first.
		return fmt.Errorf("%w: %w", eventlog.ErrConflict, err)
	}
	return err
}

// owes tells whether the session waits for an answer.
func (r *run) owes() bool {
	if r.open().Turn != 0 {
		return true
	}
	for i := len(r.events) - 1; i >= r.user; i-- {
		switch r.events[i].Type {
		case eventlog.TypeTurnEnd:
			return false
		case eventlog.TypeAssistantMessage:
			return false
		case eventlog.TypeUserMessage, eventlog.TypeToolCall, eventlog.TypeToolResult:
			return true
		}
	}
	return false
}

// open is what is running, as recovery would find it.
func (r *run) open() eventlog.Recovery { return eventlog.Recover(r.events) }

// conversation is the session as the model is shown it.
func (r *run) conversation() []eventlog.Message {
	events := make([]eventlog.Event, len(r.events))
	for i, e := range r.events {
		events[i] = e.Event
	}
	return eventlog.Conversation(events)
}

func (r *run) answer() Turn {
	t := Turn{LastEventID: r.last()}
	for i, e := range r.events[min(r.user, len(r.events)):] {
		m, ok := eventlog.FoldEvent(e.Event)
		if !ok {
			continue
		}
		id := e.EventID
		if r.user+i >= r.stored {
			id = 0
		}
		t.Messages = append(t.Messages, eventlog.StoredMessage{EventID: id, Message: m})
	}
	return t
}
