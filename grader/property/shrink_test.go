package property

import (
	"errors"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// count is how many calls of a function a program makes.
func count(p *Program, fn string) int {
	n := 0
	for _, c := range p.Calls {
		if c.Fn == fn {
			n++
		}
	}
	return n
}

// failsWhen makes a made-up subject: the law is refuted at the last call, when the program is so.
func failsWhen(is func(*Program) bool) func(*Program) (*Refutation, error) {
	return func(p *Program) (*Refutation, error) {
		if !is(p) {
			return nil, nil
		}
		return &Refutation{At: len(p.Calls) - 1, Against: -1}, nil
	}
}

// halves proposes every numeric literal halved, and less one.
func halves(p *Program) []*Program {
	var out []*Program
	for i, c := range p.Calls {
		for k, a := range c.Args {
			n, ok := a.Value().Int()
			if _, isRef := a.IsRef(); isRef || !ok || n <= 0 {
				continue
			}
			for _, m := range []int64{n / 2, n - 1} {
				q := &Program{Calls: slices.Clone(p.Calls)}
				q.Calls[i].Args = slices.Clone(c.Args)
				q.Calls[i].Args[k] = Lit(Num(float64(m)))
				out = append(out, q)
			}
		}
	}
	return out
}

// busy is a program of two logs, n appends with growing numbers to each, and questions in between.
func busy(n int) *Program {
	p := &Program{}
	logs := []int{p.Add("create", Opaque), p.Add("create", Opaque)}
	for i := range n {
		for k := range logs {
			logs[k] = p.Add("append", Opaque, Ref(logs[k]), Lit(Num(float64(10*i+k))))
			p.Add("read", Answer, Ref(logs[k]))
		}
	}
	return p
}

func TestShrinkFindsTheMinimalProgram(t *testing.T) {
	for _, c := range []struct {
		name string
		is   func(*Program) bool
		want string
	}{
		{"one call of a kind", func(p *Program) bool { return count(p, "read") > 0 }, `const log1 = create()
const events1 = read(log1)`},
		{"three appends", func(p *Program) bool { return count(p, "append") >= 3 }, `const log1 = create()
const log2 = append(log1, 0)
const log3 = append(log1, 0)
const log4 = append(log1, 0)`},
		{"a number above 41", func(p *Program) bool {
			return slices.ContainsFunc(p.Calls, func(c Call) bool { return len(c.Args) == 2 && c.Args[1].Value().Number() > 41 })
		}, `const log1 = create()
const log2 = append(log1, 42)`},
		{"a read of a log that had an append", func(p *Program) bool {
			return slices.ContainsFunc(p.Calls, func(c Call) bool {
				if c.Fn != "read" {
					return false
				}
				ref, _ := c.Args[0].IsRef()
				return p.Calls[ref].Fn == "append"
			})
		}, `const log1 = create()
const log2 = append(log1, 0)
const events1 = read(log2)`},
		{"two logs, the second read", func(p *Program) bool {
			return count(p, "create") == 2 && count(p, "read") > 0 && func() bool {
				ref, ok := p.Calls[len(p.Calls)-1].Args[0].IsRef()
				return ok && ref == 1
			}()
		}, `const log1 = create()
const log2 = create()
const events1 = read(log2)`},
		{"a chain of two", func(p *Program) bool {
			return slices.ContainsFunc(p.Calls, func(c Call) bool {
				if c.Fn != "append" {
					return false
				}
				ref, _ := c.Args[0].IsRef()
				return p.Calls[ref].Fn == "append"
			})
		}, `const log1 = create()
const log2 = append(log1, 0)
const log3 = append(log2, 0)`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := busy(8)
			if c.name == "two logs, the second read" {
				p.Add("read", Answer, Ref(1))
			}
			before := string(p.Encode())
			prop := &Property{Smaller: func(p *Program) []*Program { return slices.Concat(oneLog(p), halves(p), earlierLogs(p)) }}
			fails := failsWhen(c.is)
			first, err := fails(p)
			require.NoError(t, err)
			require.NotNil(t, first, "the program must fail")
			q, why, err := shrink(prop, p, first, 1500, fails)
			require.NoError(t, err)
			require.Equal(t, c.want, q.String())
			require.Equal(t, len(q.Calls)-1, why.At, "the refutation is that of the program kept")
			require.Equal(t, before, string(p.appendJSON(nil)))
		})
	}
}

// earlierLogs proposes, for every append, the log that its own log was made from.
func earlierLogs(p *Program) []*Program {
	var out []*Program
	for i, c := range p.Calls {
		if c.Fn != "append" {
			continue
		}
		if from, _ := c.Args[0].IsRef(); p.Calls[from].Fn == "append" {
			q := &Program{Calls: slices.Clone(p.Calls)}
			q.Calls[i].Args = slices.Clone(c.Args)
			q.Calls[i].Args[0] = p.Calls[from].Args[0]
			out = append(out, q)
		}
	}
	return out
}

