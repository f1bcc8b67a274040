package sqlstore_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/ncruces/go-sqlite3"
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
		{"full", full, "", false, false, false, 80},
		{"normal", normal, "", false, true, false, 40},
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

// An outcome is what came of cuts.
type outcome struct {
	images, lost int // different ones; events, at most
	faults       []string
	losses       int // of the faults: acknowledged appends that are missing, in a store that is sound
}

func (o outcome) String() string {
	text := fmt.Sprintf("%d images, at most %d events lost, %d faults, %d of them a loss and no damage", o.images, o.lost, len(o.faults), o.losses)
	if len(o.faults) > 0 {
		text += "; the first: " + o.faults[0]
	}
	return text
}

func (o *outcome) add(other outcome) {
	o.images, o.losses = o.images+other.images, o.losses+other.losses
	o.lost = max(o.lost, other.lost)
	o.faults = append(o.faults, other.faults...)
}

// various has a new store do a bit of everything.
func (w *work) various(seed uint64) {
	chance := rand.New(rand.NewPCG(seed, 2))
	const writers, turns = 3, 3
	s := w.open()
	w.create(s, "shared")
	for writer := range writers {
		w.create(s, fmt.Sprint("writer ", writer))
	}
	turn := 0
	together := func(stores ...*sqlstore.Store) {
		var group sync.WaitGroup
		for writer := range writers {
			group.Go(func() {
				for i := range turns {
					w.append(stores[writer%len(stores)], int(seed), writer, turn+i)
				}
			})
		}
		group.Wait()
		turn += turns
	}
	alone := func(s *sqlstore.Store) {
		for range 2 {
			w.append(s, int(seed), chance.IntN(writers), turn)
			turn++
		}
	}
	together(s)
	require.NoError(w.t, w.checkpoint("PASSIVE"))
	alone(s)
	w.large(s, "large")
	require.NoError(w.t, w.checkpoint([]string{"FULL", "RESTART", "TRUNCATE"}[chance.IntN(3)]))
	together(s)
	require.NoError(w.t, s.Rebuild(w.t.Context()))
	alone(s)
	require.NoError(w.t, s.Close())
	s, other := w.open(), w.open()
	together(s, other)
	require.NoError(w.t, s.Close())
	alone(other)
	require.NoError(w.t, w.checkpoint("TRUNCATE"))
	w.create(other, "late")
	alone(other)
	require.NoError(w.t, other.Close())
}

// A work is a store in use, on a tape.
type work struct {
	t      *testing.T
	path   string
	o      sqlstore.Options
	tape   *tape
	ledger *ledger
}

// newWork records all that is done to the files of a new store, on a disk that may fail.
func newWork(t *testing.T, o sqlstore.Options, faults sqlstore.Tap) *work {
	w := &work{t: t, path: newPath(t), tape: &tape{}}
	w.ledger = &ledger{now: w.tape.now}
	sqlstore.NewTapVFS(t, w.path).Tap(w.tape.tap(faults))
	w.o = sqlstore.OnVFS(o, w.path)
	return w
}

func (w *work) open() *sqlstore.Store {
	s, err := sqlstore.Open(w.t.Context(), w.path, w.o)
	require.NoError(w.t, err)
	return s
}

// do does something that has to work. Several goroutines may.
func (w *work) do(s *sqlstore.Store, session, key string, events []eventlog.NewEvent, expect eventlog.Expectation) {
	if err := w.ledger.do(w.t.Context(), s, session, key, events, expect); err != nil {
		w.t.Errorf("%s, %s: %v", session, key, err)
	}
}

func (w *work) create(s *sqlstore.Store, session string) {
	w.do(s, session, "", nil, eventlog.Expectation{})
}

// append appends a turn of a writer.
func (w *work) append(s *sqlstore.Store, round, writer, turn int) {
	session, key, events := crashAppend(round, writer, turn)
	expect := eventlog.Expectation{}
	if session != "shared" { // nobody else writes it
		now, err := s.Session(w.t.Context(), session)
		if err != nil {
			w.t.Errorf("%s: %v", session, err)
		}
		expect = eventlog.ExpectLast(now.LastEventID)
	}
	w.do(s, session, key, events, expect)
}

