//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// actAsCommand makes this test's program the command itself. Its value is an address: a process that is the demo's service dials it first, and holds
// the connection until it ends, however it ends.
const actAsCommand = "EVENTLOG_TEST_ACT_AS_COMMAND"

// replyingFirst gives the demo's service the bug, whatever story is told.
const replyingFirst = "EVENTLOG_TEST_REPLY_FIRST"

func TestMain(m *testing.M) {
	address := os.Getenv(actAsCommand)
	if address == "" {
		os.Exit(m.Run())
	}
	if len(os.Args) > 1 && os.Args[1] == demoService {
		held, err := net.Dial("tcp", address)
		if err != nil {
			panic(err)
		}
		defer held.Close() // which main never comes to; it keeps the connection from being collected
		if os.Getenv(replyingFirst) != "" {
			os.Args = append(os.Args, "--reply-first")
		}
	}
	main()
}

// A demonstration is the command demo as a process of its own.
type demonstration struct {
	*exec.Cmd
	t           *testing.T
	folder      string // for temporary files
	services    net.Listener
	out, errors bytes.Buffer
}

func demonstrate(t *testing.T, args ...string) *demonstration {
	t.Helper()
	services, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { services.Close() })
	self, err := os.Executable()
	require.NoError(t, err)
	d := &demonstration{Cmd: exec.Command(self, append([]string{"demo"}, args...)...), t: t, folder: t.TempDir(), services: services}
	d.Env = append(os.Environ(), actAsCommand+"="+services.Addr().String(), "TMPDIR="+d.folder)
	d.Stdout, d.Stderr = &d.out, &d.errors
	return d
}

// service waits for the demo's next service to be a process, and answers how to wait until it is none any more.
func (d *demonstration) service() (gone func()) {
	d.t.Helper()
	held, err := d.services.Accept()
	require.NoError(d.t, err)
	return func() {
		d.t.Helper()
		_, err := io.Copy(io.Discard, held)
		if err != nil {
			require.ErrorIs(d.t, err, syscall.ECONNRESET)
		}
		held.Close()
	}
}

func (d *demonstration) leavesNothing() {
	d.t.Helper()
	left, err := os.ReadDir(d.folder)
	require.NoError(d.t, err)
	require.Empty(d.t, left)
}

func TestDemo(t *testing.T) {
	for name, services := range map[string]int{"": 2, "--reply-first": 4} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := demonstrate(t, strings.Fields(name)...)
			require.NoError(t, d.Start())
			for range services {
				d.service()()
			}
			require.NoError(t, d.Wait(), "%s\n%s", d.out.String(), d.errors.String())
			require.Empty(t, d.errors.String())
			require.Contains(t, d.out.String(), "✓ The process is dead (signal: killed).")
			require.Contains(t, d.out.String(), "and nothing is wrong.")
			require.NotContains(t, d.out.String(), "\x1b", "it is no terminal")
			d.leavesNothing()
		})
	}
}

// What the demo tells it has seen: a service with the bug does not get through the story of one without.
func TestDemoFindsTheBugByItself(t *testing.T) {
	t.Parallel()
	d := demonstrate(t)
	d.Env = append(d.Env, replyingFirst+"=1")
	require.NoError(t, d.Start())
	d.service()()
	require.Error(t, d.Wait())
	require.Equal(t, exitFault, d.ProcessState.ExitCode())
	require.Contains(t, d.out.String(), "✗ The whole turn is in the file, and Anna has no answer yet.\n     But there is no event.\n")
	require.Contains(t, d.errors.String(), "eventlog: the demo saw something else than it tells")
	d.leavesNothing()
}

func TestDemoKeepsItsLog(t *testing.T) {
	t.Parallel()
	d := demonstrate(t, "--json")
	d.Args = append(d.Args, "--keep", filepath.Join(d.folder, "my story"))
	require.NoError(t, d.Run(), d.errors.String())
	p := place{t, filepath.Join(d.folder, "my story", "demo.db")}
	require.Contains(t, d.out.String(), `"db":"`+p.db+`"}`)
	require.Contains(t, p.done("verify"), "12 events in 2 sessions\nnothing is wrong")
	require.Contains(t, p.done("replay", "anna", "--until", "6"), `assistant: calls query_order_count({"status":"open"})`)

	again := exec.Command(d.Path, d.Args[1:]...)
	again.Env = d.Env
	said, err := again.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, exitFailed, again.ProcessState.ExitCode())
	require.Contains(t, string(said), "there is a file already")
}

func TestDemoEndsWithCtrlC(t *testing.T) {
	t.Parallel()
	d := demonstrate(t, "--pause", "1h")
	require.NoError(t, d.Start())
	gone := d.service()
	require.NoError(t, d.Process.Signal(os.Interrupt))
	gone()
	require.Error(t, d.Wait())
	require.Equal(t, exitFailed, d.ProcessState.ExitCode())
	require.Equal(t, "eventlog: interrupted\n", d.errors.String())
	d.leavesNothing()
}

// A demo that is killed cannot end its service. That ends by itself.
func TestDemoIsKilled(t *testing.T) {
	t.Parallel()
	d := demonstrate(t, "--pause", "1h")
	require.NoError(t, d.Start())
	gone := d.service()
	require.NoError(t, d.Process.Kill())
	gone()
	require.Error(t, d.Wait())
}

// As when its output goes to head.
func TestDemoEndsWithItsReader(t *testing.T) {
	t.Parallel()
	d := demonstrate(t)
	d.Stdout = nil
	out, err := d.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, d.Start())
	gone := d.service()
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "An agent that survives being killed\n", line)
	out.Close()
	gone()
	require.NoError(t, d.Wait(), d.errors.String())
	d.leavesNothing()
}
