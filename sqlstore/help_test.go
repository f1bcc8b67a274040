package sqlstore_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/ncruces/go-sqlite3"
	"github.com/stretchr/testify/require"
)

func opened(tb testing.TB, path string, o sqlstore.Options) *sqlstore.Store {
	tb.Helper()
	s, err := sqlstore.Open(tb.Context(), path, o)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close()) })
	return s
}

func newPath(tb testing.TB) string { return filepath.Join(tb.TempDir(), "log.db") }

func event(eventType, payload string) eventlog.NewEvent {
	return eventlog.NewEvent{Type: eventType, Payload: json.RawMessage(payload)}
}

func user(n int) eventlog.NewEvent {
	return event(eventlog.TypeUserMessage, fmt.Sprintf(`{"content":"this is message %d, about as long as people write"}`, n))
}

func users(n int) []eventlog.NewEvent {
	events := make([]eventlog.NewEvent, n)
	for i := range events {
		events[i] = user(i)
	}
	return events
}

func appended(tb testing.TB, s eventlog.Store, session string, events ...eventlog.NewEvent) []eventlog.StoredEvent {
	tb.Helper()
	r, err := s.Append(tb.Context(), session, events, eventlog.AppendOptions{})
	require.NoError(tb, err)
	return r.Events
}

func created(tb testing.TB, s eventlog.Store, ids ...string) {
	tb.Helper()
	for _, id := range ids {
		_, err := s.CreateSession(tb.Context(), id, "about "+id)
		require.NoError(tb, err)
	}
}

// filled is a store with something of everything in it.
func filled(tb testing.TB, path string) *sqlstore.Store {
	tb.Helper()
	s := opened(tb, path, sqlstore.Options{})
	created(tb, s, "a", "b", "empty")
	appended(tb, s, "a", user(1), event(eventlog.TypeToolCall, `{"callId":"c","name":"f","arguments":"{}"}`))
	appended(tb, s, "b", user(2), event("note", `{"n":1}`), event(eventlog.TypeToolResult, `{"callId":"c","content":"orphan"}`))
	_, err := s.Append(tb.Context(), "a", []eventlog.NewEvent{event(eventlog.TypeToolResult, `{"callId":"c","content":1.0}`), user(3)}, eventlog.AppendOptions{Key: "k"})
	require.NoError(tb, err)
	appended(tb, s, "a", event(eventlog.TypeToolResult, `{"callId":"c","content":"late"}`), event(eventlog.TypeToolCall, `{"callId":"open","name":"g"}`))
	return s
}

func whole[T any](tb testing.TB, seq iter.Seq2[T, error]) []T {
	tb.Helper()
	var items []T
	for item, err := range seq {
		require.NoError(tb, err)
		items = append(items, item)
	}
	return items
}

func all(tb testing.TB, s eventlog.Store) []eventlog.StoredEvent {
	tb.Helper()
	return whole(tb, s.All(tb.Context(), eventlog.Range{}))
}

// raw is a connection as any program has it that knows nothing of this package.
func raw(tb testing.TB, path string) *sqlite3.Conn {
	tb.Helper()
	c, err := sqlite3.OpenFlags(path, sqlite3.OPEN_READWRITE)
	require.NoError(tb, err)
	tb.Cleanup(func() { c.Close() })
	return c
}

func sound(tb testing.TB, s *sqlstore.Store) sqlstore.Report {
	tb.Helper()
	r, err := s.Verify(tb.Context())
	require.NoError(tb, err)
	require.Empty(tb, r.Faults)
	return r
}

func drained[T any](seq iter.Seq2[T, error]) (items []T, failed error) {
	for item, err := range seq {
		if err != nil {
			failed = err
			continue
		}
		items = append(items, item)
	}
	return items, failed
}

func errorIs(err, kind error) bool { return errors.Is(err, kind) }
