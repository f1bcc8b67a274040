package agent_test

import (
	"context"
	"fmt"
	"iter"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	"github.com/stretchr/testify/require"
)

// A client reads a part, loses the service, and goes on with the next one on the same store behind what it has seen.
func TestStreamResumesAfterARestart(t *testing.T) {
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{})
	r.session("a")
	r.session("b")
	for _, path := range []string{"/sessions/a/stream", "/events"} {
		feed := r.stream(path + "?after=0")
		if path == "/events" {
			feed.take(13)
			continue
		}
		r.say("a", ordersQuestion, "")
		r.say("b", "hello", "")
		feed.take(2)
		feed.body.Close()
	}
	r.crash()

	r = start(t, store, agent.Options{})
	r.say("a", "hello", "")
	feed := r.stream("/sessions/a/stream?after=1", "Last-Event-ID", "2")
	var ids []int64
	for _, e := range feed.take(18) {
		require.Equal(t, "a", e.SessionID)
		ids = append(ids, e.EventID)
	}
	require.Equal(t, []int64{3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 21, 22, 23, 24, 25, 26, 27}, ids, "the header counts more than the address, and the other session is left out")
	r.say("b", "hello", "")
	r.say("a", "hello", "")
	require.Equal(t, int64(35), feed.take(1)[0].EventID, "what comes later comes too")
}

// Many sessions write at once, and every reader, from wherever it begins, sees every event once and in order.
func TestStreamsHaveNoGaps(t *testing.T) {
	const sessions, turns = 6, 8
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{})
	for i := range sessions {
		r.session(fmt.Sprint("s", i))
	}
	all, one := r.stream("/events"), r.stream("/sessions/s0/stream")
	var group sync.WaitGroup
	for i := range sessions {
		group.Go(func() {
			for range turns {
				if a, err := r.try("POST", fmt.Sprintf("/sessions/s%d/messages", i), `{"content":"orders"}`); err != nil || a.status != 200 {
					t.Error(a, err)
				}
			}
		})
	}
	for i, e := range all.take(sessions * turns * len(orderTurn)) {
		require.Equal(t, int64(i+1), e.EventID)
	}
	for i, e := range one.take(turns * len(orderTurn)) {
		require.Equal(t, "s0", e.SessionID)
		require.Equal(t, orderTurn[i%len(orderTurn)], e.Type)
	}
	group.Wait()
}

func TestStreamHeartbeat(t *testing.T) {
	r := start(t, eventlog.NewMemStore(), agent.Options{Heartbeat: time.Millisecond})
	feed := r.stream("/events")
	for beats := 0; beats < 3; {
		line, err := feed.lines.ReadString('\n')
		require.NoError(t, err)
		if line == ": still here\n" {
			beats++
		}
	}
}

func TestStreamLimits(t *testing.T) {
	r := start(t, eventlog.NewMemStore(), agent.Options{MaxStreams: 1})
	r.session("a")
	feed := r.stream("/events")
	refused := r.send("GET", "/sessions/a/stream", "")
	r.fault(refused, 503, "too_many_streams")
	require.NotEmpty(t, refused.header.Get("Retry-After"))
	require.Contains(t, r.send("GET", "/metrics", "").body, "agent_streams_open 1")
	feed.body.Close()
	for r.send("GET", "/metrics", "").body == "" || !strings.Contains(r.send("GET", "/metrics", "").body, "agent_streams_open 0") {
	}
	r.stream("/events")

	r.fault(r.send("GET", "/events?after=x", ""), 400, "bad_after")
	r.fault(r.send("GET", "/events?after=7", ""), 400, "bad_cursor")
	r.fault(r.send("GET", "/events", "", "Last-Event-ID", "-1"), 400, "bad_cursor")
	r.fault(r.send("GET", "/sessions/b/stream", ""), 404, "no_session")
}

// A reader that does not read holds up nobody, and is let go.
func TestSlowReader(t *testing.T) {
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{StreamWrite: 2 * time.Second})
	r.session("a")
	slow, err := net.Dial("tcp", r.server.Listener.Addr().String())
	require.NoError(t, err)
	defer slow.Close()
	require.NoError(t, slow.(*net.TCPConn).SetReadBuffer(4096))
	fmt.Fprintf(slow, "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
	for !strings.Contains(r.send("GET", "/metrics", "").body, "agent_streams_open 1") {
	}
	// More than the kernel keeps for a connection.
	payload := []byte(`{"text":"` + strings.Repeat("x", 1<<20) + `"}`)
	for range 12 {
		_, err := store.Append(t.Context(), "a", []eventlog.NewEvent{{Type: "note", Payload: payload}}, eventlog.AppendOptions{})
		require.NoError(t, err)
	}
	// On a busy machine a reader that does read can be too slow as well. It comes back.
	last := "0"
	for last != "12" {
		feed := r.stream("/events", "Last-Event-ID", last)
		for last != "12" {
			if _, ok := feed.next(); !ok {
				break
			}
			last = feed.id
		}
		feed.body.Close()
	}
	r.say("a", "hello", "")
	for !strings.Contains(r.send("GET", "/metrics", "").body, "agent_streams_open 0") {
	}
}

// A stream that fails ends, so that the client comes back and is told.
func TestStreamFails(t *testing.T) {
	mem := eventlog.NewMemStore()
	for _, panics := range []bool{false, true} {
		r := start(t, &bent{Store: mem, watch: func(context.Context, int64) iter.Seq2[eventlog.StoredEvent, error] {
			return func(yield func(eventlog.StoredEvent, error) bool) {
				if panics {
					panic("oh")
				}
				yield(eventlog.StoredEvent{}, &eventlog.StoreError{Op: "watch", Err: eventlog.ErrIO})
			}
		}}, agent.Options{})
		_, ok := r.stream("/events").next()
		require.False(t, ok)
	}
}

// White space that ends lines comes as line feeds in a stream, and nothing else of a payload changes.
func TestStreamedPayload(t *testing.T) {
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{})
	r.session("a")
	_, err := store.Append(t.Context(), "a", []eventlog.NewEvent{{Type: "n\no", Payload: []byte("{\r\n \"n\": 1.0,\r\"n\": 12345678901234567890,\n\"s\":\"\u2028<&>\\ud800\"}")}}, eventlog.AppendOptions{})
	require.NoError(t, err)
	e := r.stream("/events").take(1)[0]
	require.Equal(t, "n\no", e.Type)
	require.Equal(t, "{\n \"n\": 1.0,\n\"n\": 12345678901234567890,\n\"s\":\"\u2028<&>\\ud800\"}", string(e.Payload))
}
