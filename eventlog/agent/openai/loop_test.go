package openai_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
	"forgetmenot/eventlog/agent/openai"

	"github.com/stretchr/testify/require"
)

// An adder is a tool that answers with its arguments.
type adder struct{}

func (adder) Spec() agent.ToolSpec {
	return agent.ToolSpec{Name: "add", ReadOnly: true, Parameters: []byte(`{"type":"object"}`)}
}

func (adder) Call(_ context.Context, arguments string) (string, error) {
	return "did " + arguments, nil
}

func types(t *testing.T, s eventlog.Store) (types []string) {
	t.Helper()
	for e, err := range s.Events(t.Context(), "s", eventlog.Range{}) {
		require.NoError(t, err)
		types = append(types, e.Type)
	}
	return types
}

// The server fails in every way that may pass, gives both of its calls one id, and the agent dies at each moment in turn. The next one goes on, with
// requests that the server accepts, and says each thing once.
func TestTheLoopGoesOnAfterACrash(t *testing.T) {
	calls := whole("tool_calls",
		toolDelta(`{"index":0,"id":"x","function":{"name":"add","arguments":"{\"a\":"}}`), toolDelta(`{"index":1,"id":"x","function":{"name":"add","arguments":"{\"b\":2}"}}`),
		toolDelta(`{"index":0,"function":{"arguments":"1}"}}`))
	for _, m := range []agent.Moment{agent.BeforeWait, agent.BeforeTool, agent.AfterTool, agent.BeforeStep} {
		t.Run(string(m), func(t *testing.T) {
			half := stream(pieces(`{"content":"I wi"}`)...)
			f := serve(t, failing(503, ``), breaking(half), calls, failing(429, ``, "Retry-After", "3"), half, says("Both are", " done."))
			store := eventlog.NewMemStore()
			_, err := store.CreateSession(t.Context(), "s", "")
			require.NoError(t, err)
			var waits []time.Duration
			o := agent.Options{
				Model: f.model(t, func(o *openai.Options) { o.Key = key }), Tools: []agent.Tool{adder{}},
				Backoff: func(int) time.Duration { return 0 },
				Wait:    func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil },
			}
			crashing := o
			power := errors.New("the power is off")
			crashing.Hook = func(_ context.Context, at agent.Moment, _ string) error {
				if at == m {
					return power
				}
				return nil
			}
			_, err = agent.NewLoop(store, crashing).Say(t.Context(), "s", []byte(`"add"`), "k")
			require.ErrorIs(t, err, power)

			turn, err := agent.NewLoop(store, o).Say(t.Context(), "s", []byte(`"add"`), "k")
			require.NoError(t, err)
			require.Len(t, turn.Messages, 6)
			require.Equal(t, `"Both are done."`, string(turn.Messages[5].Message.Content))
			require.Equal(t, "x_2", turn.Messages[2].Message.ToolCalls[0].ToolCallID)
			require.Contains(t, waits, 3*time.Second)
			require.Len(t, f.asked(), 6)
			for e, err := range store.Events(t.Context(), "s", eventlog.Range{}) {
				require.NoError(t, err)
				require.NotContains(t, string(e.Payload), "I wi", "nothing partial is in the log")
			}
			seen := types(t, store)
			require.Equal(t, "turn_end", seen[len(seen)-1])
		})
	}
}

// What cannot pass ends the turn's run and not the turn: mended, it goes on.
func TestTheLoopGoesOnWithARightKey(t *testing.T) {
	f := serve(t, failing(401, `{"error":{"message":"no `+key+`"}}`), says("hello"))
	store := eventlog.NewMemStore()
	_, err := store.CreateSession(t.Context(), "s", "")
	require.NoError(t, err)
	loop := func(k string) *agent.Loop {
		return agent.NewLoop(store, agent.Options{Model: f.model(t, func(o *openai.Options) { o.Key = k })})
	}
	_, err = loop(key).Say(t.Context(), "s", []byte(`"hi"`), "")
	require.ErrorIs(t, err, agent.ErrModel)
	require.NotContains(t, types(t, store), "model_retry")
	resumed, err := loop("sk-right").Resume(t.Context(), "s")
	require.NoError(t, err)
	require.True(t, resumed)
	require.Len(t, f.asked(), 2)
}
