//go:build rivals

package main

import (
	"errors"
	"fmt"
	"strings"

	"zombiezen.com/go/sqlite"
)

// zombiezen is modernc's translation of SQLite without database/sql.
type zombiezen struct {
	db    *sqlite.Conn
	stmts [statements]*sqlite.Stmt
}

func (d *zombiezen) open(file string) (version string, err error) {
	if d.db, err = sqlite.OpenConn(file, sqlite.OpenReadWrite, sqlite.OpenCreate, sqlite.OpenWAL); err != nil {
		return "", err
	}
	for _, p := range pragmaTexts() {
		name, value, _ := strings.Cut(p, " ")
		if _, err := d.ask("PRAGMA " + name + " = " + value); err != nil {
			return "", err
		}
		got, err := d.ask("PRAGMA " + name)
		if err := errors.Join(err, checkPragma(name, value, got)); err != nil {
			return "", err
		}
	}
	for i, text := range statementTexts() {
		if d.stmts[i], err = d.db.Prepare(text); err != nil {
			return "", err
		}
	}
	return d.ask("SELECT sqlite_version()")
}

func (d *zombiezen) ask(sql string) (text string, err error) {
	stmt, _, err := d.db.PrepareTransient(sql)
	if err != nil {
		return "", err
	}
	defer stmt.Finalize()
	for {
		row, err := stmt.Step()
		if !row || err != nil {
			return text, err
		}
		text = stmt.ColumnText(0)
	}
}

// read runs a statement and calls row for each row, until it says no.
func (d *zombiezen) read(row func(*sqlite.Stmt) bool, s statement, args ...any) error {
	stmt := d.stmts[s]
	for i, arg := range args {
		switch arg := arg.(type) {
		case int64:
			stmt.BindInt64(i+1, arg)
		case string:
			stmt.BindText(i+1, arg)
		case []byte:
			stmt.BindBytes(i+1, arg)
		case nil:
			stmt.BindNull(i + 1)
		default:
			return fmt.Errorf("a parameter is a %T", arg)
		}
	}
	for {
		more, err := stmt.Step()
		if err != nil {
			stmt.Reset()
			return err
		}
		if !more || !row(stmt) {
			return stmt.Reset()
		}
	}
}

func (d *zombiezen) exec(s statement, args ...any) error {
	return d.read(func(*sqlite.Stmt) bool { return false }, s, args...)
}

func (d *zombiezen) first(s statement, args ...any) (value int64, found bool, err error) {
	err = d.read(func(stmt *sqlite.Stmt) bool {
		value, found = stmt.ColumnInt64(0), true
		return false
	}, s, args...)
	return value, found, err
}

func (d *zombiezen) messages(session int64) (t tally, err error) {
	err = d.read(func(s *sqlite.Stmt) bool {
		role, content, call, name, values := s.ColumnText(1), s.ColumnText(2), s.ColumnText(3), s.ColumnText(4), s.ColumnText(5)
		t.add(s.ColumnInt64(0), len(role)+len(content)+len(call)+len(name)+len(values))
		return true
	}, readMessages, session)
	return t, err
}

func (d *zombiezen) events(session int64) (t tally, err error) {
	err = d.read(func(s *sqlite.Stmt) bool {
		kind, payload, createdAt := s.ColumnText(1), s.ColumnText(2), s.ColumnInt64(3)
		t.add(s.ColumnInt64(0)+createdAt, len(kind)+len(payload))
		return true
	}, readEvents, session)
	return t, err
}

func (d *zombiezen) sessions() (t tally, err error) {
	err = d.read(func(s *sqlite.Stmt) bool {
		number, id, title, createdAt, last, count := s.ColumnInt64(0), s.ColumnText(1), s.ColumnText(2), s.ColumnInt64(3), s.ColumnInt64(4), s.ColumnInt64(5)
		t.add(number+createdAt+last+count, len(id)+len(title))
		return true
	}, readSessions)
	return t, err
}

func (d *zombiezen) close() error {
	if d.db == nil {
		return nil
	}
	return d.db.Close() // and all statements, which Prepare keeps in it
}
