package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
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

// errNotOurs is of a file that turns out not to be a store when it is open.
var errNotOurs = &fault{kind: eventlog.ErrNotStore, mend: mendNotStore}

const (
	mendNotStore   = "name another file, or one that does not exist yet"
	mendCorrupt    = "run verify to see what is damaged, then restore the newest backup"
	mendBusy       = "try again; if it lasts, find the program that keeps the file open for writing"
	mendFull       = "make room on the disk, then try again; nothing was written"
	mendFullSync   = "make room on the disk, then repeat the append with the same key to know whether it is in"
	mendReadOnly   = "give this user the right to write the file and its folder, or open another one"
	mendGone       = "put the file back where it was, or close the store and open it again"
	mendIO         = "look after the disk, then repeat the append with the same key to know whether it is in"
	mendPermission = "give this user the right to read and write the file and its folder"
	mendEngine     = "try again, an append with the same key; report it if it comes again"
	mendNewer      = "open it with the newest version of this program; it was left as it is"
	mendClosed     = "open it again"
)

// storeError is what a method answers. It is nil when err is.
func storeError(op, subject string, err error) error {
	if err == nil {
		return nil
	}
	var own *eventlog.StoreError
	if errors.As(err, &own) {
		return own
	}
	e := &eventlog.StoreError{Op: op, Subject: shortened(subject), Err: err}
	var f *fault
	if errors.As(err, &f) {
		e.Mend = f.mend
	}
	return e
}

// translated finds the kind of an error of SQLite by its result code. What is of our own kind already stays as it is.
//
// https://sqlite.org/rescode.html
func translated(ctx context.Context, err error) error {
	if err == nil || errors.As(err, new(*fault)) || errors.As(err, new(*eventlog.StoreError)) {
		return err
	}
	if errors.As(err, new(enginePanic)) {
		return &fault{eventlog.ErrIO, mendEngine, err}
	}
	var code sqlite3.ErrorCode
	if !errors.As(err, &code) {
		return err // one of eventlog's, or the context's
	}
	switch code {
	case sqlite3.INTERRUPT:
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &fault{eventlog.ErrClosed, mendClosed, err}
	case sqlite3.BUSY, sqlite3.LOCKED, sqlite3.PROTOCOL:
		return &fault{eventlog.ErrBusy, mendBusy, err}
	case sqlite3.FULL:
		return &fault{eventlog.ErrFull, mendFull, err}
	case sqlite3.READONLY:
		if errors.Is(err, sqlite3.READONLY_DBMOVED) {
			return &fault{eventlog.ErrGone, mendGone, err}
		}
		return &fault{eventlog.ErrReadOnly, mendReadOnly, err}
	case sqlite3.NOTADB:
		return &fault{eventlog.ErrNotStore, mendNotStore, err}
	case sqlite3.TOOBIG:
		return &fault{eventlog.ErrTooLarge, "append less at once", err}
	case sqlite3.CORRUPT, sqlite3.ERROR, sqlite3.CONSTRAINT, sqlite3.SCHEMA, sqlite3.MISMATCH:
		// Our statements are right for the schema. When they are not, or a row does not fit its neighbours, somebody has changed the file.
		return &fault{eventlog.ErrCorrupt, mendCorrupt, err}
	case sqlite3.IOERR, sqlite3.CANTOPEN, sqlite3.PERM, sqlite3.AUTH:
		return systemFault(err)
	}
	return &fault{eventlog.ErrIO, mendEngine, err}
}

// systemFault is what the operating system said when SQLite could not read, write or open.
func systemFault(err error) error {
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, errQuota)
	switch {
	case errors.Is(err, sqlite3.IOERR_FSYNC) && full:
		return &fault{eventlog.ErrIO, mendFullSync, err}
	case errors.Is(err, sqlite3.IOERR_FSYNC):
		return &fault{eventlog.ErrIO, mendIO, err} // whatever the cause: nobody knows what is written
	case full:
		return &fault{eventlog.ErrFull, mendFull, err}
	case errors.Is(err, syscall.EROFS):
		return &fault{eventlog.ErrReadOnly, mendReadOnly, err}
	case errors.Is(err, sqlite3.CANTOPEN_ISDIR), errors.Is(err, syscall.EISDIR):
		return &fault{eventlog.ErrNotStore, "name a file, not a folder", err}
	case errors.Is(err, fs.ErrPermission):
		return &fault{eventlog.ErrReadOnly, mendPermission, err}
	case errors.Is(err, sqlite3.IOERR_CORRUPTFS), errors.Is(err, sqlite3.IOERR_DATA), errors.Is(err, sqlite3.IOERR_SHORT_READ):
		return &fault{eventlog.ErrCorrupt, mendCorrupt, err}
	}
	return &fault{eventlog.ErrIO, mendIO, err}
}

// shortened keeps an error's text readable, whatever it is about.
func shortened(subject string) string {
	runes := []rune(subject)
	if len(subject) <= 80 || len(runes) <= 80 {
		return subject
	}
	return string(runes[:80]) + "…"
}
