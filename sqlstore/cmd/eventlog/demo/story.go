package demo

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
	"forgetmenot/sqlstore"
)

// A story is what all chapters share. They run in their order, and each finds here what the ones before it left.
type story struct {
	o    Options
	kept bool
	tell *teller

	process *process
	client  client
	anna    *follower
	crashes []int64 // after which event; 0 before the first
	lost    facts   // what Anna was told, and no file knows

	first, second []eventlog.StoredEvent // Anna's turns
	cutOff        []int64                // what the second turn had in the log when it was cut off
}

// The cast.
const (
	anna, ben = "anna", "ben"

	howMany     = "How many orders are there?"
	howManyOpen = "How many orders are open?"
)

// run tells the story from its first process on, which is to hold still at the moments of a plan.
func (s *story) run(ctx context.Context, plan []agent.Moment, chapters ...func(context.Context) error) error {
	if err := s.start(ctx, s.o.ReplyFirst, plan...); err != nil {
		return err
	}
	s.prologue()
	for _, chapter := range chapters {
		if err := chapter(ctx); err != nil {
			return err
		}
		if err := s.tell.err; err != nil {
			return err
		}
	}
	return nil
}

func (s *story) db() string {
	if s.kept {
		return s.o.DB
	}
	return ""
}

// leave ends what still runs.
func (s *story) leave() {
	if s.anna != nil {
		s.anna.close()
	}
	if s.process != nil {
		s.process.kill()
	}
}

// said is what the service had to complain about.
func (s *story) said() string {
	if s.process == nil {
		return ""
	}
	return s.process.stderr.text()
}

// start starts the service, in one order or the other.
func (s *story) start(ctx context.Context, replyFirst bool, plan ...agent.Moment) (err error) {
	var args []string
	if replyFirst {
		args = append(args, "--reply-first")
	}
	if len(plan) > 0 {
		var names []string
		for _, m := range plan {
			names = append(names, string(m))
		}
		args = append(args, "--hold", strings.Join(names, ","))
	}
	s.process, err = startProcess(ctx, s.o, args...)
	if err != nil {
		return err
	}
	s.client = newClient(s.process.url, s.o.Patience)
	return nil
}

// heldBeforeAnswer waits for the service to hold still, and takes an answer that comes instead for the end of the story.
func (s *story) heldBeforeAnswer(ctx context.Context, at agent.Moment, answers <-chan answer) error {
	held := make(chan error, 1)
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	go func() { held <- s.process.held(waiting, at) }()
	select {
	case err := <-held:
		return err
	case a := <-answers:
		stop()
		<-held
		if a.err != nil {
			return a.err
		}
		return s.claim(false, fmt.Sprintf("it answered %q before that", a.turn.last()), "The service holds still at %s.", at)
	}
}

// kill is what the story is about.
func (s *story) kill(ctx context.Context) error {
	pid, after := s.process.pid(), int64(0)
	events, err := s.file(ctx)
	if err != nil {
		return err
	}
	if len(events) > 0 {
		after = events[len(events)-1].EventID
	}
	state := s.process.kill()
	s.crashes = append(s.crashes, after)
	s.tell.block(crash(fmt.Sprintf("%s %d", killWord(), pid)))
	if err := s.claim(killed(state), state.String(), "The process is dead (%v).", state); err != nil {
		return err
	}
	why := s.client.gone(ctx)
	return s.claim(why != "", "somebody listens", "Nobody is at its address any more (%s).", why)
}

// A claim is told when it holds. The first that does not ends the story.
func (s *story) claim(holds bool, observed, format string, args ...any) error {
	text := fmt.Sprintf(format, args...)
	// When somebody ended the story, nothing that was seen since says anything: a request that was given up got no answer either.
	if err := s.tell.ctx.Err(); err != nil {
		return err
	}
	if err := s.tell.err; err != nil {
		return err
	}
	if !holds {
		s.tell.broken(text, observed)
		return fmt.Errorf("%w: %q does not hold: %s", ErrClaim, text, observed)
	}
	s.tell.block(claim(text))
	return nil
}

