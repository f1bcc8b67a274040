package agent

import (
	"bytes"
	"encoding/json"
	"strconv"
	"time"

	"forgetmenot/eventlog"
)

// encoding/json compacts what a json.RawMessage holds. These functions write payloads and contents as they are stored, byte for byte.

// quoted is a text as JSON. <, > and & stay as they are, and what is not UTF-8 becomes U+FFFD.
func quoted(s string) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil { // which cannot happen to a string
		return json.RawMessage(`""`)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// object makes an event with a payload of these members: names, each followed by its value as JSON.
func object(eventType string, members ...string) eventlog.NewEvent {
	b := []byte{'{'}
	for i := 0; i < len(members); i += 2 {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, quoted(members[i])...), ':'), members[i+1]...)
	}
	return eventlog.NewEvent{Type: eventType, Payload: append(b, '}')}
}

func userMessage(content json.RawMessage) eventlog.NewEvent {
	return object(eventlog.TypeUserMessage, "content", string(content))
}

func assistantMessage(text string) eventlog.NewEvent {
	return object(eventlog.TypeAssistantMessage, "content", string(quoted(text)))
}

func toolCall(id, name, arguments string) eventlog.NewEvent {
	return object(eventlog.TypeToolCall, "callId", string(quoted(id)), "name", string(quoted(name)), "arguments", string(quoted(arguments)))
}

func toolResult(id, text string) eventlog.NewEvent {
	return object(eventlog.TypeToolResult, "callId", string(quoted(id)), "content", string(quoted(text)))
}

func toolStart(id string) eventlog.NewEvent {
	return object(eventlog.TypeToolStart, "callId", string(quoted(id)))
}

func modelRetry(attempt int, wait time.Duration, fault error) eventlog.NewEvent {
	return object(eventlog.TypeModelRetry, "attempt", strconv.Itoa(attempt), "waitMs", strconv.FormatInt(wait.Milliseconds(), 10), "error", string(quoted(fault.Error())))
}

// ended is the end of a turn or a step.
func ended(eventType, reason string) eventlog.NewEvent {
	return object(eventType, "reason", string(quoted(reason)))
}

func appendEvent(b []byte, e eventlog.StoredEvent) []byte {
	b = append(b, `{"eventId":`...)
	b = strconv.AppendInt(b, e.EventID, 10)
	b = append(append(b, `,"sessionId":`...), quoted(e.SessionID)...)
	b = append(append(b, `,"type":`...), quoted(e.Type)...)
	b = append(append(b, `,"payload":`...), e.Payload...)
	b = strconv.AppendInt(append(b, `,"createdAt":`...), e.CreatedAt.UnixMilli(), 10)
	return append(b, '}')
}

// appendMessage writes a message under its event's id, or under null when it has none: it is not stored.
func appendMessage(b []byte, m eventlog.StoredMessage) ([]byte, error) {
	text, err := m.Message.MarshalJSON() // called by hand: json.Marshal would compact what it gives
	if err != nil {
		return b, err
	}
	b = append(b, `{"eventId":`...)
	if m.EventID == 0 {
		b = append(b, "null"...)
	} else {
		b = strconv.AppendInt(b, m.EventID, 10)
	}
	b = append(append(b, `,"message":`...), text...)
	return append(b, '}'), nil
}

func appendSession(b []byte, s eventlog.Session) []byte {
	b = append(append(b, `{"id":`...), quoted(s.ID)...)
	b = append(append(b, `,"title":`...), quoted(s.Title)...)
	b = strconv.AppendInt(append(b, `,"createdAt":`...), s.CreatedAt.UnixMilli(), 10)
	b = strconv.AppendInt(append(b, `,"lastEventId":`...), s.LastEventID, 10)
	b = strconv.AppendInt(append(b, `,"eventCount":`...), s.EventCount, 10)
	return append(b, '}')
}

// json is the answer to a message.
func (t Turn) json() ([]byte, error) {
	b := []byte(`{"messages":[`)
	for i, m := range t.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		var err error
		if b, err = appendMessage(b, m); err != nil {
			return nil, err
		}
	}
	b = strconv.AppendInt(append(b, `],"lastEventId":`...), t.LastEventID, 10)
	return append(b, "}\n"...), nil
}
