package inspect

import (
	"bytes"
	"hash/maphash"
	"time"

	"forgetmenot/eventlog"
)

// gemini reads the chats of Gemini CLI: a line of metadata, then messages by id. A message that comes again replaces the one with its id, in its
// place; {$set} sets metadata, and with messages begins anew with those; {$rewindTo} takes back the message with that id and all behind it, or
// all of them when there is none. Taken from packages/core/src/services/chatRecordingService.ts of gemini-cli.
type gemini struct{}

func (gemini) name() string { return "gemini-cli" }

func (gemini) policy() string {
	return "a bad line is passed over, as Gemini CLI does; a repeated id replaces, $set with messages begins anew, $rewindTo takes back"
}

func (gemini) recognise(h *head) confidence {
	switch {
	case h.isText(headSessionID, headProjectHash):
		return surely
	case h.isText(headID, headTimestamp, headType) && h.has(headContent) && !h.has(headParentID) &&
		(is(h.slots[headType], "user") || is(h.slots[headType], "gemini") || is(h.slots[headType], "info")):
		return possibly
	}
	return no
}

const (
	geminiID = iota
	geminiType
	geminiTime
	geminiContent
	geminiCalls
	geminiSession
	geminiProject
	geminiRewind
	geminiSet
	geminiSetMessages
	geminiSetSession
	geminiSetProject
	geminiStart
	geminiUpdated
	geminiSlots
)

const (
	geminiCallID = blockSlots + iota
	geminiName
	geminiArgs
	geminiResult
	geminiStatus
)

func geminiMembers() []member {
	return wanted("id", "type", "timestamp", "content", "toolCalls", "sessionId", "projectHash", "$rewindTo", "$set", "$set.messages",
		"$set.sessionId", "$set.projectHash", "startTime", "$set.lastUpdated")
}

// A chat is what Gemini CLI keeps while it reads: which messages there are, in which order, and where each was last written.
type chat struct {
	seed    maphash.Seed
	at      map[uint64]int // by the hash of an id, its place in order
	order   []message
	gone    map[string]int64 // how many records count no more, by why
	session string
	project bool
}

// A message was last written in a record, or as an element of its $set, from 1; gone ones have the record -1.
type message struct {
	id      uint64
	record  int32
	element int32
}

func (c *chat) put(id []byte, record, element int) {
	h := maphash.Bytes(c.seed, id)
	if at, ok := c.at[h]; ok {
		c.gone["replaced"]++
		c.order[at].record, c.order[at].element = int32(record), int32(element)
		return
	}
	c.at[h] = len(c.order)
	c.order = append(c.order, message{h, int32(record), int32(element)})
}

// cut takes back the messages from a place on.
func (c *chat) cut(from int, why string) {
	for i := from; i < len(c.order); i++ {
		if c.order[i].record >= 0 {
			delete(c.at, c.order[i].id)
			c.order[i].record = -1
			c.gone[why]++
		}
	}
	c.order = c.order[:from]
}

func (f gemini) read(r *reader, emit func(*Event) error) (tail, error) {
	want := geminiMembers()
	c := &chat{seed: maphash.MakeSeed(), at: map[uint64]int{}, gone: map[string]int64{}}
	inner := &scanner{trusted: true}
	records := 0
	for ; r.next(want, geminiSlots); records++ {
		c.take(r.scan.slots, records, inner, want)
	}
	if err := r.finish(); err != nil {
		return tail{}, err
	}
	if c.session == "" || !c.project {
		return tail{}, r.refuse(Corrupt, "no line gives the session's id and project, and Gemini CLI reads nothing of such a file")
	}
	for why, n := range c.gone {
		r.asideMany(why, n)
	}
	if err := r.rewind(); err != nil {
		return tail{}, err
	}
	return tail{whyOpen: "this format has no record that only ends a call; import it, and recover it there"}, f.replay(r, c, want, emit)
}

// take takes in a record as Gemini CLI does, which looks for these things in this order.
func (c *chat) take(s [][]byte, record int, inner *scanner, want []member) {
	switch {
	case kind(s[geminiRewind]) == '"':
		at, ok := c.at[maphash.Bytes(c.seed, s[geminiRewind])]
		if !ok {
			at = 0
		}
		c.cut(at, "rewound")
	case kind(s[geminiID]) == '"':
		c.put(s[geminiID], record, 0)
	case kind(s[geminiSet]) == '{':
		c.metadata(s[geminiSetSession], s[geminiSetProject])
		if kind(s[geminiSetMessages]) != '[' {
			return
		}
		c.cut(0, "replaced")
		element := 0
		elements(s[geminiSetMessages], func(text []byte) {
			if element++; inner.scan(text, want, geminiSlots) && kind(inner.slots[geminiID]) == '"' {
				c.put(inner.slots[geminiID], record, element)
			}
		})
	default:
		c.metadata(s[geminiSession], s[geminiProject])
	}
}

