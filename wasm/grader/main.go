//go:build js && wasm

// Command grader is the grader in the page's worker, compiled to WebAssembly. It gives JavaScript one object, forgetMeNotGrader
// (its version, the exercise's properties, grade), and the Go reference's own five functions under their JavaScript names.
//
// The sandbox that runs a learner's code is not here: grade is handed one (web/src/sandbox.ts). Programs and transcripts cross as bytes, all
// other texts as ASCII, because the bridge to JavaScript drops a byte order mark and mends lone surrogates.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall/js"
	"time"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/property"
)

func main() {
	ex := exercises.All()[0]
	object := js.Global().Get("Object").New()
	object.Set("version", grader.Version)
	object.Set("properties", string(asciiJSON(infos(ex))))
	object.Set("grade", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(grade(ex, args[0].String(), args[1], args[2], args[3]))
	}))
	object.Set("warm", js.FuncOf(func(_ js.Value, args []js.Value) any { return warm(ex, args[0].Int(), args[1]) }))
	js.Global().Set("forgetMeNotGrader", object)
	exportReference()
	select {}
}

// A request is what the page asks for.
type request struct {
	Seed  uint64   `json:"seed"`
	Cases int      `json:"cases"`
	Only  []string `json:"only"`
}

// checkers keeps the drawn programs between runs.
var checkers = map[property.Options]*property.Checker{}

// warm draws the programs of one property and runs some of them on what the sandbox holds (a small solution of the worker's own), so that the
// first grade finds them drawn and the engine's code compiled. It answers whether there is another property to do.
func warm(ex exercises.Exercise, number int, sandbox js.Value) bool {
	if number >= len(ex.Properties) {
		return false
	}
	prop := ex.Properties[number]
	checker := checkerFor(property.Options{Seed: 1, Cases: 100})
	loaded, err := pageSandbox{sandbox}.Load(context.Background(), "", ex.Functions)
	if err != nil {
		return false
	}
	realm, err := loaded.Open(context.Background(), 0)
	if err != nil {
		return false
	}
	defer realm.Close()
	for n := range prop.CasesOf(checker.Cases()) {
		p := checker.Program(prop, n)
		if n >= 20 {
			continue
		}
		t, err := realm.Run(context.Background(), p)
		if err != nil {
			return false
		}
		prop.Check(p, t)
	}
	return number+1 < len(ex.Properties)
}

func checkerFor(options property.Options) *property.Checker {
	checker := checkers[options]
	if checker == nil {
		checker = property.NewChecker(options)
		checkers[options] = checker
	}
	return checker
}

func grade(ex exercises.Exercise, text string, source, sandbox, emit js.Value) []byte {
	var req request
	if err := json.Unmarshal([]byte(text), &req); err != nil {
		return asciiJSON(map[string]string{"failed": err.Error()})
	}
	checker := checkerFor(property.Options{Seed: req.Seed, Cases: req.Cases})
	say := func(v any) { emit.Invoke(string(asciiJSON(v))) }
	report := grader.Grade(context.Background(), grader.Job{
		Exercise: ex, Submission: "solution.js", Source: bytesOf(source), Sandbox: pageSandbox{sandbox}, Checker: checker, Only: req.Only, Now: time.Now,
		Began: func(p *property.Property) { say(map[string]string{"began": p.ID}) },
		Ended: func(r grader.Result) { say(map[string]any{"result": resultOf(r)}) },
	})
	return asciiJSON(gradeResult(report))
}

func bytesOf(v js.Value) []byte {
	b := make([]byte, v.Get("length").Int())
	js.CopyBytesToGo(b, v)
	return b
}

// asciiJSON is encoding/json's text with everything beyond ASCII escaped.
func asciiJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		b, _ = json.Marshal(map[string]string{"failed": err.Error()})
	}
	var out []byte
	for _, r := range string(b) {
		switch {
		case r < 0x7f:
			out = append(out, byte(r))
		case r < 0x10000:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			r -= 0x10000
			out = fmt.Appendf(out, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		}
	}
	return out
}
