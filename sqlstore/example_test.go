package sqlstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"
)

// folder is a new one, for an example.
func folder() string {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	return folder
}

func example(ctx context.Context, path string) *sqlstore.Store {
	s, err := sqlstore.Open(ctx, path, sqlstore.Options{})
	if err != nil {
		log.Fatal(err)
	}
	return s
}

func say(ctx context.Context, s *sqlstore.Store, session string, o eventlog.AppendOptions, events ...eventlog.NewEvent) (eventlog.Receipt, error) {
	if _, err := s.CreateSession(ctx, session, ""); err != nil && !errors.Is(err, eventlog.ErrSessionExists) {
		log.Fatal(err)
	}
	return s.Append(ctx, session, events, o)
}

func Example() {
	ctx := context.Background()
	folder := folder()
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "log.db")

	s := example(ctx, path)
	receipt, err := say(ctx, s, "paris", eventlog.AppendOptions{Expect: eventlog.ExpectNone(), Key: "request 1"},
		eventlog.NewEvent{Type: eventlog.TypeUserMessage, Payload: []byte(`{"content":"How far is Paris?"}`)},
		eventlog.NewEvent{Type: eventlog.TypeToolCall, Payload: []byte(`{"callId":"c1","name":"distance","arguments":"{\"to\":\"Paris\"}"}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(receipt.Events), "events:", receipt.Durability)
	s.Close()

	// Another process, later.
	s = example(ctx, path)
	defer s.Close()
	messages, err := eventlog.Replay(ctx, s, "paris", 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %s\n", messages[0].Role, messages[0].Content)
	for call, err := range s.ToolCalls(ctx, "paris") {
		fmt.Println(call.ToolCall.Name, call.Status, err)
	}
	// Output:
	// 2 events: survives a power loss
	// user: "How far is Paris?"
	// distance open <nil>
}

func ExampleOpen() {
	ctx := context.Background()
	folder := folder()
	defer os.RemoveAll(folder)

	_, err := sqlstore.Open(ctx, folder, sqlstore.Options{})
	var e *eventlog.StoreError
	fmt.Println(errors.Is(err, eventlog.ErrNotStore), errors.As(err, &e))
	fmt.Println(e.Mend)
	// Output:
	// true true
	// name a file, not a folder
}

func ExampleStore_Append() {
	ctx := context.Background()
	folder := folder()
	defer os.RemoveAll(folder)
	s := example(ctx, filepath.Join(folder, "log.db"))
	defer s.Close()
	hello := eventlog.NewEvent{Type: eventlog.TypeUserMessage, Payload: []byte(`{"content":"hello"}`)}

	// The key makes it safe to try again.
	for range 2 {
		r, err := say(ctx, s, "a", eventlog.AppendOptions{Key: "request 1"}, hello)
		fmt.Println(r.Events[0].EventID, r.Repeated, err)
	}
	// The expectation keeps two writers from answering one message.
	_, err := say(ctx, s, "a", eventlog.AppendOptions{Expect: eventlog.ExpectNone()}, hello)
	fmt.Println(errors.Is(err, eventlog.ErrConflict))
	fmt.Println(err)
	// Output:
	// 1 false <nil>
	// 1 true <nil>
	// true
	// eventlog: append "a": the session has moved on: its last event is 1, not none
}

func ExampleStore_Watch() {
	ctx := context.Background()
	folder := folder()
	defer os.RemoveAll(folder)
	s := example(ctx, filepath.Join(folder, "log.db"))
	defer s.Close()
	note := eventlog.NewEvent{Type: "note", Payload: []byte(`{}`)}
	say(ctx, s, "a", eventlog.AppendOptions{}, note)

	for e, err := range s.Watch(ctx, 0) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.EventID, e.SessionID)
		if e.EventID == 3 {
			break
		}
		say(ctx, s, "b", eventlog.AppendOptions{}, note) // from within the loop, or by any other process
	}
	// Output:
	// 1 a
	// 2 b
	// 3 b
}

func ExampleStore_Verify() {
	ctx := context.Background()
	folder := folder()
	defer os.RemoveAll(folder)
	s := example(ctx, filepath.Join(folder, "log.db"))
	defer s.Close()
	say(ctx, s, "a", eventlog.AppendOptions{}, eventlog.NewEvent{Type: "note", Payload: []byte(`{}`)})

	report, err := s.Verify(ctx)
	fmt.Println(report.OK(), report.Sessions, report.Events, err)

	// Kept elsewhere, report.Head proves later that nothing before it has changed.
	say(ctx, s, "a", eventlog.AppendOptions{}, eventlog.NewEvent{Type: "note", Payload: []byte(`{}`)})
	report, err = s.Verify(ctx, report.Head)
	fmt.Println(report.OK(), report.Sessions, report.Events, err)
	// Output:
	// true 1 1 <nil>
	// true 1 2 <nil>
}

func ExampleStore_Backup() {
	ctx := context.Background()
	folder := folder()
	defer os.RemoveAll(folder)
	s := example(ctx, filepath.Join(folder, "log.db"))
	say(ctx, s, "a", eventlog.AppendOptions{}, eventlog.NewEvent{Type: "note", Payload: []byte(`{}`)})
	fmt.Println(s.Backup(ctx, filepath.Join(folder, "monday.db")))
	s.Close()

	fmt.Println(sqlstore.Restore(ctx, filepath.Join(folder, "monday.db"), filepath.Join(folder, "again.db")))
	again := example(ctx, filepath.Join(folder, "again.db"))
	defer again.Close()
	session, err := again.Session(ctx, "a")
	fmt.Println(session.EventCount, err)
	// Output:
	// <nil>
	// <nil>
	// 1 <nil>
}

func ExampleStore_Export() {
	ctx := context.Background()
	folder := folder()
	defer os.RemoveAll(folder)
	s, err := sqlstore.Open(ctx, filepath.Join(folder, "log.db"), sqlstore.Options{StoreOptions: eventlog.StoreOptions{Now: clock}})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	say(ctx, s, "a", eventlog.AppendOptions{}, eventlog.NewEvent{Type: "note", Payload: []byte(`{"n": 1.0}`)}, eventlog.NewEvent{Type: "note", Payload: []byte("{\n}")})

	var text bytes.Buffer
	if _, err := s.Export(ctx, &text); err != nil {
		log.Fatal(err)
	}
	fmt.Print(text.String())

	again := example(ctx, filepath.Join(folder, "again.db"))
	defer again.Close()
	n, err := again.Import(ctx, &text)
	fmt.Printf("%+v %v\n", n, err)
	// Output:
	// {"format":"forgetmenot-eventlog","version":1}
	// {"session":{"id":"a","title":"","createdAt":1700000000000}}
	// {"eventId":1,"sessionId":"a","type":"note","payload":{"n": 1.0},"createdAt":1700000000000}
	// {"eventId":2,"sessionId":"a","type":"note","payloadText":"{\n}","createdAt":1700000000000}
	// {"end":{"sessions":1,"events":2,"keys":0}}
	// {Sessions:1 Events:2 Keys:0} <nil>
}

func ExampleStore_Rebuild() {
	ctx := context.Background()
	folder := folder()
	defer os.RemoveAll(folder)
	s := example(ctx, filepath.Join(folder, "log.db"))
	defer s.Close()
	fmt.Println(s.Rebuild(ctx))
	// Output:
	// <nil>
}

func clock() time.Time { return time.UnixMilli(1_700_000_000_000) }
