package jsrun

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// open makes a realm with the harness in it, and nothing else yet.
func (e *Engine) open(ctx context.Context, entropy int, trace func(call int)) (*realm, error) {
	if trace != nil { // whose harness has one thing more
		return e.build(ctx, entropy, trace)
	}
	e.mu.Lock()
	made := e.images[entropy]
	e.mu.Unlock()
	if made != nil {
		return e.copyOf(ctx, made)
	}
	r, err := e.build(ctx, entropy, nil)
	if err != nil {
		return nil, err
	}
	memory, _ := r.mod.Memory().Read(0, r.mod.Memory().Size())
	made = &image{memory: append([]byte(nil), memory...), undefined: r.undefined, api: r.api, run: r.run, clock: r.clock, random: r.random}
	e.mu.Lock()
	if len(e.images) < maxImages {
		e.images[entropy] = made
	}
	e.mu.Unlock()
	return r, nil
}

// An image is a realm as build made it. What the engine and the harness have become by then is all in the memory, so a copy of it in a new instance is the same
// realm, for a tenth of the time.
type image struct {
	memory              []byte
	undefined, api, run uint32
	clock, random       uint64
}

// maxImages bounds the entropies that images are kept of. The check loop uses two.
const maxImages = 4

func (e *Engine) copyOf(ctx context.Context, from *image) (*realm, error) {
	r := &realm{
		limits: e.limits, fns: map[string]api.Function{}, inner: map[string]api.Function{}, fuel: e.limits.Load,
		undefined: from.undefined, api: from.api, run: from.run, clock: from.clock, random: from.random,
	}
	if err := e.instantiate(ctx, r); err != nil {
		return nil, err
	}
	memory := r.mod.Memory()
	const page = 64 << 10
	if missing := len(from.memory) - int(memory.Size()); missing > 0 {
		memory.Grow(uint32(missing / page))
	}
	if int(memory.Size()) != len(from.memory) || !memory.Write(0, from.memory) {
		r.mod.Close(ctx)
		return nil, errors.New("jsrun: the engine's memory does not take its image")
	}
	return r, nil
}

// instantiate makes the instance of a realm; start names the functions to call first.
func (e *Engine) instantiate(ctx context.Context, r *realm, start ...string) error {
	ctx = context.WithValue(ctx, realmKey{}, r)
	mod, err := e.runtime.InstantiateModule(ctx, e.code, wazero.NewModuleConfig().WithName("").WithStartFunctions(start...))
	if err != nil {
		return fmt.Errorf("jsrun: starting the engine: %w", err)
	}
	r.mod = mod
	for _, fn := range []string{"qjs_dup_value", "qjs_run_gc", "qjs_get_allocated_size", "qjs_new_number"} {
		r.inner[fn] = mod.ExportedFunction(fn)
	}
	return nil
}

// build makes a realm from the beginning.
func (e *Engine) build(ctx context.Context, entropy int, trace func(call int)) (*realm, error) {
	r := &realm{
		trace:  trace,
		limits: e.limits, fns: map[string]api.Function{}, inner: map[string]api.Function{},
		fuel: e.limits.Load, clock: epoch + uint64(entropy)*entropyStep, random: uint64(entropy)*2654435761 + 1,
	}
	if err := e.instantiate(ctx, r, "_initialize"); err != nil {
		return nil, err
	}
	s := &setup{r: r, ctx: ctx}
	s.call("qjs_init")
	s.call("qjs_set_memory_limit", uint64(r.limits.Memory))
	s.call("qjs_set_max_stack_size", uint64(r.limits.Stack))
	s.call("qjs_set_gc_threshold", gcThreshold)
	s.call("qjs_set_interrupt_handler", 1)
	s.call("qjs_set_module_loader", 1)
	r.undefined = s.call("qjs_get_undefined")
	code, n := s.text(harness)
	file, _ := s.text("host.js") // what a submission's stack traces say of us
	start := s.call("qjs_eval", code, n, file, evalScript)
	host := s.call("qjs_new_object")
	imports := []string{"memory"}
	if trace != nil {
		imports = append(imports, "mark")
	}
	for _, name := range imports {
		p, n := s.text(name)
		s.call("qjs_set_prop_string", uint64(host), p, uint64(s.call("qjs_new_host_function", p, n, 0)))
	}
	argv := s.call("wasm_malloc", 4)
	if s.err == nil {
		r.mod.Memory().WriteUint32Le(argv, host)
	}
	r.api = s.call("qjs_call", uint64(start), uint64(r.undefined), 1, uint64(argv))
	run, _ := s.text("run")
	r.run = s.call("qjs_get_prop_string", uint64(r.api), run)
	if s.err == nil && s.call("qjs_is_exception", uint64(r.run)) != 0 {
		s.err = fmt.Errorf("jsrun: the harness does not start")
	}
	if s.err != nil {
		r.mod.Close(ctx)
		return nil, s.err
	}
	return r, nil
}
