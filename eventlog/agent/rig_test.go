package agent_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	"github.com/stretchr/testify/require"
)

// A rig is a service that listens, and a client of it.
type rig struct {
	t       *testing.T
	service *agent.Service
	server  *httptest.Server
}

func start(t *testing.T, store eventlog.Store, o agent.Options) *rig {
	r := &rig{t: t, service: agent.New(store, o)}
	r.server = httptest.NewServer(r.service.Handler())
	t.Cleanup(r.crash)
	return r
}

// crash ends the service at once, as far as that goes within one process: running turns are cut off.
func (r *rig) crash() {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	r.service.Shutdown(ended)
	r.server.CloseClientConnections()
	r.server.Close()
}

// A reply is what the service answered.
type reply struct {
	status int
	header http.Header
	body   string
}

func (r *rig) send(method, path, body string, header ...string) reply {
	r.t.Helper()
	a, err := r.try(method, path, body, header...)
	require.NoError(r.t, err)
	return a
}

func (r *rig) try(method, path, body string, header ...string) (reply, error) {
	request, err := http.NewRequest(method, r.server.URL+path, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			request.Host = header[i+1]
		}
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := r.server.Client().Do(request)
	if err != nil {
		return reply{}, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, answer.Header, string(text)}, err
}

// session makes one.
func (r *rig) session(id string) {
	r.t.Helper()
	a := r.send("POST", "/sessions", `{"id":`+quote(id)+`}`)
	require.Equal(r.t, 201, a.status, a.body)
}

// say sends a message and returns the turn.
func (r *rig) say(id, content, key string) turn {
	r.t.Helper()
	a := r.send("POST", "/sessions/"+id+"/messages", `{"content":`+quote(content)+`}`, "Idempotency-Key", key)
	require.Equal(r.t, 200, a.status, a.body)
	return read[turn](r.t, a.body)
}

type turn struct {
	Messages []struct {
		EventID int64 `json:"eventId"`
		Message eventlog.Message
	}
	LastEventID int64
}

// texts are the contents of a turn's messages, "" for a tool call.
func (a turn) texts() (texts []string) {
	for _, m := range a.Messages {
		var s string
		json.Unmarshal(m.Message.Content, &s)
		texts = append(texts, s)
	}
	return texts
}

// fault checks that an answer is an error of a code, and one that says what to do.
func (r *rig) fault(a reply, status int, code string) {
	r.t.Helper()
	require.Equal(r.t, status, a.status, a.body)
	require.Equal(r.t, "application/json", a.header.Get("Content-Type"))
	e := read[map[string]map[string]string](r.t, a.body)["error"]
	require.Equal(r.t, code, e["code"], a.body)
	require.NotEmpty(r.t, e["message"])
	require.NotEmpty(r.t, e["mend"])
}

// stored is a session's events, as TYPE and payload.
func stored(t *testing.T, s eventlog.Store, session string) (events []string) {
	t.Helper()
	for e, err := range s.Events(t.Context(), session, eventlog.Range{}) {
		require.NoError(t, err)
		events = append(events, e.Type+" "+string(e.Payload))
	}
	return events
}

// types are a session's events, by their types.
func types(t *testing.T, s eventlog.Store, session string) (types []string) {
	t.Helper()
	for _, e := range stored(t, s, session) {
		name, _, _ := strings.Cut(e, " ")
		types = append(types, name)
	}
	return types
}

var orderTurn = []string{
	"turn_start", "user_message",
	"step_start", "model_request", "tool_call", "tool_start", "tool_result", "step_end",
	"step_start", "model_request", "assistant_message", "step_end",
	"turn_end",
}

// talkTurn is a turn without tools.
var talkTurn = []string{"turn_start", "user_message", "step_start", "model_request", "assistant_message", "step_end", "turn_end"}

// A feed is an open event stream.
type feed struct {
	t     *testing.T
	body  io.ReadCloser
	lines *bufio.Reader
	id    string
}

func (r *rig) stream(path string, header ...string) *feed {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), "GET", r.server.URL+path, nil)
	require.NoError(r.t, err)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := r.server.Client().Do(request)
	require.NoError(r.t, err)
	require.Equal(r.t, 200, answer.StatusCode)
	require.Equal(r.t, "text/event-stream", answer.Header.Get("Content-Type"))
	r.t.Cleanup(func() { answer.Body.Close() })
	return &feed{t: r.t, body: answer.Body, lines: bufio.NewReader(answer.Body)}
}

type sent struct {
	EventID   int64           `json:"eventId"`
	SessionID string          `json:"sessionId"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
}

// next waits for an event; ok is false at the stream's end. It reads as a browser does: https://html.spec.whatwg.org/multipage/server-sent-events.html
func (f *feed) next() (e sent, ok bool) {
	var data [][]byte
	for {
		line, err := f.lines.ReadBytes('\n')
		if err != nil {
			return e, false
		}
		line = bytes.TrimSuffix(line, []byte("\n"))
		switch name, value, _ := bytes.Cut(line, []byte(": ")); string(name) {
		case "id":
			f.id = string(value)
		case "data":
			data = append(data, value)
		case "":
			if data != nil {
				if err := json.Unmarshal(bytes.Join(data, []byte("\n")), &e); err != nil || strconv.FormatInt(e.EventID, 10) != f.id {
					f.t.Errorf("the event %s: %s: %v", f.id, data, err)
				}
				return e, true
			}
		}
	}
}

func (f *feed) take(n int) (events []sent) {
	f.t.Helper()
	for len(events) < n {
		e, ok := f.next()
		require.True(f.t, ok, "the stream ended after %d of %d events", len(events), n)
		events = append(events, e)
	}
	return events
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func read[T any](t *testing.T, text string) (v T) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(text), &v), text)
	return v
}
