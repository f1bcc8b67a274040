package eventlog_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"forgetmenot/eventlog"
)

func TestMessageKinds(t *testing.T) {
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	tests := []struct {
		name    string
		message eventlog.Message
		text    string
	}{
		{"said", eventlog.Message{Role: "user", Content: raw(`"<hi>"`)}, `{"role":"user","content":"<hi>"}`},
		{"no content", eventlog.Message{Role: "user"}, `{"role":"user","content":null}`},
		{"other role", eventlog.Message{Role: "<system>", Content: raw(`1.0`)}, `{"role":"<system>","content":1.0}`},
		{"call id of nobody", eventlog.Message{Role: "user", ToolCallID: "c"}, `{"role":"user","content":null}`},
		{"calls", eventlog.Message{Role: "assistant", Content: raw(`"two"`), ToolCalls: []eventlog.ToolCall{{"a", "n", "{}"}, {"b", "n", "<"}}},
			`{"role":"assistant","content":"two","toolCalls":[{"toolCallId":"a","name":"n","arguments":"{}"},{"toolCallId":"b","name":"n","arguments":"<"}]}`},
		{"no calls", eventlog.Message{Role: "assistant", ToolCalls: []eventlog.ToolCall{}}, `{"role":"assistant","content":null,"toolCalls":[]}`},
		{"result", eventlog.Message{Role: "tool", ToolCallID: "c", Content: raw(`[ 1 ]`)}, `{"role":"tool","toolCallId":"c","content":[ 1 ]}`},
		{"result without id", eventlog.Message{Role: "tool"}, `{"role":"tool","toolCallId":"","content":null}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, err := test.message.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, test.text, string(text))

			var back eventlog.Message
			require.NoError(t, back.UnmarshalJSON(text))
			again, err := back.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, test.text, string(again))
		})
	}
	_, err := json.Marshal(eventlog.Message{Role: "user", Content: raw(`{`)})
	require.ErrorContains(t, err, `message with role "user": content is not JSON: "{"`)
}

func TestMessageFromJSON(t *testing.T) {
	tests := []struct{ text, want, err string }{
		{text: `{"role":"user","content":1}`, want: `{"role":"user","content":1}`},
		{text: `{"Role":"x","role":"user","Content":1}`, want: `{"role":"user","content":null}`},
		{text: `{"role":"user","content":1,"toolCallId":7,"x":[]}`, want: `{"role":"user","content":1}`},
		{text: `{"role":"tool","toolCallId":"c","content":1,"toolCalls":3}`, want: `{"role":"tool","toolCallId":"c","content":1}`},
		{text: `{"role":"assistant","toolCalls":null}`, want: `{"role":"assistant","content":null}`},
		{text: `{"role":"assistant","toolCalls":[{"ToolCallId":"x","toolCallId":"c","name":"n","arguments":"a"}]}`,
			want: `{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"c","name":"n","arguments":"a"}]}`},
		{text: `{}`, err: "no role"},
		{text: `{"role":1}`, err: "role: "},
		{text: `{"role":"tool"}`, err: "no toolCallId"},
		{text: `{"role":"assistant","toolCalls":{}}`, err: "toolCalls: "},
		{text: `{"role":"assistant","toolCalls":[{"toolCallId":"c","arguments":"a"}]}`, err: "no name"},
		{text: `[]`, err: "message: "},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			var m eventlog.Message
			err := json.Unmarshal([]byte(test.text), &m)
			if test.err != "" {
				require.ErrorContains(t, err, test.err)
				require.Zero(t, m)
				return
			}
			require.NoError(t, err)
			text, err := json.Marshal(m)
			require.NoError(t, err)
			require.Equal(t, test.want, string(text))
		})
	}
	m := eventlog.Message{Role: "user"}
	require.NoError(t, json.Unmarshal([]byte(`null`), &m))
	require.Equal(t, "user", m.Role)
}

// A folded message survives its way through JSON unchanged.
func TestMessageThereAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		messages := eventlog.Fold([]eventlog.Event{event(eventTypes.Draw(t, "type"), payloads.Draw(t, "payload"))})
		for _, m := range messages {
			text, err := m.MarshalJSON()
			require.NoError(t, err)
			var back eventlog.Message
			require.NoError(t, back.UnmarshalJSON(text))
			require.Equal(t, m, back)
		}
	})
}
