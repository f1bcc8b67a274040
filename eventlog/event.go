package eventlog

import "encoding/json"

// The event types that [Fold] turns into messages. Any other non-empty string
// is a type as well; such events are kept and fold to no message. Types are
// compared exactly: "User_Message" is an other type.
const (
	TypeUserMessage      = "user_message"      // payload {content}
	TypeAssistantMessage = "assistant_message" // payload {content}
	TypeToolCall         = "tool_call"         // payload {callId, name, arguments}
	TypeToolResult       = "tool_result"       // payload {callId, content}
)

// An Event is a fact in a log.
//
// Payload holds the very bytes that were appended: white space, number spelling
// and repeated keys included. Note that [json.Marshal] of an Event compacts the
// white space in it and escapes <, > and &; who needs the bytes writes Payload.
type Event struct {
	EventID   int64           `json:"eventId"`   // at least 1, strictly increasing over the whole log
	SessionID string          `json:"sessionId"` // not empty
	Type      string          `json:"type"`      // not empty
	Payload   json.RawMessage `json:"payload"`   // a JSON object, valid UTF-8
}
