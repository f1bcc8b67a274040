package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"time"

	"forgetmenot/grader/format"
	"forgetmenot/grader/jsrun"
)

// settings are the flags of grade; verify uses some of them.
type settings struct {
	format  string
	outs    []out
	seed    uint64
	cases   int
	timeout time.Duration
	memory  int
	jobs    int
	strict  bool
}

// An out is a result file that was asked for.
type out struct{ format, file string }

func defaults() *settings {
	return &settings{format: "text", seed: 1, cases: 100, timeout: 10 * time.Second, memory: jsrun.DefaultMemory, jobs: runtime.NumCPU()}
}

// common adds the flags that grade and verify share.
func (s *settings) common(fs *flag.FlagSet) {
	fs.Func("seed", "N", func(v string) (err error) {
		s.seed, err = strconv.ParseUint(v, 10, 64)
		if err != nil || s.seed == 0 {
			return errors.New("a seed is a whole number, 1 or more")
		}
		return nil
	})
	fs.Func("cases", "N", count(&s.cases, 100_000))
	fs.Func("jobs", "N", count(&s.jobs, 1024))
}

func (s *settings) all(fs *flag.FlagSet) {
	s.common(fs)
	fs.Func("format", "FORMAT", func(v string) error {
		s.format = v
		return knownFormat(v)
	})
	fs.Func("out", "FORMAT=FILE", func(v string) error {
		name, file, ok := strings.Cut(v, "=")
		if !ok || file == "" {
			return errors.New("write it as FORMAT=FILE, for example --out json=results.json")
		}
		s.outs = append(s.outs, out{name, file})
		return knownFormat(name)
	})
	fs.Func("timeout", "DURATION", func(v string) (err error) {
		s.timeout, err = time.ParseDuration(v)
		if err != nil {
			if _, err := strconv.ParseFloat(v, 64); err == nil {
				return fmt.Errorf("give the unit too, for example %ss", v)
			}
			return errors.New("a duration is written like 10s, 500ms or 1m")
		}
		if s.timeout < 100*time.Millisecond {
			return errors.New("at least 100ms are needed to tell a hang from a slow machine")
		}
		return nil
	})
	fs.Func("memory", "SIZE", func(v string) (err error) {
		s.memory, err = size(v)
		return err
	})
	fs.BoolVar(&s.strict, "strict", false, "")
}

func knownFormat(name string) error {
	if _, ok := format.Find(name); ok {
		return nil
	}
	return fmt.Errorf("there is no format %q%s (there is: %s)", clean(name), didYouMean(name, format.Names()), strings.Join(format.Names(), ", "))
}

func count(into *int, most int) func(string) error {
	return func(v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > most {
			return fmt.Errorf("this is a whole number from 1 to %d", most)
		}
		*into = n
		return nil
	}
}

// The least memory has room for the engine and the harness; the most is what WebAssembly can address, less the engine's own.
const leastMemory, mostMemory = 8 << 20, 2 << 30

// size reads a number of bytes: 64M, 64MiB, 64MB, 1G, 67108864.
func size(v string) (int, error) {
	digits := strings.TrimRight(v, "BbIiKkMmGg")
	unit := strings.ToUpper(v[len(digits):])
	unit = strings.TrimSuffix(strings.TrimSuffix(unit, "B"), "I")
	shift, ok := map[string]int{"": 0, "K": 10, "M": 20, "G": 30}[unit]
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || !ok || math.IsNaN(n) || n < 0 {
		return 0, errors.New("a size is written like 64M or 1G")
	}
	bytes := n * float64(int(1)<<shift)
	if bytes < leastMemory || bytes > mostMemory {
		return 0, fmt.Errorf("it can be from %dM to %dG", leastMemory>>20, mostMemory>>30)
	}
	return int(bytes), nil
}
