package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// A figure is a line of the table.
type figure struct {
	what, measured, target, verdict string
}

// A goal is what a figure should be. The zero value is none: the figure is there to be known.
type goal struct {
	value float64
	most  bool   // at most so much, not at least
	unit  string // of both
}

func atLeast(value float64, unit string) goal { return goal{value, false, unit} }
func atMost(value float64, unit string) goal  { return goal{value, true, unit} }

// judged is a figure that is held against its goal. note says what it is made of.
func judged(what string, value float64, g goal, unit, note string) figure {
	f := figure{what: what, measured: fmt.Sprintf("%.2f %s", value, unit)}
	if note != "" {
		f.measured += " (" + note + ")"
	}
	if g == (goal{}) {
		return f
	}
	word, met := "at least", value >= g.value
	if g.most {
		word, met = "at most", value <= g.value
	}
	f.target, f.verdict = fmt.Sprintf("%s %g %s", word, g.value, g.unit), "met"
	if !met {
		f.verdict = "MISSED"
	}
	return f
}

func unmeasured(what string, why error) figure {
	return figure{what: what, measured: fmt.Sprintf("not measured: %v", why)}
}

// printed prints the table and tells how many targets were missed.
func printed(out io.Writer, figures []figure) (missed int) {
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tmeasured\ttarget\t")
	for _, f := range figures {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", f.what, f.measured, f.target, f.verdict)
		if f.verdict == "MISSED" {
			missed++
		}
	}
	table.Flush() // which cannot fail: it writes to memory
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(out, strings.TrimRight(line, " \n"))
	}
	return missed
}
