package jsonlstore_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/jsonlstore"

	"github.com/stretchr/testify/require"
)

// cutLines is a text with some of its lines, by number from 1.
func cutLines(text string, numbers ...int) string {
	lines := strings.SplitAfter(text, "\n")
	var b strings.Builder
	for _, n := range numbers {
		b.WriteString(lines[n-1])
	}
	return b.String()
}

// A write that was cut off is passed over, and cut off before the next append; not before.
func TestTornWrites(t *testing.T) {
	for _, tt := range []struct {
		name string
		bend func(text string) string
		left []string // of session a
	}{
		{"nothing is torn", func(s string) string { return s }, []string{`{"n":1}`, `{"n":4}`, `{"n":5}`, `{"n":6}`, `{"n":7}`}},
		{"the last line's end is missing", func(s string) string { return strings.TrimSuffix(s, "\n") }, []string{`{"n":1}`, `{"n":4}`, `{"n":5}`, `{"n":6}`}},
		{"half of the last line is missing", func(s string) string { return s[:len(s)-30] }, []string{`{"n":1}`, `{"n":4}`, `{"n":5}`, `{"n":6}`}},
		{"the last line is half zeros", func(s string) string { return s[:len(s)-30] + strings.Repeat("\x00", 30) }, []string{`{"n":1}`, `{"n":4}`, `{"n":5}`, `{"n":6}`}},
		{"a part of an append is missing", func(s string) string { return cutLines(s, 1, 2, 3, 4) }, []string{`{"n":1}`}},
		{"a part of an append is missing, and half a line", func(s string) string { return cutLines(s, 1, 2, 3, 4) + `{"sum":"` }, []string{`{"n":1}`}},
		{"everything but the header is missing", func(s string) string { return cutLines(s, 1) }, []string{}},
		{"a line of another program, without its end", func(s string) string { return s + "hello" }, []string{`{"n":1}`, `{"n":4}`, `{"n":5}`, `{"n":6}`, `{"n":7}`}},
		{"a byte order mark", func(s string) string { return "\ufeff" + s }, []string{`{"n":1}`, `{"n":4}`, `{"n":5}`, `{"n":6}`, `{"n":7}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := filled(t, jsonlstore.Options{})
			bent := tt.bend(read(t, folder, "a.jsonl"))
			write(t, folder, "a.jsonl", bent)
			s := opened(t, folder, jsonlstore.Options{})
			require.Empty(t, s.Damaged())
			require.Equal(t, tt.left, events(t, s, "a"))
			require.Equal(t, bent, read(t, folder, "a.jsonl"), "reading has changed the file")
			appended(t, s, "b", note(8))
			require.Equal(t, bent, read(t, folder, "a.jsonl"), "an append to another session has changed the file")
			appended(t, s, "a", note(9))
			require.Equal(t, append(tt.left, `{"n":9}`), events(t, s, "a"))
			require.NoError(t, s.Close())
			s = opened(t, folder, jsonlstore.Options{})
			require.Empty(t, s.Damaged())
			require.Equal(t, append(tt.left, `{"n":9}`), events(t, s, "a"))
			all, err := drained(s.All(t.Context(), eventlog.Range{}))
			require.NoError(t, err)
			require.Len(t, all, len(tt.left)+1+3)
		})
	}
}

// Everything else that is not as it was written is refused, with the line and the reason, and stays as it is; and the other sessions work.
func TestDamage(t *testing.T) {
	other := filled(t, jsonlstore.Options{})
	for _, tt := range []struct {
		name   string
		bend   func(t *testing.T, text string) string
		kind   error
		reason string
		listed bool // its header is sound
	}{
		{"a digit of a payload has changed", func(_ *testing.T, s string) string { return strings.Replace(s, `"n":5`, `"n":8`, 1) }, eventlog.ErrCorrupt, "line 4: its checksum is wrong", true},
		{"a line is no JSON", func(_ *testing.T, s string) string { return cutLines(s, 1, 2) + "hello\n" + cutLines(s, 3, 4, 5, 6) }, eventlog.ErrCorrupt, "line 3: it is not an event", true},
		{"the last line is no JSON", func(_ *testing.T, s string) string { return s + "hello\n" }, eventlog.ErrCorrupt, "line 7: it is not an event", true},
		{"an empty line", func(_ *testing.T, s string) string { return s + "\n" }, eventlog.ErrCorrupt, "line 7: it is not an event", true},
		{"a line is missing", func(_ *testing.T, s string) string { return cutLines(s, 1, 2, 4, 5, 6) }, eventlog.ErrCorrupt, "line 3: it is event 3 of the session and follows on event 1", true},
		{"a line comes twice", func(_ *testing.T, s string) string { return s + cutLines(s, 6) }, eventlog.ErrCorrupt, "line 7: it is event 5 of the session and follows on event 5", true},
		{"two lines have changed places", func(_ *testing.T, s string) string { return cutLines(s, 1, 2, 4, 3, 5, 6) }, eventlog.ErrCorrupt, "line 3: it is event 3", true},
		{"an append welded onto a torn line", func(_ *testing.T, s string) string {
			return strings.TrimSuffix(cutLines(s, 1, 2), "}\n") + cutLines(s, 3, 4, 5)
		}, eventlog.ErrCorrupt, "line 2: its checksum", true},
		{"a line of another file", func(t *testing.T, s string) string { return cutLines(s, 1) + cutLines(read(t, other, "b.jsonl"), 2, 3) }, eventlog.ErrCorrupt, "line 2: its checksum is wrong", true},
		{"line ends of another system", func(_ *testing.T, s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }, eventlog.ErrCorrupt, "line 1: the header", false},
		{"the header has changed", func(_ *testing.T, s string) string { return strings.Replace(s, "about a", "about b", 1) }, eventlog.ErrCorrupt, "line 1: the header's checksum", false},
		{"a foreign file", func(*testing.T, string) string { return `{"type":"session","version":3,"id":"a"}` + "\n" }, eventlog.ErrNotStore, "line 1: it does not begin with the header", false},
		{"an empty file", func(*testing.T, string) string { return "" }, eventlog.ErrNotStore, "line 1", false},
		{"a newer version", func(_ *testing.T, s string) string { return strings.Replace(s, `"version":1`, `"version":2`, 1) }, eventlog.ErrNewerVersion, "has version 2", false},
		{"another session's file under this name", func(t *testing.T, s string) string { return read(t, other, "b.jsonl") }, eventlog.ErrCorrupt, "somebody has copied or renamed it", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := filled(t, jsonlstore.Options{})
			bent := tt.bend(t, read(t, folder, "a.jsonl"))
			write(t, folder, "a.jsonl", bent)
			s := opened(t, folder, jsonlstore.Options{})

			refused := func(err error) {
				require.ErrorIs(t, err, tt.kind)
				require.ErrorContains(t, err, tt.reason)
				require.ErrorContains(t, err, filepath.Join(folder, "a.jsonl"))
				var line *jsonlstore.LineError
				require.ErrorAs(t, err, &line)
				require.Positive(t, line.Line)
				var own *eventlog.StoreError
				require.ErrorAs(t, err, &own)
				require.NotEmpty(t, own.Mend)
			}
			_, err := s.Session(t.Context(), "a")
			refused(err)
			_, err = drained(s.Events(t.Context(), "a", eventlog.Range{}))
			refused(err)
			_, err = drained(s.Messages(t.Context(), "a", eventlog.Range{}))
			refused(err)
			_, err = drained(s.ToolCalls(t.Context(), "a"))
			refused(err)
			_, err = s.Append(t.Context(), "a", []eventlog.NewEvent{note(9)}, eventlog.AppendOptions{})
			refused(err)
			_, err = s.CreateSession(t.Context(), "a", "")
			refused(err)
			require.Len(t, s.Damaged(), 1)
			require.ErrorIs(t, s.Damaged()[0].Err, tt.kind)

			// The others work, and nobody takes them for the whole.
			appended(t, s, "b", note(8))
			require.Equal(t, []string{`{"n":2}`, `{"n":3}`, `{"n":8}`}, events(t, s, "b"))
			all, err := drained(s.All(t.Context(), eventlog.Range{}))
			require.Equal(t, []string{`{"n":2}`, `{"n":3}`, `{"n":8}`}, payloads(all))
			refused(err)
			var watched []eventlog.StoredEvent
			for e, err := range s.Watch(t.Context(), 0) {
				require.NoError(t, err)
				if watched = append(watched, e); len(watched) == 3 {
					break
				}
			}
			require.Equal(t, payloads(all), payloads(watched))
			sessions, err := drained(s.Sessions(t.Context(), eventlog.ByCreation, eventlog.SessionCursor{}))
			require.NoError(t, err)
			var ids []string
			for _, session := range sessions {
				ids = append(ids, session.ID)
			}
			want := []string{"b", "empty"}
			if tt.listed {
				want = []string{"a", "b", "empty"}
			}
			require.Equal(t, want, ids)
			require.Equal(t, bent, read(t, folder, "a.jsonl"), "the damaged file has been changed")
		})
	}
}

// A file that is put into the folder is never replaced, and never taken for a session's.
func TestForeignFileIsNeverReplaced(t *testing.T) {
	folder := t.TempDir()
	s := opened(t, folder, jsonlstore.Options{})
	write(t, folder, "mine.jsonl", "my notes\n")
	_, err := s.CreateSession(t.Context(), "mine", "")
	require.ErrorIs(t, err, eventlog.ErrNotStore)
	require.Equal(t, "my notes\n", read(t, folder, "mine.jsonl"))
	created(t, s, "yours")
}

// A session that comes from another store can have ids that others have here.
func TestCopiedFromAnotherStore(t *testing.T) {
	other := t.TempDir()
	s := opened(t, other, jsonlstore.Options{})
	created(t, s, "x", "y", "z", "copied")
	appended(t, s, "copied", note(1), note(2))
	require.NoError(t, s.Close())
	folder := filled(t, jsonlstore.Options{})
	write(t, folder, "copied.jsonl", read(t, other, "copied.jsonl"))
	s = opened(t, folder, jsonlstore.Options{})
	_, err := s.Session(t.Context(), "copied")
	require.Error(t, err)
	require.Equal(t, []string{`{"n":1}`, `{"n":4}`, `{"n":5}`, `{"n":6}`, `{"n":7}`}, events(t, s, "a"))
	require.Len(t, s.Damaged(), 1)
	require.NoError(t, s.Close())
	// Also where nothing tells what was published here.
	require.NoError(t, os.Remove(filepath.Join(folder, "eventlog.head")))
	s = opened(t, folder, jsonlstore.Options{})
	_, err = s.Session(t.Context(), "copied")
	require.ErrorIs(t, err, eventlog.ErrCorrupt)
	require.ErrorContains(t, err, "comes from another store")
	require.Len(t, events(t, s, "a"), 5)
}

// Files that go away, or become others, while the store is open.
func TestGone(t *testing.T) {
	for _, tt := range []struct {
		name string
		bend func(t *testing.T, folder string)
	}{
		{"removed", func(t *testing.T, folder string) { require.NoError(t, os.Remove(filepath.Join(folder, "a.jsonl"))) }},
		{"made shorter", func(t *testing.T, folder string) {
			write(t, folder, "a.jsonl", cutLines(read(t, folder, "a.jsonl"), 1, 2))
		}},
		{"replaced by another history", func(t *testing.T, folder string) {
			other := t.TempDir()
			s := opened(t, other, jsonlstore.Options{})
			created(t, s, "a")
			for i := range 9 {
				appended(t, s, "a", note(100+i))
			}
			require.NoError(t, s.Close())
			write(t, folder, "a.jsonl", read(t, other, "a.jsonl"))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := filled(t, jsonlstore.Options{})
			s := opened(t, folder, jsonlstore.Options{})
			tt.bend(t, folder)
			_, err := s.Append(t.Context(), "a", []eventlog.NewEvent{note(9)}, eventlog.AppendOptions{})
			require.ErrorIs(t, err, eventlog.ErrGone)
			_, err = drained(s.Events(t.Context(), "a", eventlog.Range{}))
			require.ErrorIs(t, err, eventlog.ErrGone)
			appended(t, s, "b", note(8))
		})
	}
}

// The head holds nothing that the files do not say too.
func TestHeadIsMadeAnew(t *testing.T) {
	for name, bend := range map[string]func(folder string) error{
		"removed": func(folder string) error { return os.Remove(filepath.Join(folder, "eventlog.head")) },
		"destroyed": func(folder string) error {
			return os.WriteFile(filepath.Join(folder, "eventlog.head"), []byte("x"), 0o666)
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := filled(t, jsonlstore.Options{})
			require.NoError(t, bend(folder))
			s := opened(t, folder, jsonlstore.Options{})
			require.Greater(t, appended(t, s, "b", note(8))[0].EventID, int64(7))
			require.NoError(t, bend(folder)) // while it is open
			require.Greater(t, appended(t, s, "b", note(8))[0].EventID, int64(8))
			require.Len(t, events(t, s, "a"), 5)
		})
	}
}
