package jsonlstore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"forgetmenot/eventlog"

	"github.com/stretchr/testify/require"
)

// An attempt is an append that was begun, and what became of it.
type attempt struct {
	session, key string
	events       []eventlog.NewEvent
	stored       []eventlog.StoredEvent // what the caller was told
	err          error
}

// A made is that a caller was told of a session.
type made string

// A worker does things to a store on a disk, and writes down what it was told.
type worker struct {
	disk *disk
	o    Options

	mu       sync.Mutex
	attempts []attempt
}

func (w *worker) open() (*Store, error) { return openIn(context.Background(), w.disk, "/disk", w.o) }

func (w *worker) create(s *Store, id string) error {
	_, err := s.CreateSession(context.Background(), id, "about "+id)
	if err == nil || errors.Is(err, eventlog.ErrSessionExists) {
		w.disk.told(made(id))
	}
	return err
}

// append appends events of which the largest are larger than a sector.
func (w *worker) append(s *Store, id string, events int) error {
	w.mu.Lock()
	a := attempt{session: id, key: "k" + strconv.Itoa(len(w.attempts))}
	at := len(w.attempts)
	for i := range events {
		a.events = append(a.events, eventlog.NewEvent{Type: "note", Payload: fmt.Appendf(nil, `{"attempt":%d,"n":%d,"x":"%s"}`, at, i, strings.Repeat("x", at*97%900))})
	}
	w.attempts = append(w.attempts, a)
	w.mu.Unlock()
	r, err := s.Append(context.Background(), id, a.events, eventlog.AppendOptions{Key: a.key})
	w.mu.Lock()
	w.attempts[at].stored, w.attempts[at].err = r.Events, err
	a = w.attempts[at]
	w.mu.Unlock()
	if err == nil {
		w.disk.told(a)
	}
	return err
}

// work is a day in the life of a store: sessions, appends small and large, one after the other and at once, and a second opening.
func (w *worker) work() error {
	var failed []error
	note := func(err error) { failed = append(failed, err) }
	for day := range 2 {
		s, err := w.open()
		if err != nil {
			note(err)
			continue
		}
		ids := []string{"a", "B/b", strings.Repeat("c", 300)}
		for i, id := range ids {
			if day == 0 {
				note(w.create(s, id))
			}
			note(w.append(s, id, 1+2*i))
		}
		note(w.append(s, ids[0], 1))
		var crowd sync.WaitGroup
		var mu sync.Mutex
		for i := range 4 {
			crowd.Go(func() {
				err := w.append(s, ids[i%3], 1+i%2)
				mu.Lock()
				defer mu.Unlock()
				note(err)
			})
		}
		crowd.Wait()
		note(w.append(s, ids[1], 4))
		note(s.Close())
	}
	return errors.Join(failed...)
}

func whole[T any](seq iter.Seq2[T, error]) (list []T, err error) {
	for item, failed := range seq {
		if failed != nil {
			return list, failed
		}
		list = append(list, item)
	}
	return list, nil
}