// reading opens the file for reading, as any other process can.
func (s *story) reading(ctx context.Context, use func(*sqlstore.Store) error) error {
	store, err := sqlstore.Open(ctx, s.o.DB, sqlstore.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer store.Close() // nothing was written
	return use(store)
}

// file is every event that is in the file.
func (s *story) file(ctx context.Context) (events []eventlog.StoredEvent, err error) {
	err = s.reading(ctx, func(store *sqlstore.Store) error {
		for e, err := range store.All(ctx, eventlog.Range{}) {
			if err != nil {
				return err
			}
			events = append(events, e)
		}
		return nil
	})
	return events, err
}

// untilAnswered is what comes into the file behind an event, up to an answer of the agent.
func (s *story) untilAnswered(ctx context.Context, after int64) (events []eventlog.StoredEvent, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.o.Patience)
	defer cancel()
	err = s.reading(ctx, func(store *sqlstore.Store) error {
		for e, err := range store.Watch(ctx, after) {
			if err != nil {
				return err
			}
			events = append(events, e)
			if e.Type == eventlog.TypeAssistantMessage {
				break
			}
		}
		return nil
	})
	return events, err
}

// of are the events of a session.
func of(session string, events []eventlog.StoredEvent) (own []eventlog.StoredEvent) {
	for _, e := range events {
		if e.SessionID == session {
			own = append(own, e)
		}
	}
	return own
}

func ids(events []eventlog.StoredEvent) (ids []int64) {
	for _, e := range events {
		ids = append(ids, e.EventID)
	}
	return ids
}

// same tells whether two lists hold the very same events, byte for byte.
func same(a, b []eventlog.StoredEvent) bool {
	return slices.EqualFunc(a, b, func(a, b eventlog.StoredEvent) bool {
		return a.EventID == b.EventID && a.SessionID == b.SessionID && a.Type == b.Type &&
			bytes.Equal(a.Payload, b.Payload) && a.CreatedAt.Equal(b.CreatedAt)
	})
}

// oneTurn tells whether events are one question, and its calls with a result each, and one answer at the end.
func oneTurn(events []eventlog.StoredEvent) bool {
	var pure []eventlog.Event
	times := map[string]int{}
	for _, e := range events {
		pure = append(pure, e.Event)
		times[e.Type]++
	}
	for _, call := range eventlog.ProjectToolCalls(pure) {
		if call.Status != eventlog.ToolCallDone {
			return false
		}
	}
	return times[eventlog.TypeUserMessage] == 1 && events[0].Type == eventlog.TypeUserMessage &&
		times[eventlog.TypeToolCall] == 1 && times[eventlog.TypeToolResult] == 1 &&
		times[eventlog.TypeAssistantMessage] == 1 && events[len(events)-1].Type == eventlog.TypeAssistantMessage
}

// place is where the kept file lies, as one would type it.
func (s *story) place() string {
	path := filepath.Clean(s.o.DB)
	if strings.ContainsAny(path, " \t'\"\\$&;()*?<>|`!#~") {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// prologue says what is about to be seen.
func (s *story) prologue() {
	if s.o.JSON {
		return
	}
	if s.o.ReplyFirst {
		s.tell.block(title("An agent that replies first, and writes afterwards"))
		s.tell.para("This is a bug, on purpose. While nothing goes wrong, nobody sees a difference. Watch what a crash makes of it.")
		return
	}
	s.tell.block(title("An agent that survives being killed"))
	s.tell.para("A small agent answers questions about orders. Whatever happens in a conversation is an event: a fact with a number. The agent adds events to a log, and never changes one. The log is a real file, and the agent a real process. Watch what happens when it is killed.")
}

// look says how to go on from here.
func (s *story) look(another, command string) {
	again := "eventlog demo"
	if s.o.ReplyFirst {
		again += " --reply-first"
	}
	if s.kept {
		s.tell.block(list{"Look for yourself:", []string{
			"eventlog events --db " + s.place(),
			"eventlog replay anna --db " + s.place(),
			"eventlog serve --db " + s.place(),
		}})
	} else {
		s.tell.block(list{"The file is a temporary one, and goes away now. To keep it, and look for yourself:", []string{again + " --keep FOLDER"}})
	}
	s.tell.block(list{another, []string{command}})
}
