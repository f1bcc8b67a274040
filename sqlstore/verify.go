package sqlstore

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// A Report is what Verify found.
type Report struct {
	Sessions, Events int64
	Head             Anchor  // the newest event; the zero value when there is none
	Faults           []Fault // in the order in which they were found, and no more than the first hundred
	FirstAltered     int64   // the id of the first event whose hash is wrong; 0 for none
}

// OK tells whether nothing is wrong.
func (r Report) OK() bool { return len(r.Faults) == 0 }

// An Anchor is an event and its hash, which stands for all events up to it. Kept where nobody who can write the store can reach it, it proves
// later that none of them has changed since.
type Anchor struct {
	EventID int64  `json:"eventId"`
	Hash    string `json:"hash"` // of the chain, in hexadecimal
}

// A Fault is one thing that is wrong in a store.
type Fault struct {
	Kind    FaultKind `json:"kind"`
	EventID int64     `json:"eventId,omitempty"` // that it is about; 0 for none
	Text    string    `json:"text"`              // for a person
}

// A FaultKind is the part of a store that is wrong.
type FaultKind string

const (
	FaultFile       FaultKind = "file"       // SQLite's own check of the file fails: restore a backup
	FaultSchema     FaultKind = "schema"     // a table, index or trigger is missing or changed: Rebuild mends triggers and the projections' tables
	FaultReference  FaultKind = "reference"  // a row refers to one that is not there
	FaultLog        FaultKind = "log"        // an event was changed, added or removed: restore a backup
	FaultKey        FaultKind = "key"        // an idempotency key stands for events of another session
	FaultProjection FaultKind = "projection" // what is derived is not what the events fold to: Rebuild mends it
)

const mostFaults = 100

// Verify reads the whole store, as it is at one moment, and tells everything that is wrong with it: SQLite's check of the file, the schema with
// its triggers, references, the hash chain over the events, their ids, and every projection against the fold of the log.
// An error means that it could not look; what it finds is in the report.
//
// The chain is computed here and compared with what is stored. Somebody who changes an event and makes all later hashes anew is found out by an
// anchor from before; give the ones that you kept.
//
// While it runs, which takes some seconds for a million events, the write-ahead log grows with whatever is appended.
func (s *Store) Verify(ctx context.Context, anchors ...Anchor) (Report, error) {
	r, err := s.verify(ctx, anchors)
	return r, storeError("verify", s.path, err)
}

func (s *Store) verify(ctx context.Context, anchors []Anchor) (Report, error) {
	if err := s.begin(ctx); err != nil {
		return Report{}, err
	}
	defer s.calls.Done()
	// A connection of its own, so that reads have all of theirs.
	c, err := openReader(s.ctx, s.path, s.o)
	if err != nil {
		return Report{}, s.explained(ctx, err)
	}
	defer c.close()
	r, err := c.verify(ctx, anchors)
	return r, s.explained(ctx, err)
}

