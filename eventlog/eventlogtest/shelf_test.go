package eventlogtest_test

import (
	"context"
	"errors"
	"iter"
	"sync"

	"forgetmenot/eventlog"
)

// A shelf is a right store for several handles that keeps its data when it is closed, in memory: what lies in a folder is a MemStore. So the
// checks that a MemStore skips are shown a store that they must accept, and broken ones.
type shelf struct {
	mu     sync.Mutex
	stores map[string]*eventlog.MemStore
}

func newShelf() *shelf { return &shelf{stores: map[string]*eventlog.MemStore{}} }

func (s *shelf) open(folder string, o eventlog.StoreOptions) (eventlog.Store, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stores[folder] == nil {
		s.stores[folder] = eventlog.NewMemStore(o)
	}
	return &handle{store: s.stores[folder], done: make(chan struct{})}, nil
}

// A handle can be closed while others on the same data go on.
type handle struct {
	store *eventlog.MemStore
	mu    sync.RWMutex // held by calls, and by Close to wait for them
	done  chan struct{}
}

func (h *handle) ended(op string) error {
	select {
	case <-h.done:
		return &eventlog.StoreError{Op: op, Err: eventlog.ErrClosed}
	default:
		return nil
	}
}

func called[T any](h *handle, op string, f func() (T, error)) (T, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if err := h.ended(op); err != nil {
		var zero T
		return zero, err
	}
	return f()
}

func (h *handle) CreateSession(ctx context.Context, id, title string) (eventlog.Session, error) {
	return called(h, "create session", func() (eventlog.Session, error) { return h.store.CreateSession(ctx, id, title) })
}

func (h *handle) Session(ctx context.Context, id string) (eventlog.Session, error) {
	return called(h, "session", func() (eventlog.Session, error) { return h.store.Session(ctx, id) })
}

func (h *handle) Append(ctx context.Context, id string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error) {
	return called(h, "append", func() (eventlog.Receipt, error) {
		r, err := h.store.Append(ctx, id, events, o)
		if err == nil {
			r.Durability = eventlog.ToProcessCrash
		}
		return r, err
	})
}

// yielding ends an iterator when the handle is closed.
func yielding[T any](h *handle, ctx context.Context, from func(context.Context) iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			select {
			case <-h.done:
				cancel()
			case <-stop:
			}
		}()
		var zero T
		if err := h.ended("read"); err != nil {
			yield(zero, err)
			return
		}
		for item, err := range from(inner) {
			if err != nil && ctx.Err() == nil && errors.Is(err, context.Canceled) {
				err = h.ended("read")
			}
			if !yield(item, err) {
				return
			}
		}
	}
}

func (h *handle) Sessions(ctx context.Context, order eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error] {
	return yielding(h, ctx, func(ctx context.Context) iter.Seq2[eventlog.Session, error] {
		return h.store.Sessions(ctx, order, after)
	})
}

func (h *handle) Events(ctx context.Context, id string, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	return yielding(h, ctx, func(ctx context.Context) iter.Seq2[eventlog.StoredEvent, error] { return h.store.Events(ctx, id, r) })
}

func (h *handle) All(ctx context.Context, r eventlog.Range) iter.Seq2[eventlog.StoredEvent, error] {
	return yielding(h, ctx, func(ctx context.Context) iter.Seq2[eventlog.StoredEvent, error] { return h.store.All(ctx, r) })
}

func (h *handle) Messages(ctx context.Context, id string, r eventlog.Range) iter.Seq2[eventlog.StoredMessage, error] {
	return yielding(h, ctx, func(ctx context.Context) iter.Seq2[eventlog.StoredMessage, error] {
		return h.store.Messages(ctx, id, r)
	})
}

func (h *handle) ToolCalls(ctx context.Context, id string) iter.Seq2[eventlog.ToolCallState, error] {
	return yielding(h, ctx, func(ctx context.Context) iter.Seq2[eventlog.ToolCallState, error] { return h.store.ToolCalls(ctx, id) })
}

func (h *handle) Watch(ctx context.Context, after int64) iter.Seq2[eventlog.StoredEvent, error] {
	return yielding(h, ctx, func(ctx context.Context) iter.Seq2[eventlog.StoredEvent, error] { return h.store.Watch(ctx, after) })
}

func (h *handle) Close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended("close") == nil {
		close(h.done)
	}
	return nil
}
