package inspect

import (
	"fmt"
	"strconv"

	"forgetmenot/eventlog"
)

// claude reads the sessions of Claude Code: records with a uuid and a parentUuid, which make a tree, among others that have none. The path to the
// newest message is the session; side chains, which are what sub-agents did, stand apart, unless the file is a sub-agent's own. Results of tools are blocks of messages of the user.
// There is no public source: taken from what several who read such files have written down.
type claude struct{}

func (claude) name() string { return "claude-code" }

func (claude) policy() string {
	return "a bad line is passed over and the next one read; the path to the newest message is the session, side chains stand apart"
}

func (claude) recognise(h *head) confidence {
	switch {
	case h.isText(headType, headUUID, headSessionID) && h.has(headParentUUID):
		return surely
	case is(h.slots[headType], "summary") && h.isText(headLeafUUID),
		is(h.slots[headType], "file-history-snapshot") && h.has(headSnapshot),
		is(h.slots[headType], "queue-operation") && h.isText(headSessionID, headTimestamp):
		return possibly
	}
	return no
}

const (
	claudeType = iota
	claudeID
	claudeParent
	claudeLogicalParent
	claudeSession
	claudeTime
	claudeSide
	claudeVersion
	claudeCwd
	claudeMessageID
	claudeContent
	claudeStop
	claudeSlots
)

const (
	claudeUseID = blockSlots + iota
	claudeName
	claudeInput
	claudeAnswers
	claudeResult
)

func (f claude) read(r *reader, emit func(*Event) error) (tail, error) {
	want := wanted("type", "uuid", "parentUuid", "logicalParentUuid", "sessionId", "timestamp", "isSidechain", "version", "cwd",
		"message.id", "message.content", "message.stop_reason")
	parts := newBlocks("id", "name", "input", "tool_use_id", "content")
	entries := newTree()
	var end claudeEnd
	alone := true // side chains, and nothing beside them: it is the file of a sub-agent
	for r.next(want, claudeSlots) {
		s := r.scan.slots
		if kind(s[claudeID]) != '"' {
			continue
		}
		parent := s[claudeParent]
		if kind(parent) != '"' {
			parent = s[claudeLogicalParent] // behind a compaction the tree begins anew, and this is what came before
		}
		n := entries.add(s[claudeID], parent)
		entries.side[n] = string(s[claudeSide]) == "true"
		switch {
		case is(s[claudeType], "assistant"):
			if kind(s[claudeMessageID]) == '"' {
				entries.with[n] = uint32(entries.hash(s[claudeMessageID]) >> 32)
			}
			// One reply is written block by block, each with the one before as parent, or several with the same.
			up := entries.parent[n]
			entries.follow[n] = up >= 0 && entries.with[n] != 0 && entries.with[up] == entries.with[n]
		case is(s[claudeType], "user"):
			// The results of calls side by side have each its own call as parent, so that only one of them is on the path.
			parts.each(s[claudeContent], 5, func([]byte) {
				entries.follow[n] = entries.follow[n] || is(parts.slots[blockType], "tool_result")
			})
		default:
			continue
		}
		if entries.side[n] && !alone {
			continue
		}
		if !entries.side[n] && alone {
			alone, end = false, claudeEnd{}
		}
		entries.isLeaf(n)
		end.see(s)
	}
	if err := r.finish(); err != nil {
		return tail{}, err
	}
	r.report.Version = end.version
	session := end.session
	if session == "" {
		session = r.source.base()
	}
	sides, branches := entries.grow()
	r.asideMany("branch", branches)
	r.asideMany("sidechain", sides)
	if err := r.rewind(); err != nil {
		return tail{}, err
	}

	types := namesOf(f.name(), "user", "assistant", "system", "summary", "file-history-snapshot", "queue-operation", "progress", "attachment", "custom-title",
		"ai-title", "tag", "last-prompt", "agent-name", "agent-color", "mode", "permission-mode", "pr-link", "saved_hook_context", "hook_progress")
	for i := 0; r.next(want, claudeSlots); {
		s := r.scan.slots
		if kind(s[claudeID]) == '"' {
			if i++; !entries.onPath[i-1] {
				continue
			}
		}
		e := Event{Format: f.name(), SessionID: session, Time: timeOf(s[claudeTime]), Place: r.place(), Record: r.record()}
		e.Type, e.unknown = types.of(s[claudeType])
		if err := f.entry(e, s, parts, emit); err != nil {
			return tail{}, err
		}
	}
	return tail{close: func(_ string, open eventlog.Recovery) []byte { return f.close(open, session, end) }}, r.finish()
}

