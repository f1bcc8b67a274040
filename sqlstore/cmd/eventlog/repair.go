package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"forgetmenot/eventlog/inspect"
)

// repair writes a repaired copy of one file, after it has shown what it leaves out and adds.
func (c *call) repair(ctx context.Context) error {
	if len(c.arguments) != 1 {
		return usage("--repair takes one file at a time")
	}
	if c.repaired == "" {
		return usage("where to? --repair OUT names a new file")
	}
	if !c.yes && (!c.canAsk() || c.json) {
		return usage("--repair asks before it writes, and there is no terminal to ask on; say --yes to write without a question")
	}
	s := plain(c.arguments[0])
	if _, err := os.Lstat(c.repaired); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already; name a new file", c.repaired)
	}
	if is, err := isSQLite(s); err != nil {
		return err
	} else if is {
		return fmt.Errorf("%s is a store, which is not repaired by a copy: `eventlog verify` tells what is wrong, `eventlog rebuild` or a backup mends it", s.Name)
	}
	report, err := inspect.Repair(ctx, s, io.Discard) // tells what it would do
	if errors.Is(err, inspect.ErrNoRepair) {
		var n tally
		if err := c.show(&report, nil, &n); err != nil {
			return err
		}
		return &statusError{exitFault, told(err) + "; nothing was written"}
	} else if err != nil {
		return err
	}
	if err := c.show(&report, nil, &tally{}); err != nil {
		return err
	}
	if !report.Repairable() {
		return c.leftAlone(&report)
	}
	if !c.yes && !c.agreed() {
		return c.say("nothing was written")
	}
	if err := c.writeRepaired(ctx, s, &report); err != nil {
		return err
	}
	after, err := inspect.Inspect(ctx, plain(c.repaired))
	if err != nil {
		return err
	}
	if !after.OK() {
		return &statusError{exitFault, fmt.Sprintf("%s is written; %s in it cannot be repaired", clean(c.repaired), counted(after.Faults.Count, "fault"))}
	}
	return c.say("%s is written, and nothing is wrong with it", c.repaired)
}

func (c *call) leftAlone(r *inspect.Report) error {
	if r.OK() {
		return c.say("there is nothing to repair; nothing was written")
	}
	return &statusError{exitFault, "nothing of this can be repaired by leaving out or adding lines; nothing was written"}
}

// say tells a person something beside what the command prints.
func (c *call) say(format string, args ...any) error {
	_, err := fmt.Fprintln(c.err, clean(fmt.Sprintf(format, args...)))
	return err
}

// canAsk tells whether somebody is there to answer.
func (c *call) canAsk() bool {
	in, isFile := c.in.(*os.File)
	if !isFile {
		return false
	}
	_, ok := terminal(in)
	return ok
}

func (c *call) agreed() bool {
	fmt.Fprintf(c.err, "Write %s, with these changes? [y/N] ", clean(c.repaired))
	answer, _ := bufio.NewReader(c.in).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

// writeRepaired publishes the copy whole or not at all, and never in the place of another file.
func (c *call) writeRepaired(ctx context.Context, s inspect.Source, shown *inspect.Report) (err error) {
	folder := filepath.Dir(c.repaired)
	file, err := os.CreateTemp(folder, ".eventlog-repair-*")
	if err != nil {
		return err
	}
	defer func() {
		file.Close()
		os.Remove(file.Name())
	}()
	report, err := inspect.Repair(ctx, s, file)
	if err != nil {
		return err
	}
	if !samePlan(&report, shown) {
		return fmt.Errorf("%s has changed since it was shown; nothing was written, so look again", s.Name)
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if info, err := os.Stat(s.Name); err != nil { // whoever may not read the one may not read the other
		return err
	} else if err := os.Chmod(file.Name(), info.Mode().Perm()); err != nil {
		return err
	}
	if err := publish(file.Name(), c.repaired); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there already; name a new file", c.repaired)
		}
		return err
	}
	return syncFolder(folder)
}

func samePlan(a, b *inspect.Report) bool {
	one, err1 := json.Marshal([]any{a.Cut, a.Append, a.Lines})
	two, err2 := json.Marshal([]any{b.Cut, b.Append, b.Lines})
	return err1 == nil && err2 == nil && string(one) == string(two)
}

// publish gives a file that is complete its name, when nothing has it.
func publish(written, name string) error {
	err := os.Link(written, name)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// No links on this file system: hold the name with an empty file of our own, and put the other in its place.
	holder, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	holder.Close()
	return os.Rename(written, name)
}

func syncFolder(folder string) error {
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) {
		return err
	}
	return nil
}
