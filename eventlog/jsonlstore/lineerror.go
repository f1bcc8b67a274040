package jsonlstore

import "fmt"

// A LineError says what is wrong in a file, and where. It is an eventlog.ErrCorrupt, ErrNotStore or ErrNewerVersion; the file is left as it is.
type LineError struct {
	File   string // its path
	Line   int64  // from 1; the header is line 1
	Reason string // for a person
	Err    error  // tells the kind
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%v: %s, line %d: %s", e.Err, e.File, e.Line, e.Reason)
}

// Unwrap returns the error that tells the kind.
func (e *LineError) Unwrap() error { return e.Err }

// in is the error with its file.
func (e *LineError) in(path string) *LineError {
	named := *e
	named.File = path
	return &named
}
