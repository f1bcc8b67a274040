package grader

import (
	"strings"
	"testing"

	"forgetmenot/exercises"
	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

func TestMatrix(t *testing.T) {
	ex := exercises.Exercise{ID: "toy", Properties: []*property.Property{{ID: "first", Tier: property.Required}, {ID: "second", Tier: property.Mastery}}}
	report := func(verdicts ...property.Verdict) *Report {
		r := &Report{}
		for i, v := range verdicts {
			r.Properties = append(r.Properties, Result{ID: ex.Properties[i].ID, Verdict: v})
		}
		return r
	}
	killed := report(property.Pass, property.Fail)
	program := &property.Program{}
	for range 12 {
		program.Add("f", property.Answer)
	}
	killed.Properties[1].Found.Counterexample = &property.Counterexample{Property: ex.Properties[1], Program: program}
	v := &Verification{Exercise: ex, Faults: []string{"mutants/b.js: the mutant survives: nothing"}, Rows: []VerifiedFile{
		{Name: "starter.js", Kind: "starter", Report: report(property.Fail, property.Timeout)},
		{Name: "solution.js", Kind: "solution", Report: report(property.Pass, property.Pass)},
		{Name: "mutants/a.js", Kind: "mutant", Mutant: &exercises.Mutant{KilledBy: "second"}, Report: killed},
		{Name: "mutants/b.js", Kind: "mutant", Mutant: &exercises.Mutant{KilledBy: "second"}, Report: report(property.Pass, property.Pass), Faults: []string{"the mutant survives: nothing"}},
		{Name: "mutants/cut-short.js", Kind: "mutant", Mutant: &exercises.Mutant{KilledBy: "second"}},
	}}
	var b strings.Builder
	v.Write(&b)
	require.Equal(t, `toy: 2 properties, 5 files

                 ┌ first
                 │  ┌ second

starter: must fail (1)
  starter.js     x  t

solutions: must pass what is required, and what their first line says (1)
  solution.js    ·  ·

mutants: must be refuted by second (2)
  a.js           · 12
  b.js           ·  ·  <-- see below

                 │  └ second
                 └ first

· passes   x refuted   t timed out   c crashed   n not deterministic   ! ? not run
a number: refuted by the property that must do it, with a counterexample of so many calls

mutants/b.js: the mutant survives: nothing
`, b.String())
}
