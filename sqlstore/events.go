package sqlstore

import (
	"context"
	"iter"
	"strings"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// Events implements eventlog.Store.
func (s *Store) Events(ctx context.Context, sessionID string, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	read := func(c *conn, room []eventlog.StoredEvent, session eventlog.Session, in span) (page []eventlog.StoredEvent, last int64, more bool, err error) {
		page, more, err = c.eventsOf(room, session, in, pageRows, pageBytes)
		if n := len(page); n > 0 {
			last = page[n-1].EventID
		}
		return page, last, more, err
	}
	return paged(ctx, s, "events", sessionID, inSession(sessionID, r, read))
}

// Messages implements eventlog.Store.
func (s *Store) Messages(ctx context.Context, sessionID string, r eventlog.Range) iter.Seq2[eventlog.StoredMessage, error] {
	return paged(ctx, s, "messages", sessionID, inSession(sessionID, r, (*conn).messagesOf))
}

// ToolCalls implements eventlog.Store.
func (s *Store) ToolCalls(ctx context.Context, sessionID string) iter.Seq2[eventlog.ToolCallState, error] {
	return paged(ctx, s, "tool calls", sessionID, inSession(sessionID, eventlog.Range{}, (*conn).toolCallsOf))
}

// inSession fetches what belongs to a session, which is looked for once. page answers the id to go on behind, too.
func inSession[T any](id string, r eventlog.Range, page func(*conn, []T, eventlog.Session, span) ([]T, int64, bool, error)) func() fetch[T] {
	id = strings.Clone(id)
	return func() fetch[T] {
		var session eventlog.Session
		in := spanOf(r)
		return func(c *conn, room []T) (items []T, more bool, err error) {
			if session.Number == 0 {
				if session, err = c.known(id); err != nil {
					return nil, false, err
				}
			}
			var last int64
			items, last, more, err = page(c, room, session, in)
			in.after = last
			return items, more, err
		}
	}
}

// eventsOf reads a page of a session's events into a room: so many at most, and no more when they have so many bytes, if that is at least 0.
func (c *conn) eventsOf(page []eventlog.StoredEvent, session eventlog.Session, in span, rows, most int) (_ []eventlog.StoredEvent, more bool, err error) {
	bytes := 0
	err = c.query(func(s *sqlite3.Stmt) bool {
		e := readEvent(s)
		e.SessionID = session.ID
		page = append(page, e)
		bytes += len(e.Payload)
		more = len(page) == rows || most >= 0 && bytes >= most
		return !more
	}, "SELECT event_id, type, payload, created_at FROM events WHERE session = ? AND event_id > ? AND event_id <= ? ORDER BY event_id", session.Number, in.after, in.until)
	return page, more, err
}

// readEvent reads an event from the columns event_id, type, payload and created_at.
func readEvent(s *sqlite3.Stmt) (e eventlog.StoredEvent) {
	e.EventID, e.Type, e.Payload, e.CreatedAt = s.ColumnInt64(0), typeOf(s.ColumnRawText(1)), copied(s.ColumnRawText(2)), timeOf(s.ColumnInt64(3))
	return e
}

// messagesOf reads a page of a session's messages.
func (c *conn) messagesOf(page []eventlog.StoredMessage, session eventlog.Session, in span) (_ []eventlog.StoredMessage, last int64, more bool, err error) {
	bytes := 0
	err = c.query(func(s *sqlite3.Stmt) bool {
		m := eventlog.StoredMessage{EventID: s.ColumnInt64(0), Message: readMessage(s, 1)}
		page, last = append(page, m), m.EventID
		bytes += len(m.Message.Content)
		for _, call := range m.Message.ToolCalls {
			bytes += len(call.Arguments)
		}
		more = len(page) == pageRows || bytes >= pageBytes
		return !more
	}, "SELECT event_id, role, content, tool_call_id, name, arguments FROM messages WHERE session = ? AND event_id > ? AND event_id <= ? ORDER BY event_id",
		session.Number, in.after, in.until)
	return page, last, more, err
}

// toolCallsOf reads a page of a session's tool calls. Their texts are those of the messages of the call and of its result.
func (c *conn) toolCallsOf(page []eventlog.ToolCallState, session eventlog.Session, in span) (_ []eventlog.ToolCallState, last int64, more bool, err error) {
	bytes := 0
	err = c.query(func(s *sqlite3.Stmt) bool {
		t := readToolCall(s)
		page, last = append(page, t), t.EventID
		bytes += len(t.ToolCall.Arguments) + len(t.Result)
		more = len(page) == pageRows || bytes >= pageBytes
		return !more
	}, toolCallRows+" WHERE t.session = ? AND t.event_id > ? AND t.event_id <= ? ORDER BY t.event_id", session.Number, in.after, in.until)
	return page, last, more, err
}

// The cross join keeps tool_calls the outer loop. https://sqlite.org/optoverview.html#manual_control_of_query_plans_using_cross_join
const toolCallRows = `SELECT t.event_id, t.status, t.tool_call_id, c.name, c.arguments, t.result_event_id, r.content
	FROM tool_calls t CROSS JOIN messages c ON c.event_id = t.event_id LEFT JOIN messages r ON r.event_id = t.result_event_id`

func readToolCall(s *sqlite3.Stmt) eventlog.ToolCallState {
	t := eventlog.ToolCallState{
		EventID: s.ColumnInt64(0), Status: eventlog.ToolCallStatus(s.ColumnText(1)),
		ToolCall:      eventlog.ToolCall{ToolCallID: s.ColumnText(2), Name: s.ColumnText(3), Arguments: s.ColumnText(4)}, // NULL reads as ""
		ResultEventID: s.ColumnInt64(5),
	}
	if s.ColumnType(6) != sqlite3.NULL {
		t.Result = copied(s.ColumnRawText(6))
	}
	return t
}

// All implements eventlog.Store.
func (s *Store) All(ctx context.Context, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	return paged(ctx, s, "all", "", func() fetch[eventlog.StoredEvent] {
		in := spanOf(r)
		return func(c *conn, room []eventlog.StoredEvent) (page []eventlog.StoredEvent, more bool, err error) {
			page, more, err = c.eventsAfter(room, in)
			if n := len(page); n > 0 {
				in.after = page[n-1].EventID
			}
			return page, more, err
		}
	})
}

// eventsAfter reads a page of the events of all sessions.
func (c *conn) eventsAfter(page []eventlog.StoredEvent, in span) (_ []eventlog.StoredEvent, more bool, err error) {
	bytes := 0
	err = c.query(func(s *sqlite3.Stmt) bool {
		e := readEvent(s)
		e.SessionID = s.ColumnText(4)
		page = append(page, e)
		bytes += len(e.Payload)
		more = len(page) == pageRows || bytes >= pageBytes
		return !more
	}, `SELECT e.event_id, e.type, e.payload, e.created_at, s.id FROM events e CROSS JOIN sessions s ON s.number = e.session
		WHERE e.event_id > ? AND e.event_id <= ? ORDER BY e.event_id`, in.after, in.until)
	return page, more, err
}
