package sqlstore

import (
	"sync/atomic"

	"github.com/ncruces/go-sqlite3/vfs"
)

// OnVFS makes a store keep its file through a VFS that was registered by this name.
func OnVFS(o Options, name string) Options {
	o.vfs = name
	return o
}

// A FaultyVFS is the operating system's files, until it is told to fail.
type FaultyVFS struct {
	os    vfs.VFS
	fails atomic.Pointer[Failing]
}

// Failing says whether an operation fails, and how: "write", "sync", "truncate" or "open", on a file, so many bytes up to an offset.
type Failing func(op, name string, end int64) error

// NewFaultyVFS registers one by a name.
func NewFaultyVFS(name string) *FaultyVFS {
	f := &FaultyVFS{os: vfs.Find("")}
	vfs.Register(name, codingVFS{f})
	return f
}

// Fail makes operations fail from now on; nil ends it.
func (f *FaultyVFS) Fail(how Failing) { f.fails.Store(&how) }

func (f *FaultyVFS) failure(op, name string, end int64) error {
	if how := f.fails.Load(); how != nil && *how != nil {
		return (*how)(op, name, end)
	}
	return nil
}

func (f *FaultyVFS) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return f.os.Open(name, flags)
}

func (f *FaultyVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	if err := f.failure("open", name.String(), 0); err != nil {
		return nil, flags, err
	}
	file, flags, err := f.os.(vfs.VFSFilename).OpenFilename(name, flags)
	if err != nil {
		return nil, flags, err
	}
	return &faultyFile{file, f, name.String()}, flags, nil
}

func (f *FaultyVFS) Delete(name string, syncDir bool) error { return f.os.Delete(name, syncDir) }
func (f *FaultyVFS) Access(name string, flags vfs.AccessFlag) (bool, error) {
	return f.os.Access(name, flags)
}
func (f *FaultyVFS) FullPathname(name string) (string, error) { return f.os.FullPathname(name) }

type faultyFile struct {
	vfs.File
	vfs  *FaultyVFS
	name string
}

func (f *faultyFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.vfs.failure("write", f.name, off+int64(len(p))); err != nil {
		return 0, err
	}
	return f.File.WriteAt(p, off)
}

func (f *faultyFile) Sync(flags vfs.SyncFlag) error {
	if err := f.vfs.failure("sync", f.name, 0); err != nil {
		return err
	}
	return f.File.Sync(flags)
}

func (f *faultyFile) Truncate(size int64) error {
	if err := f.vfs.failure("truncate", f.name, size); err != nil {
		return err
	}
	return f.File.Truncate(size)
}

func (f *faultyFile) SharedMemory() vfs.SharedMemory {
	if file, ok := f.File.(vfs.FileSharedMemory); ok {
		return file.SharedMemory()
	}
	return nil
}
