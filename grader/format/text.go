package format

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"forgetmenot/grader"
	"forgetmenot/grader/property"
)

// textWriter writes for people: what each property says, a tick or the counterexample, and a table of all submissions.
type textWriter struct {
	w       io.Writer
	o       Options
	reports []brief
}

// A brief is what the table keeps of a report.
type brief struct {
	name    string
	verdict grader.Verdict
	score   grader.Score
	mastery grader.Score
	first   string // what went wrong first
}

func newText(w io.Writer, o Options) Writer {
	if o.Width <= 0 {
		o.Width = 100
	}
	o.Width = max(o.Width, 40)
	return &textWriter{w: w, o: o}
}

// The colours, by what they mean.
const (
	good  = "32"
	bad   = "31"
	faint = "2"
	bold  = "1"
)

func (t *textWriter) paint(colour, s string) string {
	if !t.o.Color || s == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

func (t *textWriter) Report(r *grader.Report) error {
	var b strings.Builder
	if len(t.reports) > 0 {
		b.WriteByte('\n')
	}
	b.WriteString(t.paint(bold, Clean(r.Submission)) + "\n")
	if r.Message != "" {
		t.trouble(&b, r)
	}
	if ran(r) {
		width := 0
		for _, p := range r.Properties {
			width = max(width, utf8.RuneCountInString(p.ID))
		}
		for _, p := range r.Properties {
			t.property(&b, p, width)
		}
		fmt.Fprintf(&b, "  %s: required %d/%d, mastery %d/%d\n", t.verdict(r.Verdict), r.Score.Earned, r.Score.Possible, r.Mastery.Earned, r.Mastery.Possible)
	}
	t.reports = append(t.reports, briefOf(r))
	_, err := io.WriteString(t.w, b.String())
	return err
}

// ran tells whether anything of the submission was checked.
func ran(r *grader.Report) bool {
	for _, p := range r.Properties {
		if p.Verdict != property.NotRun {
			return true
		}
	}
	return false
}

func (t *textWriter) verdict(v grader.Verdict) string {
	if v == grader.Pass {
		return t.paint(good, "pass")
	}
	return t.paint(bad, string(v))
}

// trouble says why nothing, or not everything, was run. Its first line is prose; the next ones show the place.
func (t *textWriter) trouble(b *strings.Builder, r *grader.Report) {
	lines := cleanLines(r.Message)
	lead := "error: "
	if r.Fault == grader.NoFault {
		lead = ""
	}
	for i, line := range wrap(lead+lines[0], t.o.Width-2) {
		if i == 0 && lead != "" {
			line = t.paint(bad, "error:") + strings.TrimPrefix(line, "error:")
		}
		b.WriteString("  " + line + "\n")
	}
	for _, line := range lines[1:] {
		b.WriteString("  " + line + "\n")
	}
}

// marks tell a verdict by a shape; the word stands beside it.
var marks = map[property.Verdict]string{property.Pass: "✓", property.NotRun: "–", property.Error: "!"}

func (t *textWriter) property(b *strings.Builder, p grader.Result, width int) {
	mark, ok := marks[p.Verdict]
	if !ok {
		mark = "✗"
	}
	colour := bad
	switch p.Verdict {
	case property.Pass:
		colour = good
	case property.NotRun:
		colour = faint
	}
	fmt.Fprintf(b, "  %s %-*s  %s%s\n", t.paint(colour, mark), width, p.ID, p.Title, t.paint(faint, told(p)))
	if p.Verdict == property.Pass {
		return
	}
	if p.Message != "" && p.Verdict != property.NotRun {
		lines := cleanLines(p.Message)
		for i, l := range lines {
			shown := []string{l}
			if i == 0 {
				shown = wrap(l, t.o.Width-6)
			}
			for _, s := range shown {
				b.WriteString("      " + s + "\n")
			}
		}
	}
	if p.Counterexample != nil {
		t.counterexample(b, p.Counterexample)
	}
}

// told is the verdict in a word or two, after the title.
func told(p grader.Result) string {
	switch p.Verdict {
	case property.Pass:
		return fmt.Sprintf(" (%d %s)", p.Cases, plural(p.Cases, "case", "cases"))
	case property.Fail:
		return " (refuted)"
	case property.Timeout:
		return " (timed out)"
	case property.Crash:
		return " (crashed)"
	case property.Nondeterministic:
		return " (not deterministic)"
	case property.NotRun:
		return " (not run)"
	}
	return " (" + string(p.Verdict) + ")"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// The most that is shown of a counterexample; JSON has all of it.
const (
	maxCodeLines  = 60
	maxAnswerText = 400
)

func (t *textWriter) counterexample(b *strings.Builder, c *grader.Counterexample) {
	b.WriteByte('\n')
	lines := cleanLines(c.Code)
	for i, line := range lines {
		if left := len(lines) - maxCodeLines; left > 1 && i == maxCodeLines-1 {
			fmt.Fprintf(b, "      … %d more lines\n", left+1)
			break
		}
		line = shorten(line, maxAnswerText)
		if strings.HasPrefix(line, "//") {
			said, here := strings.CutSuffix(line, "   <-- here")
			line = t.paint(faint, said)
			if here {
				line += t.paint(bad, "   <-- here")
			}
		}
		b.WriteString("      " + line + "\n")
	}
	if c.Expected != nil {
		b.WriteByte('\n')
		for _, line := range t.compare(string(c.Expected), string(c.Actual)) {
			b.WriteString("      " + line + "\n")
		}
	}
	b.WriteByte('\n')
}

// shorten leaves the middle of a long line out; both ends matter, since the end may say "here".
func shorten(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return fmt.Sprintf("%s … (%d characters left out) … %s", string(runes[:most-60]), len(runes)-most, string(runes[len(runes)-60:]))
}

// wrap breaks prose between words.
func wrap(s string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Split(s, " ") {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = word
			continue
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
