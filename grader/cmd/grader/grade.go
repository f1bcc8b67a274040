package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/jsrun"
	"forgetmenot/grader/property"
)

// grade is the command of that name.
func (c *command) grade(args []string) int {
	s := defaults()
	fs := newFlags("grade")
	s.all(fs)
	rest, err := parse(fs, args)
	switch {
	case err == errHelp:
		return c.help([]string{"grade"})
	case err != nil:
		return c.wrong("grade", "%v", err)
	case len(rest) == 0:
		return c.wrong("grade", "which exercise, and which files? grader grade EXERCISE PATH...")
	}
	ex, err := exercise(rest[0])
	if err != nil {
		if _, there := os.Stat(rest[0]); there == nil {
			return c.wrong("grade", "the exercise comes first, then the files: grader grade EXERCISE %s", clean(rest[0]))
		}
		return c.wrong("grade", "%v", err)
	}
	if len(rest) == 1 {
		return c.wrong("grade", "which files? grader grade %s PATH...", ex.ID)
	}
	subs, err := find(rest[1:])
	if err != nil {
		return c.wrong("grade", "%v", err)
	}
	sinks, err := openAll(s.outs)
	if err != nil {
		return c.wrong("grade", "%v", err)
	}
	screen := c.newScreen(len(subs))
	sinks = append(sinks, c.standardOutput(s.format, screen, len(subs) > 1))
	outcome := c.gradeAll(ex, s, subs, sinks, screen)
	screen.end()
	for _, sink := range sinks {
		if err := sink.close(); err != nil {
			fmt.Fprintf(c.stderr, "grader: %v\n", err)
			outcome.broken = true
		}
	}
	switch {
	case c.ctx.Err() != nil:
		fmt.Fprintf(c.stderr, "grader: interrupted; %d of %d submissions were graded\n", outcome.graded, len(subs))
		return exitBroken
	case outcome.broken:
		return exitBroken
	case s.strict && outcome.failed > 0:
		return exitFailed
	}
	return exitGraded
}

// An outcome counts what came of a run.
type outcome struct {
	graded int
	failed int  // did not pass
	broken bool // by a fault of the grader's
}

// gradeAll grades the submissions, several at once, and hands their reports to the sinks in order, each as soon as those before it are there.
func (c *command) gradeAll(ex exercises.Exercise, s *settings, subs []submission, sinks []*sink, bar *screen) outcome {
	checker := property.NewChecker(property.Options{Seed: s.seed, Cases: s.cases})
	quit := make(chan struct{})
	stop := sync.OnceFunc(func() { close(quit) })
	defer stop()
	release := context.AfterFunc(c.ctx, stop)
	defer release()

	type finished struct {
		number int
		report *grader.Report
	}
	next := make(chan int)
	results := make(chan finished)
	go func() {
		defer close(next)
		for i := range subs {
			next <- i // interrupted or not: each gets its report, if only to say so
		}
	}()
	var slots sync.WaitGroup
	defer slots.Wait() // for their processes to be gone
	for range min(s.jobs, len(subs)) {
		slot := &slot{exercise: ex, checker: checker, settings: s, cache: jsrun.CacheDir(), quit: quit, hanging: func(name, prop string) {
			bar.note(func(b *screen) { b.now = clean(name) + " does not answer; looking where" })
		}}
		slots.Go(func() {
			defer slot.drop()
			for i := range next {
				bar.note(func(b *screen) { b.now = clean(subs[i].name) })
				results <- finished{i, slot.one(subs[i])}
			}
		})
	}

	var o outcome
	waiting := make([]*grader.Report, len(subs))
	turn := 0
	said := false
	for range subs {
		f := <-results
		waiting[f.number] = f.report
		o.count(f.report)
		bar.note(func(b *screen) {
			b.done++
			if f.report.Verdict != grader.Pass {
				b.bad++
			}
		})
		if f.report.Fault == grader.GraderFault && !said && c.ctx.Err() == nil {
			said = true
			bar.note(func(b *screen) { b.erase() })
			fmt.Fprintf(c.stderr, "grader: %s: %s\n", clean(f.report.Submission), clean(f.report.Message))
		}
		for turn < len(subs) && waiting[turn] != nil {
			for _, sink := range sinks {
				sink.report(waiting[turn])
			}
			waiting[turn] = nil
			turn++
		}
		if !slices.ContainsFunc(sinks, func(s *sink) bool { return s.failed == nil }) {
			stop() // nobody would learn of the rest
		}
	}
	return o
}

// one grades a submission, or says why it cannot be read.
func (s *slot) one(sub submission) *grader.Report {
	select {
	case <-s.quit:
		r := grader.NewReport(grader.Job{Exercise: s.exercise, Submission: sub.name, Checker: s.checker})
		r.SHA256 = ""
		r.Interrupt()
		return r
	default:
	}
	trouble := sub.trouble
	var source []byte
	if trouble == nil {
		source, trouble = sub.read()
	}
	if trouble != nil {
		r := grader.Refuse(grader.Job{Exercise: s.exercise, Submission: sub.name, Checker: s.checker}, trouble)
		r.SHA256 = "" // of nothing
		return r
	}
	return s.grade(sub.name, source)
}

func (o *outcome) count(r *grader.Report) {
	if r.Verdict != grader.Pass {
		o.failed++
	}
	if r.Fault == grader.GraderFault {
		o.broken = true
	} else {
		o.graded++
	}
}
