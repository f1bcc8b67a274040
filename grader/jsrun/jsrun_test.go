package jsrun

import (
	"context"
	"errors"
	"sync"
	"testing"

	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

var theEngine = sync.OnceValues(func() (*Engine, error) {
	return NewEngine(context.Background(), Limits{Memory: 16 << 20, Fuel: 100}, CacheDir())
})

func engine(t testing.TB) *Engine {
	t.Helper()
	e, err := theEngine()
	require.NoError(t, err)
	return e
}

// load opens a submission that should offer f and g.
func load(t testing.TB, source string) *Submission {
	t.Helper()
	s, err := engine(t).Load(context.Background(), source, []string{"f", "g"})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close(context.Background()) })
	return s
}

// open opens a realm on it.
func open(t testing.TB, s *Submission, entropy int) property.Realm {
	t.Helper()
	r, err := s.Open(context.Background(), entropy)
	require.NoError(t, err)
	t.Cleanup(func() { r.Close() })
	return r
}

// calls is the program of these calls of f.
func calls(args ...string) *property.Program {
	p := &property.Program{}
	for _, a := range args {
		p.Add("f", property.Answer, property.Lit(property.MustParse(a)))
	}
	return p
}

func answers(t testing.TB, r property.Realm, args ...string) (out []string) {
	t.Helper()
	tr, err := r.Run(context.Background(), calls(args...))
	require.NoError(t, err)
	for i, s := range tr.Steps {
		require.True(t, s.Answered(), "call %d: %+v", i, s)
		out = append(out, s.Value.JSON())
	}
	return out
}

func TestTheWaysToWriteASubmission(t *testing.T) {
	for name, source := range map[string]string{
		"named exports":              `export function f(x) { return [x]; } export const g = 1;`,
		"renamed export":             `function h(x) { return [x]; } export { h as f };`,
		"a default object":           `export default { f(x) { return [x]; } };`,
		"a default object with this": `export default { wrap(x) { return [x]; }, f(x) { return this.wrap(x); } };`,
		"a default class":            `class A { static f(x) { return [x]; } } export default A;`,
		"module.exports":             `module.exports = { f: (x) => [x] };`,
		"exports":                    `exports.f = (x) => [x];`,
		"a transpiled default":       `exports.__esModule = true; exports.default = { f: (x) => [x] };`,
		"a declaration":              `function f(x) { return [x]; }`,
		"a constant":                 `const f = (x) => [x];`,
		"a global":                   `globalThis.f = (x) => [x];`,
		"strict":                     `"use strict"; var f = function (x) { return [x]; };`,
		"a byte order mark and CRLF": "\ufeff\"use strict\";\r\nfunction f(x) {\r\n  return [x];\r\n}\r\n",
		"top-level await":            `const wrap = await Promise.resolve((x) => [x]); export { wrap as f };`,
	} {
		t.Run(name, func(t *testing.T) {
			s := load(t, source)
			require.Equal(t, "function", s.Found["f"])
			require.Equal(t, []string{"[1]", `["a"]`}, answers(t, open(t, s, 0), `1`, `"a"`))
		})
	}
}

func TestWhatWasFound(t *testing.T) {
	s := load(t, `export const f = 5; export function gg() {}`)
	require.Equal(t, map[string]string{"f": "number", "g": "missing"}, s.Found)
	require.Contains(t, s.Names, "gg")
	tr, err := open(t, s, 0).Run(context.Background(), calls("1"))
	require.NoError(t, err)
	require.Equal(t, "missing", tr.Steps[0].Wrong)
}

