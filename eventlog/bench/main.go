// Command bench measures the event log against what one would write without it,
// in one run, and prints the ratios:
//
//	go -C eventlog/bench run .
//
// slice+map is a growing slice, and a map from each session to its places in it:
// one version, changed in place. It copies payloads, as every log must, and does
// not check them. It cannot fork: what is set against forks is the same number of
// events in one line. immutable is github.com/benbjohnson/immutable, a persistent
// list of events and a persistent map of persistent lists; that does not check
// payloads either.
//
// Of each figure the best of several rounds counts, since whatever else the
// machine does can only add to it. Exit status 1 when a target is missed.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"text/tabwriter"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	var w work
	flags.IntVar(&w.events, "events", 1_000_000, "how many events to append")
	flags.IntVar(&w.sessions, "sessions", 1000, "to how many sessions")
	rounds := flags.Int("rounds", 3, "how many times to measure each; the best counts")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 || w.events < 1 || w.sessions < 1 || *rounds < 1 {
		fmt.Fprintln(stderr, "bench: takes flags only, and numbers of at least 1; see -help")
		return 2
	}

	fmt.Fprintf(stdout, "%d events, %d sessions; best of %d rounds; %s %s/%s, %d cores\n\n",
		w.events, w.sessions, *rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "what\tours\tslice+map\tratio\ttarget\t\t")
	missed := 0
	for _, r := range compare(w, *rounds) {
		ratio := r.ours / r.plain
		target, verdict := "", ""
		if r.target > 0 {
			target, verdict = fmt.Sprintf("<= %g", r.target), "ok"
			if ratio > r.target {
				verdict = "MISSED"
				missed++
			}
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.2f\t%s\t%s\t\n", r.what, r.show(r.ours), r.show(r.plain), ratio, target, verdict)
	}
	if err := table.Flush(); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 3
	}
	if missed > 0 {
		fmt.Fprintf(stderr, "bench: %d targets missed; when the machine was busy, run it again\n", missed)
		return 1
	}
	return 0
}
