package eventlog_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"forgetmenot/eventlog"
)

func TestEmptyLog(t *testing.T) {
	for name, l := range map[string]eventlog.Log{"New": eventlog.New(), "zero value": {}} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, []eventlog.Event{}, l.Events("a"))
			require.Equal(t, []string{}, l.Sessions())
			require.Equal(t, []eventlog.Message{}, l.Replay("a"))
			require.Zero(t, l.Len())
			require.Zero(t, l.LastID())
		})
	}
	require.Equal(t, []eventlog.Message{}, eventlog.Fold(nil))
}

// What went in comes out: no byte of a payload is read as a value and written
// again.
func TestPayloadsAreKeptByteForByte(t *testing.T) {
	l := eventlog.New()
	payloads := []string{
		`{}`,
		`{"n":12345678901234567890}`,
		`{"a":1.0,"a":2}`,
		" \t\r\n{ \"b\" : [ 1e400 , -0 ] } \n",
		`{"\u0061":"\ud800 \ud83d\ude00 \/ <&>"}`,
		"{\"\u2028\":\"\u00e9 e\u0301 \U0001f600\x7f\"}",
		`{"__proto__":{"constructor":null}}`,
		`{"deep":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`,
		`{"long":"` + strings.Repeat("x", 1<<20) + `"}`,
	}
	for _, p := range payloads {
		var err error
		l, err = l.Append("a", "note", json.RawMessage(p))
		require.NoError(t, err)
	}
	for i, e := range l.Events("a") {
		require.True(t, payloads[i] == string(e.Payload), "payload %.60q came back as %.60q", payloads[i], e.Payload)
	}
}

func TestCallerMayChangeWhatItGaveAndGot(t *testing.T) {
	payload := json.RawMessage(`{"content":"right"}`)
	l, err := eventlog.New().Append("a", eventlog.TypeUserMessage, payload)
	require.NoError(t, err)
	l, err = l.Append("b", eventlog.TypeToolCall, json.RawMessage(`{"callId":"1","name":"n","arguments":"{}"}`))
	require.NoError(t, err)
	right := version{model{}.append("a", eventlog.TypeUserMessage, `{"content":"right"}`).
		append("b", eventlog.TypeToolCall, `{"callId":"1","name":"n","arguments":"{}"}`), l}

	spoil := func(b []byte) {
		for i := range b[:cap(b)] {
			b[:cap(b)][i] = '!'
		}
	}
	spoil(payload)
	for range 2 {
		for _, name := range []string{"a", "b"} {
			for _, e := range l.Events(name) {
				spoil(e.Payload)
			}
			clear(l.Events(name))
			for _, m := range l.Replay(name) {
				spoil(m.Content)
				clear(m.ToolCalls)
			}
			clear(l.Replay(name))
		}
		for e := range l.All() {
			spoil(e.Payload)
		}
		clear(l.Sessions())
		agree(t, right.model, right.log)
	}

	events := l.Events("a")
	_ = append(events, eventlog.Event{EventID: 99})
	messages := eventlog.Fold(events)
	spoil(messages[0].Content)
	require.Equal(t, `{"content":"right"}`, string(events[0].Payload), "Fold gave away its argument")
	messages = eventlog.Fold(events)
	spoil(events[0].Payload)
	require.Equal(t, `"right"`, string(messages[0].Content), "Fold kept its argument")
}

