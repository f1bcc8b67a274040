package property

import "slices"

// shrink looks for a smaller program that still fails, within a budget counted in runs. It is greedy and has no clock and no randomness,
// so it finds the same program everywhere.
func shrink(prop *Property, p *Program, r *Refutation, budget int, fails func(*Program) (*Refutation, error)) (*Program, *Refutation, error) {
	s := &shrinker{prop: prop, best: p, why: r, budget: budget, fails: fails, tried: map[string]bool{p.key(): true}}
	s.try(p.truncate(r.At))
	for s.err == nil && s.budget > 0 {
		before := s.best
		s.dropCalls()
		s.simplify()
		if s.best == before {
			break
		}
	}
	return s.best, s.why, s.err
}

// callsARun is how many calls make a run for the budget: a program of several times as many counts for several.
const callsARun = 20

type shrinker struct {
	prop   *Property
	best   *Program
	why    *Refutation
	budget int
	fails  func(*Program) (*Refutation, error)
	tried  map[string]bool
	err    error
}

// try takes the candidate for the best when it still fails.
func (s *shrinker) try(c *Program) bool {
	if c == nil || s.err != nil || s.budget <= 0 || s.tried[c.key()] || (s.prop.Valid != nil && !s.prop.Valid(c)) {
		return false
	}
	s.tried[c.key()] = true
	s.budget -= 1 + len(c.Calls)/callsARun
	why, err := s.fails(c)
	if err != nil {
		s.err = err
		return false
	}
	if why == nil {
		return false
	}
	s.best, s.why = c, why
	s.try(c.truncate(why.At))
	return true
}

// dropCalls removes runs of calls, long ones first, until no single call can go.
func (s *shrinker) dropCalls() {
	for size := max(1, len(s.best.Calls)/2); size >= 1; size /= 2 {
		for at := len(s.best.Calls) - size; at >= 0; {
			if s.try(s.best.drop(at, size)) {
				at = min(at, len(s.best.Calls)) - size
			} else {
				at -= max(1, size/2)
			}
			if s.err != nil || s.budget <= 0 {
				return
			}
		}
	}
}

// simplify takes the exercise's own proposals, starting over after each success.
func (s *shrinker) simplify() {
	if s.prop.Smaller == nil {
		return
	}
	for again := true; again; {
		again = false
		for _, c := range s.prop.Smaller(s.best) {
			if s.try(c) {
				again = true
				break
			}
			if s.err != nil || s.budget <= 0 {
				return
			}
		}
	}
}

// truncate ends the program after the call that showed the fault.
func (p *Program) truncate(at int) *Program {
	if at < 0 || at >= len(p.Calls)-1 {
		return nil
	}
	return &Program{Calls: p.Calls[: at+1 : at+1]}
}

// drop builds the program without the calls [at, at+n). What referred to a dropped call now refers to what that call was given:
// a dropped appendEvent leaves the log it appended to, a dropped value its literal. A call that is left with nothing to refer to goes too.
func (p *Program) drop(at, n int) *Program {
	return p.without(func(i int) bool { return i >= at && i < at+n })
}

// Without builds the program without these calls; nil when nothing is left or nothing goes.
func (p *Program) Without(goes func(Call) bool) *Program {
	if !slices.ContainsFunc(p.Calls, goes) {
		return nil
	}
	return p.without(func(i int) bool { return goes(p.Calls[i]) })
}

// Merge builds the program in which the call is not made, and an earlier one stands for it.
func (p *Program) Merge(call, earlier int) *Program {
	q := &Program{}
	now := make([]int, len(p.Calls))
	for i, c := range p.Calls {
		if i == call {
			now[i] = now[earlier]
			continue
		}
		args := slices.Clone(c.Args)
		for k, a := range args {
			if a.isRef {
				args[k] = Ref(now[a.ref])
			}
		}
		now[i] = q.Add(c.Fn, c.Shape, args...)
	}
	return q
}

func (p *Program) without(goes func(call int) bool) *Program {
	q := &Program{}
	now := make([]Arg, len(p.Calls)) // what stands for the result of each old call
	gone := make([]bool, len(p.Calls))
	for i, c := range p.Calls {
		args := make([]Arg, len(c.Args))
		lost := false
		for k, a := range c.Args {
			args[k] = a
			if a.isRef {
				if gone[a.ref] {
					lost = true
					break
				}
				args[k] = now[a.ref]
			}
		}
		drop := goes(i)
		// Only appendEvent-like calls can do with a literal in place of a variable; looking or assigning cannot.
		if !lost && !drop && (c.Fn == VerbLook || c.Fn == VerbSet || c.Fn == VerbPush) && (len(args) == 0 || !args[0].isRef) {
			lost = true
		}
		switch {
		case lost:
			gone[i] = true
		case drop && len(args) > 0 && (c.Shape == Opaque && args[0].isRef || c.Fn == VerbValue):
			now[i] = args[0]
		case drop:
			gone[i] = true
		default:
			now[i] = Ref(q.Add(c.Fn, c.Shape, args...))
		}
	}
	if len(q.Calls) == 0 {
		return nil
	}
	return q
}
