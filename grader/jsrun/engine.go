// Package jsrun runs a learner's JavaScript in a sandbox: QuickJS-NG compiled to WebAssembly, under wazero, inside this process.
//
// A realm is one WebAssembly instance. The submission sees a JavaScript engine and nothing else: no file, no network, no clock but a
// counted one, no way to the grader but the text of its answers. Loops end by counted fuel, memory and stack have limits, and what
// the submission may redefine inside the realm is not used to judge it (harness.js says how). What counted fuel cannot stop
// (a single built-in call that runs for minutes) is ended by whoever runs the process.
//
// The page runs the very same engine and harness.js through web/src/sandbox.ts; a change here is made there too, and a test
// compares the verdicts and counterexamples of both.
package jsrun

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed harness.js
var harness string

//go:embed engine
var engineFiles embed.FS

// ErrNoEngine says that the JavaScript engine was not there when the command was built.
var ErrNoEngine = errors.New("jsrun: built without its JavaScript engine: run `make build`, which copies quickjs.wasm from the npm package quickjs-wasi into grader/jsrun/engine")

// Limits bound what a submission may use. The zero value means the defaults, which are the page's too: with others, verdicts can differ.
type Limits struct {
	Memory int // bytes of the realm's heap; 64 MiB by default
	Fuel   int // interruptions a program may have, some ten thousand steps each
	Load   int // interruptions that loading the file may have
	Stack  int // bytes of stack
	Output int // bytes of a transcript
}

// The defaults, the same in web/src/sandbox.ts.
const (
	DefaultMemory = 64 << 20
	DefaultFuel   = 500 // the bank's right solutions use 32 at most
	DefaultStack  = 256 << 10
	DefaultOutput = 16 << 20
)

func (l Limits) withDefaults() Limits {
	def := func(v *int, d int) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Memory, DefaultMemory)
	def(&l.Fuel, DefaultFuel)
	def(&l.Load, l.Fuel)
	def(&l.Stack, DefaultStack)
	def(&l.Output, DefaultOutput)
	return l
}

// An Engine is the compiled sandbox. Many realms, on many goroutines, can be open on one.
type Engine struct {
	runtime wazero.Runtime
	code    wazero.CompiledModule
	limits  Limits

	mu     sync.Mutex
	images map[int]*image // by entropy
}

// NewEngine compiles the sandbox. cacheDir, if not empty, keeps the compiled code for the next process.
func NewEngine(ctx context.Context, limits Limits, cacheDir string) (*Engine, error) {
	wasm, err := fs.ReadFile(engineFiles, "engine/quickjs.wasm")
	if err != nil {
		return nil, ErrNoEngine
	}
	limits = limits.withDefaults()
	if cacheDir != "" {
		if cache, err := wazero.NewCompilationCacheWithDir(cacheDir); err == nil {
			if e, err := compile(ctx, wasm, limits, cache); err == nil {
				return e, nil
			}
			cache.Close(ctx) // what is in there may be spoilt: a cache only ever saves time
		}
	}
	return compile(ctx, wasm, limits, nil)
}

func compile(ctx context.Context, wasm []byte, limits Limits, cache wazero.CompilationCache) (*Engine, error) {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(uint32(limits.Memory>>16) + 128)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	e := &Engine{runtime: wazero.NewRuntimeWithConfig(ctx, config), limits: limits, images: map[int]*image{}}
	if err := e.link(ctx); err != nil {
		e.runtime.Close(ctx)
		return nil, fmt.Errorf("jsrun: linking the engine: %w", err)
	}
	code, err := e.runtime.CompileModule(ctx, wasm)
	if err != nil {
		e.runtime.Close(ctx)
		return nil, fmt.Errorf("jsrun: compiling the engine: %w", err)
	}
	e.code = code
	return e, nil
}

// CacheDir is where compiled code may be kept between runs; empty when the system names no such place.
func CacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "forgetmenot", "engine")
}

// Close frees the engine and every realm on it.
func (e *Engine) Close(ctx context.Context) error { return e.runtime.Close(ctx) }

// The realm that a host function serves travels in the context of the call into WebAssembly.
type realmKey struct{}

func realmOf(ctx context.Context) *realm { return ctx.Value(realmKey{}).(*realm) }

// link gives the engine its imports. Whatever QuickJS could reach of the world is here, and nothing else is.
func (e *Engine) link(ctx context.Context) error {
	i32 := api.ValueTypeI32
	type imports = map[string]struct {
		in, out []api.ValueType
		fn      api.GoModuleFunc
	}
	params := func(n int) []api.ValueType {
		p := make([]api.ValueType, n)
		for i := range p {
			p[i] = i32
		}
		return p
	}
	one := []api.ValueType{i32}
	const badFile = 8 // WASI's EBADF
	modules := map[string]imports{
		"env": {
			"host_get_timezone_offset": {params(2), one, func(_ context.Context, _ api.Module, s []uint64) { s[0] = 0 }},
			"host_interrupt": {nil, one, func(ctx context.Context, _ api.Module, s []uint64) {
				s[0] = realmOf(ctx).interrupt()
			}},
			"host_promise_rejection": {params(3), nil, func(context.Context, api.Module, []uint64) {}},
			"host_module_normalize": {params(2), one, func(ctx context.Context, m api.Module, s []uint64) {
				s[0] = realmOf(ctx).importName(ctx, uint32(s[1]))
			}},
			"host_module_load": {params(2), one, func(_ context.Context, _ api.Module, s []uint64) { s[0] = 0 }},
			"host_call": {params(5), one, func(ctx context.Context, _ api.Module, s []uint64) {
				s[0] = realmOf(ctx).hostCall(ctx, uint32(s[1]))
			}},
		},
		"wasi_snapshot_preview1": {
			"clock_time_get": {[]api.ValueType{i32, api.ValueTypeI64, i32}, one, func(ctx context.Context, m api.Module, s []uint64) {
				m.Memory().WriteUint64Le(uint32(s[2]), realmOf(ctx).now())
				s[0] = 0
			}},
			"random_get": {params(2), one, func(ctx context.Context, m api.Module, s []uint64) {
				realmOf(ctx).fillRandom(m, uint32(s[0]), uint32(s[1]))
				s[0] = 0
			}},
			"fd_close":      {params(1), one, func(_ context.Context, _ api.Module, s []uint64) { s[0] = badFile }},
			"fd_fdstat_get": {params(2), one, func(_ context.Context, _ api.Module, s []uint64) { s[0] = badFile }},
			"fd_seek":       {[]api.ValueType{i32, api.ValueTypeI64, i32, i32}, one, func(_ context.Context, _ api.Module, s []uint64) { s[0] = badFile }},
			"fd_write":      {params(4), one, func(_ context.Context, _ api.Module, s []uint64) { s[0] = badFile }},
		},
	}
	for name, funcs := range modules {
		b := e.runtime.NewHostModuleBuilder(name)
		for fn, d := range funcs {
			b.NewFunctionBuilder().WithGoModuleFunction(d.fn, d.in, d.out).Export(fn)
		}
		if _, err := b.Instantiate(ctx); err != nil {
			return err
		}
	}
	return nil
}
