package jsrun

import (
	"context"
	"fmt"
	"strconv"

	"forgetmenot/grader/property"

	"github.com/tetratelabs/wazero/api"
)

// A realm is one instance of the engine with a submission in it.
type realm struct {
	limits Limits
	mod    api.Module
	fns    map[string]api.Function
	inner  map[string]api.Function // for calls made while another one is under way

	undefined     uint32
	api           uint32 // what the harness gave: bind, run, describe
	run           uint32 // the harness's run function
	snapshot      []byte // the memory, once the submission is loaded
	fuel          int    // interruptions left
	spent         bool   // the fuel ran out
	marks         int    // calls begun since run was entered, when traced
	clock         uint64 // nanoseconds
	random        uint64
	snapshotSize  uint32
	snapshotClock uint64
	imported      string // the module that the submission tried to import
	trace         func(call int)
}

const (
	epoch       = 1_767_225_600_000_000_000 // 2026-01-01, where a realm's clock starts
	clockStep   = 100_000                   // each look at the clock takes a tenth of a millisecond
	entropyStep = 86_461_234_567_891        // another entropy, another day
)

func (r *realm) now() uint64 {
	r.clock += clockStep
	return r.clock
}

func (r *realm) fillRandom(m api.Module, at, n uint32) {
	buf := make([]byte, n)
	for i := range buf {
		r.random = r.random*6364136223846793005 + 1442695040888963407
		buf[i] = byte(r.random >> 56)
	}
	m.Memory().Write(at, buf)
}

func (r *realm) interrupt() uint64 {
	r.fuel--
	if r.fuel < 0 {
		r.spent = true
		return 1
	}
	return 0
}

// importName notes what was imported and refuses it.
func (r *realm) importName(ctx context.Context, namePtr uint32) uint64 {
	if r.imported == "" {
		r.imported = r.cString(namePtr)
	}
	return 0
}

func (r *realm) hostCall(ctx context.Context, nameLen uint32) uint64 {
	if nameLen == uint32(len("mark")) {
		r.trace(r.marks)
		r.marks++
		return r.nested(ctx, "qjs_dup_value", uint64(r.undefined))
	}
	r.nested(ctx, "qjs_run_gc")
	size := r.nested(ctx, "qjs_get_allocated_size")
	return r.nested(ctx, "qjs_new_number", api.EncodeF64(float64(uint32(size))))
}

// nested calls back into the engine from a host function. A failure there is a trap of the engine, which unwinds the outer call too.
func (r *realm) nested(ctx context.Context, fn string, args ...uint64) uint64 {
	out, err := r.inner[fn].Call(ctx, args...)
	if err != nil {
		panic(err)
	}
	if len(out) == 0 {
		return 0
	}
	return out[0]
}

// call runs an exported function of the engine.
func (r *realm) call(ctx context.Context, fn string, args ...uint64) (uint32, error) {
	f := r.fns[fn]
	if f == nil {
		f = r.mod.ExportedFunction(fn)
		if f == nil {
			return 0, fmt.Errorf("jsrun: the engine has no function %s", fn)
		}
		r.fns[fn] = f
	}
	out, err := f.Call(context.WithValue(ctx, realmKey{}, r), args...)
	if err != nil {
		return 0, err
	}
	if len(out) == 0 {
		return 0, nil
	}
	return uint32(out[0]), nil
}

// must is call during setup, where a failure is the grader's own.
type setup struct {
	r   *realm
	ctx context.Context
	err error
}

func (s *setup) call(fn string, args ...uint64) uint32 {
	if s.err != nil {
		return 0
	}
	out, err := s.r.call(s.ctx, fn, args...)
	if err != nil {
		s.err = fmt.Errorf("jsrun: %s: %w", fn, err)
	}
	return out
}

func (s *setup) text(t string) (ptr, n uint64) {
	if s.err != nil {
		return 0, 0
	}
	p, err := s.r.write(s.ctx, t)
	if err != nil {
		s.err = err
	}
	return uint64(p), uint64(len(t))
}

// write puts a NUL-terminated text into the engine's memory; the caller frees it.
func (r *realm) write(ctx context.Context, text string) (uint32, error) {
	p, err := r.call(ctx, "wasm_malloc", uint64(len(text)+1))
	if err != nil {
		return 0, err
	}
	if p == 0 || !r.mod.Memory().WriteString(p, text) || !r.mod.Memory().WriteByte(p+uint32(len(text)), 0) {
		return 0, errNoRoom
	}
	return p, nil
}

var errNoRoom = fmt.Errorf("jsrun: no memory left in the realm")

func (r *realm) cString(p uint32) string {
	var b []byte
	for {
		c, ok := r.mod.Memory().ReadByte(p)
		if !ok || c == 0 || len(b) > 300 {
			return string(b)
		}
		b = append(b, c)
		p++
	}
}

