package jsonlstore_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/jsonlstore"

	"github.com/stretchr/testify/require"
)

func opened(tb testing.TB, folder string, o jsonlstore.Options) *jsonlstore.Store {
	tb.Helper()
	s, err := jsonlstore.Open(tb.Context(), folder, o)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close()) })
	return s
}

func event(eventType, payload string) eventlog.NewEvent {
	return eventlog.NewEvent{Type: eventType, Payload: json.RawMessage(payload)}
}

func note(n int) eventlog.NewEvent { return event("note", fmt.Sprintf(`{"n":%d}`, n)) }

func created(tb testing.TB, s eventlog.Store, ids ...string) {
	tb.Helper()
	for _, id := range ids {
		_, err := s.CreateSession(tb.Context(), id, "about "+id)
		require.NoError(tb, err)
	}
}

func appended(tb testing.TB, s eventlog.Store, session string, events ...eventlog.NewEvent) []eventlog.StoredEvent {
	tb.Helper()
	r, err := s.Append(tb.Context(), session, events, eventlog.AppendOptions{})
	require.NoError(tb, err)
	return r.Events
}

// filled makes a folder with three sessions: a, with three appends, b, and empty.
func filled(tb testing.TB, o jsonlstore.Options) (folder string) {
	tb.Helper()
	folder = tb.TempDir()
	s := opened(tb, folder, o)
	created(tb, s, "a", "b", "empty")
	appended(tb, s, "a", note(1))
	appended(tb, s, "b", note(2), note(3))
	appended(tb, s, "a", note(4), note(5), note(6))
	appended(tb, s, "a", note(7))
	require.NoError(tb, s.Close())
	return folder
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

func events(tb testing.TB, s eventlog.Store, session string) []string {
	tb.Helper()
	items, err := drained(s.Events(tb.Context(), session, eventlog.Range{}))
	require.NoError(tb, err)
	return payloads(items)
}

func payloads(items []eventlog.StoredEvent) []string {
	list := []string{}
	for _, e := range items {
		list = append(list, string(e.Payload))
	}
	return list
}

func read(tb testing.TB, folder, name string) string {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	require.NoError(tb, err)
	return string(text)
}

func write(tb testing.TB, folder, name, text string) {
	tb.Helper()
	require.NoError(tb, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
}

// epoch is a clock that stands still.
func epoch() time.Time { return time.UnixMilli(0) }
