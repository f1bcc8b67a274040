package eventlog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Conversation is a session's events as a model's provider takes them. [Fold] tells what happened, event by event; providers want a dialogue:
//
//   - Calls that the model made side by side, and what it said just before them, are one message. A start or end of a turn or step, a result
//     and any other message stand between two replies of a model.
//   - The results of a message's calls follow at once, in the order of the calls, wherever they stand in the log. A call that has none is
//     shown as TOOL_OUTCOME_UNKNOWN; append what [Recover] says, so that the log tells it too.
//   - A result that answers no open call, late or orphan (see [ProjectToolCalls]), is shown in words, as a message of the user.
//   - Call ids are unique: one that comes again, is empty, is longer than 40 bytes or has other characters than A-Z a-z 0-9 _ - is replaced by
//     one made of the event's id. Names of tools are cut to 64 of these characters, the others becoming _.
//   - The newest summary stands for all events up to the id in its until: its content comes first, as a message of the user, and
//     they are not shown. They stay in the log, and a summary is itself only shown as long as no newer one is there. The result of a call
//     before a summary's end, behind it, is shown in words.
//
// The events are those of one session, in order. Like Fold it is pure and never fails.
func Conversation(events []Event) []Message {
	c := conversation{messages: []Message{}, ids: map[string]bool{}, calls: map[int64]ToolCallState{}, answered: map[int64]bool{}}
	shown, summary := summarised(events)
	if summary != nil {
		c.messages = append(c.messages, *summary)
	}
	for _, state := range ProjectToolCalls(events) {
		c.calls[state.EventID] = state
	}
	for _, e := range shown {
		c.add(e)
	}
	c.flush()
	return c.messages
}

// summarised gives the events that the newest summary leaves to be shown, and its message.
func summarised(events []Event) (shown []Event, summary *Message) {
	for _, e := range slices.Backward(events) {
		if e.Type != TypeSummary {
			continue
		}
		p := members(e.Payload)
		var until int64
		if json.Unmarshal(p["until"], &until) != nil || until < 1 || until >= e.EventID {
			continue // it does not say what it stands for
		}
		first := slices.IndexFunc(events, func(e Event) bool { return e.EventID > until })
		return events[first:], &Message{Role: RoleUser, Content: p.content()}
	}
	return events, nil
}

type conversation struct {
	messages []Message
	ids      map[string]bool // those given out
	calls    map[int64]ToolCallState
	answered map[int64]bool // result events that stand with their call

	reply *Message // of the model, while it grows
	made  []int64  // the tool_call events of its calls
}

func (c *conversation) add(e Event) {
	m, _ := foldEvent(e.Type, e.Payload)
	switch e.Type {
	case TypeUserMessage:
		c.flush()
		c.messages = append(c.messages, m)
	case TypeAssistantMessage:
		c.flush()
		c.reply = &m
	case TypeToolCall:
		if c.reply == nil {
			c.reply = &Message{Role: RoleAssistant, Content: null()}
		}
		call := m.ToolCalls[0]
		call.ToolCallID, call.Name = c.callID(call.ToolCallID, e.EventID), toolName(call.Name)
		c.reply.ToolCalls = append(c.reply.ToolCalls, call)
		c.made = append(c.made, e.EventID)
		if state := c.calls[e.EventID]; state.Status == ToolCallDone {
			c.answered[state.ResultEventID] = true
		}
	case TypeToolResult:
		c.flush()
		if !c.answered[e.EventID] {
			text := fmt.Sprintf("A result of the tool call %q came by itself: %s", m.ToolCallID, Text(m.Content))
			c.messages = append(c.messages, Message{Role: RoleUser, Content: quote(text)})
		}
	case TypeTurnStart, TypeTurnEnd, TypeStepStart, TypeStepEnd:
		c.flush()
	}
}

// flush ends the model's message, and puts the results of its calls behind it.
func (c *conversation) flush() {
	if c.reply == nil {
		return
	}
	c.messages = append(c.messages, *c.reply)
	for i, eventID := range c.made {
		content := quote(ToolOutcomeUnknown + ": no result of this call is in the log.")
		if state := c.calls[eventID]; state.Status == ToolCallDone {
			content = state.Result
		}
		c.messages = append(c.messages, Message{Role: RoleTool, ToolCallID: c.reply.ToolCalls[i].ToolCallID, Content: content})
	}
	c.reply, c.made = nil, nil
}

const maxCallID, maxToolName = 40, 64

// callID gives a call's own id, or another one where a provider would refuse it.
func (c *conversation) callID(id string, eventID int64) string {
	if id == "" || len(id) > maxCallID || c.ids[id] || strings.ContainsFunc(id, odd) {
		id = fmt.Sprintf("call_%d", eventID)
		for c.ids[id] {
			id += "_"
		}
	}
	c.ids[id] = true
	return id
}

func toolName(name string) string {
	if name == "" {
		return "unnamed"
	}
	name = strings.Map(func(r rune) rune {
		if odd(r) {
			return '_'
		}
		return r
	}, name)
	return name[:min(len(name), maxToolName)]
}

func odd(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
}

// Text is a message's content as text: a JSON string is what it says, null is empty, and any other value is its JSON.
func Text(content json.RawMessage) string {
	return object{"": content}.text("")
}

func quote(text string) json.RawMessage {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always is JSON
	}
	return b
}
