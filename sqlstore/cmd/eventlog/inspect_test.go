package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// samples are the logs that eventlog/inspect is tested with, by the names of their formats.
const samples = "../../../eventlog/inspect/testdata/"

func sample(t *testing.T, format string) string {
	t.Helper()
	text, err := os.ReadFile(samples + format + ".jsonl")
	require.NoError(t, err)
	return string(text)
}

func (p place) beside(name string) string { return filepath.Join(filepath.Dir(p.db), name) }

func (p place) write(name, text string) string {
	p.t.Helper()
	file := p.beside(name)
	require.NoError(p.t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(p.t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// whole is a log of Pi with which nothing is wrong.
const whole = `{"type":"session","version":3,"id":"p","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"hello"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"hi"}],"stopReason":"stop"}}
`

func TestInspectTellsByItsStatus(t *testing.T) {
	p := newPlace(t)
	good := p.write("good.jsonl", whole)
	torn := p.write("torn.jsonl", whole+`{"type":`)
	foreign := p.write("foreign.txt", "a text\n")
	for _, c := range []struct {
		files  []string
		status int
		says   string
	}{
		{[]string{good}, exitDone, "nothing is wrong"},
		{[]string{torn}, exitFault, "torn-line, line 4"},
		{[]string{good, torn}, exitFault, "nothing is wrong"},
		{[]string{foreign}, exitFailed, ""},
		{[]string{torn, foreign}, exitFailed, "torn-line"},
		{[]string{p.write("empty", "")}, exitFailed, ""},
		{[]string{p.beside("missing")}, exitFailed, ""},
	} {
		r := p.call(append([]string{"inspect"}, c.files...)...)
		require.Equal(t, c.status, r.status, "%q: %s", c.files, r.errors)
		require.Contains(t, r.out, c.says)
	}
	r := p.call("inspect", foreign)
	require.Contains(t, r.errors, "no session log of a known format")
	require.Contains(t, r.errors, "claude-code")
	var unread struct{ File, Error string }
	require.NoError(t, json.Unmarshal([]byte(p.call("inspect", foreign, "--json").out), &unread))
	require.Equal(t, foreign, unread.File)
	require.Contains(t, unread.Error, "no session log")
	require.Equal(t, exitUsage, p.call("inspect").status)
	require.NoFileExists(t, p.db)
}

func TestInspectReadsOurOwnLogs(t *testing.T) {
	p := filled(t)
	out := p.done("inspect", p.db)
	require.Contains(t, out, "format         sqlite")
	require.Contains(t, out, "4 in 2 sessions")
	r := p.call("export")
	exported := p.write("log.jsonl", r.out)
	require.Contains(t, p.done("inspect", exported), "format         forgetmenot-eventlog, version 1")
	p.done("append", "a", "--type", "tool_call", "--payload", `{"callId":"c2","name":"x","arguments":"{}"}`)
	open := p.call("inspect", p.db)
	require.Equal(t, exitFault, open.status)
	require.Contains(t, open.out, "call c2 has no result")
}

func TestInspectFindsWhatVerifyFinds(t *testing.T) {
	p := filled(t)
	text, err := os.ReadFile(p.db)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(p.db, text[:3000], 0o600))
	r := p.call("inspect", p.db)
	require.Equal(t, exitFault, r.status, r.errors)
	require.Contains(t, r.out, "restore the newest backup")
	require.NotContains(t, r.out, "nothing is wrong")

	foreign := p.write("foreign.db", string(text[:16])+strings.Repeat("\x00", 4096))
	require.Equal(t, exitFailed, p.call("inspect", foreign).status)
}

func TestInspectWalksFolders(t *testing.T) {
	p := newPlace(t)
	p.write("logs/2026/rollout.jsonl", sample(t, "codex"))
	p.write("logs/good.jsonl", whole)
	p.write("logs/picture.png", "\x89PNG\x00\x00")
	old := sample(t, "deepseek-harness")
	p.write("logs/ds/session.jsonl", old)
	p.write("logs/ds/session.v3.jsonl", strings.Replace(old, `"version":0`, `"version":3`, 1))
	p.write("logs/ds/session.v10.jsonl", strings.Replace(old, `"version":0`, `"version":4`, 1))
	require.NoError(t, os.Symlink(p.beside("logs"), p.beside("logs/loop")))
	r := p.call("inspect", p.beside("logs"))
	require.Equal(t, exitFault, r.status, r.errors)
	require.Contains(t, r.out, "session.v10.jsonl")
	require.NotContains(t, r.out, "session.v3.jsonl")
	require.True(t, strings.HasSuffix(r.out, "3 logs: 2 with faults, 0 that could not be read; 1 file is no session log; 2 older generations that a newer one replaces\n"), r.out)
	require.NotContains(t, r.errors, "\r", "a bar is for terminals")

	lines := strings.Split(strings.TrimSpace(p.call("inspect", p.beside("logs"), "--json").out), "\n")
	require.Len(t, lines, 3)
	for _, line := range lines {
		var report struct {
			File, Format string
			Lines        struct{ Total, Records, Blank, Bad int64 }
			Faults       struct{ First []any }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &report), line)
		require.NotEmpty(t, report.Format)
		require.Equal(t, report.Lines.Total, report.Lines.Records+report.Lines.Blank+report.Lines.Bad)
		require.NotNil(t, report.Faults.First, "lists are never null")
	}
}

// state is what a folder holds: bytes and times.
func state(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := os.ReadFile(name)
		all[name] = info.ModTime().String() + info.Mode().String() + string(text)
		return err
	}))
	return all
}

