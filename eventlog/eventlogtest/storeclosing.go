package eventlogtest

import (
	"errors"
	"fmt"

	"forgetmenot/eventlog"
)

var closingChecks = []StoreCheck{
	{
		Name:        "closed",
		Explanation: "After Close every method answers ErrClosed; closing again does nothing.",
		check:       checkClosed,
	},
	{
		Name:        "close-during-reads",
		Explanation: "A read that is under way when the store is closed ends with ErrClosed, or is complete; it is never cut short without an error.",
		check:       checkCloseDuringReads,
	},
	{
		Name:        "close-during-appends",
		Explanation: "Close waits for appends under way: each is acknowledged or ErrClosed, and what was acknowledged is there when the store is opened again.",
		check:       checkCloseDuringAppends,
	},
	{
		Name:        "reopen",
		Explanation: "A store that is opened again answers everything as it did.",
		check:       checkReopen, reopens: true,
	},
	{
		Name:        "reopen-ids",
		Explanation: "Ids and session numbers go on growing after the store is opened again, whatever was refused before.",
		check:       checkReopenIDs, reopens: true,
	},
	{
		Name:        "reopen-watch",
		Explanation: "A watch goes on behind the last id seen when the store is opened again.",
		check:       checkReopenWatch, reopens: true,
	},
}

func checkClosed(l *lab) {
	s := l.fresh()
	s.create("a")
	s.addIf("a", eventlog.AppendOptions{Key: "k"}, user("x"))
	events := s.Events(s.ctx, "a", eventlog.Range{})
	s.close()
	for range 2 {
		_, err := s.CreateSession(s.ctx, "b", "")
		refused("CreateSession after Close", err, eventlog.ErrClosed)
		_, err = s.Session(s.ctx, "a")
		refused("Session after Close", err, eventlog.ErrClosed)
		_, err = drain(s.Sessions(s.ctx, eventlog.ByActivity, eventlog.SessionCursor{}))
		refused("Sessions after Close", err, eventlog.ErrClosed)
		_, err = s.Append(s.ctx, "a", notes(1, 1), eventlog.AppendOptions{})
		refused("Append after Close", err, eventlog.ErrClosed)
		_, err = s.Append(s.ctx, "a", []eventlog.NewEvent{user("x")}, eventlog.AppendOptions{Key: "k"})
		refused("a repeated Append after Close", err, eventlog.ErrClosed)
		_, err = drain(s.Events(s.ctx, "a", eventlog.Range{}))
		refused("Events after Close", err, eventlog.ErrClosed)
		_, err = drain(events)
		refused("an iterator that was made before Close", err, eventlog.ErrClosed)
		_, err = drain(s.All(s.ctx, eventlog.Range{}))
		refused("All after Close", err, eventlog.ErrClosed)
		_, err = drain(s.Messages(s.ctx, "a", eventlog.Range{}))
		refused("Messages after Close", err, eventlog.ErrClosed)
		_, err = drain(s.ToolCalls(s.ctx, "a"))
		refused("ToolCalls after Close", err, eventlog.ErrClosed)
		_, err = drain(s.Watch(s.ctx, 0))
		refused("Watch after Close", err, eventlog.ErrClosed)
		s.close()
	}
	other := l.fresh()
	l.together(4, func(int) { other.close() })
}

func checkCloseDuringReads(l *lab) {
	reads := map[string]func(s *tried) (seen, all int, failed error){
		"Events": func(s *tried) (seen, all int, failed error) {
			for _, err := range s.Events(s.ctx, "a", eventlog.Range{}) {
				if failed = err; err == nil {
					if seen++; seen == 2 {
						s.close()
					}
				}
			}
			return seen, 1500, failed
		},
		"Messages": func(s *tried) (seen, all int, failed error) {
			for _, err := range s.Messages(s.ctx, "a", eventlog.Range{}) {
				if failed = err; err == nil {
					if seen++; seen == 2 {
						s.close()
					}
				}
			}
			return seen, 1500, failed
		},
		"Sessions": func(s *tried) (seen, all int, failed error) {
			for _, err := range s.Sessions(s.ctx, eventlog.ByActivity, eventlog.SessionCursor{}) {
				if failed = err; err == nil {
					if seen++; seen == 2 {
						s.close()
					}
				}
			}
			return seen, 3, failed
		},
	}
	for name, read := range reads {
		s := l.fresh()
		s.create("a", "b", "c")
		batch := make([]eventlog.NewEvent, 1500)
		for i := range batch {
			batch[i] = user(fmt.Sprint(i))
		}
		s.add("a", batch...)
		seen, all, failed := read(s)
		if failed != nil {
			refused(name+" of a store that is closed", failed, eventlog.ErrClosed)
		} else if seen != all {
			failf("%s ends without an error after %d of %d items when the store is closed", name, seen, all)
		}
	}
}

