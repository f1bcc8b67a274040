package eventlogtest

import (
	"strconv"

	"forgetmenot/grader/property"

	"pgregory.net/rapid"
)

// A drawing builds one program.
type drawing struct {
	t    *rapid.T
	p    *property.Program
	size property.Size
	made int // events drawn so far; makes each of them tell apart
}

func draw(t *rapid.T, size property.Size) *drawing {
	return &drawing{t: t, p: &property.Program{}, size: size}
}

func (d *drawing) intn(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(d.t, "") }

// chance is true n times of ten.
func (d *drawing) chance(n int) bool { return d.intn(1, 10) <= n }

func pick[V any](d *drawing, from []V) V { return from[d.intn(0, len(from)-1)] }

// events is how many events a program of this size appends.
func (d *drawing) events(least int) int {
	switch d.size {
	case property.Large:
		return d.intn(60, 64)
	case property.Medium:
		return d.intn(9, 14)
	}
	return d.intn(least, 3)
}

// some picks different items, at least one, in an order of their own.
func some[V any](d *drawing, n int, from []V) []V {
	pool := append([]V(nil), from...)
	n = min(n, len(pool))
	for i := range n {
		j := d.intn(i, len(pool)-1)
		pool[i], pool[j] = pool[j], pool[i]
	}
	return pool[:n]
}

// sessionsFor picks a program's session ids from a pool, more of them for large programs.
func (d *drawing) sessionsFor(pool []string) []string {
	switch d.size {
	case property.Large:
		return some(d, 12, pool)
	case property.Medium:
		return some(d, d.intn(2, 5), pool)
	}
	return some(d, d.intn(1, 3), pool)
}

// session picks one for an event: in a large program often the first, so that one session is long too.
func (d *drawing) session(from []string) string {
	if d.size == property.Large && d.chance(4) {
		return from[0]
	}
	return pick(d, from)
}

// --- session ids ----------------------------------------------------------------------------------------------------------

// plainSessions cannot be confused with each other.
var plainSessions = []string{"red", "blue", "green", "white", "black", "pink", "brown", "gold", "violet", "grey", "orange", "teal"}

// confusable are families of ids that something or other takes for the same: prefixes, case, spaces, numbers, leading zeros,
// accents in their two forms, separators that join ambiguously, equal lengths and sums, patterns.
var confusable = [][]string{
	{"a", "ab", "abc", "b", "c", "bc"},
	{"a", "A", "a ", " a", "á", "ä"},
	{"1", "01", "1.0", "10", "1e0", "+1", " 1", "0x1"},
	{"0", "00", "-0", "0.0", "false", "null", "undefined", "NaN"},
	{"\u00e9", "e\u0301", "e", "E\u0301", "\u00c9"},
	{"sess_1", "sess_10", "sess_2", "sess_11", "Sess_1", "sess-1", "sess.1"},
	{"a|b", "a", "b", "a|", "|b", "a:b", "a::b", "a,b"},
	{"a.c", "abc", "a*c", "a+c", "^a", "a$", ".*", "[abc]"},
	{"ad", "bc", "da", "cb"},
	{"9007199254740993", "9007199254740992", "9007199254740991"},
	{"\ufb01", "fi", "FI", "\u0131", "I", "i"},
	{"\U0001f600", "\U0001f601", "\U0001f602"},
	{"x\u0000y", "x", "x\u0000", "xy", "x\ny", "x\\ny"},
	{"session", "session ", "session\t", "session\u00a0", "session\u200b"},
}

// confusableSessions picks ids from one family (a large program: from all): some to append to, and others that are only read.
func (d *drawing) confusableSessions() (written, read []string) {
	if d.size != property.Large {
		family := some(d, 6, pick(d, confusable))
		n := d.intn(1, 3)
		if d.size == property.Medium {
			n = len(family)
		}
		return family[:min(n, len(family))], family
	}
	seen := map[string]bool{}
	for _, f := range confusable {
		for _, id := range some(d, 2, f) {
			if !seen[id] {
				seen[id] = true
				read = append(read, id)
			}
		}
	}
	return read, read
}

// orderly are ids whose order a container may change: integers come first in an object, sort() compares as text.
var orderly = []string{"10", "9", "2", "100", "1", "0", "b", "a", "B", "-1", "01", "1.5", "z", "session-2", "session-10", "4294967295", "\u00e9", "e\u0301", "Z", "a,b", "a ", "A", "a|b", " "}

