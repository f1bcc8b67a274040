package jsonlstore

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncData leaves out what nobody needs to read the file again, such as its time. The length is not left out.
// https://man7.org/linux/man-pages/man2/fdatasync.2.html
func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if err == nil {
			return nil
		}
		if !errors.Is(err, unix.EINTR) {
			return &os.PathError{Op: "fdatasync", Path: f.Name(), Err: err}
		}
	}
}
