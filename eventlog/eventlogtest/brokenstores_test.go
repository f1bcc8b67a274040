package eventlogtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"sync"

	"forgetmenot/eventlog"
)

// A storeFault is one plausible mistake in a store, and the check that names it.
type storeFault struct {
	name   string
	check  string
	keeps  bool // the store is on a shelf: what is wrong shows with several handles, or after opening again
	hangs  bool // nothing wrong is ever answered, an answer just does not come
	change func(right eventlog.Store, s *bent)
}

type (
	store   = eventlog.Store
	event   = eventlog.StoredEvent
	ranged  = eventlog.Range
	options = eventlog.AppendOptions
)

var storeFaults = slices.Concat(brokenWrites, brokenReads, brokenSharing)

// recoded is a JSON text after a trip through Go's values, as a careless store sends it.
func recoded(text []byte) []byte {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return text
	}
	again, err := json.Marshal(v)
	if err != nil {
		return text
	}
	return again
}

// oneByOne appends a batch in as many appends as it has events.
func oneByOne(ctx context.Context, right store, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
	var whole eventlog.Receipt
	if len(events) == 0 {
		return right.Append(ctx, id, events, o)
	}
	for i, e := range events {
		r, err := right.Append(ctx, id, []eventlog.NewEvent{e}, o)
		if err != nil {
			return eventlog.Receipt{}, err
		}
		whole.Events = append(whole.Events, r.Events...)
		if i == 0 {
			o = options{}
		}
		// Others get their turn, as they would while a disk is written to.
		for range 20 {
			runtime.Gosched()
		}
	}
	return whole, nil
}

// buffered is a watch through a channel with room for 16 events; what finds no room is dropped.
func buffered(ctx context.Context, right store, after int64, _ bool) events {
	return func(yield func(event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		type item struct {
			e   event
			err error
		}
		room := make(chan item, 16)
		go func() {
			defer close(room)
			for e, err := range right.Watch(ctx, after) {
				if e.Type == "end" || err != nil {
					select {
					case room <- item{e, err}:
					case <-ctx.Done():
					}
					continue
				}
				select {
				case room <- item{e, err}:
				default:
				}
			}
		}()
		for i := range room {
			if !yield(i.e, i.err) {
				return
			}
		}
	}
}

// rememberKeys keeps keys in memory: a repeat finds its receipt only as long as the store is open.
func rememberKeys(right store, s *bent) {
	var mu sync.Mutex
	first := map[string]eventlog.Receipt{}
	s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
		mu.Lock()
		defer mu.Unlock()
		r, seen := first[id+o.Key]
		if seen && o.Key != "" {
			r.Repeated = true
			return r, nil
		}
		key := o.Key
		o.Key = ""
		r, err := right.Append(ctx, id, events, o)
		if err == nil {
			first[id+key] = r
		}
		return r, err
	}
}

// staleHandle answers conflicts from what it has seen itself.
func staleHandle(right store, s *bent) {
	var last sync.Map
	s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
		if want, ok := o.Expect.Last(); ok {
			known, _ := last.LoadOrStore(id, int64(0))
			if known.(int64) == want {
				o.Expect = eventlog.Expectation{}
			}
		}
		r, err := right.Append(ctx, id, events, o)
		if err == nil {
			last.Store(id, r.Events[len(r.Events)-1].EventID)
		}
		if errors.Is(err, eventlog.ErrConflict) {
			last.Delete(id)
		}
		return r, err
	}
}
