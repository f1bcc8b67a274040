//go:build js && wasm

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"syscall/js"

	"forgetmenot/grader"
	"forgetmenot/grader/property"
)

// pageSandbox is web/src/sandbox.ts, as the worker hands it in: functions that never throw, and answer a string for an error.
type pageSandbox struct{ object js.Value }

func (s pageSandbox) Load(_ context.Context, _ string, functions []string) (grader.Loaded, error) {
	if err := failure(s.object.Call("load", string(asciiJSON(functions)))); err != nil {
		return nil, err
	}
	return pageSubmission(s), nil
}

type pageSubmission struct{ object js.Value }

func (s pageSubmission) Close(context.Context) {}

func (s pageSubmission) Open(_ context.Context, entropy int) (property.Realm, error) {
	realm := s.object.Call("open", entropy)
	if err := failure(realm); err != nil {
		return nil, err
	}
	return &pageRealm{s.object, realm}, nil
}

type pageRealm struct{ object, realm js.Value }

func (r *pageRealm) Run(_ context.Context, p *property.Program) (*property.Transcript, error) {
	encoded := p.Encode()
	program := js.Global().Get("Uint8Array").New(len(encoded))
	js.CopyBytesToJS(program, encoded)
	out := r.object.Call("run", r.realm, program)
	if err := failure(out); err != nil {
		return nil, err
	}
	t, err := property.DecodeTranscript(p, bytesOf(out))
	if err != nil {
		return nil, err
	}
	if stop := t.Exhausted(); stop != nil {
		r.object.Call("spoil", r.realm)
		return nil, stop
	}
	return t, nil
}

func (r *pageRealm) Reset(context.Context) error { return failure(r.object.Call("reset", r.realm)) }

func (r *pageRealm) Close() error {
	r.object.Call("close", r.realm)
	return nil
}

var (
	_ property.Runner = pageSubmission{}
	_ property.Realm  = (*pageRealm)(nil)
)

// failure reads the error that an answer of the sandbox is; nil when it is none.
func failure(answer js.Value) error {
	if answer.Type() != js.TypeString || answer.String() == "" {
		return nil
	}
	var e struct {
		Stop property.StopKind
		Call int
		Load *struct {
			Kind         property.LoadKind
			Name, Text   string
			Line, Column int
		}
		Failed string
	}
	if err := json.Unmarshal([]byte(answer.String()), &e); err != nil {
		return fmt.Errorf("the sandbox answered %q", answer.String())
	}
	switch {
	case e.Stop != "":
		return &property.Stop{Kind: e.Stop, Call: e.Call}
	case e.Load != nil:
		return &property.LoadError{Kind: e.Load.Kind, Name: e.Load.Name, Text: e.Load.Text, Line: e.Load.Line, Column: e.Load.Column}
	}
	return errors.New(e.Failed)
}