func TestWhatDoesNotLoad(t *testing.T) {
	for _, c := range []struct {
		source string
		want   property.LoadError
	}{
		{"function f( {\n  return 1;\n}", property.LoadError{Kind: property.LoadSyntax, Name: "SyntaxError", Line: 2, Column: 11}},
		{"export function f() {\n  return [;\n}", property.LoadError{Kind: property.LoadSyntax, Name: "SyntaxError", Line: 2, Column: 11}},
		{"const a = 1;\n  throw new TypeError('boom');", property.LoadError{Kind: property.LoadThrew, Name: "TypeError", Line: 2, Column: 13}},
		{"throw null", property.LoadError{Kind: property.LoadThrew}},
		{"throw { toString() { throw 1; } }", property.LoadError{Kind: property.LoadThrew}},
		{"import x from 'y';", property.LoadError{Kind: property.LoadImport}},
		{"export * from './other.js';", property.LoadError{Kind: property.LoadImport}},
		{"await import('y'); export {};", property.LoadError{Kind: property.LoadImport}},
		{"for (;;);", property.LoadError{Kind: property.LoadEnding}},
		{"await new Promise(() => {}); export {};", property.LoadError{Kind: property.LoadEnding}},
		{"export default await (async () => { for (;;) await 1; })();", property.LoadError{Kind: property.LoadEnding}},
		{"Object.defineProperty(globalThis, 'f', { get() { for (;;); } });", property.LoadError{Kind: property.LoadEnding}},
		{"const a = []; for (;;) a.push(new Array(1000).fill(1));", property.LoadError{Kind: property.LoadMemory}},
		{"(function f() { f(); })();", property.LoadError{Kind: property.LoadStack}},
	} {
		_, err := engine(t).Load(context.Background(), c.source, []string{"f"})
		var got *property.LoadError
		require.ErrorAs(t, err, &got, c.source)
		got.Text = ""
		if c.want.Name == "" {
			got.Name, got.Line, got.Column = "", 0, 0
		}
		require.Equal(t, c.want, *got, c.source)
	}
}

func TestStops(t *testing.T) {
	for _, c := range []struct {
		source string
		want   property.Stop
	}{
		{"function f(x) { while (x); return x; }", property.Stop{Kind: property.StopFuel, Call: 1}},
		{"function f(x) { for (;;) try { if (!x) return x; for (;;); } catch {} }", property.Stop{Kind: property.StopFuel, Call: 1}},
		{"function f(x) { return { toJSON() { while (x); return x; } }; }", property.Stop{Kind: property.StopFuel, Call: 1}},
		{"function f(x) { return x ? [f(x)] : x; }", property.Stop{Kind: property.StopStack, Call: 1}},
		{"function f(x) { const a = []; while (x) a.push(new Array(1000).fill(x)); return x; }", property.Stop{Kind: property.StopMemory, Call: 1}},
		{"function f(x) { let s = 'x'; while (x) s += s; return x; }", property.Stop{Kind: property.StopMemory, Call: 1}},
		{"function f(x) { let a = []; for (let i = 0; x && i < 500; i++) a = [a]; return a; }", property.Stop{Kind: property.StopOutput, Call: 1}},
	} {
		r := open(t, load(t, c.source), 0)
		for range 2 { // and counted fuel ends it at the same place again
			_, err := r.Run(context.Background(), calls("0", "1", "2"))
			var got *property.Stop
			require.ErrorAs(t, err, &got, c.source)
			require.Equal(t, c.want, *got, c.source)
			require.NoError(t, r.Reset(context.Background()))
			require.Len(t, answers(t, r, "0"), 1, "a reset realm is as new")
		}
	}
}

// One realm's memory is not another's: what a program leaves behind is there for the next one, and gone after a reset.
func TestWhatARealmRemembers(t *testing.T) {
	s := load(t, `let n = 0; export const f = () => n++;`)
	r := open(t, s, 0)
	require.Equal(t, []string{"0", "1"}, answers(t, r, "0", "0"))
	require.Equal(t, []string{"2"}, answers(t, r, "0"))
	other := open(t, s, 0)
	require.Equal(t, []string{"0"}, answers(t, other, "0"))
	require.Equal(t, []string{"3"}, answers(t, r, "0"))
	require.NoError(t, r.Reset(context.Background()))
	require.Equal(t, []string{"0"}, answers(t, r, "0"))
	require.NoError(t, r.Close())
	require.Equal(t, []string{"0"}, answers(t, open(t, s, 0), "0"), "a realm that was given back is as new too")
}

// Clock and chance are the same in every realm of one entropy, and others in another.
func TestEntropy(t *testing.T) {
	s := load(t, `export const f = () => [Date.now(), Math.random(), new Date().getFullYear()];`)
	first := answers(t, open(t, s, 0), "0", "0")
	require.NotEqual(t, first[0], first[1], "the clock goes on")
	require.Equal(t, first, answers(t, open(t, s, 0), "0", "0"))
	require.NotEqual(t, first, answers(t, open(t, s, 1), "0", "0"))
}

