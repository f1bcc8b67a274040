package eventlog_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"forgetmenot/eventlog"
)

// eventsOf reads a session from lines of a type and a payload.
func eventsOf(lines string) []eventlog.StoredEvent {
	var events []eventlog.StoredEvent
	for line := range strings.Lines(strings.TrimSpace(lines)) {
		eventType, payload, _ := strings.Cut(strings.TrimSpace(line), " ")
		events = stored(events, eventlog.NewEvent{Type: eventType, Payload: json.RawMessage(payload)})
	}
	return events
}

// closersOf shows closers, a result by how its content begins.
func closersOf(r eventlog.Recovery) string {
	var lines []string
	for _, c := range r.Closers {
		var p struct{ CallID, Content, Reason string }
		if err := json.Unmarshal(c.Payload, &p); err != nil || p.Reason != "crashed" {
			return "no closer: " + string(c.Payload)
		}
		code, _, _ := strings.Cut(p.Content, ":")
		lines = append(lines, strings.TrimSpace(strings.Join([]string{c.Type, p.CallID, code}, " ")))
	}
	return strings.Join(lines, ", ")
}

func TestRecover(t *testing.T) {
	const asked = `
		turn_start {}
		user_message {"content":"how many?"}
		step_start {}
		model_request {}
		tool_call {"callId":"c1","name":"count","arguments":"{}"}
		tool_call {"callId":"c2","name":"count","arguments":"{}"}
	`
	tests := []struct{ name, events, want string }{
		{"nothing has happened", ``, ``},
		{"a whole turn", "turn_start {}\nuser_message {\"content\":1}\nstep_start {}\nassistant_message {\"content\":1}\nstep_end {}\nturn_end {}", ``},
		{"before the first step", "turn_start {}\nuser_message {\"content\":1}", `turn_end`},
		{"while the model thinks", "turn_start {}\nuser_message {\"content\":1}\nstep_start {}\nmodel_request {}", `step_end, turn_end`},
		{"before any call", asked, `tool_result c1 TOOL_NOT_STARTED, tool_result c2 TOOL_NOT_STARTED, step_end, turn_end`},
		{"during the first call", asked + `tool_start {"callId":"c1"}`,
			`tool_result c1 TOOL_OUTCOME_UNKNOWN, tool_result c2 TOOL_NOT_STARTED, step_end, turn_end`},
		{"between the calls", asked + "tool_start {\"callId\":\"c1\"}\ntool_result {\"callId\":\"c1\",\"content\":7}",
			`tool_result c2 TOOL_NOT_STARTED, step_end, turn_end`},
		{"in the middle of the closers", asked + `tool_result {"callId":"c1","content":"TOOL_NOT_STARTED: …","reason":"crashed"}`,
			`tool_result c2 TOOL_NOT_STARTED, step_end, turn_end`},
		{"without turns nobody knows what was started", `
			user_message {"content":1}
			tool_call {"callId":"c1","name":"count","arguments":"{}"}`, `tool_result c1 TOOL_OUTCOME_UNKNOWN`},
		{"one id twice: the first result goes to the newest call", `
			turn_start {}
			tool_call {"callId":"c1","name":"old","arguments":"{}"}
			tool_start {"callId":"c1"}
			tool_call {"callId":"c1","name":"new","arguments":"{}"}`,
			`tool_result c1 TOOL_NOT_STARTED, tool_result c1 TOOL_OUTCOME_UNKNOWN, turn_end`},
		{"one id twice: the newest call that has not started starts", `
			turn_start {}
			tool_call {"callId":"c1","name":"old","arguments":"{}"}
			tool_call {"callId":"c1","name":"new","arguments":"{}"}
			tool_start {"callId":"c1"}`,
			`tool_result c1 TOOL_OUTCOME_UNKNOWN, tool_result c1 TOOL_NOT_STARTED, turn_end`},
		{"a closed turn is left alone", `
			turn_start {}
			tool_call {"callId":"c1","name":"count","arguments":"{}"}
			turn_end {"reason":"done"}
			turn_start {}`, `turn_end`},
		{"also where its call stands in the way", `
			tool_call {"callId":"c1","name":"bare","arguments":"{}"}
			turn_start {}
			tool_call {"callId":"c1","name":"closed","arguments":"{}"}
			turn_end {"reason":"done"}
			turn_start {}
			tool_call {"callId":"c1","name":"open","arguments":"{}"}`, `tool_result c1 TOOL_NOT_STARTED, turn_end`},
		{"a crash that was not recovered from", `
			turn_start {}
			step_start {}
			tool_call {"callId":"c1","name":"count","arguments":"{}"}
			turn_start {}`, `tool_result c1 TOOL_NOT_STARTED, turn_end`},
		{"a call without an id", "turn_start {}\ntool_call {}", `tool_result  TOOL_NOT_STARTED, turn_end`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, closersOf(eventlog.Recover(eventsOf(test.events))))
		})
	}
}

