package agent

import (
	"context"
	"fmt"

	"forgetmenot/eventlog"
)

// callTools runs the open calls, in their order. A result is stored before the next tool runs.
func (r *run) callTools(ctx context.Context) error {
	for {
		open := r.open()
		if len(open.Open) == 0 {
			return nil
		}
		// A result goes to the newest of several calls with one id.
		call := open.Open[0]
		for _, c := range open.Open[1:] {
			if c.ToolCall.ToolCallID == call.ToolCall.ToolCallID {
				call = c
			}
		}
		tool, ok := r.l.tools[call.ToolCall.Name]
		switch cutOff := call.EventID <= r.loaded && call.Started; {
		case !ok:
			r.put(toolResult(call.ToolCall.ToolCallID, "error: there is no tool of this name"))
		case cutOff && !tool.spec.ReadOnly:
			r.put(open.Closers[0]) // the first of that id: it says that the outcome is unknown
		default:
			result, err := r.callTool(ctx, tool, call)
			if err != nil {
				return err
			}
			r.put(toolResult(call.ToolCall.ToolCallID, result))
		}
	}
}

// callTool gives the text of a call's result. An error is not the tool's but ends the turn.
func (r *run) callTool(ctx context.Context, tool knownTool, call eventlog.OpenCall) (result string, err error) {
	if !call.Started {
		r.put(toolStart(call.ToolCall.ToolCallID))
	}
	if err := r.checkpoint(ctx, BeforeTool); err != nil {
		return "", err
	}
	result, fault := r.l.call(ctx, tool, call.ToolCall.Arguments)
	if err := ctx.Err(); err != nil {
		return "", err // the turn was ended, and the tool's result says nothing but that
	}
	if fault != nil {
		result = "error: " + fault.Error()
	}
	return result, r.l.at(ctx, AfterTool, r.session)
}

// nesting is what a tool's context tells of the call that it is part of.
type nesting struct {
	l        *Loop
	readOnly bool
}

type nestingKey struct{}

func (l *Loop) call(ctx context.Context, tool knownTool, arguments string) (result string, err error) {
	ctx = context.WithValue(ctx, nestingKey{}, nesting{l, tool.spec.ReadOnly})
	err = calmly(func() (err error) {
		result, err = tool.Call(ctx, arguments)
		return err
	})
	return result, err
}

// CallTool lets a tool call another one by its name. ctx is the context that the tool was given. The call is part of the one that the model
// made: it shares its checkpoint and is no event of its own. So a tool that calls one which is not read-only cannot be read-only itself.
func CallTool(ctx context.Context, name, arguments string) (string, error) {
	outer, ok := ctx.Value(nestingKey{}).(nesting)
	if !ok {
		return "", fmt.Errorf("agent: call of the tool %q: the context is not that of a tool's call", name)
	}
	tool, ok := outer.l.tools[name]
	if !ok {
		return "", fmt.Errorf("agent: there is no tool %q", name)
	}
	if outer.readOnly && !tool.spec.ReadOnly {
		return "", fmt.Errorf("agent: a read-only tool cannot call %q, which is not read-only", name)
	}
	return outer.l.call(ctx, tool, arguments)
}