func TestAppendErrors(t *testing.T) {
	const ok = `{}`
	invalid, utf8 := eventlog.ErrInvalidPayload, eventlog.ErrInvalidUTF8
	tests := []struct {
		name, session, typ, payload string

		field   string
		offset  int
		is      []error
		message string // a part of it
	}{
		{"no session", "", "t", ok, "sessionId", 0, []error{eventlog.ErrEmptySession}, "it is empty; name the conversation"},
		{"session not UTF-8", "ab\xff", "t", ok, "sessionId", 2, []error{utf8}, "write the text as UTF-8"},
		{"session with a surrogate", "\xed\xa0\x80", "t", ok, "sessionId", 0, []error{utf8}, ""},
		{"no type", "s", "", ok, "type", 0, []error{eventlog.ErrEmptyType}, "such as user_message"},
		{"type not UTF-8", "s", "é\xc3", ok, "type", 2, []error{utf8}, ""},
		{"session first", "", "", "", "sessionId", 0, []error{eventlog.ErrEmptySession}, ""},
		{"no payload", "s", "t", "", "payload", 0, []error{invalid}, `it is empty; a payload is one JSON object, such as {"content":"hello"}`},
		{"white payload", "s", "t", " \n ", "payload", 3, []error{invalid}, "it is empty"},
		{"payload cut off", "s", "t", `{"a":1`, "payload", 6, []error{invalid}, "it ends too early"},
		{"cut off in a string", "s", "t", `{"a":"x`, "payload", 7, []error{invalid}, "it ends too early"},
		{"cut off in a word", "s", "t", `{"a":tru`, "payload", 8, []error{invalid}, "it ends too early"},
		{"wrong byte", "s", "t", `{"a":}`, "payload", 5, []error{invalid}, "invalid character '}'"},
		{"wrong first byte", "s", "t", `'x'`, "payload", 0, []error{invalid}, "not JSON"},
		{"wrong last byte", "s", "t", `{}}`, "payload", 2, []error{invalid}, "not JSON"},
		{"two objects", "s", "t", `{} {}`, "payload", 3, []error{invalid}, "not JSON"},
		{"JavaScript", "s", "t", `{a:1}`, "payload", 1, []error{invalid}, "not JSON"},
		{"trailing comma", "s", "t", `{"a":1,}`, "payload", 7, []error{invalid}, "not JSON"},
		{"byte order mark", "s", "t", "\ufeff{}", "payload", 0, []error{invalid}, "not JSON"},
		{"NaN", "s", "t", `{"a":NaN}`, "payload", 5, []error{invalid}, "not JSON"},
		{"raw new line", "s", "t", "{\"a\":\"\n\"}", "payload", 6, []error{invalid}, "not JSON"},
		{"too deep", "s", "t", `{"a":` + strings.Repeat("[", 20000), "payload", 10004, []error{invalid}, "depth"},
		{"not UTF-8", "s", "t", "{\"a\":\"é\xff\"}", "payload", 8, []error{invalid, utf8}, "write the text as UTF-8"},
		{"array", "s", "t", ` [1]`, "payload", 1, []error{invalid}, "it is an array, not an object"},
		{"string", "s", "t", `"{}"`, "payload", 0, []error{invalid}, "it is a string"},
		{"number", "s", "t", `-1`, "payload", 0, []error{invalid}, "it is a number"},
		{"boolean", "s", "t", `false`, "payload", 0, []error{invalid}, "it is a boolean"},
		{"null", "s", "t", `null`, "payload", 0, []error{invalid}, "it is null"},
	}
	all := []error{eventlog.ErrEmptySession, eventlog.ErrEmptyType, invalid, utf8}
	before := version{}.append(t, "s", "t", `{}`)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			after, err := before.log.Append(test.session, test.typ, json.RawMessage(test.payload))
			var fault *eventlog.AppendError
			require.ErrorAs(t, err, &fault)
			require.Equal(t, test.field, fault.Field)
			require.Equal(t, test.offset, fault.Offset)
			require.ErrorContains(t, err, test.message)
			for _, sentinel := range all {
				require.Equal(t, slices.Contains(test.is, sentinel), errors.Is(err, sentinel), "is it %q?", sentinel)
			}
			agree(t, before.model, after)
			agree(t, before.model, before.log)
		})
	}
}

func TestAppendErrorReadsWell(t *testing.T) {
	_, err := eventlog.New().Append("s", "t", json.RawMessage(`{"a":}`))
	require.EqualError(t, err, `eventlog: append: payload at byte 5: it is not JSON, invalid character '}' looking for beginning of value; a payload is one JSON object, such as {"content":"hello"}`)
	_, err = eventlog.New().Append("s", "t", json.RawMessage(`[]`))
	require.EqualError(t, err, `eventlog: append: payload at byte 0: it is an array, not an object; a payload is one JSON object, such as {"content":"hello"}`)
	_, err = eventlog.New().Append("", "t", nil)
	require.EqualError(t, err, `eventlog: append: sessionId at byte 0: it is empty; name the conversation that the event belongs to`)
}

// An event in JSON has the keys of the design's contract.
func TestEventJSON(t *testing.T) {
	b, err := json.Marshal(eventlog.Event{EventID: math.MaxInt64, SessionID: "s", Type: "t", Payload: json.RawMessage(`{"n":1.0}`)})
	require.NoError(t, err)
	require.Equal(t, `{"eventId":9223372036854775807,"sessionId":"s","type":"t","payload":{"n":1.0}}`, string(b))
}