// invoke calls a function of the realm with texts and values, and reads its answer as text. ok is false when it ended in
// an exception, whose value is then returned.
func (r *realm) invoke(ctx context.Context, fn uint32, args ...uint32) (text string, exception uint32, err error) {
	s := &setup{r: r, ctx: ctx}
	argv := s.call("wasm_malloc", uint64(4*len(args)+4))
	if s.err == nil && argv == 0 {
		return "", 0, errNoRoom
	}
	for i, a := range args {
		r.mod.Memory().WriteUint32Le(argv+uint32(4*i), a)
	}
	out := s.call("qjs_call", uint64(fn), uint64(r.undefined), uint64(len(args)), uint64(argv))
	s.call("wasm_free", uint64(argv))
	if s.err != nil {
		return "", 0, s.err
	}
	if s.call("qjs_is_exception", uint64(out)) != 0 {
		return "", s.call("qjs_get_exception"), s.err
	}
	text, err = r.readText(ctx, out)
	s.call("qjs_free_value", uint64(out))
	if err == nil {
		err = s.err
	}
	return text, 0, err
}

func (r *realm) readText(ctx context.Context, value uint32) (string, error) {
	s := &setup{r: r, ctx: ctx}
	lenPtr := s.call("wasm_malloc", 4)
	if s.err == nil && lenPtr == 0 {
		return "", errNoRoom
	}
	p := s.call("qjs_get_string_len", uint64(value), uint64(lenPtr))
	if s.err != nil {
		return "", s.err
	}
	if p == 0 {
		return "", errNoRoom
	}
	n, _ := r.mod.Memory().ReadUint32Le(lenPtr)
	if int(n) > r.limits.Output {
		return "", errTooLong
	}
	b, ok := r.mod.Memory().Read(p, n)
	if !ok {
		return "", fmt.Errorf("jsrun: an answer outside the realm's memory")
	}
	text := string(b)
	s.call("qjs_free_cstring", uint64(p))
	s.call("wasm_free", uint64(lenPtr))
	return text, s.err
}

var errTooLong = fmt.Errorf("jsrun: the transcript is too long")

// newText makes a JavaScript string.
func (r *realm) newText(ctx context.Context, text []byte) (uint32, error) {
	p, err := r.call(ctx, "wasm_malloc", uint64(len(text)+1))
	if err != nil {
		return 0, err
	}
	if p == 0 || !r.mod.Memory().Write(p, text) {
		return 0, errNoRoom
	}
	v, err := r.call(ctx, "qjs_new_string", uint64(p), uint64(len(text)))
	if err != nil {
		return 0, err
	}
	_, err = r.call(ctx, "wasm_free", uint64(p))
	return v, err
}

// Run implements property.Realm.
func (r *realm) Run(ctx context.Context, p *property.Program) (*property.Transcript, error) {
	r.fuel, r.spent, r.marks = r.limits.Fuel, false, 0
	text, err := r.runText(ctx, p.Encode())
	if err != nil {
		return nil, err
	}
	t, err := property.DecodeTranscript(p, []byte(text))
	if err != nil {
		return nil, err
	}
	if stop := t.Exhausted(); stop != nil {
		return nil, stop
	}
	return t, nil
}

func (r *realm) runText(ctx context.Context, program []byte) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	arg, err := r.newText(ctx, program)
	var text string
	var exception uint32
	if err == nil {
		text, exception, err = r.invoke(ctx, r.run, arg)
	}
	switch {
	case r.spent:
		return "", &property.Stop{Kind: property.StopFuel, Call: r.where(ctx)}
	case err == errTooLong:
		return "", &property.Stop{Kind: property.StopOutput, Call: r.where(ctx)}
	case err != nil || exception != 0:
		// The engine itself gave up: it met the end of its memory where no JavaScript could catch that, or trapped.
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", &property.Stop{Kind: property.StopMemory, Call: r.where(ctx)}
	}
	_, err = r.call(ctx, "qjs_free_value", uint64(arg))
	return text, err
}

// where asks the harness which call was under way when the realm was ended; -1 when it cannot tell any more.
func (r *realm) where(ctx context.Context) int {
	r.fuel, r.spent = r.limits.Fuel, false
	fn, err := r.harnessFunction(ctx, "where")
	if err != nil {
		return -1
	}
	text, exception, err := r.invoke(ctx, fn)
	if err != nil || exception != 0 {
		return -1
	}
	at, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return at
}

// gcThreshold is how large a heap grows before cycles are looked for. Programs are short and most solutions make no cycles, so it is set above
// what an ordinary program needs.
const gcThreshold = 4 << 20

// slack is the memory that a realm has to spare when it is kept, so that ordinary programs need not make it grow: grown memory cannot be given
// back, and a realm whose memory has grown is laid out differently from a new one, which its readings of memory would show.
const slack = 2 << 20

// keep remembers the memory as it is, for restore. The spare part at its end holds nothing, and is not remembered.
func (r *realm) keep(ctx context.Context) error {
	used := r.mod.Memory().Size()
	s := &setup{r: r, ctx: ctx}
	if p := s.call("wasm_malloc", slack); p != 0 {
		s.call("wasm_free", uint64(p))
	}
	if s.err != nil {
		return s.err
	}
	mem, _ := r.mod.Memory().Read(0, used)
	r.snapshot = append([]byte(nil), mem...)
	r.snapshotSize, r.snapshotClock = r.mod.Memory().Size(), r.clock
	return nil
}

// restore puts the memory back; false when it has grown, and a new instance is the way.
func (r *realm) restore() bool {
	if r.snapshot == nil || r.mod.Memory().Size() != r.snapshotSize {
		return false
	}
	r.clock = r.snapshotClock
	return r.mod.Memory().Write(0, r.snapshot)
}

func (r *realm) free(ctx context.Context) error {
	r.snapshot = nil
	return r.mod.Close(ctx)
}
