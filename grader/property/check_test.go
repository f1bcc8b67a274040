package property_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAnHonestSubjectPasses(t *testing.T) {
	r := &runner{script: honest}
	result := check(t, property.Options{}, counter(), r)
	require.Equal(t, property.Pass, result.Verdict)
	require.Equal(t, 100, result.Cases)
	require.Nil(t, result.Counterexample)
	require.Zero(t, result.Message)
	require.EqualValues(t, 1, r.opened.Load(), "one realm serves all cases")
}

func TestAFaultIsShrunkToItsSmallestProgram(t *testing.T) {
	for _, c := range []struct {
		name string
		r    *runner
		want string
	}{
		{"always", faultyWhen(always), `const log1 = create()
const events1 = sum(log1)
// 1   <-- here
`},
		{"from 42 on", addsTooMuch(42), `const log1 = create()
const log2 = add(log1, 42)
const events1 = sum(log2)
// 43   <-- here
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var codes []string
			for range 2 {
				result := check(t, property.Options{}, counter(), c.r)
				require.Equal(t, property.Fail, result.Verdict)
				require.Equal(t, property.Words{En: "the sum is wrong", Zh: "总和不对"}, result.Message)
				ce := result.Counterexample
				require.False(t, ce.Stopped)
				require.Equal(t, len(ce.Program.Calls)-1, ce.Why.At)
				require.Len(t, ce.Transcript.Steps, len(ce.Program.Calls))
				codes = append(codes, ce.Code())
			}
			require.Equal(t, codes[0], codes[1])
			require.Equal(t, c.want, codes[0])
		})
	}
}

func TestCasesBeforeTheFaultAreCounted(t *testing.T) {
	// A fault that shows in every program, from the eighth case on in the first realm and in every other realm.
	r := faultyWhen(func(r *realm, _ *property.Program) bool { return r.number > 0 || r.used >= 7 })
	result := check(t, property.Options{}, counter(), r)
	require.Equal(t, property.Fail, result.Verdict)
	require.Equal(t, 7, result.Cases)
}

func TestWhatDoesNotComeAgainIsNondeterministic(t *testing.T) {
	for name, is := range map[string]func(r *realm, p *property.Program) bool{
		"only in a used realm":                     func(r *realm, _ *property.Program) bool { return r.used > 0 },
		"only with entropy 0":                      func(r *realm, _ *property.Program) bool { return r.entropy == 0 },
		"only in the first realm":                  func(r *realm, _ *property.Program) bool { return r.number == 0 },
		"no longer in the third, with the smaller": func(r *realm, _ *property.Program) bool { return r.number < 2 },
	} {
		t.Run(name, func(t *testing.T) {
			result := check(t, property.Options{}, counter(), faultyWhen(is))
			require.Equal(t, property.Nondeterministic, result.Verdict)
			require.Nil(t, result.Counterexample)
			require.Contains(t, result.Message.En, "Math.random")
			require.Contains(t, result.Message.Zh, "Math.random")
		})
	}
}

// What an innocent program met, since the realm was used, another shows by itself.
func TestAFaultLeftBehindIsFoundInAnotherCase(t *testing.T) {
	fresh := addsTooMuch(90)
	r := &runner{script: func(r *realm, p *property.Program) (*property.Transcript, error) {
		switch r.used {
		case 0:
			return fresh.script(r, p)
		case 3:
			return answers(p, func(int) float64 { return 7 }), nil
		}
		return honest(r, p)
	}}
	result := check(t, property.Options{}, counter(), r)
	require.Equal(t, 3, result.Cases)
	require.Equal(t, property.Fail, result.Verdict)
	require.Equal(t, "const log1 = create()\nconst log2 = add(log1, 90)\nconst events1 = sum(log2)", result.Counterexample.Program.String())
}

func TestASizeThatIsTheLawIsNotShrunk(t *testing.T) {
	prop := counter()
	prop.Fixed = true
	checker := property.NewChecker(property.Options{})
	r := faultyWhen(func(_ *realm, p *property.Program) bool { return len(p.Calls) > 4 })
	result, err := checker.Check(t.Context(), prop, r)
	require.NoError(t, err)
	require.Equal(t, property.Fail, result.Verdict)
	require.Same(t, checker.Program(prop, result.Cases), result.Counterexample.Program)
	require.Greater(t, len(result.Counterexample.Program.Calls), 4)
}

func TestTheRulesForArgumentsHoldForWhatIsShown(t *testing.T) {
	prop := counter()
	prop.Valid = func(p *property.Program) bool { return adds(p, 10) } // made up: a counter must be added to
	for name, r := range map[string]*runner{
		"refuted": faultyWhen(always),
		"stopped": {script: func(_ *realm, p *property.Program) (*property.Transcript, error) {
			return nil, &property.Stop{Kind: property.StopStack, Call: len(p.Calls) - 1}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			prop.Draw = func(t *rapid.T, size property.Size) *property.Program {
				return rapid.Custom(func(t *rapid.T) *property.Program { return drawCounter(t, size) }).Filter(prop.Valid).Draw(t, "valid")
			}
			result := check(t, property.Options{}, prop, r)
			require.True(t, prop.Valid(result.Counterexample.Program), result.Counterexample.Program)
		})
	}
}

func TestNoCasesNeverPass(t *testing.T) {
	for _, o := range []property.Options{{Cases: 0}, {Cases: -1}, {Cases: 1}, {Cases: 7}} {
		for _, every := range []int{-1, 0, 1, 50, 1_000_000} {
			prop := counter()
			prop.Every = every
			result := check(t, o, prop, &runner{script: honest})
			require.Equal(t, property.Pass, result.Verdict)
			require.Equal(t, prop.CasesOf(property.NewChecker(o).Cases()), result.Cases)
			require.GreaterOrEqual(t, result.Cases, 1)
		}
	}
	require.Equal(t, 1, (&property.Property{}).CasesOf(0))
	require.Equal(t, 2, (&property.Property{Every: 50}).CasesOf(100))
}

func TestErrorsOfTheRunnerAreNoVerdict(t *testing.T) {
	broken := errors.New("broken")
	refuse := func(is func(r *realm) bool) func(r *realm) error {
		return func(r *realm) error {
			if is(r) {
				return fmt.Errorf("the runner: %w", broken)
			}
			return nil
		}
	}
	runBroken := func(is func(r *realm) bool) *runner {
		return &runner{script: func(r *realm, p *property.Program) (*property.Transcript, error) {
			if is(r) {
				return nil, fmt.Errorf("the runner: %w", broken)
			}
			return answers(p, func(int) float64 { return 1 }), nil
		}}
	}
	stops := func(*realm, *property.Program) (*property.Transcript, error) {
		return nil, &property.Stop{Kind: property.StopFuel, Call: 1}
	}
	anyRealm := func(*realm) bool { return true }
	second := func(r *realm) bool { return r.number == 1 }
	last := func(r *realm) bool { return r.number == 2 }
	for name, r := range map[string]*runner{
		"opening":                         {script: honest, open: refuse(anyRealm)},
		"running":                         runBroken(anyRealm),
		"opening for the second opinion":  {script: faultyWhen(always).script, open: refuse(second)},
		"running for the second opinion":  runBroken(second),
		"resetting while shrinking":       {script: faultyWhen(always).script, reset: refuse(anyRealm)},
		"opening for the last word":       {script: faultyWhen(always).script, open: refuse(last)},
		"running for the last word":       runBroken(last),
		"resetting to look at each again": {script: faultyWhen(func(r *realm, _ *property.Program) bool { return r.used > 0 }).script, reset: refuse(anyRealm)},
		"opening after a stop":            {script: stops, open: refuse(second)},
		"opening for another try after a stop": {script: func(r *realm, p *property.Program) (*property.Transcript, error) {
			if r.number > 0 {
				return honest(r, p)
			}
			return nil, &property.Stop{Kind: property.StopFuel, Call: len(p.Calls) - 1}
		}, open: refuse(last)},
		"running after a stop": {script: func(r *realm, p *property.Program) (*property.Transcript, error) {
			if r.number > 0 {
				return nil, broken
			}
			return stops(r, p)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			prop := counter()
			prop.Draw = only(line(6))
			result, err := property.NewChecker(property.Options{}).Check(t.Context(), prop, r)
			require.ErrorIs(t, err, broken)
			require.Equal(t, property.NotRun, result.Verdict)
			require.Nil(t, result.Counterexample)
			require.Equal(t, r.opened.Load(), r.closed.Load())
		})
	}
}

func TestACancelledContextIsNoVerdict(t *testing.T) {
	t.Run("before", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		result, err := property.NewChecker(property.Options{}).Check(ctx, counter(), &runner{script: honest})
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, property.NotRun, result.Verdict)
		require.Zero(t, result.Cases)
	})
	for _, c := range []struct {
		name  string
		is    func(r *realm, p *property.Program) bool
		realm int // cancelled in this realm,
		used  int // after this many programs
		cases int
	}{
		{"between cases", func(*realm, *property.Program) bool { return false }, 0, 3, 4},
		{"after the first fault", always, 0, 0, 0},
		{"while shrinking", always, 1, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r := faultyWhen(func(r *realm, p *property.Program) bool {
				if r.number == c.realm && r.used == c.used {
					cancel()
				}
				return c.is(r, p)
			})
			result, err := property.NewChecker(property.Options{}).Check(ctx, counter(), r)
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, property.NotRun, result.Verdict)
			require.Equal(t, c.cases, result.Cases)
			require.Equal(t, r.opened.Load(), r.closed.Load())
		})
	}
}

func TestOneCheckerServesManyAtOnce(t *testing.T) {
	checker := property.NewChecker(property.Options{Cases: 30})
	prop := counter()
	codes := make([]string, 8)
	var wg sync.WaitGroup
	for i := range codes {
		wg.Go(func() {
			result, err := checker.Check(t.Context(), prop, addsTooMuch(60))
			if err == nil && result.Counterexample != nil {
				codes[i] = result.Counterexample.Code()
			}
		})
	}
	wg.Wait()
	for _, code := range codes {
		require.Equal(t, "const log1 = create()\nconst log2 = add(log1, 60)\nconst events1 = sum(log2)\n// 61   <-- here\n", code)
	}
}
