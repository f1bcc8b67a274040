package sqlstore

import (
	"errors"
	"syscall"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/util/vfsutil"
	"github.com/ncruces/go-sqlite3/vfs"
)

// vfsName is what SQLite knows our files by.
const vfsName = "forgetmenot"

// The registry is the library's, and of the whole process; there is nothing of ours that could change.
func init() { vfs.Register(vfsName, codingVFS{vfs.Find("")}) }

// codingVFS is the operating system's files with error codes that say why. The library tells a full disk by its code only in part, and
// what the system said is forgotten when SQLite has tidied up after the failed write: then a full disk cannot be told from a broken one.
//
// https://sqlite.org/vfs.html
type codingVFS struct{ vfs.VFS }

func (v codingVFS) Open(name string, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return coding(vfsutil.WrapOpen(v.VFS, name, flags))
}

func (v codingVFS) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	return coding(vfsutil.WrapOpenFilename(v.VFS, name, flags))
}

func (v codingVFS) Delete(name string, syncDir bool) error { return coded(v.VFS.Delete(name, syncDir)) }

func coding(f vfs.File, flags vfs.OpenFlag, err error) (vfs.File, vfs.OpenFlag, error) {
	if err != nil {
		return nil, flags, coded(err)
	}
	return &codingFile{f}, flags, nil
}

// coded gives an error of the system the code that it has in SQLite, where there is one.
//
// https://sqlite.org/rescode.html
func coded(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, errQuota):
		return vfs.SystemError(err, sqlite3.FULL)
	case errors.Is(err, syscall.EROFS):
		return vfs.SystemError(err, sqlite3.READONLY)
	}
	return err
}

// A codingFile codes what a write can fail with, and passes on everything else that the system's files can do.
type codingFile struct{ vfs.File }

var (
	_ vfs.FileLockState          = (*codingFile)(nil)
	_ vfs.FilePersistWAL         = (*codingFile)(nil)
	_ vfs.FilePowersafeOverwrite = (*codingFile)(nil)
	_ vfs.FileHasMoved           = (*codingFile)(nil)
	_ vfs.FileSharedMemory       = (*codingFile)(nil)
	_ vfs.FileUnwrap             = (*codingFile)(nil)
)

func (f *codingFile) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.File.WriteAt(p, off)
	return n, coded(err)
}

func (f *codingFile) Truncate(size int64) error { return coded(f.File.Truncate(size)) }
func (f *codingFile) SizeHint(size int64) error { return coded(vfsutil.WrapSizeHint(f.File, size)) }

// Sync fails in one way only, even if the disk is full, as a file system can find out so late: what it should write through has been written, and
// a process that opens the file after a crash may well find it.
func (f *codingFile) Sync(flags vfs.SyncFlag) error {
	err := f.File.Sync(flags)
	if err == nil {
		return nil
	}
	return vfs.SystemError(err, sqlite3.IOERR_FSYNC)
}

func (f *codingFile) LockState() vfs.LockLevel       { return vfsutil.WrapLockState(f.File) }
func (f *codingFile) PersistWAL() bool               { return vfsutil.WrapPersistWAL(f.File) }
func (f *codingFile) SetPersistWAL(keep bool)        { vfsutil.WrapSetPersistWAL(f.File, keep) }
func (f *codingFile) PowersafeOverwrite() bool       { return vfsutil.WrapPowersafeOverwrite(f.File) }
func (f *codingFile) SetPowersafeOverwrite(set bool) { vfsutil.WrapSetPowersafeOverwrite(f.File, set) }
func (f *codingFile) HasMoved() (bool, error)        { return vfsutil.WrapHasMoved(f.File) }
func (f *codingFile) Unwrap() vfs.File               { return f.File }

func (f *codingFile) SharedMemory() vfs.SharedMemory {
	if file, ok := f.File.(vfs.FileSharedMemory); ok {
		return file.SharedMemory()
	}
	return nil
}

// DeviceCharacteristics leaves out what this wrapper does not pass on. https://sqlite.org/c3ref/c_iocap_atomic.html
func (f *codingFile) DeviceCharacteristics() vfs.DeviceCharacteristic {
	return f.File.DeviceCharacteristics() &^ vfs.IOCAP_BATCH_ATOMIC
}