// oneLog proposes a program's first log in place of each other that was created.
func oneLog(p *Program) []*Program {
	var out []*Program
	for i, c := range p.Calls {
		if i > 0 && c.Fn == "create" {
			out = append(out, p.Merge(i, 0))
		}
	}
	return out
}

func TestShrinkCutsAfterTheFaultFirst(t *testing.T) {
	p := busy(8)
	var tried []string
	q, why, err := shrink(&Property{}, p, &Refutation{At: 3}, 1, func(c *Program) (*Refutation, error) {
		tried = append(tried, c.key())
		return &Refutation{At: 3, Against: 1}, nil
	})
	require.NoError(t, err)
	require.Equal(t, []string{p.truncate(3).key()}, tried)
	require.Equal(t, 1, why.Against)
	require.Len(t, q.Calls, 4)
}

func TestShrinkCutsAfterEachFaultThatItFinds(t *testing.T) {
	var tried []*Program
	_, _, err := shrink(&Property{}, busy(8), &Refutation{At: -1}, 2, func(c *Program) (*Refutation, error) {
		tried = append(tried, c)
		return &Refutation{At: 2, Against: -1}, nil
	})
	require.NoError(t, err)
	require.Len(t, tried, 2)
	require.Greater(t, len(tried[0].Calls), 3)
	require.Equal(t, tried[0].truncate(2).key(), tried[1].key())
}

func TestTheBudgetIsCountedInRuns(t *testing.T) {
	run := func(p *Program, budget int) (runs, cost int) {
		_, _, err := shrink(&Property{Smaller: halves}, p, &Refutation{At: len(p.Calls) - 1}, budget, func(c *Program) (*Refutation, error) {
			runs++
			cost += 1 + len(c.Calls)/callsARun
			return nil, nil
		})
		require.NoError(t, err)
		return runs, cost
	}
	for _, budget := range []int{0, 1, 2, 5} {
		runs, _ := run(busy(2), budget) // under twenty calls: each costs one
		require.Equal(t, budget, runs)
	}
	// Of 82 calls, three tries leave 41, 41 and 21, which cost three, three and two; nothing is begun once the budget is spent.
	runs, cost := run(busy(20), 7)
	require.Equal(t, 3, runs)
	require.Equal(t, 8, cost)
	// And it ends by itself when there is nothing more to try.
	runs, _ = run(busy(1), 1_000_000)
	require.Less(t, runs, 100)
}

func TestShrinkNeverTriesWhatIsInvalidOrWasTried(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs().Draw(t, "p")
		need := rapid.SampledFrom([]string{"create", "append", "read", "memory", VerbValue, VerbLook, VerbSet}).Draw(t, "need")
		n := count(p, need)
		if n == 0 {
			t.Skip("does not fail")
		}
		n = rapid.IntRange(1, n).Draw(t, "n")
		// Of the exercise's rules this one: as many calls as it likes, but never two memory verbs.
		valid := func(p *Program) bool { return count(p, VerbMemory) < 2 }
		tried := map[string]bool{}
		fails := failsWhen(func(c *Program) bool {
			require.True(t, valid(c), c)
			require.False(t, tried[c.key()], "tried twice: %s", c)
			require.NotEqual(t, p.key(), c.key())
			tried[c.key()] = true
			requireWellFormed(t, c)
			return count(c, need) >= n
		})
		_, _, err := shrink(&Property{Valid: valid, Smaller: halves}, p, &Refutation{At: len(p.Calls) - 1}, 1500, fails)
		require.NoError(t, err)
	})
}

func TestWhatIsLeftCannotLoseACall(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs().Draw(t, "p")
		a, b := rapid.IntRange(0, count(p, "append")).Draw(t, "appends"), rapid.IntRange(0, count(p, "read")).Draw(t, "reads")
		is := func(p *Program) bool { return count(p, "append") >= a && count(p, "read") >= b }
		search := func() *Program {
			q, _, err := shrink(&Property{}, p, &Refutation{At: len(p.Calls) - 1}, 10_000, failsWhen(is))
			require.NoError(t, err)
			return q
		}
		q := search()
		require.True(t, is(q))
		for i := range q.Calls {
			if smaller := q.drop(i, 1); smaller != nil {
				require.False(t, is(smaller), "%s\nneeds no call %d", q, i)
			}
		}
		require.Equal(t, q.key(), search().key(), "the same again")
	})
}

func TestAnErrorEndsShrinking(t *testing.T) {
	broken := errors.New("broken")
	for after := range 3 {
		t.Run(strconv.Itoa(after), func(t *testing.T) {
			runs := 0
			_, _, err := shrink(&Property{Smaller: halves}, busy(4), &Refutation{At: 2}, 100, func(p *Program) (*Refutation, error) {
				if runs++; runs > after {
					return nil, broken
				}
				return &Refutation{At: len(p.Calls) - 1}, nil
			})
			require.ErrorIs(t, err, broken)
			require.Equal(t, after+1, runs)
		})
	}
}
