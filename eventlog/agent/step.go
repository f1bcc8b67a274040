package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"forgetmenot/eventlog"
)

// finish goes on with the session's turn from where its events end, until the model has answered and everything is stored. A session that waits for
// nothing it leaves alone.
func (r *run) finish(ctx context.Context) error {
	if !r.owes() {
		return nil
	}
	if r.open().Turn == 0 {
		r.put(object(eventlog.TypeTurnStart)) // the session comes from elsewhere
	}
	reason := eventlog.ReasonDone
	for steps := 0; ; steps++ {
		if err := r.callTools(ctx); err != nil {
			return err
		}
		answered := r.answered()
		open := r.open()
		if open.Step != 0 && (answered || r.replied()) {
			r.put(ended(eventlog.TypeStepEnd, eventlog.ReasonDone))
			open.Step = 0
		}
		if answered {
			break
		}
		if steps == r.l.o.MaxSteps {
			r.put(assistantMessage(fmt.Sprintf("I stopped after %d steps without an answer.", steps)))
			reason = eventlog.ReasonLimit
			break
		}
		if open.Step == 0 {
			r.put(object(eventlog.TypeStepStart))
		}
		reply, err := r.ask(ctx, steps > 0)
		if err != nil {
			return err
		}
		r.put(facts(reply)...)
	}
	r.put(ended(eventlog.TypeTurnEnd, reason))
	if r.hold {
		return nil
	}
	return r.store(ctx)
}

// answered tells whether the turn's last word is the model's, with nothing that it wants done.
func (r *run) answered() bool {
	for _, e := range slices.Backward(r.events) {
		switch e.Type {
		case eventlog.TypeAssistantMessage:
			return true
		case eventlog.TypeUserMessage, eventlog.TypeToolCall, eventlog.TypeToolResult:
			return false
		}
	}
	return false
}

// replied tells whether the open step has the model's reply.
func (r *run) replied() bool {
	for _, e := range slices.Backward(r.events) {
		switch e.Type {
		case eventlog.TypeAssistantMessage, eventlog.TypeToolCall:
			return true
		case eventlog.TypeStepStart:
			return false
		}
	}
	return false
}

// ask gets the model's reply, with as many tries as the options allow.
func (r *run) ask(ctx context.Context, again bool) (reply Reply, err error) {
	for attempt := 1; ; attempt++ {
		if last := r.events[len(r.events)-1]; last.Type != eventlog.TypeModelRequest { // else a request was cut off, and is made now
			r.put(object(eventlog.TypeModelRequest))
		}
		if again {
			if err := r.checkpoint(ctx, BeforeStep); err != nil {
				return reply, err
			}
			again = false
		}
		if err := r.checkpoint(ctx, BeforeModel); err != nil {
			return reply, err
		}
		err = calmly(func() (err error) {
			reply, err = r.l.o.Model.Next(ctx, Request{SessionID: r.session, Messages: r.conversation(), Tools: slices.Clone(r.l.specs)})
			return err
		})
		if err == nil {
			return reply, nil
		}
		if ctx.Err() != nil {
			return reply, ctx.Err() // the turn was ended: the model did nothing wrong
		}
		var busy *BusyError
		if !errors.As(err, &busy) || attempt > r.l.o.Retries {
			return reply, fmt.Errorf("%w: %w", ErrModel, err)
		}
		wait := max(busy.After, r.l.o.Backoff(attempt))
		r.put(modelRetry(attempt, wait, err))
		if err := r.checkpoint(ctx, BeforeWait); err != nil {
			return reply, err
		}
		if err := r.l.o.Wait(ctx, wait); err != nil {
			return reply, err
		}
	}
}

// facts are the events of a model's reply, stored together: were the text alone in the log, it would pass for the turn's end.
func facts(reply Reply) []eventlog.NewEvent {
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
