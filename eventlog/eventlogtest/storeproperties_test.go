package eventlogtest_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/eventlogtest"
	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

// The exercise's properties see through to the store: each of these stores is refuted by the law that names its fault.
func TestThePropertiesRefuteBrokenStores(t *testing.T) {
	for id, change := range map[string]func(right store, s *bent){
		"immutability": func(right store, s *bent) {
			s.events = func(ctx context.Context, id string, r ranged) events {
				return right.Events(ctx, id, ranged{After: r.After})
			}
		},
		"isolation": func(right store, s *bent) {
			s.events = func(ctx context.Context, id string, r ranged) events {
				return kept(right.All(ctx, r), func(e event) bool { return strings.EqualFold(e.SessionID, id) })
			}
		},
		"sessions": func(right store, s *bent) {
			s.sessions = func(ctx context.Context, _ eventlog.SessionOrder, after eventlog.SessionCursor) iter.Seq2[eventlog.Session, error] {
				return yielded(func() ([]eventlog.Session, error) {
					sessions, err := list(right.Sessions(ctx, eventlog.ByCreation, after))
					slices.Reverse(sessions)
					return sessions, err
				})
			}
		},
		"replay": func(right store, s *bent) {
			s.messages = func(ctx context.Context, id string, r ranged) iter.Seq2[eventlog.StoredMessage, error] {
				return kept(right.Messages(ctx, id, r), func(m eventlog.StoredMessage) bool { return m.Message.Role != eventlog.RoleTool })
			}
		},
		"append": func(right store, s *bent) {
			s.append = func(ctx context.Context, id string, events []eventlog.NewEvent, o options) (eventlog.Receipt, error) {
				lower := slices.Clone(events)
				for i := range lower {
					lower[i].Type = strings.ToLower(lower[i].Type)
				}
				return right.Append(ctx, id, lower, o)
			}
		},
	} {
		t.Run(id, func(t *testing.T) {
			open := func(folder string, o eventlog.StoreOptions) (eventlog.Store, error) {
				b := &bent{Store: eventlog.NewMemStore(o)}
				change(b.Store, b)
				return b, nil
			}
			i := slices.IndexFunc(eventlogtest.Properties(), func(p *property.Property) bool { return p.ID == id })
			checker := property.NewChecker(property.Options{})
			result, err := checker.Check(t.Context(), eventlogtest.Properties()[i], eventlogtest.NewStoreRunner(t.TempDir(), open))
			require.NoError(t, err)
			require.Equal(t, property.Fail, result.Verdict, result.Message.En)
			require.NotEmpty(t, result.Counterexample.Code())
		})
	}
}

// A store that cannot be opened is told apart from one that answers wrongly.
func TestAStoreThatDoesNotOpenIsReported(t *testing.T) {
	open := func(string, eventlog.StoreOptions) (eventlog.Store, error) { return nil, eventlog.ErrNotStore }
	for _, c := range eventlogtest.StoreChecks()[:1] {
		err := c.Check(t.Context(), t.TempDir(), open, eventlogtest.StoreTraits{})
		require.ErrorIs(t, err, eventlog.ErrNotStore)
		require.ErrorContains(t, err, "opening the store")
	}
}

// A panic of a store ends the check that met it, with the place where it came from.
func TestAStoreThatPanicsIsReported(t *testing.T) {
	open := func(folder string, o eventlog.StoreOptions) (eventlog.Store, error) {
		b := &bent{Store: eventlog.NewMemStore(o)}
		b.create = func(context.Context, string, string) (eventlog.Session, error) { panic("out of memory") }
		return b, nil
	}
	err := eventlogtest.StoreChecks()[0].Check(t.Context(), t.TempDir(), open, eventlogtest.StoreTraits{})
	require.ErrorContains(t, err, "the store panics: out of memory")
	require.ErrorContains(t, err, "storeproperties_test.go")
}
