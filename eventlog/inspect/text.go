package inspect

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// WriteText writes the report for a person. clean makes a text from the file fit for where it is shown; nil leaves it as it is.
func (r *Report) WriteText(w io.Writer, clean func(string) string) error {
	if clean == nil {
		clean = func(s string) string { return s }
	}
	t := &textWriter{w: w, clean: clean}
	t.line("%s", r.File)
	t.field("format", "%s", r.formatText())
	if r.Lines.Total > 0 {
		t.field("lines", "%s: %s, %s blank, %s bad; %s bytes", number(r.Lines.Total), counted(r.Lines.Records, "record"), number(r.Lines.Blank), number(r.Lines.Bad), number(r.Bytes))
	}
	t.field("events", "%s in %s", number(r.Events), counted(r.Sessions.Count, "session"))
	if r.First != nil {
		t.field("time", "%s to %s", r.First.Format(time.RFC3339Nano), r.Last.Format(time.RFC3339Nano))
	}
	t.counts("types", r.Types)
	t.counts("unknown types", r.Unknown)
	t.counts("set aside", r.Aside)
	for i := range r.Sessions.First {
		t.session(&r.Sessions.First[i])
	}
	t.more(r.Sessions.Count, len(r.Sessions.First), "session")
	t.findings("fault", r.Faults)
	t.findings("note", r.Notes)
	t.field("policy", "%s", r.Policy)
	r.writePlan(t)
	if r.OK() {
		t.line("  nothing is wrong")
	}
	return t.err
}

// WritePlan writes what a repair would leave out and add.
func (r *Report) WritePlan(w io.Writer, clean func(string) string) error {
	t := &textWriter{w: w, clean: clean}
	r.writePlan(t)
	return t.err
}

func (r *Report) writePlan(t *textWriter) {
	for _, c := range r.Cut.First {
		t.field("would cut", "line %d, %s from byte %d: %s", c.Line, counted(c.Bytes, "byte"), c.Offset, c.Reason)
	}
	t.more(r.Cut.Count, len(r.Cut.First), "cut")
	for _, c := range r.Append.First {
		t.field("would append", "to %s: %s %s", c.SessionID, c.Type, c.Payload)
	}
	t.more(r.Append.Count, len(r.Append.First), "event")
	if r.Faults.ByKind[Unended] > 0 {
		t.field("would append", "the missing line end")
	}
	for _, line := range r.Append.Lines {
		t.field("as the line", "%s", line)
	}
	t.more(r.Append.LineCount, len(r.Append.Lines), "line")
}

func (r *Report) formatText() string {
	if r.Format == "" {
		return "none that is known"
	}
	text := r.Format
	if r.Version != "" {
		text += ", version " + r.Version
	}
	if r.Compression != "" {
		text += ", compressed with " + r.Compression
	}
	return text
}

type textWriter struct {
	w     io.Writer
	clean func(string) string
	err   error
}

func (t *textWriter) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, t.clean(fmt.Sprintf(format, args...))+"\n")
	}
}

func (t *textWriter) field(name, format string, args ...any) {
	t.line("  %-14s "+format, append([]any{name}, args...)...)
}

// mostCounted is how many names a person is shown.
const mostCounted = 12

func (t *textWriter) counts(name string, m map[string]int64) {
	if len(m) == 0 {
		return
	}
	var parts []string
	keys := sortedKeys(m)
	for _, k := range keys[:min(len(keys), mostCounted)] {
		parts = append(parts, fmt.Sprintf("%s %s", number(m[k]), k))
	}
	if len(keys) > mostCounted {
		parts = append(parts, fmt.Sprintf("and %d more", len(keys)-mostCounted))
	}
	t.field(name, "%s", strings.Join(parts, ", "))
}

func (t *textWriter) session(s *Session) {
	t.field("session", "%s: %s, %s", s.ID, counted(s.Events, "event"), counted(s.Turns, "complete turn"))
	if s.LastCompleteTurn != nil {
		t.field("", "last complete turn ends at %s", s.LastCompleteTurn)
	}
	if s.OpenTurn != nil {
		t.field("", "open: the turn that starts at %s", s.OpenTurn)
	}
	if s.OpenStep != nil {
		t.field("", "open: the step that starts at %s", s.OpenStep)
	}
	t.calls("open: call", s.Open)
	t.calls("orphan: result of", s.Orphaned)
	t.calls("late: result of", s.Late)
	t.calls("repeated id: call", s.Duplicated)
}

func (t *textWriter) calls(what string, c Calls) {
	for _, r := range c.First[:min(len(c.First), mostCounted)] {
		name := r.CallID
		if r.Name != "" {
			name += " of " + r.Name
		}
		t.field("", "%s %s, at %s", what, name, r.Place)
	}
	if c.Count > mostCounted {
		t.field("", "%s: %d more", what, c.Count-mostCounted)
	}
}

func (t *textWriter) findings(what string, f Findings) {
	shown := map[Kind]int64{}
	for _, x := range f.First {
		if shown[x.Kind]++; shown[x.Kind] > mostCounted {
			continue
		}
		where := ""
		if x.Place != (Place{}) {
			where = ", " + x.Place.String()
		}
		t.field(what, "%s%s: %s", x.Kind, where, x.Text)
	}
	for _, k := range sortedKinds(f.ByKind) {
		if n := f.ByKind[k]; n > mostCounted {
			t.field(what, "%s: %s more", k, number(n-mostCounted))
		}
	}
}

func (t *textWriter) more(all int64, shown int, what string) {
	if more := all - int64(shown); more > 0 {
		t.field("", "and %s more", counted(more, what))
	}
}

// String is the place for a person.
func (p Place) String() string {
	switch {
	case p.Line > 0 && p.EventID > 0:
		return fmt.Sprintf("event %d on line %d", p.EventID, p.Line)
	case p.EventID > 0:
		return fmt.Sprintf("event %d", p.EventID)
	}
	return fmt.Sprintf("line %d", p.Line)
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return number(n) + " " + what + "s"
}

// number writes a number with its thousands apart.
func number(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
