package property

import (
	"context"
	"errors"
	"fmt"
)

// An investigation follows one failed case to its conclusion: does it fail in a fresh realm too, and what is the smallest program
// that does?
type investigation struct {
	checker    *Checker
	prop       *Property
	runner     Runner
	budget     int
	program    *Program
	transcript *Transcript
	why        *Refutation // the law is refuted, or
	stop       *Stop       // the realm was ended
	realm      Realm
}

// otherEntropy gives the second opinion another clock and other random numbers.
const otherEntropy = 1

func (v *investigation) conclude(ctx context.Context, result *Result) error {
	defer v.closeRealm()
	if v.stop != nil {
		return v.concludeStop(ctx, result)
	}
	again, err := v.fails(ctx, otherEntropy, v.program)
	if err == nil && again == nil {
		again, err = v.eachAfresh(ctx)
	}
	if err != nil {
		return err
	}
	if again == nil {
		v.nondeterministic(result)
		return nil
	}
	if !v.prop.Fixed {
		v.program, v.why, err = shrink(v.prop, v.program, again, v.budget, func(p *Program) (*Refutation, error) {
			return v.fails(ctx, otherEntropy, p)
		})
		if err != nil {
			return err
		}
	}
	why := again
	if !v.prop.Fixed {
		// The last word: in a realm like the first, which also gives the transcript that is kept.
		v.closeRealm()
		if why, err = v.fails(ctx, 0, v.program); err != nil {
			return err
		}
	}
	if why == nil {
		v.nondeterministic(result)
		return nil
	}
	result.Verdict = Fail
	result.Message = why.Message
	result.Counterexample = newCounterexample(v.prop, v.program, v.transcript, why)
	return nil
}

// eachAfresh looks for a case that fails in a fresh realm by itself. What earlier programs left behind in the realm can make a fault show in
// a program that is innocent of it; most often another one shows it alone.
func (v *investigation) eachAfresh(ctx context.Context) (*Refutation, error) {
	for n := range v.prop.CasesOf(v.checker.cases) {
		p := v.checker.Program(v.prop, n)
		why, err := v.fails(ctx, otherEntropy, p)
		if err != nil || why != nil {
			v.program = p
			return why, err
		}
	}
	return nil, nil
}

// fails runs p in a fresh realm and tells why it fails, or nil. A realm that ends there is no refutation of this law.
func (v *investigation) fails(ctx context.Context, entropy int, p *Program) (*Refutation, error) {
	if v.realm == nil {
		realm, err := v.runner.Open(ctx, entropy)
		if err != nil {
			return nil, err
		}
		v.realm = realm
	} else if err := v.realm.Reset(ctx); err != nil {
		return nil, err
	}
	t, why, err := examine(ctx, v.prop, v.realm, p)
	var stop *Stop
	if errors.As(err, &stop) {
		v.closeRealm()
		return nil, nil
	}
	v.transcript = t
	return why, err
}

func (v *investigation) closeRealm() {
	if v.realm != nil {
		v.realm.Close()
		v.realm = nil
	}
}

func (v *investigation) nondeterministic(result *Result) {
	result.Verdict = Nondeterministic
	result.Message = Words{
		En: "The same calls did not give the same answers in a fresh start, so there is no example to show. Usual causes: a variable outside the five functions that remembers earlier calls, the clock (Date), or Math.random.",
		Zh: "同样的调用在重新开始后给出了不同的回答，所以没有可以展示的反例。常见原因：五个函数之外有一个变量记住了之前的调用，或者用到了时钟（Date）或 Math.random。",
	}
}

// concludeStop reports a realm that was ended. Running on is expensive there, so just two smaller programs are tried.
func (v *investigation) concludeStop(ctx context.Context, result *Result) error {
	if v.stop.Kind == StopMemory && v.prop.OutOfMemory != nil {
		if why := v.prop.OutOfMemory(v.program, v.stop); why != nil {
			result.Verdict = Fail
			result.Message = why.Message
			result.Counterexample = newStopped(v.prop, v.program, v.stop, why)
			return nil
		}
	}
	if v.stop.Kind != StopClock && !v.prop.Fixed {
		if err := v.shrinkStop(ctx); err != nil {
			return err
		}
	}
	ended := Ended(v.prop, v.program, v.stop)
	result.Verdict, result.Message, result.Counterexample = ended.Verdict, ended.Message, ended.Counterexample
	return nil
}

