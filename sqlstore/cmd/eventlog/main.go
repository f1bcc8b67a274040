// Command eventlog looks into an event log, appends to it, and takes care of it: the operator's command.
//
//	eventlog events --session support-42
//
// `eventlog help` tells the rest.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"forgetmenot/sqlstore/cmd/eventlog/demo"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the command at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit statuses.
const (
	exitDone   = 0
	exitFault  = 1 // verify or inspect found a fault, append met a conflict, or demo saw something else than it tells
	exitUsage  = 2 // the command was called wrongly
	exitFailed = 3 // the operation failed
)

// run is the whole command. It reads the world through its arguments only, but for the files that the arguments name.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(stderr, mainHelp())
		return exitUsage
	}
	name := args[0]
	if name == "help" || name == "--help" || name == "-h" {
		return help(args[1:], stdout, stderr)
	}
	if name == demoService {
		if err := demo.Serve(ctx, args[1:], stdin, stdout); err != nil {
			fmt.Fprintf(stderr, "eventlog: %s\n", told(err))
			return exitFailed
		}
		return exitDone
	}
	cmd, ok := find(name)
	if !ok {
		return wrong(stderr, "", "there is no command %s%s", clean(name), didYouMean(name, names()))
	}
	c := &call{command: cmd, in: stdin, out: stdout, err: stderr}
	if err := c.parse(args[1:]); errors.Is(err, errHelp) {
		fmt.Fprint(stdout, cmd.help())
		return exitDone
	} else if err != nil {
		return wrong(stderr, cmd.name, "%v", err)
	}
	err := cmd.run(ctx, c)
	if err == nil {
		return exitDone
	}
	var usage *usageError
	var status *statusError
	switch {
	case errors.As(err, &usage):
		return wrong(stderr, cmd.name, "%v", err)
	case errors.As(err, &status):
		if status.text != "" {
			fmt.Fprintf(stderr, "eventlog: %s\n", status.text)
		}
		return status.status
	case ctx.Err() != nil:
		fmt.Fprintln(stderr, "eventlog: interrupted")
		return exitFailed
	}
	fmt.Fprintf(stderr, "eventlog: %s\n", told(err))
	return exitFailed
}

// A usageError is the caller's mistake.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usage(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

// A statusError ends the command with a status of its own.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }
