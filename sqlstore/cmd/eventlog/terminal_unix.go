//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// terminal tells whether it, a reader or a writer, is a terminal, and how many columns it has.
func terminal(of any) (columns int, ok bool) {
	f, isFile := of.(*os.File)
	if !isFile {
		return 0, false
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	if size.Col == 0 { // a terminal that does not say
		return 80, true
	}
	return int(size.Col), true
}
