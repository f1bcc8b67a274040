package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/property"
)

// A slot grades one submission after another, each in a worker process that it replaces when the submission hangs or brings it down.
//
// A submission that falls silent is looked at a second time, alone with the property it was in and with every call announced: a
// machine that was merely slow then gets through, and a real hang shows the call that it is in. Then the other
// properties go on in a new process.
type slot struct {
	exercise exercises.Exercise
	checker  *property.Checker // for the report's head only; the worker has its own
	settings *settings
	cache    string
	quit     <-chan struct{} // closed when the run is interrupted
	child    *child
	hanging  func(submission, property string) // told when a submission has fallen silent
}

// grade grades one submission. What goes wrong stands in the report.
func (s *slot) grade(name string, source []byte) *grader.Report {
	start := time.Now()
	report := grader.NewReport(grader.Job{Exercise: s.exercise, Submission: name, Source: source, Checker: s.checker})
	s.fill(report, source)
	report.DurationMs = time.Since(start).Milliseconds()
	return report
}

func (s *slot) fill(report *grader.Report, source []byte) {
	var todo []string
	for _, p := range s.exercise.Properties {
		todo = append(todo, p.ID)
	}
	had := func(r grader.Result) {
		report.Put(r)
		todo = slices.DeleteFunc(todo, func(id string) bool { return id == r.ID })
	}
	for len(todo) > 0 {
		first := s.pass(request{Name: report.Submission, Source: source, Only: todo}, had)
		if s.settle(report, first, &todo) {
			return
		}
		suspect := todo
		if first.property != "" {
			suspect = []string{first.property}
		}
		if s.hanging != nil {
			s.hanging(report.Submission, first.property)
		}
		left := len(todo)
		second := s.pass(request{Name: report.Submission, Source: source, Only: slices.Clone(suspect), Trace: true}, had)
		if second.kind == done && second.fault == grader.NoFault && len(todo) < left {
			continue // it was slow, not hanging
		}
		if s.settle(report, second, &todo) {
			return
		}
		if second.property == "" { // twice while loading
			report.Fail(whileLoading(second.kind))
			return
		}
		had(s.stopped(second))
	}
}

// settle deals with the ends of a pass after which nothing more is to be done; false for a hang or a crash.
func (s *slot) settle(report *grader.Report, end end, todo *[]string) bool {
	switch end.kind {
	case interrupted:
		report.Interrupt()
	case broken:
		report.Fail(&grader.Trouble{Fault: grader.GraderFault, Kind: "grader", Message: property.Words{En: "The grader failed: " + end.message, Zh: "评分程序出错：" + end.message}})
	case done:
		if end.fault != grader.NoFault {
			report.Fail(&grader.Trouble{Fault: end.fault, Message: property.Words{En: end.message}})
		} else if len(*todo) > 0 {
			report.Fail(&grader.Trouble{Fault: grader.GraderFault, Message: property.Words{En: "The grader failed: the sandbox process left out properties."}})
		}
	default:
		return false
	}
	return true
}

func (s *slot) stopped(e end) grader.Result {
	i := slices.IndexFunc(s.exercise.Properties, func(p *property.Property) bool { return p.ID == e.property })
	if i < 0 {
		return grader.Result{ID: e.property, Verdict: property.Timeout}
	}
	prop := s.exercise.Properties[i]
	program, err := property.DecodeProgram(e.program)
	if err != nil {
		program = nil
	}
	r := grader.Stopped(prop, program, e.call, e.kind == crashed)
	r.Cases = min(max(0, e.programs-1), prop.CasesOf(s.settings.cases))
	r.DurationMs = e.took.Milliseconds()
	return r
}

func whileLoading(how endKind) *grader.Trouble {
	if how == crashed {
		return grader.Blame("crash",
			"Loading the file brought the sandbox down, twice: look at the code outside the five functions.",
			"加载文件时沙箱两次崩溃：请检查五个函数之外的代码。")
	}
	return grader.Endless()
}

// An end is how a pass over a submission ended, and where.
type end struct {
	kind     endKind
	property string // the one that was under way; "" while loading
	program  json.RawMessage
	programs int // of that property begun, when traced
	call     int
	fault    grader.Fault
	message  string
	took     time.Duration // since the property began
}

type endKind int

const (
	done endKind = iota
	hung
	crashed
	broken // no worker could be had
	interrupted
)

// pass sends one request and hears its events to their end.
func (s *slot) pass(r request, result func(grader.Result)) end {
	for try := 0; s.child == nil; try++ {
		var err error
		if s.child, err = startChild(s.settings.memory, s.cache, s.quit); err == nil {
			break
		}
		select {
		case <-s.quit:
			return end{kind: interrupted}
		default:
		}
		if try > 0 {
			return end{kind: broken, message: err.Error()}
		}
	}
	r.Exercise, r.Seed, r.Cases, r.Memory = s.exercise.ID, s.settings.seed, s.settings.cases, s.settings.memory
	go s.child.ask(r) // the pipe may be narrower than a submission is long
	at := end{call: -1}
	began := time.Now()
	clock := time.NewTimer(s.settings.timeout)
	defer clock.Stop()
	for {
		var e event
		var ok bool
		select {
		case e, ok = <-s.child.events:
		case <-clock.C:
			at.kind = hung
		case <-s.quit:
			at.kind = interrupted
		}
		at.took = time.Since(began)
		if at.kind != done {
			s.drop()
			return at
		}
		if !ok {
			at.kind = crashed
			at.message = s.child.last()
			s.drop()
			return at
		}
		clock.Reset(s.settings.timeout)
		switch e.Kind {
		case evBegan:
			began = time.Now()
			at.property, at.program, at.programs, at.call = e.Property, nil, 0, -1
		case evProgram:
			at.program, at.call = e.Program, -1
			at.programs++
		case evCall:
			at.call = e.Call
		case evResult:
			at.property = ""
			if e.Result != nil {
				result(*e.Result)
			}
		case evDone:
			at.fault, at.message = e.Fault, e.Message
			return at
		case evBroken:
			at.kind, at.message = broken, e.Message
			s.drop()
			return at
		case evAlive, evReady:
		default:
			at.kind, at.message = broken, fmt.Sprintf("the sandbox process said %q", e.Kind)
			s.drop()
			return at
		}
	}
}

// drop ends the worker; the next pass starts another.
func (s *slot) drop() {
	if s.child != nil {
		s.child.kill()
		s.child = nil
	}
}
