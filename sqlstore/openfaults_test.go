package sqlstore_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/ncruces/go-sqlite3"
	"github.com/stretchr/testify/require"
)

// What is refused says why and what to do, and is left as it is, with nothing beside it.
func TestOpenRefuses(t *testing.T) {
	made := func(sql string) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			c, err := sqlite3.Open(path)
			require.NoError(t, err)
			require.NoError(t, c.Exec(sql))
			require.NoError(t, c.Close())
		}
	}
	written := func(text []byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, text, 0o600)) }
	}
	// changed is a store with some bytes of its file changed.
	changed := func(change func(file []byte) []byte) func(t *testing.T, path string) {
		return func(t *testing.T, path string) {
			other := newPath(t)
			require.NoError(t, filled(t, other).Close())
			file, err := os.ReadFile(other)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, change(file), 0o600))
		}
	}
	for _, tt := range []struct {
		name string
		make func(t *testing.T, path string)
		kind error
	}{
		{"text", written(bytes.Repeat([]byte("hello "), 1000)), eventlog.ErrNotStore},
		{"one byte", written([]byte{0}), eventlog.ErrNotStore},
		{"zeros", written(make([]byte, 8192)), eventlog.ErrNotStore},
		{"another database", made("CREATE TABLE events (x)"), eventlog.ErrNotStore},
		{"another database with a log", made("PRAGMA journal_mode = wal; CREATE TABLE events (x)"), eventlog.ErrNotStore},
		{"another application's", made("PRAGMA application_id = 7; CREATE TABLE events (x)"), eventlog.ErrNotStore},
		{"a newer version", made("PRAGMA application_id = 0x464d4e4c; PRAGMA user_version = 9999; CREATE TABLE events (x)"), eventlog.ErrNewerVersion},
		{"a folder", func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o700)) }, eventlog.ErrNotStore},
		{"only a header", changed(func(file []byte) []byte { return file[:100] }), eventlog.ErrCorrupt},
		{"a damaged first page", changed(func(file []byte) []byte {
			return append(append(file[:100:100], bytes.Repeat([]byte{0xff}, 3996)...), file[4096:]...)
		}), eventlog.ErrCorrupt},
		{"a damaged header", changed(func(file []byte) []byte { file[16], file[17] = 0x12, 0x34; return file }), eventlog.ErrCorrupt},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, o := range []sqlstore.Options{{}, {ReadOnly: true}} {
				folder := t.TempDir()
				path := filepath.Join(folder, "log.db")
				tt.make(t, path)
				before, _ := os.ReadFile(path)
				_, err := sqlstore.Open(t.Context(), path, o)
				require.ErrorIs(t, err, tt.kind)
				var own *eventlog.StoreError
				require.ErrorAs(t, err, &own)
				require.NotEmpty(t, own.Mend)
				after, _ := os.ReadFile(path)
				require.True(t, bytes.Equal(before, after), "the file was changed")
				entries, err := os.ReadDir(folder)
				require.NoError(t, err)
				if tt.kind != eventlog.ErrCorrupt { // which takes SQLite to find out
					require.Len(t, entries, 1)
				}
			}
		})
	}
	t.Run("a folder that is missing", func(t *testing.T) {
		_, err := sqlstore.Open(t.Context(), filepath.Join(t.TempDir(), "missing", "log.db"), sqlstore.Options{})
		require.ErrorIs(t, err, eventlog.ErrNotStore)
		require.ErrorIs(t, err, fs.ErrNotExist)
		require.ErrorContains(t, err, "make the folder first")
	})
	t.Run("nothing to read", func(t *testing.T) {
		_, err := sqlstore.Open(t.Context(), newPath(t), sqlstore.Options{ReadOnly: true})
		require.ErrorIs(t, err, eventlog.ErrNotStore)
		require.ErrorIs(t, err, fs.ErrNotExist)
	})
}

// A newer program can have left its version in the write-ahead log alone.
func TestOpenNewerInLog(t *testing.T) {
	path := newPath(t)
	require.NoError(t, filled(t, path).Close())
	require.NoError(t, raw(t, path).Exec("PRAGMA user_version = 9999"))
	read := func() (text []byte) {
		for _, ending := range []string{"", "-wal"} {
			file, err := os.ReadFile(path + ending)
			require.NoError(t, err)
			text = append(text, file...)
		}
		return text
	}
	before := read()
	_, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
	require.ErrorIs(t, err, eventlog.ErrNewerVersion)
	require.True(t, bytes.Equal(before, read()))
}

func TestOpenBusy(t *testing.T) {
	path := newPath(t)
	c, err := sqlite3.Open(path)
	require.NoError(t, err)
	require.NoError(t, c.Exec("BEGIN EXCLUSIVE"))
	_, err = sqlstore.Open(t.Context(), path, sqlstore.Options{BusyTimeout: 20 * time.Millisecond})
	require.ErrorIs(t, err, eventlog.ErrBusy)
	require.NoError(t, c.Close())
	created(t, opened(t, path, sqlstore.Options{}), "a")
}

// An empty file, as mktemp makes it, becomes a store.
func TestOpenEmpty(t *testing.T) {
	path := newPath(t)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	sound(t, filled(t, path))
}

// A store is one file with one log, by whatever name it is opened.
func TestOpenBySymlink(t *testing.T) {
	path := newPath(t)
	s := filled(t, path)
	link := filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(path, link))
	other := opened(t, link, sqlstore.Options{})
	appended(t, other, "a", user(1))
	require.Equal(t, all(t, s), all(t, other))
}

func TestOpenOddNames(t *testing.T) {
	for _, name := range []string{"a b.db", "50%.db", "what?.db", "a#b.db", "\u00e9\U0001f600.db", ":memory:", "file:x", "a&mode=ro"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, filled(t, path).Close())
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.NotZero(t, info.Size())
		sound(t, opened(t, path, sqlstore.Options{}))
	}
}
