package eventlog

import (
	"bytes"
	"encoding/json"
	"strings"
)

// OpenAIMessages is a session as the messages of OpenAI's chat completions API, a JSON array: its [Conversation] with content as text, a
// message with tool calls followed at once by one tool message for each of them.
//
// Rules: https://platform.openai.com/docs/api-reference/chat/create
func OpenAIMessages(events []Event) json.RawMessage {
	messages := []json.RawMessage{}
	for _, m := range Conversation(events) {
		messages = append(messages, OpenAIMessage(m))
	}
	return marshal(messages)
}

// OpenAIMessage is one message of a [Conversation] in the shape of [OpenAIMessages], a JSON object.
func OpenAIMessage(m Message) json.RawMessage {
	type function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	type call struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	text := Text(m.Content)
	out := struct {
		Role       string  `json:"role"`
		ToolCallID string  `json:"tool_call_id,omitempty"`
		Content    *string `json:"content"`
		ToolCalls  []call  `json:"tool_calls,omitempty"`
	}{Role: m.Role, ToolCallID: m.ToolCallID, Content: &text}
	if text == "" && m.ToolCalls != nil {
		out.Content = nil // a call may stand without words, but not with empty ones
	}
	for _, c := range m.ToolCalls {
		out.ToolCalls = append(out.ToolCalls, call{c.ToolCallID, "function", function{c.Name, orEmptyObject(c.Arguments)}})
	}
	return marshal(out)
}

// AnthropicMessages is a session as the messages of Anthropic's messages API, a JSON array: its [Conversation] in blocks, roles taking turns,
// the user first, the results of a message's tool_use blocks first in the message behind it. Texts of nothing but white space, which the API
// refuses, are left out. Arguments that are not a JSON object become {"arguments": what the model wrote}.
//
// Rules: https://docs.anthropic.com/en/api/messages
func AnthropicMessages(events []Event) json.RawMessage {
	type block struct {
		Type      string          `json:"type"`
		Text      *string         `json:"text,omitempty"`
		ID        string          `json:"id,omitempty"`
		Name      string          `json:"name,omitempty"`
		Input     json.RawMessage `json:"input,omitempty"`
		ToolUseID string          `json:"tool_use_id,omitempty"`
		Content   *string         `json:"content,omitempty"`
	}
	type message struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}
	messages := []message{}
	put := func(role string, b block) {
		if n := len(messages); n > 0 && messages[n-1].Role == role {
			messages[n-1].Content = append(messages[n-1].Content, b)
			return
		}
		if len(messages) == 0 && role != RoleUser {
			opening := "(The conversation begins with the assistant.)"
			messages = append(messages, message{RoleUser, []block{{Type: "text", Text: &opening}}})
		}
		messages = append(messages, message{role, []block{b}})
	}
	for _, m := range Conversation(events) {
		text := Text(m.Content)
		if m.Role == RoleTool {
			put(RoleUser, block{Type: "tool_result", ToolUseID: m.ToolCallID, Content: &text})
			continue
		}
		if strings.TrimSpace(text) != "" {
			put(m.Role, block{Type: "text", Text: &text})
		}
		for _, c := range m.ToolCalls {
			put(RoleAssistant, block{Type: "tool_use", ID: c.ToolCallID, Name: c.Name, Input: toolInput(c.Arguments)})
		}
	}
	return marshal(messages)
}

func orEmptyObject(arguments string) string {
	if strings.TrimSpace(arguments) == "" {
		return "{}"
	}
	return arguments
}

func toolInput(arguments string) json.RawMessage {
	text := []byte(orEmptyObject(arguments))
	if o := members(text); o != nil {
		return text
	}
	return marshal(map[string]string{"arguments": arguments})
}

func marshal(v any) json.RawMessage {
	var b bytes.Buffer
	writeJSON(&b, v)
	return b.Bytes()
}
