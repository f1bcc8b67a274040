package sqlstore_test

import (
	"encoding/json"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

// The triggers that somebody has to drop before they can change what is stored.
const disarm = `
	DROP TRIGGER events_no_update; DROP TRIGGER events_no_delete; DROP TRIGGER events_only_at_end;
	DROP TRIGGER sessions_no_update; DROP TRIGGER sessions_no_delete; DROP TRIGGER append_keys_no_update; DROP TRIGGER messages_no_update; DROP TRIGGER messages_no_delete;
	DROP TRIGGER tool_calls_no_update; DROP TRIGGER tool_calls_no_delete; PRAGMA foreign_keys = OFF;`

func TestVerifyFinds(t *testing.T) {
	for _, tt := range []struct {
		name, sql string
		kind      sqlstore.FaultKind
		event     int64 // that is named
		altered   int64 // the first one
		mends     bool  // Rebuild does
	}{
		{"a changed payload", "UPDATE events SET payload = '{\"content\":\"never said\"}' WHERE event_id = 3", sqlstore.FaultLog, 3, 3, false},
		{"a payload with other white space", "UPDATE events SET payload = payload || ' ' WHERE event_id = 4", sqlstore.FaultLog, 4, 4, false},
		{"a changed type", "UPDATE events SET type = 'remark' WHERE event_id = 4", sqlstore.FaultLog, 4, 4, false},
		{"a changed time", "UPDATE events SET created_at = created_at + 1 WHERE event_id = 9", sqlstore.FaultLog, 9, 9, false},
		{"an event in another session", "UPDATE events SET session = 2 WHERE event_id = 1", sqlstore.FaultLog, 1, 1, false},
		{"a session with another id", "UPDATE sessions SET id = 'z' WHERE number = 2", sqlstore.FaultLog, 3, 3, false},
		{"a changed hash", "UPDATE events SET hash = zeroblob(32) WHERE event_id = 5", sqlstore.FaultLog, 5, 5, false},
		{"an event taken out", "DELETE FROM events WHERE event_id = 4", sqlstore.FaultLog, 5, 5, false},
		{"the first event taken out", "DELETE FROM events WHERE event_id = 1", sqlstore.FaultLog, 2, 2, false},
		{"the newest event taken out", "DELETE FROM events WHERE event_id = 9; DELETE FROM messages WHERE event_id = 9; DELETE FROM tool_calls WHERE event_id = 9", sqlstore.FaultLog, 9, 9, false},
		{"an event put in", "INSERT INTO events SELECT 10, session, type, payload, created_at, deep, hash FROM events WHERE event_id = 4", sqlstore.FaultLog, 10, 10, false},
		{"two events exchanged", "UPDATE events SET event_id = 100 WHERE event_id = 4; UPDATE events SET event_id = 4 WHERE event_id = 3; UPDATE events SET event_id = 3 WHERE event_id = 100", sqlstore.FaultLog, 3, 3, false},
		{"all events taken out", "DELETE FROM events", sqlstore.FaultLog, 9, 9, false},

		{"a changed message", "UPDATE messages SET content = '\"x\"' WHERE event_id = 1", sqlstore.FaultProjection, 1, 0, true},
		{"a replaced message", "PRAGMA recursive_triggers = OFF; REPLACE INTO messages (event_id, session, role, content) VALUES (1, 1, 'user', '1')", sqlstore.FaultProjection, 1, 0, true},
		{"a message that was lost", "DELETE FROM messages WHERE event_id = 3", sqlstore.FaultProjection, 3, 0, true},
		{"a message too many", "INSERT INTO messages (event_id, session, role, content) VALUES (4, 2, 'user', '1')", sqlstore.FaultProjection, 4, 0, true},
		{"a message of nobody", "INSERT INTO messages (event_id, session, role, content) VALUES (70, 2, 'user', '1')", sqlstore.FaultProjection, 70, 0, true},
		{"a message in another session", "UPDATE messages SET session = 1 WHERE event_id = 3", sqlstore.FaultProjection, 3, 0, true},
		{"a call that forgot its result", "UPDATE tool_calls SET status = 'open', result_event_id = NULL WHERE event_id = 2", sqlstore.FaultProjection, 2, 0, true},
		{"a call that was lost", "DELETE FROM tool_calls WHERE event_id = 9", sqlstore.FaultProjection, 9, 0, true},
		{"a call with another id", "UPDATE tool_calls SET tool_call_id = 'd' WHERE event_id = 9", sqlstore.FaultProjection, 9, 0, true},
		{"a call of nobody", "INSERT INTO tool_calls (event_id, session, tool_call_id, status) VALUES (1, 1, 'x', 'open')", sqlstore.FaultProjection, 1, 0, true},
		{"a call in another session", "UPDATE tool_calls SET session = 2 WHERE event_id = 9", sqlstore.FaultProjection, 9, 0, true},
		{"a session that counts wrong", "UPDATE sessions SET event_count = 7 WHERE number = 2", sqlstore.FaultProjection, 5, 0, true},
		{"a session that ends elsewhere", "UPDATE sessions SET last_event_id = 4 WHERE number = 2", sqlstore.FaultProjection, 4, 0, true},

		{"a key for others' events", "UPDATE append_keys SET first_event_id = 1", sqlstore.FaultKey, 1, 0, false},
		{"a key for no events", "UPDATE append_keys SET last_event_id = 80", sqlstore.FaultReference, 0, 0, false},
		{"a session that was lost", "DELETE FROM sessions WHERE number = 2", sqlstore.FaultReference, 0, 3, false},

		{"nothing but the triggers", "SELECT 1", sqlstore.FaultSchema, 0, 0, true},
		{"a trigger that does something else", "CREATE TRIGGER extra AFTER INSERT ON messages BEGIN SELECT 1; END", sqlstore.FaultSchema, 0, 0, true},
		{"an index that is missing", "DROP INDEX messages_by_session", sqlstore.FaultSchema, 0, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := newPath(t)
			s := filled(t, path)
			require.NoError(t, raw(t, path).Exec(disarm+tt.sql))
			r, err := s.Verify(t.Context())
			require.NoError(t, err)
			require.False(t, r.OK())
			named := false
			for _, f := range r.Faults {
				named = named || f.Kind == tt.kind && f.EventID == tt.event
			}
			require.True(t, named, "%+v", r.Faults)
			require.Equal(t, tt.altered, r.FirstAltered, "%+v", r.Faults)

			if tt.mends {
				require.NoError(t, s.Rebuild(t.Context()))
				sound(t, s)
				appended(t, s, "a", user(7))
				sound(t, s)
			}
		})
	}
}

