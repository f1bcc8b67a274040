package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"forgetmenot/eventlog"
)

// A Loop runs the turns of sessions on a store: it asks the model, calls the tools that the model wants, and asks again, until there is an answer.
// What happens is an event first (see [Policy]). All its methods may be called from several goroutines at once, for one session by one at a time.
//
// It uses what Options say of models, tools and turns. [Service] is a loop that speaks HTTP.
type Loop struct {
	store eventlog.Store
	o     Options
	tools map[string]knownTool
	specs []ToolSpec

	appended func([]eventlog.StoredEvent) // is told of what was stored
}

type knownTool struct {
	Tool
	spec ToolSpec
}

// NewLoop makes a loop. It has not looked at the store yet.
func NewLoop(store eventlog.Store, o Options) *Loop {
	l := &Loop{store: store, o: o.withDefaults(), tools: map[string]knownTool{}, appended: func([]eventlog.StoredEvent) {}}
	for _, t := range l.o.Tools {
		spec := t.Spec()
		l.tools[spec.Name] = knownTool{t, spec}
		l.specs = append(l.specs, spec)
	}
	return l
}

// A Turn is what a message brought about.
type Turn struct {
	Messages    []eventlog.StoredMessage // its own first; the EventID is 0 while a message is not stored
	LastEventID int64
}

// tries is how often a turn starts over from the log because somebody else wrote to its session meanwhile.
const tries = 4

// Say puts a user's message into a session and runs its turn. When it returns without an error, everything is stored.
//
// content is any JSON text, kept byte for byte. With a key the message is taken in once, and its repeat gives the same turn, from the log. A turn
// of the session that was cut off is finished first: a model is never shown a question inside another one's tool calls.
//
// After an error the turn may be open. The session's next message goes on with it, or [Loop.Resume].
func (l *Loop) Say(ctx context.Context, session string, content json.RawMessage, key string) (Turn, error) {
	key = l.messageKey(key)
	for try := 1; ; try++ {
		turn, err := l.turn(ctx, session, content, key)
		if !errors.Is(err, eventlog.ErrConflict) || try == tries {
			return turn, err
		}
	}
}

// messageKey is the append's key of a message. Also without a client's key it has one, so that starting over does not say it twice.
func (l *Loop) messageKey(key string) string {
	if key == "" {
		return "once:" + l.o.NewID()
	}
	return "message:" + key
}

func (l *Loop) turn(ctx context.Context, session string, content json.RawMessage, key string) (Turn, error) {
	r, err := l.load(ctx, session)
	if err != nil {
		return Turn{}, err
	}
	if err := r.finish(ctx); err != nil {
		return Turn{}, err
	}
	r.begin(content)
	receipt, err := r.flush(ctx, key)
	if err != nil {
		return Turn{}, err
	}
	if receipt.Repeated {
		return l.turnFrom(ctx, session, receipt.Events[0].EventID)
	}
	if err := r.finish(ctx); err != nil {
		return Turn{}, err
	}
	return r.answer(), nil
}

// Resume finishes a turn that was cut off, and tells whether there was one.
//
// It goes on where the events end. An open call whose tool was not started is made now, one of a read-only tool again; of any other one nobody
// can know whether it happened, and the model is told so. A session that ends with a user's message is answered, also one from elsewhere.
func (l *Loop) Resume(ctx context.Context, session string) (resumed bool, err error) {
	r, err := l.load(ctx, session)
	if err != nil || !r.owes() {
		return false, err
	}
	if err := r.finish(ctx); err != nil {
		return false, err
	}
	l.o.Log.InfoContext(ctx, "turn resumed", "session", session, "from", r.loaded, "to", r.last())
	return true, nil
}

// turnFrom reads what a message brought about, some time ago: all up to its turn's end, or to the session's next turn. What others have appended
// behind it is not of the turn. It is an ErrConflict that another service on this store is in the middle of that turn, having taken the message in
// since this one looked.
func (l *Loop) turnFrom(ctx context.Context, session string, start int64) (Turn, error) {
	r := &run{l: l, session: session}
	for e, err := range l.store.Events(ctx, session, eventlog.Range{After: start - 1}) {
		if err != nil {
			return Turn{}, err
		}
		if len(r.events) > 0 && e.Type == r.events[0].Type { // the next turn begins as this one did
			return r.answer(), nil
		}
		// A turn of messages only has no other end than its answer. A text that calls follow is none: see facts.
		if len(r.events) > 0 && r.events[0].Type == eventlog.TypeUserMessage && r.answered() && e.Type != eventlog.TypeToolCall {
			return r.answer(), nil
		}
		r.add(e)
		if e.Type == eventlog.TypeTurnEnd {
			return r.answer(), nil
		}
	}
	if r.owes() {
		return Turn{}, fmt.Errorf("%w: the message's turn is running elsewhere", eventlog.ErrConflict)
	}
	return r.answer(), nil
}

// at calls the hook.
func (l *Loop) at(ctx context.Context, m Moment, session string) error {
	err := calmly(func() error { return l.o.Hook(ctx, m, session) })
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrHook, m, err)
	}
	return nil
}

// calmly turns a panic of somebody else's code into an error.
func calmly(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it panicked: %v", p)
		}
	}()
	return f()
}
