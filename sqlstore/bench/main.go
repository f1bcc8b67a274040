// Command bench measures the SQLite store against SQLite in C, against other ways to SQLite from Go and Node, and against a chat history that is
// used in Go for the same job, in one run, and prints the ratios:
//
//	make bin/bench/sqlstore && bin/bench/sqlstore
//
// All do the same work on the same schema: the store makes the files, and says what an append writes, row for row. What the store does beyond
// is charged to it alone: it checks the events, folds and hashes them, hands appends from goroutine to goroutine, and copies what is read, in
// pages. The others get rows that are ready, hold one connection, and read with one statement from the first row to the last; the one in C
// does not even copy what it reads. Each subject is a process of its own. All have the same settings, which are read back: see statements.go.
// What they have written is verified by the store in the end: each file is a right one, and all end with the same hash.
//
// Subjects take turns, in rounds, and a ratio is the median of the ratios within each round, since what else the machine does then meets
// both sides of it. Exit status 1 when a target is missed, 2 when something does not work.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	program, err := os.Executable()
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	inC := flags.String("c", program+"-c", "the subject in C")
	inNode := flags.String("node", program+"-node", "the folder of the subject in JavaScript")
	folder := flags.String("dir", filepath.Dir(program), "where to make the files, which take a gigabyte; on a disk, not in memory")
	quick := flags.Bool("quick", false, "measure less of everything")
	be := flags.String("be", "", "be the subject of this name; for the program itself")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintln(stderr, "bench: takes flags only; see -help")
		return 2
	}
	if *be != "" {
		s := subjects(ctx)[*be]
		if s == nil {
			fmt.Fprintf(stderr, "bench: there is no subject %q in this program; build it with -tags rivals\n", *be)
			return 2
		}
		if err := serve(s, stdin, stdout); err != nil {
			fmt.Fprintln(stderr, "bench:", err)
			return 2
		}
		return 0
	}

	whole, small := sizes()
	b := &bench{ctx: ctx, size: whole, progress: stderr}
	if *quick {
		b.size = small
	}
	if b.folder, err = os.MkdirTemp(*folder, "sqlstore-"); err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	defer os.RemoveAll(b.folder)
	defer b.stop()
	figures, err := b.measure(program, *inC, *inNode)
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}

	fmt.Fprintf(stdout, "\nmedians of %d rounds; %s %s/%s, %d cores; %s\n\n", b.size.rounds, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), b.versions())
	missed := printed(stdout, figures)
	if missed > 0 {
		fmt.Fprintf(stderr, "bench: %d targets missed; when the machine was busy, run it again\n", missed)
		return 1
	}
	return 0
}

// subjects are those that are part of this program.
func subjects(ctx context.Context) map[string]subject {
	all := map[string]subject{"sqlstore": &store{ctx: ctx}, "ncruces": &raw{driver: &ncruces{}}}
	for name, s := range rivals(ctx) {
		all[name] = s
	}
	return all
}
