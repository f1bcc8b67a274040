package inspect

import (
	"fmt"
	"strconv"

	"forgetmenot/eventlog"
)

// deepseek reads the sessions of DeepSeek's harness: a header, then events numbered from 0 without a gap, of which runs of chunks may be packed
// into one row. It is the strictest of them: a type that it does not know must say that it may be ignored, and what is bad before the end of a later turn
// is refused; what is bad behind the last one is dropped, with all that follows. Taken from packages/session/session-persistence-jsonl
// (format.ts) and packages/core/session (types.ts, chunk-rows.ts, known-event-types.ts, repair.ts).
type deepseek struct{}

func (deepseek) name() string { return "deepseek-harness" }

func (deepseek) policy() string {
	return "what is bad before the end of a later turn is refused; behind the last one it is dropped with all that follows, as the harness does"
}

func (deepseek) recognise(h *head) confidence {
	switch {
	case is(h.slots[headType], "session") && h.isText(headID) && h.has(headVersion, headCreatedAt):
		return surely
	case h.isText(headType) && h.has(headData) && (h.has(headSeq, headTime) || h.has(headSeq0)):
		return possibly
	}
	return no
}

// deepseekVersion is the newest version that is known; each newer one wrote the same envelope.
const deepseekVersion = 4

const (
	deepseekType = iota
	deepseekSeq
	deepseekTime
	deepseekIgnorable
	deepseekSeq0
	deepseekTime0
	deepseekData
	deepseekCallID
	deepseekContent
	deepseekMessageContent
	deepseekAnswers
	deepseekID
	deepseekFormat
	deepseekCreatedAt
	deepseekTurn
	deepseekStep
	deepseekSlots
)

const (
	deepseekBlockID = blockSlots + iota
	deepseekName
	deepseekArguments
	deepseekResult
)

// A deepseekLog is where reading a log stands.
type deepseekLog struct {
	session    string
	seq        int64  // of the next event
	issue      string // what is wrong; everything behind it is dropped, unless a turn ends there
	turn, step int64
	time       int64
	types      *names
	parts      *blocks
}

func (f deepseek) read(r *reader, emit func(*Event) error) (tail, error) {
	r.endMatters, r.blankMatters = true, true
	want := wanted("type", "seq", "time", "ignorable", "seq0", "time0", "data", "data.callId", "data.content", "data.message.content", "data.message.source.callId",
		"id", "version", "createdAt", "data.turn", "data.step")
	l := &deepseekLog{types: namesOf(f.name(), deepseekTypes()...), parts: newBlocks("id", "name", "arguments", "content")}
	if err := f.header(r, l, want, emit); err != nil {
		return tail{}, err
	}
	for {
		more := r.next(want, deepseekSlots)
		if r.firstBad.Line > 0 && l.issue == "" {
			l.issue = fmt.Sprintf("line %d is no record", r.firstBad.Line)
		}
		if !more {
			break
		}
		if err := f.record(r, l, emit); err != nil {
			return tail{}, err
		}
	}
	if err := r.finish(); err != nil {
		return tail{}, err
	}
	return tail{close: func(_ string, open eventlog.Recovery) []byte { return f.close(l, open) }}, nil
}

func (f deepseek) header(r *reader, l *deepseekLog, want []member, emit func(*Event) error) error {
	if !r.next(want, deepseekSlots) {
		if err := r.finish(); err != nil {
			return err
		}
		return r.refuse(Corrupt, "there is no header, and the harness refuses such a file")
	}
	s := r.scan.slots
	if r.line.number != 1 || !is(s[deepseekType], "session") || kind(s[deepseekID]) != '"' || s[deepseekFormat] == nil || s[deepseekCreatedAt] == nil {
		return r.refuse(Corrupt, "the first line is no header, and the harness refuses such a file")
	}
	r.report.Version = string(s[deepseekFormat])
	if v, err := strconv.Atoi(r.report.Version); err != nil || v < 0 || v > deepseekVersion {
		return r.refuse(Unsupported, fmt.Sprintf("it has version %.20s; those from 0 to %d are known", r.report.Version, deepseekVersion))
	}
	l.session = idOf(s[deepseekID], r.source.base())
	e := Event{Format: f.name(), SessionID: l.session, Time: timeOf(s[deepseekCreatedAt]), Place: r.place(), Record: r.record()}
	e.Type, _ = l.types.of(s[deepseekType])
	return emit(&e)
}

