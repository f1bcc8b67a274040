package inspect

import (
	"fmt"

	"forgetmenot/eventlog"
)

// pi reads the sessions of Pi: a header, then entries with an id and a parentId, which make a tree. The path to the last entry is the session.
// Version 1 has no ids, and is a line of entries. Taken from packages/coding-agent/src/core/session-manager.ts of pi-mono.
type pi struct{}

func (pi) name() string { return "pi" }

func (pi) policy() string {
	return "a bad line is passed over, as Pi does, but without its header the whole file counts as empty; the path to the newest entry is the session"
}

func (pi) recognise(h *head) confidence {
	switch {
	case is(h.slots[headType], "session") && h.isText(headID, headTimestamp):
		return surely
	case h.isText(headType, headID, headTimestamp) && h.has(headParentID):
		return possibly
	}
	return no
}

const piVersion = 3

const (
	piType = iota
	piID
	piParent
	piTime
	piFormat
	piMessage
	piRole
	piContent
	piCall
	piStop
	piSlots
)

const (
	piCallID = blockSlots + iota
	piName
	piArguments
)

func (f pi) read(r *reader, emit func(*Event) error) (tail, error) {
	want := wanted("type", "id", "parentId", "timestamp", "version", "message", "message.role", "message.content", "message.toolCallId", "message.stopReason")
	session, err := f.header(r, want)
	if err != nil {
		return tail{}, err
	}
	flat := r.report.Version == "1"
	entries := newTree()
	var lastID []byte
	for r.next(want, piSlots) {
		s := r.scan.slots
		n := entries.add(s[piID], s[piParent])
		entries.isLeaf(n)
		lastID = append(lastID[:0], s[piID]...)
		if flat {
			entries.parent[n] = n - 1
		}
	}
	if err := r.finish(); err != nil {
		return tail{}, err
	}
	_, branches := entries.grow()
	r.asideMany("branch", branches)
	if err := r.rewind(); err != nil {
		return tail{}, err
	}

	types := namesOf(f.name(), "session", "message", "thinking_level_change", "model_change", "compaction", "branch_summary", "custom", "custom_message",
		"label", "session_info")
	parts := newBlocks("id", "name", "arguments")
	i := -1
	for header := true; r.next(want, piSlots); header = false {
		if !header {
			if i++; !entries.onPath[i] {
				continue
			}
		}
		s := r.scan.slots
		e := Event{Format: f.name(), SessionID: session, Time: timeOf(s[piTime]), Place: r.place(), Record: r.record()}
		e.Type, e.unknown = types.of(s[piType])
		if err := f.entry(e, s, parts, emit); err != nil {
			return tail{}, err
		}
	}
	last, _ := textOf(lastID)
	return tail{close: func(_ string, open eventlog.Recovery) []byte { return f.close(open, last, flat) }}, r.finish()
}

func (f pi) header(r *reader, want []member) (session string, err error) {
	if !r.next(want, piSlots) {
		if err := r.finish(); err != nil {
			return "", err
		}
		return "", r.refuse(Corrupt, "there is no header, and Pi takes such a file for empty")
	}
	s := r.scan.slots
	if !is(s[piType], "session") || kind(s[piID]) != '"' {
		return "", r.refuse(Corrupt, "the first record is no header, and Pi takes such a file for empty")
	}
	r.report.Version = "1"
	if s[piFormat] != nil {
		r.report.Version = string(s[piFormat])
	}
	switch r.report.Version {
	case "1", "2", "3":
	default:
		return "", r.refuse(Unsupported, fmt.Sprintf("it has version %.20s; those up to %d are known", r.report.Version, piVersion))
	}
	return idOf(s[piID], r.source.base()), nil
}

// entry gives out what an entry says.
func (pi) entry(e Event, s [][]byte, parts *blocks, emit func(*Event) error) error {
	if !is(s[piType], "message") {
		return emit(&e)
	}
	switch {
	case is(s[piRole], "user"):
		e.Type, e.Content, e.turn = eventlog.TypeUserMessage, parts.prose(s[piContent], 3), turnStarts
	case is(s[piRole], "toolResult"):
		e.Type, e.Content = eventlog.TypeToolResult, parts.prose(s[piContent], 3)
		e.CallID, _ = textOf(s[piCall])
	case is(s[piRole], "assistant"):
		calls := e
		said := parts.prose(s[piContent], 3, "toolCall", "thinking")
		if is(s[piStop], "stop") || is(s[piStop], "length") {
			e.turn = turnEnds
		}
		if said != nil {
			e.Type, e.Content = eventlog.TypeAssistantMessage, said
			if err := emit(&e); err != nil {
				return err
			}
			calls.Part++
		}
		var err error
		parts.each(s[piContent], 3, func([]byte) {
			if err != nil || !is(parts.slots[blockType], "toolCall") {
				return
			}
			c := calls
			c.Type, c.Arguments = eventlog.TypeToolCall, parts.slots[piArguments]
			c.CallID, _ = textOf(parts.slots[piCallID])
			c.Name, _ = textOf(parts.slots[piName])
			calls.Part++
			err = emit(&c)
		})
		if err != nil || calls.Part > 0 {
			return err
		}
	}
	return emit(&e)
}

func (pi) close(open eventlog.Recovery, parent string, flat bool) []byte {
	var b []byte
	for i, c := range open.Open {
		id := closerUUID(parent, c.ToolCall.ToolCallID)[:8]
		b = append(b, `{"type":"message",`...)
		if !flat {
			b = quoted(append(b, `"id":`...), id)
			b = quoted(append(b, `,"parentId":`...), parent)
			b = append(b, ',')
			parent = id
		}
		b = quoted(append(b, `"timestamp":`...), closingTime(open).Format("2006-01-02T15:04:05.000Z07:00"))
		b = quoted(append(b, `,"message":{"role":"toolResult","toolCallId":`...), c.ToolCall.ToolCallID)
		b = quoted(append(b, `,"toolName":`...), c.ToolCall.Name)
		b = append(append(b, `,"content":[{"type":"text","text":`...), closingText(open, i)...)
		b = append(b, fmt.Sprintf(`}],"isError":true,"timestamp":%d}}`+"\n", closingTime(open).UnixMilli())...)
	}
	return b
}
