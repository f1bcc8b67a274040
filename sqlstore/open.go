package sqlstore

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// applicationID stands in the header of every store's file: "FMNL". https://sqlite.org/pragma.html#pragma_application_id
const applicationID = 0x464d4e4c

// Open opens the store in a file, and makes one when there is no such file, or an empty one. A store of an older version is brought up to date,
// in place: all of it, or nothing when that fails.
//
// The error is a *eventlog.StoreError: ErrNotStore for a folder, for a file that is something else, and for one in a folder that does not exist
// (which is an fs.ErrNotExist too); ErrNewerVersion; ErrCorrupt; ErrBusy; ErrFull; ErrReadOnly when there is nothing to read yet or nobody
// may read it; ErrIO. Files that are refused are left as they are.
//
// The context is for opening alone; its values are kept (sqlite3.WithMaxMemory among them).
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	s, err := open(ctx, path, o.withDefaults())
	if err != nil {
		return nil, storeError("open", path, translated(ctx, err))
	}
	return s, nil
}

func open(ctx context.Context, path string, o Options) (*Store, error) {
	// An absolute path stays right when the process changes its folder, and is never one of SQLite's special names.
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// A file is known by its real name: beside that lie its write-ahead log and its lock.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	exists, err := look(path)
	if err != nil {
		return nil, err
	}
	if o.ReadOnly && !exists {
		return nil, &fault{eventlog.ErrNotStore, mendNotStore, fs.ErrNotExist}
	}
	w, err := openWriter(ctx, path, &o)
	if exists && errors.Is(err, sqlite3.NOTADB) {
		err = &fault{eventlog.ErrCorrupt, mendCorrupt, err} // its header says that it is ours
	}
	if err != nil {
		return nil, err
	}
	s := newStore(context.WithoutCancel(ctx), path, o, w)
	if s.files, err = identify(path); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// look reads the beginning of a file, without SQLite, which would leave its marks beside it: it tells whether there is something in the file,
// and refuses what cannot be a store of this version. What changes while it looks is just being made by another process: it looks again.
func look(path string) (exists bool, err error) {
	for {
		before, stated := os.Stat(path)
		exists, err = lookOnce(path, before, stated)
		after, _ := os.Stat(path)
		if err == nil || before == nil || after == nil || before.Size() == after.Size() && before.ModTime().Equal(after.ModTime()) {
			return exists, err
		}
	}
}

// https://sqlite.org/fileformat2.html#the_database_header
func lookOnce(path string, info fs.FileInfo, err error) (exists bool, _ error) {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return false, &fault{eventlog.ErrNotStore, "make the folder first", err}
		}
		return false, nil
	case err != nil:
		return false, systemFault(err)
	case info.IsDir():
		return false, &fault{eventlog.ErrNotStore, "name a file, not a folder", nil}
	case !info.Mode().IsRegular():
		return false, &fault{eventlog.ErrNotStore, mendNotStore, errors.New("it is not a regular file")}
	case info.Size() == 0:
		return false, nil
	}
	// A file with a journal is being made, or its maker died; SQLite puts it in order.
	if _, err := os.Stat(path + "-journal"); err == nil {
		return true, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return false, systemFault(err)
	}
	defer f.Close()
	var header [100]byte
	n, err := io.ReadFull(f, header[:])
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, systemFault(err)
	}
	if string(header[:16]) != "SQLite format 3\x00" || n < len(header) {
		return false, &fault{eventlog.ErrNotStore, mendNotStore, errors.New("it is not a SQLite file")}
	}
	return true, checkVersion(binary.BigEndian.Uint32(header[68:]), int64(binary.BigEndian.Uint32(header[60:])))
}

// checkVersion refuses what is another program's, or a later one's.
func checkVersion(application uint32, version int64) error {
	if application != applicationID {
		return &fault{eventlog.ErrNotStore, mendNotStore, fmt.Errorf("a SQLite file with the application id %#x", application)}
	}
	if newest := int64(len(migrations())); version > newest {
		return &fault{eventlog.ErrNewerVersion, mendNewer, fmt.Errorf("the file has version %d, this program knows %d", version, newest)}
	}
	return nil
}

