package openai_test

import (
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"forgetmenot/eventlog/agent"
	"forgetmenot/eventlog/agent/openai"

	"github.com/stretchr/testify/require"
)

const key = "sk-very-secret"

func TestFailures(t *testing.T) {
	half := stream(pieces(`{"content":"half"}`)...)
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		busy   bool
		after  time.Duration
		err    error
		says   string
	}{
		"too many":            {answer: failing(429, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, "Retry-After", "7"), busy: true, after: 7 * time.Second, says: "429 Too Many Requests: slow down"},
		"a fraction":          {answer: failing(429, ``, "Retry-After", "0.5"), busy: true, after: 500 * time.Millisecond},
		"a date":              {answer: failing(503, ``, "Retry-After", "Tue, 01 Dec 2026 10:00:09 GMT", "Date", "Tue, 01 Dec 2026 10:00:00 GMT"), busy: true, after: 9 * time.Second},
		"a date long ago":     {answer: failing(503, ``, "Retry-After", "Tue, 01 Dec 1998 10:00:09 GMT"), busy: true},
		"a wait beyond words": {answer: failing(503, ``, "Retry-After", "1e300"), busy: true, after: 24 * time.Hour},
		"no wait":             {answer: failing(503, ``, "Retry-After", "soon"), busy: true},
		"a negative wait":     {answer: failing(503, ``, "Retry-After", "-5"), busy: true},
		"a proxy's page":      {answer: failing(502, `<html>Bad`), busy: true, says: "502 Bad Gateway"},
		"a timeout":           {answer: failing(408, ``), busy: true},
		"an empty account":    {answer: failing(429, `{"error":{"message":"You exceeded","code":"insufficient_quota"}}`), says: "pay"},
		"a wrong key":         {answer: failing(401, `{"error":{"message":"Incorrect API key provided: `+key+`.","code":"invalid_api_key"}}`), says: "[the key].; set OPENAI_API_KEY to a key that it accepts"},
		"a forbidden model":   {answer: failing(403, `{"error":"no"}`), says: `403 Forbidden: no; the key may not use the model "small"`},
		"an unknown model":    {answer: failing(404, `{"error":{"message":"model not found"}}`), says: `no model "small" (set OPENAI_MODEL)`},
		"a long session":      {answer: failing(400, `{"error":{"message":"too long","code":"context_length_exceeded"}}`), says: "begin a new one"},
		"another shape":       {answer: failing(422, `{"detail":"tools are not known"}`), says: "422 Unprocessable Entity: tools are not known; it does not take"},
		"no JSON":             {answer: failing(400, "bad\x1b\nthing"), says: "400 Bad Request: bad\x1b thing"},
		"a code that is none": {answer: failing(400, `{"object":"error","message":"odd","code":400}`), says: "400 Bad Request: odd"},
		"an endless error":    {answer: failing(400, strings.Repeat("x", 1<<20)), says: "xxx…; it does not"},

		"an error in the stream": {answer: stream(append(pieces(`{"content":"a"}`), `{"error":{"message":"overloaded `+key+`"}}`)...), busy: true, err: openai.ErrBroken, says: "the server says: overloaded [the key]"},
		"no JSON in it":          {answer: stream(append(pieces(`{"content":"a"}`), `{"choices":`)...), busy: true, err: openai.ErrBroken},
		"no end":                 {answer: half, busy: true, err: openai.ErrBroken, says: "it ended before the reply did"},
		"done without an end":    {answer: stream(append(pieces(`{"content":"a"}`), "[DONE]")...), busy: true, err: openai.ErrBroken},
		"it breaks off":          {answer: breaking(half), busy: true, err: openai.ErrBroken},
		"nothing at all":         {answer: stream(), busy: true, err: openai.ErrBroken},
		"it stalls":              {answer: stalling(half), busy: true, err: openai.ErrStall},
		"it never answers":       {answer: stalling(nothing), busy: true, err: openai.ErrStall},
		"cut":                    {answer: whole("length", `{"content":"half a sen"}`), err: openai.ErrCut, says: "ask for less"},
		"a call cut":             {answer: whole("length", toolDelta(`{"id":"a","function":{"name":"add","arguments":"{"}}`)), err: openai.ErrCut},
		"endless":                {answer: stalling(stream(pieces(`{"content":"` + strings.Repeat("x", 5<<20) + `"}`)...)), err: openai.ErrCut},
		"filtered":               {answer: whole("content_filter", `{"content":"I"}`), err: openai.ErrFiltered},
		"empty":                  {answer: whole("stop", `{"content":""}`), busy: true, err: openai.ErrEmpty},
		"white space":            {answer: whole("stop", `{"content":"\n "}`), busy: true, err: openai.ErrEmpty},
		"calls without calls":    {answer: whole("tool_calls"), busy: true, err: openai.ErrEmpty},
		"a page":                 {answer: failing(200, `<html>`, "Content-Type", "text/html"), err: openai.ErrBroken, says: "its answer is text/html, not a stream of events; it is not the base URL"},
		"no stream":              {answer: failing(200, `{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}`), err: openai.ErrBroken, says: "application/json"},
	} {
		t.Run(name, func(t *testing.T) {
			f := serve(t, tt.answer)
			m := f.model(t, func(o *openai.Options) {
				o.Key = key
				if tt.err == openai.ErrStall {
					o.Stall = 20 * time.Millisecond
				}
			})
			reply, err := m.Next(t.Context(), asking("x"))
			require.Error(t, err)
			require.Equal(t, agent.Reply{}, reply)
			require.NotContains(t, err.Error(), key)
			require.Contains(t, err.Error(), f.URL+"/v1/: ")
			require.Contains(t, err.Error(), tt.says)
			require.Less(t, len(err.Error()), 1000)
			for inner := err; inner != nil; inner = errors.Unwrap(inner) {
				require.NotContains(t, inner.Error(), key)
			}
			if tt.err != nil {
				require.ErrorIs(t, err, tt.err)
			}
			var busy *agent.BusyError
			require.Equal(t, tt.busy, errors.As(err, &busy), "%v", err)
			if tt.busy {
				require.Equal(t, tt.after, busy.After)
			}
			require.Len(t, f.asked(), 1, "the loop asks again, not the client")
		})
	}
}

