package inspect

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a file as a whole; ask with [errors.Is]. A damaged one is an [eventlog.ErrCorrupt].
var (
	ErrUnknown     = errors.New("no session log of a known format")
	ErrUnsupported = errors.New("a version or a record of its format that this program must not guess at")
	ErrNoRepair    = errors.New("it cannot be repaired")
)

// An Error says what was tried with which file, where in it something is wrong, and what to do.
type Error struct {
	Op    string // "open", "read", "repair"
	File  string
	Place        // zero when it is about the whole file
	Mend  string // for a person; can be empty
	Err   error
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "inspect: %s %s", e.Op, e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ", line %d", e.Line)
	}
	fmt.Fprintf(&b, ": %v", e.Err)
	if e.Mend != "" {
		b.WriteString("; " + e.Mend)
	}
	return b.String()
}

// Unwrap returns the error that tells the kind.
func (e *Error) Unwrap() error { return e.Err }
