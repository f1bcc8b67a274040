package eventlog_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"forgetmenot/eventlog"
)

func TestProviderShapes(t *testing.T) {
	events := plain(eventsOf(`
		turn_start {}
		user_message {"content":"how many?"}
		step_start {}
		assistant_message {"content":"Let me look."}
		tool_call {"callId":"c1","name":"count","arguments":"{\"of\":\"orders\"}"}
		tool_call {"callId":"c2","name":"web.search","arguments":""}
		tool_start {"callId":"c2"}
		tool_result {"callId":"c2","content":{"found": 1.0}}
		user_message {"content":"<still there>"}
		tool_result {"callId":"c1","content":"7"}
		step_end {}
		step_start {}
		tool_call {"callId":"c1","name":"count","arguments":"[1]"}
		tool_result {"callId":"c1","content":null}
		tool_result {"callId":"c1","content":8}
		assistant_message {"content":"Seven."}`))
	require.JSONEq(t, `[
		{"role":"user","content":"how many?"},
		{"role":"assistant","content":"Let me look.","tool_calls":[
			{"id":"c1","type":"function","function":{"name":"count","arguments":"{\"of\":\"orders\"}"}},
			{"id":"c2","type":"function","function":{"name":"web_search","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"c1","content":"7"},
		{"role":"tool","tool_call_id":"c2","content":"{\"found\": 1.0}"},
		{"role":"user","content":"<still there>"},
		{"role":"assistant","content":null,"tool_calls":[{"id":"call_25","type":"function","function":{"name":"count","arguments":"[1]"}}]},
		{"role":"tool","tool_call_id":"call_25","content":""},
		{"role":"user","content":"A result of the tool call \"c1\" came by itself: 8"},
		{"role":"assistant","content":"Seven."}
	]`, string(eventlog.OpenAIMessages(events)))
	require.JSONEq(t, `[
		{"role":"user","content":[{"type":"text","text":"how many?"}]},
		{"role":"assistant","content":[{"type":"text","text":"Let me look."},
			{"type":"tool_use","id":"c1","name":"count","input":{"of":"orders"}},
			{"type":"tool_use","id":"c2","name":"web_search","input":{}}]},
		{"role":"user","content":[
			{"type":"tool_result","tool_use_id":"c1","content":"7"},
			{"type":"tool_result","tool_use_id":"c2","content":"{\"found\": 1.0}"},
			{"type":"text","text":"<still there>"}]},
		{"role":"assistant","content":[{"type":"tool_use","id":"call_25","name":"count","input":{"arguments":"[1]"}}]},
		{"role":"user","content":[
			{"type":"tool_result","tool_use_id":"call_25","content":""},
			{"type":"text","text":"A result of the tool call \"c1\" came by itself: 8"}]},
		{"role":"assistant","content":[{"type":"text","text":"Seven."}]}
	]`, string(eventlog.AnthropicMessages(events)))

	require.Equal(t, `[]`, string(eventlog.OpenAIMessages(nil)))
	require.Equal(t, `[]`, string(eventlog.AnthropicMessages(nil)))
}

// A crash can come after any event. What recovery makes of it a provider takes, and so it does what came before.
func TestProvidersTakeEveryCutOnceItIsClosed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := drawRuns(t)
		for n := range len(whole) + 1 {
			events := plain(stored(whole[:n], eventlog.Recover(whole[:n]).Closers...))
			openAI, anthropic := eventlog.OpenAIMessages(events), eventlog.AnthropicMessages(events)
			require.NoError(t, refusedByOpenAI(openAI), "%s", openAI)
			require.NoError(t, refusedByAnthropic(anthropic), "%s", anthropic)
			require.NotContains(t, string(openAI), "no result of this call is in the log")
		}
	})
}

// And whatever else somebody may have written.
func TestProvidersTakeAnyEvents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var events []eventlog.StoredEvent
		for range rapid.IntRange(0, 12).Draw(t, "events") {
			payload := rapid.SampledFrom([]string{
				`{}`, `{"callId":"c1","name":"n","arguments":"{}","content":"x"}`, `{"callId":"c2","content":""}`, `{"callId":7,"content":[1]}`,
				`{"content":"gist","until":3}`, `{"content":"gist","until":100}`, `{"content":"gist","until":"3"}`,
			}).Draw(t, "payload")
			eventType := rapid.SampledFrom([]string{"user_message", "assistant_message", "tool_call", "tool_result", "tool_start",
				"turn_start", "turn_end", "step_start", "step_end", "summary", "note"}).Draw(t, "type")
			events = stored(events, eventlog.NewEvent{Type: eventType, Payload: json.RawMessage(payload)})
		}
		openAI, anthropic := eventlog.OpenAIMessages(plain(events)), eventlog.AnthropicMessages(plain(events))
		require.NoError(t, refusedByOpenAI(openAI), "%s", openAI)
		require.NoError(t, refusedByAnthropic(anthropic), "%s", anthropic)
		require.Empty(t, eventlog.Recover(stored(events, eventlog.Recover(events).Closers...)).Closers)
	})
}

