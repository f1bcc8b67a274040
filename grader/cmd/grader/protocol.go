package main

import (
	"encoding/json"

	"forgetmenot/grader"
)

// The parent and its workers talk in lines of JSON over the worker's standard input and output. The parent asks, one submission
// at a time; the worker tells what happens until it is done with it.

// A request is a submission to grade.
type request struct {
	Exercise string   `json:"exercise"`
	Name     string   `json:"name"`
	Source   []byte   `json:"source"`
	Seed     uint64   `json:"seed"`
	Cases    int      `json:"cases"`
	Memory   int      `json:"memory"`
	Only     []string `json:"only"`
	Trace    bool     `json:"trace"` // every program and call is announced
}

// An event is what a worker tells. Any event shows that the submission makes progress.
type event struct {
	Kind     eventKind       `json:"event"`
	Property string          `json:"property,omitempty"` // began
	Result   *grader.Result  `json:"result,omitempty"`   // result
	Program  json.RawMessage `json:"program,omitempty"`  // program
	Call     int             `json:"call,omitempty"`     // call
	Fault    grader.Fault    `json:"fault"`              // done, broken
	Message  string          `json:"message,omitempty"`  // done, broken
}

type eventKind string

const (
	evReady   eventKind = "ready"   // the worker can take requests; its first word
	evBroken  eventKind = "broken"  // the worker cannot work at all; its last word
	evBegan   eventKind = "began"   // a property is begun
	evAlive   eventKind = "alive"   // programs come to an end
	evProgram eventKind = "program" // traced: this program is run next
	evCall    eventKind = "call"    // traced: this call of it begins
	evResult  eventKind = "result"  // a property is done
	evDone    eventKind = "done"    // the submission is done; the fault and message of its report
)
