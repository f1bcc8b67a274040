package eventlogtest

import (
	"forgetmenot/grader/property"
)

// The subject's functions, under their JavaScript names.
const (
	fnCreate = "createEventLog"
	fnAppend = "appendEvent"
	fnEvents = "getEventsForSession"
	fnList   = "listSessions"
	fnReplay = "replaySession"
)

// Functions are the names of the five functions, in the order of the contract.
func Functions() []string { return []string{fnCreate, fnAppend, fnEvents, fnList, fnReplay} }

// An entry is one event of a log value's history.
type entry struct {
	call  int            // the appendEvent that added it
	event property.Value // as it was handed in at that moment
}

func (e entry) session() string { return e.event.Field("sessionId").Text() }
func (e entry) kind() string    { return e.event.Field("type").Text() }

// A history is what a program should have made of each of its log values. It depends on the program alone.
type history struct {
	program *property.Program
	logs    map[int][]entry        // by the call that made the log value
	values  map[int]property.Value // what each variable holds, by call, at the end
	touched map[int]bool           // variables that were assigned to
	classes map[int]int            // log values that were made by equal calls share a class
}

// historyOf replays a program on the model.
func historyOf(p *property.Program) *history {
	h := &history{program: p, logs: map[int][]entry{}, values: map[int]property.Value{}, touched: map[int]bool{}, classes: map[int]int{}}
	classes := map[string]int{}
	for i, c := range p.Calls {
		switch c.Fn {
		case fnCreate:
			h.logs[i] = nil
			h.classes[i] = intern(classes, "create")
		case fnAppend:
			from, _ := c.Args[0].IsRef()
			e := h.valueOf(c.Args[1])
			old := h.logs[from]
			h.logs[i] = append(old[:len(old):len(old)], entry{i, e})
			h.classes[i] = intern(classes, string(e.AppendJSON([]byte{byte(h.classes[from] >> 8), byte(h.classes[from]), ' '})))
		case property.VerbValue:
			h.values[i] = c.Args[0].Value()
		case property.VerbSet, property.VerbPush:
			if ref, ok := c.Args[0].IsRef(); ok {
				h.touched[ref] = true
				if v, ok := h.values[ref]; ok && c.Fn == property.VerbSet {
					h.values[ref] = assign(v, c.Args[1].Value().Items(), c.Args[2].Value())
				}
			}
		}
	}
	return h
}

func intern(m map[string]int, key string) int {
	if n, ok := m[key]; ok {
		return n
	}
	m[key] = len(m)
	return len(m) - 1
}

func (h *history) valueOf(a property.Arg) property.Value {
	if ref, ok := a.IsRef(); ok {
		return h.values[ref]
	}
	return a.Value()
}

// child is what stands under a key of an object or at a place of a list.
func child(v, key property.Value) (property.Value, bool) {
	if n, ok := key.Int(); ok {
		if v.Kind() != property.List || n < 0 || n >= int64(len(v.Items())) {
			return property.Value{}, false
		}
		return v.Items()[n], true
	}
	return v.Get(key.Text())
}

// assign is v with the place at path set; v itself when the path leads nowhere.
func assign(v property.Value, path []property.Value, to property.Value) property.Value {
	if len(path) == 0 {
		return to
	}
	inner, ok := child(v, path[0])
	if !ok && (len(path) > 1 || v.Kind() != property.Object) {
		return v
	}
	inner = assign(inner, path[1:], to)
	if n, isPlace := path[0].Int(); isPlace {
		items := append([]property.Value(nil), v.Items()...)
		items[n] = inner
		return property.ListOf(items...)
	}
	return v.With(path[0].Text(), inner)
}

// of is the part of a log's history that belongs to a session.
func (h *history) of(log int, session string) []entry {
	var own []entry
	for _, e := range h.logs[log] {
		if e.session() == session {
			own = append(own, e)
		}
	}
	return own
}

