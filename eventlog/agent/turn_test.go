package agent_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	"github.com/stretchr/testify/require"
)

// The whole path: a turn with a tool, stored and told.
func TestTurn(t *testing.T) {
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{})
	r.session("a")
	feed := r.stream("/events")
	a := r.say("a", "How many open orders are there?", "k1")
	require.Equal(t, []string{"How many open orders are there?", "", `{"count":7}`, "There are 7 open orders."}, a.texts())
	require.Equal(t, int64(13), a.LastEventID)
	require.Equal(t, []string{
		`turn_start {}`,
		`user_message {"content":"How many open orders are there?"}`,
		`step_start {}`,
		`model_request {}`,
		`tool_call {"callId":"call_1","name":"query_order_count","arguments":"{\"status\":\"open\"}"}`,
		`tool_start {"callId":"call_1"}`,
		`tool_result {"callId":"call_1","content":"{\"count\":7}"}`,
		`step_end {"reason":"done"}`,
		`step_start {}`,
		`model_request {}`,
		`assistant_message {"content":"There are 7 open orders."}`,
		`step_end {"reason":"done"}`,
		`turn_end {"reason":"done"}`,
	}, stored(t, store, "a"))
	for i, e := range feed.take(13) {
		require.Equal(t, orderTurn[i], e.Type)
	}
	require.Equal(t, "This is message 2 of yours that I remember in this session. Ask me how many orders there are.", r.say("a", "How are you?", "").texts()[1])

	r.session("b")
	require.Contains(t, r.say("b", "Do you know me?", "k1").texts()[1], "message 1 of yours", "another session's messages, and keys, are its own")
}

func TestRepeats(t *testing.T) {
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{})
	r.session("a")
	post := func(content, key string) reply {
		return r.send("POST", "/sessions/a/messages", `{"content":`+quote(content)+`}`, "Idempotency-Key", key)
	}
	first, second := post("How many orders?", "k1"), post("hello", "k2")
	require.Equal(t, first.body, post("How many orders?", "k1").body)
	require.Equal(t, second.body, post("hello", "k2").body)
	r.fault(post("something else", "k1"), 422, "key_reused")
	require.Equal(t, slices.Concat(orderTurn, talkTurn), types(t, store, "a"))

	again := start(t, store, agent.Options{Model: modelFunc(func(context.Context, agent.Request) (agent.Reply, error) {
		return agent.Reply{}, errors.New("nobody needs a model to read the log")
	})}).send("POST", "/sessions/a/messages", `{"content":"How many orders?"}`, "Idempotency-Key", "k1")
	require.Equal(t, first.body, again.body, "after a restart too")

	post("hello", "")
	post("hello", "")
	require.Equal(t, slices.Concat(orderTurn, talkTurn, talkTurn, talkTurn), types(t, store, "a"), "without a key it is said twice")
}

// The same message from many clients at once is one message.
func TestRepeatsAtOnce(t *testing.T) {
	store := eventlog.NewMemStore()
	// Two services share the store, as two processes would.
	rigs := []*rig{start(t, store, agent.Options{}), start(t, store, agent.Options{})}
	rigs[0].session("a")
	var group sync.WaitGroup
	bodies := make([]reply, 12)
	for i := range bodies {
		group.Go(func() {
			for {
				a, err := rigs[i%2].try("POST", "/sessions/a/messages", `{"content":"How many orders?"}`, "Idempotency-Key", "k")
				if err != nil || a.status != 409 { // the other service may be too fast for this one's tries
					bodies[i] = a
					return
				}
			}
		})
	}
	group.Wait()
	for _, a := range bodies {
		require.Equal(t, 200, a.status, a.body)
		require.Equal(t, bodies[0].body, a.body)
	}
	require.Equal(t, orderTurn, types(t, store, "a"))
}