func TestWithoutAKeyTheServerWantsOne(t *testing.T) {
	_, err := serve(t, failing(401, ``)).model(t, nil).Next(t.Context(), asking("x"))
	require.ErrorContains(t, err, "it wants a key: set OPENAI_API_KEY")
	var e *openai.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, 401, e.Status)
}

func TestNobodyIsThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	m, err := openai.New(openai.Options{BaseURL: "http://" + l.Addr().String(), Model: "m", HTTP: &http.Client{}})
	require.NoError(t, err)
	_, err = m.Next(t.Context(), asking("x"))
	var busy *agent.BusyError
	require.ErrorAs(t, err, &busy)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	require.ErrorContains(t, err, "start the server")
}

func TestAServerThatNobodyTrusts(t *testing.T) {
	server := httptest.NewUnstartedServer(says("x"))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	m, err := openai.New(openai.Options{BaseURL: server.URL, Model: "m", HTTP: &http.Client{}})
	require.NoError(t, err)
	_, err = m.Next(t.Context(), asking("x"))
	require.ErrorContains(t, err, "certificate")
	var busy *agent.BusyError
	require.False(t, errors.As(err, &busy))
}

// A server that thinks for an hour, with a sign of life each 59 seconds, is no stalled one.
func TestStallIsCountedFromTheLastByte(t *testing.T) {
	for _, tt := range []struct {
		every time.Duration
		err   error
		hangs bool // behind the reply's end
	}{{59 * time.Second, nil, false}, {59 * time.Second, nil, true}, {61 * time.Second, openai.ErrStall, false}} {
		synctest.Test(t, func(t *testing.T) {
			m, err := openai.New(openai.Options{Model: "m", HTTP: &http.Client{Transport: slow{tt.every, tt.hangs}}})
			require.NoError(t, err)
			reply, err := m.Next(t.Context(), asking("x"))
			require.ErrorIs(t, err, tt.err)
			if tt.err == nil {
				require.Equal(t, "at last", reply.Text)
			}
		})
	}
}

// slow is the way to a server that sends a comment now and then, and the reply after 60 of them.
type slow struct {
	every time.Duration
	hangs bool // and never ends the stream
}

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) {
	body, w := io.Pipe()
	go func() {
		for range 60 {
			select {
			case <-time.After(s.every):
				io.WriteString(w, ": wait\n")
			case <-r.Context().Done():
				w.CloseWithError(r.Context().Err())
				return
			}
		}
		io.WriteString(w, `data: {"choices":[{"delta":{"content":"at last"},"finish_reason":"stop"}]}`+"\n\n")
		if s.hangs {
			<-r.Context().Done()
		}
		w.CloseWithError(r.Context().Err())
	}()
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body, Request: r}, nil
}
