package agent_test

import (
	"context"
	"iter"
	"sync"
	"sync/atomic"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
)

// A bent store does something of its own around each append; n counts them from 1. next is the right append.
type bent struct {
	eventlog.Store
	n      atomic.Int64
	append func(n int64, next func() (eventlog.Receipt, error)) (eventlog.Receipt, error)
	watch  func(ctx context.Context, after int64) iter.Seq2[eventlog.StoredEvent, error]
}

func (b *bent) Append(ctx context.Context, id string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error) {
	next := func() (eventlog.Receipt, error) { return b.Store.Append(ctx, id, events, o) }
	if b.append == nil {
		return next()
	}
	return b.append(b.n.Add(1), next)
}

func (b *bent) Watch(ctx context.Context, after int64) iter.Seq2[eventlog.StoredEvent, error] {
	if b.watch == nil {
		return b.Store.Watch(ctx, after)
	}
	return b.watch(ctx, after)
}

// A modelFunc is a model.
type modelFunc func(ctx context.Context, r agent.Request) (agent.Reply, error)

func (f modelFunc) Next(ctx context.Context, r agent.Request) (agent.Reply, error) { return f(ctx, r) }

// script is a model that gives these replies in the turns' order, by how many messages came since the user's.
func script(replies ...agent.Reply) agent.Model {
	return modelFunc(func(_ context.Context, r agent.Request) (agent.Reply, error) {
		step := 0
		for _, m := range r.Messages {
			switch m.Role {
			case eventlog.RoleUser:
				step = 0
			case eventlog.RoleTool:
				step++
			}
		}
		for i, reply := range replies {
			if step <= 0 {
				return replies[i], nil
			}
			step -= max(1, len(reply.Calls))
		}
		return agent.Reply{Text: "the end"}, nil
	})
}

// A tool counts how often it was called.
type tool struct {
	name     string
	readOnly bool
	call     func(ctx context.Context, arguments string) (string, error)

	mu    sync.Mutex
	calls []string
}

func (t *tool) Spec() agent.ToolSpec { return agent.ToolSpec{Name: t.name, ReadOnly: t.readOnly} }

func (t *tool) Call(ctx context.Context, arguments string) (string, error) {
	t.mu.Lock()
	t.calls = append(t.calls, arguments)
	t.mu.Unlock()
	if t.call != nil {
		return t.call(ctx, arguments)
	}
	return "done " + arguments, nil
}

func (t *tool) called() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.calls
}

func calling(name string, arguments ...string) agent.Reply {
	var reply agent.Reply
	for _, a := range arguments {
		reply.Calls = append(reply.Calls, eventlog.ToolCall{ToolCallID: "c", Name: name, Arguments: a})
	}
	return reply
}
