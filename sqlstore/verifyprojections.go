package sqlstore

import (
	"encoding/json"
	"slices"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// messages holds the table of messages against the fold of the log.
func (v *verifier) messages() error {
	err := v.each(func(s *sqlite3.Stmt) {
		e := readEvent(s)
		m, folds := eventlog.FoldEvent(e.Event)
		stored := s.ColumnType(4) != sqlite3.NULL
		switch {
		case folds && !stored:
			v.fault(FaultProjection, e.EventID, "event %d has no message", e.EventID)
		case !folds && stored:
			v.fault(FaultProjection, e.EventID, "event %d has a message, which its type %q does not fold to", e.EventID, e.Type)
		case folds && (s.ColumnInt64(4) != s.ColumnInt64(5) || !sameMessage(m, readMessage(s, 6))):
			v.fault(FaultProjection, e.EventID, "the message of event %d is not what the event folds to", e.EventID)
		}
	}, `SELECT e.event_id, e.type, e.payload, e.created_at, m.session, e.session, m.role, m.content, m.tool_call_id, m.name, m.arguments
		FROM events e LEFT JOIN messages m ON m.event_id = e.event_id ORDER BY e.event_id`)
	if err != nil {
		return err
	}
	return v.each(func(s *sqlite3.Stmt) {
		v.fault(FaultProjection, s.ColumnInt64(0), "message %d has no event", s.ColumnInt64(0))
	}, "SELECT event_id FROM messages m WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.event_id = m.event_id)")
}

func sameMessage(a, b eventlog.Message) bool {
	return a.Role == b.Role && string(a.Content) == string(b.Content) && a.ToolCallID == b.ToolCallID && slices.Equal(a.ToolCalls, b.ToolCalls)
}

// toolCalls holds the table of tool calls against what becomes of them by the log, one session after the other.
func (v *verifier) toolCalls() error {
	session := int64(0)
	var events []eventlog.Event
	var failed error
	compare := func() {
		if failed == nil && len(events) > 0 {
			failed = v.toolCallsOfSession(session, eventlog.ProjectToolCalls(events))
		}
		events = events[:0]
	}
	err := v.each(func(s *sqlite3.Stmt) {
		if now := s.ColumnInt64(4); now != session {
			compare()
			session = now
		}
		e := readEvent(s).Event
		// Of a call and of a result only the id matters here; the texts are those of messages. So the memory that this takes is small.
		if m, ok := eventlog.FoldEvent(e); ok {
			id := m.ToolCallID
			if m.ToolCalls != nil {
				id = m.ToolCalls[0].ToolCallID
			}
			text, _ := json.Marshal(id)
			e.Payload = append(append([]byte(`{"callId":`), text...), '}')
		}
		events = append(events, e)
	}, `SELECT event_id, type, payload, created_at, session FROM events WHERE type IN ('tool_call', 'tool_result') ORDER BY session, event_id`)
	compare()
	if err != nil || failed != nil {
		return firstOf(err, failed)
	}
	return v.each(func(s *sqlite3.Stmt) {
		v.fault(FaultProjection, s.ColumnInt64(0), "tool call %d is of no event of its session", s.ColumnInt64(0))
	}, `SELECT event_id FROM tool_calls t WHERE NOT EXISTS
		(SELECT 1 FROM events e WHERE e.event_id = t.event_id AND e.session = t.session AND e.type IN ('tool_call', 'tool_result'))`)
}

func (v *verifier) toolCallsOfSession(session int64, want []eventlog.ToolCallState) error {
	i := 0
	wrong := func(id int64) { v.fault(FaultProjection, id, "tool call %d is not what the log makes of it", id) }
	err := v.each(func(s *sqlite3.Stmt) {
		id := s.ColumnInt64(0)
		for ; i < len(want) && want[i].EventID < id; i++ {
			wrong(want[i].EventID) // it is missing
		}
		if i == len(want) || want[i].EventID > id {
			wrong(id) // it should not be there
			return
		}
		w := want[i]
		if w.ToolCall.ToolCallID != s.ColumnText(1) || string(w.Status) != s.ColumnText(2) || w.ResultEventID != s.ColumnInt64(3) {
			wrong(id)
		}
		i++
	}, "SELECT event_id, tool_call_id, status, result_event_id FROM tool_calls WHERE session = ? ORDER BY event_id", session)
	for ; i < len(want) && err == nil; i++ {
		wrong(want[i].EventID)
	}
	return err
}

// sessions holds what a session says of its events against them.
func (v *verifier) sessions() error {
	if _, err := v.one(func(s *sqlite3.Stmt) { v.report.Sessions = s.ColumnInt64(0) }, "SELECT count(*) FROM sessions"); err != nil {
		return err
	}
	return v.each(func(s *sqlite3.Stmt) {
		v.fault(FaultProjection, s.ColumnInt64(1), "session %q says that it has %d events up to %d", s.ColumnText(0), s.ColumnInt64(2), s.ColumnInt64(1))
	}, `SELECT id, last_event_id, event_count FROM sessions s
		WHERE last_event_id <> (SELECT coalesce(max(event_id), 0) FROM events e WHERE e.session = s.number)
		OR event_count <> (SELECT count(*) FROM events e WHERE e.session = s.number)`)
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
