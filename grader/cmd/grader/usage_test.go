package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every way to call the command wrongly ends with 2, says what is wrong in words, and grades nothing.
func TestWrongCalls(t *testing.T) {
	dir := folder(t, map[string]string{"a.js": "x", "empty/": "", "notes/readme.txt": "x", "is-a-folder/x.txt": "x"})
	file := filepath.Join(dir, "a.js")
	require.NoError(t, os.Symlink(filepath.Join(dir, "gone.js"), filepath.Join(dir, "broken.js")))
	for _, c := range []struct {
		name string
		args []string
		says string
	}{
		{"nothing", nil, "grader grade [flags] EXERCISE PATH"},
		{"unknown command", []string{"grad"}, "did you mean grade?"},
		{"unknown command, far", []string{"frobnicate"}, `there is no command "frobnicate"`},
		{"flags before the command", []string{"--json", "grade"}, "the command comes before its flags"},
		{"unknown command to help with", []string{"help", "verfy"}, "did you mean verify?"},
		{"no exercise", []string{"grade"}, "which exercise"},
		{"unknown exercise", []string{"grade", "eventlog", file}, "did you mean event-log? (there is: event-log)"},
		{"file first", []string{"grade", file, "event-log"}, "the exercise comes first"},
		{"no path", []string{"grade", "event-log"}, "which files?"},
		{"no such path", []string{"grade", "event-log", filepath.Join(dir, "b.js")}, "there is no file or folder " + filepath.Join(dir, "b.js") + "; did you mean a.js?"},
		{"a broken link", []string{"grade", "event-log", filepath.Join(dir, "broken.js")}, "is a link to something that does not exist"},
		{"an empty folder", []string{"grade", "event-log", filepath.Join(dir, "empty")}, "holds no submission: looked for files that end in .js, .mjs or .cjs"},
		{"a folder without scripts", []string{"grade", "event-log", filepath.Join(dir, "notes")}, "holds no submission"},
		{"unknown flag", []string{"grade", "--fromat", "json", "event-log", file}, "there is no flag --fromat; did you mean --format?"},
		{"unknown flag after the paths", []string{"grade", "event-log", file, "--stict"}, "did you mean --strict?"},
		{"a flag without its value", []string{"grade", "event-log", file, "--seed"}, "--seed wants a value"},
		{"unknown format", []string{"grade", "--format=jsn", "event-log", file}, `there is no format "jsn"; did you mean json?`},
		{"unknown format of a file", []string{"grade", "--out", "txt=x", "event-log", file}, "did you mean text?"},
		{"out without a file", []string{"grade", "--out", "json", "event-log", file}, "write it as FORMAT=FILE"},
		{"out into a folder", []string{"grade", "--out", "json=" + filepath.Join(dir, "empty"), "event-log", file}, "this is a folder"},
		{"out into no folder", []string{"grade", "--out", "json=" + filepath.Join(dir, "no", "x.json"), "event-log", file}, "there is no folder " + filepath.Join(dir, "no")},
		{"out twice", []string{"grade", "--out", "json=" + dir + "/x", "--out", "text=" + dir + "/./x", "event-log", file}, "twice"},
		{"bad seed", []string{"grade", "--seed", "0", "event-log", file}, "--seed 0: a seed is a whole number, 1 or more"},
		{"bad cases", []string{"grade", "--cases", "none", "event-log", file}, "whole number from 1 to"},
		{"bad jobs", []string{"grade", "--jobs=-1", "event-log", file}, "whole number from 1 to"},
		{"a timeout without a unit", []string{"grade", "--timeout", "10", "event-log", file}, "give the unit too, for example 10s"},
		{"a timeout too short", []string{"grade", "--timeout", "1ms", "event-log", file}, "at least 100ms"},
		{"bad memory", []string{"grade", "--memory", "much", "event-log", file}, "a size is written like 64M"},
		{"too little memory", []string{"grade", "--memory", "1M", "event-log", file}, "from 8M to 2G"},
		{"bad strict", []string{"grade", "--strict=perhaps", "event-log", file}, "--strict"},
		{"list with arguments", []string{"list", "all"}, "list takes no arguments"},
		{"version with arguments", []string{"version", "all"}, "version takes no arguments"},
		{"verify what is not there", []string{"verify", "evnt-log"}, "did you mean event-log?"},
		{"verify with an unknown flag", []string{"verify", "--strict"}, "there is no flag --strict"},
		{"a name that steers the terminal", []string{"grade", "\x1b[2J", file}, `\\x1b[2J`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := call(t, c.args...)
			require.Equal(t, exitUsage, r.status, r.errors)
			require.Contains(t, r.errors, c.says)
			require.NotContains(t, r.errors, "\x1b")
			require.Empty(t, r.out)
		})
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	require.Empty(t, left, "nothing is left behind")
}

