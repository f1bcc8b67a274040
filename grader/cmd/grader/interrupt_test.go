//go:build unix

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"forgetmenot/grader"
	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

// hangs for as long as the clock lets it, in a built-in function that fuel does not stop.
const endless = `export function createEventLog() { return new Array(4e9).join("x"); }
`

// start starts the command as a process of its own. It is killed at the end of the test.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, out io.Reader, errors *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd = exec.Command(self, args...)
	cmd.Env = append(os.Environ(), actAsCommand+"=1")
	errors = &bytes.Buffer{}
	cmd.Stderr = errors
	out, err = cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd, out, errors
}

func TestCtrlC(t *testing.T) {
	dir := folder(t, map[string]string{"a.js": bank(t, "starter.js"), "b.js": endless, "c.js": bank(t, "starter.js"), "d/notes.txt": ""})
	file := filepath.Join(t.TempDir(), "out.json")
	cmd, out, errors := start(t, "grade", "event-log", dir, "--jobs", "1", "--cases", "3", "--timeout", "10m", "--out", "json="+file)
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		if strings.HasPrefix(line, "  fail: required") { // a.js is done and written; b.js hangs
			break
		}
	}
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	rest, err := io.ReadAll(lines)
	require.NoError(t, err)
	require.Error(t, cmd.Wait())
	require.Equal(t, exitBroken, cmd.ProcessState.ExitCode(), errors.String())
	require.Contains(t, errors.String(), "grader: interrupted; 1 of 4 submissions were graded\n")
	require.Contains(t, string(rest), "4 submissions: 0 pass, 1 fail, 3 error\n")

	data, err := os.ReadFile(file)
	require.NoError(t, err)
	reports := result{out: string(data)}.reports(t)
	require.Len(t, reports, 4)
	require.Equal(t, grader.Fail, reports["a.js"].Verdict)
	for _, name := range []string{"b.js", "c.js", "d"} {
		r := reports[name]
		require.Equal(t, grader.Error, r.Verdict)
		require.Equal(t, grader.GraderFault, r.Fault)
		require.Equal(t, "Grading was interrupted.", r.Message)
		require.Len(t, r.Properties, 12)
		for _, p := range r.Properties {
			require.Equal(t, property.NotRun, p.Verdict)
		}
	}
}

// workers are the process ids of a process's workers.
func workers(t *testing.T, parent int) (ids []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	if len(stats) == 0 {
		t.Skip("this system does not tell about its processes in /proc")
	}
	for _, stat := range stats {
		data, err := os.ReadFile(stat)
		if err != nil {
			continue
		}
		var id, ppid int
		var state string
		_, rest, _ := strings.Cut(string(data), ") ")
		fmt.Sscan(string(data), &id)
		if n, _ := fmt.Sscan(rest, &state, &ppid); n == 2 && ppid == parent && state != "Z" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Nothing is left running when the command is killed in a way that it cannot see coming.
func TestWorkersDieWithTheirParent(t *testing.T) {
	dir := folder(t, map[string]string{"a.js": endless})
	cmd, _, _ := start(t, "grade", "event-log", dir, "--jobs", "1", "--timeout", "10m")
	var ids []int
	require.Eventually(t, func() bool { ids = workers(t, cmd.Process.Pid); return len(ids) == 1 }, time.Minute, 10*time.Millisecond)
	require.NoError(t, cmd.Process.Kill())
	cmd.Wait()
	require.Eventually(t, func() bool {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", ids[0]))
		return err != nil || strings.Contains(string(data), ") Z ")
	}, time.Minute, 10*time.Millisecond)
}

// A worker that is killed in the middle of its work costs nobody a result.
func TestAWorkerIsKilled(t *testing.T) {
	files := map[string]string{}
	for i := range 6 {
		files[fmt.Sprintf("s%d.js", i)] = bank(t, "starter.js")
	}
	dir := folder(t, files)
	args := []string{"grade", "event-log", dir, "--jobs", "2", "--format", "json"}
	want := withoutDurations(t, call(t, args...))
	cmd, out, errors := start(t, args...)
	first := bufio.NewReader(out)
	head, err := first.ReadString('\n') // comes with the first report, so the workers are at work on the next ones
	require.NoError(t, err)
	ids := workers(t, cmd.Process.Pid)
	require.NotEmpty(t, ids)
	require.NoError(t, syscall.Kill(ids[0], syscall.SIGKILL))
	rest, err := io.ReadAll(first)
	require.NoError(t, err)
	require.NoError(t, cmd.Wait(), errors.String())
	require.Equal(t, want, withoutDurations(t, result{out: head + string(rest)}))
}
