package eventlog

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
)

// A MemStore is a Store in memory: right in every respect but that its data end with it. It is for tests, for demonstrations, and to be read
// beside the contract: this is all that a Store has to do when there is no disk.
//
// It keeps every event once. What a reader holds while it works on an item is a view of the log as it was; no lock, so that it can call the
// store from within its loop. Listing sessions by activity and tool calls take memory in proportion to the list, everything else does not.
type MemStore struct {
	limits Limits
	now    func() time.Time

	mu       sync.RWMutex
	sessions map[string]*memSession
	created  []*memSession // in the order of creation; only ever appended to, so that a view of it stays right
	events   []*memEvent   // of all sessions, in the order of ids; only ever appended to
	grown    chan struct{} // closed, and replaced, when events have come
	done     chan struct{} // closed by Close
}

var _ Store = (*MemStore)(nil)

// A memSession is guarded by its store's lock, but for id, title, number and createdAt, which never change.
type memSession struct {
	id, title string
	number    int64
	createdAt time.Time
	events    []*memEvent // only ever appended to
	keys      map[string]memBatch
}

// A memEvent never changes.
type memEvent struct {
	id        int64
	session   *memSession
	typ       string
	payload   string // a string because it cannot be changed
	createdAt time.Time
}

// A memBatch is where the events of an append stand in their session.
type memBatch struct{ from, to int }

// NewMemStore makes an empty store. It takes the options of every store, at most one of them.
//
// The package reads no clock: without StoreOptions.Now every CreatedAt is the Unix epoch. Give time.Now to have the time. Now is called
// without any lock, by several goroutines at once.
func NewMemStore(options ...StoreOptions) *MemStore {
	s := &MemStore{sessions: map[string]*memSession{}, grown: make(chan struct{}), done: make(chan struct{})}
	for _, o := range options {
		s.limits, s.now = o.Limits, o.Now
	}
	s.limits = s.limits.WithDefaults()
	if s.now == nil {
		s.now = func() time.Time { return time.UnixMilli(0) }
	}
	return s
}

// CreateSession implements Store.
func (s *MemStore) CreateSession(ctx context.Context, id, title string) (Session, error) {
	if err := s.limits.CheckSession(id, title); err != nil {
		return Session{}, err
	}
	const op = "create session"
	at := s.time()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ended(ctx); err != nil {
		return Session{}, NewStoreError(op, id, err)
	}
	if s.sessions[id] != nil {
		return Session{}, NewStoreError(op, id, ErrSessionExists)
	}
	// Cut out of a large text, an id would keep all of it alive.
	session := &memSession{
		id: strings.Clone(id), title: strings.Clone(title), number: int64(len(s.created)) + 1, createdAt: at, keys: map[string]memBatch{},
	}
	s.sessions[session.id] = session
	s.created = append(s.created, session)
	return session.now(), nil
}

// Append implements Store.
func (s *MemStore) Append(ctx context.Context, sessionID string, events []NewEvent, o AppendOptions) (Receipt, error) {
	if err := s.limits.CheckAppend(sessionID, events, o); err != nil {
		return Receipt{}, err
	}
	at := s.time()
	s.mu.Lock()
	defer s.mu.Unlock()
	session, err := s.find(ctx, sessionID)
	if err != nil {
		return Receipt{}, NewStoreError("append", sessionID, err)
	}
	// The key comes first: whoever repeats an append cannot know how the session ends by now.
	if first, ok := session.keys[o.Key]; ok && o.Key != "" {
		if !session.holds(first, events) {
			return Receipt{}, NewStoreError("append", sessionID, ErrKeyReused)
		}
		return session.receipt(first, true), nil
	}
	if want, ok := o.Expect.Last(); ok && want != session.lastEventID() {
		return Receipt{}, NewStoreError("append", sessionID, &ConflictError{Expected: want, Actual: session.lastEventID()})
	}

	batch := memBatch{len(session.events), len(session.events) + len(events)}
	for _, e := range events {
		stored := &memEvent{id: int64(len(s.events)) + 1, session: session, typ: intern(e.Type), payload: string(e.Payload), createdAt: at}
		s.events = append(s.events, stored)
		session.events = append(session.events, stored)
	}
	if o.Key != "" {
		session.keys[strings.Clone(o.Key)] = batch
	}
	close(s.grown)
	s.grown = make(chan struct{})
	return session.receipt(batch, false), nil
}

// Close implements Store. It never fails.
func (s *MemStore) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.done:
	default:
		close(s.done)
		s.sessions, s.created, s.events = nil, nil, nil
	}
	return nil
}

// ended tells why a call must not go on: its context, or ErrClosed. Under the lock the store stays as open as it says.
func (s *MemStore) ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-s.done:
		return ErrClosed
	default:
		return nil
	}
}

// find returns a session, for a caller that has the lock.
func (s *MemStore) find(ctx context.Context, id string) (*memSession, error) {
	if err := s.ended(ctx); err != nil {
		return nil, err
	}
	if session := s.sessions[id]; session != nil {
		return session, nil
	}
	return nil, ErrNoSession
}

func (s *MemStore) time() time.Time { return time.UnixMilli(s.now().UnixMilli()).UTC() }

func (m *memSession) lastEventID() int64 {
	if len(m.events) == 0 {
		return 0
	}
	return m.events[len(m.events)-1].id
}

// now is the session as it is, for a caller that has the lock.
func (m *memSession) now() Session {
	return Session{
		ID: m.id, Title: m.title, CreatedAt: m.createdAt, Number: m.number, LastEventID: m.lastEventID(), EventCount: int64(len(m.events)),
	}
}

// holds tells whether a batch is made of just these events.
func (m *memSession) holds(b memBatch, events []NewEvent) bool {
	return slices.EqualFunc(m.events[b.from:b.to], events, func(old *memEvent, e NewEvent) bool {
		return old.typ == e.Type && old.payload == string(e.Payload)
	})
}

func (m *memSession) receipt(b memBatch, repeated bool) Receipt {
	r := Receipt{Durability: Volatile, Repeated: repeated}
	for _, e := range m.events[b.from:b.to] {
		r.Events = append(r.Events, e.event())
	}
	return r
}

// event is the event as its reader's own copy.
func (e *memEvent) event() StoredEvent {
	return StoredEvent{Event: Event{EventID: e.id, SessionID: e.session.id, Type: e.typ, Payload: []byte(e.payload)}, CreatedAt: e.createdAt}
}

// within cuts a list of events, in the order of ids, down to those in a range.
func (r Range) within(events []*memEvent) []*memEvent {
	return events[firstAfter(events, r.After):max(firstAfter(events, r.After), r.end(events))]
}

func (r Range) end(events []*memEvent) int {
	if r.Until == 0 {
		return len(events)
	}
	return firstAfter(events, r.Until)
}

// firstAfter is the place of the first event behind a cursor.
func firstAfter(events []*memEvent, cursor int64) int {
	at, found := slices.BinarySearchFunc(events, cursor, func(e *memEvent, id int64) int { return cmp.Compare(e.id, id) })
	if found {
		at++
	}
	return at
}
