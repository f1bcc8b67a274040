package sqlstore

import (
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/vfs"
)

// OnVFS makes a store keep its file through a VFS that was registered by this name.
func OnVFS(o Options, name string) Options {
	o.vfs = name
	return o
}

// Tuned makes a store run a statement in each connection when that is set up: a pragma that its options do not have.
func Tuned(o Options, sql string) Options {
	o.tune = func(c *sqlite3.Conn) error { return c.Exec(sql) }
	return o
}

// A TapVFS is the operating system's files with a tap in the line: what SQLite asks of a file passes through it.
type TapVFS struct {
	vfs.VFS
	tap atomic.Pointer[Tap]

	mu    sync.Mutex // an open or a delete at a time
	files map[string]int
	made  int
}

// A Tap is called with each operation, by several goroutines at once. It calls do to have it done, and answers what SQLite is told of it. It may
// shorten the data of a write first.
type Tap func(op *Op, do func() error) error

// An Op is something that SQLite asks of a file.
type Op struct {
	Kind string // "open", "read", "write", "grow", "truncate", "sync" or "delete"
	Name string
	File int    // a number: a file that is made again by the same name has another. Of an open it is known when that is done
	New  bool   // of an open: it made the file
	At   int64  // the offset of a read or a write, the size to grow or truncate to
	Data []byte // of a write, during the call
	// Folder is of a sync or a delete that writes the folder with its names through to the disk too. The library does so, on Unix, with the first sync
	// through a handle that could have made a journal or a write-ahead log.
	Folder bool
}

// NewTapVFS registers one by a name, for a test; it does what the system does until it is tapped.
func NewTapVFS(tb testing.TB, name string) *TapVFS {
	v := &TapVFS{VFS: vfs.Find(""), files: map[string]int{}}
	vfs.Register(name, codingVFS{v})
	tb.Cleanup(func() { vfs.Unregister(name) })
	return v
}

// Tap makes operations pass through a tap from now on; nil ends it.
func (v *TapVFS) Tap(tap Tap) { v.tap.Store(&tap) }

func (v *TapVFS) through(op *Op, do func() error) error {
	if tap := v.tap.Load(); tap != nil && *tap != nil {
		return (*tap)(op, do)
	}
	return do()
}

func (v *TapVFS) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return v.VFS.Open(name, flags)
}

func (v *TapVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (file vfs.File, _ vfs.OpenFlag, err error) {
	inner := v.VFS.(vfs.VFSFilename)
	if name.String() == "" { // a temporary file, which nobody misses
		return inner.OpenFilename(name, flags)
	}
	op := &Op{Kind: "open", Name: name.String()}
	err = v.through(op, func() error {
		v.mu.Lock()
		defer v.mu.Unlock()
		_, stated := os.Stat(op.Name)
		if file, flags, err = inner.OpenFilename(name, flags); err != nil {
			return err
		}
		if op.New = os.IsNotExist(stated); op.New || v.files[op.Name] == 0 {
			v.made++
			v.files[op.Name] = v.made
		}
		op.File = v.files[op.Name]
		return nil
	})
	if err != nil {
		return nil, flags, err
	}
	const makes, journal = vfs.OPEN_CREATE, vfs.OPEN_MAIN_JOURNAL | vfs.OPEN_WAL
	return &tapFile{codingFile{file}, v, op.Name, op.File, flags&makes != 0 && flags&journal != 0}, flags, nil
}

func (v *TapVFS) Delete(name string, syncDir bool) error {
	return v.through(&Op{Kind: "delete", Name: name, Folder: syncDir}, func() error {
		v.mu.Lock()
		defer v.mu.Unlock()
		delete(v.files, name)
		return v.VFS.Delete(name, syncDir)
	})
}

// A tapFile is a file as the store uses it, with the tap in the line.
type tapFile struct {
	codingFile
	vfs    *TapVFS
	name   string
	number int
	folder bool // the next sync is of the folder too
}

func (f *tapFile) op(kind string, at int64) *Op {
	return &Op{Kind: kind, Name: f.name, File: f.number, At: at}
}

func (f *tapFile) ReadAt(p []byte, off int64) (n int, err error) {
	err = f.vfs.through(f.op("read", off), func() error {
		n, err = f.File.ReadAt(p, off)
		return err
	})
	return n, err
}

func (f *tapFile) WriteAt(p []byte, off int64) (n int, err error) {
	op := f.op("write", off)
	op.Data = p
	err = f.vfs.through(op, func() error {
		n, err = f.File.WriteAt(op.Data, off)
		return err
	})
	return n, err
}

func (f *tapFile) Truncate(size int64) error {
	return f.vfs.through(f.op("truncate", size), func() error { return f.File.Truncate(size) })
}

func (f *tapFile) SizeHint(size int64) error {
	return f.vfs.through(f.op("grow", size), func() error { return f.codingFile.SizeHint(size) })
}

func (f *tapFile) Sync(flags vfs.SyncFlag) error {
	op := f.op("sync", 0)
	op.Folder = f.folder
	err := f.vfs.through(op, func() error { return f.File.Sync(flags) })
	f.folder = f.folder && err != nil
	return err
}
