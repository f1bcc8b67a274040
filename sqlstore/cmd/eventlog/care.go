package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"
)

func verify(ctx context.Context, c *call) error {
	err := c.verify(ctx)
	if errors.Is(err, eventlog.ErrCorrupt) {
		// So damaged that it does not open, and told to run verify. That has just been done, and this is what it found.
		return &statusError{exitFault, fmt.Sprintf("%s is damaged and cannot be read; move it away and restore the newest backup", clean(c.db))}
	}
	return err
}

func (c *call) verify(ctx context.Context) error {
	if c.isFolder() {
		if err := c.exists(); err != nil {
			return err
		}
		c.arguments = []string{c.db}
		return inspectFiles(ctx, c)
	}
	return c.inSQLite(ctx, sqlstore.Options{ReadOnly: true}, func(s *sqlstore.Store) error {
		report, err := s.Verify(ctx)
		if err != nil {
			return err
		}
		if c.json {
			if report.Faults == nil {
				report.Faults = []sqlstore.Fault{}
			}
			line, err := json.Marshal(map[string]any{
				"ok": report.OK(), "sessions": report.Sessions, "events": report.Events, "head": report.Head, "firstAltered": report.FirstAltered, "faults": report.Faults,
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(c.out, "%s\n", line)
		} else {
			fmt.Fprintf(c.out, "%s in %s\n", counted(report.Events, "event"), counted(report.Sessions, "session"))
			for _, f := range report.Faults {
				fmt.Fprintf(c.out, "fault, %s: %s\n", f.Kind, clean(f.Text))
			}
			if report.OK() && report.Events > 0 {
				fmt.Fprintf(c.out, "nothing is wrong; the chain ends at event %d with %s\n", report.Head.EventID, report.Head.Hash)
			} else if report.OK() {
				fmt.Fprintln(c.out, "nothing is wrong")
			}
		}
		if report.OK() {
			return nil
		}
		return &statusError{exitFault, mend(report)}
	})
}

// mend says what to do about what was found.
func mend(r sqlstore.Report) string {
	for _, f := range r.Faults {
		if f.Kind != sqlstore.FaultProjection && f.Kind != sqlstore.FaultSchema {
			return "the log itself is damaged; restore the newest backup"
		}
	}
	return "the events are whole; `eventlog rebuild` mends the rest"
}

func rebuild(ctx context.Context, c *call) error {
	if err := c.exists(); err != nil {
		return err
	}
	return c.inSQLite(ctx, sqlstore.Options{}, func(s *sqlstore.Store) error {
		if err := s.Rebuild(ctx); err != nil {
			return err
		}
		return c.did("everything that is derived from the events has been made anew")
	})
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func backup(ctx context.Context, c *call) error {
	return c.inSQLite(ctx, sqlstore.Options{ReadOnly: true}, func(s *sqlstore.Store) error {
		if err := s.Backup(ctx, c.arguments[0]); err != nil {
			return err
		}
		return c.did("%s is a copy of %s, and nothing is wrong with it", c.arguments[0], c.db)
	})
}

func restore(ctx context.Context, c *call) error {
	if c.isFolder() {
		return usage("%s is a folder of session files; %s", clean(c.db), c.noFolder)
	}
	if err := sqlstore.Restore(ctx, c.arguments[0], c.db); err != nil {
		return err
	}
	return c.did("%s is what %s was, and nothing is wrong with it", c.db, c.arguments[0])
}

func export(ctx context.Context, c *call) error {
	return c.inSQLite(ctx, sqlstore.Options{ReadOnly: true}, func(s *sqlstore.Store) error {
		n, err := s.Export(ctx, c.out)
		if err == nil && !c.json {
			fmt.Fprintf(c.err, "%s in %s\n", counted(n.Events, "event"), counted(n.Sessions, "session"))
		}
		return err
	})
}

// did tells that something is done.
func (c *call) did(format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	if c.json {
		_, err := fmt.Fprintf(c.out, `{"ok":true,"text":%s}`+"\n", quoted(text))
		return err
	}
	_, err := fmt.Fprintln(c.out, clean(text))
	return err
}
