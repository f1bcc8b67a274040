package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
)

// A process is a subject, seen from outside.
type process struct {
	name    string
	version string // of its SQLite; what the store has comes from its driver
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	said    *tail
}

// start starts a subject in a folder that holds the files statements and pragmas.
func start(name, folder string, argv ...string) (*process, error) {
	p := &process{name: name, command: exec.Command(argv[0], argv[1:]...), said: &tail{}}
	p.command.Dir = folder
	p.command.Stderr = p.said
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// ask gives a command and waits for the answer.
func (p *process) ask(format string, args ...any) (answer, error) {
	command := fmt.Sprintf(format, args...)
	if _, err := fmt.Fprintln(p.in, command); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		return answer{}, p.failed(command, err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.command.Wait() // for what it has said at its end; the error is told by that, or by this one
		return answer{}, p.failed(command, err)
	}
	var a answer
	if err := json.Unmarshal(line, &a); err != nil {
		return answer{}, p.failed(command, fmt.Errorf("%w in %q", err, line))
	}
	if a.Error != "" {
		return answer{}, p.failed(command, errors.New(a.Error))
	}
	return a, nil
}

// failed is an error with what the subject has to say of it.
func (p *process) failed(command string, err error) error {
	if said := p.said.why(); said != "" {
		err = errors.New(said)
	}
	return fmt.Errorf("%s: %s: %w", p.name, command, err)
}

// stop ends a subject, which closes its files.
func (p *process) stop() error {
	p.in.Close()
	io.Copy(io.Discard, p.out)
	if err := p.command.Wait(); err != nil {
		return p.failed("stop", err)
	}
	return nil
}

// A tail keeps what a process says about itself. It is written by one goroutine and read by another.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(b)
}

// why is the line that names the error, or the last one.
func (t *tail) why() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	last := ""
	for line := range strings.Lines(t.text.String()) {
		line = strings.TrimSpace(line)
		if strings.Contains(line, "Error") {
			return line
		}
		if line != "" {
			last = line
		}
	}
	return last
}
