package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"time"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/jsrun"
	"forgetmenot/grader/property"
)

// workerCommand is how the program is called when it is its own child: grader -worker CACHE.
const workerCommand = "-worker"

// work serves requests until its standard input ends. That is also how it learns that its parent is gone, so it then ends at once, whatever runs.
func work(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) int {
	w := &worker{ctx: ctx, out: json.NewEncoder(stdout), engines: map[int]*jsrun.Engine{}, checkers: map[[2]uint64]*property.Checker{}}
	if len(args) > 0 {
		w.cache = args[0]
	}
	if _, err := w.engine(jsrun.DefaultMemory); err != nil {
		w.tell(event{Kind: evBroken, Message: err.Error()})
		return exitBroken
	}
	w.tell(event{Kind: evReady})
	requests := make(chan request)
	go func() {
		dec := json.NewDecoder(bufio.NewReader(stdin))
		for {
			var r request
			if dec.Decode(&r) != nil {
				os.Exit(exitGraded)
			}
			requests <- r
		}
	}()
	for r := range requests {
		w.grade(r)
	}
	return exitGraded
}

type worker struct {
	ctx      context.Context
	cache    string
	out      *json.Encoder
	last     time.Time // when something was told
	engines  map[int]*jsrun.Engine
	checkers map[[2]uint64]*property.Checker
}

func (w *worker) tell(e event) {
	w.last = time.Now()
	if w.out.Encode(e) != nil {
		os.Exit(exitBroken) // nobody listens any more
	}
}

// aliveEvery is how often a sign of life is due while programs come to their ends. A slow submission is not a hanging one.
const aliveEvery = 50 * time.Millisecond

func (w *worker) alive() {
	if time.Since(w.last) > aliveEvery {
		w.tell(event{Kind: evAlive})
	}
}

func (w *worker) engine(memory int) (*jsrun.Engine, error) {
	if e := w.engines[memory]; e != nil {
		return e, nil
	}
	e, err := jsrun.NewEngine(w.ctx, jsrun.Limits{Memory: memory}, w.cache)
	if err == nil {
		w.engines[memory] = e
	}
	return e, err
}

// checker is kept between submissions: it draws every program once.
func (w *worker) checker(seed uint64, cases int) *property.Checker {
	key := [2]uint64{seed, uint64(cases)}
	if w.checkers[key] == nil {
		w.checkers[key] = property.NewChecker(property.Options{Seed: seed, Cases: cases})
	}
	return w.checkers[key]
}

func (w *worker) grade(r request) {
	ex, ok := exercises.Find(r.Exercise)
	if !ok {
		w.tell(event{Kind: evDone, Fault: grader.GraderFault, Message: "no such exercise: " + r.Exercise})
		return
	}
	engine, err := w.engine(r.Memory)
	if err != nil {
		w.tell(event{Kind: evDone, Fault: grader.GraderFault, Message: err.Error()})
		return
	}
	report := grader.Grade(w.ctx, grader.Job{
		Exercise: ex, Submission: r.Name, Source: r.Source, Only: r.Only,
		Sandbox: &watchedSandbox{engine, w, r.Trace},
		Checker: w.checker(r.Seed, r.Cases),
		Began:   func(p *property.Property) { w.tell(event{Kind: evBegan, Property: p.ID}) },
		Ended:   func(result grader.Result) { w.tell(event{Kind: evResult, Result: &result}) },
		Now:     time.Now,
	})
	w.tell(event{Kind: evDone, Fault: report.Fault, Message: report.Message})
}

// A watchedSandbox is the engine, telling the parent that programs come to an end and, when traced, what they do.
type watchedSandbox struct {
	engine *jsrun.Engine
	w      *worker
	trace  bool
}

func (s *watchedSandbox) Load(ctx context.Context, source string, functions []string) (grader.Loaded, error) {
	loaded, err := s.engine.Load(ctx, source, functions)
	if err != nil {
		return nil, err
	}
	s.w.alive()
	if s.trace {
		loaded.Close(ctx) // the realm that it keeps was opened before it could be traced
		loaded.Trace = func(call int) { s.w.tell(event{Kind: evCall, Call: call}) }
	}
	return &watched{loaded, s}, nil
}

type watched struct {
	grader.Loaded
	sandbox *watchedSandbox
}

func (l *watched) Open(ctx context.Context, entropy int) (property.Realm, error) {
	realm, err := l.Loaded.Open(ctx, entropy)
	if err != nil {
		return nil, err
	}
	return &watchedRealm{realm, l.sandbox}, nil
}

type watchedRealm struct {
	property.Realm
	sandbox *watchedSandbox
}

func (r *watchedRealm) Run(ctx context.Context, p *property.Program) (*property.Transcript, error) {
	if r.sandbox.trace {
		r.sandbox.w.tell(event{Kind: evProgram, Program: p.Encode()})
	}
	t, err := r.Realm.Run(ctx, p)
	r.sandbox.w.alive()
	return t, err
}

var _ grader.Sandbox = (*watchedSandbox)(nil)
