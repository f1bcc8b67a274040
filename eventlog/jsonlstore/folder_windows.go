package jsonlstore

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/windows"
)

// errQuota is what a full quota answers.
const errQuota = syscall.Errno(windows.ERROR_DISK_QUOTA_EXCEEDED)

// lockFile locks an open file; got is false when somebody else has it and block is.
// https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-lockfileex
func lockFile(f *os.File, block, shared bool) (got bool, err error) {
	var how uint32
	if !shared {
		how = windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	if !block {
		how |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	err = windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, new(windows.Overlapped))
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, windows.ERROR_LOCK_VIOLATION):
		return false, nil
	}
	return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
}

func syncData(f *os.File) error { return f.Sync() }
