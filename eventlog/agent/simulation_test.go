package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	"github.com/stretchr/testify/require"
)

// A world is everything outside of the agent: the disk, the model, a tool that pays, the person who waits for an answer. It dies at its n-th
// operation, before or after that one has had its effect, and then lives on with what was on the disk. While things happen it watches over what the
// agent promises, and writes down what was broken.
type world struct {
	eventlog.Store
	dieAt, operations int
	after             bool // the operation has its effect, and nobody learns of it
	ignore            bool // the agent takes no notice of an append that failed (a fault)

	busy   bool           // the model has been, once
	paid   map[string]int // by call, how often
	broken []string
}

var errDead = errors.New("the process is dead")

// do is one operation.
func (w *world) do(effect func() error) error {
	w.operations++
	if w.dieAt > 0 && w.operations > w.dieAt {
		return errDead
	}
	if w.operations == w.dieAt && !w.after {
		return errDead
	}
	if err := effect(); err != nil {
		return err
	}
	if w.operations == w.dieAt {
		return errDead
	}
	return nil
}

func (w *world) Append(ctx context.Context, id string, events []eventlog.NewEvent, o eventlog.AppendOptions) (receipt eventlog.Receipt, err error) {
	err = w.do(func() (err error) {
		receipt, err = w.Store.Append(ctx, id, events, o)
		return err
	})
	if err != nil && w.ignore && (w.dieAt == 0 || w.operations == w.dieAt) {
		receipt.Events = nil
		for i, e := range events {
			last, _ := o.Expect.Last()
			receipt.Events = append(receipt.Events, eventlog.StoredEvent{Event: eventlog.Event{EventID: last + int64(i) + 1, SessionID: id, Type: e.Type, Payload: e.Payload}})
		}
		w.dieAt = 0 // the disk was full for a moment, and the process lives
		return receipt, nil
	}
	return receipt, err
}

// disk is what a crash would leave.
func (w *world) disk() (events []eventlog.StoredEvent) {
	for e, err := range w.Store.Events(context.Background(), "s", eventlog.Range{}) {
		if err != nil {
			panic(err)
		}
		events = append(events, e)
	}
	return events
}

func (w *world) require(ok bool, format string, args ...any) {
	if !ok {
		w.broken = append(w.broken, fmt.Sprintf(format, args...))
	}
}

// Next is a model that fails once for a moment, wants two payments at once, and then answers. Nothing is asked that is not on the disk.
func (w *world) Next(_ context.Context, r agent.Request) (reply agent.Reply, err error) {
	err = w.do(func() error {
		disk := w.disk()
		open := eventlog.Recover(disk)
		requests := slices.IndexFunc(disk, func(e eventlog.StoredEvent) bool { return e.EventID > open.Step && e.Type == eventlog.TypeModelRequest })
		w.require(open.Step != 0 && requests >= 0, "the model is asked, and the log does not know")
		w.require(shape(eventlog.Conversation(events(disk))) == shape(r.Messages), "the model is shown what is not in the log")
		w.require(len(open.Open) == 0, "the model is asked while calls are open")
		return nil
	})
	if err != nil {
		return reply, err
	}
	results := 0
	for _, m := range r.Messages {
		if m.Role == eventlog.RoleTool {
			results++
		}
	}
	switch {
	case results > 0:
		return agent.Reply{Text: "Paid."}, nil
	case !w.busy:
		w.busy = true
		return reply, &agent.BusyError{Err: errors.New("busy"), After: time.Hour}
	}
	return agent.Reply{Text: "I pay both.", Calls: []eventlog.ToolCall{
		{ToolCallID: "rent", Name: "pay", Arguments: "{}"}, {ToolCallID: "power", Name: "pay", Arguments: "{}"},
	}}, nil
}

// Wait takes no time. A retry is on the disk before it.
func (w *world) Wait(context.Context, time.Duration) error {
	return w.do(func() error {
		disk := w.disk()
		w.require(len(disk) > 0 && disk[len(disk)-1].Type == eventlog.TypeModelRetry, "a retry waits, and the log does not know")
		return nil
	})
}

func (w *world) Spec() agent.ToolSpec { return agent.ToolSpec{Name: "pay"} }

// Call pays: what no crash may make happen twice. The intent is on the disk before it.
func (w *world) Call(context.Context, string) (string, error) {
	return "done", w.do(func() error {
		id := ""
		for _, c := range eventlog.Recover(w.disk()).Open {
			if c.Started {
				id = c.ToolCall.ToolCallID
			}
		}
		w.require(id != "", "a tool runs, and the log does not know")
		w.paid[id]++
		w.require(id == "" || w.paid[id] == 1, "%s was paid %d times", id, w.paid[id])
		return nil
	})
}

