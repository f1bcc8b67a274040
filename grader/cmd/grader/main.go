package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/jsrun"
	"forgetmenot/grader/property"
)

type box struct{ *jsrun.Engine }

func (b box) Load(ctx context.Context, source string, functions []string) (grader.Loaded, error) {
	s, err := b.Engine.Load(ctx, source, functions)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func main() {
	ctx := context.Background()
	e, err := jsrun.NewEngine(ctx, jsrun.Limits{}, jsrun.CacheDir())
	if err != nil {
		panic(err)
	}
	c := property.NewChecker(property.Options{})
	ex, _ := exercises.Find("event-log")
	if len(os.Args) > 1 {
		for range 1 {
			src, _ := os.ReadFile(os.Args[1])
			r := grader.Grade(ctx, grader.Job{Exercise: ex, Source: src, Sandbox: box{e}, Checker: c, Now: time.Now})
			fmt.Println(r.Verdict, r.Message, r.DurationMs)
			for _, p := range r.Properties {
				fmt.Println(p.ID, p.Verdict, p.Cases, p.DurationMs, p.Message)
				if p.Counterexample != nil {
					fmt.Println(p.Counterexample.Code)
				}
			}
		}
		return
	}
	b, err := exercises.BankOf("event-log")
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	t0 := time.Now()
	v := grader.Verify(ctx, ex, b, box{e}, c, 2, time.Now, nil)
	for _, r := range v.Rows {
		fmt.Print(r.Report.DurationMs, " ", r.Name, " ")
		for _, p := range r.Report.Properties {
			fmt.Print(p.ID, ":", p.Verdict, ":", p.DurationMs, " ")
		}
		fmt.Println()
	}
	v.Write(os.Stdout)
	fmt.Println(len(v.Faults), time.Since(t0))
}
