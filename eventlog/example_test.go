package eventlog_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"

	"forgetmenot/eventlog"
)

// add appends an event that is known to be right.
func add(l eventlog.Log, sessionID, eventType, payload string) eventlog.Log {
	l, err := l.Append(sessionID, eventType, json.RawMessage(payload))
	if err != nil {
		log.Fatal(err)
	}
	return l
}

// An agent is asked two things in two conversations, and uses a tool for one.
func Example() {
	l := eventlog.New()
	l = add(l, "paris", "user_message", `{"content":"How warm is it?"}`)
	l = add(l, "poems", "user_message", `{"content":"A haiku, please."}`)
	l = add(l, "paris", "tool_call", `{"callId":"c1","name":"weather","arguments":"{\"city\":\"Paris\"}"}`)
	l = add(l, "paris", "tool_result", `{"callId":"c1","content":{"celsius":21.0}}`)
	l = add(l, "paris", "cost", `{"cents":3}`)

	for _, m := range l.Replay("paris") {
		text, err := json.Marshal(m)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(text))
	}
	// Output:
	// {"role":"user","content":"How warm is it?"}
	// {"role":"assistant","content":null,"toolCalls":[{"toolCallId":"c1","name":"weather","arguments":"{\"city\":\"Paris\"}"}]}
	// {"role":"tool","toolCallId":"c1","content":{"celsius":21.0}}
}

func ExampleNew() {
	l := eventlog.New()
	fmt.Println(l.Len(), l.LastID(), l.Sessions(), l.Events("anybody"))
	// Output: 0 0 [] []
}

func ExampleLog_Append() {
	one, err := eventlog.New().Append("a", "user_message", json.RawMessage(`{"content":"Hello"}`))
	if err != nil {
		log.Fatal(err)
	}
	// Two logs that go on from one.
	left := add(one, "a", "assistant_message", `{"content":"Hi!"}`)
	right := add(one, "a", "assistant_message", `{"content":"Good day."}`)

	for _, l := range []eventlog.Log{one, left, right} {
		fmt.Println(l.Len())
		for _, e := range l.Events("a") {
			fmt.Println(" ", e.EventID, e.Type, string(e.Payload))
		}
	}
	// Output:
	// 1
	//   1 user_message {"content":"Hello"}
	// 2
	//   1 user_message {"content":"Hello"}
	//   2 assistant_message {"content":"Hi!"}
	// 2
	//   1 user_message {"content":"Hello"}
	//   2 assistant_message {"content":"Good day."}
}

func ExampleAppendError() {
	_, err := eventlog.New().Append("a", "note", json.RawMessage(`{"n": 01}`))
	fmt.Println(err)

	var fault *eventlog.AppendError
	if errors.As(err, &fault) {
		fmt.Println(fault.Field, fault.Offset, errors.Is(err, eventlog.ErrInvalidPayload))
	}
	// Output:
	// eventlog: append: payload at byte 7: it is not JSON, invalid character '1' after object key:value pair; a payload is one JSON object, such as {"content":"hello"}
	// payload 7 true
}

func ExampleLog_Events() {
	l := add(eventlog.New(), "a", "note", `{"n":1.0}`)
	l = add(l, "b", "note", `{}`)
	l = add(l, "a", "note", `{"n":2}`)
	for _, e := range l.Events("a") {
		fmt.Println(e.EventID, e.SessionID, e.Type, string(e.Payload))
	}
	// Output:
	// 1 a note {"n":1.0}
	// 3 a note {"n":2}
}

func ExampleLog_Sessions() {
	l := eventlog.New()
	for _, id := range []string{"10", "9", "b", "9", "a"} {
		l = add(l, id, "note", `{}`)
	}
	fmt.Println(l.Sessions())
	// Output: [10 9 b a]
}

func ExampleLog_Replay() {
	l := add(eventlog.New(), "a", "user_message", `{"content":"Hello"}`)
	l = add(l, "a", "note", `{"content":"not a message"}`)
	for _, m := range l.Replay("a") {
		fmt.Println(m.Role, string(m.Content))
	}
	// Output: user "Hello"
}

func ExampleLog_All() {
	l := eventlog.New()
	for _, id := range []string{"a", "b", "a"} {
		l = add(l, id, "note", `{}`)
	}
	for e := range l.All() {
		fmt.Println(e.EventID, e.SessionID)
	}
	// Output:
	// 1 a
	// 2 b
	// 3 a
}

// The id of the newest event is a cursor: what comes after it is new.
func ExampleLog_LastID() {
	l := add(eventlog.New(), "a", "note", `{}`)
	seen := l.LastID()
	l = add(l, "a", "note", `{"new":true}`)
	for e := range l.All() {
		if e.EventID > seen {
			fmt.Println(e.EventID, string(e.Payload))
		}
	}
	// Output: 2 {"new":true}
}

func ExampleLog_Len() {
	l := add(eventlog.New(), "a", "note", `{}`)
	fmt.Println(eventlog.New().Len(), l.Len())
	// Output: 0 1
}

// Fold needs no log: events may come from anywhere.
func ExampleFold() {
	messages := eventlog.Fold([]eventlog.Event{
		{EventID: 7, SessionID: "a", Type: eventlog.TypeToolResult, Payload: json.RawMessage(`{"callId":"c1","content":false}`)},
	})
	fmt.Println(messages[0].Role, messages[0].ToolCallID, string(messages[0].Content))
	// Output: tool c1 false
}

func ExampleMessage_MarshalJSON() {
	text, err := eventlog.Message{Role: "user", Content: json.RawMessage(`"1 < 2"`)}.MarshalJSON()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	// Output: {"role":"user","content":"1 < 2"}
}

func ExampleMessage_UnmarshalJSON() {
	var m eventlog.Message
	if err := json.Unmarshal([]byte(`{"role":"tool","toolCallId":"c1","content":[1.0]}`), &m); err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Role, m.ToolCallID, string(m.Content))
	// Output: tool c1 [1.0]
}
