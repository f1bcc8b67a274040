package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"forgetmenot/sqlstore/cmd/eventlog/demo"
)

// demoService is the name by which the demo calls this program as its service. It is no command for people.
const demoService = "demo-service"

// demoPause is how long the narration rests before a paragraph when a person reads it as it comes.
const demoPause = 900 * time.Millisecond

func tellDemo(ctx context.Context, c *call) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	o := demo.Options{
		Service:    func(args ...string) *exec.Cmd { return exec.Command(self, append([]string{demoService}, args...)...) },
		ReplyFirst: c.replyFirst,
		JSON:       c.json,
		Pause:      c.pause,
	}
	switch {
	case c.given["keep"] && c.given["db"]:
		return usage("--keep FOLDER makes demo.db in a folder, --db FILE names the file: give one of them")
	case c.given["keep"] && c.keep == "" || c.given["db"] && c.db == "":
		return usage("an empty name is no place to keep the log")
	case c.fast && c.given["pause"]:
		return usage("--fast is no pause at all, and --pause is one: give one of them")
	case c.pause < 0:
		return usage("--pause %v: a pause is not negative", c.pause)
	case c.given["keep"]:
		o.DB = filepath.Join(c.keep, "demo.db")
	case c.given["db"]:
		o.DB = c.db
	}
	if columns, ok := terminal(c.out); ok {
		o.Width = columns
		o.Color = os.Getenv("NO_COLOR") == "" && !strings.EqualFold(os.Getenv("TERM"), "dumb")
		if !c.fast && !c.given["pause"] {
			o.Pause = demoPause
		}
	}
	if o.JSON {
		o.Pause = 0
	}

	// A reader that goes away, as head does, and a terminal that is closed: the story ends as it does with Ctrl-C, and leaves nothing behind.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	if !signal.Ignored(syscall.SIGHUP) {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGHUP)
		defer stop()
	}
	err = demo.Run(ctx, o, c.out)
	switch {
	case errors.Is(err, demo.ErrClaim):
		return &statusError{exitFault, told(err)}
	case errors.Is(err, syscall.EPIPE):
		return nil // who reads has seen enough
	case ctx.Err() != nil:
		return &statusError{exitFailed, "interrupted"}
	}
	return err
}
