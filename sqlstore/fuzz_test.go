package sqlstore_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

// fuzzedFile is a store's file that is going to be damaged, and adds the first damages.
func fuzzedFile(f *testing.F) []byte {
	if raceDetector {
		f.Skip("too slow with -race")
	}
	path := newPath(f)
	s, err := sqlstore.Open(f.Context(), path, sqlstore.Options{})
	require.NoError(f, err)
	created(f, s, "a")
	appended(f, s, "a", users(200)...)
	require.NoError(f, s.Close())
	sane, err := os.ReadFile(path)
	require.NoError(f, err)
	f.Add(uint32(0), []byte("SQLite"))
	f.Add(uint32(100), []byte{13, 255, 255})
	f.Add(uint32(4096), []byte{2})
	f.Add(uint32(9000), []byte("{{{{{{{{{{{{{{"))
	f.Add(uint32(28), []byte{0xff, 0xff, 0xff, 0xff})
	for at := uint32(0); at < uint32(len(sane)); at += uint32(len(sane)/40) + 7 {
		f.Add(at, []byte{0xff, 0x00, 0x7f})
	}
	return sane
}

// damaged is a file with a text written over it.
func damaged(sane []byte, at uint32, text []byte) []byte {
	file := bytes.Clone(sane)
	copy(file[int(at)%len(file):], text)
	return file
}

// Whatever a file has become, opening and reading it ends with an answer or a *StoreError, and nothing panics.
func FuzzDamagedFile(f *testing.F) {
	sane := fuzzedFile(f)
	f.Fuzz(func(t *testing.T, at uint32, text []byte) {
		path := newPath(t)
		require.NoError(t, os.WriteFile(path, damaged(sane, at, text), 0o600))
		s, err := sqlstore.Open(t.Context(), path, sqlstore.Options{Synchronous: sqlstore.Normal})
		own := func(err error) {
			if err != nil {
				require.ErrorAs(t, err, new(*eventlog.StoreError))
			}
		}
		if own(err); err != nil {
			return
		}
		for _, err := range s.All(t.Context(), eventlog.Range{}) {
			own(err)
		}
		for _, err := range s.Messages(t.Context(), "a", eventlog.Range{}) {
			own(err)
		}
		_, err = s.Append(t.Context(), "a", users(3), eventlog.AppendOptions{})
		own(err)
		_, err = s.Verify(t.Context())
		own(err)
		own(s.Rebuild(t.Context()))
		own(s.Close())
	})
}

// Whatever its write-ahead log has become, a store comes up sound, with a beginning of what it held, and takes more: each frame of the log
// is checked by the sums of all before it. https://sqlite.org/fileformat2.html#walformat
func FuzzDamagedLog(f *testing.F) {
	if raceDetector {
		f.Skip("too slow with -race")
	}
	path := newPath(f)
	s := opened(f, path, sqlstore.Options{})
	created(f, s, "a")
	raw(f, path).Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	for i := range 20 {
		appended(f, s, "a", user(i), event(eventlog.TypeToolCall, `{"callId":"c","name":"f"}`))
	}
	want := all(f, s)
	sane, err := os.ReadFile(path)
	require.NoError(f, err)
	log, err := os.ReadFile(path + "-wal")
	require.NoError(f, err)
	for at := uint32(0); at < uint32(len(log)); at += uint32(len(log)/40) + 7 {
		f.Add(at, []byte{0xff, 0x00, 0x7f}, false)
		f.Add(at, []byte{}, true)
	}
	f.Add(uint32(0), []byte{}, true)
	f.Add(uint32(0), []byte{0x37, 0x7f, 0x06, 0x83}, false)
	f.Add(uint32(8), []byte{0, 0, 2, 0}, false)
	f.Fuzz(func(t *testing.T, at uint32, text []byte, cut bool) {
		path := newPath(t)
		require.NoError(t, os.WriteFile(path, sane, 0o600))
		file := damaged(log, at, text)
		if cut {
			file = file[:int(at)%len(file)]
		}
		require.NoError(t, os.WriteFile(path+"-wal", file, 0o600))
		s := opened(t, path, sqlstore.Options{Synchronous: sqlstore.Normal})
		got := all(t, s)
		require.LessOrEqual(t, len(got), len(want))
		require.Equal(t, want[:len(got)], append([]eventlog.StoredEvent{}, got...))
		appended(t, s, "a", user(1))
		sound(t, s)
	})
}

// Whatever lies where a store should be, with whatever beside it, is refused or read, and nothing panics.
func FuzzFoundFiles(f *testing.F) {
	if raceDetector {
		f.Skip("too slow with -race")
	}
	header := append([]byte("SQLite format 3\x00\x10\x00\x02\x02\x00\x40\x20\x20"), make([]byte, 76)...)
	copy(header[60:], []byte{0, 0, 0, 1, 0, 0, 0, 0, 'F', 'M', 'N', 'L'})
	journal := append([]byte{0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0, 0, 0, 1}, make([]byte, 600)...)
	f.Add([]byte{}, []byte{}, []byte{})
	f.Add(header, []byte{}, []byte{})
	f.Add(append(header, make([]byte, 3996)...), journal, []byte{})
	f.Add([]byte("text"), journal, []byte("text"))
	f.Add([]byte{}, journal, []byte{0x37, 0x7f, 0x06, 0x82})
	f.Fuzz(func(t *testing.T, file, journal, log []byte) {
		path := newPath(t)
		for ending, content := range map[string][]byte{"": file, "-journal": journal, "-wal": log} {
			if len(content) > 0 {
				require.NoError(t, os.WriteFile(path+ending, content, 0o600))
			}
		}
		for _, o := range []sqlstore.Options{{ReadOnly: true}, {Synchronous: sqlstore.Normal}} {
			s, err := sqlstore.Open(t.Context(), path, o)
			if err != nil {
				require.ErrorAs(t, err, new(*eventlog.StoreError))
				continue
			}
			_, err = s.Verify(t.Context())
			if err != nil {
				require.ErrorAs(t, err, new(*eventlog.StoreError))
			}
			if err := s.Close(); err != nil {
				require.ErrorAs(t, err, new(*eventlog.StoreError))
			}
		}
	})
}

// Whatever a backup has become, Restore refuses it and leaves nothing, or makes a store that is sound.
func FuzzRestore(f *testing.F) {
	sane := fuzzedFile(f)
	f.Fuzz(func(t *testing.T, at uint32, text []byte) {
		folder := t.TempDir()
		backup, target := filepath.Join(folder, "backup.db"), filepath.Join(folder, "log.db")
		require.NoError(t, os.WriteFile(backup, damaged(sane, at, text), 0o600))
		if err := sqlstore.Restore(t.Context(), backup, target); err != nil {
			require.ErrorAs(t, err, new(*eventlog.StoreError))
			entries, err := os.ReadDir(folder)
			require.NoError(t, err)
			for _, e := range entries { // a read of a file that has a write-ahead log makes one, and its index
				require.Contains(t, []string{"backup.db", "backup.db-wal", "backup.db-shm"}, e.Name(), "left behind")
			}
			return
		}
		sound(t, opened(t, target, sqlstore.Options{Synchronous: sqlstore.Normal}))
	})
}
