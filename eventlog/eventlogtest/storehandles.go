package eventlogtest

import (
	"errors"

	"forgetmenot/eventlog"
)

var handleChecks = []StoreCheck{
	{
		Name:        "handles",
		Explanation: "Two handles on one folder are one store: sessions, events, conflicts, keys and watches.",
		check:       checkHandles, shares: true,
	},
	{
		Name:        "handles-writers",
		Explanation: "Writers through several handles on one folder keep every promise.",
		check:       checkHandlesWriters, shares: true,
	},
}

func checkHandles(l *lab) {
	one := l.fresh()
	two := one.another()
	one.create("a")
	two.create("b")
	first := one.addIf("a", eventlog.AppendOptions{Key: "k"}, notes(1, 2)...)
	_, err := two.CreateSession(two.ctx, "a", "")
	refused("creating a session that the other handle made", err, eventlog.ErrSessionExists)
	_, err = two.Append(two.ctx, "a", notes(1, 1), eventlog.AppendOptions{Expect: eventlog.ExpectNone()})
	refused("expecting what was before the other handle's append", err, eventlog.ErrConflict)
	equal("a conflict with the other handle", first.Events[1].EventID, as[*eventlog.ConflictError]("a conflict", err).Actual)
	again := two.addIf("a", eventlog.AppendOptions{Key: "k"}, notes(1, 2)...)
	equal("Repeated through the other handle", true, again.Repeated)
	second := two.addIf("a", eventlog.AppendOptions{Expect: eventlog.ExpectLast(first.Events[1].EventID)}, user("x"))
	growing("through two handles", first.Events[1].EventID, second.Events)
	same("the other handle's store", one.picture(), two.picture())
	l.together(2, func(i int) {
		if i == 0 {
			seen := one.watchedToEnd(0)
			same("a watch of what another handle appends", shown(showEvent, two.all(eventlog.Range{})), shown(showEvent, seen))
			return
		}
		for i := range 10 {
			two.add("b", note(i))
		}
		two.add("a", theEnd)
	})
	two.close()
	one.add("a", note(3))
	same("the store, after the other handle was closed", shown(showEvent, one.all(eventlog.Range{})), shown(showEvent, one.another().all(eventlog.Range{})))
}

func checkHandlesWriters(l *lab) {
	one := l.fresh()
	stores := []*tried{one, one.another(), one.another()}
	one.create("a")
	acknowledged := optimists(stores, "a")
	for _, s := range stores {
		s.holdsJust(acknowledged)
	}
	_, err := stores[1].Session(l.ctx, "b")
	if !errors.Is(err, eventlog.ErrNoSession) {
		failf("a session that no handle made: %v", err)
	}
}
