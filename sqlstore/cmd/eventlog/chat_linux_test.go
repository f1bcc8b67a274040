package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A screen is a pseudoterminal, with a process at its other end.
type screen struct {
	t     *testing.T
	f     *os.File
	shown strings.Builder
}

// until reads until a text is shown.
func (s *screen) until(text string) {
	s.t.Helper()
	b := make([]byte, 4096)
	for !strings.Contains(s.shown.String(), text) {
		n, err := s.f.Read(b)
		require.NoError(s.t, err, "%q is not in %q", text, s.shown.String())
		s.shown.Write(b[:n])
	}
}

func (s *screen) types(text string) {
	s.t.Helper()
	_, err := s.f.WriteString(text)
	require.NoError(s.t, err)
}

func TestChatInATerminal(t *testing.T) {
	t.Parallel()
	f, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no pseudoterminals here: %v", err)
	}
	defer f.Close()
	require.NoError(t, unix.IoctlSetPointerInt(int(f.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	other, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	require.NoError(t, unix.IoctlSetWinsize(int(other.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 20}))

	p := newPlace(t)
	c := p.chatting("", "--model", scriptedModel)
	c.Env = append(c.Env, "NO_COLOR=1")
	c.Stdin, c.Stdout, c.Stderr = other, other, other
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, c.Start())
	require.NoError(t, other.Close())
	s := &screen{t: t, f: f}
	s.until("\r\n> ")
	s.types("what is 100000000000000*7\n")
	s.until("  calculator: 10000…\r\n  = 700000000000000\r\n100000000000000*7 = 700000000000000\r\n> ")
	s.types("\x03")
	s.until("^C\r\n")
	require.NoError(t, c.Wait())
	require.NotContains(t, s.shown.String(), "\x1b")
}
