package jsonlstore

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// A folder is all that the store asks of a file system, so that tests can give it one that fails, or loses its power. Names are within the folder.
type folder interface {
	// open opens a file that is there.
	open(name string, write bool) (file, error)
	// create opens a new file for writing. What had the name before loses it, and is not changed: it can have another one.
	create(name string) (file, error)
	// publish gives a file its final name, and fails with fs.ErrExist when that is taken.
	publish(from, to string) error
	remove(name string) error
	list() ([]entry, error)
	// sync makes durable which names there are.
	sync() error
	// lock keeps the folder's other users out until unlock, in this process and in others. It waits so long for one of them, and answers errLocked.
	// A shared lock keeps out only those who want it for themselves, and can be had by one who may only read.
	lock(wait time.Duration, shared bool) (unlock func(), err error)
}

type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	// Sync makes the file's content and length durable.
	Sync() error
	size() (int64, error)
}

type entry struct {
	name string
	size int64
}

var errLocked = errors.New("the folder is locked")

// An osFolder is a folder of the operating system.
type osFolder struct{ path string }

type osFile struct{ *os.File }

func (f osFile) size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func (f osFile) Sync() error { return syncData(f.File) }

func (d osFolder) open(name string, write bool) (file, error) {
	flag := os.O_RDONLY
	if write {
		flag = os.O_RDWR
	}
	return opened(os.OpenFile(filepath.Join(d.path, name), flag, 0))
}

func (d osFolder) create(name string) (file, error) {
	path := filepath.Join(d.path, name)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return opened(os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666))
}

func opened(f *os.File, err error) (file, error) {
	if err != nil {
		return nil, err
	}
	return osFile{f}, nil
}

// publish links the new name, which fails when there is one: a rename would replace it. Where there are no links it looks first; under the folder's lock
// nobody who plays by the rules comes between.
func (d osFolder) publish(from, to string) error {
	from, to = filepath.Join(d.path, from), filepath.Join(d.path, to)
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		if err == nil {
			os.Remove(from) // one that stays is in nobody's way
		}
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return &fs.PathError{Op: "publish", Path: to, Err: fs.ErrExist}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(from, to)
}

func (d osFolder) remove(name string) error { return os.Remove(filepath.Join(d.path, name)) }

func (d osFolder) list() ([]entry, error) {
	files, err := os.ReadDir(d.path)
	if err != nil {
		return nil, err
	}
	list := make([]entry, 0, len(files))
	for _, f := range files {
		if _, ours := isSessionFile(f.Name()); !ours {
			continue
		}
		info, err := f.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // since then
		}
		if err != nil {
			return nil, err
		}
		list = append(list, entry{f.Name(), info.Size()})
	}
	return list, nil
}

// sync writes the folder itself. On Windows a folder cannot be synced, and a name is as durable as its file.
func (d osFolder) sync() error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(d.path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// lock opens the lock file for each lock anew: a lock belongs to an open file, so two stores of one process exclude each other like two processes, and it
// ends with its process.
func (d osFolder) lock(wait time.Duration, shared bool) (func(), error) {
	path := filepath.Join(d.path, lockName)
	flag := os.O_RDWR | os.O_CREATE
	if shared {
		flag = os.O_RDONLY
	}
	f, err := os.OpenFile(path, flag, 0o666)
	if err != nil {
		return nil, err
	}
	unlock := func() { f.Close() }
	got, err := lockFile(f, false, shared)
	if err != nil {
		unlock()
		return nil, err
	}
	if got {
		return unlock, nil
	}
	if wait <= 0 {
		unlock()
		return nil, errLocked
	}
	// The system queues those who wait, which trying again and again would not.
	outcome := make(chan error)
	abandoned := make(chan struct{})
	go func() {
		_, err := lockFile(f, true, shared)
		select {
		case outcome <- err:
		case <-abandoned:
			unlock()
		}
	}()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case err = <-outcome:
	case <-timer.C:
		close(abandoned)
		return nil, errLocked
	}
	if err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}