// The two judges are shown what they must refuse.
func TestRefusals(t *testing.T) {
	const call = `{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"n","arguments":"{}"}}]}`
	const answer = `{"role":"tool","tool_call_id":"a","content":"1"}`
	for messages, want := range map[string]string{
		`[` + call + `]`: `call "a" has no result`,
		`[` + call + `,{"role":"user","content":"?"},` + answer + `]`: `call "a" has no result`,
		`[` + answer + `]`: `no call`,
		`[` + call + `,` + answer + `,` + answer + `]`:                                                       `no call`,
		`[` + call + `,` + answer + `,` + call + `]`:                                                         `call "a" has no result`,
		`[{"role":"assistant","content":null}]`:                                                              `no content`,
		`[` + strings.Replace(call, `"n"`, `"a.b"`, 1) + `]`:                                                 `name`,
		`[` + strings.Replace(call, `"id":"a"`, `"id":"01234567890123456789012345678901234567890"`, 1) + `]`: `id`,
	} {
		require.ErrorContains(t, refusedByOpenAI([]byte(messages)), want, messages)
	}
	const use, result, words = `{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"n","input":{}}]}`,
		`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":""}]}`, `{"role":"user","content":[{"type":"text","text":"x"}]}`
	for messages, want := range map[string]string{
		`[` + use + `]`:                                                         `first`,
		`[` + words + `,` + words + `]`:                                         `turns`,
		`[` + words + `,` + use + `]`:                                           `no result`,
		`[` + words + `,` + use + `,` + words + `]`:                             `no result`,
		`[` + result + `]`:                                                      `no tool_use`,
		`[{"role":"user","content":[]}]`:                                        `empty`,
		strings.Replace(`[`+words+`]`, `"x"`, `" "`, 1):                         `empty`,
		`[` + words + `,` + use + `,` + result + `,` + use + `,` + result + `]`: `again`,
		`[` + words + `,` + use + `,{"role":"user","content":[{"type":"text","text":"x"},` + strings.TrimPrefix(result, `{"role":"user","content":[`) + `]`: `first in`,
	} {
		require.ErrorContains(t, refusedByAnthropic([]byte(messages)), want, messages)
	}
}

var providerName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// refusedByOpenAI says why the chat completions API would not take messages.
func refusedByOpenAI(text []byte) error {
	var messages []struct {
		Role       string
		Content    *string
		ToolCallID string `json:"tool_call_id"`
		ToolCalls  []struct {
			ID       string
			Type     string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
	}
	if err := json.Unmarshal(text, &messages); err != nil {
		return err
	}
	waiting := map[string]bool{}
	for i, m := range messages {
		if m.Role == "tool" {
			if !waiting[m.ToolCallID] || m.Content == nil {
				return fmt.Errorf("message %d: no call waits for this result", i)
			}
			delete(waiting, m.ToolCallID)
			continue
		}
		for id := range waiting {
			return fmt.Errorf("message %d: call %q has no result", i, id)
		}
		if m.Content == nil && m.ToolCalls == nil {
			return fmt.Errorf("message %d: no content", i)
		}
		for _, c := range m.ToolCalls {
			switch {
			case m.Role != "assistant" || c.Type != "function" || waiting[c.ID]:
				return fmt.Errorf("message %d: call %q is not well made", i, c.ID)
			case len(c.ID) > 40 || c.ID == "":
				return fmt.Errorf("message %d: call %q: id", i, c.ID)
			case !providerName.MatchString(c.Function.Name):
				return fmt.Errorf("message %d: call %q: name %q", i, c.ID, c.Function.Name)
			case c.Function.Arguments == "":
				return fmt.Errorf("message %d: call %q: no arguments", i, c.ID)
			}
			waiting[c.ID] = true
		}
	}
	for id := range waiting {
		return fmt.Errorf("the end: call %q has no result", id)
	}
	return nil
}

// refusedByAnthropic says why the messages API would not take messages.
func refusedByAnthropic(text []byte) error {
	var messages []struct {
		Role    string
		Content []struct {
			Type, Text, ID, Name string
			ToolUseID            string `json:"tool_use_id"`
			Content              *string
			Input                map[string]any
		}
	}
	if err := json.Unmarshal(text, &messages); err != nil {
		return err
	}
	known, waiting := map[string]bool{}, map[string]bool{}
	for i, m := range messages {
		if i == 0 && m.Role != "user" {
			return errors.New("the first message is not the user's")
		}
		if i > 0 && m.Role == messages[i-1].Role {
			return fmt.Errorf("message %d: roles do not take turns", i)
		}
		if len(m.Content) == 0 {
			return fmt.Errorf("message %d is empty", i)
		}
		texts := false
		for _, b := range m.Content {
			switch {
			case b.Type == "text" && strings.TrimSpace(b.Text) == "":
				return fmt.Errorf("message %d: an empty text", i)
			case b.Type == "text":
				texts = true
			case b.Type == "tool_use" && m.Role == "assistant":
				if known[b.ID] || !providerName.MatchString(b.ID) || !providerName.MatchString(b.Name) || b.Input == nil {
					return fmt.Errorf("message %d: tool_use %q again, or badly named", i, b.ID)
				}
				known[b.ID], waiting[b.ID] = true, true
			case b.Type == "tool_result" && m.Role == "user":
				if texts {
					return fmt.Errorf("message %d: results do not come first in it", i)
				}
				if !waiting[b.ToolUseID] || b.Content == nil {
					return fmt.Errorf("message %d: no tool_use waits for this result", i)
				}
				delete(waiting, b.ToolUseID)
			default:
				return fmt.Errorf("message %d: a %s of %s", i, b.Type, m.Role)
			}
		}
		if m.Role == "user" && len(waiting) > 0 {
			return fmt.Errorf("message %d: a tool_use has no result", i)
		}
	}
	if len(waiting) > 0 {
		return errors.New("the end: a tool_use has no result")
	}
	return nil
}
