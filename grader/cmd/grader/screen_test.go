package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheBarKeepsOutOfTheWay(t *testing.T) {
	var terminal bytes.Buffer // standard output and standard error are one terminal here
	s := &screen{w: &terminal, width: 60, all: 4}
	out := s.over(&terminal)
	s.note(func(s *screen) { s.now = "alice/solution.js" })
	out.Write([]byte("alice passes\n"))
	s.note(func(s *screen) { s.done, s.bad, s.now = 2, 1, strings.Repeat("a long name ", 10) })
	s.end()
	s.note(func(s *screen) { s.done = 3 }) // too late: no bar
	out.Write([]byte("the end\n"))
	const erase = "\r\x1b[K"
	empty, half := strings.Repeat("░", 24), strings.Repeat("█", 12)+strings.Repeat("░", 12)
	require.Equal(t, "\r"+empty+" 0/4  alice/solution.js\x1b[K"+
		erase+"alice passes\n"+
		"\r"+empty+" 0/4  alice/solution.js\x1b[K"+
		"\r"+half+" 2/4, 1 not passed  a long name a l\x1b[K"+
		erase+"the end\n", terminal.String())
}

func TestNoBarWithoutATerminal(t *testing.T) {
	var out, errors bytes.Buffer
	c := &command{stdout: &out, stderr: &errors, env: noEnv}
	s := c.newScreen(3)
	require.Equal(t, &out, s.over(&out))
	s.note(func(s *screen) { s.done = 1 })
	s.end()
	require.Empty(t, errors.String())
}

func TestColour(t *testing.T) {
	for env, want := range map[string]bool{"": true, "NO_COLOR=1": false, "TERM=dumb": false, "TERM=xterm": true} {
		name, value, _ := strings.Cut(env, "=")
		c := &command{env: func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		}}
		require.Equal(t, want, c.colour(), env)
	}
}
