package jsrun

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"forgetmenot/grader/property"
)

// A Submission is a learner's file, loaded: a property.Runner.
type Submission struct {
	engine *Engine
	source string
	names  []string
	module bool
	warm   *realm // loaded once, kept as it was for the first Open of entropy 0

	// Found tells for each wanted function "function", "missing", or the type that stands under its name.
	Found map[string]string
	// Names are the other names that the file offers, to guess at misspellings.
	Names []string
	// Trace, if not nil, is told the number of each call as it begins.
	Trace func(call int)
}

const (
	evalScript  = 0
	evalModule  = 1
	evalBarrier = 1 << 6 // what stands above is not in the submission's stack traces
)

// Load opens a submission for the functions with these names. A *property.LoadError is the submission's fault, any other the grader's.
func (e *Engine) Load(ctx context.Context, source string, names []string) (*Submission, error) {
	source = strings.TrimPrefix(source, "\ufeff")
	s := &Submission{engine: e, source: source, names: names}
	r, err := s.load(ctx, 0)
	if err != nil {
		return nil, err
	}
	s.warm = r
	return s, nil
}

// Close frees what is kept.
func (s *Submission) Close(ctx context.Context) {
	if s.warm != nil {
		s.warm.free(ctx)
		s.warm = nil
	}
}

// load makes a realm with the submission in it.
func (s *Submission) load(ctx context.Context, entropy int) (*realm, error) {
	r, err := s.loadAs(ctx, entropy, s.module)
	var asScript, asModule *property.LoadError
	if s.module || !errors.As(err, &asScript) || asScript.Kind != property.LoadSyntax {
		return r, err
	}
	// Not a script: perhaps a module. That is tried in a realm of its own, so that all realms of a module are made in one way, the first too:
	// what they hold, and so how much memory, must not depend on the order of things.
	r, err = s.loadAs(ctx, entropy, true)
	if errors.As(err, &asModule) && asModule.Kind == property.LoadSyntax && !moduleSyntax.MatchString(s.source) {
		return nil, asScript
	}
	s.module = err == nil
	return r, err
}

func (s *Submission) loadAs(ctx context.Context, entropy int, module bool) (*realm, error) {
	r, err := s.engine.open(ctx, entropy, s.Trace)
	if err != nil {
		return nil, err
	}
	if err := s.loadInto(ctx, r, module); err != nil {
		r.free(ctx)
		return nil, err
	}
	return r, nil
}

func (s *Submission) loadInto(ctx context.Context, r *realm, module bool) error {
	flags := evalScript | evalBarrier
	if module {
		flags = evalModule | evalBarrier
	}
	namespace, fault, err := r.eval(ctx, s.source, flags)
	if err != nil {
		return err
	}
	if fault != nil {
		return fault
	}
	if !module {
		namespace = r.undefined
	}
	globals := r.undefined
	if !module {
		g, fault, err := r.eval(ctx, s.collector(), evalScript)
		if err != nil {
			return err
		}
		switch {
		case fault == nil:
			globals = g
		case fault.Kind == property.LoadEnding: // a global getter that does not come back
			return fault
		}
	}
	if err := s.bind(ctx, r, namespace, globals); err != nil {
		return s.blame(ctx, r, err)
	}
	return r.keep(ctx)
}

