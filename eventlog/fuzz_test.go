package eventlog_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"forgetmenot/eventlog"
)

// Whatever is appended: it is refused with a place inside the field, or it is in
// the log to the byte, and folds.
func FuzzAppend(f *testing.F) {
	f.Add("s", "user_message", []byte(`{"content":"hi"}`))
	f.Add("s", "tool_call", []byte(` {"callId":"\ud800","name":1,"arguments":"{}","arguments":null} `))
	f.Add("s", "tool_result", []byte("{\"callId\":\"\xff\"}"))
	f.Add("", "note", []byte(`[`))
	f.Add("\xc3", "", []byte("\ufeff{}"))
	f.Add("s", "t", []byte(`nul`))
	f.Fuzz(func(t *testing.T, session, eventType string, payload []byte) {
		before := version{}.append(t, "s", "note", `{}`)
		given := bytes.Clone(payload)
		log, err := before.log.Append(session, eventType, payload)
		require.True(t, bytes.Equal(given, payload), "Append changed its argument")

		valid := session != "" && utf8.ValidString(session) && eventType != "" && utf8.ValidString(eventType) &&
			utf8.Valid(payload) && json.Valid(payload) && bytes.HasPrefix(bytes.TrimSpace(payload), []byte("{"))
		require.Equal(t, valid, err == nil, "%v", err)
		if err != nil {
			var fault *eventlog.AppendError
			require.True(t, errors.As(err, &fault))
			length := map[string]int{"sessionId": len(session), "type": len(eventType), "payload": len(payload)}
			require.LessOrEqual(t, fault.Offset, length[fault.Field])
			require.GreaterOrEqual(t, fault.Offset, 0)
			agree(t, before.model, log)
			return
		}
		agree(t, before.model.append(session, eventType, string(payload)), log)
		agree(t, before.model, before.log)
	})
}

// Fold takes any bytes, changes none, and what it gives is a message in JSON.
func FuzzFold(f *testing.F) {
	f.Add("user_message", []byte(`{"Content":1,"content":12345678901234567890}`))
	f.Add("tool_call", []byte(`{"callId":{},"name":"\udc00","arguments":[`))
	f.Add("tool_result", []byte(`null`))
	f.Fuzz(func(t *testing.T, eventType string, payload []byte) {
		given := bytes.Clone(payload)
		for _, m := range eventlog.Fold([]eventlog.Event{{EventID: 1, SessionID: "s", Type: eventType, Payload: payload}}) {
			text, err := m.MarshalJSON()
			require.NoError(t, err)
			var back eventlog.Message
			require.NoError(t, back.UnmarshalJSON(text))
			again, err := back.MarshalJSON()
			require.NoError(t, err)
			require.Equal(t, string(text), string(again))
		}
		require.True(t, bytes.Equal(given, payload), "Fold changed its argument")
	})
}
