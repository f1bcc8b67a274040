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
	"strings"

	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

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
		if op.Kind == "sync" && !op.failed && strings.HasSuffix(op.Name, "-wal") {
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
