package eventlogtest_test

import (
	"strings"
	"testing"

	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

// The smallest counterexamples, to the letter: what a learner would be shown.
func TestTheSmallestCounterexamples(t *testing.T) {
	want := map[string]string{
		"an unknown session answers nil": `
const log1 = createEventLog()
const events1 = getEventsForSession(log1, "a")
// null   <-- here
`,
		"a payload that goes through a map of strings": `
const log1 = createEventLog()
const log2 = appendEvent(log1, { sessionId: "a", type: "note", payload: { content: null } })
const events1 = getEventsForSession(log2, "a")
// [{ eventId: 1, sessionId: "a", type: "note", payload: {} }]   <-- here
`,
		"two logs share one backing array": `
const log1 = createEventLog()
const log2 = appendEvent(log1, { sessionId: "a", type: "note", payload: {} })
const log3 = appendEvent(log1, { sessionId: "a", type: "user_message", payload: { content: "x" } })
const events1 = getEventsForSession(log2, "a")
// [{ eventId: 1, sessionId: "a", type: "user_message", payload: { content: "x" } }]   <-- here
`,
		"ids are counted per session": `
const log1 = createEventLog()
const log2 = appendEvent(log1, { sessionId: "a", type: "note", payload: {} })
const log3 = appendEvent(log2, { sessionId: "b", type: "note", payload: {} })
const events1 = getEventsForSession(log3, "a")
// [{ eventId: 1, sessionId: "a", type: "note", payload: {} }]
const events2 = getEventsForSession(log3, "b")
// [{ eventId: 1, sessionId: "b", type: "note", payload: {} }]   <-- here
`,
		"the newest session comes first": `
const log1 = createEventLog()
const log2 = appendEvent(log1, { sessionId: "a", type: "note", payload: {} })
const log3 = appendEvent(log2, { sessionId: "b", type: "note", payload: {} })
const sessions1 = listSessions(log3)
// ["b", "a"]   <-- here
`,
		"parallel calls become one message": `
const log1 = createEventLog()
const log2 = appendEvent(log1, { sessionId: "a", type: "tool_call", payload: { callId: "x", name: "x", arguments: "x" } })
const log3 = appendEvent(log2, { sessionId: "a", type: "tool_call", payload: { callId: "x", name: "x", arguments: "x" } })
const messages1 = replaySession(log3, "a")
// [{ role: "assistant", content: null, toolCalls: [{ toolCallId: "x", name: "x", arguments: "x" }, { toolCallId: "x", name: "x", arguments: "x" }] }]   <-- here
`,
		"ids come from a counter of the package": `
const log1 = createEventLog()
const log2 = appendEvent(log1, { sessionId: "a", type: "note", payload: {} })
const events1 = getEventsForSession(log2, "a")
// [{ eventId: 1, sessionId: "a", type: "note", payload: {} }]
const log3 = appendEvent(log1, { sessionId: "a", type: "note", payload: {} })
const events2 = getEventsForSession(log3, "a")
// [{ eventId: 2, sessionId: "a", type: "note", payload: {} }]   <-- here
`,
	}
	checker := property.NewChecker(property.Options{})
	shown := 0
	for _, f := range faults {
		code, ok := want[f.name]
		if !ok {
			continue
		}
		shown++
		t.Run(f.name, func(t *testing.T) {
			result := check(t, checker, f.property, f.open)
			require.NotNil(t, result.Counterexample)
			require.Equal(t, strings.TrimPrefix(code, "\n"), result.Counterexample.Code())
		})
	}
	require.Equal(t, len(want), shown)
}

// Another seed draws other programs and finds the same faults.
func TestOtherSeedsFindTheSameFaults(t *testing.T) {
	if testing.Short() {
		t.Skip("several seeds over every fault")
	}
	for _, seed := range []uint64{2, 3, 4} {
		checker := property.NewChecker(property.Options{Seed: seed})
		for _, f := range faults {
			require.Equal(t, property.Fail, check(t, checker, f.property, f.open).Verdict, "seed %d: %s", seed, f.name)
		}
	}
}
