package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"
)

// A screen keeps a progress bar on standard error, when that is a terminal, out of the way of what is written to standard output.
type screen struct {
	mu     sync.Mutex
	w      io.Writer // nil: no terminal, no bar
	width  int
	colour bool
	all    int
	done   int
	bad    int
	now    string
	shown  bool
}

func (c *command) newScreen(all int) *screen {
	s := &screen{all: all}
	if width, ok := terminal(c.stderr); ok && c.env("TERM") != "dumb" {
		s.w, s.width, s.colour = c.stderr, width, c.colour()
	}
	return s
}

// note changes what the bar says.
func (s *screen) note(change func(s *screen)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(s)
	s.draw()
}

// over is w with the bar taken away while something is written to it.
func (s *screen) over(w io.Writer) io.Writer {
	if s.w == nil {
		return w
	}
	return overWriter{s, w}
}

type overWriter struct {
	s *screen
	w io.Writer
}

func (o overWriter) Write(p []byte) (int, error) {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	o.s.erase()
	n, err := o.w.Write(p)
	o.s.draw()
	return n, err
}

// end takes the bar away for good.
func (s *screen) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	s.w = nil
}

func (s *screen) erase() {
	if s.w != nil && s.shown {
		io.WriteString(s.w, "\r\x1b[K")
		s.shown = false
	}
}

func (s *screen) draw() {
	if s.w == nil || s.all == 0 {
		return
	}
	const cells = 24
	full := cells * s.done / s.all
	bar := strings.Repeat("█", full) + strings.Repeat("░", cells-full)
	text := fmt.Sprintf(" %d/%d", s.done, s.all)
	if s.bad > 0 {
		text += fmt.Sprintf(", %d not passed", s.bad)
	}
	if s.now != "" {
		text += "  " + s.now
	}
	if room := s.width - cells - 1; utf8.RuneCountInString(text) > room {
		text = string([]rune(text)[:max(0, room)])
	}
	if s.colour {
		bar = "\x1b[34m" + bar + "\x1b[0m"
	}
	fmt.Fprintf(s.w, "\r%s%s\x1b[K", bar, text)
	s.shown = true
}