func (c *chat) metadata(session, project []byte) {
	c.session = idOf(session, c.session)
	c.project = c.project || kind(project) == '"'
}

// replay gives out the messages in their order, which is that of their first appearance. One that was replaced later waits for those before it.
func (f gemini) replay(r *reader, c *chat, want []member, emit func(*Event) error) error {
	types := namesOf(f.name(), "user", "gemini", "info", "error", "warning", "metadata", "set", "rewind")
	parts := newBlocks("id", "name", "args", "result", "status")
	place := make(map[[2]int32]int, 1024) // of the messages not yet given out
	for i, m := range c.order {
		place[[2]int32{m.record, m.element}] = i
	}
	waiting := map[int]geminiRecord{}
	next := 0
	inner := &scanner{trusted: true}
	give := func(record, element int, g geminiRecord) error {
		i, ok := place[[2]int32{int32(record), int32(element)}]
		if !ok {
			return nil
		}
		delete(place, [2]int32{int32(record), int32(element)})
		if i > next {
			g.text = bytes.Clone(g.text)
			waiting[i] = g
			return nil
		}
		for ok {
			if !inner.scan(g.text, want, geminiSlots) {
				return nil
			}
			if err := f.message(g, c.session, inner.slots, types, parts, emit); err != nil {
				return err
			}
			delete(waiting, next)
			next++
			g, ok = waiting[next]
		}
		return nil
	}
	for record := 0; r.next(want, geminiSlots); record++ {
		s := r.scan.slots
		g := geminiRecord{text: r.record(), place: r.place()}
		at := timeOf(s[geminiStart])
		var err error
		switch {
		case kind(s[geminiRewind]) == '"':
			err = f.other(g, c.session, `"rewind"`, at, types, emit)
		case kind(s[geminiID]) == '"':
			err = give(record, 0, g)
		case kind(s[geminiSet]) == '{':
			if err = f.other(g, c.session, `"set"`, timeOf(s[geminiUpdated]), types, emit); err != nil {
				return err
			}
			element := 0
			elements(s[geminiSetMessages], func(text []byte) {
				if element++; err == nil {
					err = give(record, element, geminiRecord{text: text, place: g.place})
				}
			})
		default:
			err = f.other(g, c.session, `"metadata"`, at, types, emit)
		}
		if err != nil {
			return err
		}
	}
	return r.finish()
}

// A geminiRecord is a record, or a message within one.
type geminiRecord struct {
	text  []byte
	place Place
}

func (f gemini) other(g geminiRecord, session, kind string, at time.Time, types *names, emit func(*Event) error) error {
	e := Event{Format: f.name(), SessionID: session, Time: at, Place: g.place, Record: g.text}
	e.Type, e.unknown = types.of([]byte(kind))
	return emit(&e)
}

// message gives out what a message says: its text, the calls in it, and their results, which stand beside them.
func (f gemini) message(g geminiRecord, session string, s [][]byte, types *names, parts *blocks, emit func(*Event) error) error {
	base := Event{Format: f.name(), SessionID: session, Time: timeOf(s[geminiTime]), Place: g.place, Record: g.text}
	base.Type, base.unknown = types.of(s[geminiType])
	said := parts.prose(s[geminiContent], 5)
	if is(said, "") {
		said = nil
	}
	n := 0
	give := func(e Event) error {
		e.Part = n
		n++
		return emit(&e)
	}
	user, model := is(s[geminiType], "user"), is(s[geminiType], "gemini")
	var err error
	if said != nil && (user || model) {
		m := base
		m.Content = said
		if m.Type, m.turn = eventlog.TypeUserMessage, turnStarts; model {
			if m.Type, m.turn = eventlog.TypeAssistantMessage, turnEnds; kind(s[geminiCalls]) == '[' && !bytes.Equal(s[geminiCalls], []byte("[]")) {
				m.turn = noMark
			}
		}
		err = give(m)
	}
	if model {
		var results []Event
		parts.each(s[geminiCalls], 5, func([]byte) {
			if err != nil {
				return
			}
			c := base
			c.Type, c.Arguments = eventlog.TypeToolCall, parts.slots[geminiArgs]
			c.CallID, _ = textOf(parts.slots[geminiCallID])
			c.Name, _ = textOf(parts.slots[geminiName])
			err = give(c)
			status := parts.slots[geminiStatus]
			if result := parts.slots[geminiResult]; kind(result) != 0 && kind(result) != 'n' || is(status, "success") || is(status, "error") || is(status, "cancelled") {
				c.Type, c.Content = eventlog.TypeToolResult, result
				results = append(results, c)
			}
		})
		for _, e := range results {
			if err == nil {
				err = give(e)
			}
		}
	}
	if err != nil || n > 0 {
		return err
	}
	return emit(&base)
}
