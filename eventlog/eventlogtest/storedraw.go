package eventlogtest

import (
	"strings"

	"forgetmenot/eventlog"

	"pgregory.net/rapid"
)

// What a store meets in the wild: models use call ids again, results come late, twice or for nobody, and payloads are whatever a program wrote.
var (
	drawnTypes = []string{
		eventlog.TypeToolCall, eventlog.TypeToolCall, eventlog.TypeToolResult, eventlog.TypeToolResult, eventlog.TypeToolResult,
		eventlog.TypeUserMessage, eventlog.TypeAssistantMessage, "note", "Tool_Call", "tool_result ",
	}
	drawnCallIDs = []string{`"c1"`, `"c1"`, `"c2"`, `"C1"`, `""`, `"c\u0031"`, `"c1\u0000"`, `null`, `7`, `"\ud800"`}
	drawnValues  = []string{
		`"hello"`, `""`, `null`, `true`, `0`, `-0`, `1.0`, `1e400`, `12345678901234567890`, `9007199254740993`, `[]`, `{ "a" :[1 , 2]}`, `"\u0000"`,
		"\"\u2028\U0001f600\"", `"\ud800"`, `"<&>"`, `{"a":1,"a":2}`,
	}
	drawnKeys = []string{"content", "content", "callId", "name", "arguments", "Content", "eventId", "__proto__", "", `\u0063ontent`}
	drawnGaps = []string{"", "", "", " ", "\r\n\t"}
)

// oneOf draws from texts. The generator is made here and not once: what a package makes when it is loaded, the page loads too.
func oneOf(t *rapid.T, texts []string) string { return rapid.SampledFrom(texts).Draw(t, "") }

// drawEvent draws an event that a store must take.
func drawEvent(t *rapid.T) eventlog.NewEvent {
	e := eventlog.NewEvent{Type: oneOf(t, drawnTypes)}
	var members []string
	member := func(key, value string) {
		gap := oneOf(t, drawnGaps)
		members = append(members, gap+`"`+key+`"`+gap+`:`+value+gap)
	}
	if strings.HasPrefix(strings.ToLower(e.Type), "tool") && rapid.IntRange(0, 9).Draw(t, "") > 0 {
		member("callId", oneOf(t, drawnCallIDs))
	}
	for range rapid.IntRange(0, 3).Draw(t, "") {
		member(oneOf(t, drawnKeys), oneOf(t, drawnValues))
	}
	gap := oneOf(t, drawnGaps)
	e.Payload = []byte(gap + `{` + strings.Join(members, ",") + `}` + gap)
	return e
}

func drawEvents(t *rapid.T, least, most int) []eventlog.NewEvent {
	events := make([]eventlog.NewEvent, rapid.IntRange(least, most).Draw(t, ""))
	for i := range events {
		events[i] = drawEvent(t)
	}
	return events
}

// drawn is what a generator draws for a seed: the same every time.
func drawn[T any](seed int, draw func(*rapid.T) T) T { return rapid.Custom(draw).Example(seed) }
