package sqlstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/ncruces/go-sqlite3"
	"github.com/stretchr/testify/require"
)

// fails makes one append, which must fail for a reason, and checks that it left nothing.
func fails(t *testing.T, s *sqlstore.Store, kind error, events ...eventlog.NewEvent) {
	t.Helper()
	_, err := s.Append(t.Context(), "a", events, eventlog.AppendOptions{Key: "fails"})
	require.ErrorIs(t, err, kind)
	var own *eventlog.StoreError
	require.ErrorAs(t, err, &own)
	require.NotEmpty(t, own.Mend)
	require.Equal(t, "append", own.Op)
}

func TestDiskFaults(t *testing.T) {
	faulty := sqlstore.NewTapVFS(t, "disk-faults")
	wal := func(kind string, err error) sqlstore.Tap {
		return func(op *sqlstore.Op, do func() error) error {
			if op.Kind == kind && strings.HasSuffix(op.Name, "-wal") {
				return err
			}
			return do()
		}
	}
	for _, tt := range []struct {
		name string
		how  sqlstore.Tap
		kind error
	}{
		{"full, by its code", wal("write", sqlite3.FULL), eventlog.ErrFull},
		{"full, as Linux says it", wal("write", &os.PathError{Op: "write", Err: syscall.ENOSPC}), eventlog.ErrFull},
		{"no quota left", wal("write", syscall.EDQUOT), eventlog.ErrFull},
		{"mounted for reading", wal("write", syscall.EROFS), eventlog.ErrReadOnly},
		{"a write fails", wal("write", syscall.EIO), eventlog.ErrIO},
		{"a sync fails", wal("sync", syscall.EIO), eventlog.ErrIO},
		{"full, as a sync finds out", wal("sync", syscall.ENOSPC), eventlog.ErrIO},
		{"mounted for reading, as a sync finds out", wal("sync", syscall.EROFS), eventlog.ErrIO},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := newPath(t)
			s := opened(t, path, sqlstore.OnVFS(sqlstore.Options{}, "disk-faults"))
			created(t, s, "a", "b")
			before := appended(t, s, "a", users(3)...)
			faulty.Tap(tt.how)
			defer faulty.Tap(nil)
			for range 2 {
				fails(t, s, tt.kind, users(2)...)
				_, err := s.CreateSession(t.Context(), "c", "")
				require.ErrorIs(t, err, tt.kind)
			}
			require.Equal(t, before, all(t, s), "reads work, and the append left nothing")
			faulty.Tap(nil)
			r, err := s.Append(t.Context(), "a", users(2), eventlog.AppendOptions{Key: "fails", Expect: eventlog.ExpectLast(before[2].EventID)})
			require.NoError(t, err)
			require.False(t, r.Repeated)
			created(t, s, "c")
			require.Equal(t, append(before, r.Events...), all(t, s))
			sound(t, s)
			require.NoError(t, s.Close())
			sound(t, opened(t, path, sqlstore.Options{}))
		})
	}
}

// One append that does not fit on the disk does not take others with it.
func TestDiskFullForOne(t *testing.T) {
	faulty := sqlstore.NewTapVFS(t, "disk-full-for-one")
	s := opened(t, newPath(t), sqlstore.OnVFS(sqlstore.Options{}, "disk-full-for-one"))
	created(t, s, "a", "b")
	faulty.Tap(func(op *sqlstore.Op, do func() error) error {
		if op.Kind == "write" && op.At+int64(len(op.Data)) > 2<<20 {
			return syscall.ENOSPC
		}
		return do()
	})
	large := event("note", `{"x":"`+strings.Repeat("x", 6<<20)+`"}`)
	var together sync.WaitGroup
	for i := range 8 {
		together.Go(func() {
			if i == 3 {
				_, err := s.Append(t.Context(), "a", []eventlog.NewEvent{large}, eventlog.AppendOptions{})
				if !errorIs(err, eventlog.ErrFull) {
					t.Errorf("the large one: %v", err)
				}
				return
			}
			for range 5 {
				if _, err := s.Append(t.Context(), "b", users(1), eventlog.AppendOptions{}); err != nil {
					t.Errorf("a small one: %v", err)
				}
			}
		})
	}
	together.Wait()
	require.Len(t, all(t, s), 35)
	faulty.Tap(nil)
	appended(t, s, "a", large)
	sound(t, s)
}

