package jsonlstore

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"forgetmenot/eventlog"
)

// A Batcher takes a session's events at once and stores them a little later, many together: for what comes in quick succession and may be lost with the process,
// such as the pieces of an answer that a model is still writing. What must be durable before something happens is flushed first.
//
// The first event starts a window; when it ends, all that have come are stored, in their order. A batch that could not be stored stays in front of the queue
// as it is, and is tried again under its old key, so that it is stored once even if the failed attempt got in. It is for several goroutines at once.
type Batcher struct {
	store     eventlog.Store
	sessionID string
	o         BatcherOptions
	limits    eventlog.Limits
	ctx       context.Context // of what is stored when a window ends
	cancel    context.CancelFunc

	storing chan struct{} // holds a token while somebody stores, so that batches do not overtake each other

	mu     sync.Mutex
	sealed []queued // batches that have their key, and never change
	open   []eventlog.NewEvent
	size   int    // of the payloads in open
	count  uint64 // of batches that were given a key
	timer  *time.Timer
	failed error // of the last attempt; nil when it went well
	closed bool
}

type queued struct {
	key    string
	events []eventlog.NewEvent
}

// BatcherOptions say how a batcher works.
type BatcherOptions struct {
	// Key begins the idempotency keys of the batches. It must be another one for every batcher that ever writes to the session: a run's id, say.
	Key string
	// Window is how long the first event of a batch waits for others. 0 is 50 milliseconds.
	Window time.Duration
	// Limits bound a batch as they bound an append of the store. A batch that has reached one is stored at once.
	Limits eventlog.Limits
	// Failed is told when a batch could not be stored at the end of its window, and stays queued; it is tried again a window later. Who flushes is told by
	// the flush. It is called by one goroutine at a time and may not call the batcher. nil tells nobody; see Err.
	Failed func(error)
}

// NewBatcher makes a batcher for a session, which must exist when the first batch is stored.
func NewBatcher(s eventlog.Store, sessionID string, o BatcherOptions) (*Batcher, error) {
	if o.Key == "" {
		return nil, eventlog.NewStoreError("batch", sessionID, errors.New("no key; give one that no other batcher of this session has or had"))
	}
	if o.Window <= 0 {
		o.Window = 50 * time.Millisecond
	}
	b := &Batcher{store: s, sessionID: strings.Clone(sessionID), o: o, limits: o.Limits.WithDefaults(), storing: make(chan struct{}, 1)}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	return b, nil
}

// Add queues events, which then have no ids yet. They stay together: they are stored in one batch. An event that no store would take is refused, and
// then none of them is queued.
func (b *Batcher) Add(events ...eventlog.NewEvent) error {
	if err := b.limits.CheckAppend(b.sessionID, events, eventlog.AppendOptions{Key: b.key(math.MaxUint64)}); err != nil {
		return err
	}
	size := 0
	own := make([]eventlog.NewEvent, len(events))
	for i, e := range events {
		own[i] = eventlog.NewEvent{Type: strings.Clone(e.Type), Payload: bytes.Clone(e.Payload)}
		size += len(e.Payload)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return storeError("batch", b.sessionID, &fault{kind: eventlog.ErrClosed, mend: "make another batcher"})
	}
	if len(b.open)+len(own) > b.limits.BatchEvents || b.size+size > b.limits.BatchBytes {
		b.seal()
		b.wakeIn(0)
	}
	b.open = append(b.open, own...)
	b.size += size
	if b.timer == nil {
		b.wakeIn(b.o.Window)
	}
	return nil
}

// Flush stores everything that had been added when it was called, and returns when it is as durable as the store makes it, or with the error of the batch
// that could not be stored. That one and all behind it stay queued, in order.
func (b *Batcher) Flush(ctx context.Context) error {
	select {
	case b.storing <- struct{}{}:
	case <-ctx.Done():
		return storeError("batch", b.sessionID, ctx.Err())
	}
	defer func() { <-b.storing }()
	b.mu.Lock()
	if b.timer != nil {
		b.timer.Stop()
		b.timer = nil
	}
	b.seal()
	todo := b.sealed[:len(b.sealed):len(b.sealed)]
	b.mu.Unlock()
	for _, batch := range todo {
		_, err := b.store.Append(ctx, b.sessionID, batch.events, eventlog.AppendOptions{Key: batch.key})
		b.mu.Lock()
		b.failed = err
		if err != nil {
			if b.timer == nil && !b.closed {
				b.wakeIn(b.o.Window)
			}
			b.mu.Unlock()
			return err
		}
		b.sealed = b.sealed[1:]
		b.mu.Unlock()
	}
	return nil
}

// Pending is the events that have not been stored yet, in order; the store may have some of the first of them all the same, where an attempt failed without a
// clear answer.
func (b *Batcher) Pending() []eventlog.NewEvent {
	b.mu.Lock()
	defer b.mu.Unlock()
	events := []eventlog.NewEvent{}
	for _, batch := range b.sealed {
		events = append(events, batch.events...)
	}
	events = append(events, b.open...)
	for i, e := range events {
		events[i].Payload = bytes.Clone(e.Payload)
	}
	return events
}

// Err is why the last attempt to store a batch failed, nil when it went well.
func (b *Batcher) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failed
}

// Close flushes and takes nothing more. When it fails, Pending tells what is left, and Flush tries again.
func (b *Batcher) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.cancel()
	return b.Flush(ctx)
}

// seal makes what is open a batch with a key, for who holds the lock.
func (b *Batcher) seal() {
	if len(b.open) == 0 {
		return
	}
	b.count++
	b.sealed = append(b.sealed, queued{b.key(b.count), b.open})
	b.open, b.size = nil, 0
}

// key is that of a batch.
func (b *Batcher) key(number uint64) string { return b.o.Key + "/" + strconv.FormatUint(number, 10) }

// wakeIn sees to it that something is stored in a while, for who holds the lock.
func (b *Batcher) wakeIn(d time.Duration) {
	if b.timer != nil {
		b.timer.Stop()
	}
	b.timer = time.AfterFunc(d, func() {
		if err := b.Flush(b.ctx); err != nil && b.ctx.Err() == nil && b.o.Failed != nil {
			b.o.Failed(err)
		}
	})
}
