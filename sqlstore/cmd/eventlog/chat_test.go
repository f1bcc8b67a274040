package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestChatFromAPipe(t *testing.T) {
	t.Setenv("OPENAI_MODEL", "")
	p := newPlace(t)
	r := p.callWith(t.Context(), "what is 6*7\n", "chat")
	require.Equal(t, exitDone, r.status, r.errors)
	require.Contains(t, r.out, "  = 42\n6*7 = 42\n")
	_, id, _ := strings.Cut(strings.Split(r.out, "\n")[1], "chat --db "+p.db+" ")
	r = p.callWith(t.Context(), "and plus 1", "chat", id, "--json")
	require.Equal(t, exitDone, r.status, r.errors)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	require.Len(t, lines, 13)
	for _, line := range lines {
		require.True(t, json.Valid([]byte(line)), line)
	}
	require.Contains(t, p.done("replay", id), "assistant: 42 + 1 = 43\n")
	require.Contains(t, p.done("sessions"), "what is 6*7")
	require.Contains(t, p.done("verify"), "nothing is wrong")
}

func TestChatIsCalledWrongly(t *testing.T) {
	t.Setenv("OPENAI_MODEL", "")
	p := newPlace(t)
	r := p.callWith(t.Context(), "hello", "chat", "nobody")
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "there is no file")
	p.done("append", "a", "--create", "--type", "note", "--payload", "{}")
	r = p.callWith(t.Context(), "hello", "chat", "nobody")
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, `there is no session "nobody"`)
	r = p.callWith(t.Context(), "hello", "chat", "a", "b")
	require.Equal(t, exitUsage, r.status)
	require.Contains(t, r.errors, "one ID at a time")
	t.Setenv("OPENAI_BASE_URL", "localhost")
	r = newPlace(t).callWith(t.Context(), "hello", "chat", "--model", "small")
	require.Equal(t, exitUsage, r.status)
	require.Contains(t, r.errors, "set OPENAI_BASE_URL")
}
