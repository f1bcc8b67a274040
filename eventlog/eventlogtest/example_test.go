package eventlogtest_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/eventlogtest"
	"forgetmenot/grader/property"
)

// A log in Go is held against all twelve properties in one line of a test.
func ExampleRun() {
	_ = func(t *testing.T) { eventlogtest.Run(t, eventlogtest.Reference) }
	for _, p := range eventlogtest.Properties() {
		fmt.Println(p.Tier, p.ID)
	}
	// Output:
	// required contract
	// required append
	// required immutability
	// required isolation
	// required monotonic-ids
	// required sessions
	// required replay
	// required independence
	// required purity
	// mastery tamper-proof
	// mastery hostile-names
	// mastery scale
}

// A store is held against its contract in one call of a test.
func ExampleRunStore() {
	open := func(folder string, o eventlog.StoreOptions) (eventlog.Store, error) {
		return eventlog.NewMemStore(o), nil // a store that lasts is opened in the folder
	}
	_ = func(t *testing.T) { eventlogtest.RunStore(t, open, eventlogtest.StoreTraits{Volatile: true}) }
	for _, c := range eventlogtest.StoreChecks()[:3] {
		fmt.Println(c.Name + ": " + c.Explanation)
	}
	// Output:
	// session-created: CreateSession makes a session and answers with it: its id, title and time, a number, and no events.
	// session-exists: Creating a session that is there already is ErrSessionExists, and changes nothing.
	// session-unknown: A session that was not created is ErrNoSession, for every method that is about one; one that has no events yet is empty.
}

// A check can be made without a test, as by a command.
func ExampleStoreCheck_Check() {
	folder, err := os.MkdirTemp("", "store")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	open := func(folder string, o eventlog.StoreOptions) (eventlog.Store, error) {
		return &bent{Store: eventlog.NewMemStore(o), watch: func(context.Context, int64) events {
			return func(func(event, error) bool) {} // there is never anything to see
		}}, nil
	}
	for _, c := range eventlogtest.StoreChecks() {
		if c.Name == "watch-context" {
			fmt.Println(c.Check(context.Background(), folder, open, eventlogtest.StoreTraits{Volatile: true}))
		}
	}
	// Output:
	// a watch whose context ends while events are left: no error, it should be "context canceled"
}

func ExampleNewRunner() {
	// A log that lists the sessions of others too.
	open := func() eventlogtest.Subject[simple] {
		s := simpleLog()
		right := s.ListSessions
		s.ListSessions = func(l simple) []string { return append(right(l), right(l)...) }
		return s
	}
	checker := property.NewChecker(property.Options{})
	for _, p := range eventlogtest.Properties() {
		if p.ID != "sessions" {
			continue
		}
		result, _ := checker.Check(context.Background(), p, eventlogtest.NewRunner(open))
		fmt.Println(result.Verdict, "-", result.Message.En)
		fmt.Print(result.Counterexample.Code())
	}
	// Output:
	// fail - Session "a" is listed more than once.
	// const log1 = createEventLog()
	// const log2 = appendEvent(log1, { sessionId: "a", type: "note", payload: {} })
	// const sessions1 = listSessions(log2)
	// // ["a", "a"]   <-- here
}