func TestOneTurnAtATime(t *testing.T) {
	running, goOn := make(chan string), make(chan struct{})
	var mu sync.Mutex
	inside, most := map[string]int{}, 0
	o := agent.Options{MaxWaiting: 1, Model: modelFunc(func(_ context.Context, r agent.Request) (agent.Reply, error) {
		mu.Lock()
		inside[r.SessionID]++
		most = max(most, inside[r.SessionID])
		mu.Unlock()
		running <- r.SessionID
		<-goOn
		mu.Lock()
		inside[r.SessionID]--
		mu.Unlock()
		return agent.Reply{Text: "done"}, nil
	})}
	r := start(t, eventlog.NewMemStore(), o)
	r.session("a")
	r.session("b")
	answers := make(chan reply, 3)
	post := func(id string) {
		a, err := r.try("POST", "/sessions/"+id+"/messages", `{"content":"x"}`)
		if err != nil {
			t.Error(err)
		}
		answers <- a
	}
	go post("a")
	require.Equal(t, "a", <-running)
	// Of two more one waits, so that there is no room for the other.
	go post("a")
	go post("a")
	refused := <-answers
	r.fault(refused, 429, "too_many_waiting")
	require.NotEmpty(t, refused.header.Get("Retry-After"))
	go post("b")
	require.Equal(t, "b", <-running, "another session does not wait")
	close(goOn)
	require.Equal(t, "a", <-running)
	for range 3 {
		require.Equal(t, 200, (<-answers).status)
	}
	require.Equal(t, 1, most)
}

// A client that goes away does not end its turn.
func TestClientGoesAway(t *testing.T) {
	running, goOn := make(chan bool, 1), make(chan struct{})
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{Model: modelFunc(func(ctx context.Context, req agent.Request) (agent.Reply, error) {
		running <- true
		<-goOn
		return agent.Scripted{}.Next(ctx, req)
	})})
	r.session("a")
	// The turn goes on only when the server knows that its client is gone.
	gone := make(chan bool)
	watched := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		go func() { <-req.Context().Done(); close(gone) }()
		r.service.Handler().ServeHTTP(w, req)
	}))
	defer watched.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-running; cancel() }()
	request, err := http.NewRequestWithContext(ctx, "POST", watched.URL+"/sessions/a/messages", strings.NewReader(`{"content":"hello"}`))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", "k")
	_, err = http.DefaultClient.Do(request)
	require.ErrorIs(t, err, context.Canceled)
	<-gone
	close(goOn)
	require.Len(t, r.say("a", "hello", "k").texts(), 2)
	require.Equal(t, talkTurn, types(t, store, "a"))
}

// Somebody else writes to the session in the middle of a turn.
func TestConflicts(t *testing.T) {
	for _, times := range []int64{1, 2, 100} {
		t.Run(fmt.Sprint(times), func(t *testing.T) {
			mem := eventlog.NewMemStore()
			r := start(t, &bent{Store: mem, append: func(n int64, next func() (eventlog.Receipt, error)) (eventlog.Receipt, error) {
				if n > 1 && n <= 1+times {
					mem.Append(t.Context(), "a", []eventlog.NewEvent{{Type: "note", Payload: []byte(`{}`)}}, eventlog.AppendOptions{})
				}
				return next()
			}}, agent.Options{})
			r.session("a")
			if times == 100 {
				r.fault(r.send("POST", "/sessions/a/messages", `{"content":"How many orders are there?"}`), 409, "conflict")
				return
			}
			require.Equal(t, ordersAnswer, r.say("a", ordersQuestion, "").texts())
			require.Len(t, types(t, mem, "a"), len(orderTurn)+int(times), "each fact once, and the notes")
		})
	}
}