// A claudeEnd is what a closer must know of the newest message.
type claudeEnd struct {
	session, version, id, cwd string
	side                      bool
}

func (end *claudeEnd) see(s [][]byte) {
	end.id, _ = textOf(s[claudeID])
	end.cwd, _ = textOf(s[claudeCwd])
	end.side = string(s[claudeSide]) == "true"
	if end.version == "" || !is(s[claudeVersion], end.version) {
		end.version, _ = textOf(s[claudeVersion])
	}
	if end.session == "" {
		end.session = idOf(s[claudeSession], "")
	}
}

// entry gives out what a record says.
func (claude) entry(e Event, s [][]byte, parts *blocks, emit func(*Event) error) error {
	user := is(s[claudeType], "user")
	if !user && !is(s[claudeType], "assistant") {
		return emit(&e)
	}
	base := e
	give := func(e Event) error {
		e.Part = base.Part
		base.Part++
		return emit(&e)
	}
	said := parts.prose(s[claudeContent], 5, "tool_use", "tool_result", "thinking", "redacted_thinking")
	message := func() error {
		if said == nil {
			return nil
		}
		m := base
		m.Content = said
		if user {
			m.Type, m.turn = eventlog.TypeUserMessage, turnStarts
		} else {
			m.Type = eventlog.TypeAssistantMessage
			if is(s[claudeStop], "end_turn") || is(s[claudeStop], "stop_sequence") {
				m.turn = turnEnds
			}
		}
		return give(m)
	}
	var err error
	if !user { // a reply says first, and calls then; a user's record answers calls first
		err = message()
	}
	parts.each(s[claudeContent], 5, func([]byte) {
		if err != nil {
			return
		}
		c := base
		switch {
		case is(parts.slots[blockType], "tool_use"):
			c.Type, c.Arguments = eventlog.TypeToolCall, parts.slots[claudeInput]
			c.CallID, _ = textOf(parts.slots[claudeUseID])
			c.Name, _ = textOf(parts.slots[claudeName])
		case is(parts.slots[blockType], "tool_result"):
			c.Type, c.Content = eventlog.TypeToolResult, parts.slots[claudeResult]
			c.CallID, _ = textOf(parts.slots[claudeAnswers])
		default:
			return
		}
		err = give(c)
	})
	if err == nil && user {
		err = message()
	}
	if err != nil || base.Part > 0 {
		return err
	}
	return emit(&base)
}

func (claude) close(open eventlog.Recovery, session string, end claudeEnd) []byte {
	if len(open.Open) == 0 {
		return nil
	}
	at := closingTime(open).Format("2006-01-02T15:04:05.000Z07:00")
	var b []byte
	b = quoted(append(b, `{"parentUuid":`...), end.id)
	b = strconv.AppendBool(append(b, `,"isSidechain":`...), end.side)
	b = append(b, `,"userType":"external","cwd":`...)
	b = quoted(b, end.cwd)
	b = quoted(append(b, `,"sessionId":`...), session)
	b = quoted(append(b, `,"version":`...), end.version)
	b = append(b, `,"type":"user","message":{"role":"user","content":[`...)
	for i, c := range open.Open {
		if i > 0 {
			b = append(b, ',')
		}
		b = quoted(append(b, `{"type":"tool_result","is_error":true,"tool_use_id":`...), c.ToolCall.ToolCallID)
		b = append(append(b, `,"content":`...), closingText(open, i)...)
		b = append(b, '}')
	}
	b = quoted(append(b, `]},"uuid":`...), closerUUID(session, end.id))
	return append(b, fmt.Sprintf(`,"timestamp":%q}`+"\n", at)...)
}
