package chat_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
	"forgetmenot/sqlstore/cmd/eventlog/chat"

	"github.com/stretchr/testify/require"
)

// A place is a store, and how one talks there.
type place struct {
	t     *testing.T
	store *eventlog.MemStore
	o     chat.Options
}

func newPlace(t *testing.T) *place {
	return &place{t, eventlog.NewMemStore(), chat.Options{
		NewID: func() string { return "s1" }, Command: "eventlog chat",
		WriteEvent: func(w io.Writer, e eventlog.StoredEvent) error {
			_, err := fmt.Fprintf(w, "%d %s\n", e.EventID, e.Type)
			return err
		},
	}}
}

func (p *place) says(lines ...string) (string, error) {
	var out bytes.Buffer
	err := chat.Run(p.t.Context(), p.store, p.o, strings.NewReader(strings.Join(lines, "\n")), &out)
	return out.String(), err
}

func (p *place) hears(lines ...string) string {
	p.t.Helper()
	out, err := p.says(lines...)
	require.NoError(p.t, err)
	return out
}

func (p *place) types() (types []string) {
	p.t.Helper()
	for e, err := range p.store.Events(p.t.Context(), "s1", eventlog.Range{}) {
		require.NoError(p.t, err)
		types = append(types, e.Type)
	}
	return types
}

// A modelFunc is a model that also speaks as it thinks.
type modelFunc func(ctx context.Context, r agent.Request) (agent.Reply, error)

func (f modelFunc) Next(ctx context.Context, r agent.Request) (agent.Reply, error) { return f(ctx, r) }

// with gives the talk a model.
func (p *place) with(next func(ctx context.Context, r agent.Request, text func(string)) (agent.Reply, error)) {
	p.o.Model = func(text func(sessionID, text string)) (agent.Model, error) {
		return modelFunc(func(ctx context.Context, r agent.Request) (agent.Reply, error) {
			return next(ctx, r, func(s string) { text(r.SessionID, s) })
		}), nil
	}
}

func TestAFirstTalk(t *testing.T) {
	require.Equal(t, `A new session.
Session s1. To come back: eventlog chat s1
  calculator: 6*7
  = 42
6*7 = 42
  calculator: 42 - 2
  = 40
42 - 2 = 40
  calculator: 1/0
  calculator: (2+3)*4
  = error: nothing can be divided by zero
  = 20
I cannot compute 1/0: nothing can be divided by zero.
(2+3)*4 = 20
You have said 4 things to me in this session. It began with: "what is 6*7?". All of it is in the log.
That was message 5 of yours in this session, and I remember them all. Give me something to compute, or ask what I remember.
`, newPlace(t).hears("what is 6*7?", "", "and minus 2", "1/0 and (2+3)x4.", "What do you remember?", "in the year 1999, on -5 degrees"))
	require.Contains(t, newPlace(t).hears("+ 1"), "Hello! I am a small script", "there is nothing to add it to")
}

func TestAnOldSessionGoesOn(t *testing.T) {
	p := newPlace(t)
	p.hears("what is 6*7")
	p.o.Session = "s1"
	p.o.Width = 12
	require.Equal(t, `Session s1, up to event 13.
  > what is…
  calculato…
  = 42
  6*7 = 42
  calculato…
  = 84
42 * 2 = 84
`, p.hears("times 2"))
	for _, kind := range []string{"", "nobody"} {
		p := newPlace(t)
		if p.o.Session = kind; kind == "" {
			require.NotContains(t, p.hears(""), "Session", "nothing said is no session")
			continue
		}
		_, err := p.says("hello")
		require.ErrorContains(t, err, `there is no session "nobody"; without an ID chat begins a new one`)
	}
}

func TestATurnThatWasCutOffGoesOn(t *testing.T) {
	p := newPlace(t)
	p.with(func(context.Context, agent.Request, func(string)) (agent.Reply, error) {
		return agent.Reply{}, errors.New("the cable is out")
	})
	_, err := p.says("what is 6*7", "never read")
	require.ErrorIs(t, err, agent.ErrModel)
	require.ErrorContains(t, err, "the cable is out")
	require.Equal(t, []string{"turn_start", "user_message", "step_start", "model_request"}, p.types())

	p.o.Session, p.o.Model = "s1", nil
	require.Equal(t, "Session s1, up to event 4.\n  > what is 6*7\nA turn was cut off here; it goes on.\n  calculator: 6*7\n  = 42\n6*7 = 42\n", p.hears(""))
	require.NotContains(t, p.hears(""), "cut off")
}

func TestEachEventIsShownOnRequest(t *testing.T) {
	p := newPlace(t)
	p.o.Events = true
	require.Contains(t, p.hears("6*7"), `
  1 turn_start
  2 user_message
  3 step_start
  4 model_request
  5 tool_call  calculator: 6*7
  6 tool_start
  7 tool_result  = 42
  8 step_end
  9 step_start
  10 model_request
6*7 = 42
  11 assistant_message
  12 step_end
  13 turn_end
`)
	p = newPlace(t)
	p.o.JSON = true
	out := strings.Split(p.hears("6*7"), "\n")
	require.Equal(t, []string{`{"sessionId":"s1"}`, "1 turn_start", "2 user_message"}, out[:3])
	require.Len(t, out, 1+13+1, "and nothing else")
}

// A doubtful store writes the first append and says that it did not.
type doubtful struct {
	eventlog.Store
	appends int
}