// large appends a batch of many pages.
func (w *work) large(s *sqlstore.Store, key string) {
	events := []eventlog.NewEvent{event("note", `{"text":"`+strings.Repeat(key, 5000)+`"}`)}
	for i := range 30 {
		events = append(events, event(eventlog.TypeToolCall, fmt.Sprintf(`{"callId":"%d","name":"%s"}`, i, key)))
	}
	w.do(s, "shared", key, events, eventlog.Expectation{})
}

// checkpoint makes a checkpoint as another process would, or tries to. https://sqlite.org/pragma.html#pragma_wal_checkpoint
func (w *work) checkpoint(mode string) error {
	c, err := sqlite3.Open("file:" + w.path + "?vfs=" + w.path)
	if err != nil {
		return err
	}
	return errors.Join(c.Exec("PRAGMA wal_checkpoint("+mode+")"), c.Close())
}

// A cutter cuts the power within a recorded work, in many places, and looks at what comes up.
type cutter struct {
	*work
	mayLose bool // what was acknowledged since the last checkpoint
	lies    bool // the disk
	enough  int  // faults, after which it stops
	chance  *rand.Rand
	outcome outcome
	seen    map[string]bool
}

// cut cuts after each of these numbers of operations, which rise.
func (c *cutter) cut(after []int) {
	dir := c.t.TempDir()
	path := filepath.Join(dir, "log.db")
	sqlstore.NewTapVFS(c.t, path).Tap(func(op *sqlstore.Op, do func() error) error {
		if op.Kind == "sync" { // this machine stays on
			return nil
		}
		return do()
	})
	c.seen = map[string]bool{}
	d := newDisk(c.lies)
	for done, op := range append([]recorded{{}}, c.tape.ops...) {
		if done > 0 {
			d.do(op, c.chance)
		}
		if _, here := slices.BinarySearch(after, done); !here {
			continue
		}
		for _, image := range d.images(c.chance) {
			if c.isNew(image, done) {
				c.comesUp(path, image, done)
			}
			if c.enough > 0 && len(c.outcome.faults) >= c.enough {
				return
			}
		}
	}
}

// checkpointed is when the last checkpoint before a moment began: it first writes the log through. Without one it is 0.
func (t *tape) checkpointed(moment int) int {
	for i, op := range slices.Backward(t.ops[:moment]) {
		if op.Kind == "sync" && strings.HasSuffix(op.Name, "-wal") {
			return i
		}
	}
	return 0
}

// isNew tells whether this image, with this much to expect of it, has not been looked at yet.
func (c *cutter) isNew(i image, moment int) bool {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(i.files)) {
		fmt.Fprintf(h, "%q %d ", name, len(i.files[name]))
		h.Write(i.files[name])
	}
	for _, d := range c.ledger.deeds {
		fmt.Fprint(h, d.begun < moment, d.told <= moment)
	}
	key := string(h.Sum(nil))
	old := c.seen[key]
	c.seen[key] = true
	return !old
}

func (c *cutter) comesUp(path string, i image, moment int) {
	for _, ending := range []string{"", "-journal", "-wal", "-shm"} {
		os.Remove(path + ending)
	}
	for name, content := range i.files {
		require.NoError(c.t, os.WriteFile(filepath.Join(filepath.Dir(path), name), content, 0o600))
	}
	// What is left of memory that was shared is of no use, and nobody may take it for something.
	rubbish := make([]byte, 32<<10)
	for at := range rubbish {
		rubbish[at] = byte(c.chance.Uint32())
	}
	require.NoError(c.t, os.WriteFile(path+"-shm", rubbish, 0o600))
	lost, err := c.check(path, moment)
	c.outcome.images++
	if errors.Is(err, errLost) {
		c.outcome.losses++
	}
	if err != nil {
		c.outcome.faults = append(c.outcome.faults, fmt.Sprintf("after operation %d, %s: %v", moment, i.way, err))
	} else {
		c.outcome.lost = max(c.outcome.lost, lost)
	}
}

func (c *cutter) check(path string, moment int) (lost int, err error) {
	ctx := c.t.Context()
	s, err := sqlstore.Open(ctx, path, sqlstore.OnVFS(sqlstore.Options{Readers: 1}, path))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	must := moment
	if c.mayLose {
		must = c.tape.checkpointed(moment)
	}
	return c.ledger.check(ctx, s, moment, must, c.chance)
}
