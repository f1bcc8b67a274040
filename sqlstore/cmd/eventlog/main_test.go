package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A result is what a call of the command came to.
type result struct {
	status      int
	out, errors string
}

// A place is a folder with a log in it.
type place struct {
	t  *testing.T
	db string
}

func newPlace(t *testing.T) place {
	return place{t, filepath.Join(t.TempDir(), "eventlog.db")}
}

func (p place) call(args ...string) result {
	p.t.Helper()
	return p.callWith(p.t.Context(), "", args...)
}

func (p place) callWith(ctx context.Context, stdin string, args ...string) result {
	p.t.Helper()
	var out, errors bytes.Buffer
	status := run(ctx, append(args, "--db", p.db), strings.NewReader(stdin), &out, &errors)
	return result{status, out.String(), errors.String()}
}

// done is what a call printed that must succeed.
func (p place) done(args ...string) string {
	p.t.Helper()
	r := p.call(args...)
	require.Equal(p.t, exitDone, r.status, r.errors)
	require.Empty(p.t, r.errors)
	return r.out
}

// filled has two sessions: "a" with a question, a call and its result, "b" with a note.
func filled(t *testing.T) place {
	p := newPlace(t)
	fill(p)
	return p
}

func fill(p place) {
	p.t.Helper()
	p.done("append", "a", "--create", "--title", "the first", "--type", "user_message", "--payload", `{"content":"how many orders?"}`)
	p.done("append", "a", "--type", "tool_call", "--payload", `{"callId":"c1","name":"query_order_count","arguments":"{}"}`)
	p.done("append", "b", "--create", "--type", "note", "--payload", `{ "n": 12345678901234567890,`+"\n"+` "n": 1.0 }`)
	p.done("append", "a", "--type", "tool_result", "--payload", `{"callId":"c1","content":{"count":3}}`)
}

func TestEventsComeBackAsTheyWereAppended(t *testing.T) {
	p := filled(t)
	lines := strings.Split(strings.TrimSpace(p.done("events", "--json")), "\n")
	require.Len(t, lines, 4)
	require.Contains(t, lines[2], `{"eventId":3,"sessionId":"b","type":"note","payload":{ "n": 12345678901234567890,  "n": 1.0 },"createdAt":`)
	for _, line := range lines {
		require.True(t, json.Valid([]byte(line)), line)
	}
	require.Len(t, strings.Split(strings.TrimSpace(p.done("events", "--json", "--session", "a", "--after", "1")), "\n"), 2)
	require.Len(t, strings.Split(strings.TrimSpace(p.done("events", "--json", "--limit", "1")), "\n"), 1)
	table := p.done("events")
	require.Contains(t, table, "EVENT")
	require.Contains(t, table, `{"content":"how many orders?"}`)
}

func TestASessionIsReplayedAsItWasAtAnEvent(t *testing.T) {
	p := filled(t)
	require.Equal(t, "user: how many orders?\nassistant: calls query_order_count({})\ntool: {\"count\":3}\n", p.done("replay", "a"))
	require.Equal(t, "user: how many orders?\n", p.done("replay", "a", "--until", "1"))
	require.Equal(t, `{"role":"user","content":"how many orders?"}`+"\n", p.done("replay", "a", "--until", "1", "--json"))
	require.Contains(t, p.done("messages", "a", "--json", "--after", "2"), `{"eventId":4,"message":{"role":"tool","toolCallId":"c1","content":{"count":3}}}`)
	require.Contains(t, p.done("messages", "a"), "calls query_order_count({})")
}

func TestSessionsAreListedInBothOrders(t *testing.T) {
	p := filled(t)
	ids := func(out string) (all []string) {
		for line := range strings.Lines(out) {
			var s struct {
				ID, Title               string
				EventCount, LastEventID int64
			}
			require.NoError(t, json.Unmarshal([]byte(line), &s))
			all = append(all, s.ID)
		}
		return all
	}
	require.Equal(t, []string{"a", "b"}, ids(p.done("sessions", "--json")))
	p.done("append", "b", "--type", "note", "--payload", "{}")
	require.Equal(t, []string{"b", "a"}, ids(p.done("sessions", "--json")))
	require.Equal(t, []string{"a", "b"}, ids(p.done("sessions", "--json", "--created")))
	require.Contains(t, p.done("sessions"), "the first")
}

