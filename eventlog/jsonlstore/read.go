package jsonlstore

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"forgetmenot/eventlog"
)

// Session implements eventlog.Store.
func (s *Store) Session(ctx context.Context, id string) (eventlog.Session, error) {
	session, err := s.session(ctx, id)
	return session, storeError("session", id, err)
}

func (s *Store) session(ctx context.Context, id string) (eventlog.Session, error) {
	if err := s.ended(ctx); err != nil {
		return eventlog.Session{}, err
	}
	if err := s.refresh(ctx); err != nil {
		return eventlog.Session{}, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	own, err := s.known(id)
	if err != nil {
		return eventlog.Session{}, err
	}
	return own.now(), nil
}

// Sessions implements eventlog.Store. A session whose file is damaged is listed with what is sound of it, if its header is.
func (s *Store) Sessions(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error] {
	return func(yield func(eventlog.Session, error) bool) {
		list, err := s.listed(ctx, order, after)
		hand(ctx, s, "sessions", "", list, err, yield)
	}
}

func (s *Store) listed(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) ([]eventlog.Session, error) {
	if err := s.ended(ctx); err != nil {
		return nil, err
	}
	if err := s.refresh(ctx); err != nil {
		return nil, err
	}
	s.mu.RLock()
	var list []eventlog.Session
	for _, own := range s.created {
		if now := own.now(); after.Before(order, now) {
			list = append(list, now)
		}
	}
	s.mu.RUnlock()
	if order == eventlog.ByActivity {
		slices.SortFunc(list, order.Compare)
	}
	return list, nil
}

// Events implements eventlog.Store.
func (s *Store) Events(ctx context.Context, sessionID string, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	return func(yield func(eventlog.StoredEvent, error) bool) {
		each(ctx, s, "events", sessionID, r, yield, func(e eventlog.StoredEvent) (eventlog.StoredEvent, bool) { return e, true })
	}
}

// Messages implements eventlog.Store.
func (s *Store) Messages(ctx context.Context, sessionID string, r eventlog.Range) iter.Seq2[eventlog.StoredMessage, error] {
	return func(yield func(eventlog.StoredMessage, error) bool) {
		each(ctx, s, "messages", sessionID, r, yield, func(e eventlog.StoredEvent) (eventlog.StoredMessage, bool) {
			m, ok := eventlog.FoldEvent(e.Event)
			return eventlog.StoredMessage{EventID: e.EventID, Message: m}, ok
		})
	}
}

// ToolCalls implements eventlog.Store. It takes memory in proportion to the session's tool calls.
func (s *Store) ToolCalls(ctx context.Context, sessionID string) iter.Seq2[eventlog.ToolCallState, error] {
	return func(yield func(eventlog.ToolCallState, error) bool) {
		var about []eventlog.Event
		var failed error
		each(ctx, s, "tool calls", sessionID, eventlog.Range{}, func(e eventlog.Event, err error) bool {
			if failed = err; err == nil {
				about = append(about, e)
			}
			return true
		}, func(e eventlog.StoredEvent) (eventlog.Event, bool) {
			return e.Event, e.Type == eventlog.TypeToolCall || e.Type == eventlog.TypeToolResult
		})
		hand(ctx, s, "tool calls", sessionID, eventlog.ProjectToolCalls(about), failed, yield)
	}
}

// All implements eventlog.Store. When sessions are damaged it yields the events of all others, and ends with an error that names the damaged ones, so
// that nobody takes the rest for the whole.
func (s *Store) All(ctx context.Context, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	return func(yield func(eventlog.StoredEvent, error) bool) {
		w := windowOf(r)
		for {
			err := s.ended(ctx)
			var events []eventlog.StoredEvent
			var faulty []error
			last := w.after
			if err == nil {
				events, last, faulty, err = s.pageOfAll(ctx, w)
			}
			if goesOn := hand(ctx, s, "all", "", events, err, yield); !goesOn {
				return
			}
			if last <= w.after && len(events) == 0 {
				hand[eventlog.StoredEvent](ctx, s, "all", "", nil, errors.Join(faulty...), yield)
				return
			}
			w.after = last
		}
	}
}

// each yields what convert makes of a session's events, and leaves out what it says no to.
func each[T any](
	ctx context.Context, s *Store, op, sessionID string, r eventlog.Range, yield func(T, error) bool, convert func(eventlog.StoredEvent) (T, bool),
) {
	sessionID = strings.Clone(sessionID)
	next := s.pages(ctx, sessionID, r)
	for more := true; more; {
		var events []eventlog.StoredEvent
		var err error
		events, more, err = next()
		items := make([]T, 0, len(events))
		for _, e := range events {
			if item, ok := convert(e); ok {
				items = append(items, item)
			}
		}
		if goesOn := hand(ctx, s, op, sessionID, items, err, yield); !goesOn {
			return
		}
	}
}

// pages reads a session page by page.
func (s *Store) pages(ctx context.Context, id string, r eventlog.Range) func() (events []eventlog.StoredEvent, more bool, err error) {
	w := windowOf(r)
	var from place
	return func() ([]eventlog.StoredEvent, bool, error) {
		if err := s.ended(ctx); err != nil {
			return nil, false, err
		}
		if err := s.refresh(ctx); err != nil {
			return nil, false, err
		}
		s.mu.RLock()
		own, err := s.known(id)
		if err != nil {
			s.mu.RUnlock()
			return nil, false, err
		}
		end := own.end.offset
		if from.offset == 0 {
			from = own.from(w.after)
		}
		s.mu.RUnlock()
		p, err := s.readPage(own, from, end, w)
		if err != nil {
			s.damage(own, err)
			return nil, false, err
		}
		from = p.next
		if n := len(p.events); n > 0 {
			w.after = p.events[n-1].EventID
		}
		return p.events, p.more, nil
	}
}

// hand yields the items of a page, and then its error. It tells whether the consumer wants to go on.
func hand[T any](ctx context.Context, s *Store, op, subject string, page []T, err error, yield func(T, error) bool) bool {
	if err == nil {
		for _, item := range page {
			if err = s.ended(ctx); err != nil {
				break
			}
			if !yield(item, nil) {
				return false
			}
		}
	}
	if err != nil {
		var zero T
		yield(zero, storeError(op, subject, err))
		return false
	}
	return true
}
