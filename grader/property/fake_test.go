package property_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The exercise of these tests is a counter of three functions: create() is 0, add(log, n) is a new counter, sum(log) its number.

// drawCounter draws a line of additions, and asks for the sum after some of them.
func drawCounter(t *rapid.T, size property.Size) *property.Program {
	p := &property.Program{}
	log := p.Add("create", property.Opaque)
	for range rapid.IntRange(0, 3+6*int(size)).Draw(t, "additions") {
		log = p.Add("add", property.Opaque, property.Ref(log), property.Lit(property.Num(float64(rapid.IntRange(0, 99).Draw(t, "n")))))
		if rapid.Bool().Draw(t, "ask") {
			p.Add("sum", property.Answer, property.Ref(log))
		}
	}
	p.Add("sum", property.Answer, property.Ref(log))
	return p
}

// sums is what every call of a program should come to, as a number.
func sums(p *property.Program) []float64 {
	out := make([]float64, len(p.Calls))
	for i, c := range p.Calls {
		if len(c.Args) > 0 {
			ref, _ := c.Args[0].IsRef()
			out[i] = out[ref]
		}
		if c.Fn == "add" {
			out[i] += c.Args[1].Value().Number()
		}
	}
	return out
}

func checkCounter(p *property.Program, t *property.Transcript) *property.Refutation {
	for i, want := range sums(p) {
		if p.Calls[i].Fn == "sum" && !t.Steps[i].Value.Equal(property.Num(want)) {
			return &property.Refutation{Message: property.Words{En: "the sum is wrong", Zh: "总和不对"}, At: i, Against: -1, Expected: property.Num(want), Actual: t.Steps[i]}
		}
	}
	return nil
}

// simplerNumbers proposes each number halved, and less one.
func simplerNumbers(p *property.Program) []*property.Program {
	var out []*property.Program
	for i, c := range p.Calls {
		if c.Fn != "add" {
			continue
		}
		n := int(c.Args[1].Value().Number())
		for _, m := range []int{n / 2, n - 1} {
			if m >= 0 && m < n {
				q := &property.Program{Calls: append([]property.Call(nil), p.Calls...)}
				q.Calls[i].Args = []property.Arg{c.Args[0], property.Lit(property.Num(float64(m)))}
				out = append(out, q)
			}
		}
	}
	return out
}

// line is a program that adds 0, 1, 2 and so on to one counter, n numbers, and asks for the sum after each.
func line(n int) *property.Program {
	p := &property.Program{}
	log := p.Add("create", property.Opaque)
	for i := range n {
		log = p.Add("add", property.Opaque, property.Ref(log), property.Lit(property.Num(float64(i))))
		p.Add("sum", property.Answer, property.Ref(log))
	}
	return p
}

// only draws the one program, whatever is asked for.
func only(p *property.Program) func(*rapid.T, property.Size) *property.Program {
	return func(t *rapid.T, _ property.Size) *property.Program {
		rapid.Bool().Draw(t, "a generator must draw something")
		return p
	}
}

// counter is the row of the counter's only law, as a fresh copy.
func counter() *property.Property {
	return &property.Property{
		ID: "sum", Tier: property.Required,
		Law:  property.Words{En: "A counter is the sum of what was added to it.", Zh: "计数器是所有加数之和。"},
		Draw: drawCounter, Check: checkCounter, Smaller: simplerNumbers,
	}
}

// A runner opens realms that follow a script, and counts them.
type runner struct {
	script         func(r *realm, p *property.Program) (*property.Transcript, error)
	open, reset    func(r *realm) error // may refuse; nil never does
	opened, closed atomic.Int32
}

// A realm of a runner. used counts the programs it has run since it was fresh.
type realm struct {
	runner  *runner
	entropy int
	number  int // of the realms opened, this is
	used    int
	spent   bool
	closed  bool
}

func (r *runner) Open(ctx context.Context, entropy int) (property.Realm, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	one := &realm{runner: r, entropy: entropy, number: int(r.opened.Load())}
	if r.open != nil {
		if err := r.open(one); err != nil {
			return nil, err
		}
	}
	r.opened.Add(1)
	return one, nil
}

var errMisused = errors.New("a realm that is spent or closed was used")

func (r *realm) Run(ctx context.Context, p *property.Program) (*property.Transcript, error) {
	if r.spent || r.closed {
		return nil, errMisused
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	t, err := r.runner.script(r, p)
	r.used++
	var stop *property.Stop
	r.spent = errors.As(err, &stop)
	return t, err
}

func (r *realm) Reset(context.Context) error {
	if r.spent || r.closed {
		return errMisused
	}
	r.used = 0
	if r.runner.reset != nil {
		return r.runner.reset(r)
	}
	return nil
}

func (r *realm) Close() error {
	if !r.closed {
		r.closed = true
		r.runner.closed.Add(1)
	}
	return nil
}

// honest answers every sum rightly.
func honest(_ *realm, p *property.Program) (*property.Transcript, error) { return answers(p, nil), nil }

// answers are the right ones, but for what wrong adds to the answer of a call; nil adds nothing.
func answers(p *property.Program, wrong func(call int) float64) *property.Transcript {
	t := &property.Transcript{Steps: make([]property.Step, len(p.Calls))}
	for i, n := range sums(p) {
		if p.Calls[i].Fn != "sum" {
			continue
		}
		if wrong != nil {
			n += wrong(i)
		}
		t.Steps[i].Value = property.Num(n)
	}
	return t
}

// faultyWhen answers every sum with one too many, when it is so.
func faultyWhen(is func(r *realm, p *property.Program) bool) *runner {
	return &runner{script: func(r *realm, p *property.Program) (*property.Transcript, error) {
		if !is(r, p) {
			return honest(r, p)
		}
		return answers(p, func(int) float64 { return 1 }), nil
	}}
}

// addsTooMuch counts one too many from the first number on that is at least n.
func addsTooMuch(n float64) *runner {
	return &runner{script: func(_ *realm, p *property.Program) (*property.Transcript, error) {
		return answers(p, func(call int) float64 {
			if adds(&property.Program{Calls: p.Calls[:call]}, n) {
				return 1
			}
			return 0
		}), nil
	}}
}

func always(*realm, *property.Program) bool { return true }

// adds tells whether a program adds a number of at least n.
func adds(p *property.Program, n float64) bool {
	for _, c := range p.Calls {
		if c.Fn == "add" && c.Args[1].Value().Number() >= n {
			return true
		}
	}
	return false
}

// check runs one property, and sees to it that no realm is left open.
func check(t *testing.T, o property.Options, prop *property.Property, r *runner) property.Result {
	t.Helper()
	result, err := property.NewChecker(o).Check(t.Context(), prop, r)
	require.NoError(t, err)
	require.Same(t, prop, result.Property)
	require.Equal(t, r.opened.Load(), r.closed.Load(), "every realm is closed")
	return result
}
