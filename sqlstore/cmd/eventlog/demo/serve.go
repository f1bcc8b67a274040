package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
	"forgetmenot/sqlstore"
)

// A word is what the service says to its parent, a JSON object on a line of its standard output: first where it listens, then each
// moment at which it holds still. It goes on with a line on its standard input.
type word struct {
	URL  string       `json:"url,omitempty"`
	Held agent.Moment `json:"held,omitempty"`
}

// Serve is the story's service, in a process of its own. It ends with ctx, or when its standard input ends: so when its parent does, however that
// came about. args are
//
//	--db FILE             the log
//	--hold MOMENT,…       the moments at which it holds still, in this order, each once
//	--reply-first         the bug
func Serve(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	return service{}.serve(ctx, args, in, out)
}

// A service can be given a fault, to see whether the story finds it.
type service struct {
	bend func(eventlog.Store) eventlog.Store
	set  func(*agent.Options)
}

func (s service) serve(ctx context.Context, args []string, in io.Reader, out io.Writer) (err error) {
	flags := flag.NewFlagSet("service", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	db := flags.String("db", "", "")
	plan := flags.String("hold", "", "")
	replyFirst := flags.Bool("reply-first", false, "")
	if err := flags.Parse(args); err != nil {
		return err
	}

	ctx, end := context.WithCancel(ctx)
	defer end()
	h := &holder{words: json.NewEncoder(out), goOn: make(chan struct{}), ended: ctx.Done()}
	if *plan != "" {
		for name := range strings.SplitSeq(*plan, ",") {
			h.plan = append(h.plan, agent.Moment(name))
		}
	}
	go func() {
		defer end()
		for lines := bufio.NewScanner(in); lines.Scan(); {
			select {
			case h.goOn <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()

	store, err := sqlstore.Open(ctx, *db, sqlstore.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	log := eventlog.Store(store)
	if s.bend != nil {
		log = s.bend(store)
	}
	// A person may take any time to read while a turn is held.
	o := agent.Options{ReplyFirst: *replyFirst, MessagesOnly: true, Hook: h.hook, TurnTimeout: 24 * time.Hour}
	if s.set != nil {
		s.set(&o)
	}
	return agent.Serve(ctx, log, "127.0.0.1:0", o, func(at net.Addr) {
		h.say(word{URL: "http://" + at.String()})
	})
}

// A holder stops turns at the moments of a plan until it is told to go on.
type holder struct {
	goOn  chan struct{}
	ended <-chan struct{}

	mu    sync.Mutex
	plan  []agent.Moment
	words *json.Encoder
}

var errEnded = errors.New("the service is told to end")

func (h *holder) hook(ctx context.Context, at agent.Moment, _ string) error {
	if !h.next(at) {
		return nil
	}
	h.say(word{Held: at})
	select {
	case <-h.goOn:
		return nil
	case <-h.ended:
		return fmt.Errorf("held at %s: %w", at, errEnded)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// next tells whether at is the plan's next moment, and then takes it from the plan.
func (h *holder) next(at agent.Moment) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.plan) == 0 || h.plan[0] != at {
		return false
	}
	h.plan = h.plan[1:]
	return true
}

// say speaks to the parent. When nobody listens the standard input ends, too, and the service with it.
func (h *holder) say(w word) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.words.Encode(w)
}
