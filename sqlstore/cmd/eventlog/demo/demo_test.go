package demo

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// What a person reads, but for what the system chooses.
func TestNarration(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it is told in the words of Unix")
	}
	for name, o := range map[string]Options{
		"demo.txt":        {},
		"reply-first.txt": {ReplyFirst: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o.Service = acting(t, sound).Service
			text, err := told(t, o)
			require.NoError(t, err)
			golden(t, name, normal(text))
		})
	}
}

// normal puts the same for what differs from run to run.
func normal(text string) string {
	for pattern, with := range map[string]string{
		`process:? \d+`:        "process PID",
		`Process \d+`:          "Process PID",
		`kill -9 \d+ ─+`:       "kill -9 PID ───",
		`127\.0\.0\.1:\d+`:     "127.0.0.1:PORT",
		`"createdAt":\d+`:      `"createdAt":0`,
		`"db":"[^"]*/demo\.db`: `"db":"FOLDER/demo.db`,
	} {
		text = regexp.MustCompile(pattern).ReplaceAllString(text, with)
	}
	return text
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "go test ./sqlstore/cmd/eventlog/demo -update writes it")
	require.Equal(t, string(want), got)
}

// A service with a fault does not get through the story, and nothing is claimed that was not so.
func TestTheStoryFindsItsTwins(t *testing.T) {
	for _, twin := range twins() {
		t.Run(twin.name, func(t *testing.T) {
			t.Parallel()
			o := acting(t, twin.name)
			o.ReplyFirst = twin.replyFirst
			text, err := told(t, o)
			require.ErrorIs(t, err, ErrClaim)
			require.ErrorContains(t, err, twin.finds)
			flat := strings.Join(strings.Fields(text), " ")
			broken := strings.LastIndex(flat, "✗ ")
			require.Positive(t, broken, text)
			require.Contains(t, flat[broken:], twin.finds)
			require.NotContains(t, flat[broken:], "✓", "the story goes on")
		})
	}
}

func TestAProgramReadsALineForEachStep(t *testing.T) {
	o := acting(t, sound)
	o.JSON, o.DB = true, filepath.Join(t.TempDir(), "kept", "demo.db")
	text, err := told(t, o)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	require.Len(t, lines, 8)
	checks := 0
	for i, line := range lines[:7] {
		var s step
		require.NoError(t, json.Unmarshal([]byte(line), &s))
		require.Equal(t, i+1, s.Step)
		require.True(t, s.OK)
		require.NotEmpty(t, s.Checks)
		checks += len(s.Checks)
	}
	var end ending
	require.NoError(t, json.Unmarshal([]byte(lines[7]), &end))
	require.Equal(t, ending{OK: true, Steps: 7, Checks: checks, DB: &o.DB}, end)
	require.Contains(t, lines[3], `"events":[{"eventId":7,"sessionId":"anna","type":"tool_result","payload":{"callId":"call_2","content":"{\"count\":7}"},"createdAt":`)

	// The file that is kept is the log that was told of.
	store, err := sqlstore.Open(t.Context(), o.DB, sqlstore.Options{ReadOnly: true})
	require.NoError(t, err)
	defer store.Close()
	n := 0
	for _, err := range store.All(t.Context(), eventlog.Range{}) {
		require.NoError(t, err)
		n++
	}
	require.Equal(t, 12, n)

	again, err := told(t, o)
	require.ErrorIs(t, err, ErrExists)
	require.Empty(t, again)
}

func TestAProgramIsToldWhatWasNotSo(t *testing.T) {
	o := acting(t, "replies first")
	o.JSON = true
	text, err := told(t, o)
	require.ErrorIs(t, err, ErrClaim)
	lines := strings.Split(strings.TrimSpace(text), "\n")
	require.Len(t, lines, 2)
	require.Contains(t, lines[0], `"ok":false`)
	require.Contains(t, lines[0], `"failed":"The whole turn is in the file, and Anna has no answer yet.","instead":"there is no event"`)
	require.JSONEq(t, `{"ok":false,"steps":1,"checks":0,"db":null}`, lines[1])
}

