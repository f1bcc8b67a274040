package agent_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	"github.com/stretchr/testify/require"
)

// Running turns end, those that wait do not begin, streams are closed.
func TestShutdown(t *testing.T) {
	running, goOn := make(chan bool), make(chan struct{})
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{MaxWaiting: 1, Model: modelFunc(func(ctx context.Context, req agent.Request) (agent.Reply, error) {
		running <- true
		<-goOn
		return agent.Reply{Text: "done"}, nil
	})})
	r.session("a")
	feed := r.stream("/events")
	first, others := make(chan reply, 1), make(chan reply, 2)
	post := func(to chan reply) {
		a, err := r.try("POST", "/sessions/a/messages", `{"content":"x"}`)
		if err != nil {
			t.Error(err)
		}
		to <- a
	}
	go post(first)
	<-running
	go post(others)
	go post(others)
	r.fault(<-others, 429, "too_many_waiting") // so the other one waits
	ended := make(chan error)
	go func() { ended <- r.service.Shutdown(context.Background()) }()
	r.fault(<-others, 503, "shutting_down")
	feed.take(4)
	_, ok := feed.next()
	require.False(t, ok)
	r.fault(r.send("POST", "/sessions/a/messages", `{"content":"x"}`), 503, "shutting_down")
	r.fault(r.send("GET", "/healthz", ""), 503, "shutting_down")
	r.fault(r.send("GET", "/events", ""), 503, "shutting_down")
	select {
	case <-ended:
		t.Fatal("a turn is still running")
	default:
	}
	close(goOn)
	require.Equal(t, 200, (<-first).status)
	require.NoError(t, <-ended)
	require.NoError(t, r.service.Shutdown(t.Context()))
	require.Equal(t, talkTurn, types(t, store, "a"))
}

// A turn that takes longer than the patience is cut off, and goes on with the next service.
func TestShutdownLosesPatience(t *testing.T) {
	store := eventlog.NewMemStore()
	running := make(chan bool)
	r := start(t, store, agent.Options{Model: modelFunc(func(ctx context.Context, _ agent.Request) (agent.Reply, error) {
		running <- true
		<-ctx.Done()
		return agent.Reply{}, ctx.Err()
	})})
	r.session("a")
	answered := make(chan reply)
	go func() {
		a, err := r.try("POST", "/sessions/a/messages", `{"content":"orders"}`)
		if err != nil {
			t.Error(err)
		}
		answered <- a
	}()
	<-running
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, r.service.Shutdown(ended), context.Canceled)
	r.fault(<-answered, 503, "cancelled")
	require.Equal(t, []string{"turn_start", "user_message", "step_start", "model_request"}, types(t, store, "a"))
	n, err := agent.New(store, agent.Options{}).Resume(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, orderTurn, types(t, store, "a"))
}

func TestServe(t *testing.T) {
	store := eventlog.NewMemStore()
	_, err := store.CreateSession(t.Context(), "a", "")
	require.NoError(t, err)
	_, err = store.Append(t.Context(), "a", []eventlog.NewEvent{{Type: "user_message", Payload: []byte(`{"content":"orders"}`)}}, eventlog.AppendOptions{})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	at, ended := make(chan net.Addr, 1), make(chan error)
	go func() {
		ended <- agent.Serve(ctx, store, ":0", agent.Options{}, func(addr net.Addr) { at <- addr })
	}()
	addr := <-at
	require.True(t, addr.(*net.TCPAddr).IP.IsLoopback())
	// The turn that was left open is finished without being asked for.
	answer, err := http.Get("http://" + addr.String() + "/sessions/a/stream")
	require.NoError(t, err)
	feed := &feed{t: t, lines: bufio.NewReader(answer.Body)}
	require.Equal(t, "turn_end", feed.take(13)[12].Type)
	cancel()
	_, err = io.ReadAll(answer.Body)
	require.NoError(t, err, "the stream ends whole")
	require.NoError(t, <-ended)

	require.Error(t, agent.Serve(t.Context(), store, "nowhere", agent.Options{}, nil))
	require.Error(t, agent.Serve(t.Context(), store, "256.0.0.1:0", agent.Options{}, nil))
}

// On all of the machine's addresses any name will do, unless the names are told.
func TestServeBeyondLoopback(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	at, ended := make(chan net.Addr, 1), make(chan error)
	go func() {
		ended <- agent.Serve(ctx, eventlog.NewMemStore(), "0.0.0.0:0", agent.Options{}, func(addr net.Addr) { at <- addr })
	}()
	_, port, _ := strings.Cut((<-at).String(), "]:")
	request, err := http.NewRequest("GET", "http://127.0.0.1:"+port+"/healthz", nil)
	require.NoError(t, err)
	request.Host = "agent.example"
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, 200, answer.StatusCode)
	cancel()
	require.NoError(t, <-ended)
}
