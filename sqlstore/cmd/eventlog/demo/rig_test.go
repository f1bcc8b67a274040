package demo

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	"github.com/stretchr/testify/require"
)

// actAs makes this test's program the service, sound or with the fault of a twin.
const actAs = "FORGETMENOT_DEMO_TEST_ACT_AS"

const (
	sound = "sound"
	dying = "dying" // in its first turn
)

func TestMain(m *testing.M) {
	name := os.Getenv(actAs)
	if name == "" {
		os.Exit(m.Run())
	}
	s := service{}
	if name == dying {
		s.set = func(o *agent.Options) {
			o.Hook = func(context.Context, agent.Moment, string) error {
				fmt.Fprintln(os.Stderr, "I do not feel well")
				os.Exit(7)
				return nil
			}
		}
	}
	for _, t := range twins() {
		if t.name == name {
			s = t.service
		}
	}
	if err := s.serve(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	os.Exit(0)
}

// acting are options whose service is this test's program as somebody.
func acting(t *testing.T, name string) Options {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	return Options{Service: func(args ...string) *exec.Cmd {
		cmd := exec.Command(self, args...)
		cmd.Env = append(os.Environ(), actAs+"="+name)
		return cmd
	}}
}

// told runs a story to its end.
func told(t *testing.T, o Options) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := Run(t.Context(), o, &out)
	return out.String(), err
}

// A twin is a service with one fault, which a story must find.
type twin struct {
	name       string
	replyFirst bool   // the story
	finds      string // a part of the claim that it breaks
	service    service
}

func twins() []twin {
	return []twin{
		{"replies first", false, "The whole turn is in the file", service{set: func(o *agent.Options) { o.ReplyFirst = true }}},
		{"streams something else", false, "It was sent events", service{bend: func(s eventlog.Store) eventlog.Store { return streamsOther{s} }}},
		{"begins its turn again", false, "One question, one call", service{bend: func(s eventlog.Store) eventlog.Store { return forgetsCalls{s} }}},
		{"forgets keys", false, "nothing was added", service{bend: func(s eventlog.Store) eventlog.Store { return forgetsKeys{s} }}},
		{"forgets cursors", false, "It got exactly what it had missed", service{bend: func(s eventlog.Store) eventlog.Store { return forgetsCursors{s} }}},
		{"mixes sessions", false, "remembers 1 message of his", service{set: func(o *agent.Options) { o.Model = mixesSessions{} }}},
		{"makes a session of its own", false, "nothing is wrong", service{bend: func(s eventlog.Store) eventlog.Store { return makesSessions{s} }}},
		{"writes first all the same", true, "None of this has an id", service{set: func(o *agent.Options) { o.ReplyFirst = false }}},
		{"remembers what it does not write", true, "the agent remembers one", service{set: func(o *agent.Options) { o.Model = mixesSessions{} }}},
	}
}

// streamsOther changes what a stream begins with.
type streamsOther struct{ eventlog.Store }

func (o streamsOther) Events(ctx context.Context, session string, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	return func(yield func(eventlog.StoredEvent, error) bool) {
		for e, err := range o.Store.Events(ctx, session, r) {
			if r.Until > 0 && e.Type == eventlog.TypeAssistantMessage {
				e.Payload = []byte(`{"content":"There are 43 orders."}`)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

type makesSessions struct{ eventlog.Store }

func (m makesSessions) CreateSession(ctx context.Context, id, title string) (eventlog.Session, error) {
	if _, err := m.Store.CreateSession(ctx, id+"'s shadow", ""); err != nil {
		return eventlog.Session{}, err
	}
	return m.Store.CreateSession(ctx, id, title)
}

// forgetsCalls does not see the call at a session's end, and would not notice that it is there.
type forgetsCalls struct{ eventlog.Store }

func (f forgetsCalls) Events(ctx context.Context, session string, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	return func(yield func(eventlog.StoredEvent, error) bool) {
		for e, err := range f.Store.Events(ctx, session, r) {
			if r == (eventlog.Range{}) && err == nil && e.Type == eventlog.TypeToolCall && strings.Contains(string(e.Payload), "open") {
				return
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (f forgetsCalls) Append(ctx context.Context, session string, events []eventlog.NewEvent, _ eventlog.AppendOptions) (eventlog.Receipt, error) {
	return f.Store.Append(ctx, session, events, eventlog.AppendOptions{})
}

type forgetsKeys struct{ eventlog.Store }

func (f forgetsKeys) Append(ctx context.Context, session string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error) {
	o.Key = ""
	return f.Store.Append(ctx, session, events, o)
}

// forgetsCursors reads everything where somebody asks for what is new.
type forgetsCursors struct{ eventlog.Store }

func (f forgetsCursors) Events(ctx context.Context, session string, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	if r.Until-r.After > 1 { // and no look at one event alone
		r.After = 0
	}
	return f.Store.Events(ctx, session, r)
}

// mixesSessions remembers a message too many.
type mixesSessions struct{ agent.Scripted }

func (m mixesSessions) Next(ctx context.Context, r agent.Request) (agent.Reply, error) {
	if last := r.Messages[len(r.Messages)-1]; !strings.Contains(string(last.Content), "order") && last.Role == eventlog.RoleUser {
		return agent.Reply{Text: "This is message 2 of yours that I remember."}, nil
	}
	return m.Scripted.Next(ctx, r)
}

// A writer is a function.
type writer func(text string) error

func (w writer) Write(p []byte) (int, error) { return len(p), w(string(p)) }
