package sqlstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/ncruces/go-sqlite3"
	"github.com/stretchr/testify/require"
)

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
