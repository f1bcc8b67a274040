package eventlog_test

import (
	"encoding/json"
	"fmt"

	"forgetmenot/eventlog"
)

func ExampleRecover() {
	// The agent died while a tool was running.
	var events []eventlog.StoredEvent
	for i, e := range []eventlog.NewEvent{
		{Type: eventlog.TypeTurnStart, Payload: json.RawMessage(`{}`)},
		{Type: eventlog.TypeUserMessage, Payload: json.RawMessage(`{"content":"Pay the bill."}`)},
		{Type: eventlog.TypeToolCall, Payload: json.RawMessage(`{"callId":"c1","name":"pay","arguments":"{}"}`)},
		{Type: eventlog.TypeToolStart, Payload: json.RawMessage(`{"callId":"c1"}`)},
	} {
		events = append(events, eventlog.StoredEvent{Event: eventlog.Event{EventID: int64(i + 1), SessionID: "s", Type: e.Type, Payload: e.Payload}})
	}
	r := eventlog.Recover(events)
	fmt.Println("behind event", r.LastEventID)
	for _, c := range r.Closers {
		fmt.Println(c.Type, string(c.Payload))
	}
	// Output:
	// behind event 4
	// tool_result {"callId":"c1","content":"TOOL_OUTCOME_UNKNOWN: the agent ended while this call was open. It may or may not have happened; look before making it again.","reason":"crashed"}
	// turn_end {"reason":"crashed"}
}

func ExampleConversation() {
	log := eventlog.New()
	for _, e := range [][2]string{
		{eventlog.TypeUserMessage, `{"content":"Compare Paris and Rome."}`},
		{eventlog.TypeToolCall, `{"callId":"p","name":"weather","arguments":"{}"}`},
		{eventlog.TypeToolCall, `{"callId":"r","name":"weather","arguments":"{}"}`},
		{eventlog.TypeToolResult, `{"callId":"r","content":"sun"}`},
		{eventlog.TypeToolResult, `{"callId":"p","content":"rain"}`},
	} {
		log, _ = log.Append("s", e[0], json.RawMessage(e[1]))
	}
	for _, m := range eventlog.Conversation(log.Events("s")) {
		fmt.Printf("%s %s, %d calls, answers %q\n", m.Role, m.Content, len(m.ToolCalls), m.ToolCallID)
	}
	fmt.Println(string(eventlog.OpenAIMessages(log.Events("s"))[:48]) + "…")
	fmt.Println(string(eventlog.AnthropicMessages(log.Events("s"))[:48]) + "…")
	// Output:
	// user "Compare Paris and Rome.", 0 calls, answers ""
	// assistant null, 2 calls, answers ""
	// tool "rain", 0 calls, answers "p"
	// tool "sun", 0 calls, answers "r"
	// [{"role":"user","content":"Compare Paris and Rom…
	// [{"role":"user","content":[{"type":"text","text"…
}

func ExampleSnapshot() {
	log := eventlog.New()
	for range 3 {
		log, _ = log.Append("s", eventlog.TypeUserMessage, json.RawMessage(`{"content":"hello"}`))
	}
	events := log.Events("s")
	early, _ := eventlog.NewSnapshot("s").Extend(events[:2])
	full, _ := early.Extend(events[2:])
	fmt.Println(early.Until, len(early.Replay()), full.Until, len(full.Replay()))
	// Output: 2 2 3 3
}
