package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"forgetmenot/eventlog"
)

// An answer is what a message brought about: the messages of its turn, its own first, and the turn's last event.
type answer struct {
	messages []eventlog.StoredMessage
	last     int64
}

// tries is how often a turn starts over from the log because somebody else wrote to its session meanwhile.
const tries = 4

// say runs the turn of a user's message and hands its answer to reply, once, when it may leave. content is a JSON text, kept byte for byte.
// ctx ends the wait for the session's running turn; once begun, the turn goes on without it.
func (s *Service) say(ctx context.Context, session string, content json.RawMessage, key string, reply func(answer)) error {
	if err := s.begin(false); err != nil {
		return err
	}
	defer s.end(false)
	leave, err := s.lines.enter(ctx, s.stop, session)
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := s.turnContext(ctx)
	defer cancel()

	began := time.Now()
	// Also without a client's key the message has one, so that starting over does not say it twice.
	appendKey := "message:" + key
	if key == "" {
		appendKey = "once:" + s.o.NewID()
	}
	if s.o.ReplyFirst {
		err = s.replyFirst(ctx, session, content, appendKey, reply)
	} else {
		var a answer
		for try := 1; ; try++ {
			a, err = s.turn(ctx, session, content, appendKey)
			if !errors.Is(err, eventlog.ErrConflict) || try == tries {
				break
			}
		}
		if err == nil {
			err = s.at(ctx, BeforeReply, session)
		}
		if err == nil {
			reply(a)
			// All is stored and said: a hook that fails here changes nothing.
			if fault := s.at(ctx, AfterReply, session); fault != nil {
				s.o.Log.WarnContext(ctx, "after the reply", "session", session, "error", fault)
			}
		}
	}
	s.metrics.turn(err, time.Since(began))
	s.o.Log.InfoContext(ctx, "turn", "session", session, "seconds", time.Since(began).Seconds(), "error", err)
	return err
}

// turn is the normal order: everything is stored before it returns.
func (s *Service) turn(ctx context.Context, session string, content json.RawMessage, key string) (answer, error) {
	r, err := s.load(ctx, session)
	if err != nil {
		return answer{}, err
	}
	// A turn that was cut off comes first: a model is never shown a question inside another one's tool calls.
	if err := r.finish(ctx); err != nil {
		return answer{}, err
	}
	receipt, err := r.put(ctx, key, userMessage(content))
	if err != nil {
		return answer{}, err
	}
	if receipt.Repeated {
		return s.turnFrom(ctx, session, receipt.Events[0].EventID)
	}
	if err := r.finish(ctx); err != nil {
		return answer{}, err
	}
	return r.answer(), nil
}

// replyFirst is the bug: the same turn, with its events in memory until the client has its answer.
func (s *Service) replyFirst(ctx context.Context, session string, content json.RawMessage, key string, reply func(answer)) error {
	r, err := s.load(ctx, session)
	if err != nil {
		return err
	}
	last := r.last
	r.hold = true
	if _, err := r.put(ctx, key, userMessage(content)); err != nil {
		return err
	}
	if err := r.finish(ctx); err != nil {
		return err
	}
	if err := s.at(ctx, BeforeReply, session); err != nil {
		return err
	}
	a := r.answer()
	a.last = last
	reply(a)
	if err := s.at(ctx, AfterReply, session); err != nil {
		return err
	}
	r.hold, r.last = false, last
	_, err = r.put(ctx, key, r.held...)
	return err
}

// turnFrom reads what a message brought about, some time ago: all up to the session's next message of a user. It is an ErrConflict that another
// service on this store is in the middle of that turn, having taken the message in since this one looked.
func (s *Service) turnFrom(ctx context.Context, session string, userEvent int64) (answer, error) {
	r := &run{s: s, session: session}
	for e, err := range s.store.Events(ctx, session, eventlog.Range{After: userEvent - 1}) {
		if err != nil {
			return answer{}, err
		}
		if e.Type == eventlog.TypeUserMessage && e.EventID != userEvent {
			return r.answer(), nil
		}
		r.add(e)
	}
	if !r.over() {
		return answer{}, fmt.Errorf("%w: the message's turn is running elsewhere", eventlog.ErrConflict)
	}
	return r.answer(), nil
}

// at calls the hook.
func (s *Service) at(ctx context.Context, m Moment, session string) error {
	err := calmly(func() error { return s.o.Hook(ctx, m, session) })
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
