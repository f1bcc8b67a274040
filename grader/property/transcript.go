package property

import (
	"errors"
	"fmt"
	"strings"
)

// A Transcript is what the calls of a program returned, one step a call.
type Transcript struct {
	Steps   []Step
	Console []string // what the subject printed meanwhile, the first lines of it
	Dropped int      // lines printed beyond those
}

// A Step is what one call came to. Exactly one of its parts speaks: Threw, Unreadable, Wrong, or else Value.
type Step struct {
	Value      Value
	Wrong      string     // not a JSON value at all: "undefined", "Promise", "Map", "NaN", "function"…
	Threw      *Exception // the call threw
	Unreadable *Exception // it returned something that could not be read as JSON (a cycle, a getter that throws)
}

// Answered tells whether the call came back with a JSON value (or a log).
func (s Step) Answered() bool { return s.Wrong == "" && s.Threw == nil && s.Unreadable == nil }

// An Exception is what was thrown; Line is the line of the submission, 0 when not known.
type Exception struct {
	Name, Message string
	Line          int
}

func (e *Exception) String() string {
	s := e.Message
	if e.Name != "" && e.Message != "" {
		s = e.Name + ": " + e.Message
	} else if e.Name != "" {
		s = e.Name
	}
	if e.Line > 0 {
		s = fmt.Sprintf("%s (line %d)", s, e.Line)
	}
	return s
}

// DecodeTranscript reads what a realm's harness wrote for p. It trusts nothing in it but its shape: a transcript of another length is an error,
// the runner's own. An answer that is nested too deeply to read is a *Stop, the submission's doing.
func DecodeTranscript(p *Program, data []byte) (*Transcript, error) {
	root, err := ParseValue(string(data))
	if errors.Is(err, errTooDeep) {
		return nil, &Stop{Kind: StopOutput, Call: deepStep(string(data))}
	}
	if err != nil {
		return nil, fmt.Errorf("property: transcript: %w", err)
	}
	list := root.Field("steps")
	if list.kind != List {
		return nil, errors.New("property: transcript: no list of steps")
	}
	steps := list.items
	if len(steps) != len(p.Calls) {
		return nil, fmt.Errorf("property: transcript of %d steps for a program of %d calls", len(steps), len(p.Calls))
	}
	t := &Transcript{Steps: make([]Step, len(steps))}
	for i, s := range steps {
		t.Steps[i], err = decodeStep(s)
		if err != nil {
			return nil, fmt.Errorf("property: transcript: step %d: %w", i, err)
		}
	}
	for _, line := range root.Field("console").Items() {
		t.Console = append(t.Console, line.Text())
	}
	if n, ok := root.Field("dropped").Int(); ok {
		t.Dropped = int(n)
	}
	return t, nil
}

// deepStep is the number of the step in which a transcript is nested too deeply, -1 when it is in none.
func deepStep(data string) int {
	const prefix = `{"steps":[`
	if !strings.HasPrefix(data, prefix) {
		return -1
	}
	p := parser{s: data, i: len(prefix)}
	for step := 0; ; step++ {
		if _, err := p.value(2); err != nil { // the one that was met before
			return step
		}
		if !p.take(',') {
			return -1
		}
	}
}

func decodeStep(s Value) (Step, error) {
	if s.kind != Object {
		return Step{}, fmt.Errorf("%s is no step", s.kind)
	}
	keys := s.Keys()
	if len(keys) == 0 {
		return Step{}, nil
	}
	v := s.Items()[0]
	switch keys[0] {
	case "value":
		return Step{Value: v}, nil
	case "kind":
		if v.Text() == "" { // would read as an answer
			return Step{}, errors.New("a kind without a name")
		}
		return Step{Wrong: v.Text()}, nil
	case "threw":
		return Step{Threw: exception(v)}, nil
	case "unreadable":
		return Step{Unreadable: exception(v)}, nil
	}
	return Step{}, fmt.Errorf("unknown part %q", keys[0])
}

func exception(v Value) *Exception {
	line, _ := v.Field("line").Int()
	return &Exception{Name: v.Field("name").Text(), Message: v.Field("message").Text(), Line: int(line)}
}

// Exhausted tells whether a call met a limit of its realm and the harness caught that, as a *Stop; else nil. A submission that throws such an error
// itself only claims its own failure.
func (t *Transcript) Exhausted() *Stop {
	for i, s := range t.Steps {
		for _, e := range []*Exception{s.Threw, s.Unreadable} {
			if e == nil {
				continue
			}
			if kind := ExhaustedBy(e.Message); kind != "" {
				return &Stop{Kind: kind, Call: i}
			}
		}
	}
	return nil
}

// ExhaustedBy recognises the messages by which the JavaScript engine says that a limit was met; empty for any other.
func ExhaustedBy(message string) StopKind {
	switch message {
	case "out of memory":
		return StopMemory
	case "Maximum call stack size exceeded", "stack overflow":
		return StopStack
	}
	return ""
}
