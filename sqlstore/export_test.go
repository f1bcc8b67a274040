package sqlstore_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

func exported(tb testing.TB, s *sqlstore.Store) string {
	tb.Helper()
	var b bytes.Buffer
	_, err := s.Export(tb.Context(), &b)
	require.NoError(tb, err)
	return b.String()
}

func TestExportImport(t *testing.T) {
	s := filled(t, newPath(t))
	created(t, s, "a\x00\u2028", "\u00e9")
	for _, payload := range []string{
		"{}", " {}", "{} ", "{\n}", "{\r}", "\n{ \"content\" :\t1.0 }\r\n", "{\"x\":\"\u2028\u2029\u0085<&>\x7f\"}", `{"a":1,"a":2}`, `{"n":12345678901234567890}`, `{"s":"\ud800"}`,
		`{"x":` + strings.Repeat("[", 999) + strings.Repeat("]", 999) + `}`, `{"x":` + strings.Repeat("[", 9_998) + strings.Repeat("]", 9_998) + `}`,
		`{"x":"` + strings.Repeat("y", 200_000) + `"}`,
	} {
		appended(t, s, "a\x00\u2028", event(eventlog.TypeUserMessage, payload), event("\u2028\n", payload))
	}
	head := sound(t, s).Head
	text := exported(t, s)
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		require.True(t, strings.HasPrefix(line, "{") && strings.HasSuffix(line, "}"), "%.80s", line)
	}

	other := opened(t, newPath(t), sqlstore.Options{})
	n, err := other.Import(t.Context(), strings.NewReader(text))
	require.NoError(t, err)
	require.EqualValues(t, sqlstore.Counts{Sessions: 5, Events: 35, Keys: 1}, n)
	require.Equal(t, head, sound(t, other).Head)
	require.Equal(t, all(t, s), all(t, other))
	require.Equal(t, text, exported(t, other))
	r, err := other.Append(t.Context(), "a", []eventlog.NewEvent{event(eventlog.TypeToolResult, `{"callId":"c","content":1.0}`), user(3)}, eventlog.AppendOptions{Key: "k"})
	require.NoError(t, err)
	require.True(t, r.Repeated, "the idempotency key came along")
	require.Greater(t, appended(t, other, "b", user(1))[0].EventID, head.EventID)
}

const (
	header     = `{"format":"forgetmenot-eventlog","version":1}` + "\n"
	oneSession = `{"session":{"id":"n","title":"","createdAt":5}}` + "\n"
	oneEvent   = `{"eventId":100,"sessionId":"n","type":"note","payload":{},"createdAt":5}` + "\n"
)

func TestImportRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		kind       error
		says       string
	}{
		{"nothing", "", eventlog.ErrCorrupt, "line 1"},
		{"another file", "hello\n", eventlog.ErrNotStore, "not an export"},
		{"another format", `{"format":"x","version":1}` + "\n", eventlog.ErrNotStore, ""},
		{"a newer format", `{"format":"forgetmenot-eventlog","version":2}` + "\n", eventlog.ErrNewerVersion, "version 2"},
		{"no end", header + oneSession + oneEvent, eventlog.ErrCorrupt, "line 4"},
		{"a cut line", header + oneSession + oneEvent[:30], eventlog.ErrCorrupt, "line 3"},
		{"another end", header + oneSession + oneEvent + `{"end":{"sessions":1,"events":2,"keys":0}}` + "\n", eventlog.ErrCorrupt, "line 4"},
		{"a line of nothing", header + "{}\n", eventlog.ErrCorrupt, "line 2"},
		{"an event before its session", header + oneEvent, eventlog.ErrCorrupt, "line 2"},
		{"a session twice", header + oneSession + oneSession, eventlog.ErrSessionExists, "line 3"},
		{"a session that is there", header + `{"session":{"id":"a","title":"","createdAt":5}}` + "\n", eventlog.ErrSessionExists, "line 2"},
		{"an event that is there", header + oneSession + strings.Replace(oneEvent, "100", "4", 1), eventlog.ErrConflict, "line 3"},
		{"ids that fall", header + oneSession + oneEvent + strings.Replace(oneEvent, "100", "99", 1), eventlog.ErrCorrupt, "line 4"},
		{"a payload that is no object", header + oneSession + strings.Replace(oneEvent, "{}", "[]", 1), eventlog.ErrInvalidPayload, "line 3"},
		{"no payload", header + oneSession + strings.Replace(oneEvent, `"payload":{},`, "", 1), eventlog.ErrInvalidPayload, "line 3"},
		{"no type", header + oneSession + strings.Replace(oneEvent, "note", "", 1), eventlog.ErrEmptyType, "line 3"},
		{"an id that is no integer", header + oneSession + strings.Replace(oneEvent, "100", "1.5", 1), eventlog.ErrCorrupt, "line 3"},
		{"a key for others' events", header + oneSession + oneEvent + `{"key":{"sessionId":"n","key":"k","firstEventId":1,"lastEventId":100}}` + "\n", eventlog.ErrCorrupt, "line 4"},
		{"an endless line", header + strings.Repeat("x", 100<<20), eventlog.ErrTooLarge, "line 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if raceDetector && len(tt.text) > 1<<20 {
				t.Skip("too slow with -race")
			}
			s := filled(t, newPath(t))
			before := exported(t, s)
			_, err := s.Import(t.Context(), strings.NewReader(tt.text))
			require.ErrorIs(t, err, tt.kind)
			require.ErrorContains(t, err, tt.says)
			require.ErrorAs(t, err, new(*eventlog.StoreError))
			require.Equal(t, before, exported(t, s))
			appended(t, s, "a", user(1))
			sound(t, s)
		})
	}
}

