package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"forgetmenot/eventlog"
)

// A run is a session as its turn sees it: what the log says, and whatever the turn has added to it since.
type run struct {
	s        *Service
	session  string
	last     int64                  // the session's last event
	messages []eventlog.Message     // of the whole session
	turn     []eventlog.StoredEvent // from the last user's message on
	loaded   int64                  // the last event that this run found, and did not make

	hold bool // the bug: put keeps events in held, with no ids, instead of storing them
	held []eventlog.NewEvent
}

// load replays a session.
func (s *Service) load(ctx context.Context, session string) (*run, error) {
	r := &run{s: s, session: session}
	for e, err := range s.store.Events(ctx, session, eventlog.Range{}) {
		if err != nil {
			return nil, err
		}
		r.add(e)
	}
	r.loaded = r.last
	return r, nil
}

func (r *run) add(e eventlog.StoredEvent) {
	r.last = e.EventID
	if m, ok := eventlog.FoldEvent(e.Event); ok {
		r.messages = append(r.messages, m)
	}
	if e.Type == eventlog.TypeUserMessage {
		r.turn = nil
	}
	r.turn = append(r.turn, e)
}

// put stores events at the session's end, and fails when that is not where this run believes it to be.
func (r *run) put(ctx context.Context, key string, events ...eventlog.NewEvent) (eventlog.Receipt, error) {
	if r.hold {
		r.held = append(r.held, events...)
		for _, e := range events {
			r.add(eventlog.StoredEvent{Event: eventlog.Event{SessionID: r.session, Type: e.Type, Payload: e.Payload}})
		}
		return eventlog.Receipt{}, nil
	}
	receipt, err := r.s.store.Append(ctx, r.session, events, eventlog.AppendOptions{Expect: eventlog.ExpectLast(r.last), Key: key})
	if err != nil {
		return receipt, err
	}
	for _, e := range receipt.Events {
		r.add(e)
		if !receipt.Repeated {
			r.s.metrics.events.WithLabelValues(e.Type).Inc()
		}
	}
	return receipt, nil
}

// step puts events of the turn, under a key that no other event of any turn of this session has.
func (r *run) step(ctx context.Context, events ...eventlog.NewEvent) error {
	key := fmt.Sprintf("turn:%d:%d", r.start(), len(r.turn))
	_, err := r.put(ctx, key, events...)
	if errors.Is(err, eventlog.ErrKeyReused) {
		// Another service on this store is in the same turn, and was here first.
		return fmt.Errorf("%w: %w", eventlog.ErrConflict, err)
	}
	return err
}

// start is the event that began the turn; 0 when there is none.
func (r *run) start() int64 {
	if len(r.turn) == 0 {
		return 0
	}
	return r.turn[0].EventID
}

// finish goes on with the turn from where its events end, until the model has answered. A turn that is over it leaves alone.
func (r *run) finish(ctx context.Context) error {
	for steps := 0; !r.over(); steps++ {
		if err := r.callTools(ctx); err != nil {
			return err
		}
		if steps == r.s.o.MaxSteps {
			return r.step(ctx, assistantMessage(fmt.Sprintf("I stopped after %d steps without an answer.", steps)))
		}
		reply, err := r.ask(ctx)
		if err != nil {
			return err
		}
		if err := r.step(ctx, r.facts(reply)...); err != nil {
			return err
		}
	}
	return nil
}

// over tells whether nothing is left to do: nobody has said anything yet, or the last word is an answer.
func (r *run) over() bool {
	if len(r.messages) == 0 {
		return true
	}
	last := r.messages[len(r.messages)-1]
	return last.Role == eventlog.RoleAssistant && last.ToolCalls == nil
}

func (r *run) ask(ctx context.Context) (reply Reply, err error) {
	if err := r.s.at(ctx, BeforeModel, r.session); err != nil {
		return reply, err
	}
	err = calmly(func() (err error) {
		reply, err = r.s.o.Model.Next(ctx, Request{SessionID: r.session, Messages: slices.Clone(r.messages), Tools: slices.Clone(r.s.specs)})
		return err
	})
	if err != nil && ctx.Err() != nil {
		return reply, ctx.Err() // the turn was ended: the model did nothing wrong
	}
	if err != nil {
		return reply, fmt.Errorf("%w: %w", ErrModel, err)
	}
	return reply, nil
}

// facts are the events of a model's reply, stored together: were the text alone in the log, it would pass for the turn's end.
func (r *run) facts(reply Reply) []eventlog.NewEvent {
	var events []eventlog.NewEvent
	if reply.Text != "" || len(reply.Calls) == 0 {
		events = append(events, assistantMessage(reply.Text))
	}
	known := map[string]bool{"": true}
	for _, call := range reply.Calls {
		// Two open calls with one id could not be told apart by their results.
		id := call.ToolCallID
		for n := 2; known[id]; n++ {
			id = fmt.Sprintf("%s_%d", call.ToolCallID, n)
		}
		known[id] = true
		events = append(events, toolCall(id, call.Name, call.Arguments))
	}
	return events
}

// callTools runs the turn's open calls, in their order, and stores each result before the next.
func (r *run) callTools(ctx context.Context) error {
	var events []eventlog.Event
	for _, e := range r.turn {
		events = append(events, e.Event)
	}
	for _, call := range eventlog.ProjectToolCalls(events) {
		if call.Status != eventlog.ToolCallOpen {
			continue
		}
		result, err := r.callTool(ctx, call)
		if err != nil {
			return err
		}
		if err := r.step(ctx, toolResult(call.ToolCall.ToolCallID, result)); err != nil {
			return err
		}
	}
	return nil
}

// callTool gives the text of a call's result. An error is not the tool's but ends the turn.
func (r *run) callTool(ctx context.Context, call eventlog.ToolCallState) (result string, err error) {
	tool, ok := r.s.tools[call.ToolCall.Name]
	if !ok {
		return "error: there is no tool of this name", nil
	}
	if closed, ok := r.closer(tool, call); ok {
		return closed, nil
	}
	if err := r.s.at(ctx, BeforeTool, r.session); err != nil {
		return "", err
	}
	fault := calmly(func() (err error) {
		result, err = tool.Call(ctx, call.ToolCall.Arguments)
		return err
	})
	if err := ctx.Err(); err != nil {
		return "", err // the turn was ended, and the tool's result says nothing but that
	}
	if fault != nil {
		result = "error: " + fault.Error()
	}
	return result, r.s.at(ctx, AfterTool, r.session)
}

// closer is the result of a call that a crash cut off and that must not be made again. It is where recovery decides: a pure function of the
// events will take its place.
func (r *run) closer(tool knownTool, call eventlog.ToolCallState) (result string, ok bool) {
	found := call.EventID != 0 && call.EventID <= r.loaded
	if !found || tool.spec.ReadOnly {
		return "", false
	}
	return "TOOL_OUTCOME_UNKNOWN: the service ended while this call was open. It may or may not have happened, and was not made again.", true
}

func (r *run) answer() answer {
	a := answer{last: r.last}
	for _, e := range r.turn {
		if m, ok := eventlog.FoldEvent(e.Event); ok {
			a.messages = append(a.messages, eventlog.StoredMessage{EventID: e.EventID, Message: m})
		}
	}
	return a
}