func TestAppendKeepsItsConditions(t *testing.T) {
	p := filled(t)
	r := p.call("append", "a", "--type", "note", "--payload", "{}", "--expect", "1")
	require.Equal(t, exitFault, r.status)
	require.Contains(t, r.errors, "its last event is 4, not 1")
	require.Contains(t, p.done("append", "a", "--type", "note", "--payload", "{}", "--expect", "4", "--key", "k"), "event 5 appended")
	require.Contains(t, p.done("append", "a", "--type", "note", "--payload", "{}", "--expect", "4", "--key", "k"), "event 5 was there already")
	r = p.call("append", "a", "--type", "note", "--payload", `{"other":1}`, "--key", "k")
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "key came before with other events")
	r = p.callWith(t.Context(), `{"from":"standard input"}`, "append", "a", "--type", "note", "--payload", "-", "--json")
	require.Equal(t, exitDone, r.status, r.errors)
	require.Contains(t, r.out, `"payload":{"from":"standard input"}`)
}

func TestARefusedEventLeavesNothingBehind(t *testing.T) {
	p := newPlace(t)
	for _, args := range [][]string{
		{"append", "a", "--create", "--type", "note", "--payload", "{broken"},
		{"append", "a", "--create", "--type", "note", "--payload", "[]"},
		{"append", "a", "--create", "--type", "", "--payload", "{}"},
		{"append", "a", "--type", "note", "--payload", "{}"},
		{"append", strings.Repeat("x", 513), "--create", "--type", "note", "--payload", "{}"},
	} {
		r := p.call(args...)
		require.Equal(t, exitFailed, r.status, "%q", args)
		require.NotEmpty(t, r.errors)
		require.NoFileExists(t, p.db)
	}
}

func TestNoReadMakesAFile(t *testing.T) {
	p := newPlace(t)
	for _, args := range [][]string{{"sessions"}, {"events"}, {"tail"}, {"messages", "a"}, {"replay", "a"}, {"verify"}, {"rebuild"}} {
		r := p.call(args...)
		require.Equal(t, exitFailed, r.status, "%q", args)
		require.Contains(t, r.errors, "there is no file")
		require.NoFileExists(t, p.db)
	}
}

func TestWhatIsNoLogIsSaidToBeNone(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.WriteFile(p.db, []byte(strings.Repeat("a text, not a log\n", 100)), 0o644))
	r := p.call("events")
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "not a store of this kind")
	r = place{t, t.TempDir()}.call("events")
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "no session files in the folder")
}

func TestAnUnknownSessionIsNoEmptyOne(t *testing.T) {
	p := filled(t)
	for _, args := range [][]string{{"messages", "c"}, {"replay", "c"}, {"events", "--session", "c"}, {"tail", "--session", "c"}} {
		r := p.call(args...)
		require.Equal(t, exitFailed, r.status, "%q", args)
		require.Contains(t, r.errors, "no such session")
	}
}

func TestTailFollowsWhatOthersAppend(t *testing.T) {
	p := filled(t)
	require.Equal(t, 4, strings.Count(p.done("tail", "--json"), "\n"))
	require.Equal(t, 1, strings.Count(p.done("tail", "--json", "--limit", "1"), "\n"))
	require.Equal(t, 1, strings.Count(p.done("tail", "--json", "--limit", "1", "--session", "b"), "\n"))
	require.Equal(t, 2, strings.Count(p.done("tail", "--json", "--after", "2"), "\n"))

	ctx, cancel := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan int)
	go func() {
		var errors bytes.Buffer
		status := run(ctx, []string{"tail", "-f", "--json", "--session", "b", "--db", p.db}, nil, writer, &errors)
		writer.Close()
		ended <- status
	}()
	lines := json.NewDecoder(reader)
	var e struct{ EventID int64 }
	require.NoError(t, lines.Decode(&e))
	require.EqualValues(t, 3, e.EventID)
	p.done("append", "a", "--type", "note", "--payload", "{}") // not of this session
	p.done("append", "b", "--type", "note", "--payload", "{}")
	require.NoError(t, lines.Decode(&e))
	require.EqualValues(t, 6, e.EventID)
	cancel()
	require.Equal(t, exitDone, <-ended)
}

func TestVerifyFindsAFaultAndRebuildMendsWhatItCan(t *testing.T) {
	p := filled(t)
	require.Contains(t, p.done("verify"), "4 events in 2 sessions\nnothing is wrong; the chain ends at event 4 with ")
	var report struct {
		OK               bool
		Events, Sessions int64
	}
	require.NoError(t, json.Unmarshal([]byte(p.done("verify", "--json")), &report))
	require.True(t, report.OK)
	require.EqualValues(t, 4, report.Events)
	p.done("rebuild")
	require.Contains(t, p.done("verify"), "nothing is wrong")
}

func TestAFileThatDoesNotOpenIsAFaultToo(t *testing.T) {
	p := filled(t)
	whole, err := os.ReadFile(p.db)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(p.db, whole[:3000], 0o644))
	r := p.call("verify")
	require.Equal(t, exitFault, r.status)
	require.Contains(t, r.errors, "restore the newest backup")
	require.NotContains(t, r.errors, "run verify")
}

