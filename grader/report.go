package grader

import (
	"encoding/json"

	"forgetmenot/grader/property"
)

// Version names this grader in reports.
const Version = "forgetmenot v0.1.0"

// ReportVersion is the version of the report's form.
const ReportVersion = 1

// A Report is what came of one submission. Every output format is written from it.
type Report struct {
	Version    int      `json:"version"`
	Exercise   string   `json:"exercise"`
	Language   string   `json:"language"`
	Submission string   `json:"submission"`
	SHA256     string   `json:"sha256"`
	Grader     string   `json:"grader"`
	Seed       uint64   `json:"seed"`
	Cases      int      `json:"cases"`
	DurationMs int64    `json:"durationMs"`
	Verdict    Verdict  `json:"verdict"`
	Score      Score    `json:"score"`
	Mastery    Score    `json:"mastery"`
	Properties []Result `json:"properties"`
	Fault      Fault    `json:"fault"`
	Message    string   `json:"message"`

	// Why nothing could be run, for a page that says it in its own language and marks the line.
	Trouble *Trouble `json:"-"`
}

// A Verdict is what came of a whole submission.
type Verdict string

// The verdicts. Pass: every required property passed. Fail: at least one did not, by the submission's fault. Error: nothing could be run.
const (
	Pass  Verdict = "pass"
	Fail  Verdict = "fail"
	Error Verdict = "error"
)

// A Score counts the properties of a tier.
type Score struct {
	Earned   int `json:"earned"`
	Possible int `json:"possible"`
}

// A Fault says whose an error is; null in JSON when there is none.
type Fault string

// The faults.
const (
	NoFault         Fault = ""
	SubmissionFault Fault = "submission"
	GraderFault     Fault = "grader"
)

// MarshalJSON writes no fault as null.
func (f Fault) MarshalJSON() ([]byte, error) {
	if f == NoFault {
		return []byte("null"), nil
	}
	return json.Marshal(string(f))
}

// UnmarshalJSON reads null as no fault.
func (f *Fault) UnmarshalJSON(b []byte) error {
	var s *string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*f = NoFault
	if s != nil {
		*f = Fault(*s)
	}
	return nil
}

// A Result is what came of one property.
type Result struct {
	ID             string           `json:"id"`
	Tier           property.Tier    `json:"tier"`
	Title          string           `json:"title"`
	Verdict        property.Verdict `json:"verdict"`
	Cases          int              `json:"cases"`
	DurationMs     int64            `json:"durationMs"`
	Message        string           `json:"message"`
	Counterexample *Counterexample  `json:"counterexample,omitempty"`

	// Found is the result as the check loop gave it: with the program, its transcript, and the words in every language.
	Found property.Result `json:"-"`
}

// A Counterexample is the smallest refuting program that was found, to read and to replay.
type Counterexample struct {
	Code     string          `json:"code"`
	Steps    []Step          `json:"steps"`
	Expected json.RawMessage `json:"expected,omitempty"` // absent where the law only forbids
	Actual   json.RawMessage `json:"actual"`
}

// A Step is one call with its result; a log value, which stays in the realm, has none.
type Step struct {
	Call   string          `json:"call"`
	Result json.RawMessage `json:"result,omitempty"`
}

// resultOf words a property's result for the report.
func resultOf(found property.Result) Result {
	r := Result{
		ID: found.Property.ID, Tier: found.Property.Tier, Title: found.Property.Title.En,
		Verdict: found.Verdict, Cases: found.Cases, Message: bounded(found.Message.En, maxMessage), Found: found,
	}
	if ce := found.Counterexample; ce != nil {
		r.Counterexample = counterexampleOf(ce)
	}
	return r
}

func counterexampleOf(ce *property.Counterexample) *Counterexample {
	c := &Counterexample{Code: boundedCode(ce.Code()), Actual: json.RawMessage("null")}
	if ce.Property.Show == nil {
		lines := ce.Program.Lines()
		for i, call := range ce.Program.Calls {
			c.Steps = append(c.Steps, Step{Call: lines[i], Result: boundedAnswer(ce.Transcript.Steps[i].Result(call.Shape))})
		}
	} else {
		for i, call := range ce.Program.Calls {
			if call.Fn == property.VerbMemory {
				c.Steps = append(c.Steps, Step{Call: ce.Program.Expression(i), Result: boundedAnswer(ce.Transcript.Steps[i].Result(call.Shape))})
			}
		}
	}
	if c.Steps == nil {
		c.Steps = []Step{}
	}
	if !ce.Why.NoExpected {
		c.Expected = boundedAnswer(json.RawMessage(ce.Why.Expected.JSON()))
	}
	if actual := ce.Why.Actual.Result(property.Answer); actual != nil {
		c.Actual = boundedAnswer(actual)
	}
	return c
}

// count fills in the scores and the verdict from the results.
func (r *Report) count() {
	r.Verdict, r.Score, r.Mastery = Pass, Score{}, Score{}
	for _, p := range r.Properties {
		score := &r.Score
		if p.Tier == property.Mastery {
			score = &r.Mastery
		}
		score.Possible++
		if p.Verdict == property.Pass {
			score.Earned++
		}
	}
	if r.Score.Earned < r.Score.Possible || r.Score.Possible == 0 {
		r.Verdict = Fail
	}
	for _, p := range r.Properties {
		if p.Tier == property.Required && (p.Verdict == property.Error || p.Verdict == property.NotRun) {
			r.Verdict = Error
		}
	}
}
