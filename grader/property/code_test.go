package property

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// everyVerb is a program that has everything that can be said in one.
func everyVerb() *Program {
	p := &Program{}
	log := p.Add("createEventLog", Opaque)
	event := p.Add(VerbValue, Plain, Lit(MustParse(`{"sessionId":"s","payload":{"list":[1,{"a b":2}]}}`)))
	log2 := p.Add("appendEvent", Opaque, Ref(log), Ref(event))
	p.Add("appendEvent", Opaque, Ref(log), Lit(MustParse(`{"__proto__":null}`)))
	events := p.Add("getEventsForSession", Answer, Ref(log2), Str("é\u200b"))
	sessions := p.Add("listSessions", Answer, Ref(log2))
	messages := p.Add("replaySession", Answer, Ref(log2), Str(`"`))
	p.Add("getEventsForSession", Answer, Ref(log), Str("s"))
	p.Add(VerbSet, Nothing, Ref(event), Lit(MustParse(`["payload","list",1,"a b"]`)), Lit(ListOf(Num(3))))
	p.Add(VerbSet, Nothing, Ref(event), Lit(MustParse(`["__proto__","x"]`)), Lit(Num(1)))
	p.Add(VerbSet, Nothing, Ref(event), Lit(MustParse(`["payload","__proto__"]`)), Lit(Num(1)))
	p.Add(VerbSet, Nothing, Ref(events), Lit(MustParse(`[0]`)), Lit(Value{}))
	p.Add(VerbPush, Nothing, Ref(messages), Lit(ListOf()), Str("x"))
	p.Add(VerbPush, Nothing, Ref(event), Lit(MustParse(`["payload","list"]`)), Ref(sessions))
	p.Add(VerbLook, Plain, Ref(event))
	p.Add(VerbMemory, Answer)
	p.Add("forget", Nothing, Ref(log))
	return p
}

func TestNames(t *testing.T) {
	require.Equal(t, []string{"log1", "event1", "log2", "log3", "events1", "sessions1", "messages1", "events2", "", "", "", "", "", "", "", "", ""}, everyVerb().Names())
	require.Empty(t, (&Program{}).Names())
}

func TestLines(t *testing.T) {
	want := []string{
		`const log1 = createEventLog()`,
		`const event1 = { sessionId: "s", payload: { list: [1, { "a b": 2 }] } }`,
		`const log2 = appendEvent(log1, event1)`,
		`const log3 = appendEvent(log1, { ["__proto__"]: null })`,
		`const events1 = getEventsForSession(log2, "é\u200b")`,
		`const sessions1 = listSessions(log2)`,
		`const messages1 = replaySession(log2, "\"")`,
		`const events2 = getEventsForSession(log1, "s")`,
		`event1.payload.list[1]["a b"] = [3]`,
		`event1["__proto__"].x = 1`,
		`Object.defineProperty(event1.payload, "__proto__", { value: 1, writable: true, enumerable: true, configurable: true })`,
		`events1[0] = null`,
		`messages1.push("x")`,
		`event1.payload.list.push(sessions1)`,
		`event1`,
		`memory in use`,
		`forget(log1)`,
	}
	p := everyVerb()
	require.Equal(t, want, p.Lines())
	require.Equal(t, strings.Join(want, "\n"), p.String())
	require.Equal(t, `getEventsForSession(log2, "é\u200b")`, p.Expression(4))
	require.Equal(t, `event1`, p.Expression(14))
	requireWellFormed(t, p)
}

func TestIdentifiers(t *testing.T) {
	for _, k := range []string{"a", "A9", "_", "$x", "sessionId", "__proto__"} {
		require.True(t, isIdentifier(k), k)
	}
	for _, k := range []string{"", "9", "9a", "a b", "a-b", "é", "a\u200b", "a\n", "a.b", "a/*"} {
		require.False(t, isIdentifier(k), k)
	}
}

// What the program does to a value in a realm, its code does when it is pasted.
func TestLinesRunAsTheyRead(t *testing.T) {
	p := &Program{}
	event := p.Add(VerbValue, Plain, Lit(MustParse(`{"payload":{"list":[1,{"a b":2}]}}`)))
	set := func(path, to string) { p.Add(VerbSet, Nothing, Ref(event), Lit(MustParse(path)), Lit(MustParse(to))) }
	set(`["payload","list",1,"a b"]`, `[3]`)
	set(`["payload","__proto__"]`, `{"own":true}`)
	set(`["payload","__proto__","own"]`, `"changed"`)
	set(`["\u200b\""]`, `"\ud800"`)
	p.Add(VerbPush, Nothing, Ref(event), Lit(MustParse(`["payload","list"]`)), Lit(MustParse(`{"__proto__":1}`)))
	out := node(t, p.String()+"\nprocess.stdout.write(JSON.stringify(event1))")
	require.Equal(t, MustParse(`{"payload":{"list":[1,{"a b":[3]},{"__proto__":1}],"__proto__":{"own":"changed"}},"\u200b\"":"\ud800"}`), MustParse(out))
}
