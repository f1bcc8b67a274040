package sqlstore_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

// powerSeeds makes the test longer: that many workloads, and a cut after every operation of each. Else it is one, with some cuts.
const powerSeeds = "FORGETMENOT_POWER_SEEDS"

// However the power goes, a store comes up with all that it acknowledged, or with what its setting promises; and the same check finds the loss when
// the disk does not keep its word, so that it would find it elsewhere.
func TestPowerCut(t *testing.T) {
	const often = "PRAGMA wal_autocheckpoint = 20" // pages; so that there are many checkpoints
	full, normal := sqlstore.Options{}, sqlstore.Options{Synchronous: sqlstore.Normal}
	for _, tt := range []struct {
		name    string
		o       sqlstore.Options
		pragma  string
		lies    bool // the disk
		mayLose bool // what was acknowledged since the last checkpoint
		fails   bool
		cuts    int // in the short test
	}{
		{"full", full, "", false, false, false, 50},
		{"normal", normal, "", false, true, false, 30},
		{"full, on a disk that lies", full, "", true, false, true, 40},
		{"normal, on a disk that lies", normal, "", true, true, true, 40},
		{"off", full, "; PRAGMA synchronous = 0", false, false, true, 40},
		{"off, and loss allowed", full, "; PRAGMA synchronous = 0", false, true, true, 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if raceDetector && tt.mayLose && tt.fails {
				t.Skip("too slow with -race")
			}
			seeds, long := 1, false
			if n, err := strconv.Atoi(os.Getenv(powerSeeds)); err == nil {
				seeds, long = n, true
				t.Parallel()
			}
			var total outcome
			for seed := range uint64(seeds) {
				w := newWork(t, sqlstore.Tuned(tt.o, often+tt.pragma), works)
				w.various(seed)
				c := &cutter{work: w, lies: tt.lies, mayLose: tt.mayLose, chance: rand.New(rand.NewPCG(seed, 1))}
				end := len(w.tape.ops)
				cuts := c.chance.Perm(end)
				switch {
				case raceDetector:
					cuts = cuts[:2]
				case !long:
					cuts = cuts[:tt.cuts]
				case tt.fails:
					cuts = cuts[:len(cuts)/4]
				}
				if tt.fails && !long {
					c.enough = 1
				}
				cuts = append(cuts, end) // where a disk that kept nothing has lost everything, so that nothing hangs on chance
				slices.Sort(cuts)
				c.cut(cuts)
				total.add(c.outcome)
				t.Logf("workload %d: %d operations, %d cuts, %v", seed, end, len(cuts), c.outcome)
			}
			require.Positive(t, total.images)
			if tt.fails {
				require.NotEmpty(t, total.faults, "the check has found nothing: it proves nothing")
			} else {
				require.Empty(t, total.faults)
			}
		})
	}
}

// A system that could not write something through says so once, may forget what it was, and calls the next sync a success
// (https://www.usenix.org/conference/atc20/presentation/rebello). With Full nothing acknowledged hangs on that: what a failed commit has written, the
// next one writes again. With Normal a checkpoint can believe the second sync, and a power cut then damages the file: the package's
// documentation says so, and the check must see it.
func TestPowerCutAfterFailedSync(t *testing.T) {
	long := os.Getenv(powerSeeds) != ""
	for _, tt := range []struct {
		name    string
		o       sqlstore.Options
		lasting bool // it fails until the disk is mended
	}{
		{"full", sqlstore.Options{}, false},
		{"full, for long", sqlstore.Options{}, true},
		{"normal", sqlstore.Options{Synchronous: sqlstore.Normal}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			normal := tt.o.Synchronous == sqlstore.Normal
			if normal && !long {
				t.Skip("it takes many cuts to meet: see " + powerSeeds)
			}
			b := breakage{name: "a sync fails", ops: []string{"sync"}, err: syscall.EIO, lasting: tt.lasting, kind: eventlog.ErrIO}
			sane := &broken{breakage: b, at: never}
			newFragile(t, tt.o, sane).run(0)
			chance := rand.New(rand.NewPCG(0, 5))
			syncs, cuts := chance.Perm(sane.count), 30
			switch {
			case raceDetector:
				syncs, cuts = syncs[:1], 1
			case !long:
				syncs, cuts = syncs[:4], 6
			}
			var total outcome
			for _, at := range syncs {
				f := newFragile(t, tt.o, &broken{breakage: b, at: at})
				f.what = fmt.Sprintf("sync %d fails", at)
				f.run(0)
				c := &cutter{work: f.work, mayLose: normal, chance: chance}
				// Until the first acknowledgement the store is being made, and what cannot be opened can be removed.
				first := f.ledger.deeds[0].told
				here := chance.Perm(f.end - first)[:cuts]
				for i := range here {
					here[i] += first
				}
				slices.Sort(here)
				c.cut(here)
				total.add(c.outcome)
			}
			t.Logf("%d failed syncs: %v", len(syncs), total)
			require.Positive(t, total.images)
			if normal {
				require.NotEmpty(t, total.faults)
			} else {
				require.Empty(t, total.faults)
			}
		})
	}
}
