package property

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// A term is a call with all that it needs written out in place: what a call means, whatever its number.
func term(p *Program, call int) string { return termWithout(p, call, nil) }

const lost = "lost"

// termWithout is the term of a call when some are not made, by definition: a value leaves its literal, a call that made a log from another leaves
// that other, and anything else leaves nothing, which takes along those that need it.
func termWithout(p *Program, call int, goes func(int) bool) string {
	c := p.Calls[call]
	args := make([]string, len(c.Args))
	for k, a := range c.Args {
		args[k] = a.Value().JSON()
		if ref, ok := a.IsRef(); ok {
			args[k] = termWithout(p, ref, goes)
		}
		if args[k] == lost {
			return lost
		}
	}
	result := c.Fn + "(" + strings.Join(args, ";") + ")"
	if goes == nil {
		return result
	}
	onCall := len(args) > 0 && strings.HasSuffix(args[0], ")") // and not on a literal: no literal of programs() ends so
	switch {
	case goes(call) && (c.Fn == VerbValue || c.Shape == Opaque && onCall):
		return args[0]
	case goes(call):
		return lost
	case !onCall && (c.Fn == VerbLook || c.Fn == VerbSet || c.Fn == VerbPush):
		return lost
	}
	return result
}

func terms(p *Program) []string {
	out := []string{}
	if p != nil {
		for i := range p.Calls {
			out = append(out, term(p, i))
		}
	}
	return out
}

func TestDropKeepsWhatTheOthersMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs().Draw(t, "p")
		before := string(p.appendJSON(nil))
		at := rapid.IntRange(0, len(p.Calls)-1).Draw(t, "at")
		n := rapid.IntRange(1, len(p.Calls)-at).Draw(t, "n")
		goes := func(i int) bool { return i >= at && i < at+n }
		want := []string{}
		for i := range p.Calls {
			if s := termWithout(p, i, goes); s != lost && !goes(i) {
				want = append(want, s)
			}
		}
		q := p.drop(at, n)
		require.Equal(t, want, terms(q))
		require.Equal(t, q == nil, len(want) == 0)
		if q != nil {
			requireWellFormed(t, q)
			require.Less(t, len(q.Calls), len(p.Calls))
		}
		require.Equal(t, before, string(p.appendJSON(nil)), "a program is never changed")
	})
}

func TestWithoutAsksEveryCall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs().Draw(t, "p")
		fn := rapid.SampledFrom([]string{"create", "append", "read", "memory", VerbValue, VerbLook, VerbSet, VerbPush, "nobody"}).Draw(t, "fn")
		is := func(c Call) bool { return c.Fn == fn }
		q := p.Without(is)
		if !slices.ContainsFunc(p.Calls, is) {
			require.Nil(t, q, "nothing goes")
			return
		}
		if q == nil {
			for i := range p.Calls {
				require.True(t, is(p.Calls[i]) || termWithout(p, i, func(j int) bool { return is(p.Calls[j]) }) == lost)
			}
			return
		}
		requireWellFormed(t, q)
		require.False(t, slices.ContainsFunc(q.Calls, is))
	})
}

func TestMergePutsAnEarlierCallInItsPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs().Filter(func(p *Program) bool { return len(p.Calls) > 1 }).Draw(t, "p")
		before := string(p.appendJSON(nil))
		call := rapid.IntRange(1, len(p.Calls)-1).Draw(t, "call")
		earlier := rapid.IntRange(0, call-1).Draw(t, "earlier")
		q := p.Merge(call, earlier)
		requireWellFormed(t, q)

		// The same program, made by hand: every reference moved, then the call, which nobody needs now, taken out.
		moved := &Program{}
		for _, c := range p.Calls {
			args := slices.Clone(c.Args)
			for k, a := range args {
				if ref, ok := a.IsRef(); ok && ref == call {
					args[k] = Ref(earlier)
				}
			}
			moved.Add(c.Fn, c.Shape, args...)
		}
		want := slices.Delete(terms(moved), call, call+1)
		require.Equal(t, want, terms(q))
		require.Equal(t, before, string(p.appendJSON(nil)), "a program is never changed")
	})
}

