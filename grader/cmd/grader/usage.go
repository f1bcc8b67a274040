package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"forgetmenot/grader/format"
)

// clean makes a text from outside fit for a terminal.
func clean(s string) string { return format.Clean(s) }

// wrong says how the command was called wrongly.
func (c *command) wrong(command, text string, args ...any) int {
	fmt.Fprintf(c.stderr, "grader: %s\n", fmt.Sprintf(text, args...))
	see := "grader help"
	if command != "" {
		see += " " + command
	}
	fmt.Fprintf(c.stderr, "See `%s`.\n", see)
	return exitUsage
}

// errHelp says that help was asked for.
var errHelp = errors.New("help")

// parse reads flags wherever they stand among the arguments, until `--`, and answers the other arguments.
func parse(fs *flag.FlagSet, args []string) (rest []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			return append(rest, args...), nil
		case len(arg) < 2 || arg[0] != '-':
			rest = append(rest, arg)
			continue
		}
		name, value, has := strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
		if name == "h" || name == "help" {
			return nil, errHelp
		}
		f := fs.Lookup(name)
		if f == nil {
			return nil, fmt.Errorf("there is no flag --%s%s", clean(name), didYouMean(name, flagNames(fs)))
		}
		if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() && !has {
			value = "true"
		} else if !has {
			if len(args) == 0 {
				return nil, fmt.Errorf("--%s wants a value: --%s %s", name, name, f.Usage)
			}
			value, args = args[0], args[1:]
		}
		if err := fs.Set(name, value); err != nil {
			return nil, fmt.Errorf("--%s %s: %w", name, clean(value), err)
		}
	}
	return rest, nil
}

func flagNames(fs *flag.FlagSet) (names []string) {
	fs.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

// didYouMean proposes the known word that is nearest to the one given, if one is near.
func didYouMean(given string, known []string) string {
	best, least := "", 1+len(given)/2
	for _, k := range known {
		bare := strings.TrimLeft(k, "-")
		d := distance(strings.ToLower(given), bare)
		if strings.HasPrefix(bare, strings.ToLower(given)) && len(given) >= 2 {
			d = 1
		}
		if d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// distance counts the letters to insert, drop, change or swap with their neighbour that make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	d := make([][]int, len(x)+1)
	for i := range d {
		d[i] = make([]int, len(y)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := d[i-1][j-1]
			if x[i-1] != y[j-1] {
				change++
			}
			d[i][j] = min(change, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(x)][len(y)]
}

func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	return fs
}
