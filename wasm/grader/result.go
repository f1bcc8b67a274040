//go:build js && wasm

package main

import (
	"encoding/json"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/property"
)

// The page's view of results: web/src/protocol.ts says what each part is. It has what the report leaves out, since the page draws
// the program and speaks two languages.

type info struct {
	ID    string         `json:"id"`
	Tier  property.Tier  `json:"tier"`
	Title property.Words `json:"title"`
	Law   property.Words `json:"law"`
}

func infoOf(p *property.Property) info { return info{p.ID, p.Tier, p.Title, p.Law} }

func infos(ex exercises.Exercise) []info {
	var out []info
	for _, p := range ex.Properties {
		out = append(out, infoOf(p))
	}
	return out
}

type result struct {
	info
	Verdict        property.Verdict `json:"verdict"`
	Cases          int              `json:"cases"`
	DurationMs     int64            `json:"durationMs"`
	Message        property.Words   `json:"message"`
	Counterexample *counterexample  `json:"counterexample,omitempty"`
}

type counterexample struct {
	Steps    []step          `json:"steps"`
	Lines    []string        `json:"lines"`
	Test     string          `json:"test"`
	At       int             `json:"at"`
	Against  int             `json:"against"`
	Expected json.RawMessage `json:"expected,omitempty"`
	Actual   outcome         `json:"actual"`
	Console  []string        `json:"console"`
	Dropped  int             `json:"dropped"`
}

type step struct {
	Code    string          `json:"code"`
	Fn      string          `json:"fn"`
	Name    string          `json:"name"`
	Log     *int            `json:"log,omitempty"`
	Event   json.RawMessage `json:"event,omitempty"`
	Session *string         `json:"session,omitempty"`
	Target  *int            `json:"target,omitempty"`
	Path    json.RawMessage `json:"path,omitempty"`
	Outcome outcome         `json:"outcome"`
}

type outcome struct {
	Value      json.RawMessage `json:"value,omitempty"`
	Threw      string          `json:"threw,omitempty"`
	Unreadable string          `json:"unreadable,omitempty"`
	Wrong      string          `json:"wrong,omitempty"`
}

func resultOf(r grader.Result) result {
	out := result{info: infoOf(r.Found.Property), Verdict: r.Verdict, Cases: r.Cases, DurationMs: r.DurationMs, Message: r.Found.Message}
	if ce := r.Found.Counterexample; ce != nil {
		out.Counterexample = counterexampleOf(ce)
	}
	return out
}

func counterexampleOf(ce *property.Counterexample) *counterexample {
	out := &counterexample{
		Lines: ce.Lines(), Test: ce.Test(), At: ce.Why.At, Against: ce.Why.Against,
		Actual: outcomeOf(ce.Why.Actual, property.Answer, true), Console: ce.Transcript.Console, Dropped: ce.Transcript.Dropped,
	}
	if out.Console == nil {
		out.Console = []string{}
	}
	if !ce.Why.NoExpected {
		out.Expected = json.RawMessage(ce.Why.Expected.JSON())
	}
	lines, names := ce.Program.Lines(), ce.Program.Names()
	for i, c := range ce.Program.Calls {
		s := step{Code: lines[i], Fn: c.Fn, Name: names[i], Outcome: outcomeOf(ce.Transcript.Steps[i], c.Shape, !ce.Stopped || i == ce.Why.At)}
		ref := func(arg int) *int {
			if n, ok := c.Args[arg].IsRef(); ok {
				return &n
			}
			return nil
		}
		switch c.Fn {
		case property.VerbValue:
			s.Event = json.RawMessage(c.Args[0].Value().JSON())
		case property.VerbLook, property.VerbSet, property.VerbPush:
			s.Target = ref(0)
			if len(c.Args) > 1 {
				s.Path = json.RawMessage(c.Args[1].Value().JSON())
			}
		case property.VerbMemory:
		default:
			if len(c.Args) > 0 {
				s.Log = ref(0)
			}
			if len(c.Args) > 1 {
				v := c.Args[1].Value()
				s.Target = ref(1)
				if s.Target != nil {
					v = ce.Program.Calls[*s.Target].Args[0].Value()
				}
				if v.Kind() == property.Text {
					text := v.Text()
					s.Session = &text
				} else {
					s.Event = json.RawMessage(v.JSON())
				}
			}
		}
		out.Steps = append(out.Steps, s)
	}
	return out
}

// outcomeOf is what a step came to; nothing when it never ran.
func outcomeOf(s property.Step, shape property.Shape, ran bool) outcome {
	switch {
	case !ran:
		return outcome{}
	case s.Threw != nil:
		return outcome{Threw: s.Threw.String()}
	case s.Unreadable != nil:
		return outcome{Unreadable: s.Unreadable.String()}
	case s.Wrong != "":
		return outcome{Wrong: s.Wrong}
	case shape == property.Opaque || shape == property.Nothing:
		return outcome{}
	}
	return outcome{Value: json.RawMessage(s.Value.JSON())}
}

func gradeResult(r *grader.Report) map[string]any {
	properties := []result{}
	for _, p := range r.Properties {
		properties = append(properties, resultOf(p))
	}
	report, err := json.Marshal(r)
	if err != nil {
		report = []byte("null")
	}
	out := map[string]any{
		"verdict": r.Verdict, "score": r.Score, "mastery": r.Mastery, "cases": r.Cases, "seed": r.Seed, "properties": properties, "report": string(report),
	}
	switch {
	case r.Trouble != nil:
		out["fault"] = map[string]any{"fault": r.Trouble.Fault, "kind": r.Trouble.Kind, "message": r.Trouble.Message, "line": r.Trouble.Line, "column": r.Trouble.Column}
	case r.Fault == grader.GraderFault:
		out["fault"] = map[string]any{"fault": r.Fault, "kind": "grader", "message": property.Words{En: r.Message, Zh: r.Message}, "line": 0, "column": 0}
	}
	return out
}
