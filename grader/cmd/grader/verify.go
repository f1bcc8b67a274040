package main

import (
	"fmt"
	"time"

	"context"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/jsrun"
	"forgetmenot/grader/property"
)

// verify is the command of that name. The bank is the project's own, so it runs in this process.
func (c *command) verify(args []string) int {
	s := defaults()
	fs := newFlags("verify")
	s.common(fs)
	rest, err := parse(fs, args)
	switch {
	case err == errHelp:
		return c.help([]string{"verify"})
	case err != nil:
		return c.wrong("verify", "%v", err)
	}
	chosen := exercises.All()
	if len(rest) > 0 {
		chosen = nil
		for _, id := range rest {
			ex, err := exercise(id)
			if err != nil {
				return c.wrong("verify", "%v", err)
			}
			chosen = append(chosen, ex)
		}
	}
	engine, err := jsrun.NewEngine(c.ctx, jsrun.Limits{}, jsrun.CacheDir())
	if err != nil {
		fmt.Fprintf(c.stderr, "grader: %v\n", err)
		return exitBroken
	}
	defer engine.Close(context.WithoutCancel(c.ctx))
	checker := property.NewChecker(property.Options{Seed: s.seed, Cases: s.cases})
	faults := 0
	for i, ex := range chosen {
		if i > 0 {
			fmt.Fprintln(c.stdout)
		}
		bank, err := exercises.BankOf(ex.ID)
		if err != nil {
			fmt.Fprintf(c.stderr, "grader: %v\n", err)
			return exitBroken
		}
		bar := c.newScreen(0)
		v := grader.Verify(c.ctx, ex, bank, sandbox{engine}, checker, s.jobs, time.Now, func(done, all int) {
			bar.note(func(b *screen) { b.done, b.all = done, all })
		})
		bar.end()
		if v.Err != nil {
			fmt.Fprintln(c.stderr, "grader: interrupted")
			return exitBroken
		}
		v.Write(c.stdout)
		faults += len(v.Faults)
	}
	if faults > 0 {
		fmt.Fprintf(c.stderr, "grader: %d %s found\n", faults, map[bool]string{true: "fault was", false: "faults were"}[faults == 1])
		return exitFailed
	}
	return exitGraded
}

// A sandbox is the engine in this process.
type sandbox struct{ engine *jsrun.Engine }

func (s sandbox) Load(ctx context.Context, source string, functions []string) (grader.Loaded, error) {
	loaded, err := s.engine.Load(ctx, source, functions)
	if err != nil {
		return nil, err
	}
	return loaded, nil
}
