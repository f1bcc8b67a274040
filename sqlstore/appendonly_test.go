package sqlstore_test

import (
	"os/exec"
	"testing"

	"github.com/ncruces/go-sqlite3"
	"github.com/stretchr/testify/require"
)

// What nobody may do, by any way that SQL has.
var forbidden = []string{
	"UPDATE events SET payload = '{}'",
	"UPDATE events SET event_id = event_id + 100",
	"UPDATE OR IGNORE events SET type = 'x'",
	"UPDATE OR REPLACE events SET event_id = 1 WHERE event_id = 2",
	"UPDATE OR FAIL events SET created_at = 0",
	"UPDATE OR ROLLBACK events SET hash = zeroblob(32)",
	"DELETE FROM events",
	"DELETE FROM events WHERE event_id = 9",
	"WITH e AS (SELECT 1 AS id) DELETE FROM events WHERE event_id IN (SELECT id FROM e)",
	"INSERT OR REPLACE INTO events (event_id, session, type, payload, created_at, hash) VALUES (1, 1, 'note', '{}', 0, zeroblob(32))",
	"REPLACE INTO events (event_id, session, type, payload, created_at, hash) VALUES (9, 1, 'note', '{}', 0, zeroblob(32))",
	"INSERT INTO events (event_id, session, type, payload, created_at, hash) VALUES (9, 1, 'note', '{}', 0, zeroblob(32)) ON CONFLICT DO UPDATE SET type = 'x'",
	"INSERT INTO events (event_id, session, type, payload, created_at, hash) VALUES (-5, 1, 'note', '{}', 0, zeroblob(32))",
	"INSERT INTO events (event_id, session, type, payload, created_at, hash) VALUES (0, 1, 'note', '{}', 0, zeroblob(32))",
	"INSERT INTO events (session, type, payload, created_at, hash) VALUES (77, 'note', '{}', 0, zeroblob(32))",
	"INSERT INTO events (session, type, payload, created_at, hash) VALUES (1, 'note', 'not json', 0, zeroblob(32))",
	"INSERT INTO events (session, type, payload, created_at, hash) VALUES (1, '', '{}', 0, zeroblob(32))",
	"INSERT INTO events (session, type, payload, created_at, hash) VALUES (1, 'note', '{}', 'now', zeroblob(32))",
	"INSERT INTO events (session, type, payload, created_at) VALUES (1, 'note', '{}', 0)",
	"INSERT INTO events (session, type, payload, created_at, hash) VALUES (1, 'user_message', '{}', 0, zeroblob(32))", // without its message

	"UPDATE sessions SET id = 'z' WHERE id = 'a'",
	"UPDATE sessions SET title = 'z'",
	"UPDATE OR REPLACE sessions SET number = 2 WHERE number = 1",
	"DELETE FROM sessions WHERE id = 'empty'",
	"INSERT OR REPLACE INTO sessions (id, title, created_at) VALUES ('a', 'z', 0)",
	"INSERT OR REPLACE INTO sessions (number, id, title, created_at) VALUES (1, 'z', 'z', 0)",

	"UPDATE append_keys SET key = 'z'",
	"DELETE FROM append_keys",
	"INSERT OR REPLACE INTO append_keys (session, key, first_event_id, last_event_id) VALUES (1, 'k', 1, 1)",

	"UPDATE messages SET content = '1'",
	"DELETE FROM messages",

	"UPDATE tool_calls SET result_event_id = 8 WHERE status = 'done'",
	"UPDATE tool_calls SET status = 'open', result_event_id = NULL",
	"UPDATE OR REPLACE tool_calls SET status = 'done', result_event_id = 6 WHERE status = 'open'",
	"DELETE FROM tool_calls",
}

func TestAppendOnly(t *testing.T) {
	path := newPath(t)
	s := filled(t, path)
	before := sound(t, s)
	settings := []string{
		"",
		"PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = OFF",
		"PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON",
		"PRAGMA trusted_schema = OFF; PRAGMA ignore_check_constraints = OFF; PRAGMA defer_foreign_keys = ON",
	}
	for _, pragmas := range settings {
		c := raw(t, path)
		require.NoError(t, c.Exec(pragmas))
		for _, sql := range forbidden {
			require.ErrorIs(t, c.Exec(sql), sqlite3.CONSTRAINT, "%s\nafter %s", sql, pragmas)
			require.NoError(t, c.Exec("BEGIN"))
			require.ErrorIs(t, c.Exec(sql), sqlite3.CONSTRAINT, "%s\nin a transaction, after %s", sql, pragmas)
			c.Exec("COMMIT") // ROLLBACK has ended it already where that was the conflict's resolution
		}
		require.NoError(t, c.Close())
	}
	require.Equal(t, before, sound(t, s))
}

func TestAppendOnlyCommandLine(t *testing.T) {
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("no sqlite3 on this machine")
	}
	path := newPath(t)
	s := filled(t, path)
	before := sound(t, s)
	for _, sql := range forbidden {
		out, err := exec.Command(tool, path, sql).CombinedOutput()
		require.Error(t, err, "%s\n%s", sql, out)
	}
	require.Equal(t, before, sound(t, s))
}
