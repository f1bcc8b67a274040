// Package format writes reports: for people as text, for programs as JSON.
//
// A [Format] is a row of one table; every output of the command is one. What a submission chose (its name, its messages, its answers)
// is cleaned of everything that could steer a terminal before it is written.
//
// Formats are tested with golden files: `go test ./grader/format -update` writes them anew.
package format

import (
	"io"
	"slices"

	"forgetmenot/grader"
)

// A Writer takes the reports of one run one by one, in the order in which they are to stand.
type Writer interface {
	// Report writes one report. What it wrote is complete: an interrupted run loses nothing that was reported.
	Report(r *grader.Report) error
	// Close ends the document. It does not close what it is written to.
	Close() error
}

// Options say for whom a format writes. The zero value is for a file.
type Options struct {
	Color   bool // the reader's terminal shows colours
	Width   int  // columns; 0: 100
	Summary bool // a table of all submissions at the end
}

// A Format is one way to write reports.
type Format struct {
	Name  string
	About string
	New   func(io.Writer, Options) Writer
}

// All lists the formats.
func All() []Format {
	return []Format{
		{"text", "for people", newText},
		{"json", "one document with every report", newJSON},
	}
}

// Find finds a format by its name.
func Find(name string) (Format, bool) {
	all := All()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return all[i], true
}

// Names are the names of all formats.
func Names() (names []string) {
	for _, f := range All() {
		names = append(names, f.Name)
	}
	return names
}
