package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var createdAt = regexp.MustCompile(`"createdAt":\d+`)

// Whatever keeps a log, the commands say the same of it.
func TestAFolderIsALogToo(t *testing.T) {
	file, folder := filled(t), place{t, filepath.Join(t.TempDir(), "sessions") + "/"}
	fill(folder)
	for _, args := range [][]string{
		{"sessions", "--json"}, {"sessions", "--json", "--created"}, {"events", "--json"}, {"events", "--json", "--session", "a", "--after", "1"},
		{"tail", "--json"}, {"messages", "a", "--json"}, {"replay", "a", "--json", "--until", "2"}, {"replay", "a"},
	} {
		want, got := file.done(args...), folder.done(args...)
		require.Equal(t, createdAt.ReplaceAllString(want, ""), createdAt.ReplaceAllString(got, ""), args)
	}
	folder.db = strings.TrimSuffix(folder.db, "/") // it is there, and needs no such sign
	require.Contains(t, folder.done("append", "a", "--type", "note", "--payload", "{}"), "event 5 appended")
	require.Equal(t, exitFault, folder.call("append", "a", "--type", "note", "--payload", "{}", "--expect", "4").status)
	require.Contains(t, folder.callWith(t.Context(), "what is 6*7\n", "chat").out, "42")
}

// A damaged session is told, and the others are read.
func TestAFolderIsVerified(t *testing.T) {
	folder := place{t, filepath.Join(t.TempDir(), "sessions") + "/"}
	fill(folder)
	require.Contains(t, folder.done("verify"), "2 logs: 0 with faults")

	name := filepath.Join(folder.db, "a.jsonl")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	bent := strings.Replace(string(text), "how many orders?", "how many olders?", 1)
	require.NoError(t, os.WriteFile(name, []byte(bent), 0o644))
	r := folder.call("verify")
	require.Equal(t, exitFault, r.status, r.out)
	require.Contains(t, r.out, "fault")
	require.Contains(t, r.out, "line 2")
	require.Contains(t, r.out, "2 logs: 1 with faults")
	require.Contains(t, folder.done("events", "--session", "b"), "note")
	require.Equal(t, exitFailed, folder.call("replay", "a").status)
	require.Contains(t, folder.call("replay", "a").errors, "line 2")
	after, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, bent, string(after))
}

func TestWhatAFolderCannot(t *testing.T) {
	folder := place{t, filepath.Join(t.TempDir(), "sessions") + "/"}
	r := folder.call("sessions")
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "there is no folder")
	require.NoDirExists(t, folder.db)
	fill(folder)
	for _, args := range [][]string{{"rebuild"}, {"backup", "copy"}, {"restore", "copy"}, {"export"}, {"import", folder.db + "a.jsonl"}} {
		r := folder.call(args...)
		require.Equal(t, exitUsage, r.status, args)
		c, _ := find(args[0])
		require.Contains(t, r.errors, "is a folder of session files; "+c.noFolder)
	}
}
