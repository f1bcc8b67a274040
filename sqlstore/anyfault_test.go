package sqlstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

// faultSeeds makes the test longer: that many works, and a fault at every operation of each. Else it is one, with some faults.
const faultSeeds = "FORGETMENOT_FAULT_SEEDS"

// A breakage is a way in which a disk fails.
type breakage struct {
	name    string
	ops     []string // that can fail so
	err     error
	short   bool // half of the write is done
	lasting bool // until somebody sees to it
	kind    error
}

func breakages() (all []breakage) {
	changes := []string{"open", "write", "grow", "truncate", "sync", "delete"}
	for _, lasting := range []bool{false, true} {
		for _, b := range []breakage{
			{name: "a read fails", ops: []string{"read"}, err: syscall.EIO, kind: eventlog.ErrIO},
			{name: "a change fails", ops: changes, err: syscall.EIO, kind: eventlog.ErrIO},
			{name: "a write is cut short", ops: []string{"write"}, err: syscall.EIO, short: true, kind: eventlog.ErrIO},
			{name: "the disk is full", ops: []string{"open", "write", "grow"}, err: syscall.ENOSPC, kind: eventlog.ErrFull},
			{name: "the disk is full within a write", ops: []string{"write"}, err: syscall.ENOSPC, short: true, kind: eventlog.ErrFull},
			{name: "the disk turns out to be full", ops: []string{"sync"}, err: syscall.ENOSPC, kind: eventlog.ErrIO},
			{name: "a sync fails", ops: []string{"sync"}, err: syscall.EIO, kind: eventlog.ErrIO},
		} {
			if b.lasting = lasting; lasting {
				b.name += ", and goes on to"
			}
			all = append(all, b)
		}
	}
	return all
}

// A broken disk fails at the operation with a number, counted from 0 among those that can.
type broken struct {
	breakage
	mu    sync.Mutex
	at    int
	count int
	hit   bool
	mends bool // somebody has seen to it
}

func (b *broken) tap(op *sqlstore.Op, do func() error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mends || !slices.Contains(b.ops, op.Kind) {
		return do()
	}
	number := b.count
	b.count++
	if number < b.at || number > b.at && !b.lasting {
		return do()
	}
	b.hit = true
	if b.short {
		op.Data = op.Data[:len(op.Data)/2]
		do()
	}
	return b.err
}

func (b *broken) mend() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mends = true
}

func (b *broken) failing() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hit && b.lasting && !b.mends
}

// Whatever operation a disk fails in, once or until it is mended: the store says what happened, leaves nothing half done, loses nothing that it
// acknowledged, and goes on when the cause is gone.
func TestAnyFault(t *testing.T) {
	for _, b := range breakages() {
		t.Run(b.name, func(t *testing.T) {
			if raceDetector && b.name != "a change fails" {
				t.Skip("too slow with -race")
			}
			seeds, long := 1, false
			if n, err := strconv.Atoi(os.Getenv(faultSeeds)); err == nil {
				seeds, long = n, true
				t.Parallel()
			}
			tried := 0
			for seed := range uint64(seeds) {
				chance := rand.New(rand.NewPCG(seed, 3))
				o := sqlstore.Options{Synchronous: sqlstore.Synchronous(seed % 2)}
				sane := &broken{breakage: b, at: never}
				newFragile(t, o, sane).run(seed)
				at := chance.Perm(sane.count)
				switch {
				case raceDetector:
					at = at[:2]
				case !long:
					at = at[:3]
				}
				for _, at := range at {
					disk := &broken{breakage: b, at: at}
					f := newFragile(t, o, disk)
					f.what = fmt.Sprintf("%s, operation %d of workload %d", b.name, at, seed)
					f.run(seed)
					require.True(t, disk.hit, f.what)
					tried++
				}
			}
			t.Logf("%d faults", tried)
		})
	}
}

// A fragile is a work on a disk that fails.
type fragile struct {
	*work
	disk *broken
	what string
	end  int // of the work on the tape; what follows is its check
}

func newFragile(t *testing.T, o sqlstore.Options, disk *broken) *fragile {
	o.Readers = 1
	return &fragile{newWork(t, sqlstore.Tuned(o, "PRAGMA wal_autocheckpoint = 20"), disk.tap), disk, "no fault", 0}
}