func TestImportEnds(t *testing.T) {
	s := opened(t, newPath(t), sqlstore.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Import(ctx, io.MultiReader(strings.NewReader(header+oneSession), readerFunc(func(p []byte) (int, error) {
		cancel()
		return copy(p, oneEvent), nil
	})))
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Import(t.Context(), io.MultiReader(strings.NewReader(header+oneSession), readerFunc(func([]byte) (int, error) { return 0, errors.New("unplugged") })))
	require.ErrorIs(t, err, eventlog.ErrIO)
	require.ErrorContains(t, err, "unplugged")
	require.Empty(t, whole(t, s.Sessions(t.Context(), eventlog.ByCreation, eventlog.SessionCursor{})))
	_, err = s.Export(t.Context(), writerFunc(func([]byte) (int, error) { return 0, errors.New("unplugged") }))
	require.ErrorIs(t, err, eventlog.ErrIO)
	require.ErrorContains(t, err, "unplugged")
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Whatever is imported, the store is as it was, or holds just what it exports again.
func FuzzImport(f *testing.F) {
	f.Add([]byte(header + oneSession + oneEvent + `{"end":{"sessions":1,"events":1,"keys":0}}` + "\n"))
	f.Add([]byte(header + oneSession + `{"eventId":1,"sessionId":"n","type":"tool_call","payloadText":" {\"callId\":\"x\"}","createdAt":-5}` + "\n" +
		`{"key":{"sessionId":"n","key":"k","firstEventId":1,"lastEventId":1}}` + "\n" + `{"end":{"sessions":1,"events":1,"keys":1}}` + "\n"))
	f.Add([]byte(header + `{"end":{"sessions":0,"events":0,"keys":0}}` + "\n"))
	f.Add([]byte("{}\n"))
	f.Add([]byte(header + oneSession + `{"eventId":9223372036854775807,"sessionId":"n","type":"t","payload":{},"createdAt":9223372036854775807}` + "\n" + `{"end":{"sessions":1,"events":1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := opened(t, newPath(t), sqlstore.Options{Synchronous: sqlstore.Normal})
		if _, err := s.Import(t.Context(), bytes.NewReader(text)); err != nil {
			require.ErrorAs(t, err, new(*eventlog.StoreError))
			require.Empty(t, whole(t, s.Sessions(t.Context(), eventlog.ByCreation, eventlog.SessionCursor{})))
			return
		}
		sound(t, s)
		again := opened(t, newPath(t), sqlstore.Options{Synchronous: sqlstore.Normal})
		out := exported(t, s)
		_, err := again.Import(t.Context(), strings.NewReader(out))
		require.NoError(t, err)
		require.Equal(t, out, exported(t, again))
	})
}
