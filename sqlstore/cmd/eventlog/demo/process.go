package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"forgetmenot/eventlog/agent"
)

// A process is the service as its parent sees it.
type process struct {
	cmd      *exec.Cmd
	stdin    io.WriteCloser // its end is the service's end
	words    chan word      // closed when the process has said its last
	quit     chan struct{}  // closed when nobody wants to hear more
	stderr   *head
	url      string
	patience time.Duration
	over     bool // it has been waited for
}

// startProcess starts the service and waits until it listens.
func startProcess(ctx context.Context, o Options, args ...string) (*process, error) {
	cmd := o.Service(append([]string{"--db", o.DB}, args...)...)
	p := &process{cmd: cmd, words: make(chan word), quit: make(chan struct{}), stderr: &head{}, patience: o.Patience}
	cmd.Stderr = p.stderr
	var err error
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the service does not start: %w", err)
	}
	go p.listen(stdout)
	first, err := await(ctx, p.patience, p.words, "the service to listen")
	if err != nil {
		state := p.kill()
		return nil, fmt.Errorf("the service does not start: %w (%v) %s", err, state, p.stderr.text())
	}
	p.url = first.URL
	return p, nil
}

func (p *process) listen(stdout io.Reader) {
	defer close(p.words)
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		var w word
		if json.Unmarshal(lines.Bytes(), &w) != nil {
			continue
		}
		select {
		case p.words <- w:
		case <-p.quit:
		}
	}
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// held waits until the service holds still at a moment.
func (p *process) held(ctx context.Context, at agent.Moment) error {
	w, err := await(ctx, p.patience, p.words, fmt.Sprintf("the service to hold still at %s", at))
	if err == nil && w.Held != at {
		return fmt.Errorf("the service holds still at %q, and not at %q", w.Held, at)
	}
	return err
}

// goOn lets the service go on from where it holds still.
func (p *process) goOn() error {
	_, err := io.WriteString(p.stdin, "go on\n")
	return err
}

// kill ends the process at once, with SIGKILL where there is such a thing, and tells how it ended.
func (p *process) kill() *os.ProcessState {
	if !p.over {
		p.cmd.Process.Kill() // fails when it is dead already, and then its state tells
		p.wait()
	}
	return p.cmd.ProcessState
}

// end lets the process end by itself, as it does when its parent is gone, and says what went wrong with that.
func (p *process) end(ctx context.Context) error {
	if p.over {
		return nil
	}
	p.stdin.Close()
	for {
		_, err := await(ctx, p.patience, p.words, "the service to end")
		switch {
		case errors.Is(err, errSilent):
			p.wait()
			if !p.cmd.ProcessState.Success() {
				return fmt.Errorf("the service ended with %v: %s", p.cmd.ProcessState, p.stderr.text())
			}
			return nil
		case err != nil:
			p.kill()
			return err
		}
	}
}

// wait is for a process that ends.
func (p *process) wait() {
	p.over = true
	close(p.quit)
	for range p.words { // until its output ends: only then may it be waited for
	}
	p.cmd.Wait() // its state is asked for
}

// killed tells whether a process died of being killed, and not in another way.
func killed(state *os.ProcessState) bool {
	if runtime.GOOS == "windows" {
		return state.ExitCode() == 1 // what os.Process.Kill makes it end with
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// killWord is what a person calls it.
func killWord() string {
	if runtime.GOOS == "windows" {
		return "TerminateProcess"
	}
	return "kill -9"
}

var errSilent = errors.New("there is nothing more to come")

// await waits for the next of a channel, with patience: it is a defect that nothing comes, and not a slow machine.
func await[T any](ctx context.Context, patience time.Duration, from <-chan T, what string) (next T, err error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case next, ok := <-from:
		if !ok {
			return next, fmt.Errorf("waiting for %s: %w", what, errSilent)
		}
		return next, nil
	case <-timer.C:
		return next, fmt.Errorf("waiting for %s: nothing came within %v", what, patience)
	case <-ctx.Done():
		return next, ctx.Err()
	}
}

// A head keeps the beginning of what a process says on its standard error.
type head struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.b.Write(p[:min(len(p), 4096-h.b.Len())])
	return len(p), nil
}

func (h *head) text() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return strings.TrimSpace(h.b.String())
}
