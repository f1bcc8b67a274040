package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/jsonlstore"
	"forgetmenot/sqlstore"
)

// reading opens the log for a command that writes nothing, and so makes no file either.
func (c *call) reading(ctx context.Context, use func(eventlog.Store) error) error {
	if err := c.exists(); err != nil {
		return err
	}
	return c.using(ctx, true, use)
}

// writing opens the log for a command that changes it. Only append --create makes one.
func (c *call) writing(ctx context.Context, use func(eventlog.Store) error) error {
	if err := c.exists(); err != nil && !c.create {
		return err
	}
	return c.using(ctx, false, use)
}

// using opens the log that --db names, whatever keeps it.
func (c *call) using(ctx context.Context, readOnly bool, use func(eventlog.Store) error) (err error) {
	var s eventlog.Store
	if c.isFolder() {
		s, err = jsonlstore.Open(ctx, c.db, jsonlstore.Options{ReadOnly: readOnly})
	} else {
		s, err = sqlstore.Open(ctx, c.db, sqlstore.Options{ReadOnly: readOnly})
	}
	if err != nil {
		return err
	}
	defer func() {
		if closing := s.Close(); err == nil {
			err = closing
		}
	}()
	return use(s)
}

// inSQLite opens the SQLite file of a command that is for such a one alone, as its row in the table says.
func (c *call) inSQLite(ctx context.Context, o sqlstore.Options, use func(*sqlstore.Store) error) (err error) {
	if c.isFolder() {
		return usage("%s is a folder of session files; %s", clean(c.db), c.noFolder)
	}
	if err := c.exists(); err != nil && o.ReadOnly {
		return err
	}
	s, err := sqlstore.Open(ctx, c.db, o)
	if err != nil {
		return err
	}
	defer func() {
		if closing := s.Close(); err == nil {
			err = closing
		}
	}()
	return use(s)
}

// isFolder tells whether --db names a folder of session files: one that exists, or a name that ends as only a folder's does.
func (c *call) isFolder() bool {
	if strings.HasSuffix(c.db, "/") || strings.HasSuffix(c.db, string(os.PathSeparator)) {
		return true
	}
	info, err := os.Stat(c.db)
	return err == nil && info.IsDir()
}

// exists tells what is missing where there is no log. What is there and is none, the store knows how to name.
func (c *call) exists() error {
	_, err := os.Stat(c.db)
	none := errors.Is(err, fs.ErrNotExist)
	made := ""
	if c.name == "append" {
		made = ", or make this one with --create"
	}
	switch {
	case c.isFolder() && none:
		return fmt.Errorf("there is no folder %s; name another one with --db%s", c.db, made)
	case c.isFolder() && err == nil && !hasSessions(c.db):
		return fmt.Errorf("there are no session files in the folder %s; name another log with --db%s", c.db, made)
	case none:
		return fmt.Errorf("there is no file %s; name another one with --db%s", c.db, made)
	}
	return nil
}

// hasSessions tells whether a folder is, or was, one of session files. One that cannot be read may be.
func hasSessions(folder string) bool {
	entries, err := os.ReadDir(folder)
	return err != nil || slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		name := e.Name()
		return name == "eventlog.lock" || strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.zst")
	})
}
