package main

// A statement is one of those that an append or a read consists of. Every subject but the store itself, which has its own of the same text,
// prepares all of them once, from a file that lists them in this order.
type statement int

const (
	begin statement = iota
	commit
	logEnd
	findSession
	putMessage
	putCall
	openCall
	answerCall
	putEvent
	moveSession
	readMessages
	readEvents
	readSessions
	statements // how many
)

// What the store does for an append, and for its reads where they are not cut into pages.
func statementTexts() []string {
	return []string{
		begin:        "BEGIN IMMEDIATE",
		commit:       "COMMIT",
		logEnd:       "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0), (SELECT hash FROM events ORDER BY event_id DESC LIMIT 1)",
		findSession:  "SELECT number, id, title, created_at, last_event_id, event_count FROM sessions WHERE id = ?",
		putMessage:   "INSERT INTO messages (event_id, session, role, content, tool_call_id, name, arguments) VALUES (?, ?, ?, ?, ?, ?, ?)",
		putCall:      "INSERT INTO tool_calls (event_id, session, tool_call_id, status) VALUES (?, ?, ?, 'open')",
		openCall:     "SELECT event_id FROM tool_calls WHERE session = ? AND tool_call_id = ? AND status = ? ORDER BY event_id DESC LIMIT 1",
		answerCall:   "UPDATE tool_calls SET status = 'done', result_event_id = ? WHERE event_id = ?",
		putEvent:     "INSERT OR FAIL INTO events (event_id, session, type, payload, created_at, deep, hash) VALUES (?, ?, ?, ?, ?, 0, ?)",
		moveSession:  "UPDATE sessions SET last_event_id = ?, event_count = event_count + ? WHERE number = ?",
		readMessages: "SELECT event_id, role, content, tool_call_id, name, arguments FROM messages WHERE session = ? ORDER BY event_id",
		readEvents:   "SELECT event_id, type, payload, created_at FROM events WHERE session = ? ORDER BY event_id",
		readSessions: "SELECT number, id, title, created_at, last_event_id, event_count FROM sessions ORDER BY last_event_id DESC, number DESC",
	}
}

// What is set on every connection, and read back. The store sets the same; of a new file the journal mode is the write-ahead log.
func pragmaTexts() []string {
	return []string{
		"busy_timeout 5000", "journal_mode wal", "foreign_keys 1", "recursive_triggers 1", "trusted_schema 0", "synchronous 2",
		"journal_size_limit 67108864", "cache_size -2000", "wal_autocheckpoint 1000",
	}
}
