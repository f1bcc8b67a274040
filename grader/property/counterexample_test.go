package property

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var loses = &Property{ID: "append", Law: Words{En: "The new log holds every event.", Zh: "新日志包含每个事件。"}}

// twoReads is a log of one event, read, changed from outside and read again.
func twoReads() *Program {
	p := &Program{}
	log := p.Add("createEventLog", Opaque)
	event := p.Add(VerbValue, Plain, Lit(MustParse(`{"sessionId":"a","type":"note","payload":{"__proto__":1}}`)))
	log = p.Add("appendEvent", Opaque, Ref(log), Ref(event))
	p.Add(VerbSet, Nothing, Ref(event), Lit(MustParse(`["type"]`)), Str("other"))
	p.Add("getEventsForSession", Answer, Ref(log), Str("a"))
	p.Add(VerbLook, Plain, Ref(event))
	return p
}

func transcriptOf(p *Program, steps map[int]Step) *Transcript {
	t := &Transcript{Steps: make([]Step, len(p.Calls))}
	for i, s := range steps {
		t.Steps[i] = s
	}
	return t
}

func TestCodeTellsWhatEachCallCameTo(t *testing.T) {
	p := twoReads()
	ce := newCounterexample(loses, p, transcriptOf(p, map[int]Step{
		1: {Value: MustParse(`{"sessionId":"a"}`)}, // what the program itself says is not said again
		3: {Threw: &Exception{Name: "TypeError", Message: "read only\nindeed\u2028"}},
		4: {Value: ListOf()},
		5: {Wrong: "undefined"},
	}), &Refutation{At: 4, Against: -1})
	const lines = `const log1 = createEventLog()
const event1 = { sessionId: "a", type: "note", payload: { ["__proto__"]: 1 } }
const log2 = appendEvent(log1, event1)
event1.type = "other"
// threw TypeError: read only\nindeed\u2028
const events1 = getEventsForSession(log2, "a")
// []   <-- here
event1
// undefined
`
	require.Equal(t, lines, ce.Code())
	require.Equal(t, p.Lines(), ce.Lines())
}

func TestShownCodeReplacesTheProgram(t *testing.T) {
	prop := *loses
	prop.Show = func(p *Program) []string { return []string{"for (;;) {", "}"} }
	p := twoReads()
	ce := newCounterexample(&prop, p, transcriptOf(p, nil), &Refutation{At: 4})
	require.Equal(t, []string{"for (;;) {", "}"}, ce.Lines())
	require.Equal(t, "for (;;) {\n}\n", ce.Code())
	require.Equal(t, "// append: The new log holds every event.\nfor (;;) {\n}\n", ce.Test())
}

// A log that forgets its first event, and one that holds what it was handed.
const (
	forgets = `const createEventLog = () => [];
const appendEvent = (log, event) => log.length === 0 ? [{}] : [...log, event];
const getEventsForSession = (log, id) => log.filter((e) => e.sessionId === id);
`
	shares = `const createEventLog = () => [];
const appendEvent = (log, event) => [...log, Object.freeze(event)];
const getEventsForSession = (log, id) => log.filter((e) => e.sessionId === id);
`
)

func TestTheTestTellsExpectedFromActual(t *testing.T) {
	p := twoReads()
	ce := newCounterexample(loses, p, transcriptOf(p, nil), &Refutation{
		At: 4, Against: -1, Expected: MustParse(`[{"sessionId":"a","type":"note","payload":{"__proto__":1}}]`),
	})
	require.Equal(t, `// append: The new log holds every event.
const log1 = createEventLog();
const event1 = { sessionId: "a", type: "note", payload: { ["__proto__"]: 1 } };
const log2 = appendEvent(log1, event1);
try { event1.type = "other" } catch {} // a frozen answer may refuse;
const events1 = getEventsForSession(log2, "a");
const expected = [{ sessionId: "a", type: "note", payload: { ["__proto__"]: 1 } }];
console.log("expected", JSON.stringify(expected));
console.log("actual  ", JSON.stringify(events1));
`, ce.Test())
	require.Equal(t, `expected [{"sessionId":"a","type":"note","payload":{"__proto__":1}}]
actual   []
`, node(t, forgets+ce.Test()))
	require.Equal(t, `expected [{"sessionId":"a","type":"note","payload":{"__proto__":1}}]
actual   [{"sessionId":"a","type":"note","payload":{"__proto__":1}}]
`, node(t, "'use strict';\n"+shares+ce.Test()), "the assignment is refused, and that is no fault")
}

func TestTheTestOfALook(t *testing.T) {
	p := twoReads()
	ce := newCounterexample(loses, p, transcriptOf(p, nil), &Refutation{At: 5, Against: 1, Expected: MustParse(`{"sessionId":"a","type":"other","payload":{}}`)})
	require.True(t, strings.HasSuffix(ce.Test(), `console.log("actual  ", JSON.stringify(event1));
`), ce.Test())
	require.Equal(t, `expected {"sessionId":"a","type":"other","payload":{}}
actual   {"sessionId":"a","type":"note","payload":{"__proto__":1}}
`, node(t, shares+ce.Test()))
}

func TestTheTestOfWhatMustNotBe(t *testing.T) {
	p := twoReads()
	ce := newCounterexample(loses, p, transcriptOf(p, nil), &Refutation{
		At: 4, Against: -1, NoExpected: true, Message: Words{En: "it threw Error: one\r\nthrow 2\u2028throw 3"},
	})
	require.True(t, strings.HasSuffix(ce.Test(), `
console.log(JSON.stringify(events1)); // it threw Error: one\r\nthrow 2\u2028throw 3
`), ce.Test())
	require.Equal(t, "[]\n", node(t, forgets+ce.Test()), "a message with line ends stays a comment")
}

func TestATestWithNothingToShowIsJustTheCalls(t *testing.T) {
	p := twoReads()
	for _, at := range []int{-1, 3, 6} { // not known, an assignment, none of the program's calls
		ce := newCounterexample(loses, p, transcriptOf(p, nil), &Refutation{At: at, Against: -1})
		require.NotContains(t, ce.Code(), "here")
		require.True(t, strings.HasSuffix(ce.Test(), "const events1 = getEventsForSession(log2, \"a\");\n"), ce.Test())
		require.Empty(t, node(t, forgets+ce.Test()))
	}
}

// The report's code, comments and all, is code.
func TestCodeCanBePasted(t *testing.T) {
	p := twoReads()
	ce := newCounterexample(loses, p, transcriptOf(p, map[int]Step{
		3: {Threw: &Exception{Message: "x\nthrow new Error('from a comment')\u2029throw 2\rthrow 3"}},
		4: {Value: String("\u2028throw 4")},
	}), &Refutation{At: 4})
	require.Equal(t, "[]\n", node(t, forgets+ce.Code()+"console.log(JSON.stringify(events1))"))
}
