package eventlogtest_test

import (
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/eventlogtest"

	"github.com/stretchr/testify/require"
)

// broken is the opener of a store with a fault, and its traits.
func (f storeFault) broken() (eventlogtest.OpenStore, eventlogtest.StoreTraits) {
	right, traits := eventlogtest.OpenStore(openMemStore), eventlogtest.StoreTraits{Volatile: true}
	if f.keeps {
		right, traits = newShelf().open, eventlogtest.StoreTraits{Shared: true}
	}
	if f.hangs {
		traits.Patience = 300 * time.Millisecond
	}
	return func(folder string, o eventlog.StoreOptions) (eventlog.Store, error) {
		s, err := right(folder, o)
		if err != nil {
			return nil, err
		}
		b := &bent{Store: s}
		f.change(s, b)
		return b, nil
	}, traits
}

func storeCheck(t *testing.T, name string) eventlogtest.StoreCheck {
	t.Helper()
	for _, c := range eventlogtest.StoreChecks() {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check %s", name)
	return eventlogtest.StoreCheck{}
}

// Every fault is found by the check that names it, and every check finds one.
func TestEachBrokenStoreIsCaughtByTheCheckThatNamesItsFault(t *testing.T) {
	caught := map[string]bool{}
	for _, f := range storeFaults {
		t.Run(f.check+"/"+f.name, func(t *testing.T) {
			caught[f.check] = true
			open, traits := f.broken()
			err := storeCheck(t, f.check).Check(t.Context(), t.TempDir(), open, traits)
			require.Error(t, err)
			if f.hangs {
				require.ErrorIs(t, err, eventlogtest.ErrHung)
				require.ErrorContains(t, err, "eventlogtest.check", "where it hangs")
			} else {
				require.NotErrorIs(t, err, eventlogtest.ErrHung)
			}
		})
	}
	names := map[string]bool{}
	for _, c := range eventlogtest.StoreChecks() {
		require.False(t, names[c.Name], "two checks are called %s", c.Name)
		require.True(t, caught[c.Name], "no broken store shows that %s can fail", c.Name)
		require.NotEmpty(t, c.Explanation)
		names[c.Name] = true
	}
}

// The model's smallest sequence, to the letter: four keys, and the first of them again.
func TestTheSmallestSequenceOfSteps(t *testing.T) {
	f := storeFaults[len(storeFaults)-1]
	require.Equal(t, "only the last three keys are remembered", f.name)
	open, traits := f.broken()
	err := storeCheck(t, "model").Check(t.Context(), t.TempDir(), open, traits)
	require.EqualError(t, err, `step 6, append again: number 1 is
  event 2 of session "A": "note" "{\"n\":1}" at 1970-01-01T00:00:00Z
it should be
  event 1 of session "A": "note" "{\"n\":1}" at 1970-01-01T00:00:00Z
after these steps:
  create session "A" title "t"
  append to "A" "note" "{\"n\":1}", expecting none, key "k\x00"
  append to "e\u0301", expecting first, key "k"
  append to "A", expecting first, key "K"
  append to "a", expecting any, key "k"
  append to "A" "note" "{\"n\":1}", expecting none, key "k\x00"`)
}
