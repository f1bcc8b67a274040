package eventlog_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"forgetmenot/eventlog"
)

func TestConversation(t *testing.T) {
	tests := []struct{ name, events, want string }{
		{"nothing", ``, `[]`},
		{"calls side by side are one message, results behind it in their order", `
			tool_call {"callId":"a","name":"n","arguments":"{}"}
			tool_call {"callId":"b","name":"n","arguments":"{}"}
			tool_result {"callId":"b","content":2}
			tool_result {"callId":"a","content":1}`,
			`[{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"a","name":"n","arguments":"{}"},{"toolCallId":"b","name":"n","arguments":"{}"}]},
			{"role":"tool","toolCallId":"a","content":1},{"role":"tool","toolCallId":"b","content":2}]`},
		{"a step between calls makes them two messages", `
			tool_call {"callId":"a","name":"n","arguments":"{}"}
			step_start {}
			tool_call {"callId":"b","name":"n","arguments":"{}"}
			tool_result {"callId":"b","content":2}
			tool_result {"callId":"a","content":1}`,
			`[{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"a","name":"n","arguments":"{}"}]},{"role":"tool","toolCallId":"a","content":1},
			{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"b","name":"n","arguments":"{}"}]},{"role":"tool","toolCallId":"b","content":2}]`},
		{"what somebody says meanwhile comes behind the result", `
			tool_call {"callId":"a","name":"n","arguments":"{}"}
			user_message {"content":"well?"}
			tool_result {"callId":"a","content":1}`,
			`[{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"a","name":"n","arguments":"{}"}]},{"role":"tool","toolCallId":"a","content":1},
			{"role":"user","content":"well?"}]`},
		{"an event of another kind is no end of a message", `
			tool_call {"callId":"a","name":"n","arguments":"{}"}
			note {}
			tool_call {"callId":"b","name":"n","arguments":"{}"}`,
			`[{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"a","name":"n","arguments":"{}"},{"toolCallId":"b","name":"n","arguments":"{}"}]},
			{"role":"tool","toolCallId":"a","content":"TOOL_OUTCOME_UNKNOWN: no result of this call is in the log."},
			{"role":"tool","toolCallId":"b","content":"TOOL_OUTCOME_UNKNOWN: no result of this call is in the log."}]`},
		{"a name that another call was given", `
			tool_call {"callId":"call_3","name":"n","arguments":"{}"}
			tool_call {"callId":"call_3","name":"n","arguments":"{}"}
			tool_result {"callId":"call_3","content":"new"}
			tool_result {"callId":"call_3","content":"old"}`,
			`[{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"call_3","name":"n","arguments":"{}"},{"toolCallId":"call_3_","name":"n","arguments":"{}"}]},
			{"role":"tool","toolCallId":"call_3","content":"old"},{"role":"tool","toolCallId":"call_3_","content":"new"}]`},
		{"an orphan", `tool_result {"callId":"a","content":"7"}`, `[{"role":"user","content":"A result of the tool call \"a\" came by itself: 7"}]`},
		{"a summary", `
			user_message {"content":1}
			tool_call {"callId":"a","name":"n","arguments":"{}"}
			user_message {"content":3}
			summary {"content":"old","until":1}
			summary {"content":"gist","until":4}
			tool_result {"callId":"a","content":"late"}
			user_message {"content":6}`,
			`[{"role":"user","content":"gist"},{"role":"user","content":3},{"role":"user","content":"A result of the tool call \"a\" came by itself: late"},{"role":"user","content":6}]`},
		{"a summary of everything", "user_message {\"content\":1}\nsummary {\"content\":\"gist\",\"until\":2}", `[{"role":"user","content":"gist"}]`},
		{"summaries that do not say of what", `
			user_message {"content":1}
			summary {"content":"of itself","until":3}
			summary {"content":"of nothing","until":0}
			summary {"content":"of something","until":1.5}
			summary {"content":"forgot"}`, `[{"role":"user","content":1}]`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			events := plain(eventsOf(test.events))
			before, _ := json.Marshal(events)
			got, err := json.Marshal(eventlog.Conversation(events))
			require.NoError(t, err)
			require.JSONEq(t, test.want, string(got))
			after, _ := json.Marshal(events)
			require.Equal(t, string(before), string(after), "the events were changed")
		})
	}
}

func TestText(t *testing.T) {
	for content, want := range map[string]string{`"a\nb"`: "a\nb", `null`: "", ``: "", `12345678901234567890`: "12345678901234567890", `{"a": 1.0}`: `{"a": 1.0}`} {
		require.Equal(t, want, eventlog.Text(json.RawMessage(content)))
	}
}
