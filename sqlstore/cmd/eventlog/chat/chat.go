// Package chat is the command `eventlog chat`: an agent in a terminal, or behind a pipe, whose memory is the log.
//
// A line is a message and begins a turn. What happens is shown as it is stored; text that a model is still saying is shown before, and only to a
// person, who sees it broken off when it fails. The store is the caller's. It is tested with texts in and texts out, and as a process that is killed.
package chat

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
)

// Options say how one talks, and to whom. NewID is needed unless Session is there; the rest has defaults.
type Options struct {
	Session string        // that goes on; "" begins a new one
	NewID   func() string // the new session's id
	Command string        // by which one comes back to a session, before its id

	// Model makes the model, which hands its text to the function as it comes. Scripted by default.
	Model func(text func(sessionID, text string)) (agent.Model, error)
	Note  string // is said at the beginning

	Person bool // reads and types: there are prompts, text as it comes, and the talk goes on after an error
	Events bool // each event is shown, with its id
	JSON   bool // each event is a line of JSON, by WriteEvent, and nothing else is shown
	Width  int  // columns; no line is cut when it is 0
	Color  bool

	WriteEvent func(io.Writer, eventlog.StoredEvent) error
	Interrupt  <-chan os.Signal // ends the running turn, and the talk when there is none
}

// ErrInterrupted is what Run returns when nobody can be asked what to do after an interrupt: it is not a person who types.
var ErrInterrupted = errors.New("interrupted")

// Run talks until the input ends, or somebody leaves. A turn that ctx ends stays open in the log: it goes on with the next start.
func Run(ctx context.Context, store eventlog.Store, o Options, in io.Reader, out io.Writer) error {
	c := &talk{o: o, screen: newScreen(o, out), session: o.Session}
	c.store = told{store, c.screen.stored}
	model := agent.Model(Scripted{})
	if o.Model != nil {
		var err error
		if model, err = o.Model(c.screen.heard); err != nil {
			return err
		}
	}
	c.loop = agent.NewLoop(c.store, agent.Options{Model: model, Tools: []agent.Tool{Calculator{}}})
	if err := c.begin(ctx); err != nil {
		return err
	}
	over := make(chan struct{})
	defer close(over)
	lines := read(in, over)
	for {
		c.screen.prompt()
		select {
		case l, more := <-lines:
			if !more {
				c.screen.leave()
				return c.screen.err
			}
			if l.err != nil {
				return l.err
			}
			if leave, err := c.line(ctx, l.text); leave || err != nil {
				return err
			}
		case <-o.Interrupt:
			c.screen.leave()
			if !o.Person {
				return ErrInterrupted
			}
			return c.screen.err
		case <-ctx.Done():
			return ctx.Err()
		}
		if c.screen.err != nil {
			return c.screen.err
		}
	}
}

// A talk is a session that somebody is in.
type talk struct {
	o       Options
	store   eventlog.Store
	loop    *agent.Loop
	screen  *screen
	session string // "" until the first message
}

// told is a store that tells what was appended to it, and when it is stored.
type told struct {
	eventlog.Store
	stored func([]eventlog.StoredEvent)
}

func (s told) Append(ctx context.Context, session string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error) {
	receipt, err := s.Store.Append(ctx, session, events, o)
	if err == nil && !receipt.Repeated {
		s.stored(receipt.Events)
	}
	return receipt, err
}

// shownMessages are how many of an old session come up again.
const shownMessages = 6

// begin shows where one is, and finishes a turn that was cut off.
func (c *talk) begin(ctx context.Context) error {
	if c.session == "" {
		c.screen.notice(strings.TrimSpace("A new session. " + c.o.Note))
		return nil
	}
	session, err := c.store.Session(ctx, c.session)
	if errors.Is(err, eventlog.ErrNoSession) {
		return fmt.Errorf("there is no session %q; without an ID chat begins a new one, and `eventlog sessions` lists the old ones", c.session)
	} else if err != nil {
		return err
	}
	var last []eventlog.StoredMessage
	for m, err := range c.store.Messages(ctx, c.session, eventlog.Range{}) {
		if err != nil {
			return err
		}
		if last = append(last, m); len(last) > shownMessages {
			last = append(last[:0], last[1:]...)
		}
	}
	c.screen.notice(strings.TrimSpace(fmt.Sprintf("Session %s, up to event %d. %s", c.session, session.LastEventID, c.o.Note)))
	for _, m := range last {
		c.screen.old(m)
	}
	c.screen.resuming = true
	defer func() { c.screen.resuming = false }()
	_, err = c.turn(ctx, func(ctx context.Context) error {
		_, err := c.loop.Resume(ctx, c.session)
		return err
	})
	return err
}

