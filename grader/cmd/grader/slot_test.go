package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"forgetmenot/grader"
	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

// fakeWorker begins the name of a cache that makes the worker process a fake with a fault: what a real one does only by accident.
const fakeWorker = "fake:"

func actAsFake(how string) {
	how, once, _ := strings.Cut(how, "@")
	if _, err := os.Stat(once); once != "" && err == nil { // the accident has happened
		os.Args[2] = ""
		main()
	}
	tell := func(e event) { json.NewEncoder(os.Stdout).Encode(e) }
	if how == "broken" {
		tell(event{Kind: evBroken, Message: "no engine in here"})
		os.Exit(exitBroken)
	}
	if how == "mute" {
		fmt.Fprintln(os.Stderr, "panic: at the start")
		os.Exit(exitUsage)
	}
	tell(event{Kind: evReady})
	dec := json.NewDecoder(os.Stdin)
	for {
		var r request
		if dec.Decode(&r) != nil {
			os.Exit(exitGraded)
		}
		if once != "" {
			os.WriteFile(once, nil, 0o644)
		}
		if how == "crash-loading" {
			os.Exit(1)
		}
		tell(event{Kind: evBegan, Property: r.Only[0]})
		if r.Trace {
			p := &property.Program{}
			log := p.Add("createEventLog", property.Opaque)
			p.Add("listSessions", property.Answer, property.Ref(log))
			p.Add("replaySession", property.Answer, property.Ref(log), property.Str("a"))
			tell(event{Kind: evProgram, Program: p.Encode()})
			tell(event{Kind: evCall, Call: 0})
			tell(event{Kind: evCall, Call: 1})
		}
		switch how {
		case "crash":
			os.Exit(1)
		case "hang":
			select {}
		case "babble":
			fmt.Println("this is not an event")
			select {}
		case "unknown":
			tell(event{Kind: "surprise"})
			select {}
		case "lazy":
			tell(event{Kind: evDone})
		}
	}
}

func testSlot(t *testing.T, cache string) *slot {
	t.Helper()
	ex, err := exercise("event-log")
	require.NoError(t, err)
	s := &slot{
		exercise: ex, checker: property.NewChecker(property.Options{Cases: 5}), cache: cache,
		settings: &settings{seed: 1, cases: 5, timeout: 3 * time.Second, memory: 64 << 20},
	}
	t.Cleanup(s.drop)
	return s
}

func TestASandboxThatFails(t *testing.T) {
	source := []byte("export const x = 1")
	for _, c := range []struct {
		how     string
		verdict grader.Verdict
		fault   grader.Fault
		each    property.Verdict
		says    string
	}{
		{"crash", grader.Fail, grader.NoFault, property.Crash, ""},
		{"babble", grader.Fail, grader.NoFault, property.Crash, ""},
		{"hang", grader.Fail, grader.NoFault, property.Timeout, ""},
		{"crash-loading", grader.Error, grader.SubmissionFault, property.NotRun, "Loading the file brought the sandbox down"},
		{"broken", grader.Error, grader.GraderFault, property.NotRun, "the sandbox process does not start: no engine in here"},
		{"mute", grader.Error, grader.GraderFault, property.NotRun, "the sandbox process does not start: exit status 2: panic: at the start"},
		{"unknown", grader.Error, grader.GraderFault, property.NotRun, `the sandbox process said "surprise"`},
		{"lazy", grader.Error, grader.GraderFault, property.NotRun, "left out properties"},
	} {
		t.Run(c.how, func(t *testing.T) {
			t.Parallel()
			s := testSlot(t, fakeWorker+c.how)
			s.settings.timeout = 200 * time.Millisecond
			r := s.grade("a.js", source)
			require.Equal(t, c.verdict, r.Verdict, r.Message)
			require.Equal(t, c.fault, r.Fault)
			require.Contains(t, r.Message, c.says)
			for _, p := range r.Properties {
				require.Equal(t, c.each, p.Verdict, p.ID)
				if c.each == property.NotRun {
					continue
				}
				require.NotEmpty(t, p.Message)
				if p.ID == "scale" { // which shows its programs in its own way
					continue
				}
				require.Equal(t, "const log1 = createEventLog()\nconst sessions1 = listSessions(log1)\n// no answer   <-- here\n", p.Counterexample.Code)
				require.Len(t, p.Counterexample.Steps, 2)
				require.Nil(t, p.Counterexample.Expected)
			}
		})
	}
}

func TestTheCallThatHangsIsNamed(t *testing.T) {
	s := testSlot(t, fakeWorker+"hang")
	s.settings.timeout = 200 * time.Millisecond
	r := s.grade("a.js", []byte("1"))
	require.Equal(t, "listSessions did not come to an end and was stopped. Look for a loop whose condition never becomes false.", r.Properties[0].Message)
}

// One accident costs nothing: the same report as without it.
func TestOneAccidentIsForgiven(t *testing.T) {
	source := []byte(bank(t, "starter.js"))
	want := testSlot(t, "").grade("a.js", source)
	for _, how := range []string{"crash", "crash-loading", "hang", "babble"} {
		t.Run(how, func(t *testing.T) {
			got := testSlot(t, fakeWorker+how+"@"+filepath.Join(t.TempDir(), "happened")).grade("a.js", source)
			require.Equal(t, want.Verdict, got.Verdict)
			for i, p := range want.Properties {
				require.Equal(t, p.Verdict, got.Properties[i].Verdict, p.ID)
				require.Equal(t, p.Counterexample, got.Properties[i].Counterexample, p.ID)
			}
		})
	}
}