func TestALogMovesByBackupAndByExport(t *testing.T) {
	p := filled(t)
	p.done("append", "b", "--type", "note", "--payload", "{}", "--key", "k")
	whole := p.done("events", "--json")
	beside := func(name string) string { return filepath.Join(filepath.Dir(p.db), name) }

	p.done("backup", beside("backup.db"))
	r := p.call("backup", beside("backup.db"))
	require.Equal(t, exitFailed, r.status, "a backup replaces nothing")
	restored := place{t, beside("restored.db")}
	restored.done("restore", beside("backup.db"))
	require.Equal(t, whole, restored.done("events", "--json"))
	r = restored.call("restore", beside("backup.db"))
	require.Equal(t, exitFailed, r.status, "nor does a restore")

	r = p.call("export")
	require.Equal(t, exitDone, r.status)
	require.Equal(t, "5 events in 2 sessions\n", r.errors)
	require.NoError(t, os.WriteFile(beside("log.jsonl"), []byte(r.out), 0o644))
	copied := place{t, beside("copy.db")}
	require.Contains(t, copied.done("import", beside("log.jsonl")), "5 events in 2 sessions")
	require.Equal(t, whole, copied.done("events", "--json"))
	require.Equal(t, p.done("verify"), copied.done("verify"), "the chain ends in the same hash")
	require.Contains(t, copied.done("append", "b", "--type", "note", "--payload", "{}", "--key", "k"), "was there already")
	again := copied.call("import", beside("log.jsonl"))
	require.Equal(t, exitFailed, again.status)
	require.Contains(t, again.errors, "log.jsonl")
	from := place{t, beside("stdin.db")}.callWith(t.Context(), r.out, "import", "-")
	require.Equal(t, exitDone, from.status, from.errors)

	missing := copied.call("import", beside("no such file"))
	require.Equal(t, exitFailed, missing.status)
	require.Contains(t, missing.errors, "no such file")
}

func TestWrongCallsAreExplained(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "eventlog sessions"},
		{[]string{"evnts"}, "did you mean events?"},
		{[]string{"help", "tial"}, "did you mean tail?"},
		{[]string{"events", "--sesion", "a"}, "did you mean session?"},
		{[]string{"events", "a"}, "events takes no argument: a"},
		{[]string{"events", "--after", "x"}, "--after"},
		{[]string{"events", "--after", "-1"}, "not negative"},
		{[]string{"messages"}, "which session?"},
		{[]string{"messages", "a", "b"}, "one ID at a time"},
		{[]string{"backup"}, "which file?"},
		{[]string{"import"}, "which file?"},
		{[]string{"append", "a", "--type", "note"}, "--payload"},
		{[]string{"demo", "--fast", "--pause", "1s"}, "--fast is no pause"},
		{[]string{"demo", "--pause", "-1s"}, "not negative"},
		{[]string{"demo", "--pause", "long"}, "--pause"},
		{[]string{"demo", "--keep", "a", "--db", "b"}, "one of them"},
		{[]string{"demo", "--keep", ""}, "empty name"},
	} {
		var out, errors bytes.Buffer
		require.Equal(t, exitUsage, run(t.Context(), c.args, nil, &out, &errors), "%q", c.args)
		require.Contains(t, errors.String(), c.says)
		require.Empty(t, out.String())
	}
}

func TestEveryCommandHasItsHelp(t *testing.T) {
	for _, c := range commands() {
		for _, args := range [][]string{{"help", c.name}, {c.name, "--help"}} {
			var out, errors bytes.Buffer
			require.Equal(t, exitDone, run(t.Context(), args, nil, &out, &errors), "%q: %s", args, errors.String())
			require.Contains(t, out.String(), "eventlog "+c.usage())
			require.Contains(t, out.String(), c.examples[0])
			for _, f := range c.flags {
				require.NotEmpty(t, flagTexts[f].text, f)
			}
		}
	}
}

// What stands in a log may be anything; a terminal obeys none of it.
func TestNothingInALogMovesTheCursor(t *testing.T) {
	p := newPlace(t)
	p.done("append", "a\x1b[2J", "--create", "--title", "\x1b]0;gone\x07", "--type", "user_message\r", "--payload", `{"content":"\u001b[31m\u202e"}`)
	for _, args := range [][]string{{"sessions"}, {"events"}, {"tail"}, {"messages", "a\x1b[2J"}, {"replay", "a\x1b[2J"}} {
		out := p.done(args...)
		require.NotContains(t, out, "\x1b")
		require.NotContains(t, out, "\u202e")
		require.NotContains(t, out, "\r")
	}
}