// line does what somebody typed.
func (c *talk) line(ctx context.Context, text string) (leave bool, err error) {
	switch strings.TrimSpace(text) {
	case "":
		return false, nil
	case "/quit", "/exit":
		c.screen.leave()
		return true, c.screen.err
	case "/help", "/?":
		c.screen.notice("A line is a message. /drop gives up a turn that did not end, /quit leaves, and so does Ctrl-D. Ctrl-C ends a running turn.")
		return false, nil
	case "/drop":
		return false, c.drop(ctx)
	}
	if c.session == "" {
		id := c.o.NewID()
		if _, err := c.store.CreateSession(ctx, id, title(text)); err != nil {
			return false, err
		}
		c.session = id
		c.screen.begun(id)
	}
	content, err := json.Marshal(text)
	if err != nil {
		return false, err
	}
	return c.turn(ctx, func(ctx context.Context) error {
		_, err := c.loop.Say(ctx, c.session, content, "")
		return err
	})
}

func title(text string) string {
	return cut(strings.Join(strings.Fields(visible(text)), " "), 60)
}

// turn runs until it is over, or interrupted. What went wrong a person is told here; else it ends the talk.
func (c *talk) turn(ctx context.Context, run func(context.Context) error) (leave bool, err error) {
	running, end := context.WithCancel(ctx)
	defer end()
	ended := make(chan error, 1)
	go func() { ended <- run(running) }()
	interrupts := 0
	for over := false; !over; {
		select {
		case err = <-ended:
			over = true
		case <-c.o.Interrupt:
			interrupts++
			end() // and it ends soon, as models, tools and stores promise
		}
	}
	c.screen.over()
	if c.o.Person {
		select {
		case <-c.o.Interrupt: // it came too late for the turn that it was meant for
		default:
		}
	}
	switch {
	case ctx.Err() != nil:
		return true, ctx.Err()
	case err == nil:
		return interrupts > 1, nil
	case interrupts > 0 && !c.o.Person:
		return true, ErrInterrupted
	case interrupts > 1:
		return true, nil
	case interrupts > 0:
		c.screen.notice("Stopped; what is stored stays. The turn is open: it goes on before your next message. /drop gives it up.")
		return false, nil
	case !c.o.Person:
		return true, err
	}
	c.screen.failed(err)
	if errors.Is(err, agent.ErrModel) {
		c.screen.notice("The turn is open: it goes on before your next message, or with the next start. /drop gives it up.")
	}
	return false, nil
}

// drop ends an open turn as a recovery would, but with the reason that somebody wanted it so.
func (c *talk) drop(ctx context.Context) error {
	var r eventlog.Recoverer
	if c.session != "" {
		for e, err := range c.store.Events(ctx, c.session, eventlog.Range{}) {
			if err != nil {
				return err
			}
			r.Add(e)
		}
	}
	found := r.Recovery()
	if len(found.Closers) == 0 {
		c.screen.notice("No turn is open.")
		return nil
	}
	for i, e := range found.Closers {
		if e.Type == eventlog.TypeTurnEnd || e.Type == eventlog.TypeStepEnd {
			found.Closers[i].Payload = json.RawMessage(`{"reason":"` + eventlog.ReasonCancelled + `"}`)
		}
	}
	if _, err := c.store.Append(ctx, c.session, found.Closers, eventlog.AppendOptions{Expect: eventlog.ExpectLast(found.LastEventID)}); err != nil {
		return err
	}
	c.screen.notice("The turn is given up.")
	return nil
}

type line struct {
	text string
	err  error
}

// maxLine is the longest message that can be typed.
const maxLine = 1 << 20

// read hands over the input's lines, one at a time, until the input ends or nobody wants more. A read that is waiting then ends with the process.
func read(in io.Reader, over <-chan struct{}) <-chan line {
	lines := make(chan line)
	hand := func(l line) bool {
		select {
		case lines <- l:
			return true
		case <-over:
			return false
		}
	}
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			if !hand(line{text: strings.ToValidUTF8(scanner.Text(), "\uFFFD")}) {
				return
			}
		}
		switch err := scanner.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			hand(line{err: fmt.Errorf("a line of the input is longer than %d bytes; a message is one line", maxLine)})
		case err != nil:
			hand(line{err: fmt.Errorf("reading the input: %w", err)})
		}
	}()
	return lines
}
