package eventlog

import (
	"errors"
	"fmt"
	"strings"
)

// What a store can answer instead. Ask with [errors.Is].
var (
	ErrNoSession     = errors.New("no such session")
	ErrSessionExists = errors.New("the session exists already")
	ErrConflict      = errors.New("the session has moved on")
	ErrKeyReused     = errors.New("the idempotency key came before with other events")
	ErrTooLarge      = errors.New("too large")
	ErrEmptyBatch    = errors.New("no events to append")
	ErrClosed        = errors.New("the store is closed")

	// These are of the place where a store keeps its data.
	ErrBusy         = errors.New("another process holds the store")            // try again
	ErrFull         = errors.New("no space left")                              // nothing was written; it works again when there is room
	ErrReadOnly     = errors.New("the store cannot be written")                // reads work
	ErrNotStore     = errors.New("not a store of this kind")                   // a foreign file, or a folder
	ErrNewerVersion = errors.New("written by a newer version of this program") // it is left untouched
	ErrCorrupt      = errors.New("the stored data is damaged")                 // it is left untouched
	ErrGone         = errors.New("the store's files were removed or replaced") // while it was open
	ErrIO           = errors.New("the disk failed")                            // whether an append is in, only its Key can tell
)

// A StoreError is every error of a store: what was tried, on what, what went wrong, and what to do about it.
type StoreError struct {
	Op      string // the method, as "append"
	Subject string // the session, file or argument that it is about; can be empty
	Mend    string // what to do, for a person; can be empty
	Err     error  // tells the kind
}

// NewStoreError makes an error of a store that can be read, however long its subject is. It has no mend.
func NewStoreError(op, subject string, err error) *StoreError {
	return &StoreError{Op: op, Subject: shortened(subject), Err: err}
}

func (e *StoreError) Error() string {
	var b strings.Builder
	b.WriteString("eventlog: " + e.Op)
	if e.Subject != "" {
		fmt.Fprintf(&b, " %q", e.Subject)
	}
	if fault, ok := e.Err.(*AppendError); ok {
		b.WriteString(": " + fault.fault()) // what was being done stands there already
	} else {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.Mend != "" {
		b.WriteString("; " + e.Mend)
	}
	return b.String()
}

// Unwrap returns the error that tells the kind.
func (e *StoreError) Unwrap() error { return e.Err }

// A ConflictError says how a session ends, and how an append believed that it did. It is an ErrConflict.
type ConflictError struct {
	Expected, Actual int64 // last event ids; 0 for none
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%v: its last event is %s, not %s", ErrConflict, eventName(e.Actual), eventName(e.Expected))
}

// Is makes it an ErrConflict.
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

func eventName(id int64) string {
	if id == 0 {
		return "none"
	}
	return fmt.Sprint(id)
}

// A LimitError says which limit was passed, and by what. It is an ErrTooLarge.
type LimitError struct {
	What       string // "payload", "batch", "session id", "title", "type", "key"
	Size, Most int    // bytes, or events where Unit says so
	Unit       string // "bytes" or "events"
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%v: the %s has %d %s, the limit is %d", ErrTooLarge, e.What, e.Size, e.Unit, e.Most)
}

// Is makes it an ErrTooLarge.
func (e *LimitError) Is(target error) bool { return target == ErrTooLarge }
