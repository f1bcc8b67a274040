package eventlogtest_test

import (
	"testing"

	"forgetmenot/eventlog/eventlogtest"
	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

// Every fault is refuted by the property that names it, and shown in few calls.
func TestEachFaultIsRefutedByTheLawThatNamesIt(t *testing.T) {
	checker := property.NewChecker(property.Options{})
	killed := map[string]bool{}
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			killed[f.property] = true
			result := check(t, checker, f.property, f.open)
			require.Equal(t, property.Fail, result.Verdict, "%s: %s", f.property, result.Message.En)
			require.NotEmpty(t, result.Message.En)
			require.NotEmpty(t, result.Message.Zh)
			if f.property != "scale" {
				require.LessOrEqual(t, len(result.Counterexample.Program.Calls), f.calls, result.Counterexample.Code())
			}
		})
	}
	for _, p := range eventlogtest.Properties() {
		require.True(t, killed[p.ID], "no fault shows that %s can refute anything", p.ID)
	}
}

// The log that the faults are made from is right but for its cost.
func TestTheLogThatIsBrokenIsRightBefore(t *testing.T) {
	checker := property.NewChecker(property.Options{})
	for _, p := range eventlogtest.Properties() {
		if p.ID == "scale" {
			continue
		}
		t.Run(p.ID, func(t *testing.T) {
			result := check(t, checker, p.ID, simpleLog)
			require.Equal(t, property.Pass, result.Verdict, result.Message.En)
			require.Equal(t, p.CasesOf(100), result.Cases)
		})
	}
}

func check[L any](t *testing.T, checker *property.Checker, id string, open func() eventlogtest.Subject[L]) property.Result {
	t.Helper()
	for _, p := range eventlogtest.Properties() {
		if p.ID == id {
			result, err := checker.Check(t.Context(), p, eventlogtest.NewRunner(open))
			require.NoError(t, err)
			return result
		}
	}
	t.Fatalf("no property %s", id)
	return property.Result{}
}