func TestHelp(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"help"}, "grader list"},
		{[]string{"--help"}, "grader list"},
		{[]string{"help", "grade"}, "Examples:\n  grader grade event-log solution.js"},
		{[]string{"grade", "--help"}, "text, json"},
		{[]string{"grade", "event-log", "-h"}, "--out FORMAT=FILE"},
		{[]string{"help", "verify"}, "Exit status"},
		{[]string{"verify", "--help"}, "grader verify"},
		{[]string{"list", "--help"}, "Lists the exercises"},
		{[]string{"help", "list"}, "Lists the exercises"},
		{[]string{"version"}, "forgetmenot v"},
		{[]string{"--version"}, "forgetmenot v"},
		{[]string{"list"}, "event-log    An append-only event log (5 functions, 12 properties)"},
	} {
		r := call(t, c.args...)
		require.Equal(t, exitGraded, r.status, c.args)
		require.Contains(t, r.out, c.says)
		require.Empty(t, r.errors)
	}
}

// The help names every flag that there is.
func TestHelpNamesEveryFlag(t *testing.T) {
	fs := newFlags("grade")
	defaults().all(fs)
	for _, name := range flagNames(fs) {
		require.Contains(t, helpOf("grade"), "\n  "+name+" ")
	}
	fs = newFlags("verify")
	defaults().common(fs)
	for _, name := range flagNames(fs) {
		require.Contains(t, helpOf("verify"), "\n  "+name+" ")
	}
}

func TestFlagsStandAnywhere(t *testing.T) {
	for _, args := range [][]string{
		{"--seed", "7", "event-log", "--strict", "a.js", "--out=json=x", "--jobs=3", "--memory", "1.5G", "--timeout=2s", "b.js"},
		{"event-log", "a.js", "--strict=true", "-seed=7", "-jobs", "3", "--out", "json=x", "--memory=1536MiB", "--timeout", "2000ms", "--", "b.js"},
	} {
		s := defaults()
		fs := newFlags("grade")
		s.all(fs)
		rest, err := parse(fs, args)
		require.NoError(t, err)
		require.Equal(t, []string{"event-log", "a.js", "b.js"}, rest)
		require.Equal(t, uint64(7), s.seed)
		require.Equal(t, 3, s.jobs)
		require.Equal(t, 3<<29, s.memory)
		require.Equal(t, "2s", s.timeout.String())
		require.True(t, s.strict)
		require.Equal(t, []out{{"json", "x"}}, s.outs)
	}
	rest, err := parse(newFlags("grade"), []string{"--", "--not-a-flag"})
	require.NoError(t, err)
	require.Equal(t, []string{"--not-a-flag"}, rest)
}

func TestSize(t *testing.T) {
	for given, want := range map[string]int{"64M": 64 << 20, "64MB": 64 << 20, "64MiB": 64 << 20, "64m": 64 << 20, "16384k": 16 << 20, "1G": 1 << 30, "67108864": 64 << 20, "67108864B": 64 << 20} {
		got, err := size(given)
		require.NoError(t, err, given)
		require.Equal(t, want, got, given)
	}
	for _, given := range []string{"", "M", "-64M", "64Q", "NaN", "Inf", "1e30", "64 M", "0", "3G"} {
		_, err := size(given)
		require.Error(t, err, given)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "", 3}, {"fromat", "format", 1}, {"grad", "grade", 1}, {"日本", "日米", 1}, {"kitten", "sitting", 3}} {
		require.Equal(t, c.want, distance(c.a, c.b), c.a+" "+c.b)
	}
}
