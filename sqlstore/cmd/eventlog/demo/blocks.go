package demo

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// A block is a part of the narration. lines is what it looks like.
type block interface{ lines(look) []string }

// A look is the paper that the story is printed on.
type look struct {
	width int
	color bool
}

const margin = "   "

// The colours that say what words and marks say too.
const (
	bold  = "1"
	dim   = "2"
	red   = "31"
	green = "32"
	blue  = "34"
)

func (l look) paint(color, text string) string {
	if !l.color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}

// room is how many columns a text has that begins behind an indent. Longer lines than 76 are hard to read.
func (l look) room(indent string) int {
	return max(20, min(l.width-1, 76)-utf8.RuneCountInString(indent))
}

// wrapped breaks a text into lines at its spaces. first begins the first line, and the others are as far in.
func (l look) wrapped(first, text string) []string {
	room, indent := l.room(first), strings.Repeat(" ", utf8.RuneCountInString(first))
	var all []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > room {
			all, line = append(all, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	all = append(all, line)
	for i := range all {
		if i == 0 {
			all[i] = first + all[i]
		} else {
			all[i] = indent + all[i]
		}
	}
	return all
}

// A title stands at the beginning.
type title string

func (t title) lines(l look) []string {
	all := l.wrapped("", string(t))
	for i := range all {
		all[i] = l.paint(bold, all[i])
	}
	return all
}

// A chapter begins a step.
type chapter struct {
	n    int
	name string
}

func (c chapter) lines(l look) []string {
	return []string{l.paint(bold, fmt.Sprintf("%-*d%s", len(margin), c.n, c.name))}
}

type para string

func (p para) lines(l look) (all []string) {
	for line := range strings.SplitSeq(string(p), "\n") {
		all = append(all, l.wrapped(margin, line)...)
	}
	return all
}

// why is the reason of a rule.
type why string

func (w why) lines(l look) []string {
	all := l.wrapped(margin+"Why: ", string(w))
	all[0] = margin + l.paint(blue, "Why:") + strings.TrimPrefix(all[0], margin+"Why:")
	return all
}

// A claim has been seen to hold.
type claim string

func (c claim) lines(l look) []string {
	all := l.wrapped(margin+"✓ ", string(c))
	all[0] = margin + l.paint(green, "✓") + strings.TrimPrefix(all[0], margin+"✓")
	return all
}

// A broken claim did not hold.
type broken struct{ claim, observed string }

func (b broken) lines(l look) []string {
	all := l.wrapped(margin+"✗ ", b.claim)
	all[0] = margin + l.paint(red, "✗") + strings.TrimPrefix(all[0], margin+"✗")
	return append(all, l.wrapped(margin+"  ", "But "+b.observed+".")...)
}

// A request is shown as it goes over the wire.
type request []string

func (r request) lines(l look) (all []string) {
	for _, line := range r {
		all = append(all, margin+"  "+l.paint(dim, line))
	}
	return all
}

// A crash is a line across.
type crash string

func (c crash) lines(l look) []string {
	text := "── " + string(c) + " "
	return []string{margin + l.paint(red, text+strings.Repeat("─", max(2, l.room(margin)-utf8.RuneCountInString(text))))}
}

func (f facts) lines(l look) (all []string) {
	if len(f) == 0 {
		return []string{margin + "  " + l.paint(dim, "(nothing)")}
	}
	wide := 0
	for _, one := range f {
		wide = max(wide, len(one.kind))
	}
	for _, one := range f {
		id := fmt.Sprint(one.id)
		if one.id == 0 {
			id = "-"
		}
		head := fmt.Sprintf("%s%4s  ", margin, id)
		if l.room(head)-wide < 24 { // no room for two columns
			all = append(all, head+l.paint(dim, one.kind))
			all = append(all, l.wrapped(strings.Repeat(" ", len(head)), one.text)...)
			continue
		}
		rows := l.wrapped(head+fmt.Sprintf("%-*s  ", wide, one.kind), one.text)
		rows[0] = head + l.paint(dim, one.kind) + strings.TrimPrefix(rows[0], head+one.kind)
		all = append(all, rows...)
	}
	return all
}

// rules are what was seen, and the rule that it shows.
type rules [][2]string

func (r rules) lines(l look) []string {
	const saw, rule = "What you saw", "The rule"
	wide, wideRule := len(saw), len(rule)
	for _, one := range r {
		wide, wideRule = max(wide, utf8.RuneCountInString(one[0])), max(wideRule, utf8.RuneCountInString(one[1]))
	}
	if wide+2+wideRule > l.room(margin) { // one below the other
		all := []string{margin + l.paint(bold, saw+", and the rule")}
		for _, one := range r {
			all = append(all, l.wrapped(margin, one[0])...)
			all = append(all, l.wrapped(margin+"  → ", one[1])...)
		}
		return all
	}
	all := []string{margin + l.paint(bold, fmt.Sprintf("%-*s  %s", wide, saw, rule))}
	for _, one := range r {
		all = append(all, fmt.Sprintf("%s%-*s  %s", margin, wide, one[0], one[1]))
	}
	return all
}

// A list is a sentence with commands below it, to be copied: they are not broken.
type list struct {
	head     string
	commands []string
}

func (c list) lines(l look) []string {
	all := l.wrapped(margin, c.head)
	for _, one := range c.commands {
		all = append(all, margin+"  "+one)
	}
	return all
}
