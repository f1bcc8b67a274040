package property_test

import (
	"errors"
	"fmt"
	"testing"

	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

// stopsAt stops in the first call that is so.
func stopsAt(kind property.StopKind, is func(p *property.Program, call int) bool) *runner {
	return &runner{script: func(r *realm, p *property.Program) (*property.Transcript, error) {
		for i := range p.Calls {
			if is(p, i) {
				return nil, fmt.Errorf("wrapped: %w", &property.Stop{Kind: kind, Call: i})
			}
		}
		return honest(r, p)
	}}
}

// large is an addition of at least 50.
func large(p *property.Program, call int) bool {
	return p.Calls[call].Fn == "add" && p.Calls[call].Args[1].Value().Number() >= 50
}

func TestAStopIsAVerdict(t *testing.T) {
	for _, c := range []struct {
		kind    property.StopKind
		verdict property.Verdict
		en, zh  string
	}{
		{property.StopFuel, property.Timeout, "add did not come to an end and was stopped.", "add 一直没有结束"},
		{property.StopClock, property.Timeout, "add did not come to an end and was stopped.", "add 一直没有结束"},
		{property.StopStack, property.Crash, "add called itself too deeply and ran out of stack.", "add 递归过深"},
		{property.StopMemory, property.Crash, "add used more memory than a submission may hold.", "add 占用的内存超过了限制"},
		{property.StopOutput, property.Crash, "add returned an answer too large to read.", "add 返回的结果太大"},
	} {
		t.Run(string(c.kind), func(t *testing.T) {
			r := stopsAt(c.kind, large)
			result := check(t, property.Options{}, counter(), r)
			require.Equal(t, c.verdict, result.Verdict)
			require.Contains(t, result.Message.En, c.en)
			require.Contains(t, result.Message.Zh, c.zh)
			ce := result.Counterexample
			require.True(t, ce.Stopped)
			require.Equal(t, result.Message, ce.Why.Message)
			require.True(t, ce.Why.NoExpected)
			require.Equal(t, -1, ce.Why.Against)
			require.True(t, large(ce.Program, ce.Why.At))
			require.Equal(t, property.Step{Wrong: "no answer"}, ce.Transcript.Steps[ce.Why.At])
			require.Len(t, ce.Transcript.Steps, len(ce.Program.Calls))
			require.Regexp(t, `(?s)// no answer   <-- here\n`, ce.Code())
			if c.kind == property.StopClock {
				require.EqualValues(t, 1, r.opened.Load(), "every try would cost as long again")
				return
			}
			require.Regexp(t, `^const log1 = create\(\)\nconst log2 = add\(log1, [0-9]+\)$`, ce.Program.String())
		})
	}
}

func TestAStopInAnUnknownCallNamesNone(t *testing.T) {
	r := &runner{script: func(*realm, *property.Program) (*property.Transcript, error) {
		return nil, &property.Stop{Kind: property.StopFuel, Call: -1}
	}}
	result := check(t, property.Options{}, counter(), r)
	require.Equal(t, property.Timeout, result.Verdict)
	require.Contains(t, result.Message.En, "Your code did not come to an end")
	require.Contains(t, result.Message.Zh, "你的代码 一直没有结束")
}

func TestRunsAfterAStopAreFew(t *testing.T) {
	for kind, most := range map[property.StopKind]int{property.StopFuel: 2, property.StopMemory: 2, property.StopStack: 12, property.StopClock: 0} {
		r := &runner{script: func(r *realm, p *property.Program) (*property.Transcript, error) {
			if r.number == 0 && r.used == 3 {
				return nil, &property.Stop{Kind: kind, Call: len(p.Calls) - 1}
			}
			return honest(r, p)
		}}
		prop := counter()
		prop.Draw = only(line(10))
		result := check(t, property.Options{}, prop, r)
		require.Equal(t, 3, result.Cases)
		require.EqualValues(t, 1+most, r.opened.Load(), kind)
		require.Equal(t, line(10).String(), result.Counterexample.Program.String(), "nothing smaller stops too")
	}
}

func TestASmallerProgramMayStopSooner(t *testing.T) {
	r := &runner{script: func(r *realm, p *property.Program) (*property.Transcript, error) {
		call := len(p.Calls) - 1
		if r.number > 0 {
			call = 1
		}
		return nil, &property.Stop{Kind: property.StopFuel, Call: call}
	}}
	prop := counter()
	prop.Draw = only(line(10))
	result := check(t, property.Options{}, prop, r)
	require.Equal(t, "const log1 = create()\nconst log2 = add(log1, 0)", result.Counterexample.Program.String())
	require.Equal(t, 1, result.Counterexample.Why.At)
}

func TestAnotherStopIsNotTheSame(t *testing.T) {
	r := &runner{script: func(r *realm, p *property.Program) (*property.Transcript, error) {
		kind := property.StopStack
		if r.number > 0 {
			kind = property.StopMemory
		}
		return nil, &property.Stop{Kind: kind, Call: len(p.Calls) - 1}
	}}
	prop := counter()
	result := check(t, property.Options{}, prop, r)
	require.Equal(t, property.Crash, result.Verdict)
	require.Contains(t, result.Message.En, "out of stack")
	require.Equal(t, drawn(property.NewChecker(property.Options{}), prop, 1)[0], result.Counterexample.Program.String())
}

func TestRunningOutOfMemoryCanBeTheRefutation(t *testing.T) {
	var asked *property.Stop
	prop := counter()
	prop.OutOfMemory = func(p *property.Program, stop *property.Stop) *property.Refutation {
		asked = stop
		return &property.Refutation{Message: property.Words{En: "too much is kept", Zh: "保留得太多"}, Against: -1, NoExpected: true}
	}
	r := stopsAt(property.StopMemory, large)
	result := check(t, property.Options{}, prop, r)
	require.Equal(t, property.Fail, result.Verdict)
	require.Equal(t, property.Words{En: "too much is kept", Zh: "保留得太多"}, result.Message)
	require.Equal(t, property.StopMemory, asked.Kind)
	require.Equal(t, asked.Call, result.Counterexample.Why.At)
	require.True(t, result.Counterexample.Stopped)
	require.EqualValues(t, 1, r.opened.Load(), "it is not shrunk")

	asked = nil
	result = check(t, property.Options{}, prop, stopsAt(property.StopFuel, large))
	require.Equal(t, property.Timeout, result.Verdict, "asked of memory only")
	require.Nil(t, asked)

	prop.OutOfMemory = func(*property.Program, *property.Stop) *property.Refutation { return nil }
	result = check(t, property.Options{}, prop, stopsAt(property.StopMemory, large))
	require.Equal(t, property.Crash, result.Verdict, "it means nothing for this law")
}

func TestAStopIsNotShrunkWhereTheSizeIsTheLaw(t *testing.T) {
	prop := counter()
	prop.Fixed = true
	r := stopsAt(property.StopStack, large)
	result := check(t, property.Options{}, prop, r)
	require.Equal(t, property.Crash, result.Verdict)
	require.EqualValues(t, 1, r.opened.Load())
	require.Equal(t, drawn(property.NewChecker(property.Options{}), prop, result.Cases+1)[result.Cases], result.Counterexample.Program.String())
}

// While a refutation is shrunk, a smaller program may stop its realm. That says nothing about the law: it is not taken, and shrinking goes
// on in another realm.
func TestAStopWhileShrinkingIsNoRefutation(t *testing.T) {
	stops := 0
	r := &runner{script: func(r *realm, p *property.Program) (*property.Transcript, error) {
		additions := 0
		for _, c := range p.Calls {
			if c.Fn == "add" {
				additions++
			}
		}
		if additions == 1 {
			stops++
			return nil, &property.Stop{Kind: property.StopFuel, Call: 1}
		}
		return answers(p, func(int) float64 { return float64(additions) }), nil // right only where nothing is added
	}}
	prop := counter()
	prop.Draw = only(line(4))
	result := check(t, property.Options{}, prop, r)
	require.Equal(t, property.Fail, result.Verdict)
	require.False(t, result.Counterexample.Stopped)
	require.Equal(t, `const log1 = create()
const log2 = add(log1, 0)
const events1 = sum(log2)
// 2   <-- here
const log3 = add(log2, 0)
`, result.Counterexample.Code())
	require.Positive(t, stops)
}

func TestAStopInTheSecondOpinionIsNotDeterministic(t *testing.T) {
	r := &runner{script: func(r *realm, p *property.Program) (*property.Transcript, error) {
		if r.number > 0 {
			return nil, &property.Stop{Kind: property.StopFuel}
		}
		return answers(p, func(int) float64 { return 1 }), nil
	}}
	require.Equal(t, property.Nondeterministic, check(t, property.Options{Cases: 5}, counter(), r).Verdict)
}

func TestStopsAndLoadErrorsSayWhatHappened(t *testing.T) {
	err := fmt.Errorf("run: %w", &property.Stop{Kind: property.StopFuel, Call: 3})
	require.EqualError(t, err, "run: stopped in call 3: out of fuel")
	var stop *property.Stop
	require.True(t, errors.As(err, &stop))
	require.EqualError(t, &property.LoadError{Kind: property.LoadSyntax, Name: "SyntaxError", Text: "unexpected token", Line: 2, Column: 5},
		"syntax: SyntaxError unexpected token (line 2, column 5)")
}
