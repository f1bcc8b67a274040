package eventlogtest

import (
	"testing"

	"forgetmenot/grader/property"
)

// Run holds a subject against every property, one subtest each. A failing subtest shows the smallest counterexample.
func Run[L any](t *testing.T, open func() Subject[L]) { runProperties(t, NewRunner(open), 0) }

// runProperties checks so many cases of each; 0 is as many as usual.
func runProperties(t *testing.T, runner property.Runner, cases int) {
	checker := property.NewChecker(property.Options{Cases: cases})
	for _, prop := range Properties() {
		t.Run(prop.ID, func(t *testing.T) {
			result, err := checker.Check(t.Context(), prop, runner)
			if err != nil {
				t.Fatal(err)
			}
			if result.Verdict != property.Pass {
				code := ""
				if result.Counterexample != nil {
					code = "\n" + result.Counterexample.Code()
				}
				t.Fatalf("%s: %s: %s%s", prop.ID, result.Verdict, result.Message.En, code)
			}
		})
	}
}
