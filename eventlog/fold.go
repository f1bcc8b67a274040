package eventlog

import (
	"encoding/json"
	"strings"
)

// Fold turns a session's events into the messages that a model is shown, in
// their order, one for each event:
//
//	user_message      {content}                   {role: "user", content}
//	assistant_message {content}                   {role: "assistant", content}
//	tool_call         {callId, name, arguments}   {role: "assistant", content: null, toolCalls: [{toolCallId: callId, name, arguments}]}
//	tool_result       {callId, content}           {role: "tool", toolCallId: callId, content}
//	any other type                                no message
//
// It folds events one by one: a result without its call, a repeated call id and
// calls side by side are nothing special. Keys that are not in the table do not
// reach the message, and keys match exactly, as in JavaScript: {"Content":1} has
// no content. Of a key that is there several times the last one counts.
//
// content is any JSON value, and is kept byte for byte, so that 1.0 and
// 12345678901234567890 survive. When it is missing it is null. callId, name and
// arguments should be strings; one that is missing or null folds to "", and any
// other value to its JSON text. A Go string cannot hold half a surrogate pair:
// "\ud800" in one of these three becomes U+FFFD, whereas in content it stays as
// it was written.
//
// Fold is pure: it keeps nothing of its argument, and does not change it. It is
// never nil, and never fails: an event with a payload that Append would refuse
// folds as if the payload were {}.
func Fold(events []Event) []Message {
	messages := make([]Message, 0, len(events))
	for _, e := range events {
		if m, ok := foldEvent(e.Type, e.Payload); ok {
			messages = append(messages, m)
		}
	}
	return messages
}

// foldEvent copies what it keeps of payload.
func foldEvent(eventType string, payload []byte) (Message, bool) {
	switch eventType {
	case TypeUserMessage:
		return Message{Role: RoleUser, Content: members(payload).content()}, true
	case TypeAssistantMessage:
		return Message{Role: RoleAssistant, Content: members(payload).content()}, true
	case TypeToolCall:
		p := members(payload)
		return Message{Role: RoleAssistant, Content: null(), ToolCalls: []ToolCall{{
			ToolCallID: p.text("callId"),
			Name:       p.text("name"),
			Arguments:  p.text("arguments"),
		}}}, true
	case TypeToolResult:
		p := members(payload)
		return Message{Role: RoleTool, ToolCallID: p.text("callId"), Content: p.content()}, true
	}
	return Message{}, false
}

// An object is the members of a JSON object, values byte for byte. A map and not
// a struct, since encoding/json takes "Content" for a field named content.
type object map[string]json.RawMessage

// members of a JSON object; none when the text is anything else.
func members(text []byte) object {
	var o object
	if err := json.Unmarshal(text, &o); err != nil {
		return nil
	}
	return o
}

func (o object) content() json.RawMessage {
	if v, ok := o["content"]; ok {
		return v
	}
	return null()
}

func (o object) text(key string) string {
	v, ok := o[key]
	if !ok {
		return ""
	}
	// Into a string, null decodes to "".
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		return strings.Clone(string(v))
	}
	return s
}

func null() json.RawMessage { return json.RawMessage("null") }
