package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

// A ledger is what was asked of a store, and what it told: what a store that comes up after a failure is held against.
type ledger struct {
	mu    sync.Mutex
	now   func() int // the moment, as a number of operations
	deeds []*deed
}

// A deed makes a session, or appends to one.
type deed struct {
	session, key string
	events       []eventlog.NewEvent    // none when it makes the session
	stored       []eventlog.StoredEvent // what the receipt said
	begun        int
	told         int // when it was acknowledged; never is not
}

const never = int(^uint(0) >> 1)

func (d *deed) String() string {
	if d.events == nil {
		return fmt.Sprintf("session %q", d.session)
	}
	return fmt.Sprintf("append %q", d.key)
}

// begin notes what is going to be asked.
func (l *ledger) begin(session, key string, events []eventlog.NewEvent) *deed {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := &deed{session: session, key: key, events: events, begun: l.now(), told: never}
	l.deeds = append(l.deeds, d)
	return d
}

// try asks a store for it, and notes what it answers.
func (l *ledger) try(ctx context.Context, s *sqlstore.Store, d *deed, expect eventlog.Expectation) error {
	var r eventlog.Receipt
	var err error
	if d.events == nil {
		_, err = s.CreateSession(ctx, d.session, "")
	} else {
		r, err = s.Append(ctx, d.session, d.events, eventlog.AppendOptions{Key: d.key, Expect: expect})
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	d.stored, d.told = r.Events, l.now()
	return nil
}

func (l *ledger) do(ctx context.Context, s *sqlstore.Store, session, key string, events []eventlog.NewEvent, expect eventlog.Expectation) error {
	return l.try(ctx, s, l.begin(session, key, events), expect)
}

// errLost is of something that was acknowledged and is not there.
var errLost = errors.New("acknowledged and lost")

// check holds a store against what was done before a moment, with some appends that are repeated. What was acknowledged until must has to be there, and
// what was acknowledged after that unless nothing of what came later is there either; it tells how many events of that kind are missing.
func (l *ledger) check(ctx context.Context, s *sqlstore.Store, moment, must int, chance *rand.Rand) (lost int, err error) {
	found, err := l.look(ctx, s)
	if err != nil {
		return 0, err
	}
	horizon, count := -1, 0 // of what is there: the last beginning
	for _, d := range l.deeds {
		if !found.has(d) {
			continue
		}
		if d.begun >= moment {
			return 0, fmt.Errorf("%v is there before it was asked for", d)
		}
		if d.told <= moment && d.events != nil && !reflect.DeepEqual(d.stored, found.of(d)) {
			return 0, fmt.Errorf("%v is there as %+v, and was acknowledged as %+v", d, found.of(d), d.stored)
		}
		horizon, count = max(horizon, d.begun), count+len(d.events)
	}
	if count != len(found.events) {
		return 0, fmt.Errorf("%d events, of which %d were asked for", len(found.events), count)
	}
	for _, d := range l.deeds {
		if d.told > moment || found.has(d) {
			continue
		}
		lost += len(d.events)
		switch {
		case d.told <= must:
			err = fmt.Errorf("%v: %w", d, errLost)
		case d.told <= horizon, d.events != nil && d.stored[0].EventID < found.last:
			err = fmt.Errorf("%v: %w, and what came later is there", d, errLost)
		}
	}
	if err != nil {
		return lost, err
	}
	if err := l.repeat(ctx, s, found, moment, chance); err != nil {
		return lost, err
	}
	report, err := s.Verify(ctx)
	if err == nil && !report.OK() {
		err = fmt.Errorf("verify: %+v", report.Faults)
	}
	return lost, err
}

// contents are what a store holds.
type contents struct {
	sessions map[string]eventlog.Session
	events   map[string]eventlog.StoredEvent // by payload, of which no two are alike
	last     int64
}

// has tells whether a deed is there. A half of one is reported by look.
func (c contents) has(d *deed) bool {
	_, ok := c.sessions[d.session]
	if d.events != nil {
		_, ok = c.events[string(d.events[0].Payload)]
	}
	return ok
}

func (c contents) of(d *deed) (events []eventlog.StoredEvent) {
	for _, e := range d.events {
		events = append(events, c.events[string(e.Payload)])
	}
	return events
}

// look reads all that a store holds, and tells what cannot be: an event twice, ids that do not rise, a part of an append.
func (l *ledger) look(ctx context.Context, s *sqlstore.Store) (contents, error) {
	c := contents{map[string]eventlog.Session{}, map[string]eventlog.StoredEvent{}, 0}
	for session, err := range s.Sessions(ctx, eventlog.ByCreation, eventlog.SessionCursor{}) {
		if err != nil {
			return c, err
		}
		c.sessions[session.ID] = session
	}
	for e, err := range s.All(ctx, eventlog.Range{}) {
		if err != nil {
			return c, err
		}
		if e.EventID <= c.last {
			return c, fmt.Errorf("event %d comes after event %d", e.EventID, c.last)
		}
		if twin, ok := c.events[string(e.Payload)]; ok {
			return c, fmt.Errorf("twice, as event %d and %d: %s", twin.EventID, e.EventID, e.Payload)
		}
		c.last = e.EventID
		c.events[string(e.Payload)] = e
	}
	for _, d := range l.deeds {
		for i, e := range c.of(d) {
			if (e.EventID > 0) != c.has(d) {
				return c, fmt.Errorf("half of %v is there", d)
			}
			if e.EventID > 0 && (e.SessionID != d.session || e.Type != d.events[i].Type) {
				return c, fmt.Errorf("%v became %+v", d, e)
			}
		}
	}
	return c, nil
}

// repeat repeats appends: the last ones that were acknowledged, one from before, and all that nobody knows of. Then it tries to append with a
// stale expectation, and with the right one.
func (l *ledger) repeat(ctx context.Context, s *sqlstore.Store, before contents, moment int, chance *rand.Rand) error {
	var told, unknown []*deed
	for _, d := range l.deeds {
		if _, ok := before.sessions[d.session]; !ok || d.events == nil || d.begun >= moment {
			continue
		}
		if d.told <= moment {
			told = append(told, d)
		} else {
			unknown = append(unknown, d)
		}
	}
	again := slices.Concat(told[max(0, len(told)-2):], unknown)
	if len(told) > 0 {
		again = append(again, told[chance.IntN(len(told))])
	}
	last, done := before.last, map[*deed]bool{}
	for _, d := range again {
		r, err := s.Append(ctx, d.session, d.events, eventlog.AppendOptions{Key: d.key})
		if err != nil {
			return fmt.Errorf("%v cannot be repeated: %w", d, err)
		}
		if r.Repeated != (before.has(d) || done[d]) {
			return fmt.Errorf("%v is repeated: %t, and it was there: %t", d, r.Repeated, before.has(d))
		}
		if r.Repeated && !done[d] && !reflect.DeepEqual(r.Events, before.of(d)) {
			return fmt.Errorf("%v repeats %+v, it is there as %+v", d, r.Events, before.of(d))
		}
		if !r.Repeated && r.Events[0].EventID <= last {
			return fmt.Errorf("%v is appended as event %d behind event %d", d, r.Events[0].EventID, last)
		}
		last, done[d] = max(last, r.Events[len(r.Events)-1].EventID), true
	}
	if len(before.sessions) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(before.sessions))
	id := ids[chance.IntN(len(ids))]
	session, err := s.Session(ctx, id)
	if err != nil {
		return err
	}
	add := []eventlog.NewEvent{event(eventlog.TypeUserMessage, `{"content":"after the failure"}`)}
	_, err = s.Append(ctx, id, add, eventlog.AppendOptions{Expect: eventlog.ExpectLast(session.LastEventID + 1)})
	var conflict *eventlog.ConflictError
	if !errors.As(err, &conflict) || conflict.Actual != session.LastEventID {
		return fmt.Errorf("session %q ends with event %d, and to expect another answers %v", id, session.LastEventID, err)
	}
	r, err := s.Append(ctx, id, add, eventlog.AppendOptions{Expect: eventlog.ExpectLast(session.LastEventID)})
	if err != nil {
		return fmt.Errorf("session %q cannot be appended to: %w", id, err)
	}
	if r.Events[0].EventID <= last {
		return fmt.Errorf("event %d is appended behind event %d", r.Events[0].EventID, last)
	}
	return nil
}

