package grader

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"forgetmenot/exercises"
	"forgetmenot/grader/property"
)

// A Sandbox loads submissions. Its implementations are tested by grading an exercise's whole bank on each and comparing.
type Sandbox interface {
	// Load opens a submission that should offer these functions. A *property.LoadError is the submission's fault, any other error the
	// sandbox's own.
	Load(ctx context.Context, source string, functions []string) (Loaded, error)
}

// A Loaded submission opens realms.
type Loaded interface {
	property.Runner
	Close(ctx context.Context)
}

// MaxSource is the largest submission that is graded, in bytes.
const MaxSource = 1 << 20

// A Job is one submission to grade.
type Job struct {
	Exercise   exercises.Exercise
	Submission string // its name in the report
	Source     []byte
	Sandbox    Sandbox
	Checker    *property.Checker
	Only       []string                 // just these properties; nil for all
	Began      func(*property.Property) // told before each property; may be nil
	Ended      func(Result)             // told after each; may be nil
	Now        func() time.Time         // for durations only; nil: they are 0
}

// Grade holds a submission against its exercise. It does not fail: what went wrong stands in the report.
func Grade(ctx context.Context, job Job) *Report {
	now := job.Now
	if now == nil {
		now = func() time.Time { return time.Time{} }
	}
	start := now()
	report := NewReport(job)
	defer func() { report.DurationMs = now().Sub(start).Milliseconds() }()
	if t := unreadable(job.Source); t != nil {
		report.Fail(t)
		return report
	}
	loaded, err := job.Sandbox.Load(ctx, string(job.Source), job.Exercise.Functions)
	if err != nil {
		report.Fail(troubleOf(err, string(job.Source)))
		return report
	}
	defer loaded.Close(ctx)
	for i, prop := range job.Exercise.Properties {
		if !job.wants(prop.ID) {
			continue
		}
		if job.Began != nil {
			job.Began(prop)
		}
		began := now()
		found, err := job.Checker.Check(ctx, prop, loaded)
		var load *property.LoadError
		switch {
		case err == nil:
		case ctx.Err() != nil:
			found.Verdict = property.NotRun
			found.Message = property.Words{En: "Grading was interrupted.", Zh: "评分被中断。"}
		case errors.As(err, &load): // it loaded once, and did not load again
			found.Verdict = property.Nondeterministic
			found.Message = property.Words{
				En: "The file loaded once and then did not load again, so its top level depends on the clock or on chance. " + troubleOf(load, string(job.Source)).Message.En,
				Zh: "文件第一次能够加载，之后却不能，说明它的最外层代码依赖时钟或随机数。" + troubleOf(load, string(job.Source)).Message.Zh,
			}
		default:
			found.Verdict = property.Error
			found.Message = property.Words{En: "The grader failed: " + err.Error(), Zh: "评分程序出错：" + err.Error()}
			report.Fault = GraderFault
			report.Message = found.Message.En
		}
		found.Property = prop
		report.Properties[i] = resultOf(found)
		report.Properties[i].DurationMs = now().Sub(began).Milliseconds()
		if job.Ended != nil {
			job.Ended(report.Properties[i])
		}
	}
	report.count()
	return report
}

func (j Job) wants(id string) bool {
	if j.Only == nil {
		return true
	}
	for _, o := range j.Only {
		if o == id {
			return true
		}
	}
	return false
}

// NewReport is the report of a job of which nothing has run yet.
func NewReport(job Job) *Report {
	sum := sha256.Sum256(job.Source)
	r := &Report{
		Version: ReportVersion, Exercise: job.Exercise.ID, Language: "javascript", Submission: job.Submission, SHA256: hex.EncodeToString(sum[:]),
		Grader: Version, Seed: job.Checker.Seed(), Cases: job.Checker.Cases(), Verdict: Error,
	}
	for _, p := range job.Exercise.Properties {
		r.Properties = append(r.Properties, resultOf(property.Result{Property: p, Verdict: property.NotRun}))
	}
	r.count()
	return r
}

// Put sets the result of one property, as another process found it, and counts again.
func (r *Report) Put(result Result) {
	for i := range r.Properties {
		if r.Properties[i].ID == result.ID {
			r.Properties[i] = result
		}
	}
	r.count()
}

// Fail says that nothing of the submission could be run, or not all of it, and why.
func (r *Report) Fail(t *Trouble) {
	r.Trouble, r.Verdict, r.Fault, r.Message = t, Error, t.Fault, t.Message.En
}

// Interrupt ends a report early: what has no result yet will have none.
func (r *Report) Interrupt() {
	words := property.Words{En: "Grading was interrupted.", Zh: "评分被中断。"}
	for i := range r.Properties {
		if r.Properties[i].Verdict == property.NotRun {
			r.Properties[i].Message = words.En
		}
	}
	r.Fail(&Trouble{Fault: GraderFault, Kind: "interrupted", Message: words})
}

// Refuse makes the report of a submission that could not be read at all.
func Refuse(job Job, t *Trouble) *Report {
	r := NewReport(job)
	r.Fail(t)
	return r
}

// ShowLine is a line of the source with a mark under the column, for messages to people; empty when there is no such line.
func ShowLine(source string, line, column int) string {
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(source, "\r\n", "\n"), "\r", "\n"), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	text := strings.ReplaceAll(lines[line-1], "\t", " ")
	runes := []rune(text)
	from := 0
	if column > 60 { // a long line: the part around the place
		from = min(column-50, max(0, len(runes)-1))
	}
	shown := runes[from:min(len(runes), from+100)]
	out := fmt.Sprintf("%5d | %s", line, string(shown))
	if column >= 1 {
		out += "\n      | " + strings.Repeat(" ", max(0, min(column-1-from, len(shown)))) + "^"
	}
	return out
}