// reply is what the person sees.
func (w *world) reply(answer turn) error {
	return w.do(func() error {
		disk := eventlog.Fold(events(w.disk()))
		var seen []eventlog.Message
		for _, m := range answer.Messages {
			seen = append(seen, m.Message)
		}
		w.require(len(seen) <= len(disk) && shape(disk[len(disk)-len(seen):]) == shape(seen), "an answer left that is not in the log")
		return nil
	})
}

func events(stored []eventlog.StoredEvent) (plain []eventlog.Event) {
	for _, e := range stored {
		plain = append(plain, e.Event)
	}
	return plain
}

func shape(messages []eventlog.Message) string {
	b, err := json.Marshal(messages)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// live is one life of an agent: the service is asked for the payments, and the person sees the answer when it has left.
func (w *world) live(t *testing.T, o agent.Options) error {
	o.Model, o.Tools, o.Wait = w, []agent.Tool{w}, w.Wait
	answer := httptest.NewRecorder()
	o.Hook = func(_ context.Context, at agent.Moment, _ string) error {
		if at == agent.AfterReply {
			seen := read[turn](t, answer.Body.String())
			return w.reply(seen)
		}
		return nil
	}
	request := httptest.NewRequest("POST", "http://localhost/sessions/s/messages", strings.NewReader(`{"content":"Pay rent and power."}`))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", "k")
	agent.New(w, o).Handler().ServeHTTP(answer, request)
	if answer.Code != 200 {
		return errors.New(answer.Body.String())
	}
	return nil
}

// everyCrash lets an agent die at every operation, in both ways, and lives on. It gives what was broken, by where.
func everyCrash(t *testing.T, o agent.Options, ignore bool) (broken map[string][]string, deaths int) {
	broken = map[string][]string{}
	for _, after := range []bool{false, true} {
		for n := 1; ; n++ {
			w := &world{Store: eventlog.NewMemStore(), dieAt: n, after: after, ignore: ignore, paid: map[string]int{}}
			_, err := w.Store.CreateSession(t.Context(), "s", "")
			require.NoError(t, err)
			first := w.live(t, o)
			died := w.operations >= n
			w.dieAt = 0
			if second := w.live(t, o); second != nil {
				w.broken = append(w.broken, fmt.Sprint("the next life fails: ", second))
			}
			disk := w.disk()
			rest := eventlog.Recover(disk)
			w.require(len(rest.Closers) == 0, "the log is open at the end")
			messages := eventlog.Fold(events(disk))
			w.require(len(messages) > 0 && messages[0].Role == eventlog.RoleUser && messages[len(messages)-1].Role == eventlog.RoleAssistant, "the log has no answer")
			for _, c := range eventlog.ProjectToolCalls(events(disk)) {
				unknown := w.paid[c.ToolCall.ToolCallID] == 0
				w.require(!unknown || string(c.Result) != `"done"`, "%s was not paid, and the log says so", c.ToolCall.ToolCallID)
			}
			if len(w.broken) > 0 {
				broken[fmt.Sprintf("operation %d, after %v, first life: %v", n, after, first)] = w.broken
			}
			if !died {
				break
			}
			deaths++
		}
	}
	return broken, deaths
}

// Whenever the agent dies: intent is on the disk before any effect, nothing is answered that is not on the disk, nothing is paid twice.
func TestNoCrashBreaksAPromise(t *testing.T) {
	broken, deaths := everyCrash(t, agent.Options{}, false)
	require.Empty(t, broken)
	require.Greater(t, deaths, 20)
}

// The same watch finds the fault in agents that make one.
func TestTheWatchFindsFaults(t *testing.T) {
	without := func(left agent.Moment) agent.Options {
		return agent.Options{Policy: func(m agent.Moment) bool { return m != left }}
	}
	tests := []struct {
		name   string
		o      agent.Options
		ignore bool
		want   string
	}{
		{"no checkpoint before the model", agent.Options{Policy: func(m agent.Moment) bool { return m != agent.BeforeModel && m != agent.BeforeStep }}, false, "the model is asked, and the log does not know"},
		{"the tool runs first", without(agent.BeforeTool), false, "a tool runs, and the log does not know"},
		{"the retry waits first", without(agent.BeforeWait), false, "a retry waits, and the log does not know"},
		{"the answer leaves first", agent.Options{ReplyFirst: true}, false, "an answer left that is not in the log"},
		{"a failed flush is ignored", agent.Options{}, true, "the log does not know"},
		{"a failed flush is ignored before the answer", agent.Options{}, true, "an answer left that is not in the log"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			broken, _ := everyCrash(t, test.o, test.ignore)
			found := false
			for _, promises := range broken {
				found = found || slices.ContainsFunc(promises, func(b string) bool { return strings.Contains(b, test.want) })
			}
			require.True(t, found, "nothing of %d broken runs says: %s", len(broken), test.want)
		})
	}
}
