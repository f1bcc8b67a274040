package format

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"forgetmenot/grader/property"
)

// compare sets an expected and an actual value against each other, so that the part that differs is evident: on two aligned lines with
// a mark below where they fit, else line by line.
func (t *textWriter) compare(expected, actual string) []string {
	want, err := property.ParseValue(expected)
	if err != nil {
		return nil
	}
	got, err := property.ParseValue(actual)
	if err != nil {
		return nil
	}
	got = inOrderOf(want, got)
	const lead = "expected  "
	room := t.o.Width - 6 - len(lead)
	a, b := Clean(want.Pretty()), Clean(got.Pretty())
	if utf8.RuneCountInString(a) <= room && utf8.RuneCountInString(b) <= room {
		lines := []string{t.paint(good, "expected") + "  " + a, t.paint(bad, "actual") + "    " + b}
		if from, to := differing(a, b); from < to {
			lines = append(lines, strings.Repeat(" ", len(lead)+from)+t.paint(bad, strings.Repeat("^", to-from)))
		}
		return lines
	}
	lines := []string{t.paint(good, "- expected") + "   " + t.paint(bad, "+ actual")}
	return append(lines, t.unified(layout(want, room), layout(got, room))...)
}

// inOrderOf puts the keys of objects in the order in which another value has them: the order is no difference.
func inOrderOf(model, v property.Value) property.Value {
	switch {
	case model.Kind() != v.Kind():
	case v.Kind() == property.List:
		items := append([]property.Value(nil), v.Items()...)
		for i := range min(len(items), len(model.Items())) {
			items[i] = inOrderOf(model.Items()[i], items[i])
		}
		return property.ListOf(items...)
	case v.Kind() == property.Object:
		var fields []property.Field
		seen := map[string]bool{}
		for i, k := range model.Keys() {
			if item, ok := v.Get(k); ok && !seen[k] {
				fields, seen[k] = append(fields, property.Field{Key: k, Value: inOrderOf(model.Items()[i], item)}), true
			}
		}
		for i, k := range v.Keys() {
			if !seen[k] {
				fields = append(fields, property.Field{Key: k, Value: v.Items()[i]})
			}
		}
		return property.ObjectOf(fields...)
	}
	return v
}

// differing is the part of b, in characters, that a has not: all but the common start and the common end. Where b only lacks something, it
// is the character after the gap.
func differing(a, b string) (from, to int) {
	x, y := []rune(a), []rune(b)
	for from < len(x) && from < len(y) && x[from] == y[from] {
		from++
	}
	end := 0
	for end < len(x)-from && end < len(y)-from && x[len(x)-1-end] == y[len(y)-1-end] {
		end++
	}
	to = len(y) - end
	if from == to && len(x) != len(y) {
		to++
	}
	return from, to
}

// layout spells a value over lines: what fits on one line stays on one.
func layout(v property.Value, width int) []string {
	flat := Clean(v.Pretty())
	if utf8.RuneCountInString(flat) <= width || len(v.Items()) == 0 {
		return []string{shorten(flat, max(width, 80))}
	}
	open, closing := "[", "]"
	if v.Kind() == property.Object {
		open, closing = "{", "}"
	}
	lines := []string{open}
	for i, item := range v.Items() {
		inner := layout(item, max(width-2, 20))
		if v.Kind() == property.Object {
			inner[0] = Clean(property.String(v.Keys()[i]).Pretty()) + ": " + inner[0]
		}
		if i < len(v.Items())-1 {
			inner[len(inner)-1] += ","
		}
		for _, l := range inner {
			lines = append(lines, "  "+l)
		}
	}
	return append(lines, closing)
}

// The most that is compared line by line, and the lines shown around a difference.
const (
	maxCompared = 400
	maxShown    = 40
	around      = 2
)

type diffLine struct {
	mark byte // ' ', '-' or '+'
	text string
}

// unified is the difference of two texts, with a little of what they share around it.
func (t *textWriter) unified(a, b []string) (out []string) {
	all := diff(a[:min(len(a), maxCompared)], b[:min(len(b), maxCompared)])
	near := make([]bool, len(all))
	for i, l := range all {
		if l.mark == ' ' {
			continue
		}
		for k := max(0, i-around); k <= min(len(all)-1, i+around); k++ {
			near[k] = true
		}
	}
	for i := 0; i < len(all); i++ {
		if len(out) >= maxShown {
			return append(out, fmt.Sprintf("  … %d more lines", len(all)-i))
		}
		if !near[i] {
			from := i
			for i+1 < len(all) && !near[i+1] {
				i++
			}
			out = append(out, t.paint(faint, fmt.Sprintf("  … %d equal %s", i-from+1, plural(i-from+1, "line", "lines"))))
			continue
		}
		line := string(all[i].mark) + " " + all[i].text
		switch all[i].mark {
		case '-':
			line = t.paint(good, line)
		case '+':
			line = t.paint(bad, line)
		}
		out = append(out, line)
		if from, to := within(all, i); from < to {
			out = append(out, "  "+strings.Repeat(" ", from)+t.paint(bad, strings.Repeat("^", to-from)))
		}
	}
	return out
}

// within is the part of line i that differs, when the line stands in the place of just one other.
func within(all []diffLine, i int) (from, to int) {
	at := func(k int) byte {
		if k < 0 || k >= len(all) {
			return ' '
		}
		return all[k].mark
	}
	if at(i) != '+' || at(i-1) != '-' || at(i-2) != ' ' || at(i+1) != ' ' {
		return 0, 0
	}
	from, to = differing(all[i-1].text, all[i].text)
	if to-from > utf8.RuneCountInString(all[i].text)/2 { // nothing much in common: a mark would say nothing
		return 0, 0
	}
	return from, to
}

// diff is the longest common subsequence, told as lines.
func diff(a, b []string) (out []diffLine) {
	longest := make([][]int, len(a)+1)
	for i := range longest {
		longest[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i][j] = 1 + longest[i+1][j+1]
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, diffLine{' ', a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || longest[i+1][j] >= longest[i][j+1]):
			out = append(out, diffLine{'-', a[i]})
			i++
		default:
			out = append(out, diffLine{'+', b[j]})
			j++
		}
	}
	return out
}