func TestVerifySound(t *testing.T) {
	s := filled(t, newPath(t))
	r := sound(t, s)
	require.EqualValues(t, 3, r.Sessions)
	require.EqualValues(t, 9, r.Events)
	require.EqualValues(t, 9, r.Head.EventID)
	require.Len(t, r.Head.Hash, 64)

	// An anchor holds as long as nothing before it changes, however much comes behind.
	appended(t, s, "b", user(4))
	later, err := s.Verify(t.Context(), r.Head)
	require.NoError(t, err)
	require.True(t, later.OK())
	require.NotEqual(t, r.Head, later.Head)
}

// Whoever makes all hashes anew is found out by an anchor, and by nothing else.
func TestVerifyAnchor(t *testing.T) {
	honest := sound(t, filled(t, newPath(t))).Head
	forged := opened(t, newPath(t), sqlstore.Options{})
	created(t, forged, "a", "b", "empty")
	for range honest.EventID {
		appended(t, forged, "a", user(8))
	}
	sound(t, forged)
	r, err := forged.Verify(t.Context(), honest)
	require.NoError(t, err)
	require.Equal(t, honest.EventID, r.FirstAltered)
	require.Len(t, r.Faults, 1)

	r, err = forged.Verify(t.Context(), sqlstore.Anchor{EventID: 4711, Hash: honest.Hash})
	require.NoError(t, err)
	require.EqualValues(t, 4711, r.FirstAltered)
}

// A rebuild gives just what there was.
func TestRebuild(t *testing.T) {
	s := filled(t, newPath(t))
	picture := func() string {
		var list []any
		for _, session := range whole(t, s.Sessions(t.Context(), eventlog.ByCreation, eventlog.SessionCursor{})) {
			list = append(list, session, whole(t, s.ToolCalls(t.Context(), session.ID)))
			for _, m := range whole(t, s.Messages(t.Context(), session.ID, eventlog.Range{})) {
				list = append(list, m.EventID, m.Message)
			}
		}
		text, err := json.Marshal(list)
		require.NoError(t, err)
		return string(text)
	}
	before := picture()
	require.NoError(t, s.Rebuild(t.Context()))
	require.Equal(t, before, picture())
	sound(t, s)
}
