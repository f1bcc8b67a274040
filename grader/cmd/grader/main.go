// Command grader holds submissions against an exercise: the instructor's command.
//
//	grader grade event-log submissions/
//
// Every submission runs in a sandbox, and the sandboxes run in child processes, so that no submission can cost another one its result. `grader help`
// tells the rest.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	_ "forgetmenot/grader/cmd/grader/quietenv" // an odd RAPID_SEED in the environment would end the command before main
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)   // a second Ctrl-C ends the command at once
	signal.Ignore(syscall.SIGPIPE) // a closed standard output is an error like another: --out files are still written
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}

// The exit statuses.
const (
	exitGraded = 0 // every submission was graded, whatever its verdict; the exercise is sound
	exitFailed = 1 // with --strict, one did not pass; for verify, a fault was found
	exitUsage  = 2 // the command was called wrongly
	exitBroken = 3 // the grader itself failed on a submission, was interrupted, or could not write what it was asked to
)

// run is the whole command. It reads the world through its arguments only, but for the files that the arguments name.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	if len(args) > 0 && args[0] == workerCommand {
		return work(ctx, args[1:], stdin, stdout)
	}
	c := &command{ctx: ctx, stdout: stdout, stderr: stderr, env: env}
	return c.dispatch(args)
}

// A command is one call of the program.
type command struct {
	ctx            context.Context
	stdout, stderr io.Writer
	env            func(string) string
}

func (c *command) dispatch(args []string) int {
	if len(args) == 0 {
		io.WriteString(c.stderr, helpOf(""))
		return exitUsage
	}
	name, rest := args[0], args[1:]
	switch name {
	case "grade":
		return c.grade(rest)
	case "list":
		return c.list(rest)
	case "verify":
		return c.verify(rest)
	case "help":
		return c.help(rest)
	case "version":
		return c.version(rest)
	case "-h", "-help", "--help":
		return c.help(nil)
	case "-version", "--version":
		return c.version(nil)
	}
	if len(name) > 0 && name[0] == '-' {
		return c.wrong("", "the command comes before its flags: grader grade %s …", clean(name))
	}
	return c.wrong("", "there is no command %q%s", clean(name), didYouMean(name, commands))
}

var commands = []string{"grade", "list", "verify", "help", "version"}
