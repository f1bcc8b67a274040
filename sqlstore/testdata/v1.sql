-- A store of version 1, as sqlite3's .dump writes it: what every later version has to open.
PRAGMA application_id = 0x464d4e4c;
PRAGMA user_version = 1;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE sessions (
  number        INTEGER PRIMARY KEY AUTOINCREMENT CHECK (number >= 1),
  id            TEXT    NOT NULL UNIQUE CHECK (id <> ''),
  title         TEXT    NOT NULL,
  created_at    INTEGER NOT NULL, -- Unix time in milliseconds, as everywhere here
  last_event_id INTEGER NOT NULL DEFAULT 0, -- 0: none
  event_count   INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO sessions VALUES(1,'a','about a',1700000001000,9,6);
INSERT INTO sessions VALUES(2,'b','about b',1700000002000,5,3);
INSERT INTO sessions VALUES(3,'empty','about empty',1700000003000,0,0);
CREATE TABLE events (
  event_id   INTEGER PRIMARY KEY AUTOINCREMENT CHECK (event_id >= 1),
  session    INTEGER NOT NULL REFERENCES sessions (number) DEFERRABLE INITIALLY DEFERRED,
  type       TEXT    NOT NULL CHECK (type <> ''),
  payload    TEXT    NOT NULL CHECK (deep OR json_valid(payload)),
  created_at INTEGER NOT NULL,
  deep       INTEGER NOT NULL DEFAULT 0 CHECK (deep = 0 OR deep = 1),
  hash       BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;
INSERT INTO events VALUES(1,1,'user_message','{"content":"this is message 1, about as long as people write"}',1700000004000,0,X'1f07ba9c58f3d622638b1dfb4beeef591be5e6263a568c8555fc24f386a6cb83');
INSERT INTO events VALUES(2,1,'tool_call','{"callId":"c","name":"f","arguments":"{}"}',1700000004000,0,X'611feaa2eeb13f0e195c629e1f5e22bc20f3d555e44b6041a88ae992bec491ab');
INSERT INTO events VALUES(3,2,'assistant_message',replace(' {\n"content" : 12345678901234567890 }','\n',char(10)),1700000005000,0,X'76c70fdb157c548037161f948934cb06d40e292b5ff3932c66d459637cb4c69f');
INSERT INTO events VALUES(4,2,'note','{"n":1}',1700000005000,0,X'a6c66687879c3318cb0dd56cbdf1ea05255083659082a6612e20f449d0c24c64');
INSERT INTO events VALUES(5,2,'tool_result','{"callId":"c","content":"orphan"}',1700000005000,0,X'7e216e9c4afceac5142cd46aa593d844988291c18893c041fcff9f4e3979bcf5');
INSERT INTO events VALUES(6,1,'tool_result','{"callId":"c","content":1.0}',1700000006000,0,X'47efc310356e44fadfb2b2a410cf84d18c60ec249c7147483f80e3a99c92f225');
INSERT INTO events VALUES(7,1,'user_message','{"content":"this is message 3, about as long as people write"}',1700000006000,0,X'8b2e716393566151b2d65cc55e9f16674197f260ec42d952659a12ad328eb025');
INSERT INTO events VALUES(8,1,'tool_result','{"callId":"c","content":"late"}',1700000007000,0,X'4e1c7d504801e809c3c3f3bc67b73471ae0312acb4c6a758d8bb13096b2ae0c3');
INSERT INTO events VALUES(9,1,'tool_call','{"callId":"open","name":"g"}',1700000007000,0,X'60799cbeff3c80b60e1bababdf20a8e576786bbc22b1f6b936201880de3796d4');
CREATE TABLE append_keys (
  session        INTEGER NOT NULL REFERENCES sessions (number) DEFERRABLE INITIALLY DEFERRED,
  key            TEXT    NOT NULL CHECK (key <> ''),
  first_event_id INTEGER NOT NULL REFERENCES events (event_id) DEFERRABLE INITIALLY DEFERRED,
  last_event_id  INTEGER NOT NULL REFERENCES events (event_id) DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;
INSERT INTO append_keys VALUES(1,'k',6,7);
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
INSERT INTO messages VALUES(1,1,'user','"this is message 1, about as long as people write"',NULL,NULL,NULL);
INSERT INTO messages VALUES(2,1,'assistant','null','c','f','{}');
INSERT INTO messages VALUES(3,2,'assistant','12345678901234567890',NULL,NULL,NULL);
INSERT INTO messages VALUES(5,2,'tool','"orphan"','c',NULL,NULL);
INSERT INTO messages VALUES(6,1,'tool','1.0','c',NULL,NULL);
INSERT INTO messages VALUES(7,1,'user','"this is message 3, about as long as people write"',NULL,NULL,NULL);
INSERT INTO messages VALUES(8,1,'tool','"late"','c',NULL,NULL);
INSERT INTO messages VALUES(9,1,'assistant','null','open','g','');
CREATE TABLE tool_calls (
  event_id        INTEGER PRIMARY KEY REFERENCES messages (event_id) DEFERRABLE INITIALLY DEFERRED,
  session         INTEGER NOT NULL,
  tool_call_id    TEXT    NOT NULL,
  status          TEXT    NOT NULL CHECK (status = 'open' OR status = 'done' OR status = 'orphan' OR status = 'late'),
  result_event_id INTEGER UNIQUE REFERENCES messages (event_id) DEFERRABLE INITIALLY DEFERRED,
  CHECK ((status = 'open') = (result_event_id IS NULL))
) STRICT;
INSERT INTO tool_calls VALUES(2,1,'c','done',6);
INSERT INTO tool_calls VALUES(5,2,'c','orphan',5);
INSERT INTO tool_calls VALUES(8,1,'c','late',8);
INSERT INTO tool_calls VALUES(9,1,'open','open',NULL);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('sessions',3);
INSERT INTO sqlite_sequence VALUES('events',9);
CREATE INDEX sessions_by_activity ON sessions (last_event_id, number);
CREATE INDEX events_by_session ON events (session);
CREATE INDEX messages_by_session ON messages (session);
CREATE INDEX tool_calls_by_session ON tool_calls (session);
CREATE INDEX tool_calls_by_id ON tool_calls (session, tool_call_id, status);
CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never changed: append a new event that corrects the old one');
END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN
  SELECT RAISE(ABORT, 'events are never deleted');
END;
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
CREATE TRIGGER tool_calls_no_update BEFORE UPDATE ON tool_calls
WHEN OLD.status <> 'open' OR NEW.status <> 'done' OR NEW.event_id <> OLD.event_id OR NEW.session <> OLD.session OR NEW.tool_call_id <> OLD.tool_call_id
  OR EXISTS (SELECT 1 FROM tool_calls WHERE result_event_id = NEW.result_event_id) BEGIN
  SELECT RAISE(ABORT, 'a tool call that has its result is never changed');
END;
CREATE TRIGGER tool_calls_no_delete BEFORE DELETE ON tool_calls BEGIN
  SELECT RAISE(ABORT, 'tool calls follow from events: they are rebuilt, never deleted');
END;
COMMIT;
