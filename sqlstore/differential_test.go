package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/jsonlstore"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// An operation is one thing done to a store; what it answers is text, so that answers can be compared.
type operation struct {
	name string
	do   func(s eventlog.Store) string
}

// lines shows what an iterator yields, and how it ends.
func lines[T any](seq iter.Seq2[T, error]) string {
	items, err := drained(seq)
	text := ""
	for _, item := range items {
		text += fmt.Sprintf("%+q\n", fmt.Sprintf("%+v", item))
	}
	return text + kindOf(err)
}

func kindOf(err error) string {
	for _, kind := range []error{
		eventlog.ErrNoSession, eventlog.ErrSessionExists, eventlog.ErrConflict, eventlog.ErrKeyReused, eventlog.ErrTooLarge, eventlog.ErrEmptyBatch,
		eventlog.ErrInvalidPayload, eventlog.ErrInvalidUTF8, eventlog.ErrEmptyType, eventlog.ErrEmptySession,
	} {
		if errors.Is(err, kind) {
			var conflict *eventlog.ConflictError
			if errors.As(err, &conflict) {
				return conflict.Error()
			}
			return kind.Error()
		}
	}
	return fmt.Sprint(err)
}

var (
	drawnIDs  = []string{"a", "A", "a/b", "a:b", "..", "con", "e\u0301", "\u00e9", "a\x00"}
	drawnOnes = []eventlog.NewEvent{
		event("note", `{}`), event("note", " {\r\n \"n\" : 1.0 }\n"), event(eventlog.TypeUserMessage, "{\"content\":\"\u2028\\ud800\"}"),
		event(eventlog.TypeAssistantMessage, `{"content":9007199254740993,"content":[1, 2]}`), event(eventlog.TypeToolCall, `{"callId":"c","name":"f","arguments":"{}"}`),
		event(eventlog.TypeToolResult, `{"callId":"c","content":{ "x":1e400 }}`), event(eventlog.TypeToolResult, `{"callId":"d"}`), event("\x00", `{"a":1}`),
		event("note", `[]`), event("", `{}`),
	}
)

// drawOperation draws an operation that can do without knowing what the ones before it answered: ids are small numbers.
func drawOperation(t *rapid.T) operation {
	ctx := context.Background()
	id := rapid.SampledFrom(drawnIDs).Draw(t, "session")
	r := eventlog.Range{After: rapid.Int64Range(-1, 12).Draw(t, "after"), Until: rapid.Int64Range(0, 12).Draw(t, "until")}
	order := rapid.SampledFrom([]eventlog.SessionOrder{eventlog.ByCreation, eventlog.ByActivity}).Draw(t, "order")
	switch rapid.SampledFrom([]string{"create", "create", "append", "append", "append", "append", "events", "all", "messages", "calls", "sessions", "session"}).Draw(t, "do") {
	case "create":
		return operation{"create " + id, func(s eventlog.Store) string {
			made, err := s.CreateSession(ctx, id, "title \n"+id)
			return fmt.Sprintf("%+v %s", made, kindOf(err))
		}}
	case "append":
		events := rapid.SliceOfN(rapid.SampledFrom(drawnOnes), 0, 4).Draw(t, "events")
		o := eventlog.AppendOptions{Key: rapid.SampledFrom([]string{"", "", "k", "K\n"}).Draw(t, "key")}
		if last := rapid.Int64Range(-4, 6).Draw(t, "expect"); last >= 0 {
			o.Expect = eventlog.ExpectLast(last)
		}
		return operation{fmt.Sprintf("append %+q to %+q, %+v", events, id, o), func(s eventlog.Store) string {
			r, err := s.Append(ctx, id, events, o)
			return fmt.Sprintf("%+v %v %s", r.Events, r.Repeated, kindOf(err))
		}}
	case "events":
		return operation{fmt.Sprint("events ", id, r), func(s eventlog.Store) string { return lines(s.Events(ctx, id, r)) }}
	case "all":
		return operation{fmt.Sprint("all ", r), func(s eventlog.Store) string { return lines(s.All(ctx, r)) }}
	case "messages":
		return operation{fmt.Sprint("messages ", id, r), func(s eventlog.Store) string { return lines(s.Messages(ctx, id, r)) }}
	case "calls":
		return operation{"calls " + id, func(s eventlog.Store) string { return lines(s.ToolCalls(ctx, id)) }}
	case "sessions":
		cursor := eventlog.SessionCursor{}
		if r.After > 0 {
			cursor = eventlog.NewSessionCursor(r.After, r.Until)
		}
		return operation{fmt.Sprint("sessions ", order, cursor), func(s eventlog.Store) string { return lines(s.Sessions(ctx, order, cursor)) }}
	}
	return operation{"session " + id, func(s eventlog.Store) string {
		session, err := s.Session(ctx, id)
		return fmt.Sprintf("%+v %s", session, kindOf(err))
	}}
}

// Memory, SQLite, plain files and packed files answer alike, whatever is asked of them, and also when they have been closed and opened again in between.
func TestStoresAnswerAlike(t *testing.T) {
	if raceDetector {
		t.Skip("too slow with -race")
	}
	now := eventlog.StoreOptions{Now: func() time.Time { return time.UnixMilli(1772600767008) }}
	files := func(compress bool) func(folder string) (eventlog.Store, error) {
		return func(folder string) (eventlog.Store, error) {
			return jsonlstore.Open(context.Background(), folder, jsonlstore.Options{StoreOptions: now, Synchronous: jsonlstore.Normal, Compress: compress})
		}
	}
	opens := map[string]func(folder string) (eventlog.Store, error){
		"plain files":  files(false),
		"packed files": files(true),
		"SQLite": func(folder string) (eventlog.Store, error) {
			return sqlstore.Open(context.Background(), filepath.Join(folder, "log.db"), sqlstore.Options{StoreOptions: now, Synchronous: sqlstore.Normal})
		},
	}
	rapid.Check(t, func(rt *rapid.T) {
		var operations []operation
		for range rapid.IntRange(1, 40).Draw(rt, "length") {
			operations = append(operations, drawOperation(rt))
		}
		reopenAt := rapid.IntRange(0, len(operations)-1).Draw(rt, "reopen")
		var want []string
		memory := eventlog.NewMemStore(now)
		for _, o := range operations {
			want = append(want, o.do(memory))
		}
		for name, open := range opens {
			folder := t.TempDir()
			s, err := open(folder)
			require.NoError(rt, err)
			for i, o := range operations {
				if i == reopenAt {
					require.NoError(rt, s.Close())
					s, err = open(folder)
					require.NoError(rt, err)
				}
				if got := o.do(s); got != want[i] {
					s.Close()
					rt.Fatalf("%s, operation %d, %s\nanswers  %s\nmemory   %s", name, i, o.name, got, want[i])
				}
			}
			require.NoError(rt, s.Close())
		}
	})
}
