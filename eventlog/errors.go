package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// What can be wrong with an event. Append returns them in an [*AppendError];
// ask with [errors.Is].
var (
	ErrEmptySession   = errors.New("empty session id")
	ErrEmptyType      = errors.New("empty event type")
	ErrInvalidPayload = errors.New("invalid payload") // any fault of a payload: not JSON, not an object, not UTF-8
	ErrInvalidUTF8    = errors.New("invalid UTF-8")   // in any field; in a payload it is an ErrInvalidPayload too
)

// An AppendError says why an event was not appended, where the fault is, and
// what to do about it.
type AppendError struct {
	Field  string // "sessionId", "type" or "payload", as in an Event's JSON; of a Store also "title" or "key"
	Offset int    // the byte of the field at which the fault is, from 0
	Reason string // the fault and its mend, for a person
	Err    error  // one of this package's errors
}

func (e *AppendError) Error() string { return "eventlog: append: " + e.fault() }

// fault is the error without what was being done.
func (e *AppendError) fault() string {
	return fmt.Sprintf("%s at byte %d: %s", e.Field, e.Offset, e.Reason)
}

// Unwrap returns the error that tells the kind of fault.
func (e *AppendError) Unwrap() error { return e.Err }

// Is makes invalid UTF-8 in a payload both an ErrInvalidUTF8 and an
// ErrInvalidPayload.
func (e *AppendError) Is(target error) bool {
	return target == ErrInvalidPayload && e.Field == "payload"
}

// check returns what is wrong with an event, or nil. It must not return a typed
// nil.
func check(sessionID, eventType string, payload []byte) error {
	if err := checkName("sessionId", sessionID, ErrEmptySession, "name the conversation that the event belongs to"); err != nil {
		return err
	}
	if err := checkName("type", eventType, ErrEmptyType, "name the kind of event, such as "+TypeUserMessage); err != nil {
		return err
	}
	if err := checkPayload(payload); err != nil {
		return err
	}
	return nil
}

func checkName(field, name string, empty error, mend string) *AppendError {
	if name == "" {
		return &AppendError{Field: field, Reason: "it is empty; " + mend, Err: empty}
	}
	if !utf8.ValidString(name) {
		return notUTF8(field, []byte(name))
	}
	return nil
}

const mendPayload = `a payload is one JSON object, such as {"content":"hello"}`

func checkPayload(payload []byte) *AppendError {
	if !utf8.Valid(payload) {
		return notUTF8("payload", payload)
	}
	if !json.Valid(payload) {
		return notJSON(payload)
	}
	start := len(payload) - len(bytes.TrimLeft(payload, " \t\r\n"))
	if payload[start] == '{' {
		return nil
	}
	return &AppendError{
		Field:  "payload",
		Offset: start,
		Reason: fmt.Sprintf("it is %s, not an object; %s", kind(payload[start]), mendPayload),
		Err:    ErrInvalidPayload,
	}
}

// notJSON finds out where, and why, a text is not JSON.
func notJSON(payload []byte) *AppendError {
	fault := &AppendError{Field: "payload", Offset: len(payload), Err: ErrInvalidPayload}
	if len(bytes.TrimSpace(payload)) == 0 {
		fault.Reason = "it is empty; " + mendPayload
		return fault
	}
	// A syntax error stands behind the byte that it is about, or at the end when
	// it is about the end. One more space tells the two apart.
	var v json.RawMessage
	err := json.Unmarshal(append(bytes.Clone(payload), ' '), &v)
	why := "it ends too early"
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset <= int64(len(payload)) {
		fault.Offset = int(syntax.Offset) - 1
		why = err.Error()
	}
	fault.Reason = fmt.Sprintf("it is not JSON, %s; %s", why, mendPayload)
	return fault
}

func notUTF8(field string, text []byte) *AppendError {
	at := 0
	for {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return &AppendError{
		Field:  field,
		Offset: at,
		Reason: "it is not valid UTF-8; write the text as UTF-8",
		Err:    ErrInvalidUTF8,
	}
}

// kind names the JSON value that starts with c.
func kind(c byte) string {
	switch c {
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