func TestInspectChangesNothing(t *testing.T) {
	p := newPlace(t)
	for _, format := range []string{"codex", "claude-code", "gemini-cli", "pi", "deepseek-harness", "forgetmenot-eventlog"} {
		p.write("logs/"+format+".jsonl", "\ufeff"+sample(t, format))
	}
	p.write("logs/binary", "\x00\x01\x02")
	before := state(t, p.beside("logs"))
	require.Len(t, before, 7)
	p.call("inspect", p.beside("logs"))
	p.call("inspect", p.beside("logs"), "--json")
	for name := range before {
		p.call("inspect", name, "--repair", filepath.Join(p.beside(""), filepath.Base(name)+".mended"), "--yes")
		p.call("import", name)
	}
	require.Equal(t, before, state(t, p.beside("logs")))
	require.FileExists(t, p.beside("codex.jsonl.mended"))

	filledDB := filled(t)
	text, err := os.ReadFile(filledDB.db)
	require.NoError(t, err)
	filledDB.done("inspect", filledDB.db)
	after, err := os.ReadFile(filledDB.db)
	require.NoError(t, err)
	require.True(t, bytes.Equal(text, after))
}

func TestRepairWritesANewFileAndNeverOverOne(t *testing.T) {
	p := newPlace(t)
	file := p.write("codex.jsonl", sample(t, "codex"))
	out := p.beside("mended.jsonl")

	r := p.call("inspect", file, "--repair", out)
	require.Equal(t, exitUsage, r.status, "there is nobody to ask")
	require.Contains(t, r.errors, "--yes")
	require.NoFileExists(t, out)

	r = p.call("inspect", file, "--repair", out, "--yes")
	require.Equal(t, exitDone, r.status, r.errors)
	require.Contains(t, r.out, "would cut      line 17, 68 bytes")
	require.Contains(t, r.out, "as the line    {\"timestamp\":")
	require.Contains(t, r.errors, "nothing is wrong with it")
	mended, err := os.ReadFile(out)
	require.NoError(t, err)
	for line := range strings.Lines(string(mended)) {
		require.True(t, strings.Contains(sample(t, "codex"), line) || strings.Contains(r.out, strings.TrimSpace(line)), "it had been shown: %s", line)
	}
	info, err := os.Stat(out)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm(), "who may not read the one may not read the other")
	require.Contains(t, p.done("inspect", out), "nothing is wrong")

	for _, there := range []string{out, file, p.beside("")} {
		before := state(t, p.beside(""))
		r = p.call("inspect", file, "--repair", there, "--yes")
		require.Equal(t, exitFailed, r.status)
		require.Contains(t, r.errors, "is there already")
		require.Equal(t, before, state(t, p.beside("")), "nothing is left behind")
	}
}

func TestRepairLeavesAloneWhatItCannotMend(t *testing.T) {
	p := newPlace(t)
	out := p.beside("out.jsonl")
	late := strings.Replace(sample(t, "deepseek-harness"), `{"type":"step/end","seq":12`, `{"type":"step/end","seq":11`, 1)
	open := strings.Replace(sample(t, "gemini-cli"), `"status":"success","result":[{"functionResponse":{"id":"ls-1","response":{"output":"3 files"}}}]`, `"status":"executing"`, 1)
	orphan := whole + `{"type":"message","id":"c","parentId":"b","timestamp":"2026-03-01T10:00:03.000Z","message":{"role":"toolResult","toolCallId":"x","content":"y"}}` + "\n"
	for _, c := range []struct {
		name, text string
		status     int
		says       string
	}{
		{"whole.jsonl", whole, exitDone, "nothing to repair"},
		{"refused.jsonl", late, exitFault, "its own tool refuses it"},
		{"open.jsonl", open, exitFault, "no record that only ends a call"},
		{"orphan.jsonl", orphan, exitFault, "nothing of this can be repaired"},
		{"newer.jsonl", strings.Replace(whole, `"version":3`, `"version":9`, 1), exitFault, "those up to 3 are known"},
		{"text.txt", "x", exitFailed, "no session log"},
	} {
		r := p.call("inspect", p.write(c.name, c.text), "--repair", out, "--yes")
		require.Equal(t, c.status, r.status, "%s: %s", c.name, r.errors)
		require.Contains(t, r.errors, c.says, c.name)
		require.NoFileExists(t, out)
	}
	db := filled(t)
	r := db.call("inspect", db.db, "--repair", out, "--yes")
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "eventlog verify")
	require.Equal(t, exitUsage, p.call("inspect", p.beside("whole.jsonl"), p.beside("open.jsonl"), "--repair", out).status)
}

func TestInspectShowsNothingThatMovesTheCursor(t *testing.T) {
	p := newPlace(t)
	file := p.write("x.jsonl", strings.ReplaceAll(whole, `"id":"p"`, `"id":"\u001b[2J\u202e"`)+`{"type":"\u001b]0;gone\u0007","id":"c","parentId":"b","timestamp":""}`+"\n\x1b[2J\n")
	r := p.call("inspect", file)
	require.Equal(t, exitFault, r.status, r.errors)
	require.NotContains(t, r.out, "\x1b")
	require.NotContains(t, r.out, "\u202e")
}
