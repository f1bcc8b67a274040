package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"

	"forgetmenot/grader/property"
)

// A nodeChild is a submission in a node process of its own: a property.Runner that speaks to node-runner.mjs over pipes, a line a message.
type nodeChild struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startNode(program, source string, functions []string) (*nodeChild, error) {
	cmd := exec.Command("node", "--expose-gc", program)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := &nodeChild{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<16)}
	request, err := json.Marshal(map[string]any{"source": source, "functions": functions})
	if err == nil {
		_, err = c.ask('L', request)
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// ask sends one message and reads the answer.
func (c *nodeChild) ask(kind byte, body []byte) ([]byte, error) {
	message := make([]byte, 0, len(body)+2)
	message = append(append(append(message, kind), body...), '\n')
	if _, err := c.in.Write(message); err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	answer, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("node: %w", err)
	}
	return bytes.TrimSuffix(answer, []byte("\n")), nil
}

// close ends the process.
func (c *nodeChild) close() error {
	c.in.Close()
	return c.cmd.Wait()
}

// Open implements property.Runner: the submission's file is loaded anew.
func (c *nodeChild) Open(context.Context, int) (property.Realm, error) {
	_, err := c.ask('O', nil)
	return nodeRealm{c}, err
}

type nodeRealm struct{ *nodeChild }

func (r nodeRealm) Run(_ context.Context, p *property.Program) (*property.Transcript, error) {
	answer, err := r.ask('R', p.Encode())
	if err != nil {
		return nil, err
	}
	return property.DecodeTranscript(p, answer)
}

func (r nodeRealm) Reset(context.Context) error {
	_, err := r.ask('O', nil)
	return err
}

func (r nodeRealm) Close() error { return nil }

var (
	_ property.Runner = (*nodeChild)(nil)
	_ property.Realm  = nodeRealm{}
)