func TestLocked(t *testing.T) {
	path := newPath(t)
	s := opened(t, path, sqlstore.Options{BusyTimeout: 30 * time.Millisecond})
	created(t, s, "a")
	before := appended(t, s, "a", user(1))
	c := raw(t, path)
	require.NoError(t, c.Exec("BEGIN IMMEDIATE"))
	fails(t, s, eventlog.ErrBusy, user(2))
	require.Equal(t, before, all(t, s), "reads do not wait for writers")
	require.NoError(t, c.Exec("ROLLBACK"))
	appended(t, s, "a", user(2))

	// One that lets go in time is waited for.
	patient := opened(t, path, sqlstore.Options{})
	require.NoError(t, c.Exec("BEGIN IMMEDIATE"))
	go func() {
		time.Sleep(50 * time.Millisecond)
		c.Exec("ROLLBACK")
	}()
	appended(t, patient, "a", user(3))
}

func TestGone(t *testing.T) {
	for _, tt := range []struct {
		name         string
		remove, back func(t *testing.T, path string)
	}{
		{"removed",
			func(t *testing.T, path string) { require.NoError(t, os.Rename(path, path+"-away")) },
			func(t *testing.T, path string) { require.NoError(t, os.Rename(path+"-away", path)) }},
		{"replaced",
			func(t *testing.T, path string) {
				require.NoError(t, os.Link(path, path+"-away"))
				other := newPath(t)
				require.NoError(t, filled(t, other).Close())
				require.NoError(t, os.Rename(other, path))
			},
			func(t *testing.T, path string) { require.NoError(t, os.Rename(path+"-away", path)) }},
		{"its log removed",
			func(t *testing.T, path string) { require.NoError(t, os.Rename(path+"-wal", path+"-away")) },
			func(t *testing.T, path string) { require.NoError(t, os.Rename(path+"-away", path+"-wal")) }},
		{"its folder removed",
			func(t *testing.T, path string) {
				require.NoError(t, os.Rename(filepath.Dir(path), filepath.Dir(path)+"-away"))
			},
			func(t *testing.T, path string) {
				require.NoError(t, os.Rename(filepath.Dir(path)+"-away", filepath.Dir(path)))
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "folder", "log.db")
			require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
			s := opened(t, path, sqlstore.Options{})
			created(t, s, "a")
			appended(t, s, "a", user(1))
			tt.remove(t, path)
			fails(t, s, eventlog.ErrGone, user(2))
			_, err := s.Session(t.Context(), "a")
			require.ErrorIs(t, err, eventlog.ErrGone)
			for _, err := range s.Watch(t.Context(), 0) {
				require.ErrorIs(t, err, eventlog.ErrGone)
			}
			require.ErrorIs(t, s.Backup(t.Context(), newPath(t)), eventlog.ErrGone)
			tt.back(t, path)
			appended(t, s, "a", user(3))
			sound(t, s)
		})
	}
}

// A watch that waits finds out by itself.
func TestGoneWhileWatched(t *testing.T) {
	path := newPath(t)
	s := opened(t, path, sqlstore.Options{})
	created(t, s, "a")
	appended(t, s, "a", user(1))
	for e, err := range s.Watch(t.Context(), 0) {
		if err == nil {
			require.EqualValues(t, 1, e.EventID)
			time.AfterFunc(10*time.Millisecond, func() { os.Rename(path, path+"-away") })
			continue
		}
		require.ErrorIs(t, err, eventlog.ErrGone)
	}
	require.NoError(t, os.Rename(path+"-away", path))
}

