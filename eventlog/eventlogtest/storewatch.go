package eventlogtest

import (
	"context"
	"fmt"
	"strings"

	"forgetmenot/eventlog"
)

var watchChecks = []StoreCheck{
	{
		Name:        "watch",
		Explanation: "Watch yields every event behind its cursor in the order of ids: first what is stored, then what comes.",
		check:       checkWatch,
	},
	{
		Name:        "watch-reconnects",
		Explanation: "A watch that is left and begun again behind the last id seen skips nothing and shows nothing twice, while others write.",
		check:       checkWatchReconnects,
	},
	{
		Name:        "watch-slow",
		Explanation: "A slow consumer holds up nobody, neither writers nor other watchers, and misses nothing.",
		check:       checkWatchSlow,
	},
	{
		Name:        "watchers",
		Explanation: "Any number of watchers see the same while many write.",
		check:       checkWatchers,
	},
	{
		Name:        "watch-context",
		Explanation: "A watch ends with its context, and yields the context's error.",
		check:       checkWatchContext,
	},
	{
		Name:        "watch-close",
		Explanation: "A watch ends when the store is closed, and yields ErrClosed.",
		check:       checkWatchClose,
	},
}

func checkWatch(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	stored := s.add("a", notes(0, 3)...).Events
	for _, after := range []int64{-1, 0, stored[0].EventID, stored[1].EventID, stored[2].EventID} {
		// It is at the end of what is stored when more comes.
		reached := len(between(s.all(eventlog.Range{}), eventlog.Range{After: after}, ""))
		add := func() {
			for i := range 4 {
				s.add([]string{"a", "b"}[i%2], notes(i, i+1)...)
			}
			s.add("b", event("last of this round", `{}`))
		}
		if reached == 0 {
			add()
		}
		last := int64(0)
		seen := s.watchedTo(after, func(e eventlog.StoredEvent, n int) bool {
			if n == reached {
				add()
			}
			if n >= reached {
				last = s.session("b").LastEventID
			}
			return e.EventID == last
		})
		same(fmt.Sprintf("Watch after %d", after), shown(showEvent, between(s.all(eventlog.Range{}), eventlog.Range{After: after}, "")), shown(showEvent, seen))
	}
	// A cursor that is ahead waits until the ids have come there.
	ahead := s.session("b").LastEventID + 3
	l.together(2, func(i int) {
		if i == 1 {
			for range 8 {
				s.add("a", note(1))
			}
			return
		}
		if e := s.watched(ahead, 1)[0]; e.EventID <= ahead {
			failf("Watch after %d yields event %d", ahead, e.EventID)
		}
	})
}

// writeMany lets a crowd write, and ends it with theEnd.
func (s *tried) writeMany(sessions ...string) {
	s.together(crowd, func(w int) {
		for i := range turns {
			s.add(sessions[(w+i)%len(sessions)], notes(1000*w+10*i, 1+2*(i%2))...)
		}
	})
	s.add(sessions[0], theEnd)
}

func checkWatchReconnects(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	const watchers = 3
	seen := make([][]eventlog.StoredEvent, watchers)
	l.together(1+watchers, func(i int) {
		if i == 0 {
			s.writeMany("a", "b")
			return
		}
		own := &seen[i-1]
		after := int64(0)
		for n := 1; ; n = n%7 + i {
			*own = append(*own, s.watchedTo(after, func(e eventlog.StoredEvent, seen int) bool { return seen == n || e.Type == theEnd.Type })...)
			last := (*own)[len(*own)-1]
			if after = last.EventID; last.Type == theEnd.Type {
				return
			}
		}
	})
	for _, own := range seen {
		same("what a watcher saw who came back again and again", shown(showEvent, s.all(eventlog.Range{})), shown(showEvent, own))
	}
}

func checkWatchSlow(l *lab) {
	s := l.fresh()
	s.create("a")
	s.add("a", note(0))
	began, release := make(chan struct{}), make(chan struct{})
	var slow []eventlog.StoredEvent
	l.together(2, func(i int) {
		if i == 0 {
			slow = s.watchedTo(0, func(e eventlog.StoredEvent, seen int) bool {
				if seen == 1 {
					close(began)
					l.await(release)
				}
				return e.Type == theEnd.Type
			})
			return
		}
		l.await(began)
		for i := range 100 {
			s.add("a", notes(10*i, 3)...)
		}
		s.add("a", event("large", `{"x":"`+strings.Repeat("x", 1<<20)+`"}`))
		s.add("a", theEnd)
		same("what another watcher sees", shown(showEvent, s.all(eventlog.Range{})), shown(showEvent, s.watchedToEnd(0)))
		close(release)
	})
	same("what the slow watcher saw", shown(showEvent, s.all(eventlog.Range{})), shown(showEvent, slow))
}

func checkWatchers(l *lab) {
	s := l.fresh()
	s.create("a", "b", "c")
	const watchers = 6
	seen := make([][]eventlog.StoredEvent, watchers)
	l.together(1+watchers, func(i int) {
		if i == 0 {
			s.writeMany("a", "b", "c")
			return
		}
		seen[i-1] = s.watchedToEnd(0)
	})
	for _, own := range seen {
		same("what a watcher saw", shown(showEvent, s.all(eventlog.Range{})), shown(showEvent, own))
	}
}

func checkWatchContext(l *lab) {
	s := l.fresh()
	s.create("a")
	s.add("a", notes(0, 3)...)
	ends := func(what string, cancelAt int) {
		ctx, cancel := context.WithCancel(s.ctx)
		defer cancel()
		n := 0
		var failed error
		for e, err := range s.Watch(ctx, 0) {
			if failed != nil {
				failf("%s: the watch goes on after its error with %s", what, showEvent(e))
			}
			if failed = err; err != nil {
				continue
			}
			if n++; n == cancelAt {
				cancel()
			}
			if n == 3 && cancelAt > 3 {
				go cancel() // while it waits, or just before
			}
		}
		refused(what, failed, context.Canceled)
	}
	ends("a watch whose context ends while events are left", 1)
	ends("a watch whose context ends with the last event", 3)
	ends("a watch whose context ends while it waits", 4)
	// A watch is a matter of its own context alone.
	ctx, cancel := context.WithCancel(s.ctx)
	for range s.Watch(ctx, 0) {
		break
	}
	cancel()
	equal("the length of a watch beside one that ended", 3, len(s.watched(0, 3)))
	s.add("a", note(4))
}

func checkWatchClose(l *lab) {
	for waiting := range 2 {
		s := l.fresh()
		s.create("a")
		s.add("a", notes(0, 3)...)
		seen := make(chan struct{})
		l.together(2, func(i int) {
			if i == 1 {
				l.await(seen)
				s.close()
				return
			}
			n := 0
			var failed error
			for _, err := range s.Watch(s.ctx, 0) {
				if failed != nil {
					failf("a watch goes on after its error: %w", failed)
				}
				if failed = err; err != nil {
					continue
				}
				if n++; n == 1+2*waiting {
					close(seen)
				}
			}
			refused("a watch of a store that is closed", failed, eventlog.ErrClosed)
		})
		_, err := drain(s.Watch(l.ctx, 0))
		refused("a watch that begins when the store is closed", err, eventlog.ErrClosed)
	}
}
