package sqlstore

import (
	"encoding/json"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// project writes what an event means to the tables that are derived from events: its message, and what it does to tool calls. It is called
// just before the event is inserted. m is the event's fold, nil for none.
//
// It is eventlog.ProjectToolCalls one event at a time: a result goes to the newest open call with its id, and never replaces another.
func (c *conn) project(session int64, e eventlog.Event, m *eventlog.Message) error {
	if m == nil {
		return nil
	}
	row := messageRow(session, e.EventID, *m)
	if err := c.exec("INSERT INTO messages (event_id, session, role, content, tool_call_id, name, arguments) VALUES (?, ?, ?, ?, ?, ?, ?)", row...); err != nil {
		return err
	}
	switch e.Type {
	case eventlog.TypeToolCall:
		return c.exec("INSERT INTO tool_calls (event_id, session, tool_call_id, status) VALUES (?, ?, ?, 'open')", e.EventID, session, m.ToolCalls[0].ToolCallID)
	case eventlog.TypeToolResult:
		return c.putResult(session, e.EventID, m.ToolCallID)
	}
	return nil
}

func (c *conn) putResult(session, eventID int64, toolCallID string) error {
	call := int64(0)
	id := func(s *sqlite3.Stmt) { call = s.ColumnInt64(0) }
	const newest = "SELECT event_id FROM tool_calls WHERE session = ? AND tool_call_id = ? AND status = ? ORDER BY event_id DESC LIMIT 1"
	open, err := c.one(id, newest, session, toolCallID, string(eventlog.ToolCallOpen))
	if err != nil {
		return err
	}
	if open {
		return c.exec("UPDATE tool_calls SET status = 'done', result_event_id = ? WHERE event_id = ?", eventID, call)
	}
	done, err := c.one(id, newest, session, toolCallID, string(eventlog.ToolCallDone))
	if err != nil {
		return err
	}
	status := eventlog.ToolCallOrphan
	if done {
		status = eventlog.ToolCallLate
	}
	return c.exec("INSERT INTO tool_calls (event_id, session, tool_call_id, status, result_event_id) VALUES (?, ?, ?, ?, ?)",
		eventID, session, toolCallID, string(status), eventID)
}

// messageRow is a message as the columns of its table.
func messageRow(session, eventID int64, m eventlog.Message) []any {
	row := []any{eventID, session, m.Role, m.Content, nil, nil, nil}
	switch {
	case m.Role == eventlog.RoleTool:
		row[4] = m.ToolCallID
	case m.ToolCalls != nil:
		row[4], row[5], row[6] = m.ToolCalls[0].ToolCallID, m.ToolCalls[0].Name, m.ToolCalls[0].Arguments
	}
	return row
}

// readMessage is messageRow the other way, from the columns role, content, tool_call_id, name and arguments.
func readMessage(s *sqlite3.Stmt, from int) eventlog.Message {
	m := eventlog.Message{Role: roleOf(s.ColumnRawText(from)), Content: copied(s.ColumnRawText(from + 1))}
	switch {
	case m.Role == eventlog.RoleTool:
		m.ToolCallID = s.ColumnText(from + 2)
	case s.ColumnType(from+3) != sqlite3.NULL:
		m.ToolCalls = []eventlog.ToolCall{{ToolCallID: s.ColumnText(from + 2), Name: s.ColumnText(from + 3), Arguments: s.ColumnText(from + 4)}}
	}
	return m
}

func copied(text []byte) json.RawMessage { return append(make([]byte, 0, len(text)), text...) }

func roleOf(text []byte) string {
	switch string(text) {
	case eventlog.RoleUser:
		return eventlog.RoleUser
	case eventlog.RoleAssistant:
		return eventlog.RoleAssistant
	case eventlog.RoleTool:
		return eventlog.RoleTool
	}
	return string(text)
}

// typeOf saves the copy of a type that every store has.
func typeOf(text []byte) string {
	switch string(text) {
	case eventlog.TypeUserMessage:
		return eventlog.TypeUserMessage
	case eventlog.TypeAssistantMessage:
		return eventlog.TypeAssistantMessage
	case eventlog.TypeToolCall:
		return eventlog.TypeToolCall
	case eventlog.TypeToolResult:
		return eventlog.TypeToolResult
	}
	return string(text)
}
