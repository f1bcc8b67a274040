package grader

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"forgetmenot/grader/property"
)

// marks are the verdicts in the matrix.
var marks = map[property.Verdict]string{
	property.Pass: "·", property.Fail: "x", property.Timeout: "t", property.Crash: "c", property.Nondeterministic: "n", property.Error: "!", property.NotRun: "?",
}

// Write prints the matrix file × property, the mutants by the property that must refute them, then what is wrong.
func (v *Verification) Write(w io.Writer) {
	m := matrix{w: w, v: v}
	for _, row := range v.Rows {
		m.width = max(m.width, utf8.RuneCountInString(short(row.Name)))
	}
	fmt.Fprintf(w, "%s: %d properties, %d files\n\n", v.Exercise.ID, len(v.Exercise.Properties), len(v.Rows))
	for i := range v.Exercise.Properties {
		m.label(i, "┌")
	}
	m.section("starter: must fail", func(r VerifiedFile) bool { return r.Kind == "starter" })
	m.section("solutions: must pass what is required, and what their first line says", func(r VerifiedFile) bool { return r.Kind == "solution" })
	for _, p := range v.Exercise.Properties {
		m.section("mutants: must be refuted by "+p.ID, func(r VerifiedFile) bool { return r.Mutant != nil && r.Mutant.KilledBy == p.ID })
	}
	fmt.Fprintln(w)
	for i := len(v.Exercise.Properties) - 1; i >= 0; i-- {
		m.label(i, "└")
	}
	fmt.Fprint(w, "\n· passes   x refuted   t timed out   c crashed   n not deterministic   ! ? not run\n"+
		"a number: refuted by the property that must do it, with a counterexample of so many calls\n")
	for _, f := range v.Faults {
		fmt.Fprintf(w, "\n%s\n", f)
	}
	if len(v.Faults) == 0 && v.Err == nil {
		fmt.Fprintf(w, "\nThe bank holds: every file does what it should.\n")
	}
}

type matrix struct {
	w     io.Writer
	v     *Verification
	width int
}

// short is the name of a file without its folder, which the section tells.
func short(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

// label writes the name of a column, at the end of its line.
func (m *matrix) label(column int, corner string) {
	fmt.Fprintf(m.w, "%*s%s %s %s\n", m.width+4, "", strings.Repeat(" │ ", column), corner, m.v.Exercise.Properties[column].ID)
}

func (m *matrix) section(title string, in func(VerifiedFile) bool) {
	var rows []VerifiedFile
	for _, row := range m.v.Rows {
		if row.Report != nil && in(row) { // without a report: cut short
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(m.w, "\n%s (%d)\n", title, len(rows))
	for _, row := range rows {
		m.row(row)
	}
}

func (m *matrix) row(row VerifiedFile) {
	line := fmt.Sprintf("  %-*s  ", m.width, short(row.Name))
	for _, p := range row.Report.Properties {
		mark := marks[p.Verdict]
		if row.Mutant != nil && row.Mutant.KilledBy == p.ID {
			if n := Calls(p); n > 0 {
				mark = fmt.Sprint(n)
			}
		}
		line += strings.Repeat(" ", 2-utf8.RuneCountInString(mark)) + mark + " "
	}
	if len(row.Faults) > 0 {
		line += " <-- see below"
	}
	fmt.Fprintln(m.w, strings.TrimRight(line, " "))
}
