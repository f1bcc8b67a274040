// Command bench measures the command bin/grader over a folder of right submissions, and beside it, in the same run, what one would
// write without a sandbox: a node child process per submission, which is handed the same harness and the same programs.
//
//	make bench        or, after make build: go run ./grader/bench -copies 10 -rounds 1
//
// Both judge every transcript in Go with the same properties, keep as many submissions under way as there are cores, and start from nothing.
// Of each figure the median of several rounds counts. A missed target is printed and is no failure: the exit status is 0 as long as
// everything that was graded passed, and 3 otherwise.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"forgetmenot/exercises"
	"forgetmenot/grader/property"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	w := work{}
	flags.StringVar(&w.command, "command", "bin/grader", "the grader to measure")
	flags.StringVar(&w.runner, "runner", "grader/bench/node-runner.mjs", "the program for node")
	flags.IntVar(&w.copies, "copies", 40, "how many submissions to grade")
	flags.IntVar(&w.cases, "cases", 100, "cases of each property")
	rounds := flags.Int("rounds", 3, "how many times to measure each; the median counts")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 || w.copies < 1 || w.cases < 1 || *rounds < 1 {
		fmt.Fprintln(stderr, "bench: takes flags only, and numbers of at least 1; see -help")
		return 2
	}
	if err := w.measure(stdout, *rounds); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 3
	}
	return 0
}

// work is what is measured.
type work struct {
	command, runner string
	copies, cases   int
	exercise        exercises.Exercise
	solution        string
}

func (w *work) measure(out io.Writer, rounds int) error {
	w.exercise = exercises.All()[0]
	bank, err := exercises.BankOf(w.exercise.ID)
	if err != nil {
		return err
	}
	w.solution = bank.Solutions[0].Source
	folder, err := os.MkdirTemp("", "forgetmenot-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for i := range w.copies {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("learner-%03d.js", i)), []byte(w.solution), 0o644); err != nil {
			return err
		}
	}
	node, err := exec.Command("node", "--version").Output()
	if err != nil {
		return fmt.Errorf("node does not start: %w", err)
	}

	var ours, theirs []time.Duration
	for range rounds { // in turn, so that whatever else the machine does meets both
		d, err := w.byCommand(folder)
		if err != nil {
			return err
		}
		ours = append(ours, d)
		if d, err = w.byNode(); err != nil {
			return err
		}
		theirs = append(theirs, d)
	}
	a, b := w.perSecond(ours), w.perSecond(theirs)

	fmt.Fprintf(out, "\nCommand: %d right submissions, %d cases of %d properties each; median of %d; %s %s/%s, node %s, %s, %d cores\n\n",
		w.copies, w.cases, len(w.exercise.Properties), rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH,
		strings.TrimPrefix(strings.TrimSpace(string(node)), "v"), processor(), runtime.NumCPU())
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tmeasured\ttarget\tmet")
	fmt.Fprintf(t, "bin/grader grade\t%.1f submissions/s\t>= 10\t%s\n", a, verdict(a >= 10))
	fmt.Fprintf(t, "a node process per submission\t%.1f submissions/s\t\t\n", b)
	fmt.Fprintf(t, "the first against the second\t%.1f times\t>= 2\t%s\n", a/b, verdict(a/b >= 2))
	return t.Flush()
}

func verdict(met bool) string {
	if met {
		return "yes"
	}
	return "MISSED"
}

func (w *work) perSecond(rounds []time.Duration) float64 {
	slices.Sort(rounds)
	return float64(w.copies) / rounds[len(rounds)/2].Seconds()
}

// byCommand times the whole command, from its start to its end.
func (w *work) byCommand(folder string) (time.Duration, error) {
	var stdout, stderr strings.Builder
	cmd := exec.Command(w.command, "grade", "--format", "json", "--cases", fmt.Sprint(w.cases), w.exercise.ID, folder)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		return 0, fmt.Errorf("%s: %w\n%s", w.command, err, stderr.String())
	}
	var answer struct {
		Reports []struct {
			Submission string
			Verdict    string
			Mastery    struct{ Earned, Possible int }
		}
	}
	if err := json.Unmarshal([]byte(stdout.String()), &answer); err != nil {
		return 0, fmt.Errorf("%s: %w", w.command, err)
	}
	if len(answer.Reports) != w.copies {
		return 0, fmt.Errorf("%s reported on %d submissions of %d", w.command, len(answer.Reports), w.copies)
	}
	for _, r := range answer.Reports {
		if r.Verdict != "pass" || r.Mastery.Earned != r.Mastery.Possible {
			return 0, fmt.Errorf("%s: the solution did not pass everything: %s, %d of %d for mastery", r.Submission, r.Verdict, r.Mastery.Earned, r.Mastery.Possible)
		}
	}
	return took, nil
}

// byNode times the same work with a node process per submission.
func (w *work) byNode() (time.Duration, error) {
	start := time.Now()
	checker := property.NewChecker(property.Options{Cases: w.cases})
	next := make(chan struct{}, w.copies)
	for range w.copies {
		next <- struct{}{}
	}
	close(next)
	jobs := runtime.NumCPU()
	failures := make(chan error, jobs)
	for range jobs {
		go func() {
			var err error
			for range next {
				if err == nil {
					err = w.oneByNode(checker)
				}
			}
			failures <- err
		}()
	}
	var err error
	for range jobs {
		err = errors.Join(err, <-failures)
	}
	return time.Since(start), err
}

func (w *work) oneByNode(checker *property.Checker) error {
	child, err := startNode(w.runner, w.solution, w.exercise.Functions)
	if err != nil {
		return err
	}
	defer child.close()
	for _, prop := range w.exercise.Properties {
		found, err := checker.Check(context.Background(), prop, child)
		if err != nil {
			return fmt.Errorf("%s in node: %w", prop.ID, err)
		}
		// What a log costs in memory is judged by the sandbox's own measure, which node's heap does not match; the work is done all the same.
		if found.Verdict != property.Pass && prop.ID != "scale" {
			return fmt.Errorf("%s in node: %s: %s", prop.ID, found.Verdict, found.Message.En)
		}
	}
	return nil
}

// processor is the model's name, where the system tells it.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(info)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return "unknown processor"
}
