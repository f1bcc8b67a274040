package sqlstore_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

func TestBackupRestore(t *testing.T) {
	path := newPath(t)
	s := filled(t, path)
	head := sound(t, s).Head
	folder := t.TempDir()
	backup := filepath.Join(folder, "it's a backup.db")
	require.NoError(t, s.Backup(t.Context(), backup))
	appended(t, s, "a", user(9))
	require.ErrorIs(t, s.Backup(t.Context(), backup), fs.ErrExist)

	target := filepath.Join(folder, "restored.db")
	before, err := os.ReadFile(backup)
	require.NoError(t, err)
	require.NoError(t, sqlstore.Restore(t.Context(), backup, target))
	require.ErrorIs(t, sqlstore.Restore(t.Context(), backup, target), fs.ErrExist)
	after, err := os.ReadFile(backup)
	require.NoError(t, err)
	require.True(t, bytes.Equal(before, after), "a backup is only read")
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 2, "nothing else is left behind: %v", entries)

	again := opened(t, target, sqlstore.Options{})
	require.Equal(t, head, sound(t, again).Head)
	require.Equal(t, all(t, s)[:9], all(t, again))
	require.EqualValues(t, 10, appended(t, again, "a", user(9))[0].EventID)

	// A store can be restored from as well, and what lies in its write-ahead log comes along.
	require.NoError(t, sqlstore.Restore(t.Context(), path, filepath.Join(folder, "copy.db")))
	require.Equal(t, all(t, s), all(t, opened(t, filepath.Join(folder, "copy.db"), sqlstore.Options{ReadOnly: true})))
}

func TestBackupWhileWriting(t *testing.T) {
	s := opened(t, newPath(t), sqlstore.Options{Synchronous: sqlstore.Normal})
	created(t, s, "a")
	appended(t, s, "a", users(2000)...)
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for range 2 {
		writers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					if _, err := s.Append(t.Context(), "a", users(3), eventlog.AppendOptions{}); err != nil {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	for range 3 {
		first := int64(len(all(t, s)))
		backup := newPath(t)
		require.NoError(t, s.Backup(t.Context(), backup))
		r := sound(t, opened(t, backup, sqlstore.Options{ReadOnly: true}))
		require.GreaterOrEqual(t, r.Events, first)
		require.Zero(t, (r.Events-2000)%3, "a backup holds whole appends")
	}
	close(stop)
	writers.Wait()
}

func TestBackupRefuses(t *testing.T) {
	path := newPath(t)
	s := filled(t, path)
	folder := t.TempDir()
	empty := func() {
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
	require.ErrorIs(t, s.Backup(t.Context(), filepath.Join(folder, "missing", "x.db")), fs.ErrNotExist)
	require.ErrorIs(t, sqlstore.Restore(t.Context(), filepath.Join(folder, "missing.db"), filepath.Join(folder, "x.db")), eventlog.ErrNotStore)
	require.ErrorIs(t, sqlstore.Restore(t.Context(), folder, filepath.Join(folder, "x.db")), eventlog.ErrNotStore)
	empty()

	// The log of a store that was here would be read into the restored one.
	target := filepath.Join(t.TempDir(), "x.db")
	require.NoError(t, os.WriteFile(target+"-wal", []byte("old"), 0o600))
	require.ErrorIs(t, sqlstore.Restore(t.Context(), path, target), fs.ErrExist)

	require.NoError(t, raw(t, path).Exec(disarm+"UPDATE events SET payload = '{}' WHERE event_id = 1"))
	require.ErrorIs(t, s.Backup(t.Context(), filepath.Join(folder, "x.db")), eventlog.ErrCorrupt)
	empty()
}
