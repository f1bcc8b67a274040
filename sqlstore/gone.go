package sqlstore

import (
	"errors"
	"io/fs"
	"os"

	"forgetmenot/eventlog"
)

// The files of a store, as they were when it was opened. While it is open it goes on writing into these very files, whatever their names have come
// to stand for: what is appended to a file that was removed is lost when the store is closed, without any error from the system.
type files struct {
	path      string
	main, wal fs.FileInfo // wal can be nil
}

// identify looks at a store's files. It is called when a connection is set up, so that the write-ahead log is there.
func identify(path string) (files, error) {
	f := files{path: path}
	var err error
	if f.main, err = os.Stat(path); err != nil {
		return f, systemFault(err)
	}
	// The log is not there when nobody can write it.
	if f.wal, err = os.Stat(path + "-wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, systemFault(err)
	}
	return f, nil
}

// check tells whether the names still stand for these files.
func (f files) check() error {
	if err := unmoved(f.path, f.main); err != nil {
		return err
	}
	if f.wal == nil {
		if _, err := os.Stat(f.path + "-wal"); err == nil {
			return &fault{eventlog.ErrGone, "close the store and open it again", errors.New("another program writes it now")}
		}
		return nil
	}
	return unmoved(f.path+"-wal", f.wal)
}

func unmoved(path string, was fs.FileInfo) error {
	is, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &fault{eventlog.ErrGone, mendGone, err}
	case err != nil:
		return systemFault(err)
	case !os.SameFile(was, is):
		return &fault{eventlog.ErrGone, mendGone, errors.New(path + " is another file now")}
	}
	return nil
}
