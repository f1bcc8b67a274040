package agent

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"forgetmenot/eventlog"
)

// A problem is an error as a client sees it: {"error":{"code","message","mend"}}. The code is for programs and does not change, the message is
// for people, and mend says what to do.
type problem struct {
	status     int
	code       string
	message    string
	mend       string
	retryAfter string // seconds, when the same request may work later
}

func (p problem) Error() string { return p.message }

// kinds are the errors that have a status of their own; the first that is true counts. A function, so that nobody can change it.
func kinds() []struct {
	err  error
	kind problem
} {
	return []struct {
		err  error
		kind problem
	}{
		{ErrShutdown, problem{503, "shutting_down", "", "send it again, with the same Idempotency-Key, when the service is back", "2"}},
		{ErrWaiting, problem{429, "too_many_waiting", "", "wait for the answers to what you have sent", "1"}},
		{ErrStreams, problem{503, "too_many_streams", "", "close a stream that you do not need, or come back later with your last event id", "5"}},
		{ErrModel, problem{502, "model_failed", "", "send the message again with the same Idempotency-Key: the turn goes on where it stopped", ""}},
		{ErrHook, problem{500, "stopped", "", "send the message again with the same Idempotency-Key: the turn goes on where it stopped", ""}},
		{eventlog.ErrNoSession, problem{404, "no_session", "", "create it with POST /sessions", ""}},
		{eventlog.ErrSessionExists, problem{409, "session_exists", "", "use it, or choose another id", ""}},
		{eventlog.ErrKeyReused, problem{422, "key_reused", "", "a repeat has the very same content; a new message needs a new Idempotency-Key", ""}},
		{eventlog.ErrConflict, problem{409, "conflict", "", "somebody else writes to this session; send it again with the same Idempotency-Key", "1"}},
		{eventlog.ErrTooLarge, problem{413, "too_large", "", "send less", ""}},
		{eventlog.ErrEmptySession, problem{400, "bad_id", "", "give the session an id", ""}},
		{eventlog.ErrInvalidUTF8, problem{400, "bad_utf8", "", "send UTF-8", ""}},
		{eventlog.ErrInvalidPayload, problem{400, "bad_content", "", "content is a JSON string", ""}},
		{eventlog.ErrClosed, problem{503, "store_closed", "", "send it again, with the same Idempotency-Key, when the service is back", "2"}},
		{eventlog.ErrBusy, problem{503, "store_busy", "", "send it again with the same Idempotency-Key", "1"}},
		{eventlog.ErrFull, problem{507, "store_full", "", "make room on the disk of the store", ""}},
		{eventlog.ErrReadOnly, problem{503, "store_read_only", "", "make the store writable", ""}},
		{eventlog.ErrIO, problem{503, "store_failed", "", "send it again with the same Idempotency-Key: it is stored once, whatever became of this attempt", "1"}},
		{eventlog.ErrCorrupt, problem{500, "store_damaged", "", "stop the service and verify the store", ""}},
		{eventlog.ErrGone, problem{500, "store_gone", "", "bring the store's files back and start the service again", ""}},
		{eventlog.ErrNotStore, problem{500, "store_foreign", "", "give the service a store", ""}},
		{eventlog.ErrNewerVersion, problem{500, "store_newer", "", "use the program that wrote the store", ""}},
		{context.DeadlineExceeded, problem{504, "timeout", "", "send it again with the same Idempotency-Key: the turn goes on where it stopped", ""}},
		{context.Canceled, problem{503, "cancelled", "", "send it again with the same Idempotency-Key: the turn goes on where it stopped", "1"}},
	}
}

// problemOf translates an error by what it is, never by its text.
func problemOf(err error) problem {
	var known problem
	if errors.As(err, &known) {
		return known
	}
	for _, k := range kinds() {
		if !errors.Is(err, k.err) {
			continue
		}
		p := k.kind
		p.message = err.Error()
		var e *eventlog.StoreError
		if errors.As(err, &e) && e.Mend != "" {
			p.mend = e.Mend // nearer to what happened
		}
		return p
	}
	// What nobody foresaw may say more than a client should know; the log has it.
	return problem{500, "internal", "something went wrong in the service", "look at the service's log", ""}
}

// refuse answers with an error. It is only for answers of which nothing has been written.
func (s *Service) refuse(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	s.metrics.errors.WithLabelValues(p.code).Inc()
	if p.status >= 500 {
		s.o.Log.ErrorContext(r.Context(), "request failed", "method", r.Method, "path", r.URL.Path, "code", p.code, "error", err)
	}
	if p.retryAfter != "" {
		w.Header().Set("Retry-After", p.retryAfter)
	}
	body, _ := json.Marshal(map[string]any{"error": map[string]string{"code": p.code, "message": p.message, "mend": p.mend}})
	writeJSON(w, p.status, append(body, '\n'))
}
