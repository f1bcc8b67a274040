package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A subject is what is measured. Each lives in a process of its own and is told by lines of words what to do; see serve. The subjects in Go are this very
// program; the ones in C and JavaScript know the first six commands.
type subject interface {
	// open opens a store's file, after it has closed the one before, and tells SQLite's version.
	open(file string) (version string, err error)
	// load takes the work that write and crowd do.
	load(w work)
	// write makes some of the work's appends, in a transaction each.
	write(from, n int) error
	// messages, events and sessions read all that a session has, or the store, and hand it to a caller as this subject does it usually.
	messages(session string) (tally, error)
	events(session string) (tally, error)
	sessions() (tally, error)
	// crowd makes appends from several goroutines at once, and tells how long each took.
	crowd(writers, from, n int) ([]time.Duration, error)
	close() error
}

// A tally tells whether two subjects have read the same rows in the same order, cheaply enough to be counted while the clock runs.
type tally struct {
	Rows  int64 `json:"rows"`
	Bytes int64 `json:"bytes"` // of all texts
	Order int64 `json:"order"` // of the ids
}

func (t *tally) add(id int64, bytes int) {
	t.Rows++
	t.Bytes += int64(bytes)
	t.Order = (t.Order*31 + id) % 1_000_003
}

// An answer is what a subject says to a command, in a line of JSON.
type answer struct {
	tally
	NS      int64  `json:"ns,omitempty"`  // how long it took, by the subject's own clock
	CPU     int64  `json:"cpu,omitempty"` // how long the subject's threads were at work, in nanoseconds
	P99     int64  `json:"p99,omitempty"` // in nanoseconds
	Heap    int64  `json:"heap,omitempty"`
	Version string `json:"version,omitempty"`
	Error   string `json:"error,omitempty"`
}

// serve answers commands until there are none any more:
//
//	open FILE            load FILE           write FROM COUNT
//	messages SESSION     events SESSION      sessions
//	crowd WRITERS FROM COUNT
//	watch WRITERS COUNT  heap SESSION        (the store alone)
//	fill SESSIONS COUNT                      (the store and langchaingo)
//
// Files lie in the working directory, and have no blanks in their names.
func serve(s subject, in io.Reader, out io.Writer) error {
	defer s.close()
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		a, err := obey(s, strings.Fields(lines.Text()))
		if err != nil {
			a = answer{Error: err.Error()}
		}
		text, err := json.Marshal(a)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(out, "%s\n", text); err != nil {
			return err
		}
	}
	return lines.Err()
}

func obey(s subject, words []string) (a answer, err error) {
	words = append(words, "", "", "", "")
	name, n := words[1], [4]int{}
	for i := range n {
		n[i], _ = strconv.Atoi(words[i]) // of words that are no numbers nobody asks
	}
	start, worked := time.Now(), cpuTime()
	switch words[0] {
	case "open":
		a.Version, err = s.open(name)
	case "load":
		var w work
		if w, err = readWork(name); err == nil {
			s.load(w)
		}
	case "write":
		err = s.write(n[1], n[2])
	case "messages":
		a.tally, err = s.messages(name)
	case "events":
		a.tally, err = s.events(name)
	case "sessions":
		a.tally, err = s.sessions()
	case "crowd":
		var took []time.Duration
		took, err = s.crowd(n[1], n[2], n[3])
		a.P99 = percentile(took, 99).Nanoseconds()
	default:
		more, ok := s.(interface {
			more(words []string, n [4]int) (answer, error)
		})
		if !ok {
			return a, fmt.Errorf("there is no command %q", words[0])
		}
		a, err = more.more(words, n)
	}
	a.NS, a.CPU = time.Since(start).Nanoseconds(), cpuTime()-worked
	return a, err
}

// cpuTime is how long this process has been at work.
func cpuTime() int64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return used.Utime.Nano() + used.Stime.Nano()
}

func percentile(all []time.Duration, percent int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)-1, len(sorted)*percent/100)]
}

// together runs so many goroutines, each of which makes its share of n appends, and tells how long each append took.
func together(writers, n int, one func(writer, i int) error) ([]time.Duration, error) {
	took := make([]time.Duration, n)
	failed := make([]error, writers)
	var running sync.WaitGroup
	for w := range writers {
		running.Go(func() {
			for i := w; i < n && failed[w] == nil; i += writers {
				start := time.Now()
				failed[w] = one(w, i)
				took[i] = time.Since(start)
			}
		})
	}
	running.Wait()
	for _, err := range failed {
		if err != nil {
			return nil, err
		}
	}
	return took, nil
}