func (d *doubtful) Append(ctx context.Context, id string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error) {
	receipt, err := d.Store.Append(ctx, id, events, o)
	if d.appends++; d.appends == 1 {
		return eventlog.Receipt{}, eventlog.ErrConflict
	}
	return receipt, err
}

// What is shown stands in the order of the log, also when a message is sent once more.
func TestEventsAreShownInOrder(t *testing.T) {
	p := newPlace(t)
	p.o.JSON = true
	var out bytes.Buffer
	require.NoError(t, chat.Run(t.Context(), &doubtful{Store: p.store}, p.o, strings.NewReader("6*7"), &out))
	require.Len(t, p.types(), 13, "the message is said once")
	last := 0
	for line := range strings.Lines(strings.TrimPrefix(out.String(), `{"sessionId":"s1"}`+"\n")) {
		var id int
		_, err := fmt.Sscan(line, &id)
		require.NoError(t, err, line)
		require.Greater(t, id, last)
		last = id
	}
	require.Equal(t, 13, last)
}

// A person reads the text as it is said, sees it broken off when it fails, and is asked again after an error.
func TestAPersonReadsAlong(t *testing.T) {
	p := newPlace(t)
	p.o.Person = true
	n := 0
	p.with(func(_ context.Context, r agent.Request, text func(string)) (agent.Reply, error) {
		switch n++; n {
		case 1:
			text("I wi")
			return agent.Reply{}, errors.New("it broke")
		case 2:
			text("Hel")
			text("lo\x1b[2J.")
			return agent.Reply{Text: "Hello\x1b[2J."}, nil
		}
		return agent.Reply{Text: "unheard"}, nil
	})
	require.Equal(t, `A new session.
> Session s1. To come back: eventlog chat s1
I wi …
! the model failed: it broke
The turn is open: it goes on before your next message, or with the next start. /drop gives it up.
> Hello\x1b[2J.
unheard
> No turn is open.
> 
`, p.hears("one", "two", "/drop"))
	require.NotContains(t, newPlace(t).hears("x"), "> ")
}

func TestAnOpenTurnIsGivenUp(t *testing.T) {
	p := newPlace(t)
	p.o.Person = true
	asked := 0
	p.with(func(context.Context, agent.Request, func(string)) (agent.Reply, error) {
		if asked++; asked == 1 {
			return agent.Reply{}, errors.New("I will never answer this")
		}
		return agent.Reply{Text: "That, yes."}, nil
	})
	out := p.hears("forbidden", "/drop", "allowed", "/quit", "never read")
	require.Contains(t, out, "> The turn is given up.\n> That, yes.\n> \n")
	require.Equal(t, 2, asked)
	for e, err := range p.store.Events(t.Context(), "s1", eventlog.Range{After: 4, Until: 6}) {
		require.NoError(t, err)
		require.Equal(t, `{"reason":"cancelled"}`, string(e.Payload), e.Type)
	}
	require.Equal(t, []string{"turn_start", "user_message", "step_start", "model_request", "step_end", "turn_end", "turn_start", "user_message", "step_start", "model_request", "assistant_message", "step_end", "turn_end"}, p.types())
}

func TestColours(t *testing.T) {
	p := newPlace(t)
	p.o.Color = true
	require.Contains(t, p.hears("6*7"), "\x1b[2m  = 42\x1b[0m\n6*7 = 42\n")
}

// An interrupt ends the turn that runs; the next one leaves.
func TestInterrupts(t *testing.T) {
	interrupts := make(chan os.Signal)
	for _, person := range []bool{true, false} {
		p := newPlace(t)
		p.o.Person, p.o.Interrupt = person, interrupts
		p.with(func(ctx context.Context, _ agent.Request, text func(string)) (agent.Reply, error) {
			text("Well, ")
			interrupts <- os.Interrupt
			<-ctx.Done()
			return agent.Reply{}, ctx.Err()
		})
		in, typed := io.Pipe()
		read := &signalling{until: "gives it up.\n> ", seen: make(chan struct{})}
		ended := make(chan error, 1)
		go func() { ended <- chat.Run(t.Context(), p.store, p.o, in, read) }()
		io.WriteString(typed, "think\n")
		if person {
			<-read.seen
			require.Contains(t, read.text.String(), "Well,  …\nStopped; what is stored stays.")
			interrupts <- os.Interrupt
			require.NoError(t, <-ended)
		} else {
			require.ErrorIs(t, <-ended, chat.ErrInterrupted)
			require.NotContains(t, read.text.String(), "Well")
		}
		typed.Close()
		require.Equal(t, []string{"turn_start", "user_message", "step_start", "model_request"}, p.types())
	}
}

// A signalling writer says when a text has been written.
type signalling struct {
	text  strings.Builder
	until string
	seen  chan struct{}
}

func (s *signalling) Write(b []byte) (int, error) {
	n, err := s.text.Write(b)
	if strings.HasSuffix(s.text.String(), s.until) {
		close(s.seen)
	}
	return n, err
}

func TestWhatEndsATalk(t *testing.T) {
	p := newPlace(t)
	_, err := p.says(strings.Repeat("x", 2<<20))
	require.ErrorContains(t, err, "a line of the input is longer than")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, typed := io.Pipe()
	defer typed.Close()
	require.ErrorIs(t, chat.Run(ctx, p.store, p.o, in, io.Discard), context.Canceled)

	gone := errors.New("the reader is gone")
	require.ErrorIs(t, chat.Run(t.Context(), p.store, p.o, strings.NewReader("6*7\n1+1\n"), failing{gone}), gone)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
