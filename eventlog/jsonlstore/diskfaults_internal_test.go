package jsonlstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"forgetmenot/eventlog"

	"github.com/stretchr/testify/require"
)

// A failing is a way in which a deed can fail.
type failing struct {
	name string
	err  error
	part int  // of a write, that is written all the same
	on   bool // and all that follow
}

var failings = []failing{
	{"the disk fails", syscall.EIO, 0, false},
	{"there is no room", syscall.ENOSPC, 0, false},
	{"there is room for a part", syscall.ENOSPC, 150, false},
	{"the disk fails from then on", syscall.EIO, 0, true},
	{"the disk is full from then on", syscall.ENOSPC, 600, true},
}

// failAt makes the work of a worker fail at its nth deed.
func (f failing) failAt(n int) func(int, deed) (int, error) {
	return func(number int, _ deed) (int, error) {
		if number == n || f.on && number > n {
			return f.part, f.err
		}
		return 0, nil
	}
}

// afterFaults lets every deed of a day's work fail, in every way, and looks at what is left, at once and after a power cut.
func afterFaults(o Options, is twin) error {
	well := &worker{disk: newDisk(), o: o}
	if err := well.work(); err != nil {
		return err
	}
	step := 1
	if RaceDetector {
		step = 7
	}
	for n := 0; n < len(well.disk.done); n += step {
		for _, f := range failings {
			w := &worker{disk: newDisk(), o: o}
			w.disk.twin = is
			w.disk.fail = f.failAt(n)
			w.work()
			w.disk.fail = nil
			var told []any
			for _, d := range w.disk.done {
				if d.kind == "told" {
					told = append(told, d.told)
				}
			}
			for _, a := range w.attempts {
				if err := typed(a.err); err != nil {
					return fmt.Errorf("%s at deed %d: append %s: %w", f.name, n, a.key, err)
				}
			}
			cut := &worker{disk: w.disk.afterCut(len(w.disk.done), byChance(rand.New(rand.NewPCG(uint64(n), 0)))), o: o, attempts: w.attempts}
			cut.disk.twin = is
			if err := w.holds(told); err != nil {
				return fmt.Errorf("%s at deed %d: %w", f.name, n, err)
			}
			if err := cut.holds(told); err != nil {
				return fmt.Errorf("%s at deed %d, and then the power: %w", f.name, n, err)
			}
		}
	}
	return nil
}

// typed tells whether an error is one that the contract knows.
func typed(err error) error {
	if err == nil {
		return nil
	}
	var own *eventlog.StoreError
	if !errors.As(err, &own) {
		return fmt.Errorf("the error is a %T: %w", err, err)
	}
	for _, kind := range []error{eventlog.ErrFull, eventlog.ErrIO} {
		if errors.Is(err, kind) && own.Mend != "" {
			return nil
		}
	}
	if errors.Is(err, eventlog.ErrNoSession) {
		return nil // it could not be made
	}
	return fmt.Errorf("the error has no kind, or no mend: %w", err)
}

// Whatever fails, a caller is told; and what others were told is there.
func TestDiskFaults(t *testing.T) {
	for name, o := range storeKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, afterFaults(o, ""))
		})
	}
}

func TestDiskFaultsBite(t *testing.T) {
	fault := afterFaults(Options{}, noRollback)
	require.Error(t, fault)
	require.Regexp(t, "holds events that no store has published|damaged", fault.Error())
}

// sick is a store with a session whose disk fails as told, and then no more.
func sick(t *testing.T, fail func(number int, d deed) (int, error)) (*worker, *Store) {
	w := &worker{disk: newDisk()}
	s, err := w.open()
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	require.NoError(t, w.create(s, "a"))
	require.NoError(t, w.create(s, "b"))
	require.NoError(t, w.append(s, "a", 2))
	w.disk.fail = fail
	return w, s
}

// A full disk refuses, and takes again when there is room.
func TestDiskFull(t *testing.T) {
	w, s := sick(t, func(_ int, d deed) (int, error) {
		if d.kind == "write" && d.offset > 0 {
			return 20, syscall.ENOSPC
		}
		return 0, nil
	})
	err := w.append(s, "a", 3)
	require.ErrorIs(t, err, eventlog.ErrFull)
	require.ErrorContains(t, err, "make room")
	w.disk.fail = nil
	require.NoError(t, w.append(s, "a", 3))
	require.NoError(t, w.append(s, "b", 1))
}

// After an fsync that failed, a session takes nothing until the store is opened again, and the other sessions go on.
func TestFsyncFails(t *testing.T) {
	failed := false
	w, s := sick(t, func(_ int, d deed) (int, error) {
		if d.kind == "sync" && !failed {
			failed = true
			return 0, syscall.EIO
		}
		return 0, nil
	})
	for range 2 {
		err := w.append(s, "a", 1)
		require.ErrorIs(t, err, eventlog.ErrIO)
		require.ErrorContains(t, err, "open the store again")
	}
	require.NoError(t, w.append(s, "b", 1))
	events, err := whole(s.Events(context.Background(), "a", eventlog.Range{}))
	require.NoError(t, err)
	require.Len(t, events, 2)
	require.NoError(t, s.Close())
	s, err = w.open()
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, w.append(s, "a", 1))
}

// When the file cannot be made as long as it was, nobody knows how things stand, and the store takes nothing at all until it is opened again.
func TestNothingCanBeTakenBack(t *testing.T) {
	w, s := sick(t, func(_ int, d deed) (int, error) {
		if d.kind == "sync" || d.kind == "truncate" {
			return 0, syscall.EIO
		}
		return 0, nil
	})
	require.ErrorIs(t, w.append(s, "a", 1), eventlog.ErrIO)
	w.disk.fail = nil
	require.ErrorIs(t, w.append(s, "b", 1), eventlog.ErrIO)
	// Another store on the folder finds the append, which is whole, makes it durable, and only then shows it.
	other, err := w.open()
	require.NoError(t, err)
	defer other.Close()
	events, err := whole(other.Events(context.Background(), "a", eventlog.Range{}))
	require.NoError(t, err)
	require.Len(t, events, 3)
	after := &worker{disk: w.disk.afterCut(len(w.disk.done), dropped)}
	s, err = after.open()
	require.NoError(t, err)
	defer s.Close()
	events, err = whole(s.Events(context.Background(), "a", eventlog.Range{}))
	require.NoError(t, err)
	require.Len(t, events, 3)
}