// openWriter opens the connection that writes, brings the file up to date and sets its journal mode. When the file can only be read it opens
// it for that, and says so in o.
func openWriter(ctx context.Context, path string, o *Options) (w *conn, err error) {
	if o.ReadOnly {
		return openReader(ctx, path, *o)
	}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	w, err = dial(ctx, path, create, *o)
	if err == nil {
		err = w.do(func() error { return w.prepareFile(ctx, *o) })
	}
	if err == nil {
		return w, w.setUp(*o)
	}
	if readOnly := translated(ctx, err); !errors.Is(readOnly, eventlog.ErrReadOnly) {
		return w, err
	}
	// Reads work, if SQLite can do without writing. It cannot when a journal has to be put in order first.
	w.close()
	first := err
	o.ReadOnly = true
	if w, err = openReader(ctx, path, *o); err != nil {
		err = first
	}
	return w, err
}

// openReader opens a connection that changes nothing.
//
// To read a write-ahead log takes an index beside the file. In a folder that cannot be written, and in which no other process has the file open,
// there is none; but then there is no log either, and the file can be read as one that stays as it is. When somebody begins to write it
// after all, files.check notices. https://sqlite.org/wal.html#read_only_databases
func openReader(ctx context.Context, path string, o Options) (*conn, error) {
	if !o.ReadOnly {
		return openReaderAs(ctx, path, write, o) // it may put the index in order after the crash of another process
	}
	c, err := openReaderAs(ctx, path, read, o)
	if err == nil || errors.Is(err, eventlog.ErrNotStore) || errors.Is(err, eventlog.ErrNewerVersion) {
		return c, err
	}
	if _, missing := os.Stat(path + "-wal"); !errors.Is(missing, fs.ErrNotExist) {
		return nil, err
	}
	return openReaderAs(ctx, path, frozen, o)
}

func openReaderAs(ctx context.Context, path string, m mode, o Options) (c *conn, err error) {
	c, err = dial(ctx, path, m, o)
	if err == nil {
		err = c.setUp(o)
	}
	if err == nil {
		err = c.do(func() error {
			if _, err := c.pragma("query_only = 1"); err != nil {
				return err
			}
			return c.checkFile(false)
		})
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// checkFile looks at a file through SQLite, which sees what lies in the write-ahead log as well. It tells in which version it is: 0 is an empty file, which is
// refused unless it may be.
func (c *conn) checkFile(mayBeEmpty bool) error {
	// The tables first: of a file that another process makes meanwhile the version is then not older than they are.
	tables := int64(0)
	if _, err := c.one(func(s *sqlite3.Stmt) { tables = s.ColumnInt64(0) }, "SELECT count(*) FROM sqlite_schema"); err != nil {
		return err
	}
	application, version, err := c.version()
	if err != nil || mayBeEmpty && tables == 0 && application == 0 && version == 0 {
		return err
	}
	if err := checkVersion(application, version); err != nil {
		return err
	}
	if version < int64(len(migrations())) && !mayBeEmpty {
		return &fault{eventlog.ErrReadOnly, "open it once where it can be written: it has to be brought up to date", fmt.Errorf("the file has version %d", version)}
	}
	return nil
}

func (c *conn) version() (application uint32, version int64, err error) {
	_, err = c.one(func(s *sqlite3.Stmt) {
		application, version = uint32(s.ColumnInt64(0)), s.ColumnInt64(1)
	}, "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version")
	return application, version, err
}

// prepareFile makes a new file a store, and an older store one of today.
func (c *conn) prepareFile(ctx context.Context, o Options) error {
	// Closing must not move anything in a file that will be refused. https://sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfignockptonclose
	if _, err := c.db.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, true); err != nil {
		return err
	}
	if err := c.checkFile(true); err != nil {
		return err
	}
	if _, err := c.db.Config(sqlite3.DBCONFIG_NO_CKPT_ON_CLOSE, false); err != nil {
		return err
	}
	if err := c.migrate(migrations()); err != nil {
		return err
	}
	// After the schema: as long as a new file has a rollback journal, its header says whose it is as soon as there is one. To change the mode
	// takes the file alone, and is not waited for. https://sqlite.org/wal.html#activating_and_configuring_wal_mode
	for give := time.Now().Add(o.BusyTimeout); ; {
		got, err := c.pragma("journal_mode = wal")
		if err == nil && got != "wal" {
			return &fault{eventlog.ErrIO, "keep it on a disk of this machine, not on a network's", fmt.Errorf("the file system has no write-ahead log: journal mode %q", got)}
		}
		if !errors.Is(err, sqlite3.BUSY) || time.Now().After(give) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}
