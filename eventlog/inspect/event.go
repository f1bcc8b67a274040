package inspect

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"forgetmenot/eventlog"
)

// An Event is one thing that a record of a file says. A record may say several: a message and the calls in it.
//
// Content, Arguments and Record are JSON as the file has it. They are good until the next event is asked for.
type Event struct {
	Format    string
	SessionID string
	Type      string    // one of eventlog's types; else the tool's own, behind the name of its format: "codex/turn_context"
	Time      time.Time // zero when the record tells none
	Place               // of the record; EventID is 0 unless the file gives ids as eventlog does
	Part      int       // which event of its record, from 0

	Content   json.RawMessage // of messages and results
	CallID    string          // of calls, their starts and their results
	Name      string          // of calls
	Arguments json.RawMessage // of calls

	Record json.RawMessage // the record

	turn    mark  // what it does to a turn, where no event type of ours says it
	own     bool  // Record is the payload of an event of ours
	unknown bool  // of a type that this program has not heard of
	weight  int64 // how many events of its own tool it is; 0 for one
}

// A mark is what an event does to the turn that is under way.
type mark uint8

const (
	noMark mark = iota
	turnStarts
	turnEnds
)

// Payload is the event's payload for a store: a new slice, one JSON object.
//
// Of an event of our own logs it is the payload as it was appended. Of a record that became none of our types it is the very record.
// Else it has the keys of the type, then "source" {format, line, offset, part}, and with the first event of a record "record", the very bytes of it.
func (e *Event) Payload() json.RawMessage {
	if e.own || !mapped(e.Type) {
		return bytes.Clone(e.Record)
	}
	b := make([]byte, 0, len(e.Content)+len(e.Arguments)+len(e.Record)+256)
	b = append(b, '{')
	switch e.Type {
	case eventlog.TypeToolCall:
		b = quoted(append(b, `"callId":`...), e.CallID)
		b = quoted(append(b, `,"name":`...), e.Name)
		b = append(b, `,"arguments":`...)
		if kind(e.Arguments) == '"' { // the text that the model wrote
			b = append(b, e.Arguments...)
		} else {
			b = quoted(b, string(e.Arguments))
		}
		b = append(b, ',')
	case eventlog.TypeToolResult, eventlog.TypeToolStart:
		b = quoted(append(b, `"callId":`...), e.CallID)
		b = append(b, ',')
	}
	switch e.Type {
	case eventlog.TypeUserMessage, eventlog.TypeAssistantMessage, eventlog.TypeToolResult:
		b = append(b, `"content":`...)
		if len(e.Content) == 0 {
			b = append(b, "null"...)
		}
		b = append(append(b, e.Content...), ',')
	}
	b = quoted(append(b, `"source":{"format":`...), e.Format)
	b = strconv.AppendInt(append(b, `,"line":`...), e.Line, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), e.Offset, 10)
	b = strconv.AppendInt(append(b, `,"part":`...), int64(e.Part), 10)
	b = append(b, '}')
	if e.Part == 0 {
		b = append(append(b, `,"record":`...), e.Record...)
	}
	return append(b, '}')
}

// mapped tells whether a type is one that a record of another tool can become.
func mapped(eventType string) bool {
	switch eventType {
	case eventlog.TypeUserMessage, eventlog.TypeAssistantMessage, eventlog.TypeToolCall, eventlog.TypeToolStart, eventlog.TypeToolResult,
		eventlog.TypeTurnStart, eventlog.TypeTurnEnd, eventlog.TypeStepStart, eventlog.TypeStepEnd:
		return true
	}
	return false
}

// quoted appends a text as a JSON string.
func quoted(b []byte, text string) []byte {
	if isPlain(text) {
		return append(append(append(b, '"'), text...), '"')
	}
	var w bytes.Buffer
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	e.Encode(text) // of a string it cannot fail
	return append(b, bytes.TrimSuffix(w.Bytes(), []byte("\n"))...)
}

// isPlain tells whether a text stands in a JSON string as it is.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < 0x20 || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// timeOf reads a time as tools write it: RFC 3339, or Unix milliseconds. Anything else is none.
func timeOf(value []byte) time.Time {
	if kind(value) == '"' {
		t, err := time.Parse(time.RFC3339, string(value[1:len(value)-1]))
		if err != nil || t.Year() < 1970 || t.Year() > 9999 {
			return time.Time{}
		}
		return t.UTC()
	}
	ms, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil || ms < 0 || ms > 253402300799999 { // the end of the year 9999
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
