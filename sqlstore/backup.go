package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// Backup writes a copy of the store, as it is at one moment, to a new file. Reads and appends go on meanwhile. The copy is a store like any other:
// it is checked as by Verify and written through to the disk before it gets its name, so that a file with that name is a whole backup.
//
// When there is a file with that name the error is an fs.ErrExist, and when the store itself is damaged ErrCorrupt; nothing is left behind.
// To copy the file of an open store by other means loses what lies in its write-ahead log.
func (s *Store) Backup(ctx context.Context, target string) error {
	if err := s.begin(ctx); err != nil {
		return storeError("backup", target, err)
	}
	defer s.calls.Done()
	err := publishCopy(ctx, s.path, target, s.o)
	if gone := s.files.check(); gone != nil {
		err = gone
	}
	return storeError("backup", target, translated(ctx, err))
}

// Restore makes a store out of a backup, which stays as it is. It is Backup the other way: the copy is checked, and never takes the place
// of another file. So a damaged store is first moved away, with the files beside it whose names begin with its own.
func Restore(ctx context.Context, backup, target string) error {
	err := restore(ctx, backup, target)
	return storeError("restore", target, translated(ctx, err))
}

func restore(ctx context.Context, backup, target string) error {
	exists, err := look(backup)
	if err != nil {
		return storeError("restore", backup, err)
	}
	if !exists {
		return storeError("restore", backup, &fault{eventlog.ErrNotStore, "name a file that Backup has made", fs.ErrNotExist})
	}
	path, err := filepath.Abs(backup)
	if err != nil {
		return err
	}
	return publishCopy(ctx, path, target, Options{ReadOnly: true}.withDefaults())
}

// publishCopy writes a copy beside its target and gives it the name when it is whole.
func publishCopy(ctx context.Context, from, target string, o Options) (err error) {
	target, err = filepath.Abs(target)
	if err != nil {
		return err
	}
	// A write-ahead log that lies there would be taken for the copy's own, and read into it.
	for _, ending := range []string{"", "-wal", "-journal"} {
		if _, err := os.Lstat(target + ending); err == nil {
			return &fault{eventlog.ErrIO, "name a file that does not exist yet", fmt.Errorf("%s: %w", target+ending, fs.ErrExist)}
		}
	}
	temporary, err := os.CreateTemp(filepath.Dir(target), ".*-"+filepath.Base(target))
	if err != nil {
		return systemFault(err)
	}
	name := temporary.Name()
	defer func() {
		temporary.Close()
		os.Remove(name)
	}()
	if err := copyInto(ctx, from, name, o); err != nil {
		return err
	}
	if err := checkCopy(ctx, name, o); err != nil {
		return err
	}
	if err := temporary.Sync(); err != nil {
		return systemFault(err)
	}
	return publish(name, target)
}

// copyInto writes what a store holds at one moment into an empty file. https://sqlite.org/lang_vacuum.html#vacuum_with_an_into_clause
//
// The backup API begins again whenever another connection writes, and never ends under load.
func copyInto(ctx context.Context, from, to string, o Options) error {
	c, err := openReader(ctx, from, o)
	if err != nil {
		return err
	}
	defer c.close()
	return c.do(func() error {
		if _, err := c.pragma("query_only = 0"); err != nil {
			return err
		}
		c.db.SetInterrupt(ctx)
		return c.db.Exec("VACUUM main INTO " + sqlite3.Quote(to))
	})
}

func checkCopy(ctx context.Context, path string, o Options) error {
	c, err := openReaderAs(ctx, path, frozen, Options{ReadOnly: true, Synchronous: o.Synchronous, vfs: o.vfs})
	if err != nil {
		return err
	}
	defer c.close()
	r, err := c.verify(ctx, nil)
	if err == nil && !r.OK() {
		err = &fault{eventlog.ErrCorrupt, mendCorrupt, errors.New(r.Faults[0].Text)}
	}
	return err
}

// publish gives a file its name, unless that is taken, and makes the name last. A link fails when the name is taken, which a rename does not; where there
// are no links the name is taken by an empty file first.
func publish(temporary, target string) error {
	err := os.Link(temporary, target)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		var reserved *os.File
		if reserved, err = os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600); err == nil {
			reserved.Close()
			err = os.Rename(temporary, target)
		}
	}
	if err != nil {
		return systemFault(err)
	}
	folder, err := os.Open(filepath.Dir(target))
	if err != nil {
		return nil // not every system lets a folder be opened
	}
	defer folder.Close()
	folder.Sync()
	return nil
}