// record takes in one record: an event, or a row of them.
func (f deepseek) record(r *reader, l *deepseekLog, emit func(*Event) error) error {
	s := r.scan.slots
	if l.issue != "" {
		if is(s[deepseekType], "turn/end") {
			return r.refuse(Corrupt, l.issue+", and a turn ends behind it; the harness refuses the file")
		}
		r.drop(Dropped, l.issue+"; the harness drops what follows")
		return nil
	}
	seq, count, at := s[deepseekSeq], int64(1), s[deepseekTime]
	if isRow(s[deepseekType]) {
		seq, at = s[deepseekSeq0], s[deepseekTime0]
		if count = rowMembers(s[deepseekType], s[deepseekData]); count == 0 {
			l.issue = fmt.Sprintf("line %d is no row of chunks", r.line.number)
			r.drop(BadLine, "it is no row of chunks: it needs as many texts as times between them, and one more")
			return nil
		}
	}
	if n, err := strconv.ParseInt(string(seq), 10, 64); err != nil || n != l.seq {
		l.issue = fmt.Sprintf("line %d has the number %.20s where %d should stand", r.line.number, seq, l.seq)
		r.drop(Order, fmt.Sprintf("it has the number %.20s where %d should stand", seq, l.seq))
		return nil
	}
	e := Event{Format: f.name(), SessionID: l.session, Time: timeOf(at), Place: r.place(), Record: r.record(), weight: count}
	e.Type, e.unknown = l.types.of(s[deepseekType])
	if e.unknown && string(s[deepseekIgnorable]) != "true" {
		return r.refuse(Unsupported, fmt.Sprintf("%s is no type that is known, and it does not say that it may be ignored", s[deepseekType]))
	}
	l.seq += count
	l.time, _ = strconv.ParseInt(string(at), 10, 64)
	return f.event(e, s, l, emit)
}

func isRow(recordType []byte) bool {
	return is(recordType, "text-chunks") || is(recordType, "reasoning-chunks") || is(recordType, "tool-call-chunks")
}

// rowMembers is how many events a row holds; 0 when it is none.
func rowMembers(recordType, data []byte) int64 {
	s := scanner{trusted: true}
	if kind(data) != '{' || !s.scan(data, wanted("texts", "args", "dt"), 3) {
		return 0
	}
	members := s.slots[0]
	if is(recordType, "tool-call-chunks") {
		members = s.slots[1]
	}
	n, gaps := int64(0), int64(0)
	good := true
	elements(members, func(e []byte) { n++; good = good && kind(e) == '"' })
	elements(s.slots[2], func(e []byte) { gaps++; good = good && (kind(e) == '-' || kind(e) >= '0' && kind(e) <= '9') })
	if !good || n != gaps+1 {
		return 0
	}
	return n
}

