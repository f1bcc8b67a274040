package jsonlstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"forgetmenot/eventlog"
)

// A Store is an event log in a folder of files. Open makes one.
type Store struct {
	folder folder
	path   string
	o      Options
	packer *packer

	requests chan *request
	stopped  chan struct{} // closed when the writer has ended
	unlock   func()        // of an exclusive store, ends its hold on the folder
	// doubt is the writer's alone: a failure after which nothing is written until the store is opened again.
	doubt error
	// unsettled is the writer's alone: what is on disk is not what it believes, and has to be read again first.
	unsettled bool

	// While the store is opened, what has been found so far; a head that is newer than the files does not spoil it.
	opening bool
	spans   []span

	catching sync.Mutex // held by whoever looks for what others have written

	mu        sync.RWMutex
	sessions  map[string]*session
	created   []*session       // in the order of their numbers
	strangers map[string]error // by file name, what cannot even be told to be a session's
	runs      []run            // all sound events, in the order of ids
	published int64            // the newest event that may be seen
	number    int64            // the greatest number of a session that may be seen
	grown     chan struct{}    // closed, and replaced, when there are more events
	watches   int              // that are open
	polling   bool             // for them
	closed    bool             //
	done      chan struct{}    // closed by Close
	calls     sync.WaitGroup   // appends and other writes under way
	finished  chan struct{}    // closed when Close is done
}

var _ eventlog.Store = (*Store)(nil)

// A run is events that follow each other in the order of ids and are of one session: all from first up to the next run's.
type run struct {
	first   int64
	session *session
	at      place // where reading finds the first
}

// Open opens the store in a folder, which it makes when there is none. It reads every file, and looks at every line in it. A file that is damaged
// spoils no other one: see Damaged.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	s, err := open(ctx, path, o)
	if err != nil {
		return nil, storeError("open", path, err)
	}
	return s, nil
}

func open(ctx context.Context, path string, o Options) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !o.ReadOnly:
		if err := os.MkdirAll(path, 0o777); err != nil {
			return nil, err
		}
		if err := (osFolder{filepath.Dir(path)}).sync(); err != nil {
			return nil, err
		}
	case errors.Is(err, fs.ErrNotExist):
		return nil, &fault{eventlog.ErrNotStore, "name a folder that exists, or open it for writing", err}
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, &fault{eventlog.ErrNotStore, mendNotFolder, fmt.Errorf("%s is not a folder", path)}
	}
	return openIn(ctx, osFolder{path}, path, o)
}

// openIn opens the store in a folder, which tests choose.
func openIn(ctx context.Context, in folder, path string, o Options) (*Store, error) {
	packer, err := newPacker()
	if err != nil {
		return nil, err
	}
	s := &Store{
		folder: in, path: path, o: o.withDefaults(), packer: packer,
		requests: make(chan *request, mostTogether), stopped: make(chan struct{}),
		sessions: map[string]*session{}, strangers: map[string]error{},
		grown: make(chan struct{}), done: make(chan struct{}), finished: make(chan struct{}),
	}
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	go s.write()
	return s, nil
}

// Close implements eventlog.Store. It waits for appends under way.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		<-s.finished
		return nil
	}
	s.closed = true
	close(s.done)
	s.mu.Unlock()

	s.calls.Wait()
	close(s.requests)
	<-s.stopped
	if s.unlock != nil {
		s.unlock()
	}
	close(s.finished)
	return nil
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

// known finds a session that can be used, for who holds the lock.
func (s *Store) known(id string) (*session, error) {
	own := s.sessions[id]
	if own == nil {
		for _, suffix := range []string{plainSuffix, packedSuffix} {
			if err := s.strangers[fileStem(id)+suffix]; err != nil {
				return nil, err
			}
		}
		return nil, eventlog.ErrNoSession
	}
	if own.fault != nil {
		return nil, own.fault
	}
	return own, nil
}

// damage takes a session out of use, for what was found out about its file.
func (s *Store) damage(own *session, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if own.fault == nil {
		own.fault = err
	}
}

func (s *Store) pathOf(name string) string { return filepath.Join(s.path, name) }
