package main

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"forgetmenot/grader"
	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

// class is a folder of submissions with every kind of end.
func class(t *testing.T) string {
	return folder(t, map[string]string{
		"alice/solution.js": bank(t, "solution.js"),
		"bob/solution.js":   bank(t, "starter.js"),
		"carol.js":          "export function createEventLog() {\n  return [;\n}\n",
		"dave/main.mjs":     bank(t, "solutions/array-copy.js"),
		"erin/notes.txt":    "I forgot the file",
	})
}

func TestExitStatus(t *testing.T) {
	dir := class(t)
	pass, fail, broken := filepath.Join(dir, "alice"), filepath.Join(dir, "bob"), filepath.Join(dir, "carol.js")
	for _, c := range []struct {
		name string
		args []string
		want int
	}{
		{"a pass", []string{pass}, exitGraded},
		{"a strict pass", []string{pass, "--strict"}, exitGraded},
		{"a failure", []string{fail}, exitGraded},
		{"a strict failure", []string{fail, pass, "--strict"}, exitFailed},
		{"a file that does not parse", []string{broken}, exitGraded},
		{"a file that does not parse, strictly", []string{broken, "--strict"}, exitFailed},
		{"called wrongly", []string{filepath.Join(dir, "nobody")}, exitUsage},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := call(t, append([]string{"grade", "event-log", "--cases", "3"}, c.args...)...)
			require.Equal(t, c.want, r.status, r.out+r.errors)
		})
	}
}

func TestAFolder(t *testing.T) {
	dir := class(t)
	out := filepath.Join(t.TempDir(), "results.json")
	r := call(t, "grade", "event-log", dir, "--cases", "10", "--out", "json="+out)
	require.Equal(t, exitGraded, r.status)
	require.Empty(t, r.errors)
	for _, line := range []string{
		"alice/solution.js  pass     9/9       3/3      –\n", "bob/solution.js    fail ", "carol.js           error    –         –        There is a syntax error",
		"dave/main.mjs      pass     9/9 ", "erin               error    –         –        There is no JavaScript file in this folder",
		"5 submissions: 2 pass, 1 fail, 2 error\n",
	} {
		require.Contains(t, r.out, line)
	}
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	written := result{out: string(data)}.reports(t)
	require.Equal(t, []string{"alice/solution.js", "bob/solution.js", "carol.js", "dave/main.mjs", "erin"}, slices.Sorted(maps.Keys(written)))
	require.Equal(t, grader.Pass, written["alice/solution.js"].Verdict)
	require.Contains(t, written["carol.js"].Message, "line 2, column 11")
	require.Contains(t, written["carol.js"].Message, "    2 |   return [;")
	require.Equal(t, grader.SubmissionFault, written["erin"].Fault)
}

// The report is a contract: these keys, and no others, of these kinds.
func TestTheReportsKeys(t *testing.T) {
	r := call(t, "grade", "event-log", class(t), "--cases", "10", "--format", "json")
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.out), &document))
	require.Equal(t, []string{"reports", "version"}, slices.Sorted(maps.Keys(document)))
	refuted := 0
	var before string
	for _, item := range document["reports"].([]any) {
		report := item.(map[string]any)
		require.Equal(t, []string{
			"cases", "durationMs", "exercise", "fault", "grader", "language", "mastery", "message", "properties", "score", "seed", "sha256", "submission", "verdict", "version",
		}, slices.Sorted(maps.Keys(report)))
		require.Equal(t, 1.0, report["version"])
		require.Equal(t, "event-log", report["exercise"])
		require.Equal(t, "javascript", report["language"])
		require.Equal(t, 1.0, report["seed"])
		require.Equal(t, 10.0, report["cases"])
		require.Contains(t, []any{"pass", "fail", "error"}, report["verdict"])
		require.Contains(t, []any{nil, "submission", "grader"}, report["fault"])
		require.Less(t, before, report["submission"].(string), "sorted")
		before = report["submission"].(string)
		for _, score := range []string{"score", "mastery"} {
			require.Equal(t, []string{"earned", "possible"}, slices.Sorted(maps.Keys(report[score].(map[string]any))))
		}
		require.Len(t, report["properties"], 12)
		for _, p := range report["properties"].([]any) {
			p := p.(map[string]any)
			keys := slices.Sorted(maps.Keys(p))
			want := []string{"cases", "durationMs", "id", "message", "tier", "title", "verdict"}
			if p["counterexample"] != nil {
				want = []string{"cases", "counterexample", "durationMs", "id", "message", "tier", "title", "verdict"}
				counterexample := p["counterexample"].(map[string]any)
				require.Subset(t, []string{"actual", "code", "expected", "steps"}, slices.Sorted(maps.Keys(counterexample)))
				require.Contains(t, counterexample, "actual")
				require.NotEmpty(t, counterexample["code"])
				for _, s := range counterexample["steps"].([]any) {
					require.Contains(t, s, "call")
				}
				refuted++
			}
			require.Equal(t, want, keys)
		}
	}
	require.NotZero(t, refuted)
}

