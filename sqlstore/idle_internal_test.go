package sqlstore

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A connection costs megabytes, and its cache is of use only to whoever takes it again.
func TestOneReaderHasOneConnection(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "log.db"), Options{Readers: 3})
	require.NoError(t, err)
	defer s.Close()
	var used []*conn
	look := func(c *conn) error {
		used = append(used, c)
		return nil
	}
	for range 3 {
		require.NoError(t, s.read(t.Context(), look))
	}
	require.Len(t, s.readers.conns, 1)
	require.Equal(t, []*conn{used[0], used[0], used[0]}, used)

	// Three who read at once have one each, and the last to give it back is the first to be taken.
	var entered, done sync.WaitGroup
	entered.Add(3)
	for range 3 {
		done.Go(func() {
			require.NoError(t, s.read(t.Context(), func(*conn) error {
				entered.Done()
				entered.Wait() // for all
				return nil
			}))
		})
	}
	done.Wait()
	require.Len(t, s.readers.conns, 3)
	newest := s.readers.conns[2]
	used = nil
	require.NoError(t, s.read(t.Context(), look))
	require.Equal(t, []*conn{newest}, used)

	// One that the engine panicked in is not kept.
	require.Error(t, s.read(t.Context(), func(*conn) error { panic("out of memory") }))
	require.Len(t, s.readers.conns, 2)
}