func TestNothingOfTheWorldIsThere(t *testing.T) {
	s := load(t, `export const f = (name) => typeof globalThis[name];`)
	r := open(t, s, 0)
	for _, name := range []string{
		"fetch", "require", "process", "Worker", "XMLHttpRequest", "WebSocket", "setTimeout", "setInterval", "std", "os", "postMessage", "WebAssembly",
		"Deno", "Bun", "__dirname", "importScripts", "navigator", "localStorage", "print", "scriptArgs", "harness", "host", "mark", "memory",
	} {
		require.Equal(t, []string{`"undefined"`}, answers(t, r, `"`+name+`"`), name)
	}
	require.Equal(t, []string{`"function"`, `"object"`}, answers(t, r, `"structuredClone"`, `"console"`))
}

func TestStructuredClone(t *testing.T) {
	s := load(t, `
		const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
		export const f = (value) => {
			const copy = structuredClone(value);
			const cycle = { value }; cycle.self = cycle;
			const c = structuredClone(cycle);
			const m = structuredClone(new Map([["k", new Set([value])]]));
			let refused = "";
			try { structuredClone(() => 1); } catch (e) { refused = e.name; }
			return [copy, c.self === c, [...m.get("k")], structuredClone(new Date(5)).getTime(), same(copy, value), copy !== value || typeof value !== "object", refused];
		};`)
	require.Equal(t, []string{`[{"a":[1,null,{"b":""}]},true,[{"a":[1,null,{"b":""}]}],5,true,true,"DataCloneError"]`}, answers(t, open(t, s, 0), `{"a":[1,null,{"b":""}]}`))
}

func TestConsole(t *testing.T) {
	s := load(t, `export const f = (n) => { for (let i = 0; i < n; i++) console.log("line", i, { i }, undefined, () => 1); console.error("x".repeat(1000)); console.time(); return n; };`)
	r := open(t, s, 0)
	tr, err := r.Run(context.Background(), calls("1", "200"))
	require.NoError(t, err)
	require.Equal(t, `line 0 {"i":0} undefined [function]`, tr.Console[0])
	require.Len(t, tr.Console, 100)
	require.Len(t, []rune(tr.Console[1]), 301)
	require.Equal(t, 103, tr.Dropped)
	tr, err = r.Run(context.Background(), calls("0"))
	require.NoError(t, err)
	require.Len(t, tr.Console, 1, "each program has a console of its own")
}

func TestTrace(t *testing.T) {
	s := load(t, `export const f = (x) => { for (;;) if (x < 2) return x; };`)
	s.Close(context.Background()) // the realm that is kept was opened before
	var heard []int
	s.Trace = func(call int) { heard = append(heard, call) }
	_, err := open(t, s, 0).Run(context.Background(), calls("0", "1", "2", "3"))
	var stop *property.Stop
	require.ErrorAs(t, err, &stop)
	require.Equal(t, []int{0, 1, 2}, heard)
}

func TestACancelledContext(t *testing.T) {
	s := load(t, `export const f = (x) => x;`)
	r := open(t, s, 0)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := r.Run(ctx, calls("1"))
	require.ErrorIs(t, err, context.Canceled)
	var stop *property.Stop
	require.False(t, errors.As(err, &stop), "the submission is not to blame")
}

func TestManyAtOnce(t *testing.T) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s, err := engine(t).Load(context.Background(), `let n = 0; export const f = (x) => [x, n++];`, []string{"f"})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close(context.Background())
			r, err := s.Open(context.Background(), i)
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Close()
			for k := range 20 {
				tr, err := r.Run(context.Background(), calls("7"))
				if err != nil || tr.Steps[0].Value.Items()[1].Number() != float64(k) {
					t.Error(tr, err)
				}
			}
		})
	}
	wg.Wait()
}

// A spoilt cache of compiled code is no reason not to work.
func TestASpoiltCache(t *testing.T) {
	dir := t.TempDir()
	e, err := NewEngine(context.Background(), Limits{}, dir)
	require.NoError(t, err)
	require.NoError(t, e.Close(context.Background()))
	require.NotZero(t, spoil(t, dir))
	e, err = NewEngine(context.Background(), Limits{}, dir)
	require.NoError(t, err)
	require.NoError(t, e.Close(context.Background()))
	e, err = NewEngine(context.Background(), Limits{}, "/dev/null/nowhere")
	require.NoError(t, err)
	require.NoError(t, e.Close(context.Background()))
}
