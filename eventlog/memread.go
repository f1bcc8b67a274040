package eventlog

import (
	"context"
	"iter"
	"slices"
)

// Session implements Store.
func (s *MemStore) Session(ctx context.Context, id string) (Session, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	session, err := s.find(ctx, id)
	if err != nil {
		return Session{}, NewStoreError("session", id, err)
	}
	return session.now(), nil
}

// Sessions implements Store.
func (s *MemStore) Sessions(ctx context.Context, order SessionOrder, after SessionCursor) iter.Seq2[Session, error] {
	return func(yield func(Session, error) bool) {
		sessions, err := s.listed(ctx, order, after)
		each(ctx, s, "sessions", "", sessions, err, yield, func(session Session) (Session, bool) { return session, true })
	}
}

// listed is the sessions behind a cursor, as they are now.
func (s *MemStore) listed(ctx context.Context, order SessionOrder, after SessionCursor) ([]Session, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.ended(ctx); err != nil {
		return nil, err
	}
	var list []Session
	for _, session := range s.created {
		if now := session.now(); after.Before(order, now) {
			list = append(list, now)
		}
	}
	if order == ByActivity {
		slices.SortFunc(list, order.Compare)
	}
	return list, nil
}

// Events implements Store.
func (s *MemStore) Events(ctx context.Context, sessionID string, r Range) iter.Seq2[StoredEvent, error] {
	return func(yield func(StoredEvent, error) bool) {
		events, err := s.view(ctx, sessionID)
		each(ctx, s, "events", sessionID, r.within(events), err, yield, func(e *memEvent) (StoredEvent, bool) { return e.event(), true })
	}
}

// All implements Store.
func (s *MemStore) All(ctx context.Context, r Range) iter.Seq2[StoredEvent, error] {
	return func(yield func(StoredEvent, error) bool) {
		events, _, err := s.viewAll(ctx)
		each(ctx, s, "all", "", r.within(events), err, yield, func(e *memEvent) (StoredEvent, bool) { return e.event(), true })
	}
}

// Messages implements Store.
func (s *MemStore) Messages(ctx context.Context, sessionID string, r Range) iter.Seq2[StoredMessage, error] {
	return func(yield func(StoredMessage, error) bool) {
		events, err := s.view(ctx, sessionID)
		each(ctx, s, "messages", sessionID, r.within(events), err, yield, func(e *memEvent) (StoredMessage, bool) {
			m, ok := foldEvent(e.typ, []byte(e.payload))
			return StoredMessage{EventID: e.id, Message: m}, ok
		})
	}
}

// ToolCalls implements Store.
func (s *MemStore) ToolCalls(ctx context.Context, sessionID string) iter.Seq2[ToolCallState, error] {
	return func(yield func(ToolCallState, error) bool) {
		events, err := s.view(ctx, sessionID)
		var about []Event
		for _, e := range events {
			if e.typ == TypeToolCall || e.typ == TypeToolResult {
				about = append(about, e.event().Event)
			}
		}
		each(ctx, s, "tool calls", sessionID, ProjectToolCalls(about), err, yield, func(c ToolCallState) (ToolCallState, bool) { return c, true })
	}
}

// Watch implements Store.
func (s *MemStore) Watch(ctx context.Context, after int64) iter.Seq2[StoredEvent, error] {
	return func(yield func(StoredEvent, error) bool) {
		// Only this use of the iterator has moved on, not the next one.
		for seen := after; ; {
			events, grown, err := s.viewAll(ctx)
			goesOn := each(ctx, s, "watch", "", Range{After: seen}.within(events), err, yield, func(e *memEvent) (StoredEvent, bool) {
				seen = max(seen, e.id)
				return e.event(), true
			})
			if !goesOn {
				return
			}
			// Whatever came since the view was taken has closed grown already.
			select {
			case <-grown:
			case <-ctx.Done():
			case <-s.done:
			}
		}
	}
}

// view is the events of a session as they are now. It stays as it is.
func (s *MemStore) view(ctx context.Context, sessionID string) ([]*memEvent, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	session, err := s.find(ctx, sessionID)
	if err != nil {
		return nil, err
	}
	return session.events, nil
}

// viewAll is the events of all sessions as they are now, and what will be closed when there are more.
func (s *MemStore) viewAll(ctx context.Context) ([]*memEvent, <-chan struct{}, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.ended(ctx); err != nil {
		return nil, nil, err
	}
	return s.events, s.grown, nil
}

// each yields what convert makes of the items, and leaves out what it says no to. It tells whether the consumer wants to go on; an error, the
// one given or one that comes up on the way, is the last that it yields.
func each[From, To any](
	ctx context.Context, s *MemStore, op, subject string, items []From, err error, yield func(To, error) bool, convert func(From) (To, bool),
) bool {
	var zero To
	for i := 0; err == nil && i < len(items); i++ {
		if err = s.ended(ctx); err != nil {
			break
		}
		if to, ok := convert(items[i]); ok && !yield(to, nil) {
			return false
		}
	}
	if err != nil {
		yield(zero, NewStoreError(op, subject, err))
		return false
	}
	return true
}
