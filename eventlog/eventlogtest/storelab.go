package eventlogtest

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"sync"

	"forgetmenot/eventlog"
)

// A lab is where one check works: it opens stores, asks them, and ends the check by a panic when an answer is wrong.
type lab struct {
	ctx    context.Context
	cancel context.CancelFunc
	open   OpenStore
	folder string
	traits StoreTraits

	mu     sync.Mutex
	opened []*tried
	places int
	failed error // the first failure of goroutines that work together
}

// A tried store is one under test. Its methods ask it and fail the check when it answers with an error.
type tried struct {
	eventlog.Store
	*lab
	folder string
}

// fresh opens a store in a new folder.
func (l *lab) fresh() *tried { return l.freshWith(eventlog.StoreOptions{}) }

func (l *lab) freshWith(o eventlog.StoreOptions) *tried {
	l.mu.Lock()
	l.places++
	folder := filepath.Join(l.folder, strconv.Itoa(l.places))
	l.mu.Unlock()
	if err := os.MkdirAll(folder, 0o777); err != nil {
		failf("no folder for a store: %w", err)
	}
	return l.openAt(folder, o)
}

func (l *lab) openAt(folder string, o eventlog.StoreOptions) *tried {
	s, err := l.open(folder, o)
	if err != nil {
		failf("opening the store: %w", err)
	}
	t := &tried{Store: s, lab: l, folder: folder}
	l.mu.Lock()
	l.opened = append(l.opened, t)
	l.mu.Unlock()
	return t
}

// reopened closes the store and opens it again.
func (s *tried) reopened() *tried {
	s.close()
	return s.openAt(s.folder, eventlog.StoreOptions{})
}

// another opens the store's folder once more.
func (s *tried) another() *tried { return s.openAt(s.folder, eventlog.StoreOptions{}) }

func (s *tried) close() {
	if err := s.Close(); err != nil {
		failf("Close: %w", err)
	}
}

func (l *lab) closeAll() {
	for _, s := range l.opened {
		s.close()
	}
}

// together runs f so many times at once. When one of them fails the others are told by the context, and the check fails with the first.
func (l *lab) together(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if err := caught(func() { f(i) }); err != nil {
				l.mu.Lock()
				if l.failed == nil {
					l.failed = err
				}
				l.mu.Unlock()
				l.cancel()
			}
		})
	}
	wg.Wait()
	if l.failed != nil {
		panic(failure{l.failed})
	}
}

// await waits for another goroutine of the check.
func (l *lab) await(other <-chan struct{}) {
	select {
	case <-other:
	case <-l.ctx.Done():
		failf("given up")
	}
}

// --- asking -------------------------------------------------------------------------------------------------------------

func (s *tried) create(ids ...string) {
	for _, id := range ids {
		if _, err := s.CreateSession(s.ctx, id, ""); err != nil {
			failf("CreateSession %.60q: %w", id, err)
		}
	}
}

// add appends without conditions.
func (s *tried) add(sessionID string, events ...eventlog.NewEvent) eventlog.Receipt {
	return s.addIf(sessionID, eventlog.AppendOptions{}, events...)
}

func (s *tried) addIf(sessionID string, o eventlog.AppendOptions, events ...eventlog.NewEvent) eventlog.Receipt {
	r, err := s.Append(s.ctx, sessionID, events, o)
	if err != nil {
		failf("Append of %d events to %.60q: %w", len(events), sessionID, err)
	}
	if len(r.Events) != len(events) {
		failf("Append of %d events: the receipt has %d", len(events), len(r.Events))
	}
	return r
}

func (s *tried) session(id string) eventlog.Session {
	session, err := s.Session(s.ctx, id)
	if err != nil {
		failf("Session %.60q: %w", id, err)
	}
	return session
}

func (s *tried) sessions(order eventlog.SessionOrder, after eventlog.SessionCursor) []eventlog.Session {
	return whole("Sessions", s.Sessions(s.ctx, order, after))
}

func (s *tried) events(id string, r eventlog.Range) []eventlog.StoredEvent {
	return whole(fmt.Sprintf("Events of %.60q", id), s.Events(s.ctx, id, r))
}

func (s *tried) all(r eventlog.Range) []eventlog.StoredEvent { return whole("All", s.All(s.ctx, r)) }

func (s *tried) messages(id string, r eventlog.Range) []eventlog.StoredMessage {
	return whole(fmt.Sprintf("Messages of %.60q", id), s.Messages(s.ctx, id, r))
}

func (s *tried) toolCalls(id string) []eventlog.ToolCallState {
	return whole(fmt.Sprintf("ToolCalls of %.60q", id), s.ToolCalls(s.ctx, id))
}

func whole[T any](what string, seq iter.Seq2[T, error]) []T {
	items, err := drain(seq)
	if err != nil {
		failf("%s: %w", what, err)
	}
	return items
}

// drain reads an iterator to its end. An error must come with a zero item, and be the last that it yields.
func drain[T any](seq iter.Seq2[T, error]) (items []T, failed error) {
	for item, err := range seq {
		if failed != nil {
			failf("an iterator goes on after its error: %w", failed)
		}
		if err != nil && !reflect.ValueOf(&item).Elem().IsZero() {
			failf("an iterator yields %+v together with an error: %w", item, err)
		}
		if failed = err; err == nil {
			items = append(items, item)
		}
	}
	return items, failed
}

// watched reads the next so many events of a watch, and leaves it.
func (s *tried) watched(after int64, n int) []eventlog.StoredEvent {
	return s.watchedTo(after, func(_ eventlog.StoredEvent, seen int) bool { return seen == n })
}

// theEnd is an event that a watcher can wait for, so that one who misses others is seen to, and does not wait for ever.
var theEnd = eventlog.NewEvent{Type: "end", Payload: []byte(`{}`)}

// watchedToEnd reads a watch until the event theEnd.
func (s *tried) watchedToEnd(after int64) []eventlog.StoredEvent {
	return s.watchedTo(after, func(e eventlog.StoredEvent, _ int) bool { return e.Type == theEnd.Type })
}

func (s *tried) watchedTo(after int64, last func(e eventlog.StoredEvent, seen int) bool) []eventlog.StoredEvent {
	var events []eventlog.StoredEvent
	for e, err := range s.Watch(s.ctx, after) {
		if err != nil {
			failf("Watch after %d: %w", after, err)
		}
		if events = append(events, e); last(e, len(events)) {
			break
		}
	}
	return events
}
