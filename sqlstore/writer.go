package sqlstore

import (
	"context"
	"errors"
	"sync/atomic"

	"forgetmenot/eventlog"
)

// How many requests share a transaction at most, and with how many bytes of payload none is added: who waits for a small append does not wait for
// everybody's large ones.
const (
	mostTogether      = 256
	mostTogetherBytes = 8 << 20
)

// A request is a change that somebody waits for.
type request struct {
	ctx context.Context
	// apply makes the change within the transaction. It is called again when that has to be made again. A refusal comes before it has changed
	// anything, unless it is alone in its transaction.
	apply func(*writer) error
	alone bool
	bytes int // of payloads

	taken atomic.Bool // by the writer, or by whoever gave up waiting
	done  chan error
}

// A writer is the goroutine that makes all changes of a store. Requests that come while it waits for the disk are made together in the next
// transaction, so that the price of making them durable is paid once: the busier the store, the cheaper an append. Nobody waits for others to come.
type writer struct {
	store   *Store
	conn    *conn
	stopped chan struct{}
	end     end // of the log, within a transaction
}

// change makes a change that answers something. When it fails nobody may look at the answer, which the writer could still be working on.
func change[T any](ctx context.Context, s *Store, bytes int, apply func(*writer) (T, error)) (T, error) {
	answer := new(T)
	err := s.write(&request{ctx: ctx, bytes: bytes, apply: func(w *writer) (err error) {
		*answer, err = apply(w)
		return err
	}})
	if err != nil {
		return *new(T), err
	}
	return *answer, nil
}

// write hands a request to the writer and waits for its outcome, or for the context. A request that wants to be alone can use what belongs to the
// caller, who waits until it has been made; it looks at the context itself.
func (s *Store) write(r *request) (err error) {
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
	if r.alone {
		return <-r.done
	}
	// It is being made, and nothing can call it back. When it is made by now say so, else leave it to its key.
	select {
	case err = <-r.done:
		return err
	default:
		return ctx.Err()
	}
}

func (w *writer) run() {
	defer close(w.stopped)
	for first := range w.store.requests {
		group := w.take(nil, first)
		for bytes := first.bytes; len(group) < mostTogether && bytes < mostTogetherBytes; {
			next := w.waiting()
			if next == nil {
				break
			}
			bytes += next.bytes
			group = w.take(group, next)
		}
		w.serve(group)
	}
}

// waiting is a request that has come already, or nil.
func (w *writer) waiting() *request {
	select {
	case r := <-w.store.requests: // nil when that is closed
		return r
	default:
		return nil
	}
}

// take adds a request to a group, or makes it at once if it wants to be alone. Who has given up waiting for one is not in the group.
func (w *writer) take(group []*request, r *request) []*request {
	if !r.taken.CompareAndSwap(false, true) {
		return group
	}
	if r.alone {
		w.serve(group)
		w.serve([]*request{r})
		return nil
	}
	return append(group, r)
}

// serve makes a group of requests and answers each.
func (w *writer) serve(group []*request) {
	if len(group) == 0 {
		return
	}
	outcomes, err := w.transact(group)
	if len(group) > 1 && ofOne(err) {
		// Nothing of them is stored: the transaction is rolled back.
		for _, r := range group {
			w.serve([]*request{r})
		}
		return
	}
	for i, r := range group {
		if err == nil {
			r.done <- outcomes[i]
		} else {
			r.done <- err
		}
	}
}

// ofOne tells whether a failure can be the fault of one request, which is too large for the disk or the engine, or meets damaged rows: it must not
// take the others with it. A disk that failed is not asked again, as it may answer differently the second time.
func ofOne(err error) bool {
	return errors.Is(err, eventlog.ErrFull) || errors.Is(err, eventlog.ErrTooLarge) || errors.Is(err, eventlog.ErrCorrupt) || errors.As(err, new(enginePanic))
}

// transact makes a group of requests in one transaction: all of them, but for those that are refused, or none.
//
// The transaction begins with the write lock. One that begins by reading can find itself unable to write, whatever the busy timeout.
// https://sqlite.org/lang_transaction.html#immediate
func (w *writer) transact(group []*request) (outcomes []error, err error) {
	if w.conn.broken {
		if err := w.replaceConn(); err != nil {
			return nil, w.store.explained(w.store.ctx, err)
		}
	}
	outcomes = make([]error, len(group))
	last := int64(0)
	err = w.conn.do(func() error {
		if err := w.conn.exec("BEGIN IMMEDIATE"); err != nil {
			return err
		}
		if err := w.end.read(w.conn); err != nil {
			return err
		}
		for i, r := range group {
			refusal, err := w.make(r)
			if err != nil {
				return err
			}
			outcomes[i] = refusal
		}
		if len(group) == 1 && outcomes[0] != nil {
			return outcomes[0] // which takes back what it has changed
		}
		if err := w.conn.exec("COMMIT"); err != nil {
			return err
		}
		last = w.end.id
		return nil
	})
	if err != nil {
		w.conn.rollback()
	}
	if refused(err) {
		return outcomes, nil
	}
	// After the commit, before it is acknowledged: what went into a file that has been removed is not stored.
	err = w.store.explained(w.store.ctx, err)
	if err == nil {
		w.store.news.tell(last)
	}
	return outcomes, err
}

// make makes one request within the transaction. A refusal concerns this request alone, which has changed nothing; so there is no need of a savepoint for
// each, and of a journal of every page that it changes.
func (w *writer) make(r *request) (refusal, err error) {
	if err := r.ctx.Err(); err != nil {
		return err, nil
	}
	err = r.apply(w)
	if refused(err) {
		return err, nil
	}
	return nil, err
}

// A refusal is an answer of the contract, not a failure to make a request.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

func refused(err error) bool { return errors.As(err, new(refusal)) }

// replaceConn opens another connection in place of one in which the engine panicked. The old one is closed after that: a store that nobody has
// open moves its write-ahead log away.
func (w *writer) replaceConn() error {
	c, err := dial(w.store.ctx, w.store.path, write, w.store.o)
	if err == nil {
		err = c.setUp(w.store.o)
	}
	if err != nil {
		c.close()
		return err
	}
	w.conn.close()
	w.conn = c
	return nil
}