// event gives out what an event says.
func (deepseek) event(e Event, s [][]byte, l *deepseekLog, emit func(*Event) error) error {
	at := s[deepseekType]
	switch {
	case is(at, "turn/start"):
		e.Type = eventlog.TypeTurnStart
		l.turn, _ = strconv.ParseInt(string(s[deepseekTurn]), 10, 64)
	case is(at, "turn/end"):
		e.Type = eventlog.TypeTurnEnd
	case is(at, "step/start"):
		e.Type = eventlog.TypeStepStart
		l.step, _ = strconv.ParseInt(string(s[deepseekStep]), 10, 64)
	case is(at, "step/end"):
		e.Type = eventlog.TypeStepEnd
	case is(at, "user/message"):
		e.Type, e.Content = eventlog.TypeUserMessage, l.parts.prose(s[deepseekContent], 4)
	case is(at, "tool/call"): // the reply has the call itself; this tells that the tool is run
		e.Type = eventlog.TypeToolStart
		e.CallID, _ = textOf(s[deepseekCallID])
	case is(at, "tool/result"):
		e.Type = eventlog.TypeToolResult
		e.CallID, _ = textOf(s[deepseekAnswers])
		l.parts.each(s[deepseekMessageContent], 4, func([]byte) {
			if e.Content == nil && is(l.parts.slots[blockType], "tool-result") {
				e.Content = l.parts.slots[deepseekResult]
			}
		})
		if e.Content = l.parts.prose(e.Content, 4); e.Content == nil {
			e.Content = s[deepseekMessageContent]
		}
	case is(at, "assistant/message"):
		calls := e
		if said := l.parts.prose(s[deepseekMessageContent], 4, "tool-call", "reasoning"); said != nil {
			m := e
			m.Type, m.Content = eventlog.TypeAssistantMessage, said
			if err := emit(&m); err != nil {
				return err
			}
			calls.Part++
		}
		var err error
		l.parts.each(s[deepseekMessageContent], 4, func([]byte) {
			if err != nil || !is(l.parts.slots[blockType], "tool-call") {
				return
			}
			c := calls
			c.Type, c.Arguments = eventlog.TypeToolCall, l.parts.slots[deepseekArguments]
			c.CallID, _ = textOf(l.parts.slots[deepseekBlockID])
			c.Name, _ = textOf(l.parts.slots[deepseekName])
			calls.Part++
			err = emit(&c)
		})
		if err != nil || calls.Part > 0 {
			return err
		}
	}
	return emit(&e)
}

func (deepseek) close(l *deepseekLog, open eventlog.Recovery) []byte {
	var b []byte
	seq := l.seq
	add := func(eventType, data string) {
		b = append(b, fmt.Sprintf(`{"type":%q,"seq":%d,"time":%d,"data":{"turn":%d,%s}`+"\n", eventType, seq, l.time, l.turn, data)...)
		seq++
	}
	for i, c := range open.Open {
		id := string(quoted(nil, c.ToolCall.ToolCallID))
		add("tool/result", fmt.Sprintf(`"step":%d,"message":{"id":"closer-%d","role":"user","source":{"kind":"tool","callId":%s},"content":[{"type":"tool-result","toolCallId":%s,`+
			`"isError":true,"content":[{"type":"text","text":%s}]}]}},"surfaceOp":"append"`, l.step, seq, id, id, closingText(open, i)))
	}
	if open.Step != 0 {
		add("step/end", fmt.Sprintf(`"step":%d}`, l.step))
	}
	if open.Turn != 0 {
		add("turn/end", `"reason":{"kind":"interrupted"}}`)
	}
	return b
}

// deepseekTypes are the types of records that the harness knew up to the newest version that is known here.
func deepseekTypes() []string {
	return []string{
		"session", "text-chunks", "reasoning-chunks", "tool-call-chunks",
		"agent-preset/selected", "agent/inbox/spliced", "approval/asked", "approval/decided", "approval/policy", "assistant/attempt", "assistant/chunk",
		"assistant/message", "command/done", "command/run", "compact/end", "compact/prune", "compact/start", "compact/summary", "compaction/end",
		"compaction/prune", "compaction/start", "compaction/summary", "deliverables/presented", "developer/message", "feedback/message-delete",
		"feedback/message-put", "feedback/record", "goal/change", "hook/invoked", "hook/result", "image/offload", "llm/retry", "llm/retry-started",
		"model/selection", "permission/preset", "plan/mode", "request/context", "request/header", "sandbox/mode", "schedule/change",
		"session-log-deepseek/delivery-accepted", "session/end-seed", "session/title", "session/title-llm-request", "slots/dispatch", "step/end",
		"step/start", "subagent/catalog", "subagent/descriptor", "subagent/model-selection-policy", "system/message", "team/member",
		"team/message/delivered", "team/message/queued", "team/task", "todo/write", "tool-workflow/agent-end", "tool-workflow/agent-start",
		"tool-workflow/run-end", "tool-workflow/run-start", "tool/call", "tool/code-dispatch", "tool/code-dispatch-start", "tool/ptc-dispatch",
		"tool/ptc-dispatch-start", "tool/result", "turn/end", "turn/start", "user/message", "web/deepseek-search-llm-request", "workspace/changes",
	}
}
