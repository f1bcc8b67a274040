-- Version 1. Each statement of this file is also what Verify compares a store's schema with, so it is never edited: a change is a new file.
-- It writes x = 1 OR x = 2 for x IN (1, 2): SQLite would fill a table for each list in each insert.

-- What a store knows of a conversation. number is its order of creation, and stands for the id in the other tables; last_event_id and
-- event_count are derived from the events.
CREATE TABLE sessions (
  number        INTEGER PRIMARY KEY AUTOINCREMENT CHECK (number >= 1),
  id            TEXT    NOT NULL UNIQUE CHECK (id <> ''),
  title         TEXT    NOT NULL,
  created_at    INTEGER NOT NULL, -- Unix time in milliseconds, as everywhere here
  last_event_id INTEGER NOT NULL DEFAULT 0, -- 0: none
  event_count   INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX sessions_by_activity ON sessions (last_event_id, number);

-- The log, the only table that is not derived from another one. hash chains an event to the one before it (see chain.go). deep marks a payload
-- that nests deeper than the 1,000 levels which SQLite's JSON functions read.
CREATE TABLE events (
  event_id   INTEGER PRIMARY KEY AUTOINCREMENT CHECK (event_id >= 1),
  session    INTEGER NOT NULL REFERENCES sessions (number) DEFERRABLE INITIALLY DEFERRED,
  type       TEXT    NOT NULL CHECK (type <> ''),
  payload    TEXT    NOT NULL CHECK (deep OR json_valid(payload)),
  created_at INTEGER NOT NULL,
  deep       INTEGER NOT NULL DEFAULT 0 CHECK (deep = 0 OR deep = 1),
  hash       BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- An index ends with the rowid, which event_id is: this one is (session, event_id).
CREATE INDEX events_by_session ON events (session);

-- Which events an append with an idempotency key stored: those from first to last, as one append's events follow each other.
CREATE TABLE append_keys (
  session        INTEGER NOT NULL REFERENCES sessions (number) DEFERRABLE INITIALLY DEFERRED,
  key            TEXT    NOT NULL CHECK (key <> ''),
  first_event_id INTEGER NOT NULL REFERENCES events (event_id) DEFERRABLE INITIALLY DEFERRED,
  last_event_id  INTEGER NOT NULL REFERENCES events (event_id) DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;

-- What the events fold to, one row for each event of a type that folds. A row is written before its event, as the trigger
-- events_only_at_end asks for it; so its reference is looked at when the transaction ends.
CREATE TABLE messages (
  event_id     INTEGER PRIMARY KEY REFERENCES events (event_id) DEFERRABLE INITIALLY DEFERRED,
  session      INTEGER NOT NULL,
  role         TEXT    NOT NULL CHECK (role = 'user' OR role = 'assistant' OR role = 'tool'),
  content      TEXT    NOT NULL, -- JSON, byte for byte as in the payload
  tool_call_id TEXT, -- of a call, and of a result
  name         TEXT, -- of a call only, as arguments
  arguments    TEXT,
  CHECK ((name IS NULL) = (arguments IS NULL)),
  CHECK ((tool_call_id IS NULL) = (role <> 'tool' AND name IS NULL))
) STRICT;

CREATE INDEX messages_by_session ON messages (session);

-- What became of the tool calls: a row for each call, and for each result that answers none. Their texts are in messages.
CREATE TABLE tool_calls (
  event_id        INTEGER PRIMARY KEY REFERENCES messages (event_id) DEFERRABLE INITIALLY DEFERRED,
  session         INTEGER NOT NULL,
  tool_call_id    TEXT    NOT NULL,
  status          TEXT    NOT NULL CHECK (status = 'open' OR status = 'done' OR status = 'orphan' OR status = 'late'),
  result_event_id INTEGER UNIQUE REFERENCES messages (event_id) DEFERRABLE INITIALLY DEFERRED,
  CHECK ((status = 'open') = (result_event_id IS NULL))
) STRICT;

CREATE INDEX tool_calls_by_session ON tool_calls (session);

CREATE INDEX tool_calls_by_id ON tool_calls (session, tool_call_id, status);

-- From here on: what nobody may do, whatever program opens the file and whatever pragmas it sets. REPLACE deletes without asking delete triggers
-- unless recursive_triggers is on, so an insert trigger looks for the row that would be replaced. https://sqlite.org/lang_conflict.html
-- What follows from the events has no such trigger: Verify finds what was replaced there, and Rebuild makes it again.

CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never changed: append a new event that corrects the old one');
END;

CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never deleted');
END;

-- One trigger for all that an insert is asked, and one that fails: to be able to abort, which undoes what the statement has done so far, SQLite
-- would keep a journal for every insert. It fails before the row is there. An insert that leaves the id to SQLite shows -1 here.
-- https://sqlite.org/tempfiles.html#statement_journal_files
CREATE TRIGGER events_only_at_end BEFORE INSERT ON events BEGIN
  SELECT CASE
    WHEN NEW.event_id <= (SELECT max(event_id) FROM events) THEN
      RAISE(FAIL, 'events are never replaced, and only appended behind all others, with an id of their own: correct an old one by a new one')
    WHEN NOT EXISTS (SELECT 1 FROM sessions WHERE number = NEW.session) THEN
      RAISE(FAIL, 'a session must exist before its first event')
    WHEN (NEW.type = 'user_message' OR NEW.type = 'assistant_message' OR NEW.type = 'tool_call' OR NEW.type = 'tool_result')
      AND NOT EXISTS (SELECT 1 FROM messages WHERE event_id = NEW.event_id) THEN
      RAISE(FAIL, 'an event of this type needs its message first')
  END;
END;

CREATE TRIGGER sessions_no_update BEFORE UPDATE OF number, id, title, created_at ON sessions BEGIN
  SELECT RAISE(ABORT, 'sessions are never changed');
END;

CREATE TRIGGER sessions_no_delete BEFORE DELETE ON sessions BEGIN
  SELECT RAISE(ABORT, 'sessions are never deleted');
END;

CREATE TRIGGER sessions_no_replace BEFORE INSERT ON sessions WHEN EXISTS (SELECT 1 FROM sessions WHERE number = NEW.number OR id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'sessions are never replaced');
END;

CREATE TRIGGER append_keys_no_update BEFORE UPDATE ON append_keys BEGIN
  SELECT RAISE(ABORT, 'idempotency keys are never changed');
END;

CREATE TRIGGER append_keys_no_delete BEFORE DELETE ON append_keys BEGIN
  SELECT RAISE(ABORT, 'idempotency keys are never deleted');
END;

CREATE TRIGGER append_keys_no_replace BEFORE INSERT ON append_keys WHEN EXISTS (SELECT 1 FROM append_keys WHERE session = NEW.session AND key = NEW.key) BEGIN
  SELECT RAISE(FAIL, 'idempotency keys are never replaced');
END;

CREATE TRIGGER messages_no_update BEFORE UPDATE ON messages BEGIN
  SELECT RAISE(ABORT, 'messages follow from events: they are rebuilt, never changed');
END;

CREATE TRIGGER messages_no_delete BEFORE DELETE ON messages BEGIN
  SELECT RAISE(ABORT, 'messages follow from events: they are rebuilt, never deleted');
END;

-- The one change there is: an open call gets its result.
CREATE TRIGGER tool_calls_no_update BEFORE UPDATE ON tool_calls
WHEN OLD.status <> 'open' OR NEW.status <> 'done' OR NEW.event_id <> OLD.event_id OR NEW.session <> OLD.session OR NEW.tool_call_id <> OLD.tool_call_id
  OR EXISTS (SELECT 1 FROM tool_calls WHERE result_event_id = NEW.result_event_id) BEGIN
  SELECT RAISE(ABORT, 'a tool call that has its result is never changed');
END;

CREATE TRIGGER tool_calls_no_delete BEFORE DELETE ON tool_calls BEGIN
  SELECT RAISE(ABORT, 'tool calls follow from events: they are rebuilt, never deleted');
END;
