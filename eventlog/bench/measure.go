package main

import (
	"fmt"
	"runtime"
	"time"

	"forgetmenot/eventlog"
)

// A row of the table. Without a target it is there to be known.
type row struct {
	what        string
	ours, plain float64
	target      float64
	show        func(float64) string
}

// cost of something, for each of its events.
type cost struct {
	ns        float64
	allocated float64 // bytes, in all
	held      float64 // bytes, by the result
}

// measure runs build and keeps its result until its size is known.
func measure(events int, build func() any) cost {
	var before, after, settled runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	result := build()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	runtime.GC()
	runtime.ReadMemStats(&settled)
	runtime.KeepAlive(result)

	n := float64(events)
	return cost{
		ns:        float64(took.Nanoseconds()) / n,
		allocated: float64(after.TotalAlloc-before.TotalAlloc) / n,
		held:      max(0, float64(settled.HeapAlloc)-float64(before.HeapAlloc)) / n,
	}
}

func (c cost) best(d cost) cost {
	return cost{min(c.ns, d.ns), min(c.allocated, d.allocated), min(c.held, d.held)}
}

// compare measures everything, in turns, so that a slow moment of the machine
// meets all of them.
func compare(w work, rounds int) []row {
	names := w.names()

	read, readPlain := eventlog.New(), newPlain()
	for _, name := range names {
		read = appendOurs(read, name)
		readPlain.append(name)
	}

	// One append in so many extends the version before the newest and goes on
	// from there. The version that is left behind is kept.
	forks := func(every int) func() any {
		return func() any {
			older, l := eventlog.New(), eventlog.New()
			var kept []eventlog.Log
			for i, name := range names {
				if i%every == every-1 {
					kept = append(kept, l)
					l = older
				}
				older = l
				l = appendOurs(l, name)
			}
			return append(kept, l)
		}
	}
	builds := []struct {
		name  string
		build func() any
	}{
		{"ours", func() any {
			l := eventlog.New()
			for _, name := range names {
				l = appendOurs(l, name)
			}
			return l
		}},
		{"plain", func() any {
			p := newPlain()
			for _, name := range names {
				p.append(name)
			}
			return p
		}},
		{"immutable", func() any {
			p := newPersistent()
			for _, name := range names {
				p = p.append(name)
			}
			return p
		}},
		{"forks of 16", forks(16)},
		{"forks of 2", forks(2)},
		{"all", func() any {
			versions := make([]eventlog.Log, 1, len(names)+1)
			for i, name := range names {
				versions = append(versions, appendOurs(versions[i], name))
			}
			return versions
		}},
		{"read", func() any {
			for _, name := range readPlain.sessions {
				read.Events(name)
			}
			return nil
		}},
		{"read plain", func() any {
			for _, name := range readPlain.sessions {
				readPlain.read(name)
			}
			return nil
		}},
	}
	best := map[string]cost{}
	for range rounds {
		for _, b := range builds {
			c := measure(w.events, b.build)
			if before, ok := best[b.name]; ok {
				c = c.best(before)
			}
			best[b.name] = c
		}
	}

	plain := best["plain"]
	rows := []row{}
	three := func(what string, c cost, target float64) {
		rows = append(rows,
			row{what + ", time", c.ns, plain.ns, target, nanoseconds},
			row{what + ", bytes allocated", c.allocated, plain.allocated, target, inBytes},
			row{what + ", bytes held", c.held, plain.held, target, inBytes})
	}
	three("append", best["ours"], 4)
	three("append, 1 in 16 forks", best["forks of 16"], 4)
	three("append, 1 in 2 forks", best["forks of 2"], 4)
	three("append, every version kept", best["all"], 4)
	rows = append(rows, row{"read all sessions, time", best["read"].ns, best["read plain"].ns, 4, nanoseconds})
	three("append, immutable in place of ours", best["immutable"], 0)
	return rows
}

func nanoseconds(v float64) string { return fmt.Sprintf("%.0f ns", v) }
func inBytes(v float64) string     { return fmt.Sprintf("%.0f B", v) }