func TestTruncateEndsAfterTheCall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs().Draw(t, "p")
		before := string(p.appendJSON(nil))
		at := rapid.IntRange(-2, len(p.Calls)+1).Draw(t, "at")
		q := p.truncate(at)
		if at < 0 || at >= len(p.Calls)-1 {
			require.Nil(t, q, "nothing to cut")
			return
		}
		requireWellFormed(t, q)
		require.Equal(t, terms(p)[:at+1], terms(q))
		q.Add("more", Nothing)
		require.Equal(t, before, string(p.appendJSON(nil)), "a program is never changed")
	})
}

func TestConeIsACallAndWhatItNeeds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs().Draw(t, "p")
		call := rapid.IntRange(0, len(p.Calls)-1).Draw(t, "call")
		q := p.cone(call)
		requireWellFormed(t, q)
		last := len(q.Calls) - 1
		require.Equal(t, term(p, call), term(q, last))
		needed := map[int]bool{last: true}
		for _, c := range q.Calls {
			for _, a := range c.Args {
				if ref, ok := a.IsRef(); ok {
					needed[ref] = true
				}
			}
		}
		require.Len(t, needed, len(q.Calls), "nothing that is not needed")
		require.Equal(t, string(q.Encode()), string(q.cone(last).Encode()))
	})
	require.Nil(t, everyVerb().cone(-1))
	require.Nil(t, everyVerb().cone(17))
}

// The rewritings once more, to look at.
func TestRewritingsToLookAt(t *testing.T) {
	p := &Program{}
	a := p.Add("create", Opaque)
	e := p.Add(VerbValue, Plain, Str("e"))
	b := p.Add("append", Opaque, Ref(a), Ref(e))
	p.Add(VerbSet, Nothing, Ref(e), Lit(ListOf(String("x"))), Lit(Num(1)))
	c := p.Add("create", Opaque)
	r := p.Add("read", Answer, Ref(b))
	p.Add(VerbLook, Plain, Ref(r))
	p.Add("read", Answer, Ref(c))
	for name, x := range map[string]struct {
		got  *Program
		want string
	}{
		"a dropped append leaves its log": {p.drop(b, 1), `const log1 = create()
const event1 = "e"
event1.x = 1
const log2 = create()
const events1 = read(log1)
events1
const events2 = read(log2)`},
		"a dropped value leaves its literal, and cannot be assigned to": {p.drop(e, 1), `const log1 = create()
const log2 = append(log1, "e")
const log3 = create()
const events1 = read(log2)
events1
const events2 = read(log3)`},
		"a dropped creation takes along what stood on it": {p.drop(a, 1), `const event1 = "e"
event1.x = 1
const log1 = create()
const events1 = read(log1)`},
		"a dropped question takes along the look at its answer": {p.drop(r, 1), `const log1 = create()
const event1 = "e"
const log2 = append(log1, event1)
event1.x = 1
const log3 = create()
const events1 = read(log3)`},
		"two logs merge": {p.Merge(c, a), `const log1 = create()
const event1 = "e"
const log2 = append(log1, event1)
event1.x = 1
const events1 = read(log2)
events1
const events2 = read(log1)`},
		"cut after the append": {p.truncate(b), `const log1 = create()
const event1 = "e"
const log2 = append(log1, event1)`},
		"what the look needs": {p.cone(6), `const log1 = create()
const event1 = "e"
const log2 = append(log1, event1)
const events1 = read(log2)
events1`},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, x.want, x.got.String()) })
	}
	require.Nil(t, p.drop(0, len(p.Calls)))
	require.Nil(t, p.Without(func(Call) bool { return true }))
}