// Wherever a story is broken off, it leaves no process and no folder.
func TestNothingIsLeftBehind(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP"} {
		t.Setenv(name, folder)
	}
	stop := errors.New("the reader has gone")
	for _, where := range []struct {
		at         string
		writerFail bool
	}{
		{"An agent", true},
		{"The agent is process", false},
		{killWord(), false},
		{"The process is dead", true},
		{"A new process", false},
	} {
		t.Run(where.at, func(t *testing.T) {
			o := acting(t, sound)
			var started []*exec.Cmd
			service := o.Service
			o.Service = func(args ...string) *exec.Cmd {
				started = append(started, service(args...))
				return started[len(started)-1]
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			err := Run(ctx, o, writer(func(text string) error {
				switch {
				case !strings.Contains(text, where.at):
				case where.writerFail:
					return stop
				default:
					cancel()
				}
				return nil
			}))
			if where.writerFail {
				require.ErrorIs(t, err, stop)
			} else {
				require.ErrorIs(t, err, context.Canceled)
			}
			require.NotErrorIs(t, err, ErrClaim)
			require.NotEmpty(t, started)
			for _, cmd := range started {
				require.NotNil(t, cmd.ProcessState, "it has not been waited for")
			}
			left, err := os.ReadDir(folder)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

// A process that ended by itself has not been killed, and somebody who listens is not gone.
func TestHowAProcessEnds(t *testing.T) {
	o := acting(t, sound)
	o.DB, o.Patience = filepath.Join(t.TempDir(), "demo.db"), time.Minute
	for _, kill := range []bool{true, false} {
		p, err := startProcess(t.Context(), o)
		require.NoError(t, err)
		c := newClient(p.url, o.Patience)
		require.Empty(t, c.gone(t.Context()))
		if kill {
			p.kill()
		} else {
			require.NoError(t, p.end(t.Context()))
		}
		require.NotEmpty(t, c.gone(t.Context()))
		require.Equal(t, kill, killed(p.kill()))
	}
}

// It is no claim that does not hold when the service is not there to make it.
func TestAServiceThatDiesByItself(t *testing.T) {
	o := acting(t, dying)
	o.JSON = true
	text, err := told(t, o)
	require.NotErrorIs(t, err, ErrClaim)
	require.ErrorContains(t, err, "the service said: I do not feel well")
	first, last, _ := strings.Cut(strings.TrimSpace(text), "\n")
	require.Contains(t, first, `"step":1,"title":"The agent answers","ok":false,"events":[],"checks":[],"instead":"`)
	require.JSONEq(t, `{"ok":false,"steps":1,"checks":0,"db":null}`, last)
}

// What never comes is waited for with patience, and is no other error than that.
func TestATurnThatNobodyFinishes(t *testing.T) {
	s := &story{o: Options{DB: filepath.Join(t.TempDir(), "demo.db"), Patience: time.Millisecond}}
	store, err := sqlstore.Open(t.Context(), s.o.DB, sqlstore.Options{})
	require.NoError(t, err)
	require.NoError(t, store.Close())
	events, err := s.untilAnswered(t.Context(), 0)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Empty(t, events)
}

func TestAPauseEndsWithTheContext(t *testing.T) {
	o := acting(t, sound)
	o.Pause = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	err := Run(ctx, o, writer(func(string) error { cancel(); return nil }))
	require.ErrorIs(t, err, context.Canceled)
}

func TestAServiceThatDoesNotStart(t *testing.T) {
	o := acting(t, sound)
	o.Service = func(...string) *exec.Cmd { return exec.Command(filepath.Join(t.TempDir(), "nothing")) }
	_, err := told(t, o)
	require.ErrorContains(t, err, "the service does not start")

	o = acting(t, sound)
	service := o.Service
	o.Service = func(...string) *exec.Cmd { return service("--nonsense") }
	_, err = told(t, o)
	require.ErrorContains(t, err, "the service does not start")
	require.ErrorContains(t, err, "-nonsense", "it tells why")
	require.NotErrorIs(t, err, ErrClaim)
}