// sessions are a log's sessions in the order of their first event.
func (h *history) sessions(log int) []string {
	var ids []string
	seen := map[string]bool{}
	for _, e := range h.logs[log] {
		if id := e.session(); !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// messages folds a session as the contract says.
func (h *history) messages(log int, session string) []property.Value {
	return fold(h.of(log, session))
}

func fold(entries []entry) []property.Value {
	messages := []property.Value{}
	for _, e := range entries {
		if m, ok := foldOne(e); ok {
			messages = append(messages, m)
		}
	}
	return messages
}

func foldOne(e entry) (property.Value, bool) {
	p := e.event.Field("payload")
	str := property.String
	f := func(key string, v property.Value) property.Field { return property.Field{Key: key, Value: v} }
	switch e.kind() {
	case "user_message":
		return property.ObjectOf(f("role", str("user")), f("content", p.Field("content"))), true
	case "assistant_message":
		return property.ObjectOf(f("role", str("assistant")), f("content", p.Field("content"))), true
	case "tool_call":
		call := property.ObjectOf(f("toolCallId", p.Field("callId")), f("name", p.Field("name")), f("arguments", p.Field("arguments")))
		return property.ObjectOf(f("role", str("assistant")), f("content", property.Value{}), f("toolCalls", property.ListOf(call))), true
	case "tool_result":
		return property.ObjectOf(f("role", str("tool")), f("toolCallId", p.Field("callId")), f("content", p.Field("content"))), true
	}
	return property.Value{}, false
}

// A question is a call that reads a log value.
type question struct {
	call    int
	fn      string
	log     int
	session string // empty for listSessions
}

// questions lists a program's reads in order.
func (h *history) questions() []question {
	var qs []question
	for i, c := range h.program.Calls {
		if c.Fn != fnEvents && c.Fn != fnList && c.Fn != fnReplay {
			continue
		}
		q := question{call: i, fn: c.Fn}
		q.log, _ = c.Args[0].IsRef()
		if len(c.Args) > 1 {
			q.session = c.Args[1].Value().Text()
		}
		qs = append(qs, q)
	}
	return qs
}

// descends tells whether log value b is log value a, or was grown from it.
func (h *history) descends(b, a int) bool {
	for {
		if a == b {
			return true
		}
		c := h.program.Calls[b]
		if c.Fn != fnAppend {
			return false
		}
		b, _ = c.Args[0].IsRef()
	}
}

// valid tells whether a program hands in only what the contract allows: events with a session, a type and an object for payload that
// has the fields its type needs, and no question to something that is no log.
func valid(p *property.Program) bool {
	logs := map[int]bool{}
	values := map[int]property.Value{}
	isLog := func(a property.Arg) bool { ref, ok := a.IsRef(); return ok && logs[ref] }
	for i, c := range p.Calls {
		switch c.Fn {
		case fnCreate:
			logs[i] = true
		case fnAppend:
			if !isLog(c.Args[0]) {
				return false
			}
			if ref, ok := c.Args[1].IsRef(); ok {
				if _, ok := values[ref]; !ok {
					return false
				}
			} else if !validEvent(c.Args[1].Value()) {
				return false
			}
			logs[i] = true
		case fnEvents, fnReplay:
			if !isLog(c.Args[0]) || c.Args[1].Value().Text() == "" {
				return false
			}
		case fnList:
			if !isLog(c.Args[0]) {
				return false
			}
		case property.VerbValue:
			if !validEvent(c.Args[0].Value()) {
				return false
			}
			values[i] = c.Args[0].Value()
		case property.VerbSet:
			// Somebody may change what is there, or add to it, but cannot reach into what is not there.
			ref, _ := c.Args[0].IsRef()
			if v, ours := values[ref]; ours {
				keys := c.Args[1].Value().Items()
				inner := v
				for _, k := range keys[:len(keys)-1] {
					inner, _ = child(inner, k)
				}
				if _, there := child(inner, keys[len(keys)-1]); !there && inner.Kind() != property.Object {
					return false
				}
				values[ref] = assign(v, keys, c.Args[2].Value())
			}
		}
	}
	return true
}

var fieldsOf = map[string][]string{
	"user_message":      {"content"},
	"assistant_message": {"content"},
	"tool_call":         {"callId", "name", "arguments"},
	"tool_result":       {"callId", "content"},
}

func validEvent(e property.Value) bool {
	payload := e.Field("payload")
	if e.Field("sessionId").Text() == "" || e.Field("type").Text() == "" || payload.Kind() != property.Object {
		return false
	}
	for _, key := range fieldsOf[e.Field("type").Text()] {
		v, ok := payload.Get(key)
		if !ok || key != "content" && v.Kind() != property.Text {
			return false
		}
	}
	return true
}