// holds checks that a disk holds what callers were told, and nothing by half; that writing goes on; and that all this is so when it is opened again.
func (w *worker) holds(told []any) error {
	told = append([]any(nil), told...)
	ctx := context.Background()
	for round := range 3 {
		s, err := w.open()
		if err != nil {
			return fmt.Errorf("round %d: it does not open: %w", round, err)
		}
		defer s.Close()
		if damaged := s.Damaged(); len(damaged) > 0 {
			return fmt.Errorf("round %d: damaged: %v", round, damaged)
		}
		last, err := w.holdsJust(s, told)
		if err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		sessions, err := whole(s.Sessions(ctx, eventlog.ByCreation, eventlog.SessionCursor{}))
		if err != nil {
			return err
		}
		for _, session := range sessions {
			a := attempt{session: session.ID, key: fmt.Sprint("after ", round), events: []eventlog.NewEvent{{Type: "note", Payload: fmt.Appendf(nil, `{"after":%d}`, round)}}}
			r, err := s.Append(ctx, a.session, a.events, eventlog.AppendOptions{Key: a.key, Expect: eventlog.ExpectLast(session.LastEventID)})
			if err != nil {
				return fmt.Errorf("round %d: it takes nothing more: %w", round, err)
			}
			if r.Events[0].EventID <= last {
				return fmt.Errorf("round %d: event %d comes after event %d", round, r.Events[0].EventID, last)
			}
			last = r.Events[0].EventID
			a.stored = r.Events
			told = append(told, a)
		}
		id := made(fmt.Sprint("later ", round))
		if _, err := s.CreateSession(ctx, string(id), ""); err != nil {
			return fmt.Errorf("round %d: it takes no session: %w", round, err)
		}
		told = append(told, id)
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) holdsJust(s *Store, told []any) (last int64, err error) {
	ctx := context.Background()
	all, err := whole(s.All(ctx, eventlog.Range{}))
	if err != nil {
		return 0, err
	}
	at := map[int64]eventlog.StoredEvent{}
	of := map[string][]int64{}
	for _, e := range all {
		if e.EventID <= last {
			return 0, fmt.Errorf("event %d comes after event %d", e.EventID, last)
		}
		last = e.EventID
		at[e.EventID] = e
		of[e.SessionID+string(e.Payload)] = append(of[e.SessionID+string(e.Payload)], e.EventID)
	}
	for _, one := range told {
		switch one := one.(type) {
		case made:
			if _, err := s.Session(ctx, string(one)); err != nil {
				return 0, fmt.Errorf("session %.20q was made and is lost: %w", string(one), err)
			}
		case attempt:
			for i, e := range one.stored {
				if got := at[e.EventID]; string(got.Payload) != string(one.events[i].Payload) || got.SessionID != one.session {
					return 0, fmt.Errorf("event %d of %.20q, append %s, was acknowledged and is lost", e.EventID, one.session, one.key)
				}
			}
		}
	}
	for _, a := range w.attempts {
		var ids []int64
		for _, e := range a.events {
			ids = append(ids, of[a.session+string(e.Payload)]...)
		}
		if len(ids) != 0 && len(ids) != len(a.events) {
			return 0, fmt.Errorf("append %s to %.20q has %d events and left %d", a.key, a.session, len(a.events), len(ids))
		}
		if _, err := s.Session(ctx, a.session); errors.Is(err, eventlog.ErrNoSession) && len(ids) == 0 {
			continue
		}
		if len(ids) > 0 && errors.Is(a.err, eventlog.ErrFull) {
			return 0, fmt.Errorf("append %s to %.20q was refused for want of room, and is in", a.key, a.session)
		}
		// The key tells.
		if len(ids) > 0 {
			r, err := s.Append(ctx, a.session, a.events, eventlog.AppendOptions{Key: a.key, Expect: eventlog.ExpectLast(1 << 60)})
			if err != nil || !r.Repeated || r.Events[0].EventID != ids[0] {
				return 0, fmt.Errorf("append %s to %.20q is in, and its key does not tell: %w", a.key, a.session, err)
			}
		} else if _, err := s.Append(ctx, a.session, a.events, eventlog.AppendOptions{Key: a.key, Expect: eventlog.ExpectLast(1 << 60)}); !errors.Is(err, eventlog.ErrConflict) {
			return 0, fmt.Errorf("append %s to %.20q is not in, and its key says something else: %w", a.key, a.session, err)
		}
	}
	return last, nil
}

var storeKinds = map[string]Options{"plain": {}, "packed": {Compress: true}}

// afterCuts cuts the power behind every deed of a disk, in several ways, and answers the first fault that is found, and how many states were tried.
func (w *worker) afterCuts(seeds int) (tried int, fault error) {
	for n := range len(w.disk.done) + 1 {
		var told []any
		for _, d := range w.disk.done[:n] {
			if d.kind == "told" {
				told = append(told, d.told)
			}
		}
		fates := []fate{kept, dropped}
		for seed := range seeds {
			fates = append(fates, byChance(rand.New(rand.NewPCG(uint64(seed), uint64(n)))))
		}
		for i, f := range fates {
			tried++
			after := &worker{disk: w.disk.afterCut(n, f), o: w.o, attempts: w.attempts}
			after.disk.twin = w.disk.twin
			if err := after.holds(told); err != nil {
				return tried, fmt.Errorf("after %d deeds, in way %d: %w", n, i, err)
			}
		}
	}
	return tried, nil
}

// powerSeeds makes the test longer: the number of ways by chance behind each deed.
const powerSeeds = "FORGETMENOT_POWER_SEEDS"

// A power cut, at any moment, takes nothing that was acknowledged, and leaves nothing by half.
func TestPowerCut(t *testing.T) {
	seeds := 4
	if RaceDetector {
		seeds = 1
	}
	if n, err := strconv.Atoi(os.Getenv(powerSeeds)); err == nil {
		seeds = n
	}
	for name, o := range storeKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &worker{disk: newDisk(), o: o}
			require.NoError(t, w.work())
			tried, fault := w.afterCuts(seeds)
			require.NoError(t, fault)
			t.Logf("%d deeds, %d states", len(w.disk.done), tried)
		})
	}
}

// The check finds stores, and disks, that are built wrong.
func TestPowerCutBites(t *testing.T) {
	for _, tt := range []struct {
		twin twin
		says string
	}{
		{lyingSync, ""}, // what the first cut leaves is lost, or not even a header
		{noNameSync, "lost"},
		{weld, "damaged"},
		{overwrites, "damaged"},
	} {
		t.Run(string(tt.twin), func(t *testing.T) {
			t.Parallel()
			w := &worker{disk: newDisk()}
			w.disk.twin = tt.twin
			require.NoError(t, w.work())
			_, fault := w.afterCuts(20)
			require.ErrorContains(t, fault, tt.says)
		})
	}
}

// Without a sync nothing acknowledged outlives a power cut for certain, and the receipt says so; what is left is whole all the same.
func TestPowerCutNormal(t *testing.T) {
	w := &worker{disk: newDisk(), o: Options{Synchronous: Normal, StoreOptions: eventlog.StoreOptions{Now: func() time.Time { return time.UnixMilli(1) }}}}
	require.NoError(t, w.work())
	for _, a := range w.attempts {
		require.NoError(t, a.err)
	}
	_, fault := w.afterCuts(0)
	require.ErrorContains(t, fault, "lost")
	all := &worker{disk: w.disk.afterCut(len(w.disk.done), kept), o: w.o, attempts: w.attempts}
	require.NoError(t, all.holds(nil))
}
