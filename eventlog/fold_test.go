package eventlog_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"forgetmenot/eventlog"
)

func event(eventType, payload string) eventlog.Event {
	return eventlog.Event{EventID: 1, SessionID: "s", Type: eventType, Payload: json.RawMessage(payload)}
}

func TestFold(t *testing.T) {
	const (
		user, assistant = eventlog.TypeUserMessage, eventlog.TypeAssistantMessage
		call, result    = eventlog.TypeToolCall, eventlog.TypeToolResult
	)
	tests := []struct{ name, typ, payload, message string }{
		{"user", user, `{"content":"hi"}`, `{"role":"user","content":"hi"}`},
		{"assistant", assistant, `{"content":"hi"}`, `{"role":"assistant","content":"hi"}`},
		{"call", call, `{"callId":"c1","name":"weather","arguments":"{\"city\": \"Paris\"}"}`,
			`{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"c1","name":"weather","arguments":"{\"city\": \"Paris\"}"}]}`},
		{"result", result, `{"callId":"c1","content":{"C":21}}`, `{"role":"tool","toolCallId":"c1","content":{"C":21}}`},

		{"unknown type", "note", `{"content":"hi"}`, ``},
		{"other case", "User_Message", `{"content":"hi"}`, ``},
		{"a space", "user_message ", `{"content":"hi"}`, ``},
		{"no type", "", `{"content":"hi"}`, ``},

		{"other keys", user, `{"role":"system","content":1,"toolCalls":[],"toolCallId":"x","eventId":9}`, `{"role":"user","content":1}`},
		{"other keys of a call", call, `{"content":"leak","callId":"c","name":"n","arguments":"","toolCallId":"x"}`,
			`{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"c","name":"n","arguments":""}]}`},
		{"key in other case, first", user, `{"Content":1,"content":2}`, `{"role":"user","content":2}`},
		{"key in other case, last", user, `{"content":2,"CONTENT":1}`, `{"role":"user","content":2}`},
		{"only in other case", user, `{"Content":1}`, `{"role":"user","content":null}`},
		{"call in other case", call, `{"CallID":"x","callId":"c","NAME":"x","Arguments":"x"}`,
			`{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"c","name":"","arguments":""}]}`},
		{"repeated key", user, `{"content":1,"content":2}`, `{"role":"user","content":2}`},
		{"escaped key", user, `{"content":1,"\u0063ontent":2}`, `{"role":"user","content":2}`},
		{"inner key", user, `{"x":{"content":1}}`, `{"role":"user","content":null}`},

		{"number as written", user, `{"content":1.0}`, `{"role":"user","content":1.0}`},
		{"large number", user, `{"content":12345678901234567890}`, `{"role":"user","content":12345678901234567890}`},
		{"white space", user, " { \"content\" :\n[ 1 , \"<&>\u2028\" ] , \"x\" : 1 }\n", "{\"role\":\"user\",\"content\":[ 1 , \"<&>\u2028\" ]}"},
		{"white space after a number", user, `{"content": 1.50 }`, `{"role":"user","content":1.50}`},
		{"white space after null", user, `{"content": null }`, `{"role":"user","content":null}`},
		{"empty string", user, `{"content":""}`, `{"role":"user","content":""}`},
		{"zero", user, `{"content":0}`, `{"role":"user","content":0}`},
		{"false", result, `{"callId":"","content":false}`, `{"role":"tool","toolCallId":"","content":false}`},
		{"half a surrogate pair", user, `{"content":"\ud800"}`, `{"role":"user","content":"\ud800"}`},
		{"half a surrogate pair in a call", call, `{"callId":"\ud800","name":"\ud83d\ude00","arguments":"\udc00"}`,
			"{\"role\":\"assistant\",\"content\":null,\"toolCalls\":[{\"toolCallId\":\"\ufffd\",\"name\":\"\U0001f600\",\"arguments\":\"\ufffd\"}]}"},
		{"markup in a call", result, `{"callId":"<&>","content":"<&>"}`, `{"role":"tool","toolCallId":"<&>","content":"<&>"}`},

		{"no content", user, `{}`, `{"role":"user","content":null}`},
		{"no content of a result", result, `{"callId":"c"}`, `{"role":"tool","toolCallId":"c","content":null}`},
		{"empty call", call, `{}`, `{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"","name":"","arguments":""}]}`},
		{"call without strings", call, `{"callId":1.0,"name":null,"arguments":{"a": 1}}`,
			`{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"1.0","name":"","arguments":"{\"a\": 1}"}]}`},

		// Append refuses these; Fold takes what it is given.
		{"no payload", user, ``, `{"role":"user","content":null}`},
		{"null payload", user, `null`, `{"role":"user","content":null}`},
		{"not an object", user, `["content"]`, `{"role":"user","content":null}`},
		{"not JSON", user, `{"content":1,`, `{"role":"user","content":null}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			messages := eventlog.Fold([]eventlog.Event{event(test.typ, test.payload)})
			if test.message == "" {
				require.Equal(t, []eventlog.Message{}, messages)
				return
			}
			require.Len(t, messages, 1)
			text, err := messages[0].MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, test.message, string(text))
		})
	}
}

// Events are folded one by one, whatever stands around them.
func TestFoldGoesOneByOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) eventlog.Event {
			return event(eventTypes.Draw(t, "type"), payloads.Draw(t, "payload"))
		}), 0, 20).Draw(t, "events")

		want := []eventlog.Message{}
		for _, e := range events {
			want = append(want, eventlog.Fold([]eventlog.Event{e})...)
		}
		require.Equal(t, want, eventlog.Fold(events))
	})
}

// The same fold by other means: through values and not through bytes.
func TestFoldAgreesWithValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := event(eventTypes.Draw(t, "type"), payloads.Draw(t, "payload"))
		var p map[string]any
		require.NoError(t, decode(e.Payload, &p))
		str := func(key string) any {
			switch v := p[key].(type) {
			case nil:
				return ""
			case string:
				return v
			default:
				return t // anything else is tested in TestFold
			}
		}
		var want []any
		switch e.Type {
		case "user_message":
			want = []any{map[string]any{"role": "user", "content": p["content"]}}
		case "assistant_message":
			want = []any{map[string]any{"role": "assistant", "content": p["content"]}}
		case "tool_call":
			call := map[string]any{"toolCallId": str("callId"), "name": str("name"), "arguments": str("arguments")}
			if call["toolCallId"] == t || call["name"] == t || call["arguments"] == t {
				t.Skip("not strings")
			}
			want = []any{map[string]any{"role": "assistant", "content": nil, "toolCalls": []any{call}}}
		case "tool_result":
			if str("callId") == t {
				t.Skip("not a string")
			}
			want = []any{map[string]any{"role": "tool", "toolCallId": str("callId"), "content": p["content"]}}
		default:
			want = []any{}
		}
		text, err := json.Marshal(eventlog.Fold([]eventlog.Event{e}))
		require.NoError(t, err)
		var got []any
		require.NoError(t, decode(text, &got))
		require.Equal(t, want, got)
	})
}

func decode(text []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(v)
}

func TestFoldOfManyKeys(t *testing.T) {
	payload := `{"content":1` + strings.Repeat(`,"Content":2`, 1000) + `}`
	require.Equal(t, "1", string(eventlog.Fold([]eventlog.Event{event(eventlog.TypeUserMessage, payload)})[0].Content))
}
