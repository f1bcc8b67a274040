package eventlogtest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"forgetmenot/eventlog"
)

var contextChecks = []StoreCheck{
	{
		Name:        "context-ended",
		Explanation: "A call whose context has ended already answers with the context's error; such an append can be repeated with its key.",
		check:       checkContextEnded,
	},
	{
		Name:        "context-ends-in-append",
		Explanation: "An append whose context ends meanwhile is wholly in or wholly out; the same append with its key tells which, and makes it in.",
		check:       checkContextEndsInAppend,
	},
	{
		Name:        "context-ends-in-read",
		Explanation: "A read whose context ends on the way ends with the context's error, or is complete.",
		check:       checkContextEndsInRead,
	},
}

func checkContextEnded(l *lab) {
	s := l.fresh()
	s.create("a")
	s.add("a", user("x"))
	cancelled, cancel := context.WithCancel(s.ctx)
	cancel()
	late, cancelLate := context.WithDeadline(s.ctx, time.Unix(0, 0))
	defer cancelLate()
	for ctx, kind := range map[context.Context]error{cancelled: context.Canceled, late: context.DeadlineExceeded} {
		s.unchanged("calls with a context that has ended", func() {
			_, err := s.CreateSession(ctx, "b", "")
			refused("CreateSession", err, kind)
			_, err = s.Session(ctx, "a")
			refused("Session", err, kind)
			_, err = drain(s.Sessions(ctx, eventlog.ByCreation, eventlog.SessionCursor{}))
			refused("Sessions", err, kind)
			_, err = drain(s.Events(ctx, "a", eventlog.Range{}))
			refused("Events", err, kind)
			_, err = drain(s.All(ctx, eventlog.Range{}))
			refused("All", err, kind)
			_, err = drain(s.Messages(ctx, "a", eventlog.Range{}))
			refused("Messages", err, kind)
			_, err = drain(s.ToolCalls(ctx, "a"))
			refused("ToolCalls", err, kind)
			_, err = drain(s.Watch(ctx, 0))
			refused("Watch", err, kind)
			_, err = s.Append(ctx, "a", notes(1, 2), eventlog.AppendOptions{Key: kind.Error()})
			refused("Append", err, kind)
		})
		equal("Repeated of an append that was refused for its context", false, s.addIf("a", eventlog.AppendOptions{Key: kind.Error()}, notes(1, 2)...).Repeated)
	}
}

func checkContextEndsInAppend(l *lab) {
	const rounds, writers, size = 20, 4, 5
	s := l.fresh()
	s.create("a")
	l.together(writers, func(w int) {
		for i := range rounds {
			ctx, cancel := context.WithCancel(s.ctx)
			first := 1000*w + 10*i
			o := eventlog.AppendOptions{Key: fmt.Sprint(w, " ", i)}
			gone := make(chan struct{})
			go func() { cancel(); close(gone) }() // before, while or after
			r, err := s.Append(ctx, "a", notes(first, size), o)
			<-gone
			if err != nil {
				refused("an append whose context ended", err, context.Canceled)
			}
			var stored []eventlog.StoredEvent
			for _, e := range s.events("a", eventlog.Range{}) {
				for _, own := range notes(first, size) {
					if string(e.Payload) == string(own.Payload) {
						stored = append(stored, e)
					}
				}
			}
			if len(stored) != 0 && len(stored) != size {
				failf("an append of %d events whose context ended left %d of them", size, len(stored))
			}
			if err == nil {
				same("an acknowledged append", shown(showEvent, r.Events), shown(showEvent, stored))
			}
			again := s.addIf("a", o, notes(first, size)...)
			// One that was out when we looked can still have come in before the repeat, not the other way.
			if len(stored) == size {
				equal("Repeated of an append that was in", true, again.Repeated)
				same("the receipt of an append that was in", shown(showEvent, stored), shown(showEvent, again.Events))
			}
		}
	})
	equal("the number of events", writers*rounds*size, len(s.all(eventlog.Range{})))
}

func checkContextEndsInRead(l *lab) {
	s := l.fresh()
	s.create("a")
	s.add("a", notes(0, 1500)...)
	all := s.all(eventlog.Range{})
	read := func(what string, from func(ctx context.Context) func(func(eventlog.StoredEvent, error) bool)) {
		ctx, cancel := context.WithCancel(s.ctx)
		defer cancel()
		var seen []eventlog.StoredEvent
		var failed error
		for e, err := range from(ctx) {
			if err != nil {
				failed = err
				continue
			}
			if seen = append(seen, e); len(seen) == 2 {
				cancel()
			}
		}
		if failed != nil && !errors.Is(failed, context.Canceled) {
			failf("%s ends with the error %q when its context is cancelled", what, failed)
		}
		if failed == nil && len(seen) < len(all) {
			failf("%s ends without an error after %d of %d events when its context is cancelled", what, len(seen), len(all))
		}
		same(what+" until its context was cancelled", shown(showEvent, all[:min(len(seen), len(all))]), shown(showEvent, seen))
	}
	read("Events", func(ctx context.Context) func(func(eventlog.StoredEvent, error) bool) {
		return s.Events(ctx, "a", eventlog.Range{})
	})
	read("All", func(ctx context.Context) func(func(eventlog.StoredEvent, error) bool) {
		return s.All(ctx, eventlog.Range{})
	})
}
