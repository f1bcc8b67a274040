package openai

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const eventStream = "text/event-stream"

// A wire watches one request: that bytes come, and what kind of answer they are.
type wire struct {
	stall time.Duration
	timer *time.Timer

	answered bool   // with a good status
	kind     string // that answer's media type
}

// newWire calls stalled when no byte has come for as long as stall, from now on.
func newWire(stall time.Duration, stalled func()) *wire {
	return &wire{stall: stall, timer: time.AfterFunc(stall, stalled)}
}

func (w *wire) stop() { w.timer.Stop() }

// pass is a middleware of the client's. It turns an answer that is an error into a [*statusError]: the client would not tell the status of one whose
// body it does not understand, such as a proxy's page.
func (w *wire) pass(request *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	answer, err := next(request)
	if err != nil {
		return answer, err
	}
	w.timer.Reset(w.stall)
	if answer.StatusCode >= 400 {
		defer answer.Body.Close()
		return nil, newStatusError(answer)
	}
	w.answered = true
	w.kind, _, _ = mime.ParseMediaType(answer.Header.Get("Content-Type"))
	answer.Body = &watchedBody{answer.Body, w}
	return answer, nil
}

type watchedBody struct {
	io.ReadCloser
	w *wire
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.w.timer.Reset(b.w.stall)
	}
	return n, err
}

// A statusError is an answer whose status is one of an error.
type statusError struct {
	status  int
	code    string // what the server calls it, if it does
	message string
	after   time.Duration // what Retry-After says
}

func (e *statusError) Error() string {
	text := strings.TrimSpace(strconv.Itoa(e.status) + " " + http.StatusText(e.status))
	if e.message != "" {
		text += ": " + e.message
	}
	return text
}

// maxErrorBody is as much of an error's body as is read, and maxMessage as much of it as is shown.
const maxErrorBody, maxMessage = 64 << 10, 600

func newStatusError(answer *http.Response) *statusError {
	e := &statusError{status: answer.StatusCode, after: retryAfter(answer.Header)}
	body, _ := io.ReadAll(io.LimitReader(answer.Body, maxErrorBody)) // a body that breaks off says what it says
	e.code, e.message = explained(body)
	return e
}

// explained finds the words in the body of an error, in the shapes in which servers of this API write them.
func explained(body []byte) (code, message string) {
	var o map[string]json.RawMessage
	if json.Unmarshal(body, &o) != nil {
		if strings.HasPrefix(strings.TrimSpace(string(body)), "<") {
			return "", "" // a page, for a browser
		}
		return "", shortened(string(body))
	}
	if inner := (map[string]json.RawMessage{}); json.Unmarshal(o["error"], &inner) == nil && len(inner) > 0 {
		o = inner
	}
	json.Unmarshal(o["code"], &code) // in some servers a number, which says nothing that the status does not
	for _, name := range []string{"message", "error", "detail"} {
		if json.Unmarshal(o[name], &message) == nil && message != "" {
			return code, shortened(message)
		}
	}
	return code, ""
}

func shortened(s string) string {
	s = strings.ToValidUTF8(strings.Join(strings.Fields(s), " "), "\uFFFD")
	if runes := []rune(s); len(runes) > maxMessage {
		return string(runes[:maxMessage]) + "…"
	}
	return s
}

// retryAfter reads https://www.rfc-editor.org/rfc/rfc9110#field.retry-after: seconds, or a date, which is compared with the server's own clock.
func retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		// Some send fractions. A day is longer than anybody waits, and far from where a duration overflows.
		return time.Duration(min(max(seconds, 0), 86400) * float64(time.Second))
	}
	then, err := http.ParseTime(text)
	now, noClock := http.ParseTime(h.Get("Date"))
	if err != nil || noClock != nil {
		return 0
	}
	return min(max(then.Sub(now), 0), 24*time.Hour)
}
