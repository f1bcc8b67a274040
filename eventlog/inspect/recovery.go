package inspect

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"forgetmenot/eventlog"
)

// recoverable is an event with as much of its payload as recovery looks at: of a result's megabytes, none.
func recoverable(e *Event, id int64, at time.Time) eventlog.StoredEvent {
	s := eventlog.StoredEvent{CreatedAt: at}
	s.EventID, s.SessionID, s.Type = id, e.SessionID, e.Type
	switch e.Type {
	case eventlog.TypeToolCall, eventlog.TypeToolStart, eventlog.TypeToolResult:
		b := quoted([]byte(`{"callId":`), e.CallID)
		if e.Type == eventlog.TypeToolCall {
			b = quoted(append(b, `,"name":`...), e.Name)
		}
		s.Payload = append(b, '}')
	}
	return s
}

// A closer's payload, as eventlog.Recover writes it.
type closerPayload struct {
	CallID  string          `json:"callId"`
	Content json.RawMessage `json:"content"`
	Time    int64           `json:"time"`
}

func payloadOf(c eventlog.NewEvent) (p closerPayload) {
	if json.Unmarshal(c.Payload, &p) != nil {
		return closerPayload{}
	}
	return p
}

// closingText is what the result of an open call says, as a JSON string.
func closingText(r eventlog.Recovery, i int) []byte { return payloadOf(r.Closers[i]).Content }

// closingTime is when everything closes: the time of the last event, since the crash was not before it.
func closingTime(r eventlog.Recovery) time.Time {
	for _, c := range r.Closers {
		return time.UnixMilli(payloadOf(c).Time).UTC()
	}
	return time.UnixMilli(0).UTC()
}

// closerUUID makes an id for a closer's record: the same one for the same log.
func closerUUID(session, last string) string {
	var h [2]uint64
	for i, text := range []string{session + "/" + last, last + "/" + session} {
		h[i] = 14695981039346656037 // FNV-1a
		for j := range len(text) {
			h[i] = (h[i] ^ uint64(text[j])) * 1099511628211
		}
	}
	s := fmt.Sprintf("%016x%016x", h[0], h[1])
	return s[:8] + "-" + s[8:12] + "-8" + s[13:16] + "-8" + s[17:20] + "-" + s[20:]
}

// eventIDOf is an event id that a record gives; 0 for none.
func eventIDOf(value []byte) int64 {
	id, err := strconv.ParseInt(string(value), 10, 64)
	if err != nil {
		return 0
	}
	return id
}
