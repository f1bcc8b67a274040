package jsonlstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"forgetmenot/eventlog"
)

// A fault is an error of this package: its kind, for errors.Is, what to do about it, and what brought it up.
type fault struct {
	kind  error // one of eventlog's
	mend  string
	cause error // can be nil
}

func (f *fault) Error() string {
	if f.cause == nil {
		return f.kind.Error()
	}
	return fmt.Sprintf("%v (%v)", f.kind, f.cause)
}

func (f *fault) Unwrap() []error {
	if f.cause == nil {
		return []error{f.kind}
	}
	return []error{f.kind, f.cause}
}

const (
	mendNotStore   = "move the file elsewhere, or name another folder"
	mendNotFolder  = "name a folder, or one that does not exist yet"
	mendCorrupt    = "look at that line; put the file's newest backup in its place, or move it elsewhere. It was left as it is, and the other sessions work"
	mendNewer      = "open it with the newest version of this program; it was left as it is"
	mendBusy       = "try again; if it lasts, find the program that keeps the folder open for writing"
	mendFull       = "make room on the disk, then try again; nothing was written"
	mendReadOnly   = "give this user the right to write the folder and its files, or open another one"
	mendGone       = "put the file back where it was, then open the store again"
	mendReplaced   = "find out which program has changed the file, put the right one in its place, then open the store again"
	mendIO         = "look after the disk, then repeat the append with the same key to know whether it is in"
	mendUnsure     = "look after the disk, open the store again, then repeat the append with the same key to know whether it is in"
	mendPermission = "give this user the right to read and write the folder and its files"
	mendClosed     = "open it again"
)

func errClosed() error { return &fault{kind: eventlog.ErrClosed, mend: mendClosed} }

// storeError is what a method answers. It is nil when err is.
func storeError(op, subject string, err error) error {
	if err == nil {
		return nil
	}
	var own *eventlog.StoreError
	if errors.As(err, &own) {
		return own
	}
	err = translated(err)
	e := eventlog.NewStoreError(op, subject, err)
	var f *fault
	var line *LineError
	switch {
	case errors.As(err, &f):
		e.Mend = f.mend
	case errors.As(err, &line):
		switch {
		case errors.Is(err, eventlog.ErrNewerVersion):
			e.Mend = mendNewer
		case errors.Is(err, eventlog.ErrNotStore):
			e.Mend = mendNotStore
		default:
			e.Mend = mendCorrupt
		}
	}
	return e
}

// translated finds the kind of an error of the operating system. What is of our own kind already stays as it is.
func translated(err error) error {
	if err == nil || errors.As(err, new(*fault)) || errors.As(err, new(*LineError)) || errors.As(err, new(*eventlog.StoreError)) {
		return err
	}
	for _, kind := range []error{
		eventlog.ErrNoSession, eventlog.ErrSessionExists, eventlog.ErrConflict, eventlog.ErrKeyReused, context.Canceled, context.DeadlineExceeded,
	} {
		if errors.Is(err, kind) {
			return err
		}
	}
	switch {
	case errors.Is(err, errLocked):
		return &fault{eventlog.ErrBusy, mendBusy, err}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, errQuota):
		return &fault{eventlog.ErrFull, mendFull, err}
	case errors.Is(err, syscall.EROFS):
		return &fault{eventlog.ErrReadOnly, mendReadOnly, err}
	case errors.Is(err, fs.ErrPermission):
		return &fault{eventlog.ErrReadOnly, mendPermission, err}
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return &fault{eventlog.ErrNotStore, mendNotFolder, err}
	case errors.Is(err, fs.ErrNotExist):
		return &fault{eventlog.ErrGone, mendGone, err}
	}
	return &fault{eventlog.ErrIO, mendIO, err}
}