func TestRecoverySaysWhatIsOpen(t *testing.T) {
	r := eventlog.Recover(eventsOf(`
		turn_start {}
		step_start {}
		tool_call {"callId":"c1","name":"count","arguments":"{}"}`))
	require.Equal(t, eventlog.Recovery{
		LastEventID: 5, Turn: 1, Step: 3,
		Open: []eventlog.OpenCall{{EventID: 5, ToolCall: eventlog.ToolCall{ToolCallID: "c1", Name: "count", Arguments: "{}"}}},
		Closers: []eventlog.NewEvent{
			{Type: "tool_result", Payload: json.RawMessage(`{"callId":"c1","content":"TOOL_NOT_STARTED: the agent ended before it made this call. Nothing has happened.","reason":"crashed","time":1700000005000}`)},
			{Type: "step_end", Payload: json.RawMessage(`{"reason":"crashed","time":1700000005000}`)},
			{Type: "turn_end", Payload: json.RawMessage(`{"reason":"crashed","time":1700000005000}`)},
		},
	}, r)
}

// Wherever a run is cut, what Recover says ends it, once, and no turn that had ended looks different.
func TestRecoveryOfEveryCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := drawRuns(t)
		var running eventlog.Recoverer
		for n := range len(whole) + 1 {
			if n > 0 {
				running.Add(whole[n-1])
			}
			cut, r := whole[:n], running.Recovery()
			closed := stored(cut, r.Closers...)
			if again := eventlog.Recover(closed); len(again.Closers) > 0 {
				t.Fatalf("cut behind %d events: open after the closers: %s", n, closersOf(again))
			}
			before, after := eventlog.ProjectToolCalls(plain(cut)), eventlog.ProjectToolCalls(plain(closed))
			require.Len(t, after, len(before))
			for i, b := range before {
				if b.Status == eventlog.ToolCallOpen && after[i].Status != eventlog.ToolCallDone {
					t.Fatalf("cut behind %d events: the call of event %d is %s", n, b.EventID, after[i].Status)
				}
				if b.Status != eventlog.ToolCallOpen && !reflect.DeepEqual(b, after[i]) {
					t.Fatalf("cut behind %d events: a call that had its result was touched: %v is now %v", n, b, after[i])
				}
			}
		}
	})
}

// A recovery can be cut off as well, and the same events always have the same closers.
func TestRecoveryOfACutRecovery(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := drawRuns(t)
		cut := whole[:rapid.IntRange(0, len(whole)).Draw(t, "cut")]
		r := eventlog.Recover(cut)
		require.Equal(t, r, eventlog.Recover(cut))
		for n := range r.Closers {
			want := closersOf(eventlog.Recovery{Closers: r.Closers[n:]})
			require.Equal(t, want, closersOf(eventlog.Recover(stored(cut, r.Closers[:n]...))))
		}
	})
}

// A tool whose call was closed may be alive, and answer.
func TestLateResultsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := drawRuns(t)
		cut := whole[:rapid.IntRange(0, len(whole)).Draw(t, "cut")]
		r := eventlog.Recover(cut)
		for _, open := range r.Open {
			late := stored(stored(cut, r.Closers...), eventlog.NewEvent{
				Type: eventlog.TypeToolResult, Payload: json.RawMessage(`{"callId":` + text(open.ToolCall.ToolCallID) + `,"content":"real"}`),
			})
			states := eventlog.ProjectToolCalls(plain(late))
			require.Equal(t, eventlog.ToolCallLate, states[len(states)-1].Status)
			require.Equal(t, json.RawMessage(`"real"`), states[len(states)-1].Result)
			require.Empty(t, eventlog.Recover(late).Closers)
		}
	})
}
