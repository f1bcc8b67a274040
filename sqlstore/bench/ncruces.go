package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// ncruces is the store's own driver, without the store.
type ncruces struct {
	db    *sqlite3.Conn
	stmts [statements]*sqlite3.Stmt
}

func (d *ncruces) open(file string) (version string, err error) {
	if d.db, err = sqlite3.Open(file); err != nil {
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
		if d.stmts[i], _, err = d.db.PrepareFlags(text, sqlite3.PREPARE_PERSISTENT); err != nil {
			return "", err
		}
	}
	return d.ask("SELECT sqlite_version()")
}

func (d *ncruces) ask(sql string) (text string, err error) {
	stmt, _, err := d.db.Prepare(sql)
	if err != nil {
		return "", err
	}
	defer stmt.Close()
	for stmt.Step() {
		text = stmt.ColumnText(0)
	}
	return text, stmt.Err()
}

func (d *ncruces) bound(s statement, args []any) (*sqlite3.Stmt, error) {
	stmt := d.stmts[s]
	for i, arg := range args {
		var err error
		switch arg := arg.(type) {
		case int64:
			err = stmt.BindInt64(i+1, arg)
		case string:
			err = stmt.BindText(i+1, arg)
		case []byte:
			err = stmt.BindBlob(i+1, arg)
		case nil:
			err = stmt.BindNull(i + 1)
		default:
			err = fmt.Errorf("a parameter is a %T", arg)
		}
		if err != nil {
			return nil, err
		}
	}
	return stmt, nil
}

func (d *ncruces) exec(s statement, args ...any) error {
	stmt, err := d.bound(s, args)
	if err != nil {
		return err
	}
	return stmt.Exec()
}

func (d *ncruces) first(s statement, args ...any) (value int64, found bool, err error) {
	stmt, err := d.bound(s, args)
	if err != nil {
		return 0, false, err
	}
	if found = stmt.Step(); found {
		value = stmt.ColumnInt64(0)
	}
	err = stmt.Err()
	stmt.Reset() // its error is that of Step
	return value, found, err
}

func (d *ncruces) read(row func(*sqlite3.Stmt), s statement, args ...any) error {
	stmt, err := d.bound(s, args)
	if err != nil {
		return err
	}
	for stmt.Step() {
		row(stmt)
	}
	err = stmt.Err()
	stmt.Reset()
	return err
}

func (d *ncruces) messages(session int64) (t tally, err error) {
	err = d.read(func(s *sqlite3.Stmt) {
		role, content, call, name, values := s.ColumnText(1), s.ColumnText(2), s.ColumnText(3), s.ColumnText(4), s.ColumnText(5)
		t.add(s.ColumnInt64(0), len(role)+len(content)+len(call)+len(name)+len(values))
	}, readMessages, session)
	return t, err
}

func (d *ncruces) events(session int64) (t tally, err error) {
	err = d.read(func(s *sqlite3.Stmt) {
		kind, payload, createdAt := s.ColumnText(1), s.ColumnText(2), s.ColumnInt64(3)
		t.add(s.ColumnInt64(0)+createdAt, len(kind)+len(payload))
	}, readEvents, session)
	return t, err
}

func (d *ncruces) sessions() (t tally, err error) {
	err = d.read(func(s *sqlite3.Stmt) {
		number, id, title, createdAt, last, count := s.ColumnInt64(0), s.ColumnText(1), s.ColumnText(2), s.ColumnInt64(3), s.ColumnInt64(4), s.ColumnInt64(5)
		t.add(number+createdAt+last+count, len(id)+len(title))
	}, readSessions)
	return t, err
}

func (d *ncruces) close() error {
	if d.db == nil {
		return nil
	}
	for _, stmt := range d.stmts {
		stmt.Close()
	}
	return d.db.Close()
}
