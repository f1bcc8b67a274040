package eventlog_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/eventlogtest"

	"github.com/stretchr/testify/require"
)

func TestMemStoreKeepsTheContract(t *testing.T) {
	eventlogtest.RunStore(t, func(_ string, o eventlog.StoreOptions) (eventlog.Store, error) {
		return eventlog.NewMemStore(o), nil
	}, eventlogtest.StoreTraits{Volatile: true, Cases: 20}) // the suite's own tests run more
}

// A watch that waits does only that: in a synctest bubble Wait returns when every goroutine sleeps for good, and the test fails when one of
// them is left behind.
func TestMemStoreWatchesSleepAndEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := eventlog.NewMemStore(eventlog.StoreOptions{Now: time.Now})
		_, err := s.CreateSession(t.Context(), "a", "")
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		var seen [3]int
		var ends [3]error
		var wg sync.WaitGroup
		for i := range seen {
			own := t.Context()
			if i == 0 {
				own = ctx
			}
			wg.Go(func() {
				for _, err := range s.Watch(own, 0) {
					if ends[i] = err; err == nil {
						seen[i]++
					}
					if i == 1 && seen[i] == 2 {
						break
					}
				}
			})
		}
		synctest.Wait()
		for range 3 {
			_, err = s.Append(t.Context(), "a", []eventlog.NewEvent{{Type: "note", Payload: []byte(`{}`)}}, eventlog.AppendOptions{})
			require.NoError(t, err)
		}
		synctest.Wait()
		require.Equal(t, [3]int{3, 2, 3}, seen)
		cancel()
		synctest.Wait()
		require.ErrorIs(t, ends[0], context.Canceled)
		require.NoError(t, s.Close())
		wg.Wait()
		require.NoError(t, ends[1])
		require.ErrorIs(t, ends[2], eventlog.ErrClosed)
	})
}

func TestMemStoreWithoutAClock(t *testing.T) {
	s := eventlog.NewMemStore()
	made, err := s.CreateSession(t.Context(), "a", "")
	require.NoError(t, err)
	require.Equal(t, time.Unix(0, 0).UTC(), made.CreatedAt)
}

// A fault of an event reads well from the log and from a store.
func TestStoreErrorsSayOnceWhatWasDone(t *testing.T) {
	s := eventlog.NewMemStore()
	_, err := s.CreateSession(t.Context(), "", "")
	require.EqualError(t, err, `eventlog: create session: sessionId at byte 0: it is empty; name the conversation`)
	_, err = s.Append(t.Context(), "a", []eventlog.NewEvent{{Type: "note", Payload: []byte(`[]`)}}, eventlog.AppendOptions{})
	require.EqualError(t, err, `eventlog: append "a": payload at byte 0: it is an array, not an object; a payload is one JSON object, such as {"content":"hello"}`)
	_, err = s.Session(t.Context(), "a")
	require.EqualError(t, err, `eventlog: session "a": no such session`)
}

// Two tabs write to one conversation; the second has not seen what the first wrote. A lost answer is asked for again with its key.
func ExampleNewMemStore() {
	ctx := context.Background()
	s := eventlog.NewMemStore()
	defer s.Close()
	if _, err := s.CreateSession(ctx, "paris", "The weather"); err != nil {
		log.Fatal(err)
	}
	said := func(text string) []eventlog.NewEvent {
		payload, err := json.Marshal(map[string]string{"content": text})
		if err != nil {
			log.Fatal(err)
		}
		return []eventlog.NewEvent{{Type: eventlog.TypeUserMessage, Payload: payload}}
	}

	first := eventlog.AppendOptions{Expect: eventlog.ExpectNone(), Key: "first"}
	for range 2 {
		r, err := s.Append(ctx, "paris", said("How warm is it?"), first)
		fmt.Println(r.Events[0].EventID, r.Repeated, err)
	}
	_, err := s.Append(ctx, "paris", said("Is it raining?"), eventlog.AppendOptions{Expect: eventlog.ExpectNone()})
	fmt.Println(err)
	_, err = s.Append(ctx, "paris", said("Is it raining?"), eventlog.AppendOptions{Expect: eventlog.ExpectLast(1)})
	fmt.Println(err)
	for m, err := range s.Messages(ctx, "paris", eventlog.Range{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%d %s: %s\n", m.EventID, m.Message.Role, m.Message.Content)
	}
	// Output:
	// 1 false <nil>
	// 1 true <nil>
	// eventlog: append "paris": the session has moved on: its last event is 1, not none
	// <nil>
	// 1 user: "How warm is it?"
	// 2 user: "Is it raining?"
}
