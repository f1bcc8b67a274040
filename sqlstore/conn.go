package sqlstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ncruces/go-sqlite3"
)

// A conn is one connection to the file, used by one goroutine at a time.
type conn struct {
	db     *sqlite3.Conn
	stmts  map[string]*sqlite3.Stmt
	broken bool // the engine panicked in it
}

// A mode is what a connection is opened for.
type mode string

const (
	create mode = "rwc"
	write  mode = "rw"
	read   mode = "ro"
	// frozen reads a file that nobody can change meanwhile, and asks for no lock and no file beside it.
	// https://sqlite.org/uri.html#uriimmutable
	frozen mode = "frozen"
)

// dial opens a connection, and sets nothing but how long it waits for others.
//
// https://sqlite.org/c3ref/open.html
func dial(ctx context.Context, path string, m mode, o Options) (c *conn, err error) {
	query := url.Values{"mode": {string(m)}, "vfs": {cmp.Or(o.vfs, vfsName)}}
	if m == frozen {
		query.Set("mode", string(read))
		query.Set("immutable", "1")
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive's letter
	}
	uri := url.URL{Scheme: "file", OmitHost: true, Path: slashed, RawQuery: query.Encode()}
	err = guarded(func() error {
		db, err := sqlite3.OpenContext(ctx, uri.String())
		if err != nil {
			return err
		}
		c = &conn{db: db, stmts: map[string]*sqlite3.Stmt{}}
		// Before everything else: without it the first statement that meets another process fails.
		return db.BusyTimeout(o.BusyTimeout)
	})
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// setUp sets what every connection needs, and reads it back: a pragma that is not known, or not allowed, is not an error to SQLite.
//
// https://sqlite.org/pragma.html
func (c *conn) setUp(o Options) error {
	synchronous := "2" // FULL
	if o.Synchronous == Normal {
		synchronous = "1"
	}
	return c.do(func() error {
		for _, p := range []struct{ name, value string }{
			{"foreign_keys", "1"},
			{"recursive_triggers", "1"}, // REPLACE then asks the delete triggers too
			{"trusted_schema", "0"},
			{"synchronous", synchronous},
			{"journal_size_limit", strconv.Itoa(64 << 20)}, // a burst does not leave its write-ahead log behind for ever
		} {
			if _, err := c.pragma(p.name + " = " + p.value); err != nil {
				return err
			}
			if got, err := c.pragma(p.name); err != nil || got != p.value {
				return fmt.Errorf("pragma %s is %q, it should be %s: %w", p.name, got, p.value, errors.Join(err, sqlite3.MISUSE))
			}
		}
		// A connection that changes nothing may find a copy that has no write-ahead log, as Backup makes it.
		if got, err := c.pragma("journal_mode"); err != nil || got != "wal" && !o.ReadOnly {
			return fmt.Errorf("the journal mode is %q: %w", got, errors.Join(err, errNotOurs))
		}
		// Nobody rewrites the schema by hand through this connection. https://sqlite.org/c3ref/c_dbconfig_defensive.html
		if _, err := c.db.Config(sqlite3.DBCONFIG_DEFENSIVE, true); err != nil {
			return err
		}
		// The first read in a file makes the write-ahead log if it is not there, and puts it in order.
		_, err := c.one(func(*sqlite3.Stmt) {}, "SELECT 1 FROM sqlite_schema")
		if err == nil && o.tune != nil {
			err = o.tune(c.db)
		}
		return err
	})
}

func (c *conn) pragma(text string) (string, error) {
	stmt, _, err := c.db.Prepare("PRAGMA " + text)
	if err != nil {
		return "", err
	}
	defer stmt.Close()
	answer := ""
	for stmt.Step() {
		answer = stmt.ColumnText(0)
	}
	return answer, stmt.Err()
}

// prepare returns a statement that is kept for the next time.
//
// https://sqlite.org/c3ref/prepare.html
func (c *conn) prepare(sql string) (*sqlite3.Stmt, error) {
	if stmt := c.stmts[sql]; stmt != nil {
		return stmt, nil
	}
	stmt, _, err := c.db.PrepareFlags(sql, sqlite3.PREPARE_PERSISTENT)
	if err != nil {
		return nil, err
	}
	c.stmts[sql] = stmt
	return stmt, nil
}

// bound is a kept statement with its parameters: int64, string and JSON, bytes, or nil.
func (c *conn) bound(sql string, args []any) (*sqlite3.Stmt, error) {
	stmt, err := c.prepare(sql)
	if err != nil {
		return nil, err
	}
	for i, arg := range args {
		switch arg := arg.(type) {
		case int64:
			err = stmt.BindInt64(i+1, arg)
		case string:
			err = stmt.BindText(i+1, arg)
		case json.RawMessage:
			err = stmt.BindRawText(i+1, arg)
		case []byte:
			err = stmt.BindBlob(i+1, arg)
		case nil:
			err = stmt.BindNull(i + 1)
		default:
			err = fmt.Errorf("a parameter is a %T: %w", arg, sqlite3.MISUSE)
		}
		if err != nil {
			return nil, err
		}
	}
	return stmt, nil
}

// exec runs a kept statement that answers nothing.
func (c *conn) exec(sql string, args ...any) error {
	stmt, err := c.bound(sql, args)
	if err != nil {
		return err
	}
	return stmt.Exec()
}

// query runs a kept statement and calls row for each row, until it says no. A statement that is not reset is a read transaction that stays open,
// which keeps the write-ahead log from being cut: it is always reset.
func (c *conn) query(row func(*sqlite3.Stmt) bool, sql string, args ...any) error {
	stmt, err := c.bound(sql, args)
	if err != nil {
		return err
	}
	for stmt.Step() {
		if !row(stmt) {
			break
		}
	}
	err = stmt.Err()
	stmt.Reset() // its error is that of Step
	return err
}

// one runs a kept statement that answers at most one row, and tells whether there was one.
func (c *conn) one(row func(*sqlite3.Stmt), sql string, args ...any) (found bool, err error) {
	err = c.query(func(s *sqlite3.Stmt) bool {
		row(s)
		found = true
		return false
	}, sql, args...)
	return found, err
}

// do runs f and turns a panic of the engine into an error; the connection is of no use after that.
func (c *conn) do(f func() error) error {
	err := guarded(f)
	if errors.As(err, new(enginePanic)) {
		c.broken = true
	}
	return err
}

// rollback ends a transaction, if there is one. SQLite ends it by itself after some errors. https://sqlite.org/lang_transaction.html
func (c *conn) rollback() {
	c.do(func() error {
		c.db.SetInterrupt(context.Background())
		if !c.db.GetAutocommit() {
			return c.db.Exec("ROLLBACK")
		}
		return nil
	})
}

// close closes the statements, which have to go first, then the connection.
func (c *conn) close() error {
	if c == nil {
		return nil
	}
	return guarded(func() error {
		for _, stmt := range c.stmts {
			stmt.Close()
		}
		return c.db.Close()
	})
}

// An enginePanic is what the engine says instead of an error when it is out of memory, or wrong.
type enginePanic struct{ value any }

func (p enginePanic) Error() string { return fmt.Sprintf("the database engine gave up: %v", p.value) }

func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = enginePanic{p}
		}
	}()
	return f()
}