// The engine panics when it runs out of memory. That is an error to whoever asked for too much, and to nobody else.
func TestEnginePanics(t *testing.T) {
	path := newPath(t)
	s, err := sqlstore.Open(sqlite3.WithMaxMemory(t.Context(), 6<<20), path, sqlstore.Options{})
	require.NoError(t, err)
	created(t, s, "a", "b")
	appended(t, s, "b", user(1))
	large := event("note", `{"x":"`+strings.Repeat("x", 5<<20)+`"}`)
	var together sync.WaitGroup
	for range 4 {
		together.Go(func() {
			for range 5 {
				if _, err := s.Append(t.Context(), "b", users(2), eventlog.AppendOptions{}); err != nil {
					t.Errorf("a small one: %v", err)
				}
			}
		})
	}
	for range 3 {
		fails(t, s, eventlog.ErrIO, large)
	}
	together.Wait()
	require.Len(t, all(t, s), 41)
	sound(t, s)

	// A reader can panic too: another store wrote what is too large for this one.
	other := opened(t, path, sqlstore.Options{})
	appended(t, other, "a", event("note", `{"x":"`+strings.Repeat("x", 8<<20-100)+`"}`))
	for range 3 {
		_, err = drained(s.Events(t.Context(), "a", eventlog.Range{}))
		require.ErrorIs(t, err, eventlog.ErrIO)
	}
	require.Len(t, whole(t, s.Events(t.Context(), "b", eventlog.Range{})), 41)
	require.NoError(t, s.Close())
	sound(t, other)
}

// What somebody broke by hand is found when it is met.
func TestDamagedSchema(t *testing.T) {
	path := newPath(t)
	s := filled(t, path)
	require.NoError(t, raw(t, path).Exec("PRAGMA foreign_keys = OFF; DROP TABLE tool_calls"))
	_, err := drained(s.ToolCalls(t.Context(), "a"))
	require.ErrorIs(t, err, eventlog.ErrCorrupt)
	fails(t, s, eventlog.ErrCorrupt, event(eventlog.TypeToolCall, `{}`))
	appended(t, s, "a", user(1))
	require.NoError(t, s.Rebuild(t.Context()))
	appended(t, s, "a", event(eventlog.TypeToolCall, `{}`))
	sound(t, s)
}

func TestReadOnly(t *testing.T) {
	path := newPath(t)
	s := filled(t, path)
	for _, name := range []string{"while another writes", "alone"} {
		t.Run(name, func(t *testing.T) {
			r := opened(t, path, sqlstore.Options{ReadOnly: true})
			fails(t, r, eventlog.ErrReadOnly, user(1))
			_, err := r.CreateSession(t.Context(), "z", "")
			require.ErrorIs(t, err, eventlog.ErrReadOnly)
			require.ErrorIs(t, r.Rebuild(t.Context()), eventlog.ErrReadOnly)
			require.NotEmpty(t, all(t, r))
			sound(t, r)
			require.NoError(t, r.Backup(t.Context(), newPath(t)))
			if name == "alone" {
				return
			}
			appended(t, s, "a", user(1))
			require.Equal(t, all(t, s), all(t, r))
			require.NoError(t, r.Close())
			require.NoError(t, s.Close())
		})
	}
}

func TestReadersWait(t *testing.T) {
	s := opened(t, newPath(t), sqlstore.Options{Readers: 1})
	created(t, s, "a")
	appended(t, s, "a", users(600)...)
	var together sync.WaitGroup
	for range 8 {
		together.Go(func() {
			n := 0
			for range s.Events(t.Context(), "a", eventlog.Range{}) {
				n++
				if n == 300 {
					if _, err := s.Session(t.Context(), "a"); err != nil { // from within a loop, with one connection for all
						t.Error(err)
					}
				}
			}
			if n != 600 {
				t.Errorf("%d events", n)
			}
		})
	}
	together.Wait()
}

// However long a read takes, it does not keep the log from being moved into the file.
func TestSlowReaderPinsNothing(t *testing.T) {
	if raceDetector {
		t.Skip("too slow with -race")
	}
	path := newPath(t)
	s := opened(t, path, sqlstore.Options{Synchronous: sqlstore.Normal})
	created(t, s, "a")
	appended(t, s, "a", users(2000)...)
	n := 0
	for range s.Events(t.Context(), "a", eventlog.Range{}) {
		if n++; n%200 == 0 && n <= 2000 {
			for range 10 {
				appended(t, s, "a", users(300)...)
			}
		}
		if n == 2000 {
			break
		}
	}
	info, err := os.Stat(path + "-wal")
	require.NoError(t, err)
	main, err := os.Stat(path)
	require.NoError(t, err)
	require.Greater(t, main.Size(), int64(6<<20))
	require.Less(t, info.Size(), int64(6<<20), "it is moved into the file whenever it has 1,000 pages")
}
