package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A child is a worker process as its parent sees it.
type child struct {
	cmd    *exec.Cmd
	in     *json.Encoder
	stdin  io.Closer
	events chan event // closed when the process has said its last word
	stderr *tail
	ended  chan struct{} // closed when it is gone
	state  error         // how it ended, once ended
	killed sync.Once
	stop   sync.Once
	quit   chan struct{} // closed by kill: nobody reads events any more
}

// startTime is how long a worker may take to be ready. Without a cache of compiled code it compiles the engine, on a busy machine.
const startTime = 2 * time.Minute

// errCannotStart wraps why no worker could be started at all: the grader's own failure.
var errCannotStart = errors.New("the sandbox process does not start")

// startChild starts a worker and waits until it is ready, or abandoned is closed.
func startChild(memory int, cache string, abandoned <-chan struct{}) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errCannotStart, err)
	}
	cmd := exec.Command(self, workerCommand, cache)
	// Nothing of the parent's environment is a submission's business. Several realms can be open at once, each with a copy of its memory; most of
	// that is let go of soon, so it is collected rarely, below that limit.
	cmd.Env = []string{fmt.Sprintf("GOMEMLIMIT=%d", 256<<20+8*memory), "GOMAXPROCS=2", "GOGC=400"}
	cmd.Dir = os.TempDir()
	apart(cmd)
	c := &child{cmd: cmd, events: make(chan event, 16), stderr: &tail{}, ended: make(chan struct{}), quit: make(chan struct{})}
	cmd.Stderr = c.stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errCannotStart, err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errCannotStart, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%w: %v", errCannotStart, err)
	}
	c.stdin, c.in = stdin, json.NewEncoder(stdin)
	go c.listen(stdout)
	timer := time.NewTimer(startTime)
	defer timer.Stop()
	select {
	case e, ok := <-c.events:
		if ok && e.Kind == evReady {
			return c, nil
		}
		c.kill()
		if e.Kind == evBroken {
			return nil, fmt.Errorf("%w: %s", errCannotStart, e.Message)
		}
		return nil, fmt.Errorf("%w: %s", errCannotStart, c.last())
	case <-timer.C:
		c.kill()
		return nil, fmt.Errorf("%w within %v", errCannotStart, startTime)
	case <-abandoned:
		c.kill()
		return nil, fmt.Errorf("%w: interrupted", errCannotStart)
	}
}

// maxEvent is the longest event that is believed, in bytes.
const maxEvent = 64 << 20

func (c *child) listen(stdout io.Reader) {
	defer close(c.events)
	lines := bufio.NewScanner(stdout)
	lines.Buffer(make([]byte, 0, 64<<10), maxEvent)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			break
		}
		select {
		case c.events <- e:
		case <-c.quit:
		}
	}
	c.signal()
	io.Copy(io.Discard, stdout)
	c.state = c.cmd.Wait()
	close(c.ended)
}

// ask sends a request. A failure shows as the end of the events.
func (c *child) ask(r request) { c.in.Encode(r) }

// signal kills the process, once: before it has been waited for, so its number cannot be another's by then.
func (c *child) signal() { c.killed.Do(func() { killGroup(c.cmd) }) }

// kill ends the process and waits until it is gone.
func (c *child) kill() {
	c.stop.Do(func() {
		close(c.quit)
		c.stdin.Close()
		c.signal()
	})
	<-c.ended
}

// last says how a process ended, for people who look for the cause.
func (c *child) last() string {
	<-c.ended
	text := "it ended without a word"
	if c.state != nil {
		text = c.state.Error()
	}
	if said := c.stderr.firstLine(); said != "" {
		text += ": " + said
	}
	return text
}

// A tail keeps the beginning of what a process writes to its standard error, and drops the rest.
type tail struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 4096 - t.buf.Len(); room > 0 {
		t.buf.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func (t *tail) firstLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, _, _ := strings.Cut(strings.TrimSpace(t.buf.String()), "\n")
	return line
}
