package eventlogtest_test

import (
	"context"
	"fmt"
	"testing"

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
