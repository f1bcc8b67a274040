//go:build unix

package jsonlstore

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// errQuota is what a full quota answers.
const errQuota = syscall.EDQUOT

// lockFile locks an open file; got is false when somebody else has it and block is. https://man7.org/linux/man-pages/man2/flock.2.html
func lockFile(f *os.File, block, shared bool) (got bool, err error) {
	how := unix.LOCK_EX
	if shared {
		how = unix.LOCK_SH
	}
	if !block {
		how |= unix.LOCK_NB
	}
	for {
		switch err := unix.Flock(int(f.Fd()), how); {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}
