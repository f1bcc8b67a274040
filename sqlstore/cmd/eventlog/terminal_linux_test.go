package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// newTerminal is a terminal: what a person types goes into keys, what they see comes out of it.
func newTerminal(t *testing.T) (keys, screen *os.File) {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("this machine gives no terminal: %v", err)
	}
	t.Cleanup(func() { keys.Close() })
	require.NoError(t, unix.IoctlSetPointerInt(int(keys.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(keys.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	screen, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { screen.Close() })
	return keys, screen
}

func TestRepairAsksOnATerminal(t *testing.T) {
	for answer, written := range map[string]bool{"n\n": false, "\n": false, "yes\n": true} {
		p := newPlace(t)
		keys, screen := newTerminal(t)
		_, err := io.WriteString(keys, answer)
		require.NoError(t, err)
		var out, errors bytes.Buffer
		status := run(t.Context(), []string{"inspect", p.write("pi.jsonl", sample(t, "pi")), "--repair", p.beside("out")}, screen, &out, &errors)
		require.Equal(t, exitDone, status, errors.String())
		require.Contains(t, out.String(), "would append", "it is shown before it is asked")
		require.Contains(t, errors.String(), "with these changes? [y/N]")
		if written {
			require.FileExists(t, p.beside("out"))
		} else {
			require.NoFileExists(t, p.beside("out"))
			require.Contains(t, errors.String(), "nothing was written")
		}
	}
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer null.Close()
	p := newPlace(t)
	var out, errors bytes.Buffer
	require.Equal(t, exitUsage, run(t.Context(), []string{"inspect", p.write("pi.jsonl", sample(t, "pi")), "--repair", p.beside("out")}, null, &out, &errors))
}

// shown is what has been written to a terminal since it was last asked.
func shown(t *testing.T, keys, screen *os.File) string {
	t.Helper()
	const end = "\x04the end"
	_, err := io.WriteString(screen, end)
	require.NoError(t, err)
	var all []byte
	for !bytes.HasSuffix(all, []byte(end)) { // a terminal hands out what it has in pieces
		piece := make([]byte, 4096)
		n, err := keys.Read(piece)
		require.NoError(t, err)
		all = append(all, piece[:n]...)
	}
	return string(bytes.TrimSuffix(all, []byte(end)))
}

func TestABarIsForTerminals(t *testing.T) {
	for _, color := range []string{"", "1"} {
		t.Setenv("NO_COLOR", color)
		t.Setenv("TERM", "xterm")
		p := newPlace(t)
		p.write("logs/a.jsonl", whole)
		p.write("logs/b.jsonl", whole)
		keys, screen := newTerminal(t)
		var out bytes.Buffer
		require.Equal(t, exitDone, run(t.Context(), []string{"inspect", p.beside("logs")}, nil, &out, screen))
		require.NotContains(t, out.String(), "\x1b")
		seen := shown(t, keys, screen)
		require.Contains(t, seen, "2/2 b.jsonl")
		require.Equal(t, color == "", strings.Contains(seen, "\x1b[34m"))
		require.True(t, strings.HasSuffix(seen, "\r\x1b[K"), "nothing of it stays")

		t.Setenv("TERM", "dumb")
		require.Equal(t, exitDone, run(t.Context(), []string{"inspect", p.beside("logs")}, nil, &out, screen))
		require.Empty(t, shown(t, keys, screen))
	}
}
