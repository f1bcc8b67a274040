package agent

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"
)

// say runs the turn of a user's message and hands its answer to reply, once, when it may leave. content is a JSON text, kept byte for byte.
// ctx ends the wait for the session's running turn; once begun, the turn goes on without it.
func (s *Service) say(ctx context.Context, session string, content json.RawMessage, key string, reply func(Turn)) error {
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
	if s.o.ReplyFirst {
		err = s.replyFirst(ctx, session, content, key, reply)
	} else {
		err = s.storeFirst(ctx, session, content, key, reply)
	}
	s.ended(ctx, "turn", session, time.Since(began), err)
	return err
}

// ended counts a turn and logs it. A client's mistake is no failure: nobody should be woken by it.
func (s *Service) ended(ctx context.Context, what, session string, took time.Duration, err error) {
	outcome, level := "done", slog.LevelInfo
	log := s.o.Log.With("session", session, "seconds", took.Seconds())
	if err != nil {
		p := problemOf(err)
		switch {
		case errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded):
			outcome, level = "cancelled", slog.LevelWarn
		case p.status < 500:
			outcome = refused
		default:
			outcome, level = "failed", slog.LevelWarn
		}
		what += " " + outcome
		log = log.With("code", p.code, "error", err)
	}
	s.metrics.turn(outcome, took)
	log.Log(ctx, level, what)
}

// storeFirst is the right order.
func (s *Service) storeFirst(ctx context.Context, session string, content json.RawMessage, key string, reply func(Turn)) error {
	turn, err := s.loop.Say(ctx, session, content, key)
	if err != nil {
		return err
	}
	if err := s.loop.at(ctx, BeforeReply, session); err != nil {
		return err
	}
	reply(turn)
	// All is stored and said: a hook that fails here changes nothing.
	if fault := s.loop.at(ctx, AfterReply, session); fault != nil {
		s.o.Log.WarnContext(ctx, "after the reply", "session", session, "error", fault)
	}
	return nil
}

// replyFirst is the bug: the same turn, with its events in memory until the client has its answer.
func (s *Service) replyFirst(ctx context.Context, session string, content json.RawMessage, key string, reply func(Turn)) error {
	r, err := s.loop.load(ctx, session)
	if err != nil {
		return err
	}
	r.hold = true
	r.begin(content)
	if err := r.finish(ctx); err != nil {
		return err
	}
	if err := s.loop.at(ctx, BeforeReply, session); err != nil {
		return err
	}
	reply(r.answer())
	if err := s.loop.at(ctx, AfterReply, session); err != nil {
		return err
	}
	_, err = r.flush(ctx, s.loop.messageKey(key))
	return err
}
