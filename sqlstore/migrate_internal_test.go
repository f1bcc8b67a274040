package sqlstore

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
	"github.com/stretchr/testify/require"
)

// Later versions are simulated by migrations that do not exist yet.
func TestMigrate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	s, err := Open(t.Context(), path, Options{})
	require.NoError(t, err)
	_, err = s.CreateSession(t.Context(), "a", "")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	read := func() []byte {
		file, err := os.ReadFile(path)
		require.NoError(t, err)
		return file
	}
	before := read()

	migrated := func(steps ...string) error {
		c, err := dial(t.Context(), path, write, Options{})
		require.NoError(t, err)
		defer c.close()
		return c.migrate(append(migrations(), steps...))
	}
	// A migration that fails leaves the file as it was, however far it came.
	require.Error(t, migrated("CREATE TABLE later (x); INSERT INTO later VALUES (1); DELETE FROM events; SELECT no_such_column FROM later"))
	require.Error(t, migrated("INSERT INTO sessions (id, title, created_at) VALUES ('a', '', 0)"))
	require.True(t, bytes.Equal(before, read()))

	// One that works is a version, and after it the file is a newer one to this program.
	require.NoError(t, migrated("CREATE TABLE later (x)"))
	require.NoError(t, migrated("CREATE TABLE later (x)"), "it has been taken already")
	require.Error(t, migrated("CREATE TABLE later (x)", "SELECT broken"))
	_, err = Open(t.Context(), path, Options{})
	require.ErrorIs(t, err, eventlog.ErrNewerVersion)
	require.NoError(t, migrated("CREATE TABLE later (x)", "CREATE TABLE last (x)"))
}

// Many open a file that is not there yet.
func TestOpenTogether(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "log.db")
		var together sync.WaitGroup
		for range 6 {
			together.Go(func() {
				s, err := Open(t.Context(), path, Options{Synchronous: Normal})
				if err == nil {
					_, err = s.CreateSession(t.Context(), path, "")
					if err != nil && !errors.Is(err, eventlog.ErrSessionExists) {
						t.Error(err)
					}
					err = s.Close()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		together.Wait()
	}
}

// Every connection has what it was told, readers too.
func TestPragmas(t *testing.T) {
	for synchronous, want := range map[Synchronous]string{Full: "2", Normal: "1"} {
		s, err := Open(t.Context(), filepath.Join(t.TempDir(), "log.db"), Options{Synchronous: synchronous, Readers: 2})
		require.NoError(t, err)
		look := func(c *conn, queryOnly string) error {
			for name, value := range map[string]string{
				"synchronous": want, "foreign_keys": "1", "recursive_triggers": "1", "trusted_schema": "0", "journal_mode": "wal", "busy_timeout": "5000", "query_only": queryOnly,
			} {
				got, err := c.pragma(name)
				require.NoError(t, err)
				require.Equal(t, value, got, name)
			}
			return nil
		}
		for range 4 {
			require.NoError(t, s.read(t.Context(), func(c *conn) error { return look(c, "1") }))
		}
		require.NoError(t, s.write(&request{ctx: t.Context(), apply: func(w *writer) error { return look(w.conn, "0") }}))
		require.NoError(t, s.Close())
	}
}

// What reads need is found by an index, whatever the planner thinks of.
func TestPlans(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "log.db"), Options{})
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.read(t.Context(), func(c *conn) error {
		// Everything that the store asks lands in the connection's statements.
		session := eventlog.Session{Number: 1}
		c.session("a")
		c.eventsOf(nil, session, span{0, 9}, 1, -1)
		c.eventsAfter(nil, span{0, 9})
		c.messagesOf(nil, session, span{0, 9})
		c.toolCallsOf(nil, session, span{0, 9})
		c.sessionsByActivity(nil, eventlog.SessionCursor{})
		c.sessionsByCreation(nil, eventlog.SessionCursor{})
		c.putResult(1, 1, "c")
		(&end{}).read(c)
		require.Greater(t, len(c.stmts), 9)
		for sql := range c.stmts {
			stmt, _, err := c.db.Prepare("EXPLAIN QUERY PLAN " + sql)
			require.NoError(t, err)
			for stmt.Step() {
				step := stmt.ColumnText(3)
				require.NotContains(t, step, "TEMP B-TREE", sql)
				if strings.HasPrefix(step, "SCAN ") {
					// Only these are read from one end.
					require.Contains(t, []string{"events", "sqlite_sequence", "sqlite_master", "sqlite_schema", "CONSTANT", "pragma_application_id", "pragma_user_version"}, strings.Fields(step)[1], sql)
				}
			}
			require.NoError(t, stmt.Close())
		}
		return nil
	}))
}

// The fixtures are what older versions of this program have written.
func TestFixtures(t *testing.T) {
	fixtures, err := filepath.Glob("testdata/v*.sql")
	require.NoError(t, err)
	require.Len(t, fixtures, len(migrations()), "every version has its fixture")
	for _, fixture := range fixtures {
		text, err := os.ReadFile(fixture)
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "log.db")
		c, err := sqlite3.Open(path)
		require.NoError(t, err)
		require.NoError(t, c.Exec(string(text)))
		require.NoError(t, c.Close())

		s, err := Open(t.Context(), path, Options{})
		require.NoError(t, err)
		r, err := s.Verify(t.Context())
		require.NoError(t, err)
		require.Empty(t, r.Faults)
		// A hash that comes out otherwise would make every store out there look altered.
		require.Equal(t, Anchor{9, "60799cbeff3c80b60e1bababdf20a8e576786bbc22b1f6b936201880de3796d4"}, r.Head)
		again, err := s.Append(t.Context(), "a", []eventlog.NewEvent{
			{Type: eventlog.TypeToolResult, Payload: []byte(`{"callId":"c","content":1.0}`)},
			{Type: eventlog.TypeUserMessage, Payload: []byte(`{"content":"this is message 3, about as long as people write"}`)},
		}, eventlog.AppendOptions{Key: "k"})
		require.NoError(t, err)
		require.True(t, again.Repeated)
		require.Equal(t, []int64{6, 7}, []int64{again.Events[0].EventID, again.Events[1].EventID})
		require.NoError(t, s.Close())
	}
}
