package eventlogtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"forgetmenot/eventlog"
)

// OpenStore opens the store that is kept in a folder. The folder exists, and is the store's alone; it is empty the first time. Opening it again,
// after the store was closed, gives the same data.
type OpenStore func(folder string, o eventlog.StoreOptions) (eventlog.Store, error)

// StoreTraits say what is particular about a store. The zero value is a store that keeps its data in its folder for one handle at a time.
type StoreTraits struct {
	// Volatile: the store keeps nothing, so a folder that is opened again is empty.
	Volatile bool
	// Shared: a folder can be open several times at once.
	Shared bool
	// Cases is how many programs are drawn for each property of the exercise, and how many sequences of operations for the model. 0 is 100.
	// Below 51, none of them is long.
	Cases int
	// Patience is how long one check may take before it counts as hung. 0 is two minutes. It is no measure of speed: nothing waits for it
	// in a store that is right.
	Patience time.Duration
}

func (t StoreTraits) withDefaults() StoreTraits {
	if t.Cases <= 0 {
		t.Cases = 100
	}
	if t.Patience <= 0 {
		t.Patience = 2 * time.Minute
	}
	return t
}

// RunStore holds a store against the whole contract of eventlog.Store: the properties of the exercise, below "properties", and what only stores
// have, one subtest for each row of StoreChecks. It takes at most one StoreTraits.
//
//	func TestStore(t *testing.T) {
//		eventlogtest.RunStore(t, func(folder string, o eventlog.StoreOptions) (eventlog.Store, error) {
//			return mystore.Open(filepath.Join(folder, "log.db"), o)
//		})
//	}
func RunStore(t *testing.T, open OpenStore, traits ...StoreTraits) {
	var own StoreTraits
	for _, t := range traits {
		own = t
	}
	own = own.withDefaults()
	t.Run("properties", func(t *testing.T) {
		runProperties(t, NewStoreRunner(t.TempDir(), open), own.Cases)
	})
	for _, c := range StoreChecks() {
		t.Run(c.Name, func(t *testing.T) {
			if why := c.skipped(own); why != "" {
				t.Skip(why)
			}
			if err := c.Check(t.Context(), t.TempDir(), open, own); err != nil {
				t.Fatalf("%v\n%s", err, c.Explanation)
			}
		})
	}
}

// A StoreCheck is one thing that every store promises.
type StoreCheck struct {
	Name        string // kebab-case
	Explanation string // what is promised

	check   func(*lab)
	reopens bool // it needs a store that keeps its data
	shares  bool // and one that can be open several times
}

func (c StoreCheck) skipped(t StoreTraits) string {
	switch {
	case t.Volatile && (c.reopens || c.shares):
		return "the store keeps nothing"
	case c.shares && !t.Shared:
		return "one folder, one handle"
	}
	return ""
}

// Check holds a store against this promise. It answers what is wrong, or nil; a promise that the traits rule out is kept. Folders are made
// below the given one. A check that has not ended in time is given up and left behind.
func (c StoreCheck) Check(ctx context.Context, folder string, open OpenStore, traits StoreTraits) error {
	traits = traits.withDefaults()
	if c.skipped(traits) != "" {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l := &lab{ctx: ctx, cancel: cancel, open: open, folder: folder, traits: traits}
	ended := make(chan error, 1)
	go func() { ended <- l.perform(c.check) }()
	patience := time.NewTimer(traits.Patience)
	defer patience.Stop()
	select {
	case err := <-ended:
		return err
	case <-patience.C:
		return fmt.Errorf("%w after %v, in:\n%s", ErrHung, traits.Patience, stacks(c.check))
	}
}

// ErrHung is the error of a check that did not come to its end.
var ErrHung = errors.New("the store hangs: still waiting")

// perform runs a check and closes whatever it has opened.
func (l *lab) perform(check func(*lab)) error {
	err := caught(func() { check(l) })
	if closing := caught(l.closeAll); err == nil {
		err = closing
	}
	return err
}

// A failure is what a check panics with to end itself.
type failure struct{ error }

func failf(format string, args ...any) { panic(failure{fmt.Errorf(format, args...)}) }

func caught(f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case failure:
			err = p.error
		default:
			err = fmt.Errorf("the store panics: %v\n%s", p, debug.Stack())
		}
	}()
	f()
	return nil
}

// stacks tells where the goroutines of a check are.
func stacks(check func(*lab)) []byte {
	name := []byte(runtime.FuncForPC(reflect.ValueOf(check).Pointer()).Name())
	text := make([]byte, 1<<20)
	text = text[:runtime.Stack(text, true)]
	var own [][]byte
	for one := range bytes.SplitSeq(text, []byte("\n\n")) {
		if bytes.Contains(one, name) && len(own) < 4 {
			own = append(own, one)
		}
	}
	return bytes.Join(own, []byte("\n\n"))
}