// What models and tools do wrong, and what becomes of it.
func TestFaultsOfModelsAndTools(t *testing.T) {
	panics := func() { panic("oh") }
	for _, tt := range []struct {
		name  string
		o     agent.Options
		code  string   // of the error, or
		texts []string // what is answered, after the user's message
	}{
		{"the model fails", agent.Options{Model: modelFunc(func(context.Context, agent.Request) (agent.Reply, error) { return agent.Reply{}, errors.New("no") })}, "model_failed", nil},
		{"the model panics", agent.Options{Model: modelFunc(func(context.Context, agent.Request) (agent.Reply, error) { panics(); return agent.Reply{}, nil })}, "model_failed", nil},
		{"the hook panics", agent.Options{Hook: func(context.Context, agent.Moment, string) error { panics(); return nil }}, "stopped", nil},
		{"the model says nothing", agent.Options{Model: script(agent.Reply{})}, "", []string{""}},
		{"the model says what is not UTF-8", agent.Options{Model: script(agent.Reply{Text: "a\xff"})}, "", []string{"a\ufffd"}},
		{"the tool fails", agent.Options{Model: script(calling("t", "1")), Tools: []agent.Tool{&tool{name: "t", call: func(context.Context, string) (string, error) { return "", errors.New("no") }}}},
			"", []string{"", "error: no", "the end"}},
		{"the tool panics", agent.Options{Model: script(calling("t", "1")), Tools: []agent.Tool{&tool{name: "t", call: func(context.Context, string) (string, error) { panics(); return "", nil }}}},
			"", []string{"", "error: it panicked: oh", "the end"}},
		{"there is no such tool", agent.Options{Model: script(calling("t", "1")), Tools: []agent.Tool{}}, "", []string{"", "error: there is no tool of this name", "the end"}},
		{"text beside a call", agent.Options{Model: script(agent.Reply{Text: "Let me see.", Calls: calling("t", "1").Calls}), Tools: []agent.Tool{&tool{name: "t"}}},
			"", []string{"Let me see.", "", "done 1", "the end"}},
		{"calls with one id", agent.Options{Model: script(calling("t", "1", "2", "3")), Tools: []agent.Tool{&tool{name: "t"}}},
			"", []string{"", "", "", "done 1", "done 2", "done 3", "the end"}},
		{"a model without end", agent.Options{MaxSteps: 2, Model: modelFunc(func(context.Context, agent.Request) (agent.Reply, error) { return calling("t", "1"), nil }), Tools: []agent.Tool{&tool{name: "t"}}},
			"", []string{"", "done 1", "", "done 1", "I stopped after 2 steps without an answer."}},
		{"a turn that takes too long", agent.Options{TurnTimeout: 1, Model: modelFunc(func(ctx context.Context, _ agent.Request) (agent.Reply, error) {
			<-ctx.Done()
			return agent.Reply{}, nil
		})},
			"timeout", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, eventlog.NewMemStore(), tt.o)
			r.session("a")
			a := r.send("POST", "/sessions/a/messages", `{"content":"go"}`)
			if tt.code != "" {
				r.fault(a, a.status, tt.code)
				return
			}
			require.Equal(t, 200, a.status, a.body)
			require.Equal(t, append([]string{"go"}, tt.texts...), read[turn](t, a.body).texts())
		})
	}
}

// Another service took the same message in, and has not answered it yet: half a turn is no answer.
func TestRepeatOfATurnElsewhere(t *testing.T) {
	mem := eventlog.NewMemStore()
	r := start(t, &bent{Store: mem, append: func(n int64, next func() (eventlog.Receipt, error)) (eventlog.Receipt, error) {
		if n == 1 {
			next()
		}
		return next()
	}}, agent.Options{})
	r.session("a")
	require.Equal(t, ordersAnswer, r.say("a", ordersQuestion, "k").texts())
	require.Equal(t, orderTurn, types(t, mem, "a"))
}

// What others append behind a turn is not of it, so a repeat's answer does not change by it.
func TestRepeatAfterOthersAppended(t *testing.T) {
	model := modelFunc(func(_ context.Context, r agent.Request) (agent.Reply, error) {
		if len(r.Messages) == 1 {
			return agent.Reply{Text: "Let me see.", Calls: []eventlog.ToolCall{{ToolCallID: "c", Name: "query_order_count", Arguments: "{}"}}}, nil
		}
		return agent.Reply{Text: "42"}, nil
	})
	for _, messagesOnly := range []bool{true, false} {
		testRepeatAfterOthersAppended(t, agent.Options{Model: model, MessagesOnly: messagesOnly})
	}
}

func testRepeatAfterOthersAppended(t *testing.T, o agent.Options) {
	store := eventlog.NewMemStore()
	r := start(t, store, o)
	r.session("a")
	say := func() string {
		a := r.send("POST", "/sessions/a/messages", `{"content":"orders"}`, "Idempotency-Key", "k")
		require.Equal(t, 200, a.status, a.body)
		return a.body
	}
	first := say()
	for _, e := range []eventlog.NewEvent{
		{Type: "note", Payload: []byte(`{}`)},
		{Type: "tool_result", Payload: []byte(`{"callId":"c","content":"late"}`)},
		{Type: "assistant_message", Payload: []byte(`{"content":"by the way"}`)},
	} {
		_, err := store.Append(t.Context(), "a", []eventlog.NewEvent{e}, eventlog.AppendOptions{})
		require.NoError(t, err)
		require.Equal(t, first, say(), e.Type)
	}
}
