package openai_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"forgetmenot/eventlog/agent/openai"

	"github.com/stretchr/testify/require"
)

// A fake is a local server of the API: it answers the first request with its first answer, and so on; the last answer goes on for ever.
type fake struct {
	*httptest.Server
	answers []http.HandlerFunc

	mu       sync.Mutex
	requests []request
	faults   []string
}

type request struct {
	header http.Header
	body   struct {
		Model    string
		Stream   bool
		Messages []message
		Tools    []struct {
			Type     string
			Function struct {
				Name, Description string
				Parameters        json.RawMessage
			}
		}
	}
}

type message struct {
	Role       string
	Content    *string
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID, Type string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

func serve(t *testing.T, answers ...http.HandlerFunc) *fake {
	t.Helper()
	f := &fake{answers: answers}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got request
		text, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(text, &got.body)
		}
		got.header = r.Header
		f.mu.Lock()
		switch {
		case err != nil:
			f.faults = append(f.faults, err.Error())
		case r.URL.Path != "/v1/chat/completions" || !got.body.Stream:
			f.faults = append(f.faults, "asked for "+r.URL.Path)
		}
		if fault := refused(got.body.Messages); fault != "" {
			f.faults = append(f.faults, fault)
		}
		f.requests = append(f.requests, got)
		answer := f.answers[min(len(f.requests), len(f.answers))-1]
		f.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(func() {
		f.CloseClientConnections()
		f.Close()
		require.Empty(t, f.faults)
	})
	return f
}

func (f *fake) asked() []request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.requests)
}

// model is one that asks this server.
func (f *fake) model(t *testing.T, change func(*openai.Options)) *openai.Model {
	t.Helper()
	o := openai.Options{BaseURL: f.URL + "/v1", Model: "small", HTTP: f.Client()}
	if change != nil {
		change(&o)
	}
	m, err := openai.New(o)
	require.NoError(t, err)
	return m
}

// refused is what the API would find wrong with messages: every call is answered at once, by one message with its id.
func refused(messages []message) string {
	var open []string
	known := map[string]bool{}
	for i, m := range messages {
		if m.Role == "tool" {
			at := slices.Index(open, m.ToolCallID)
			if at < 0 {
				return fmt.Sprintf("message %d answers the call %q, which is not open", i, m.ToolCallID)
			}
			open = slices.Delete(open, at, at+1)
			continue
		}
		if len(open) > 0 {
			return fmt.Sprintf("message %d stands before the answer to %q", i, open[0])
		}
		if m.Role != "user" && m.Role != "assistant" {
			return fmt.Sprintf("message %d has the role %q", i, m.Role)
		}
		if m.Content == nil && len(m.ToolCalls) == 0 {
			return fmt.Sprintf("message %d is empty", i)
		}
		for _, c := range m.ToolCalls {
			if c.ID == "" || known[c.ID] || c.Type != "function" {
				return fmt.Sprintf("message %d has the call %q", i, c.ID)
			}
			known[c.ID] = true
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return fmt.Sprintf("nothing answers the call %q", open[0])
	}
	return ""
}

func TestTheServerRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"an open call":         `[{"role":"assistant","tool_calls":[{"id":"a","type":"function"}]}]`,
		"a late answer":        `[{"role":"assistant","tool_calls":[{"id":"a","type":"function"}]},{"role":"user","content":"x"},{"role":"tool","tool_call_id":"a"}]`,
		"two answers":          `[{"role":"assistant","tool_calls":[{"id":"a","type":"function"}]},{"role":"tool","tool_call_id":"a"},{"role":"tool","tool_call_id":"a"}]`,
		"two calls of one id":  `[{"role":"assistant","tool_calls":[{"id":"a","type":"function"},{"id":"a","type":"function"}]}]`,
		"a call without an id": `[{"role":"assistant","tool_calls":[{"type":"function"}]}]`,
		"nothing":              `[{"role":"assistant"}]`,
		"a stranger":           `[{"role":"nobody","content":"x"}]`,
	} {
		var messages []message
		require.NoError(t, json.Unmarshal([]byte(text), &messages))
		require.NotEmpty(t, refused(messages), name)
	}
}

// stream answers with these chunks, as events.
func stream(chunks ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, c := range chunks {
			fmt.Fprintf(w, "data: %s\n\n", c)
			w.(http.Flusher).Flush()
		}
	}
}

// whole is a stream of one choice's deltas, to its end.
func whole(finish string, deltas ...string) http.HandlerFunc {
	return stream(append(pieces(deltas...), `{"choices":[{"index":0,"delta":{},"finish_reason":"`+finish+`"}]}`, `{"choices":[],"usage":{}}`, "[DONE]")...)
}

func pieces(deltas ...string) (chunks []string) {
	for _, d := range deltas {
		chunks = append(chunks, `{"choices":[{"index":0,"delta":`+d+`,"finish_reason":null}]}`)
	}
	return chunks
}

func says(words ...string) http.HandlerFunc {
	var deltas []string
	for _, w := range words {
		text, _ := json.Marshal(w)
		deltas = append(deltas, `{"content":`+string(text)+`}`)
	}
	return whole("stop", deltas...)
}

// failing answers with an error.
func failing(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// breaking sends what next sends, and breaks the connection off.
func breaking(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		next(w, r)
		panic(http.ErrAbortHandler)
	}
}

// stalling sends what next sends, and then nothing until the client goes.
func stalling(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		next(w, r)
		<-r.Context().Done()
	}
}

func nothing(http.ResponseWriter, *http.Request) {}

func toolDelta(text string) string { return `{"tool_calls":[` + strings.TrimSpace(text) + `]}` }