// withoutDurations is the document with what may differ from run to run set to 0.
func withoutDurations(t *testing.T, r result) document {
	t.Helper()
	d := r.document(t)
	for i := range d.Reports {
		d.Reports[i].DurationMs = 0
		for k := range d.Reports[i].Properties {
			d.Reports[i].Properties[k].DurationMs = 0
		}
	}
	return d
}

func TestTheSameEveryTime(t *testing.T) {
	dir := class(t)
	grade := func(args ...string) document {
		r := call(t, append([]string{"grade", "event-log", dir, "--format", "json", "--cases", "20"}, args...)...)
		require.Equal(t, exitGraded, r.status, r.errors)
		return withoutDurations(t, r)
	}
	one := grade("--jobs", "1", "--seed", "5")
	require.Equal(t, one, grade("--jobs", "4", "--seed", "5"), "with other jobs")
	require.Equal(t, one, grade("--jobs", "1", "--seed", "5"), "with the same seed")
	require.NotEqual(t, one, grade("--jobs", "2", "--seed", "6"), "with another seed")
}

// The command and the package it wraps must not differ.
func TestAChildFindsWhatThisProcessFinds(t *testing.T) {
	source := bank(t, "starter.js")
	dir := folder(t, map[string]string{"a.js": source})
	got := call(t, "grade", "event-log", dir, "--format", "json", "--cases", "10").reports(t)["a.js"]
	s := &slot{settings: &settings{cases: 10, seed: 1}}
	s.exercise, _ = exercise("event-log")
	want := grader.Grade(t.Context(), grader.Job{
		Exercise: s.exercise, Submission: "a.js", Source: []byte(source), Sandbox: sandbox{fullEngine(t)},
		Checker: property.NewChecker(property.Options{Cases: 10}),
	})
	require.Equal(t, len(want.Properties), len(got.Properties))
	for i, p := range want.Properties {
		require.Equal(t, p.Verdict, got.Properties[i].Verdict, p.ID)
		require.Equal(t, p.Message, got.Properties[i].Message)
		if p.Counterexample != nil {
			require.Equal(t, p.Counterexample.Code, got.Properties[i].Counterexample.Code)
		}
	}
}

