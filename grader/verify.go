package grader

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"forgetmenot/exercises"
	"forgetmenot/grader/property"
)

// Verify holds an exercise against its own bank: the starter must fail, every solution must pass what it says it passes, and every mutant must be
// refuted by the property that its first line names, with a counterexample no larger than it says; and no property may be
// without a mutant. It answers the faults found.
func Verify(ctx context.Context, ex exercises.Exercise, bank exercises.Bank, sandbox Sandbox, checker *property.Checker, jobs int, now func() time.Time, progress func(done, all int)) *Verification {
	v := &Verification{Exercise: ex}
	type task struct {
		file   exercises.File
		mutant *exercises.Mutant
		kind   string
	}
	tasks := []task{{file: bank.Starter, kind: "starter"}}
	for _, s := range bank.Solutions {
		tasks = append(tasks, task{file: s, kind: "solution"})
	}
	for i := range bank.Mutants {
		tasks = append(tasks, task{file: bank.Mutants[i].File, mutant: &bank.Mutants[i], kind: "mutant"})
	}
	v.Rows = make([]VerifiedFile, len(tasks))
	var mu sync.Mutex
	var wg sync.WaitGroup
	next, done := 0, 0
	for range max(1, jobs) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(tasks) || ctx.Err() != nil {
					return
				}
				t := tasks[i]
				report := Grade(ctx, Job{Exercise: ex, Submission: t.file.Name, Source: []byte(t.file.Source), Sandbox: sandbox, Checker: checker, Now: now})
				row := VerifiedFile{Name: t.file.Name, Kind: t.kind, Mutant: t.mutant, Report: report}
				row.judge(bank)
				mu.Lock()
				v.Rows[i] = row
				done++
				if progress != nil {
					progress(done, len(tasks))
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	v.Err = ctx.Err()
	for _, p := range ex.Properties {
		if !slices.ContainsFunc(bank.Mutants, func(m exercises.Mutant) bool { return m.KilledBy == p.ID }) {
			v.Faults = append(v.Faults, fmt.Sprintf("property %s: no mutant names it, so nothing shows that it can refute anything", p.ID))
		}
	}
	for _, row := range v.Rows {
		for _, f := range row.Faults {
			v.Faults = append(v.Faults, row.Name+": "+f)
		}
	}
	return v
}

// A Verification is what came of verifying one exercise.
type Verification struct {
	Exercise exercises.Exercise
	Rows     []VerifiedFile
	Faults   []string
	Err      error // the context's, when it was cut short
}

// A VerifiedFile is one file of the bank with its report.
type VerifiedFile struct {
	Name   string
	Kind   string // starter, solution, mutant
	Mutant *exercises.Mutant
	Report *Report
	Faults []string
}

func (f *VerifiedFile) judge(bank exercises.Bank) {
	fault := func(format string, args ...any) { f.Faults = append(f.Faults, fmt.Sprintf(format, args...)) }
	r := f.Report
	if r.Verdict == Error {
		fault("could not be graded: %s", r.Message)
		return
	}
	switch f.Kind {
	case "starter":
		if r.Verdict == Pass {
			fault("the starter passes: nothing is left to do")
		}
		return
	case "solution":
		claimed := bank.Mastery[f.Name]
		for _, p := range r.Properties {
			switch {
			case p.Verdict == property.Pass && p.Tier == property.Mastery && f.Name != "solution.js" && !slices.Contains(claimed, p.ID):
				fault("passes %s, which its first line does not say", p.ID)
			case p.Verdict == property.Pass:
			case p.Tier == property.Required || f.Name == "solution.js" || slices.Contains(claimed, p.ID):
				code := ""
				if p.Counterexample != nil {
					code = "\n" + p.Counterexample.Code
				}
				fault("a right solution fails %s (%s): %s%s", p.ID, p.Verdict, p.Message, code)
			}
		}
		return
	}
	m := f.Mutant
	i := slices.IndexFunc(r.Properties, func(p Result) bool { return p.ID == m.KilledBy })
	if i < 0 {
		fault("names the property %s, which the exercise has not", m.KilledBy)
		return
	}
	killed := r.Properties[i]
	if killed.Verdict == property.Pass {
		others := []string{}
		for _, p := range r.Properties {
			if p.Verdict != property.Pass {
				others = append(others, p.ID)
			}
		}
		if len(others) == 0 {
			fault("the mutant survives: %s", m.Mistake)
		} else {
			fault("should be refuted by %s, but only %s noticed: %s", m.KilledBy, strings.Join(others, ", "), m.Mistake)
		}
		return
	}
	if n := Calls(killed); n > m.MaxCalls {
		fault("the counterexample of %s has %d calls, more than %d:\n%s", m.KilledBy, n, m.MaxCalls, killed.Counterexample.Code)
	}
}

// Calls is the size of a result's counterexample; 0 when it has none.
func Calls(r Result) int {
	if r.Found.Counterexample == nil {
		return 0
	}
	if r.Found.Counterexample.Property.Fixed {
		return len(r.Counterexample.Steps)
	}
	return len(r.Found.Counterexample.Program.Calls)
}
