package jsonlstore

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"forgetmenot/eventlog"
)

// How many requests are made durable together at most, and with how many bytes of payload none is added: who waits for a small append does not
// wait for everybody's large ones.
const (
	mostTogether      = 256
	mostTogetherBytes = 8 << 20
)

// A request is a change that somebody waits for.
type request struct {
	ctx     context.Context
	session string
	apply   func(*transaction) error // plans the change; a refusal is an error, and then nothing has changed. nil for a flush
	bytes   int                      // of payloads

	taken atomic.Bool // by the writer, or by whoever gave up waiting
	done  chan error
}

// change makes a change that answers something. When it fails nobody may look at the answer, which the writer could still be working on.
func change[T any](ctx context.Context, s *Store, session string, bytes int, apply func(*transaction) (T, error)) (T, error) {
	answer := new(T)
	err := s.request(&request{ctx: ctx, session: session, bytes: bytes, apply: func(t *transaction) (err error) {
		*answer, err = apply(t)
		return err
	}})
	if err != nil {
		return *new(T), err
	}
	return *answer, nil
}

// request hands a change to the writer and waits for its outcome, or for the context.
func (s *Store) request(r *request) (err error) {
	r.done = make(chan error, 1)
	ctx := r.ctx
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.calls.Done()
	if s.o.ReadOnly {
		return &fault{kind: eventlog.ErrReadOnly, mend: mendReadOnly}
	}
	select {
	case s.requests <- r:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err = <-r.done:
		return err
	case <-ctx.Done():
	}
	if r.taken.CompareAndSwap(false, true) {
		return ctx.Err() // the writer will leave it out
	}
	// It is being made, and nothing can call it back. When it is made by now say so, else leave it to its key.
	select {
	case err = <-r.done:
		return err
	default:
		return ctx.Err()
	}
}

// Flush makes durable what waits for company (see Options.Window), and returns when every append that had been begun before has its answer. It does not
// fail because one of them did: each caller is told about his own.
func (s *Store) Flush(ctx context.Context) error {
	if s.o.ReadOnly {
		return storeError("flush", s.path, s.ended(ctx))
	}
	return storeError("flush", s.path, s.request(&request{ctx: ctx}))
}

// write is the goroutine that makes all changes of a store. Requests that come while it waits for the disk are made together, so that the price of making
// them durable is paid once: the busier the store, the cheaper an append.
func (s *Store) write() {
	defer close(s.stopped)
	for first := range s.requests {
		group := take(nil, first)
		var window <-chan time.Time
		if s.o.Window > 0 && first.apply != nil {
			timer := time.NewTimer(s.o.Window)
			window = timer.C
		}
		for bytes := first.bytes; len(group) < mostTogether && bytes < mostTogetherBytes; {
			next := s.waiting(window)
			if next == nil {
				break
			}
			bytes += next.bytes
			group = take(group, next)
			if next.apply == nil {
				window = nil // a flush: nobody else is waited for
			}
		}
		s.serve(group)
	}
}

// waiting is the next request: one that has come already, or one that comes within the window. It is nil when there is none.
func (s *Store) waiting(window <-chan time.Time) *request {
	select {
	case r := <-s.requests: // nil when that is closed
		return r
	default:
	}
	if window == nil {
		return nil
	}
	select {
	case r := <-s.requests:
		return r
	case <-window:
	case <-s.done: // who closes the store waits for nobody's company
	}
	return nil
}

// take adds a request to a group, unless its caller has given up.
func take(group []*request, r *request) []*request {
	if !r.taken.CompareAndSwap(false, true) {
		return group
	}
	return append(group, r)
}

// serve makes a group of requests and answers each.
func (s *Store) serve(group []*request) {
	// A session's events are written in one piece, and their ids follow each other. Within a session the order stays.
	slices.SortStableFunc(group, func(a, b *request) int { return strings.Compare(a.session, b.session) })
	outcomes := make([]error, len(group))
	err := s.transact(group, outcomes)
	for i, r := range group {
		if err != nil {
			outcomes[i] = err
		}
		if r.apply != nil {
			r.done <- outcomes[i]
		}
	}
	for _, r := range group {
		if r.apply == nil {
			r.done <- nil
		}
	}
}

// transact makes a group of requests under the folder's lock. An error concerns all of them.
func (s *Store) transact(group []*request, outcomes []error) error {
	if !slices.ContainsFunc(group, func(r *request) bool { return r.apply != nil }) {
		return nil
	}
	if s.doubt != nil {
		return s.doubt
	}
	if s.unlock == nil {
		unlock, err := s.folder.lock(s.o.BusyTimeout, false)
		if err != nil {
			return err
		}
		defer unlock()
	}
	t, err := s.begun()
	if err != nil {
		return err
	}
	for i, r := range group {
		if r.apply == nil {
			continue
		}
		if outcomes[i] = r.ctx.Err(); outcomes[i] == nil {
			outcomes[i] = r.apply(t)
		}
	}
	err = t.commit()
	for i, r := range group {
		if p := t.pending[r.session]; p != nil && p.err != nil {
			outcomes[i] = p.err // which goes for refusals too: they were made for what is not there now
		}
	}
	return err
}
