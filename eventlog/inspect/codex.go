package inspect

import (
	"fmt"

	"forgetmenot/eventlog"
)

// codex reads the rollouts of OpenAI Codex: one file a session, {timestamp, type, payload} a line. What the model saw and said is in response_item;
// event_msg is what the screen was told, and brackets the turns. A fork copies the records of the session that it comes from behind its own
// session_meta, theirs included; so the first one owns the file. Taken from codex-rs/rollout (recorder.rs, ordinal.rs) and codex-rs/protocol.
type codex struct{}

func (codex) name() string { return "codex" }

func (codex) policy() string {
	return "a bad line is passed over and the next one read, as Codex does; the first session_meta owns the file"
}

func (codex) recognise(h *head) confidence {
	if !h.isText(headTimestamp, headType) || kind(h.slots[headPayload]) != '{' {
		return no
	}
	if is(h.slots[headType], "session_meta") {
		return surely
	}
	return possibly
}

const (
	codexTime = iota
	codexType
	codexOrdinal
	codexItem
	codexRole
	codexContent
	codexCallID
	codexID
	codexName
	codexArguments
	codexInput
	codexAction
	codexOutput
	codexMetaID
	codexVersion
	codexTurns
	codexSlots
)

func (f codex) read(r *reader, emit func(*Event) error) (tail, error) {
	want := wanted("timestamp", "type", "ordinal", "payload.type", "payload.role", "payload.content", "payload.call_id", "payload.id", "payload.name",
		"payload.arguments", "payload.input", "payload.action", "payload.output", "payload.session_id", "payload.cli_version", "payload.num_turns")
	kinds := namesOf(f.name(), "session_meta", "response_item", "compacted", "turn_context", "event_msg", "world_state", "inter_agent_communication")
	items := namesOf(f.name()+"/response_item", "message", "reasoning", "agent_message", "web_search_call", "tool_search_call", "tool_search_output",
		"image_generation_call", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other",
		"function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output", "local_shell_call")
	messages := namesOf(f.name() + "/event_msg") // there are many, and new ones every month; none is needed
	parts := newBlocks()
	session, owned, bracketed := "", false, false
	custom := map[string]bool{} // open calls that are answered in their own way

	e := &Event{}
	for r.next(want, codexSlots) {
		s := r.scan.slots
		*e = Event{Format: f.name(), SessionID: session, Time: timeOf(s[codexTime]), Place: r.place(), Record: r.record()}
		switch {
		case is(s[codexType], "session_meta"):
			if owned {
				r.note(Copied, "this session_meta came with a fork; the first one owns the file")
				r.aside("copy")
				continue
			}
			owned = true
			session = idOf(s[codexID], idOf(s[codexMetaID], r.source.base()))
			r.report.Version, _ = textOf(s[codexVersion])
			e.SessionID = session
			e.Type, _ = kinds.of(s[codexType])
		case is(s[codexType], "response_item"):
			e.Type, e.unknown = items.of(s[codexItem])
			f.item(e, s, parts, custom)
		case is(s[codexType], "event_msg"):
			e.Type, _ = messages.of(s[codexItem])
			switch {
			case is(s[codexItem], "task_started"), is(s[codexItem], "turn_started"):
				e.turn, bracketed = turnStarts, true
			case is(s[codexItem], "task_complete"), is(s[codexItem], "turn_complete"), is(s[codexItem], "turn_aborted"):
				e.turn, bracketed = turnEnds, true
			case is(s[codexItem], "thread_rolled_back"):
				r.note(RolledBack, fmt.Sprintf("the last %s turns are taken back here; they are still in the log", s[codexTurns]))
			}
		default:
			e.Type, e.unknown = kinds.of(s[codexType])
		}
		if e.SessionID == "" {
			session = r.source.base()
			e.SessionID = session
		}
		if bracketed && e.turn != noMark && mapped(e.Type) {
			e.turn = noMark // the messages themselves tell of turns only where nothing else does
		}
		if err := emit(e); err != nil {
			return tail{}, err
		}
	}
	if err := r.finish(); err != nil {
		return tail{}, err
	}
	if r.report.Lines.Records == 0 {
		return tail{}, r.refuse(Corrupt, "there is no record in it, and Codex refuses an empty file")
	}
	return tail{close: func(_ string, open eventlog.Recovery) []byte { return f.close(open, custom) }}, nil
}

// item makes an event of ours of a response_item, when it is one.
func (codex) item(e *Event, s [][]byte, parts *blocks, custom map[string]bool) {
	id, _ := textOf(s[codexCallID])
	switch {
	case is(s[codexItem], "message"):
		content := parts.prose(s[codexContent], 0)
		switch {
		case content == nil:
		case is(s[codexRole], "user"):
			e.Type, e.Content, e.turn = eventlog.TypeUserMessage, content, turnStarts
		case is(s[codexRole], "assistant"):
			e.Type, e.Content, e.turn = eventlog.TypeAssistantMessage, content, turnEnds
		}
	case is(s[codexItem], "function_call"):
		e.Type, e.CallID, e.Arguments = eventlog.TypeToolCall, id, s[codexArguments]
		e.Name, _ = textOf(s[codexName])
	case is(s[codexItem], "custom_tool_call"):
		e.Type, e.CallID, e.Arguments = eventlog.TypeToolCall, id, s[codexInput]
		e.Name, _ = textOf(s[codexName])
		custom[id] = true
	case is(s[codexItem], "local_shell_call"):
		if id == "" {
			id, _ = textOf(s[codexID])
		}
		e.Type, e.CallID, e.Name, e.Arguments = eventlog.TypeToolCall, id, "local_shell", s[codexAction]
	case is(s[codexItem], "function_call_output"), is(s[codexItem], "custom_tool_call_output"):
		e.Type, e.CallID, e.Content = eventlog.TypeToolResult, id, s[codexOutput]
		delete(custom, id)
	}
}

func (codex) close(open eventlog.Recovery, custom map[string]bool) []byte {
	var b []byte
	for i, c := range open.Open {
		output := "function_call_output"
		if custom[c.ToolCall.ToolCallID] {
			output = "custom_tool_call_output"
		}
		b = quoted(append(b, `{"timestamp":`...), closingTime(open).Format("2006-01-02T15:04:05.000Z07:00"))
		b = append(b, `,"type":"response_item","payload":{"type":"`+output+`","call_id":`...)
		b = quoted(b, c.ToolCall.ToolCallID)
		b = append(append(b, `,"output":`...), closingText(open, i)...)
		b = append(b, "}}\n"...)
	}
	return b
}
