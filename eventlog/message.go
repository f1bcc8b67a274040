package eventlog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
)

// The roles that [Fold] gives to messages.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleTool      = "tool"
)

// A Message is one entry of the conversation that a model is shown. There are
// three kinds, and each has exactly its own keys in JSON:
//
//	Role "tool"             {role, toolCallId, content}   the result of a call
//	ToolCalls is not nil    {role, content, toolCalls}    what the model wants done
//	else                    {role, content}               what somebody said
//
// Content is any JSON value; nil stands for null.
type Message struct {
	Role       string
	Content    json.RawMessage
	ToolCalls  []ToolCall
	ToolCallID string
}

// A ToolCall is a model's wish to have a tool called. Arguments is what the
// model wrote: usually, but not always, the text of a JSON object.
type ToolCall struct {
	ToolCallID string `json:"toolCallId"`
	Name       string `json:"name"`
	Arguments  string `json:"arguments"`
}

// MarshalJSON writes the keys of the message's kind, and Content byte for byte.
// ([json.Marshal] then compacts white space in it, as it does everywhere.) It
// fails when Content is not JSON.
func (m Message) MarshalJSON() ([]byte, error) {
	content := m.Content
	if content == nil {
		content = null()
	}
	if !json.Valid(content) {
		return nil, fmt.Errorf("eventlog: message with role %q: content is not JSON: %.40q", m.Role, content)
	}
	var b bytes.Buffer
	b.WriteString(`{"role":`)
	writeJSON(&b, m.Role)
	if m.Role == RoleTool {
		b.WriteString(`,"toolCallId":`)
		writeJSON(&b, m.ToolCallID)
	}
	b.WriteString(`,"content":`)
	b.Write(content)
	if m.Role != RoleTool && m.ToolCalls != nil {
		b.WriteString(`,"toolCalls":`)
		writeJSON(&b, m.ToolCalls)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// writeJSON writes a value that has strings only, which cannot fail. <, > and &
// stay as they are: this is not a web page.
func writeJSON(b *bytes.Buffer, v any) {
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	b.Truncate(b.Len() - 1) // the encoder ends with a new line
}

// UnmarshalJSON reads what MarshalJSON writes. Keys match exactly, as everywhere
// in this package, and unknown ones are ignored; a missing content is null.
func (m *Message) UnmarshalJSON(text []byte) error {
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		return fmt.Errorf("eventlog: message: %w", err)
	}
	if o == nil {
		return nil // null leaves a value as it is, by the convention of encoding/json
	}
	read := Message{Content: o.content()}
	if err := o.decode("role", &read.Role); err != nil {
		return err
	}
	if read.Role == RoleTool {
		if err := o.decode("toolCallId", &read.ToolCallID); err != nil {
			return err
		}
	} else if _, ok := o["toolCalls"]; ok {
		var calls []object
		if err := o.decode("toolCalls", &calls); err != nil {
			return err
		}
		if calls != nil {
			read.ToolCalls = make([]ToolCall, len(calls))
		}
		for i, c := range calls {
			if err := c.toolCall(&read.ToolCalls[i]); err != nil {
				return err
			}
		}
	}
	*m = read
	return nil
}

func (o object) toolCall(c *ToolCall) error {
	return cmp.Or(
		o.decode("toolCallId", &c.ToolCallID),
		o.decode("name", &c.Name),
		o.decode("arguments", &c.Arguments),
	)
}

// decode reads one member that must be there.
func (o object) decode(key string, v any) error {
	text, ok := o[key]
	if !ok {
		return fmt.Errorf("eventlog: message: no %s", key)
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("eventlog: message: %s: %w", key, err)
	}
	return nil
}