func checkCloseDuringAppends(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	begun, closed := make(chan struct{}, crowd), make(chan struct{})
	acknowledged := make([][]eventlog.StoredEvent, crowd)
	l.together(crowd+1, func(w int) {
		if w == crowd {
			for range crowd {
				select {
				case <-begun:
				case <-l.ctx.Done():
				}
			}
			s.close()
			close(closed)
			return
		}
		for i := 0; ; i++ {
			over := false
			select {
			case <-closed:
				over = true
			default:
			}
			r, err := s.Append(s.ctx, []string{"a", "b"}[w%2], notes(1000*w+10*i, 3), eventlog.AppendOptions{})
			if err != nil {
				refused("an append while the store is closed", err, eventlog.ErrClosed)
				return
			}
			if over {
				failf("an append after Close is acknowledged")
			}
			if acknowledged[w] = append(acknowledged[w], r.Events...); i == 0 {
				begun <- struct{}{}
			}
		}
	})
	if l.traits.Volatile {
		return
	}
	again := s.reopened()
	at := map[int64]string{}
	for _, e := range again.all(eventlog.Range{}) {
		at[e.EventID] = showEvent(e)
	}
	for _, own := range acknowledged {
		for _, e := range own {
			if at[e.EventID] != showEvent(e) {
				failf("acknowledged was\n  %s\nafter opening again there is\n  %s", showEvent(e), at[e.EventID])
			}
		}
	}
	if len(at)%3 != 0 {
		failf("appends of 3 events each have left %d", len(at))
	}
}

func checkReopen(l *lab) {
	s, _ := l.scattered()
	s.add("b", event(eventlog.TypeToolCall, `{"callId":"c","name":"f"}`), event(eventlog.TypeToolResult, `{"callId":"c","content":1.0}`))
	if _, err := s.CreateSession(s.ctx, "d", "without events"); err != nil {
		failf("CreateSession: %w", err)
	}
	want := s.picture()
	behind := s.session("b").Cursor(eventlog.ByActivity)
	rest := idsOf(s.sessions(eventlog.ByActivity, behind))
	for range 2 {
		s = s.reopened()
		same("the store when it is opened again", want, s.picture())
		equal("the sessions behind an older cursor", rest, idsOf(s.sessions(eventlog.ByActivity, behind)))
	}
	_, err := s.CreateSession(s.ctx, "d", "")
	refused("creating a session that an earlier handle made", err, eventlog.ErrSessionExists)
	_, err = s.Append(s.ctx, "a", notes(1, 1), eventlog.AppendOptions{Expect: eventlog.ExpectNone()})
	refused("expecting no events when the store is opened again", err, eventlog.ErrConflict)
	equal("a conflict when the store is opened again", s.session("a").LastEventID, as[*eventlog.ConflictError]("a conflict", err).Actual)
	s.addIf("a", eventlog.AppendOptions{Expect: eventlog.ExpectLast(s.session("a").LastEventID)}, note(1))
}

func checkReopenIDs(l *lab) {
	s := l.fresh()
	s.create("a")
	last, number := int64(0), s.session("a").Number
	for i := range 4 {
		r := s.add("a", notes(i, 2)...)
		growing("after opening again", last, r.Events)
		last = r.Events[1].EventID
		_, err := s.Append(s.ctx, "a", notes(1, 5), eventlog.AppendOptions{Expect: eventlog.ExpectLast(last + 1)})
		if !errors.Is(err, eventlog.ErrConflict) {
			failf("no conflict, but %v", err)
		}
		id := fmt.Sprint("session ", i)
		s.create(id)
		if now := s.session(id).Number; now <= number {
			failf("a new session has the number %d, after %d", now, number)
		}
		number = s.session(id).Number
		s = s.reopened()
	}
	growing("All", 0, s.all(eventlog.Range{}))
}

func checkReopenWatch(l *lab) {
	s, all := l.scattered()
	seen := s.watched(0, 5)
	s = s.reopened()
	all = append(all, s.add("c", theEnd).Events...)
	same("a watch across opening the store again", shown(showEvent, all), shown(showEvent, append(seen, s.watchedToEnd(seen[4].EventID)...)))
}
