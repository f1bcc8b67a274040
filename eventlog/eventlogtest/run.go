package eventlogtest

import (
	"testing"

	"forgetmenot/grader/property"
)

// Run holds a subject against every property, one subtest each. A failing subtest shows the smallest counterexample.
func Run[L any](t *testing.T, open func() Subject[L]) {
	checker := property.NewChecker(property.Options{})
	for _, prop := range Properties() {
		t.Run(prop.ID, func(t *testing.T) {
			result, err := checker.Check(t.Context(), prop, NewRunner(open))
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
