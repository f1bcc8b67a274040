package openai

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"syscall"

	"forgetmenot/eventlog/agent"

	"github.com/openai/openai-go/v3/packages/ssestream"
)

// What can be wrong with a reply. Ask with [errors.Is].
var (
	ErrStall    = errors.New("nothing came from the server for too long")
	ErrBroken   = errors.New("the stream is broken")
	ErrEmpty    = errors.New("the reply is empty")
	ErrCut      = errors.New("the reply was cut off at its greatest length")
	ErrFiltered = errors.New("the reply was held back by the server's content filter")
)

// An Error is a failure of the server, or of the way to it. Its text names the server, the fault and what to do, and never the key.
type Error struct {
	BaseURL string
	Status  int    // of HTTP; 0 when there was none, or the reply itself is the fault
	Mend    string // what to do; "" when there is nothing but to try again
	Err     error

	text string
}

func (e *Error) Error() string { return e.text }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// A foreignError is an answer of some other kind than a stream of events.
type foreignError string

func (e foreignError) Error() string {
	if e == "" {
		return "its answer is not a stream of events"
	}
	return fmt.Sprintf("its answer is %s, not a stream of events", string(e))
}

func (e foreignError) Unwrap() error { return ErrBroken }

// failed makes of a fault an [*Error], inside an [*agent.BusyError] when it may pass.
func (m *Model) failed(err error) error {
	e := &Error{BaseURL: m.o.BaseURL, Err: err}
	busy := &agent.BusyError{Err: e}
	passes := true
	var status *statusError
	var untrusted *tls.CertificateVerificationError
	var foreign foreignError
	switch {
	case errors.As(err, &status):
		e.Status, busy.After = status.status, status.after
		status.message = m.struck(status.message)
		passes = status.passes()
		e.Mend = m.mendStatus(status)
	case errors.As(err, &untrusted):
		passes = false
		e.Mend = "use the name that its certificate has, or trust the one who signed it"
	case errors.As(err, &foreign):
		passes = false
		e.Mend = "it is not the base URL of a chat completions API, which often ends in /v1: set OPENAI_BASE_URL"
	case errors.Is(err, ErrCut):
		passes = false
		e.Mend = "ask for less, begin a new session, or let the server write longer replies"
	case errors.Is(err, ErrFiltered):
		passes = false
		e.Mend = "ask in other words"
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Mend = "start the server, or set OPENAI_BASE_URL to where it is"
	}
	e.text = fmt.Sprintf("%s: %s", m.o.BaseURL, err)
	if e.Mend != "" {
		e.text += "; " + e.Mend
	}
	e.text = m.struck(e.text)
	if passes {
		return busy
	}
	return e
}

// struck is a text without the key, which some servers repeat when they refuse it.
func (m *Model) struck(text string) string {
	if m.o.Key == "" {
		return text
	}
	return strings.ReplaceAll(text, m.o.Key, "[the key]")
}

// broken is what ended a stream that had begun.
func (m *Model) broken(err error) error {
	var sent *ssestream.StreamError
	if errors.As(err, &sent) {
		_, message := explained(sent.Event.Data)
		return fmt.Errorf("%w: the server says: %s", ErrBroken, m.struck(message))
	}
	return fmt.Errorf("%w: %w", ErrBroken, err)
}

func (e *statusError) passes() bool {
	switch e.status {
	case http.StatusTooManyRequests:
		return e.code != "insufficient_quota"
	case http.StatusRequestTimeout:
		return true
	}
	return e.status >= 500
}

func (m *Model) mendStatus(e *statusError) string {
	switch {
	case e.status == http.StatusUnauthorized && m.o.Key == "":
		return "it wants a key: set OPENAI_API_KEY"
	case e.status == http.StatusUnauthorized:
		return "set OPENAI_API_KEY to a key that it accepts"
	case e.status == http.StatusForbidden:
		return fmt.Sprintf("the key may not use the model %q: set OPENAI_MODEL or OPENAI_API_KEY", m.o.Model)
	case e.status == http.StatusNotFound:
		return fmt.Sprintf("either it has no model %q (set OPENAI_MODEL), or its base URL is another one (set OPENAI_BASE_URL)", m.o.Model)
	case e.code == "insufficient_quota":
		return "the key's account has used what it may: pay, or set OPENAI_API_KEY to another one"
	case e.code == "context_length_exceeded", e.status == http.StatusRequestEntityTooLarge:
		return "the session is too long for this model: begin a new one, or set OPENAI_MODEL to another model"
	case e.passes():
		return ""
	}
	return "it does not take the request as it is; it may not know tools, or streaming"
}
