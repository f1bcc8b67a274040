package property

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"sync"

	"pgregory.net/rapid"
)

// A Verdict is what came of one property.
type Verdict string

// The verdicts. Only Pass is a pass.
const (
	Pass             Verdict = "pass"
	Fail             Verdict = "fail"
	Timeout          Verdict = "timeout"
	Crash            Verdict = "crash"
	Nondeterministic Verdict = "nondeterministic"
	Error            Verdict = "error"
	NotRun           Verdict = "notrun"
)

// A Result is the verdict of one property over one submission.
type Result struct {
	Property       *Property
	Verdict        Verdict
	Cases          int // run to their end
	Message        Words
	Counterexample *Counterexample // of Fail, Timeout and Crash
}

// A Checker checks properties. One Checker may serve many submissions, and many goroutines: since a program depends on
// nothing but the seed, each is drawn once and kept. The zero value is not ready; use NewChecker.
type Checker struct {
	seed       uint64
	cases      int
	shrinkRuns int
	decks      sync.Map // *Property -> *deck
}

// Options of a Checker. The zero value means seed 1, 100 cases, 1500 runs to shrink.
type Options struct {
	Seed       uint64
	Cases      int
	ShrinkRuns int
}

// NewChecker makes a Checker.
func NewChecker(o Options) *Checker {
	c := &Checker{seed: o.Seed, cases: o.Cases, shrinkRuns: o.ShrinkRuns}
	if c.seed == 0 {
		c.seed = 1
	}
	if c.cases <= 0 {
		c.cases = 100
	}
	if c.shrinkRuns <= 0 {
		c.shrinkRuns = 1500
	}
	return c
}

// Seed is the seed of every draw.
func (c *Checker) Seed() uint64 { return c.seed }

// Cases is the number of cases that were asked for.
func (c *Checker) Cases() int { return c.cases }

// A deck holds the programs of one property, drawn when first asked for.
type deck struct {
	mu       sync.Mutex
	prop     *Property
	programs []*Program
}

// Program is the case with this number.
func (c *Checker) Program(prop *Property, number int) *Program {
	d, ok := c.decks.Load(prop)
	if !ok {
		d, _ = c.decks.LoadOrStore(prop, &deck{prop: prop})
	}
	return d.(*deck).program(c.seed, number)
}

func (d *deck) program(seed uint64, number int) *Program {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.programs) <= number {
		n := len(d.programs)
		gen := rapid.Custom(func(t *rapid.T) *Program { return d.prop.Draw(t, sizeOf(n)) })
		p := gen.Example(caseSeed(seed, d.prop.ID, n))
		p.Encode() // while it is still ours alone
		d.programs = append(d.programs, p)
	}
	return d.programs[number]
}

// caseSeed gives every case a seed of its own, so that a property's cases do not depend on how many another one drew.
func caseSeed(seed uint64, id string, number int) int {
	h := fnv.New64a()
	var b [16]byte
	for i := range 8 {
		b[i] = byte(seed >> (8 * i))
		b[8+i] = byte(uint64(number) >> (8 * i))
	}
	h.Write(b[:8])
	h.Write([]byte(id))
	h.Write(b[8:])
	return int(h.Sum64() & math.MaxInt64)
}

// Check runs the property's cases in a realm of its own. Its error is the runner's fault or the context's end, never the submission's.
func (c *Checker) Check(ctx context.Context, prop *Property, runner Runner) (Result, error) {
	result := Result{Property: prop, Verdict: NotRun}
	realm, err := runner.Open(ctx, 0)
	if err != nil {
		return result, err
	}
	defer func() { realm.Close() }()
	want := prop.CasesOf(c.cases)
	for n := range want {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		p := c.Program(prop, n)
		t, why, err := examine(ctx, prop, realm, p)
		if err == nil && why == nil {
			result.Cases++
			continue
		}
		v := &investigation{checker: c, prop: prop, runner: runner, budget: c.shrinkRuns, program: p, transcript: t, why: why}
		if err != nil && !errors.As(err, &v.stop) {
			return result, err
		}
		err = v.conclude(ctx, &result)
		return result, err
	}
	if result.Cases == want && want > 0 {
		result.Verdict = Pass
	}
	return result, nil
}

// examine runs one program and checks its transcript. A realm that ran out of memory can be a refutation by itself.
func examine(ctx context.Context, prop *Property, realm Realm, p *Program) (*Transcript, *Refutation, error) {
	t, err := realm.Run(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	return t, prop.Check(p, t), nil
}