// hostile are names that mean something to JavaScript objects.
var hostile = []string{"__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "length", "prototype", "__defineGetter__", "isPrototypeOf", "then", "toJSON", "propertyIsEnumerable"}

// --- payloads and events --------------------------------------------------------------------------------------------------

func field(key string, v property.Value) property.Field { return property.Field{Key: key, Value: v} }

var str = property.String

// tag is a text that no other event of the program has.
func (d *drawing) tag() string {
	d.made++
	return "m" + strconv.Itoa(d.made)
}

func eventOf(session, kind string, payload property.Value) property.Value {
	return property.ObjectOf(field("sessionId", str(session)), field("type", str(kind)), field("payload", payload))
}

// message is an event whose content tells it from every other.
func (d *drawing) message(session string) property.Value {
	kind := "user_message"
	if d.chance(2) {
		kind = "assistant_message"
	}
	return eventOf(session, kind, property.ObjectOf(field("content", str(d.tag()))))
}

// contents are what a careless `||`, `if (content)` or trim() loses.
var contents = []property.Value{
	str(""), str(" "), str("0"), str("false"), str("  spaced  "), str("line\nbreak"), str("null"), str("\u00e9\u4f60\U0001f600"), str("\u2028"), str(`{"a":1}`),
	property.Num(0), property.Boolean(false), {}, property.ListOf(), property.ObjectOf(),
	property.ObjectOf(field("text", str("hi")), field("parts", property.ListOf(property.Num(1), property.Value{}))),
}

func (d *drawing) content() property.Value {
	if d.chance(4) {
		return pick(d, contents)
	}
	return str(d.tag())
}

// argumentTexts are JSON strings, which stay the strings that they are.
var argumentTexts = []string{"{}", `{"x":1}`, `{ "x" : 1.0 }`, "", "null", "0", "[]", `"text"`, "{broken"}

// otherTypes fold to no message: unknown ones, and known ones in another spelling.
var otherTypes = []string{"note", "User_Message", "TOOL_CALL", "tool-call", "user_message ", "userMessage", "system_message", "error", "message", "tool", "turn_end", "user", "0", "session_started", "checkpoint", "tool_error", "summary"}

// otherPayloads belong to no known type.
var otherPayloads = []property.Value{
	property.ObjectOf(),
	property.MustParse(`{"a":{"b":[1,{"c":null}]},"d":"text"}`),
	property.MustParse(`{"zero":0,"no":false,"nothing":null,"empty":"","list":[],"object":{}}`),
	property.MustParse(`{"eventId":99,"sessionId":"elsewhere","type":"user_message","payload":{"content":"inner"}}`),
	property.MustParse(`{"content":"of an unknown type","callId":"c1","name":"n","arguments":"{}"}`),
	property.MustParse(`{"10":"ten","9":"nine","b":1,"a":2}`),
	property.MustParse(`{"n":0.5,"big":9007199254740991,"minus":-1,"small":1e-7}`),
	property.MustParse(`{"role":"user","content":["\u00e9",{"deep":[[[]]]}],"id":7}`),
}

// collisions are keys of events and messages, standing in a payload where they mean nothing.
var collisions = []property.Field{
	field("eventId", property.Num(7)), field("sessionId", str("elsewhere")), field("type", str("tool_call")), field("role", str("system")),
	field("payload", property.ObjectOf()), field("toolCalls", property.ListOf()), field("toolCallId", str("c9")), field("content2", str("x")),
}

var callIDs = []string{"c1", "c2", "c1", "call_1", ""}

// anyEvent is an event of any type, with what each may carry.
func (d *drawing) anyEvent(session string) property.Value {
	var kind string
	var payload property.Value
	switch n := d.intn(0, 9); {
	case n < 2:
		kind, payload = "user_message", property.ObjectOf(field("content", d.content()))
	case n < 4:
		kind, payload = "assistant_message", property.ObjectOf(field("content", d.content()))
	case n < 6:
		kind = "tool_call"
		payload = property.ObjectOf(field("callId", str(pick(d, callIDs))), field("name", str(pick(d, []string{"search", "add", "search", ""}))), field("arguments", str(pick(d, argumentTexts))))
	case n < 8:
		kind, payload = "tool_result", property.ObjectOf(field("callId", str(pick(d, callIDs))), field("content", d.content()))
	default:
		return eventOf(session, pick(d, otherTypes), pick(d, otherPayloads))
	}
	if d.chance(2) {
		extra := pick(d, collisions)
		if _, ok := payload.Get(extra.Key); !ok {
			payload = payload.With(extra.Key, extra.Value)
		}
	}
	return eventOf(session, kind, payload)
}

// --- calls ------------------------------------------------------------------------------------------------------------------

func (d *drawing) create() int { return d.p.Add(fnCreate, property.Opaque) }

func (d *drawing) append(log int, event property.Value) int {
	return d.p.Add(fnAppend, property.Opaque, property.Ref(log), property.Lit(event))
}

func (d *drawing) readEvents(log int, session string) int {
	return d.p.Add(fnEvents, property.Answer, property.Ref(log), property.Str(session))
}

func (d *drawing) list(log int) int { return d.p.Add(fnList, property.Answer, property.Ref(log)) }

func (d *drawing) replay(log int, session string) int {
	return d.p.Add(fnReplay, property.Answer, property.Ref(log), property.Str(session))
}

// ask reads a log value in every way, for each of the sessions.
func (d *drawing) ask(log int, sessions []string) {
	for _, s := range sessions {
		d.readEvents(log, s)
	}
	d.list(log)
	for _, s := range sessions {
		d.replay(log, s)
	}
}

// askOne reads a log value in one way.
func (d *drawing) askOne(log int, sessions []string) {
	switch d.intn(0, 2) {
	case 0:
		d.readEvents(log, pick(d, sessions))
	case 1:
		d.list(log)
	default:
		d.replay(log, pick(d, sessions))
	}
}