// verify looks through a connection that is used for nothing else.
func (c *conn) verify(ctx context.Context, anchors []Anchor) (Report, error) {
	v := &verifier{conn: c, anchors: map[int64]string{}}
	for _, a := range anchors {
		v.anchors[a.EventID] = a.Hash
	}
	err := c.do(func() error {
		c.db.SetInterrupt(ctx)
		if err := c.db.Exec("BEGIN"); err != nil {
			return err
		}
		for _, check := range []func() error{v.file, v.schema, v.references, v.log, v.messages, v.toolCalls, v.sessions, v.keys} {
			err := check()
			if damage := translated(ctx, err); errors.Is(damage, eventlog.ErrCorrupt) {
				v.fault(FaultFile, 0, "it cannot be read to its end: %v", err)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	c.rollback()
	return v.report, err
}

type verifier struct {
	*conn
	anchors map[int64]string
	report  Report
}

func (v *verifier) fault(kind FaultKind, eventID int64, format string, args ...any) {
	if kind == FaultLog && eventID > 0 && v.report.FirstAltered == 0 {
		v.report.FirstAltered = eventID
	}
	if len(v.report.Faults) < mostFaults {
		v.report.Faults = append(v.report.Faults, Fault{kind, eventID, fmt.Sprintf(format, args...)})
	}
}

// each runs a statement and calls row for each row until it has enough.
func (v *verifier) each(row func(*sqlite3.Stmt), sql string, args ...any) error {
	return v.query(func(s *sqlite3.Stmt) bool {
		row(s)
		return true
	}, sql, args...)
}

// https://sqlite.org/pragma.html#pragma_integrity_check
func (v *verifier) file() error {
	return v.each(func(s *sqlite3.Stmt) {
		if text := s.ColumnText(0); text != "ok" {
			v.fault(FaultFile, 0, "%s", text)
		}
	}, "PRAGMA integrity_check")
}

// https://sqlite.org/pragma.html#pragma_foreign_key_check
func (v *verifier) references() error {
	return v.each(func(s *sqlite3.Stmt) {
		v.fault(FaultReference, 0, "row %s of %s has nothing in %s that it refers to", s.ColumnText(1), s.ColumnText(0), s.ColumnText(2))
	}, "PRAGMA foreign_key_check")
}

func (v *verifier) schema() error {
	want, err := wantedSchema()
	if err != nil {
		return err
	}
	got, err := v.conn.schemaObjects()
	if err != nil {
		return err
	}
	have := map[string]string{}
	for _, o := range got {
		have[o.kind+" "+o.name] = o.sql
	}
	for _, o := range want {
		name := o.kind + " " + o.name
		if sql, ok := have[name]; !ok {
			v.fault(FaultSchema, 0, "the %s is missing", name)
		} else if sql != o.sql {
			v.fault(FaultSchema, 0, "the %s has been changed", name)
		}
		delete(have, name)
	}
	for _, o := range got {
		name := o.kind + " " + o.name
		// Somebody's own tables and views do no harm.
		if _, extra := have[name]; extra && o.kind == "trigger" && ofStore(want, o.table) {
			v.fault(FaultSchema, 0, "the %s on %s is not of this store", name, o.table)
		}
	}
	return nil
}

// log checks the events: that they are what they were when their hashes were made, and that none has been put in or taken out.
func (v *verifier) log() error {
	var last end
	err := v.each(func(s *sqlite3.Stmt) {
		e := readEvent(s)
		e.SessionID = s.ColumnText(4)
		hash := last.hash.next(e.EventID, leafOf(e.SessionID, e.Type, e.Payload, e.CreatedAt.UnixMilli()))
		var stored digest
		if n := copy(stored[:], s.ColumnRawBlob(5)); n != len(stored) || stored != hash {
			v.fault(FaultLog, e.EventID, "event %d is not what was stored, or does not follow on the event before it (%d)", e.EventID, last.id)
		}
		if want, ok := v.anchors[e.EventID]; ok {
			if !strings.EqualFold(want, hex.EncodeToString(stored[:])) {
				v.fault(FaultLog, e.EventID, "event %d or one before it is not what it was when its hash was kept", e.EventID)
			}
			delete(v.anchors, e.EventID)
		}
		last = end{e.EventID, stored} // so that one changed event is one fault
		v.report.Events++
	}, `SELECT e.event_id, e.type, e.payload, e.created_at, s.id, e.hash FROM events e LEFT JOIN sessions s ON s.number = e.session ORDER BY e.event_id`)
	if err != nil {
		return err
	}
	if last.id > 0 {
		v.report.Head = Anchor{last.id, hex.EncodeToString(last.hash[:])}
	}
	for id := range v.anchors {
		v.fault(FaultLog, id, "event %d is missing: its hash was kept", id)
	}
	var given end
	if err := given.read(v.conn); err != nil {
		return err
	}
	if given.id != last.id {
		v.fault(FaultLog, given.id, "the newest event is %d, but ids up to %d were given out", last.id, given.id)
	}
	return nil
}

func (v *verifier) keys() error {
	return v.each(func(s *sqlite3.Stmt) {
		v.fault(FaultKey, s.ColumnInt64(1), "the idempotency key %q stands for events %d to %d, which are not all of its session", s.ColumnText(0), s.ColumnInt64(1), s.ColumnInt64(2))
	}, `SELECT key, first_event_id, last_event_id FROM append_keys k WHERE first_event_id > last_event_id
		OR EXISTS (SELECT 1 FROM events e WHERE e.event_id BETWEEN k.first_event_id AND k.last_event_id AND e.session <> k.session)`)
}
