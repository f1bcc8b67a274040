package demo

import (
	"bufio"
	"encoding/json"
	"io"
	"path/filepath"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

// The service holds still where it was told to, goes on when it is told to, and ends when its standard input does, also in the middle of a turn.
func TestServe(t *testing.T) {
	db := filepath.Join(t.TempDir(), "demo.db")
	in, stdin := io.Pipe()
	stdout, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- Serve(t.Context(), []string{"--db", db, "--hold", "before-tool,before-reply,before-model"}, in, out)
	}()
	words := json.NewDecoder(bufio.NewReader(stdout))
	next := func() (w word) {
		require.NoError(t, words.Decode(&w))
		return w
	}
	c := newClient(next().URL, time.Minute)
	require.NoError(t, c.create(t.Context(), "a", ""))
	answers := c.send(t.Context(), "a", howMany, "k")
	for _, at := range []agent.Moment{agent.BeforeTool, agent.BeforeReply} {
		require.Equal(t, at, next().Held)
		require.Empty(t, answers)
		_, err := io.WriteString(stdin, "go on\n")
		require.NoError(t, err)
	}
	a := <-answers
	require.NoError(t, a.err)
	require.Equal(t, "There are 42 orders.", a.turn.last())
	require.Equal(t, []int64{1, 2, 3, 4}, a.turn.ids())

	answers = c.send(t.Context(), "a", howManyOpen, "l")
	require.Equal(t, agent.BeforeModel, next().Held)
	stdin.Close()
	require.Error(t, (<-answers).err)
	require.NoError(t, <-ended)

	store, err := sqlstore.Open(t.Context(), db, sqlstore.Options{ReadOnly: true})
	require.NoError(t, err)
	defer store.Close()
	var kinds []string
	for e, err := range store.All(t.Context(), eventlog.Range{}) {
		require.NoError(t, err)
		kinds = append(kinds, e.Type)
	}
	require.Equal(t, []string{"user_message", "tool_call", "tool_result", "assistant_message", "user_message"}, kinds)
}