// The ledger finds what it should find.
func TestLedger(t *testing.T) {
	note := func(text string) eventlog.NewEvent { return event("note", `{"text":"`+text+`"}`) }
	for _, tt := range []struct {
		name  string
		spoil func(l *ledger, s *sqlstore.Store)
		must  int // of the five moments below
		lost  int
		says  string
	}{
		{"nothing", func(*ledger, *sqlstore.Store) {}, 5, 0, ""},
		{"the last is lost", func(l *ledger, _ *sqlstore.Store) {
			l.begin("a", "lost", []eventlog.NewEvent{note("lost")}).told = 4
		}, 5, 1, "acknowledged and lost"},
		{"the last is lost, as it may be", func(l *ledger, _ *sqlstore.Store) {
			d := l.begin("a", "lost", []eventlog.NewEvent{note("lost"), note("as well")})
			d.told, d.stored = 4, []eventlog.StoredEvent{{Event: eventlog.Event{EventID: 2}}, {Event: eventlog.Event{EventID: 3}}}
		}, 3, 2, ""},
		{"one before is lost", func(l *ledger, _ *sqlstore.Store) {
			d := l.begin("a", "lost", []eventlog.NewEvent{note("lost")})
			d.begun, d.told, d.stored = 0, 1, []eventlog.StoredEvent{{}}
		}, 0, 1, "what came later is there"},
		{"a session is lost", func(l *ledger, _ *sqlstore.Store) { l.begin("gone", "", nil).told = 4 }, 5, 0, "acknowledged and lost"},
		{"half an append", func(l *ledger, s *sqlstore.Store) {
			l.begin("a", "half", []eventlog.NewEvent{note("in"), note("out")})
			appended(t, s, "a", note("in"))
		}, 5, 0, "half of"},
		{"nobody asked for it", func(_ *ledger, s *sqlstore.Store) { appended(t, s, "a", note("more")) }, 5, 0, "were asked for"},
		{"twice", func(_ *ledger, s *sqlstore.Store) { appended(t, s, "a", note("kept")) }, 5, 0, "twice"},
		{"too early", func(l *ledger, _ *sqlstore.Store) { l.deeds[1].begun = 7 }, 5, 0, "before it was asked for"},
		{"another receipt", func(l *ledger, _ *sqlstore.Store) { l.deeds[1].stored[0].EventID++ }, 5, 0, "was acknowledged as"},
		{"another session", func(l *ledger, s *sqlstore.Store) { l.deeds[1].session = "b" }, 5, 0, "became"},
		{"its key is forgotten", func(l *ledger, s *sqlstore.Store) {
			l.begin("a", "forgotten", []eventlog.NewEvent{note("no key")})
			appended(t, s, "a", note("no key"))
		}, 5, 0, "is repeated: false"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := opened(t, newPath(t), sqlstore.Options{})
			moment := 0
			l := &ledger{now: func() int { moment++; return moment - 1 }}
			require.NoError(t, l.do(t.Context(), s, "a", "", nil, eventlog.Expectation{}))
			require.NoError(t, l.do(t.Context(), s, "a", "kept", []eventlog.NewEvent{note("kept")}, eventlog.Expectation{}))
			tt.spoil(l, s)
			lost, err := l.check(t.Context(), s, 5, tt.must, rand.New(rand.NewPCG(1, 1)))
			require.Equal(t, tt.lost, lost)
			if tt.says == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tt.says)
			}
		})
	}
}
