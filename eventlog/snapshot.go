package eventlog

import (
	"encoding/json"
	"fmt"
	"slices"
)

// A Snapshot is what a session looked like when it ended with a certain event. It is a derived value that spares the replay of a long
// session: it can always be made again from the log, and is never a reason to drop anything from it.
//
// It may be kept as JSON, which holds contents as texts, so that they come back byte for byte.
type Snapshot struct {
	SessionID string
	Until     int64           // it holds for the events up to this id, inclusive; 0 before the first
	Messages  []StoredMessage // what Fold makes of them
	ToolCalls []ToolCallState // what ProjectToolCalls makes of them
}

// NewSnapshot is the snapshot of a session without events. Extend makes it one with events.
func NewSnapshot(sessionID string) Snapshot {
	return Snapshot{SessionID: sessionID, Messages: []StoredMessage{}, ToolCalls: []ToolCallState{}}
}

// Extend gives the snapshot after more events; s stays as it is, and they share no memory. The events must be all those of the session that
// come behind s.Until, up to some point, in order: an error tells of one from elsewhere or out of order. One that is left out cannot be noticed.
//
// Extending by some events and then by more is extending by all of them, and extending [NewSnapshot] by all is the full replay.
func (s Snapshot) Extend(events []Event) (Snapshot, error) {
	next := Snapshot{SessionID: s.SessionID, Until: s.Until, Messages: slices.Clone(s.Messages)}
	for i, m := range next.Messages {
		next.Messages[i].Message = copyMessage(m.Message)
	}
	for _, e := range events {
		if e.SessionID != s.SessionID {
			return Snapshot{}, fmt.Errorf("eventlog: snapshot of session %q: event %d is of session %q", s.SessionID, e.EventID, e.SessionID)
		}
		if e.EventID <= next.Until {
			return Snapshot{}, fmt.Errorf("eventlog: snapshot of session %q: event %d does not come behind event %d", s.SessionID, e.EventID, next.Until)
		}
		next.Until = e.EventID
		if m, ok := foldEvent(e.Type, e.Payload); ok {
			next.Messages = append(next.Messages, StoredMessage{EventID: e.EventID, Message: m})
		}
	}
	next.ToolCalls = projectToolCalls(copyToolCalls(s.ToolCalls), events)
	return next, nil
}

// Replay is the messages of the session as it was, in memory of the caller's own.
func (s Snapshot) Replay() []Message {
	messages := make([]Message, len(s.Messages))
	for i, m := range s.Messages {
		messages[i] = copyMessage(m.Message)
	}
	return messages
}

func copyMessage(m Message) Message {
	m.Content, m.ToolCalls = slices.Clone(m.Content), slices.Clone(m.ToolCalls)
	return m
}

// The JSON of a snapshot. json.Marshal takes white space out of a json.RawMessage, so contents are texts here.
type (
	snapshotJSON struct {
		SessionID string                 `json:"sessionId"`
		Until     int64                  `json:"until"`
		Messages  []snapshotMessageJSON  `json:"messages"`
		ToolCalls []snapshotToolCallJSON `json:"toolCalls"`
	}
	snapshotMessageJSON struct {
		EventID    int64      `json:"eventId"`
		Role       string     `json:"role"`
		ToolCallID string     `json:"toolCallId,omitempty"`
		Content    string     `json:"content"`
		ToolCalls  []ToolCall `json:"toolCalls,omitempty"`
	}
	snapshotToolCallJSON struct {
		EventID       int64          `json:"eventId"`
		Status        ToolCallStatus `json:"status"`
		ToolCall      ToolCall       `json:"toolCall"`
		ResultEventID int64          `json:"resultEventId,omitempty"`
		Result        *string        `json:"result,omitempty"`
	}
)

// MarshalJSON writes what UnmarshalJSON reads.
func (s Snapshot) MarshalJSON() ([]byte, error) {
	out := snapshotJSON{s.SessionID, s.Until, make([]snapshotMessageJSON, len(s.Messages)), make([]snapshotToolCallJSON, len(s.ToolCalls))}
	for i, m := range s.Messages {
		out.Messages[i] = snapshotMessageJSON{m.EventID, m.Message.Role, m.Message.ToolCallID, string(m.Message.Content), m.Message.ToolCalls}
	}
	for i, c := range s.ToolCalls {
		out.ToolCalls[i] = snapshotToolCallJSON{EventID: c.EventID, Status: c.Status, ToolCall: c.ToolCall, ResultEventID: c.ResultEventID}
		if c.Result != nil {
			text := string(c.Result)
			out.ToolCalls[i].Result = &text
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote. It refuses contents that are not JSON.
func (s *Snapshot) UnmarshalJSON(text []byte) error {
	var in snapshotJSON
	if err := json.Unmarshal(text, &in); err != nil {
		return fmt.Errorf("eventlog: snapshot: %w", err)
	}
	read := Snapshot{in.SessionID, in.Until, make([]StoredMessage, len(in.Messages)), make([]ToolCallState, len(in.ToolCalls))}
	for i, m := range in.Messages {
		if !json.Valid([]byte(m.Content)) {
			return fmt.Errorf("eventlog: snapshot: the message of event %d: content is not JSON: %.40q", m.EventID, m.Content)
		}
		read.Messages[i] = StoredMessage{m.EventID, Message{Role: m.Role, ToolCallID: m.ToolCallID, Content: json.RawMessage(m.Content), ToolCalls: m.ToolCalls}}
	}
	for i, c := range in.ToolCalls {
		read.ToolCalls[i] = ToolCallState{EventID: c.EventID, Status: c.Status, ToolCall: c.ToolCall, ResultEventID: c.ResultEventID}
		if c.Result == nil {
			continue
		}
		if !json.Valid([]byte(*c.Result)) {
			return fmt.Errorf("eventlog: snapshot: the result in event %d is not JSON: %.40q", c.ResultEventID, *c.Result)
		}
		read.ToolCalls[i].Result = json.RawMessage(*c.Result)
	}
	*s = read
	return nil
}