// Ended is the result of a property whose realm was ended in a call of the program: for whoever ended it from outside, when no check loop
// was left to say so.
func Ended(prop *Property, p *Program, stop *Stop) Result {
	result := Result{Property: prop, Verdict: Crash, Message: stopMessage(p, stop)}
	if stop.Kind == StopFuel || stop.Kind == StopClock {
		result.Verdict = Timeout
	}
	why := &Refutation{Message: result.Message, At: stop.Call, Against: -1, NoExpected: true}
	result.Counterexample = newStopped(prop, p, stop, why)
	return result
}

// shrinkStop tries the few programs that most often do: just the calls that the last one needs, and those that just its values need.
func (v *investigation) shrinkStop(ctx context.Context) error {
	runs := 2
	if v.stop.Kind == StopStack {
		runs = 12
	}
	if cut := v.program.truncate(v.stop.Call); cut != nil {
		v.program = cut
	}
	try := func(p *Program) error {
		if p == nil || runs == 0 || len(p.Calls) == 0 || (v.prop.Valid != nil && !v.prop.Valid(p)) {
			return nil
		}
		runs--
		realm, err := v.runner.Open(ctx, 0)
		if err != nil {
			return err
		}
		defer realm.Close()
		_, err = realm.Run(ctx, p)
		var stop *Stop
		switch {
		case err == nil:
			return nil
		case !errors.As(err, &stop):
			return err
		case stop.Kind == v.stop.Kind:
			v.program, v.stop = p, stop
			if cut := p.truncate(stop.Call); cut != nil {
				v.program = cut
			}
		}
		return nil
	}
	if err := try(v.program.cone(v.stop.Call)); err != nil {
		return err
	}
	for size := max(1, len(v.program.Calls)/2); size >= 1 && runs > 0; size /= 2 {
		for at := len(v.program.Calls) - 1 - size; at >= 0 && runs > 0; at -= size {
			if err := try(v.program.drop(at, size)); err != nil {
				return err
			}
			at = min(at, len(v.program.Calls)-1)
		}
	}
	return nil
}

// cone is the program of just the call and what it needs.
func (p *Program) cone(call int) *Program {
	if call < 0 || call >= len(p.Calls) {
		return nil
	}
	needed := make([]bool, len(p.Calls))
	needed[call] = true
	for i := call; i >= 0; i-- {
		if !needed[i] {
			continue
		}
		for _, a := range p.Calls[i].Args {
			if a.isRef {
				needed[a.ref] = true
			}
		}
	}
	q := &Program{}
	now := make([]int, len(p.Calls))
	for i, c := range p.Calls[:call+1] {
		if !needed[i] {
			continue
		}
		args := make([]Arg, len(c.Args))
		for k, a := range c.Args {
			args[k] = a
			if a.isRef {
				args[k] = Ref(now[a.ref])
			}
		}
		now[i] = q.Add(c.Fn, c.Shape, args...)
	}
	return q
}

func newStopped(prop *Property, p *Program, stop *Stop, why *Refutation) *Counterexample {
	t := &Transcript{Steps: make([]Step, len(p.Calls))}
	why.At = min(max(stop.Call, 0), len(p.Calls)-1)
	why.Actual = Step{Wrong: "no answer"}
	t.Steps[why.At] = why.Actual
	return &Counterexample{Property: prop, Program: p, Transcript: t, Why: why, Stopped: true}
}

func stopMessage(p *Program, stop *Stop) Words {
	where := Words{En: "Your code", Zh: "你的代码"}
	if stop.Call >= 0 && stop.Call < len(p.Calls) {
		name := p.Calls[stop.Call].Fn
		where = Words{En: name, Zh: name}
	}
	say := func(en, zh string) Words { return Words{En: fmt.Sprintf(en, where.En), Zh: fmt.Sprintf(zh, where.Zh)} }
	switch stop.Kind {
	case StopStack:
		return say("%s called itself too deeply and ran out of stack. Look for a recursion that does not end, or replace it with a loop.",
			"%s 递归过深，耗尽了栈。检查递归是否会结束，或者改用循环。")
	case StopMemory:
		return say("%s used more memory than a submission may hold. Look for a list that grows without end.",
			"%s 占用的内存超过了限制。检查是否有一个列表在无止境地增长。")
	case StopOutput:
		return say("%s returned an answer too large to read.", "%s 返回的结果太大，无法读取。")
	}
	return say("%s did not come to an end and was stopped. Look for a loop whose condition never becomes false.",
		"%s 一直没有结束，已被停止。检查循环条件是否永远不会变为 false。")
}
