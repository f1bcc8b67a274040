package eventlogtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"forgetmenot/eventlog"
	"forgetmenot/grader/property"
)

// A log value is a store as of an event. Whoever appends to an older value gets a fork: another store, filled with the events up to there. So
// these properties ask one thing more than the contract: that the same appends to two empty stores give the same ids.
//
// The law scale measures the Go heap. What a store keeps on disk or in C is not in it and is not judged; its handles, caches and queues are,
// and a store in memory is judged whole.
type storeLog struct {
	in   *branch
	last int64 // 0 for the empty log
}

// A branch is a store that grows in one line.
type branch struct {
	store eventlog.Store
	last  int64
}

// NewStoreRunner makes a runner whose realms do the exercise's five functions on stores, each in a folder below the given one.
func NewStoreRunner(folder string, open OpenStore) property.Runner {
	return &storeRunner{open: open, folder: folder}
}

type storeRunner struct {
	open   OpenStore
	folder string
	opened atomic.Int64
}

func (r *storeRunner) Open(ctx context.Context, entropy int) (property.Realm, error) {
	realm := &storeRealm{runner: r, ctx: ctx}
	inner, err := NewRunner(realm.subject).Open(ctx, entropy)
	realm.Realm = inner
	return realm, err
}

// A storeRealm closes and removes a program's stores when it has run: all that is asked of them stands in the transcript.
type storeRealm struct {
	property.Realm
	runner  *storeRunner
	ctx     context.Context
	stores  []eventlog.Store
	folders []string
}

func (r *storeRealm) Run(ctx context.Context, p *property.Program) (*property.Transcript, error) {
	t, err := r.Realm.Run(ctx, p)
	for _, s := range r.stores {
		err = errors.Join(err, s.Close())
	}
	for _, f := range r.folders {
		err = errors.Join(err, os.RemoveAll(f))
	}
	r.stores, r.folders = nil, nil
	return t, err
}

func (r *storeRealm) branch() *branch {
	folder := filepath.Join(r.runner.folder, strconv.FormatInt(r.runner.opened.Add(1), 10))
	check(os.Mkdir(folder, 0o777))
	r.folders = append(r.folders, folder)
	s, err := r.runner.open(folder, eventlog.StoreOptions{})
	check(err)
	r.stores = append(r.stores, s)
	return &branch{store: s}
}

func (r *storeRealm) subject() Subject[storeLog] {
	return Subject[storeLog]{
		CreateEventLog: func() storeLog { return storeLog{in: r.branch()} },
		AppendEvent: func(l storeLog, e eventlog.Event) (storeLog, error) {
			in := l.in
			if l.last != in.last {
				in = r.fork(l)
			}
			in.append(r.ctx, e)
			return storeLog{in, in.last}, nil
		},
		GetEventsForSession: func(l storeLog, sessionID string) []eventlog.Event {
			return askedOf(l, l.in.store.Events(r.ctx, sessionID, l.upTo()), func(e eventlog.StoredEvent) eventlog.Event { return e.Event })
		},
		ReplaySession: func(l storeLog, sessionID string) []eventlog.Message {
			return askedOf(l, l.in.store.Messages(r.ctx, sessionID, l.upTo()), func(m eventlog.StoredMessage) eventlog.Message { return m.Message })
		},
		ListSessions: func(l storeLog) []string {
			ids := []string{}
			for s, err := range l.in.store.Sessions(r.ctx, eventlog.ByCreation, eventlog.SessionCursor{}) {
				check(err)
				for range askedOf(l, l.in.store.Events(r.ctx, s.ID, l.upTo()), func(e eventlog.StoredEvent) int64 { return e.EventID }) {
					ids = append(ids, s.ID) // it had an event by then
					break
				}
			}
			return ids
		},
	}
}

// fork fills a store with what a log value holds.
func (r *storeRealm) fork(l storeLog) *branch {
	b := r.branch()
	if l.last == 0 {
		return b
	}
	for old, err := range l.in.store.All(r.ctx, l.upTo()) {
		check(err)
		b.append(r.ctx, old.Event)
	}
	return b
}

// append puts an event at the end, in a session that is made when it is new.
func (b *branch) append(ctx context.Context, e eventlog.Event) {
	if _, err := b.store.Session(ctx, e.SessionID); errors.Is(err, eventlog.ErrNoSession) {
		_, err = b.store.CreateSession(ctx, e.SessionID, "")
		check(err)
	}
	receipt, err := b.store.Append(ctx, e.SessionID, []eventlog.NewEvent{{Type: e.Type, Payload: e.Payload}}, eventlog.AppendOptions{})
	check(err)
	b.last = receipt.Events[0].EventID
}

// upTo is the range of a log that is not empty. There is none for an empty one: until 0 means no end.
func (l storeLog) upTo() eventlog.Range { return eventlog.Range{Until: l.last} }

// askedOf reads what a question about a session is answered with. Nobody's session has no events in the exercise.
func askedOf[From, To any](l storeLog, answer func(func(From, error) bool), convert func(From) To) []To {
	list := []To{}
	if l.last == 0 {
		return list
	}
	for item, err := range answer {
		if errors.Is(err, eventlog.ErrNoSession) {
			return list
		}
		check(err)
		list = append(list, convert(item))
	}
	return list
}

// check throws an error, as an exception in the exercise's terms.
func check(err error) {
	if err != nil {
		panic(err)
	}
}
