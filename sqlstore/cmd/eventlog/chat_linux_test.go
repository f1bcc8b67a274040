package main

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A window is a terminal that somebody looks at.
type window struct {
	t     *testing.T
	keys  *os.File
	shown strings.Builder
}

// until reads until a text is shown.
func (w *window) until(text string) {
	w.t.Helper()
	b := make([]byte, 4096)
	for !strings.Contains(w.shown.String(), text) {
		n, err := w.keys.Read(b)
		require.NoError(w.t, err, "%q is not in %q", text, w.shown.String())
		w.shown.Write(b[:n])
	}
}

func (w *window) types(text string) {
	w.t.Helper()
	_, err := w.keys.WriteString(text)
	require.NoError(w.t, err)
}

func TestChatInATerminal(t *testing.T) {
	t.Parallel()
	keys, screen := newTerminal(t)
	require.NoError(t, unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 20}))

	p := newPlace(t)
	c := p.chatting("", "--model", scriptedModel)
	c.Env = append(c.Env, "NO_COLOR=1")
	c.Stdin, c.Stdout, c.Stderr = screen, screen, screen
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, c.Start())
	require.NoError(t, screen.Close())
	w := &window{t: t, keys: keys}
	w.until("\r\n> ")
	w.types("what is 100000000000000*7\n")
	w.until("  calculator: 10000…\r\n  = 700000000000000\r\n100000000000000*7 = 700000000000000\r\n> ")
	w.types("\x03")
	w.until("^C\r\n")
	require.NoError(t, c.Wait())
	require.NotContains(t, w.shown.String(), "\x1b")
}
