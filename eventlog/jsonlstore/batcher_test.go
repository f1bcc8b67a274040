package jsonlstore_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/jsonlstore"

	"github.com/stretchr/testify/require"
)

// A frail store fails as it is told to, before or after it has stored.
type frail struct {
	eventlog.Store
	mu      sync.Mutex
	before  error
	after   error
	appends int
}

func (f *frail) set(before, after error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before, f.after = before, after
}

func (f *frail) Append(ctx context.Context, id string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.appends++
	if f.before != nil {
		return eventlog.Receipt{}, f.before
	}
	r, err := f.Store.Append(ctx, id, events, o)
	if f.after != nil {
		return eventlog.Receipt{}, f.after
	}
	return r, err
}

func newFrail(t *testing.T) *frail {
	s := eventlog.NewMemStore()
	created(t, s, "a")
	return &frail{Store: s}
}

func batcher(t *testing.T, s eventlog.Store, o jsonlstore.BatcherOptions) *jsonlstore.Batcher {
	t.Helper()
	o.Key = "run 1"
	b, err := jsonlstore.NewBatcher(s, "a", o)
	require.NoError(t, err)
	t.Cleanup(func() { b.Close(context.Background()) })
	return b
}

func TestBatcherStoresTogetherAndInOrder(t *testing.T) {
	s := newFrail(t)
	b := batcher(t, s, jsonlstore.BatcherOptions{Window: time.Hour})
	var want []string
	for i := range 10 {
		require.NoError(t, b.Add(note(2*i), note(2*i+1)))
		want = append(want, fmt.Sprintf(`{"n":%d}`, 2*i), fmt.Sprintf(`{"n":%d}`, 2*i+1))
	}
	require.Empty(t, events(t, s, "a"))
	require.Len(t, b.Pending(), 20)
	require.NoError(t, b.Flush(t.Context()))
	require.Equal(t, want, events(t, s, "a"))
	require.Equal(t, 1, s.appends)
	require.Empty(t, b.Pending())
	require.NoError(t, b.Flush(t.Context()))
	require.Equal(t, 1, s.appends)
}

// The window of the first event is enough: nobody has to flush.
func TestBatcherWindow(t *testing.T) {
	s := newFrail(t)
	b := batcher(t, s, jsonlstore.BatcherOptions{Window: time.Millisecond})
	require.NoError(t, b.Add(note(1)))
	for e, err := range s.Watch(t.Context(), 0) {
		require.NoError(t, err)
		require.Equal(t, `{"n":1}`, string(e.Payload))
		break
	}
}

// A batch that failed stays in front, is told of, and is stored once, whether the failed attempt was in or not.
func TestBatcherFailure(t *testing.T) {
	broken := errors.New("broken")
	for name, fail := range map[string]func(*frail){
		"nothing was written": func(f *frail) { f.set(broken, nil) },
		"it was written":      func(f *frail) { f.set(nil, broken) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newFrail(t)
			told := make(chan error, 100)
			b := batcher(t, s, jsonlstore.BatcherOptions{Window: time.Millisecond, Failed: func(err error) {
				select {
				case told <- err:
				default:
				}
			}})
			fail(s)
			require.NoError(t, b.Add(note(1), note(2)))
			require.ErrorIs(t, <-told, broken)
			require.NoError(t, b.Add(note(3)))
			require.ErrorIs(t, b.Flush(t.Context()), broken)
			require.ErrorIs(t, b.Err(), broken)
			require.Len(t, b.Pending(), 3)
			s.set(nil, nil)
			require.NoError(t, b.Flush(t.Context()))
			require.NoError(t, b.Err())
			require.Equal(t, []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}, events(t, s, "a"))
		})
	}
}

func TestBatcherRefuses(t *testing.T) {
	s := newFrail(t)
	_, err := jsonlstore.NewBatcher(s, "a", jsonlstore.BatcherOptions{})
	require.ErrorContains(t, err, "no key")
	b := batcher(t, s, jsonlstore.BatcherOptions{Window: time.Hour, Limits: eventlog.Limits{BatchEvents: 2}})
	require.ErrorIs(t, b.Add(note(1), event("note", "[]")), eventlog.ErrInvalidPayload)
	require.ErrorIs(t, b.Add(note(1), note(2), note(3)), eventlog.ErrTooLarge)
	require.Empty(t, b.Pending())
	// What would be too much together becomes two batches, in order.
	require.NoError(t, b.Add(note(1)))
	require.NoError(t, b.Add(note(2), note(3)))
	require.NoError(t, b.Close(t.Context()))
	require.Equal(t, []string{`{"n":1}`, `{"n":2}`, `{"n":3}`}, events(t, s, "a"))
	require.ErrorIs(t, b.Add(note(4)), eventlog.ErrClosed)
}

// What several goroutines add is stored once each, and each one's in its order.
func TestBatcherConcurrently(t *testing.T) {
	s := newFrail(t)
	b := batcher(t, s, jsonlstore.BatcherOptions{Window: time.Microsecond})
	const writers, each = 8, 50
	var group sync.WaitGroup
	failed := make([]error, writers)
	for w := range writers {
		group.Go(func() {
			for i := range each {
				failed[w] = errors.Join(failed[w], b.Add(event("note", fmt.Sprintf(`{"w":%d,"i":%d}`, w, i))))
				if i%7 == 0 {
					failed[w] = errors.Join(failed[w], b.Flush(t.Context()))
				}
			}
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(failed...))
	require.NoError(t, b.Flush(t.Context()))
	next := map[int]int{}
	for _, p := range events(t, s, "a") {
		var w, i int
		_, err := fmt.Sscanf(p, `{"w":%d,"i":%d}`, &w, &i)
		require.NoError(t, err)
		require.Equal(t, next[w], i)
		next[w]++
	}
	require.Len(t, next, writers)
	for _, n := range next {
		require.Equal(t, each, n)
	}
}
