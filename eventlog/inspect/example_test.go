package inspect_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/inspect"
)

func ExampleInspect() {
	report, err := inspect.Inspect(context.Background(), inspect.File("testdata/pi.jsonl"))
	if err != nil {
		panic(err)
	}
	session := report.Sessions.First[0]
	fmt.Println(report.Format, report.Version, session.ID, "ends its last complete turn at", session.LastCompleteTurn)
	for _, call := range session.Open.First {
		fmt.Println("open:", call.Name, call.CallID)
	}
	// Output:
	// pi 3 pi-1 ends its last complete turn at line 8
	// open: edit c2
	// open: edit c3
}

func ExampleEvents() {
	var messages []eventlog.Event
	for e, err := range inspect.Events(context.Background(), inspect.File("testdata/gemini-cli.jsonl")) {
		if err != nil {
			panic(err)
		}
		messages = append(messages, eventlog.Event{Type: e.Type, Payload: e.Payload()})
	}
	for _, m := range eventlog.Fold(messages)[:2] {
		fmt.Println(m.Role, string(m.Content), m.ToolCalls)
	}
	// Output:
	// user "How many orders?" []
	// assistant null [{ls-1 list {"dir":"."}}]
}

func ExampleRecognise() {
	for _, name := range []string{"testdata/codex.jsonl", "doc.go"} {
		format, err := inspect.Recognise(inspect.File(name))
		fmt.Printf("%q %v\n", format, err != nil)
	}
	// Output:
	// "codex" false
	// "" true
}

func ExampleRepair() {
	var mended bytes.Buffer
	report, err := inspect.Repair(context.Background(), inspect.File("testdata/deepseek-harness.jsonl"), &mended)
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Cut.Count, "lines cut,", report.Append.LineCount, "appended; the last one is")
	lines := strings.Split(strings.TrimSpace(mended.String()), "\n")
	fmt.Println(lines[len(lines)-1])
	// Output:
	// 2 lines cut, 4 appended; the last one is
	// {"type":"turn/end","seq":26,"time":1772359261001,"data":{"turn":2,"reason":{"kind":"interrupted"}}}
}

func ExampleConvert() {
	var export bytes.Buffer
	done, err := inspect.Convert(context.Background(), inspect.File("testdata/codex.jsonl"), 100, 0, &export)
	if err != nil {
		panic(err)
	}
	fmt.Println(done.Events, "events of", done.Format)
	lines := strings.Split(export.String(), "\n")
	fmt.Println(lines[1])
	fmt.Println(lines[2][:90] + "…")
	// Output:
	// 15 events of codex
	// {"session":{"id":"0198f0aa-1111-7000-8000-000000000001","title":"codex: codex.jsonl","createdAt":1772359200000}}
	// {"eventId":101,"sessionId":"0198f0aa-1111-7000-8000-000000000001","type":"codex/session_me…
}

func ExampleInspectStored() {
	store := eventlog.NewMemStore()
	defer store.Close()
	ctx := context.Background()
	if _, err := store.CreateSession(ctx, "a", ""); err != nil {
		panic(err)
	}
	call := eventlog.NewEvent{Type: eventlog.TypeToolCall, Payload: []byte(`{"callId":"c1","name":"pay","arguments":"{}"}`)}
	if _, err := store.Append(ctx, "a", []eventlog.NewEvent{call}, eventlog.AppendOptions{}); err != nil {
		panic(err)
	}
	report, err := inspect.InspectStored("orders", "memory", "", store.All(ctx, eventlog.Range{}))
	if err != nil {
		panic(err)
	}
	for _, f := range report.Faults.First {
		fmt.Println(f.Kind, f.Place, f.Text)
	}
	// Output:
	// interrupted event 1 call c1 has no result
}

func ExampleReport_WriteText() {
	report, err := inspect.Inspect(context.Background(), memory("session.jsonl", []byte(whole)))
	if err != nil {
		panic(err)
	}
	report.Policy = "…" // it is long
	report.WriteText(os.Stdout, nil)
	// Output:
	// session.jsonl
	//   format         pi, version 3
	//   lines          3: 3 records, 0 blank, 0 bad; 389 bytes
	//   events         3 in 1 session
	//   time           2026-03-01T10:00:00Z to 2026-03-01T10:00:02Z
	//   types          1 assistant_message, 1 pi/session, 1 user_message
	//   session        p: 3 events, 1 complete turn
	//                  last complete turn ends at line 3
	//   policy         …
	//   nothing is wrong
}
