package demo

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"forgetmenot/eventlog"
)

// lanes are a picture of the log: a lane for each session, time to the right, an event a mark with its id.
type lanes []column

// A column is an event, or a crash, which crosses all lanes.
type column struct {
	lane, mark string
	lost       bool // it never came into the log
	crash      bool
}

// lanes puts the crashes between the events that came before and after, and what was lost before the first of them.
func (s *story) lanes(events []eventlog.StoredEvent) lanes {
	var all lanes
	crashes := slices.Clone(s.crashes)
	crash := func(before int64) {
		for len(crashes) > 0 && crashes[0] < before {
			all, crashes = append(all, column{crash: true, mark: killWord()}), crashes[1:]
		}
	}
	for _, f := range s.lost {
		all = append(all, column{lane: anna, mark: strings.ToLower(letter(f.kind)), lost: true})
	}
	for _, f := range factsOf(events) {
		crash(f.id)
		all = append(all, column{lane: f.event.SessionID, mark: fmt.Sprint(letter(f.kind), f.id)})
	}
	crash(1 << 62)
	return all
}

// letter stands for an event's type.
func letter(kind string) string {
	switch kind {
	case eventlog.TypeUserMessage:
		return "U"
	case eventlog.TypeToolCall:
		return "C"
	case eventlog.TypeToolResult:
		return "R"
	case eventlog.TypeAssistantMessage:
		return "A"
	}
	return "E"
}

func (p lanes) lines(l look) (all []string) {
	other, lost := "", ""
	var names []string
	for _, c := range p {
		if strings.HasPrefix(c.mark, "E") {
			other = ", E any other"
		}
		if c.lost {
			lost = " Small letters: told, and lost."
		}
		if !c.crash && !slices.Contains(names, c.lane) {
			names = append(names, c.lane)
		}
	}
	label := 0
	for _, name := range names {
		label = max(label, utf8.RuneCountInString(name))
	}
	room := l.room(margin) - label - 2
	for len(p) > 0 { // strips, as many as it takes
		wide, n := 0, 0
		for n < len(p) && (n == 0 || wide+p[n].wide() <= room) {
			wide += p[n].wide()
			n++
		}
		if len(all) > 0 {
			all = append(all, "")
		}
		all = append(all, p[:n].strip(l, names, label)...)
		p = p[n:]
	}
	all = append(all, "")
	for _, line := range l.wrapped(margin, "U user's message, C tool call, R its result, A answer"+other+"."+lost) {
		all = append(all, l.paint(dim, line))
	}
	return all
}

func (c column) wide() int {
	if c.crash {
		return 2
	}
	return len(c.mark) + 1
}

// strip draws lanes that fit.
func (p lanes) strip(l look, names []string, label int) (all []string) {
	above, at := "", label+2
	for _, c := range p {
		if c.crash { // its name above its line
			from := at - utf8.RuneCountInString(c.mark)/2
			above += strings.Repeat(" ", max(0, from-utf8.RuneCountInString(above))) + c.mark + " "
		}
		at += c.wide()
	}
	if above != "" {
		all = append(all, margin+l.paint(red, strings.TrimRight(above, " ")))
	}
	for _, name := range names {
		line := name + strings.Repeat(" ", label+2-utf8.RuneCountInString(name))
		for _, c := range p {
			switch {
			case c.crash:
				line += l.paint(red, "│") + " "
			case c.lane != name:
				line += strings.Repeat(" ", c.wide())
			case c.lost:
				line += l.paint(red, c.mark) + " "
			default:
				line += l.paint(blue, c.mark) + " "
			}
		}
		all = append(all, margin+strings.TrimRight(line, " "))
	}
	return all
}
