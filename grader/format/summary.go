package format

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"forgetmenot/grader"
	"forgetmenot/grader/property"
)

func briefOf(r *grader.Report) brief {
	s := brief{name: Clean(r.Submission), verdict: r.Verdict, score: r.Score, mastery: r.Mastery}
	if r.Message != "" {
		s.first = cleanLines(r.Message)[0]
		return s
	}
	for _, p := range r.Properties {
		if p.Verdict != property.Pass {
			s.first = p.ID
			if p.Verdict != property.Fail {
				s.first += told(p)
			}
			break
		}
	}
	return s
}

// Close writes the table of all submissions.
func (t *textWriter) Close() error {
	if !t.o.Summary {
		return nil
	}
	var b strings.Builder
	if len(t.reports) > 0 {
		b.WriteByte('\n')
	}
	const fixed = 2 + 7 + 2 + 8 + 2 + 7 + 2 // what stands between the name and the first failure
	name := len("submission")
	for _, r := range t.reports {
		name = max(name, utf8.RuneCountInString(r.name))
	}
	name = min(name, max(20, t.o.Width-fixed-16))
	room := max(16, t.o.Width-fixed-name)
	fmt.Fprintf(&b, "%s\n", t.paint(bold, fmt.Sprintf("%s  %-7s  %-8s  %-7s  %s", pad("submission", name), "verdict", "required", "mastery", "first not passed")))
	counts := map[grader.Verdict]int{}
	for _, r := range t.reports {
		counts[r.verdict]++
		first := r.first
		if first == "" {
			first = "–"
		}
		colour := bad
		if r.verdict == grader.Pass {
			colour = good
		}
		required, mastery := fmt.Sprintf("%d/%d", r.score.Earned, r.score.Possible), fmt.Sprintf("%d/%d", r.mastery.Earned, r.mastery.Possible)
		if r.verdict == grader.Error {
			required, mastery = "–", "–"
		}
		fmt.Fprintf(&b, "%s  %s  %s  %s  %s\n", pad(r.name, name), t.paint(colour, pad(string(r.verdict), 7)), pad(required, 8), pad(mastery, 7), cut(first, room))
	}
	fmt.Fprintf(&b, "%d %s: %d pass, %d fail, %d error\n", len(t.reports), plural(len(t.reports), "submission", "submissions"), counts[grader.Pass], counts[grader.Fail], counts[grader.Error])
	_, err := io.WriteString(t.w, b.String())
	return err
}

// pad makes s exactly width columns wide.
func pad(s string, width int) string {
	s = cut(s, width)
	return s + strings.Repeat(" ", width-utf8.RuneCountInString(s))
}

func cut(s string, width int) string {
	runes := []rune(s)
	if len(runes) <= width {
		return s
	}
	return string(runes[:width-1]) + "…"
}
