package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"forgetmenot/eventlog"
)

func badRequest(code, message, mend string) error {
	return problem{status: http.StatusBadRequest, code: code, message: message, mend: mend}
}

const bodyTimeout = 30 * time.Second

// readBody reads a JSON object whole. An empty body is an empty object. Its members keep their bytes.
func (s *Service) readBody(w http.ResponseWriter, r *http.Request) (map[string]json.RawMessage, error) {
	// A client that never ends its body is let go. Writers that know no deadline have none.
	c := http.NewResponseController(w)
	c.SetReadDeadline(time.Now().Add(bodyTimeout))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.o.MaxBody))
	c.SetReadDeadline(time.Time{})
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, problem{
			status: http.StatusRequestEntityTooLarge, code: "body_too_large",
			message: fmt.Sprintf("the body is larger than %d bytes", large.Limit), mend: "send less",
		}
	case err != nil:
		return nil, badRequest("bad_body", "the body could not be read to its end", "send it again")
	case len(body) == 0:
		return nil, nil
	}
	// A page of another site can send other types without being asked whether it may.
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, problem{
			status: http.StatusUnsupportedMediaType, code: "bad_type", message: "the body is not declared as JSON", mend: "send Content-Type: application/json",
		}
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, problem{
			status: http.StatusUnsupportedMediaType, code: "bad_encoding", message: fmt.Sprintf("the body is encoded as %q, which is not known here", coding), mend: "send it uncompressed",
		}
	}
	if !utf8.Valid(body) {
		return nil, badRequest("bad_utf8", "the body is not UTF-8", "send UTF-8")
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil || members == nil {
		return nil, badRequest("bad_json", "the body is not a JSON object", `send one, such as {"content":"hello"}`)
	}
	return members, nil
}

// text is a member that must be a string when it is there.
func text(members map[string]json.RawMessage, name string) (string, error) {
	raw, ok := members[name]
	if !ok {
		return "", nil
	}
	var v *string
	if err := json.Unmarshal(raw, &v); err != nil || v == nil {
		return "", badRequest("bad_"+name, name+" is not a string", "send a JSON string")
	}
	return *v, nil
}

// readKey is the request's idempotency key; "" without one.
func readKey(r *http.Request) (string, error) {
	key := r.Header.Get("Idempotency-Key")
	printable := strings.IndexFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) < 0
	if len(key) > 255 || !printable || len(r.Header.Values("Idempotency-Key")) > 1 {
		return "", badRequest("bad_key", "the Idempotency-Key is not up to 255 printable ASCII characters", "use a fresh UUID for each message")
	}
	return key, nil
}

// number is a query parameter that counts from 0.
func number(r *http.Request, name string) (int64, error) {
	v := r.URL.Query().Get(name)
	if v == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 {
		mend := "use an event id, or leave it out"
		if name == "limit" {
			mend = fmt.Sprintf("say how many you want, up to %d, or leave it out", mostPage)
		}
		return 0, badRequest("bad_"+name, fmt.Sprintf("%s is not a whole number from 0", name), mend)
	}
	return n, nil
}

const (
	defaultPage, mostPage = 100, 1000
	pageBytes             = 1 << 20 // after which a page ends, whatever its limit
)

func pageLimit(r *http.Request) (int, error) {
	n, err := number(r, "limit")
	if err != nil {
		return 0, err
	}
	if n == 0 {
		n = defaultPage
	}
	return int(min(n, mostPage)), nil
}

func readRange(r *http.Request) (in eventlog.Range, limit int, err error) {
	if in.After, err = number(r, "after"); err == nil {
		if in.Until, err = number(r, "until"); err == nil {
			limit, err = pageLimit(r)
		}
	}
	return in, limit, err
}
