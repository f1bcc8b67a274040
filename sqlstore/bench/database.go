//go:build rivals

package main

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	_ "github.com/mattn/go-sqlite3"
	_ "modernc.org/sqlite"
)

// database is a driver for database/sql: mattn's, named sqlite3, or modernc's, named sqlite. It is used as fast as that allows: one connection,
// taken once, on which everything is prepared, the transaction's begin and end as well.
type database struct {
	name  string
	db    *sql.DB
	conn  *sql.Conn
	stmts [statements]*sql.Stmt
}

func (d *database) open(file string) (version string, err error) {
	ctx := context.Background()
	if d.db, err = sql.Open(d.name, file); err != nil {
		return "", err
	}
	if d.conn, err = d.db.Conn(ctx); err != nil {
		return "", err
	}
	for _, p := range pragmaTexts() {
		name, value, _ := strings.Cut(p, " ")
		if _, err := d.conn.ExecContext(ctx, "PRAGMA "+name+" = "+value); err != nil {
			return "", err
		}
		var got string
		err := d.conn.QueryRowContext(ctx, "PRAGMA "+name).Scan(&got)
		if err := errors.Join(err, checkPragma(name, value, got)); err != nil {
			return "", err
		}
	}
	for i, text := range statementTexts() {
		if d.stmts[i], err = d.conn.PrepareContext(ctx, text); err != nil {
			return "", err
		}
	}
	return version, d.conn.QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version)
}

func (d *database) exec(s statement, args ...any) error {
	_, err := d.stmts[s].Exec(args...)
	return err
}

func (d *database) first(s statement, args ...any) (value int64, found bool, err error) {
	rows, err := d.stmts[s].Query(args...)
	if err != nil {
		return 0, false, err
	}
	defer rows.Close()
	if found = rows.Next(); found {
		columns, err := rows.Columns()
		if err != nil {
			return 0, false, err
		}
		to := make([]any, len(columns))
		to[0] = &value
		for i := 1; i < len(to); i++ {
			to[i] = new(sql.RawBytes)
		}
		if err := rows.Scan(to...); err != nil {
			return 0, false, err
		}
	}
	return value, found, rows.Err()
}

func (d *database) read(row func(*sql.Rows) error, s statement, args ...any) error {
	rows, err := d.stmts[s].Query(args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (d *database) messages(session int64) (t tally, err error) {
	err = d.read(func(rows *sql.Rows) error {
		var id int64
		var role, content string
		var call, name, values sql.NullString
		err := rows.Scan(&id, &role, &content, &call, &name, &values)
		t.add(id, len(role)+len(content)+len(call.String)+len(name.String)+len(values.String))
		return err
	}, readMessages, session)
	return t, err
}

func (d *database) events(session int64) (t tally, err error) {
	err = d.read(func(rows *sql.Rows) error {
		var id, createdAt int64
		var kind, payload string
		err := rows.Scan(&id, &kind, &payload, &createdAt)
		t.add(id+createdAt, len(kind)+len(payload))
		return err
	}, readEvents, session)
	return t, err
}

func (d *database) sessions() (t tally, err error) {
	err = d.read(func(rows *sql.Rows) error {
		var number, createdAt, last, count int64
		var id, title string
		err := rows.Scan(&number, &id, &title, &createdAt, &last, &count)
		t.add(number+createdAt+last+count, len(id)+len(title))
		return err
	}, readSessions)
	return t, err
}

func (d *database) close() error {
	if d.db == nil {
		return nil
	}
	for _, stmt := range d.stmts {
		if stmt != nil {
			stmt.Close()
		}
	}
	return errors.Join(d.conn.Close(), d.db.Close())
}