func TestOutFiles(t *testing.T) {
	dir := folder(t, map[string]string{"a.js": bank(t, "starter.js")})
	place := t.TempDir()
	in := func(name string) string { return filepath.Join(place, name) }
	require.NoError(t, os.WriteFile(in("old.json"), []byte("what stood there before"), 0o600))
	require.NoError(t, os.Symlink("old.json", in("link.json")))
	r := call(t, "grade", "event-log", dir, "--cases", "3", "--format", "json",
		"--out", "json="+in("link.json"), "--out", "text="+in("new.txt"), "--out", "json="+os.DevNull)
	require.Equal(t, exitGraded, r.status, r.errors)
	data, err := os.ReadFile(in("old.json"))
	require.NoError(t, err)
	require.Equal(t, r.out, string(data), "a link stays a link")
	info, err := os.Stat(in("old.json"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "and who may read it stays too")
	text, err := os.ReadFile(in("new.txt"))
	require.NoError(t, err)
	require.Contains(t, string(text), "a.js  ")
	null, err := os.Stat(os.DevNull)
	require.NoError(t, err)
	require.NotZero(t, null.Mode()&os.ModeCharDevice, "a device stays a device")
	entries, err := os.ReadDir(place)
	require.NoError(t, err)
	require.Len(t, entries, 3, "nothing is left beside")
}

// A full disk, as far as a test can have one: the device that is always full.
func TestAFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}
	dir := folder(t, map[string]string{"a.js": bank(t, "starter.js")})
	r := call(t, "grade", "event-log", dir, "--cases", "3", "--out", "json=/dev/full")
	require.Equal(t, exitBroken, r.status)
	require.Contains(t, r.errors, "/dev/full could not be written: no space left on device")
	require.Contains(t, r.out, "fail: required", "the other outputs are complete")
}

type closedPipe struct{}

func (closedPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestAClosedOutput(t *testing.T) {
	dir := folder(t, map[string]string{"a.js": bank(t, "starter.js"), "b.js": bank(t, "starter.js")})
	out := filepath.Join(t.TempDir(), "out.json")
	var said strings.Builder
	status := run(t.Context(), []string{"grade", "event-log", dir, "--cases", "3", "--out", "json=" + out}, nil, closedPipe{}, &said, noEnv)
	require.Equal(t, exitBroken, status)
	require.Contains(t, said.String(), "standard output could not be written: broken pipe")
	data, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Len(t, result{out: string(data)}.document(t).Reports, 2, "the file is complete all the same")
	status = run(t.Context(), []string{"grade", "event-log", dir, "--cases", "3"}, nil, closedPipe{}, io.Discard, noEnv)
	require.Equal(t, exitBroken, status)
}

func TestVerify(t *testing.T) {
	if testing.Short() {
		t.Skip("grades the whole bank")
	}
	r := call(t, "verify", "event-log", "--cases", "1")
	require.Contains(t, []int{exitGraded, exitFailed}, r.status, "one case is not enough for some mutants")
	require.Contains(t, r.out, "starter: must fail (1)\n  starter.js ")
	require.Contains(t, r.out, "mutants: must be refuted by scale")
	if r.status == exitFailed {
		require.Contains(t, r.errors, "found")
	}
}

// A submission that nothing in its realm can stop is stopped, the call that it hangs in is named, its other properties are checked, and nobody else notices.
func TestAHangCostsNobodyElse(t *testing.T) {
	hostile, err := os.ReadFile("testdata/hostile/join-of-four-billion.js")
	require.NoError(t, err)
	dir := folder(t, map[string]string{"a.js": bank(t, "starter.js"), "b.js": string(hostile), "c.js": bank(t, "solution.js")})
	r := call(t, "grade", "event-log", dir, "--format", "json", "--cases", "10", "--jobs", "1", "--timeout", "2s")
	require.Equal(t, exitGraded, r.status, r.errors)
	reports := r.reports(t)
	require.Equal(t, grader.Fail, reports["a.js"].Verdict)
	require.Equal(t, grader.Pass, reports["c.js"].Verdict)
	counts := map[property.Verdict]int{}
	for _, p := range reports["b.js"].Properties {
		counts[p.Verdict]++
		if p.Verdict != property.Timeout {
			continue
		}
		require.Equal(t, "appendEvent did not come to an end and was stopped. Look for a loop whose condition never becomes false.", p.Message)
		last := p.Counterexample.Steps[len(p.Counterexample.Steps)-1]
		require.Contains(t, last.Call, `appendEvent(log`)
		require.Contains(t, last.Call, `sessionId: "a::b"`)
		require.JSONEq(t, `{"notJSON":"no answer"}`, string(last.Result))
	}
	require.NotZero(t, counts[property.Timeout])
	require.NotZero(t, counts[property.Pass])
	require.Zero(t, counts[property.NotRun]+counts[property.Error]+counts[property.Crash])
}
