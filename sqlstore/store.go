package sqlstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"forgetmenot/eventlog"
)

// A Store is an event log in a SQLite file. Open makes one.
type Store struct {
	ctx   context.Context // of the store's life, for its values alone
	path  string
	o     Options
	files files

	requests chan *request
	writer   *writer
	turns    chan struct{} // to read: as many as there may be reading connections
	readers  idle
	news     news

	mu       sync.Mutex
	closed   bool
	done     chan struct{}  // closed by Close
	calls    sync.WaitGroup // appends and other writes under way
	finished chan struct{}  // closed when Close is done
	closing  error
}

var _ eventlog.Store = (*Store)(nil)

func newStore(ctx context.Context, path string, o Options, w *conn) *Store {
	s := &Store{
		ctx: ctx, path: path, o: o,
		requests: make(chan *request, mostTogether),
		turns:    make(chan struct{}, o.Readers),
		done:     make(chan struct{}), finished: make(chan struct{}),
	}
	s.news.grown = make(chan struct{})
	for range o.Readers {
		s.turns <- struct{}{}
	}
	s.writer = &writer{store: s, conn: w, stopped: make(chan struct{})}
	go s.writer.run()
	return s
}

// Close implements eventlog.Store. It waits for appends under way and for pages being read, not for whoever works on an item. The last store
// that closes a file moves its write-ahead log into it.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		<-s.finished
		return s.closing
	}
	s.closed = true
	close(s.done)
	s.mu.Unlock()

	s.calls.Wait()
	close(s.requests)
	<-s.writer.stopped
	var failed error
	for range s.o.Readers {
		<-s.turns
	}
	for c := s.readers.take(); c != nil; c = s.readers.take() {
		failed = errors.Join(failed, c.close())
	}
	failed = errors.Join(failed, s.writer.conn.close())
	s.closing = storeError("close", s.path, translated(s.ctx, failed))
	close(s.finished)
	return s.closing
}

// begin counts a call that Close has to wait for.
func (s *Store) begin(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	s.calls.Add(1)
	return nil
}

func errClosed() error { return &fault{kind: eventlog.ErrClosed} }

// ended tells why a call must not go on.
func (s *Store) ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-s.done:
		return errClosed()
	default:
		return nil
	}
}

// read does f with a reading connection, and gives it back: f must not call the store, nor anybody who could. Nothing that f reads is
// half of a transaction, but two statements in it can see the store at two moments.
func (s *Store) read(ctx context.Context, f func(*conn) error) error {
	if err := s.ended(ctx); err != nil {
		return err
	}
	select {
	case <-s.turns:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.done:
		return errClosed()
	}
	c := s.readers.take()
	defer func() {
		s.readers.give(c)
		s.turns <- struct{}{}
	}()
	// Both could be ready, and Close wait for this connection.
	if err := s.ended(ctx); err != nil {
		return err
	}
	var err error
	if c == nil {
		if c, err = openReader(s.ctx, s.path, s.o); err != nil {
			return s.explained(ctx, err)
		}
	}
	err = c.do(func() error {
		c.db.SetInterrupt(ctx)
		defer c.db.SetInterrupt(context.Background())
		return f(c)
	})
	if c.broken {
		c.close()
		c = nil
	}
	return s.explained(ctx, err)
}

// explained translates an error. Files that are gone explain every other one, and are one themselves.
func (s *Store) explained(ctx context.Context, err error) error {
	if gone := s.files.check(); gone != nil {
		return gone
	}
	return translated(ctx, err)
}

// millis is a time as the store keeps it.
func millis(t time.Time) time.Time { return time.UnixMilli(t.UnixMilli()).UTC() }