// run has a new store do a bit of everything, one thing at a time, so that the operations are the same each time.
func (f *fragile) run(seed uint64) {
	ctx := f.t.Context()
	s := f.opened()
	for _, session := range []string{"shared", "writer 0"} {
		f.insist(s, f.ledger.begin(session, "", nil))
	}
	turn := 0
	turns := func(n int) {
		for range n {
			session, key, events := crashAppend(int(seed), 0, turn)
			f.insist(s, f.ledger.begin(session, key, events))
			turn++
		}
	}
	turns(3 + int(seed%3))
	if err := f.checkpoint("PASSIVE"); err != nil {
		require.True(f.t, f.disk.hit, err)
	}
	turns(2)
	f.until(s, func() error { return s.Rebuild(ctx) })
	turns(2)
	if err := s.Close(); err != nil {
		f.typed(err)
		f.disk.mend()
	}
	s = f.opened()
	turns(2)
	if err := s.Close(); err != nil {
		f.typed(err)
	}
	f.disk.mend()

	f.end = f.tape.now()
	s = f.opened()
	_, err := f.ledger.check(ctx, s, f.end, f.end, rand.New(rand.NewPCG(seed, 4)))
	require.NoError(f.t, err, f.what)
	require.NoError(f.t, s.Close(), f.what)
}

// until tries until it works, which must be at once when the disk does; while it does not there is no more than one more try.
func (f *fragile) until(s *sqlstore.Store, try func() error) {
	for attempt := range 3 {
		err := try()
		if err == nil {
			return
		}
		f.typed(err)
		f.whole(s)
		if attempt == 1 {
			require.True(f.t, f.disk.failing(), "%s: the disk works again, and the store does not: %v", f.what, err)
			f.disk.mend()
		}
	}
	f.t.Fatalf("%s: the disk was mended, and the store does not work", f.what)
}

func (f *fragile) opened() (s *sqlstore.Store) {
	f.until(nil, func() (err error) {
		s, err = sqlstore.Open(f.t.Context(), f.path, f.o)
		return err
	})
	return s
}

func (f *fragile) insist(s *sqlstore.Store, d *deed) {
	f.until(s, func() error {
		err := f.ledger.try(f.t.Context(), s, d, eventlog.Expectation{})
		if d.events == nil && errors.Is(err, eventlog.ErrSessionExists) {
			d.told = f.tape.now() // the first try made it
			return nil
		}
		if err != nil && !errors.Is(err, eventlog.ErrIO) {
			f.surelyOut(d)
		}
		return err
	})
}

// typed tells whether an error is what the package promises.
func (f *fragile) typed(err error) {
	var own *eventlog.StoreError
	require.ErrorAs(f.t, err, &own, f.what)
	require.NotEmpty(f.t, own.Mend, "%s: %v", f.what, err)
	require.ErrorIs(f.t, err, f.disk.kind, f.what)
	require.True(f.t, f.disk.hit, "%s: nothing failed: %v", f.what, err)
}

// whole looks at a store that has just failed: what it told is there, and no half of anything is.
func (f *fragile) whole(s *sqlstore.Store) {
	if s == nil {
		return
	}
	found, err := f.ledger.look(f.t.Context(), s)
	if err != nil && f.disk.failing() {
		f.typed(err)
		return
	}
	require.NoError(f.t, err, f.what)
	for _, d := range f.ledger.deeds {
		require.True(f.t, d.told == never || found.has(d), "%s: %v was acknowledged, and cannot be read", f.what, d)
	}
}

// surelyOut looks at what there would be if the process died now: an append of which the error says that it was not written is not there.
func (f *fragile) surelyOut(d *deed) {
	path := filepath.Join(f.t.TempDir(), "log.db")
	for _, ending := range []string{"", "-wal", "-journal"} {
		if content, err := os.ReadFile(f.path + ending); err == nil {
			require.NoError(f.t, os.WriteFile(path+ending, content, 0o600))
		}
	}
	s, err := sqlstore.Open(f.t.Context(), path, sqlstore.Options{})
	require.NoError(f.t, err, f.what)
	found, err := f.ledger.look(f.t.Context(), s)
	require.NoError(f.t, err, f.what)
	require.NoError(f.t, s.Close())
	require.False(f.t, found.has(d), "%s: the error says that %v was not written, and after a crash it is there", f.what, d)
}
