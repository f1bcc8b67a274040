package agent_test

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	"github.com/stretchr/testify/require"
)

// What who runs the service sees of it: its log, its metrics, and errors that say what to do.

// A client's mistake is not counted as a turn that failed, which somebody may be woken by, and a turn that went well logs no error.
func TestRefusedTurnsAreNotFailures(t *testing.T) {
	var log bytes.Buffer
	r := start(t, eventlog.NewMemStore(), agent.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	r.session("a")
	r.say("a", "hello", "k")
	r.fault(r.send("POST", "/sessions/nobody/messages", `{"content":"x"}`), 404, "no_session")
	r.fault(r.send("POST", "/sessions/a/messages", `{"content":"y"}`, "Idempotency-Key", "k"), 422, "key_reused")
	metrics := r.send("GET", "/metrics", "").body
	require.Contains(t, metrics, `agent_turns_total{outcome="done"} 1`)
	require.Contains(t, metrics, `agent_turns_total{outcome="refused"} 2`)
	require.NotContains(t, metrics, `outcome="failed"`)
	require.Contains(t, metrics, "agent_turn_seconds_count 1\n", "what was refused took no time worth knowing")
	r.crash() // nobody writes to the log any more
	require.Contains(t, log.String(), "msg=turn session=a")
	require.Contains(t, log.String(), `msg="turn refused" session=nobody`)
	require.NotContains(t, log.String(), "nil")
	require.NotContains(t, log.String(), "level=ERROR")
	require.NotContains(t, log.String(), "hello", "never a message's content")
}

func TestFailedTurnsAreLogged(t *testing.T) {
	var log bytes.Buffer
	r := start(t, eventlog.NewMemStore(), agent.Options{Log: slog.New(slog.NewTextHandler(&log, nil)), Model: modelFunc(func(context.Context, agent.Request) (agent.Reply, error) {
		panic("oh")
	})})
	r.session("a")
	r.fault(r.send("POST", "/sessions/a/messages", `{"content":"x"}`), 502, "model_failed")
	require.Contains(t, r.send("GET", "/metrics", "").body, `agent_turns_total{outcome="failed"} 1`)
	r.crash()
	require.Contains(t, log.String(), `level=WARN msg="turn failed" session=a`)
	require.Contains(t, log.String(), `level=ERROR msg="request failed"`)
}

// Each error names the thing that is wrong and what to do about that very thing.
func TestErrorsSayWhatToDo(t *testing.T) {
	r := start(t, eventlog.NewMemStore(), agent.Options{})
	r.session("a")
	for _, tt := range []struct {
		method, path string
		header       []string
		status       int
		code, mend   string
	}{
		{"GET", "/sessions/a/events?limit=x", nil, 400, "bad_limit", "how many you want"},
		{"GET", "/sessions/a/events?after=x", nil, 400, "bad_after", "event id"},
		{"GET", "/session/a", nil, 404, "not_found", "/sessions/{id}/messages"},
		{"POST", "/sessions/a/messages", []string{"Content-Encoding", "gzip"}, 415, "bad_encoding", "uncompressed"},
	} {
		a := r.send(tt.method, tt.path, `{"content":"x"}`, tt.header...)
		r.fault(a, tt.status, tt.code)
		require.Contains(t, a.body, tt.mend)
	}
}

func TestServeWhereSomebodyListens(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	err = agent.Serve(t.Context(), eventlog.NewMemStore(), taken.Addr().String(), agent.Options{}, nil)
	require.ErrorContains(t, err, taken.Addr().String())
	require.ErrorContains(t, err, "another program listens there")
	require.False(t, strings.HasSuffix(err.Error(), "address already in use"))
}