// blame says whose it is that a loaded submission could not be bound. The engine worked until the submission was in it: what the engine then has
// no room or no stack for is the submission's doing.
func (s *Submission) blame(ctx context.Context, r *realm, err error) error {
	var load *property.LoadError
	switch {
	case errors.As(err, &load):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return r.trapped(ctx)
}

var moduleSyntax = regexp.MustCompile(`(?m)^\s*(export|import)\b`)

// collector is a script that picks up plain declarations, which only a script in the same realm can see.
func (s *Submission) collector() string {
	var b strings.Builder
	b.WriteString("({__proto__:null")
	for _, n := range s.names {
		fmt.Fprintf(&b, ",%s:typeof %s==='undefined'?undefined:%s", n, n, n)
	}
	b.WriteString("})")
	return b.String()
}

func (s *Submission) bind(ctx context.Context, r *realm, namespace, globals uint32) error {
	list := make([]property.Value, len(s.names))
	for i, n := range s.names {
		list[i] = property.String(n)
	}
	arg, err := r.newText(ctx, []byte(property.ListOf(list...).JSON()))
	if err != nil {
		return err
	}
	fn, err := r.harnessFunction(ctx, "bind")
	if err != nil {
		return err
	}
	r.fuel, r.spent = r.limits.Load, false
	text, exception, err := r.invoke(ctx, fn, arg, namespace, globals)
	if r.spent {
		return &property.LoadError{Kind: property.LoadEnding}
	}
	if err != nil {
		return err
	}
	if exception != 0 {
		return r.loadError(ctx, exception)
	}
	v, err := property.ParseValue(text)
	if err != nil {
		return fmt.Errorf("jsrun: bind: %w", err)
	}
	s.Found, s.Names = map[string]string{}, nil
	found := v.Field("functions")
	for _, n := range s.names {
		s.Found[n] = found.Field(n).Text()
	}
	for _, n := range v.Field("names").Items() {
		s.Names = append(s.Names, n.Text())
	}
	return nil
}

func (r *realm) harnessFunction(ctx context.Context, name string) (uint32, error) {
	p, err := r.write(ctx, name)
	if err != nil {
		return 0, err
	}
	return r.call(ctx, "qjs_get_prop_string", uint64(r.api), uint64(p))
}

// eval runs code to its end and answers its value: for a module, its namespace. A fault is the submission's.
func (r *realm) eval(ctx context.Context, code string, flags int) (value uint32, fault *property.LoadError, err error) {
	r.fuel, r.spent, r.imported = r.limits.Load, false, ""
	s := &setup{r: r, ctx: ctx}
	p, n := s.text(code)
	file, _ := s.text("solution.js")
	if s.err == errNoRoom {
		return 0, &property.LoadError{Kind: property.LoadMemory}, nil
	}
	value = s.call("qjs_eval", p, n, file, uint64(flags))
	if s.err != nil {
		return 0, r.trapped(ctx), ctx.Err()
	}
	if s.call("qjs_is_exception", uint64(value)) != 0 {
		return 0, r.loadError(ctx, s.call("qjs_get_exception")), s.err
	}
	for s.err == nil && !r.spent && s.call("qjs_is_job_pending") != 0 {
		s.call("qjs_execute_pending_job")
	}
	if r.spent {
		return 0, &property.LoadError{Kind: property.LoadEnding}, nil
	}
	if s.err != nil {
		return 0, r.trapped(ctx), ctx.Err()
	}
	if flags&evalModule == 0 {
		return value, nil, nil
	}
	const pending, rejected = 0, 2
	result := s.call("qjs_promise_result", uint64(value))
	switch s.call("qjs_promise_state", uint64(value)) {
	case pending:
		return 0, &property.LoadError{Kind: property.LoadEnding}, s.err
	case rejected:
		return 0, r.loadError(ctx, result), s.err
	}
	return result, nil, s.err
}

// trapped is what an engine that fell over while loading says: unless the fuel was the reason, memory was.
func (r *realm) trapped(ctx context.Context) *property.LoadError {
	if r.spent {
		return &property.LoadError{Kind: property.LoadEnding}
	}
	return &property.LoadError{Kind: property.LoadMemory}
}

func (r *realm) loadError(ctx context.Context, exception uint32) *property.LoadError {
	if r.spent {
		return &property.LoadError{Kind: property.LoadEnding}
	}
	if r.imported != "" {
		return &property.LoadError{Kind: property.LoadImport, Text: r.imported}
	}
	fn, err := r.harnessFunction(ctx, "describe")
	if err != nil {
		return &property.LoadError{Kind: property.LoadMemory}
	}
	text, failed, err := r.invoke(ctx, fn, exception)
	if err != nil || failed != 0 {
		return &property.LoadError{Kind: property.LoadMemory}
	}
	v, _ := property.ParseValue(text)
	line, _ := v.Field("line").Int()
	column, _ := v.Field("column").Int()
	e := &property.LoadError{Kind: property.LoadThrew, Name: v.Field("name").Text(), Text: v.Field("message").Text(), Line: int(line), Column: int(column)}
	switch property.ExhaustedBy(e.Text) {
	case property.StopMemory:
		e.Kind = property.LoadMemory
	case property.StopStack:
		e.Kind = property.LoadStack
	default:
		if e.Name == "SyntaxError" {
			e.Kind = property.LoadSyntax
		}
	}
	return e
}

// Open implements property.Runner.
func (s *Submission) Open(ctx context.Context, entropy int) (property.Realm, error) {
	if r := s.warm; r != nil && entropy == 0 {
		s.warm = nil
		if r.restore() {
			return &openRealm{realm: r, submission: s}, nil
		}
		r.free(ctx)
	}
	r, err := s.load(ctx, entropy)
	if err != nil {
		return nil, s.again(err)
	}
	return &openRealm{realm: r, submission: s, entropy: entropy}, nil
}

// again words a file that loaded once and does not load now.
func (s *Submission) again(err error) error {
	return fmt.Errorf("jsrun: the submission loaded once and then not again: %w", err)
}

// An openRealm is a realm in use.
type openRealm struct {
	*realm
	submission *Submission
	entropy    int
	broken     bool
}

func (o *openRealm) Run(ctx context.Context, p *property.Program) (*property.Transcript, error) {
	t, err := o.realm.Run(ctx, p)
	o.broken = o.broken || err != nil
	return t, err
}

func (o *openRealm) Reset(ctx context.Context) error {
	if !o.broken && o.restore() {
		return nil
	}
	r, err := o.submission.load(ctx, o.entropy)
	if err != nil {
		return o.submission.again(err)
	}
	o.realm.free(ctx)
	o.realm, o.broken = r, false
	return nil
}

// Close gives a sound realm back to be used again, and frees a broken one.
func (o *openRealm) Close() error {
	if o.realm == nil {
		return nil
	}
	if !o.broken && o.entropy == 0 && o.submission.warm == nil {
		o.submission.warm, o.realm = o.realm, nil
		return nil
	}
	err := o.realm.free(context.Background())
	o.realm = nil
	return err
}

var (
	_ property.Runner = (*Submission)(nil)
	_ property.Realm  = (*openRealm)(nil)
)
