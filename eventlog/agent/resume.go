package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"forgetmenot/eventlog"
)

// Resume finishes the turns that a crash cut off, in all sessions, those with the newest events first, and tells how many there were. A session
// that fails does not keep the others from it; the errors come together.
//
// What it finishes is every session with an open turn, or without turns and with no answer to its last message, also one that came into the store
// by another way: give Options.NoResume to Serve for a store of imported sessions. With ctx it ends early.
func (s *Service) Resume(ctx context.Context) (finished int, err error) {
	var faults []error
	for session, err := range s.store.Sessions(ctx, eventlog.ByActivity, eventlog.SessionCursor{}) {
		if err != nil {
			return finished, errors.Join(append(faults, err)...)
		}
		done, err := s.resume(ctx, session)
		if done {
			finished++
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("session %q: %w", session.ID, err))
			if ctx.Err() != nil || errors.Is(err, ErrShutdown) {
				break
			}
		}
	}
	return finished, errors.Join(faults...)
}

func (s *Service) resume(ctx context.Context, session eventlog.Session) (done bool, err error) {
	if session.LastEventID == 0 {
		return false, nil
	}
	// One event tells of most sessions that they need nothing, without a replay.
	for e, err := range s.store.Events(ctx, session.ID, eventlog.Range{After: session.LastEventID - 1, Until: session.LastEventID}) {
		if err != nil || e.Type == eventlog.TypeAssistantMessage || e.Type == eventlog.TypeTurnEnd {
			return false, err
		}
	}
	if err := s.begin(false); err != nil {
		return false, err
	}
	defer s.end(false)
	leave, err := s.lines.enter(ctx, s.stop, session.ID)
	if err != nil {
		return false, err
	}
	defer leave()
	// Unlike a client's, this context does end the turn: who starts a service may want to end it again.
	turn, cancel := s.turnContext(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()

	began := time.Now()
	done, err = s.loop.Resume(turn, session.ID)
	if err != nil {
		s.ended(ctx, "resumed turn", session.ID, time.Since(began), err)
	} else if done { // which the loop has logged
		s.metrics.turn("done", time.Since(began))
	}
	return done, err
}
