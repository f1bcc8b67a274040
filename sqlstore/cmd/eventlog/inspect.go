package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/inspect"
	"forgetmenot/sqlstore"
)

func inspectFiles(ctx context.Context, c *call) error {
	if c.given["repair"] {
		return c.repair(ctx)
	}
	files, found, err := c.logFiles()
	if err != nil {
		return err
	}
	bar := c.newBar(files)
	for _, f := range files {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		bar.next(f)
		report, err := inspectFile(ctx, bar.counting(f))
		bar.clear()
		if f.walked && errors.Is(err, inspect.ErrUnknown) {
			found.others++
			continue
		}
		if err := c.show(&report, err, &found); err != nil {
			return err
		}
	}
	bar.clear()
	return c.sum(found)
}

// A tally is what came of many files.
type tally struct {
	logs, faulty, unread int64
	others               int64 // files in folders that are no logs
	older                int64 // generations of a log that a newer one replaces
	walked               bool
}

// show prints a report, and counts it.
func (c *call) show(r *inspect.Report, failed error, n *tally) error {
	refused := errors.Is(failed, inspect.ErrUnsupported) || errors.Is(failed, eventlog.ErrCorrupt) // which is among the faults
	switch {
	case failed != nil && !refused:
		n.unread++
		if c.json {
			_, err := fmt.Fprintf(c.out, `{"file":%s,"error":%s}`+"\n", quoted(r.File), quoted(told(failed)))
			return err
		}
		fmt.Fprintf(c.err, "eventlog: %s\n", told(failed))
		return nil
	case r.OK():
		n.logs++
	default:
		n.logs++
		n.faulty++
	}
	if c.json {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(c.out, "%s\n", line)
		return err
	}
	if err := r.WriteText(c.out, clean); err != nil {
		return err
	}
	_, err := fmt.Fprintln(c.out)
	return err
}

// sum tells what came of all files together, and with which status the command ends.
func (c *call) sum(n tally) error {
	if n.walked && !c.json {
		fmt.Fprintf(c.out, "%s: %d with faults, %d that could not be read; %s no session log",
			counted(n.logs+n.unread, "log"), n.faulty, n.unread, map[bool]string{true: "1 file is", false: fmt.Sprintf("%d files are", n.others)}[n.others == 1])
		if n.older > 0 {
			fmt.Fprintf(c.out, "; %s that a newer one replaces", counted(n.older, "older generation"))
		}
		fmt.Fprintln(c.out)
	}
	switch {
	case n.unread > 0:
		return &statusError{exitFailed, ""}
	case n.faulty > 0:
		return &statusError{exitFault, ""}
	}
	return nil
}

var sqliteMagic = []byte("SQLite format 3\x00")

// inspectFile reads a file of any kind: a log of lines, or a store of ours.
func inspectFile(ctx context.Context, s inspect.Source) (inspect.Report, error) {
	is, err := isSQLite(s)
	if err != nil {
		return *inspect.NewReport(s.Name), err
	}
	if is {
		return inspectStore(ctx, s.Name)
	}
	return inspect.Inspect(ctx, s)
}

func isSQLite(s inspect.Source) (bool, error) {
	file, err := s.Open()
	if err != nil {
		return false, err
	}
	defer file.Close()
	head := make([]byte, len(sqliteMagic))
	_, err = io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return bytes.Equal(head, sqliteMagic), nil
}

// inspectStore reads a SQLite file of ours.
func inspectStore(ctx context.Context, name string) (inspect.Report, error) {
	report := *inspect.NewReport(name)
	s, err := sqlstore.Open(ctx, name, sqlstore.Options{ReadOnly: true})
	switch {
	case errors.Is(err, eventlog.ErrNotStore):
		return report, &inspect.Error{Op: "read", File: name, Mend: "it is a SQLite file of another program", Err: inspect.ErrUnknown}
	case errors.Is(err, eventlog.ErrCorrupt):
		report.Format = "sqlite"
		report.AddFault(inspect.Corrupt, "it is damaged and does not open; restore the newest backup")
		return report, nil
	case err != nil:
		return report, err
	}
	defer s.Close()
	report, err = inspect.InspectStored(name, "sqlite", "", s.All(ctx, eventlog.Range{}))
	if err != nil {
		return report, err
	}
	verified, err := s.Verify(ctx)
	if err != nil {
		return report, err
	}
	for _, f := range verified.Faults {
		report.AddFault(inspect.Kind(f.Kind), f.Text)
	}
	return report, nil
}

// plain opens a file that is one: a pipe or a device would have a reader wait, and cannot be read twice.
func plain(name string) inspect.Source {
	s := inspect.File(name)
	open := s.Open
	s.Open = func() (io.ReadCloser, error) {
		info, err := os.Stat(name)
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%s is no plain file; write what it gives into one, and name that", name)
		}
		if err != nil {
			return nil, err
		}
		return open()
	}
	return s
}
