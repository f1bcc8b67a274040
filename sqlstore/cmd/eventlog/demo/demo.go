package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"forgetmenot/eventlog/agent"
)

// ErrClaim is what a story ends with when something was not as it tells. Ask with [errors.Is].
var ErrClaim = errors.New("the demo saw something else than it tells")

// ErrExists: the story begins with a new log, and leaves one that is there alone.
var ErrExists = errors.New("there is a file already")

// Options are how the story is told. Service is needed; of all else the zero value works.
type Options struct {
	// Service is this program once more, made to call [Serve] with the arguments. Not started yet, and without standard input and outputs.
	Service func(args ...string) *exec.Cmd

	DB         string // the log's new file; "" is one in a temporary folder, which is gone afterwards
	ReplyFirst bool   // the story of the bug

	JSON  bool          // a line for each step instead of the narration
	Pause time.Duration // before a paragraph, so that a person can follow; none by default
	Width int           // columns of the narration, at least 30; 80 by default
	Color bool

	Patience time.Duration // for anything that the service does; 1 minute
}

func (o Options) withDefaults() Options {
	if o.Width <= 0 {
		o.Width = 80
	}
	if o.Patience <= 0 {
		o.Patience = time.Minute
	}
	return o
}

// Run tells the story on w. It returns when no process of it is left: nil when everything was as told, [ErrClaim] when something was not,
// [ErrExists], or what kept it from going on. With ctx it ends early.
func Run(ctx context.Context, o Options, w io.Writer) (err error) {
	o = o.withDefaults()
	kept := o.DB != ""
	if !kept {
		folder, err := os.MkdirTemp("", "eventlog-demo-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder) // in the system's place for what may be left
		o.DB = filepath.Join(folder, "demo.db")
	} else if err := isNew(o.DB); err != nil {
		return err
	}
	s := &story{o: o, kept: kept, tell: newTeller(ctx, o, w)}
	defer s.leave()
	if o.ReplyFirst {
		err = s.run(ctx, []agent.Moment{agent.AfterReply}, s.replyFirst, s.nothingLeft, s.forgotten, s.rightOrder, s.nothingFound)
	} else {
		err = s.run(ctx, []agent.Moment{agent.BeforeReply, agent.BeforeTool}, s.conversation, s.follow, s.crash, s.restart, s.reconnect, s.isolation, s.examine)
	}
	s.leave()
	if said := s.said(); err != nil && said != "" && ctx.Err() == nil {
		err = fmt.Errorf("%w; the service said: %s", err, said)
	}
	if ending := s.tell.end(s.db(), err); err == nil {
		err = ending
	}
	return err
}

// isNew makes the folder of a file that is not there.
func isNew(path string) error {
	_, err := os.Lstat(path)
	switch {
	case err == nil:
		return fmt.Errorf("%w: %s; the demo begins with a new log, so name another place", ErrExists, path)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return os.MkdirAll(filepath.Dir(path), 0o755)
}
