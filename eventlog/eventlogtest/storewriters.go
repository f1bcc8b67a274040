package eventlogtest

import (
	"fmt"
	"sync/atomic"

	"forgetmenot/eventlog"
)

var writerChecks = []StoreCheck{
	{
		Name:        "writers-one-session",
		Explanation: "Of writers who expect the same last event one is stored and the others are told; whoever looks again and repeats gets in. No acknowledged event is lost or doubled.",
		check:       checkWritersOneSession,
	},
	{
		Name:        "writers-many-sessions",
		Explanation: "Writers to many sessions do not disturb each other: every acknowledged event is there once, in its session, with a growing id.",
		check:       checkWritersManySessions,
	},
	{
		Name:        "batches-stand-together",
		Explanation: "One append's events follow each other, with no other's between them, however many write.",
		check:       checkBatchesStandTogether,
	},
	{
		Name:        "writers-one-key",
		Explanation: "When many make the same append with the same key at once it is stored once, and all have the same receipt.",
		check:       checkWritersOneKey,
	},
	{
		Name:        "writers-create",
		Explanation: "When many create the same session at once one of them does, and the others are told.",
		check:       checkWritersCreate,
	},
	{
		Name:        "readers-miss-nothing",
		Explanation: "A reader who has seen an id has missed none below it, while others write.",
		check:       checkReadersMissNothing,
	},
}

// crowd is how many write at once, and turns how often each.
const crowd, turns = 8, 20

// optimists append to one session, each so many batches, expecting what they last saw of it. Every conflict means that another one got in.
func optimists(stores []*tried, id string) (acknowledged [][]eventlog.StoredEvent) {
	l := stores[0].lab
	acknowledged = make([][]eventlog.StoredEvent, crowd)
	before := map[int64]int64{} // by the first event of a batch, what was expected before it
	l.together(crowd, func(w int) {
		s := stores[w%len(stores)]
		last := s.session(id).LastEventID
		for i := range turns {
			for try := 0; ; try++ {
				if try > crowd*turns {
					failf("a writer met %d conflicts, which is more than there are appends", try)
				}
				r, err := s.Append(s.ctx, id, notes(1000*w+10*i, 1+i%3), eventlog.AppendOptions{Expect: eventlog.ExpectLast(last), Key: fmt.Sprint(w, i)})
				if err == nil {
					equal("Repeated", false, r.Repeated)
					acknowledged[w] = append(acknowledged[w], r.Events...)
					l.mu.Lock()
					before[r.Events[0].EventID] = last
					l.mu.Unlock()
					last = r.Events[len(r.Events)-1].EventID
					break
				}
				refused("an append that expects what was", err, eventlog.ErrConflict)
				conflict := as[*eventlog.ConflictError]("a conflict", err)
				equal("the expected event in a conflict", last, conflict.Expected)
				if conflict.Actual <= last {
					failf("a conflict says that the session ends with %d, where %d was expected", conflict.Actual, last)
				}
				last = conflict.Actual
			}
		}
	})
	last := int64(0)
	for _, e := range stores[0].events(id, eventlog.Range{}) {
		if want, ok := before[e.EventID]; ok && want != last {
			failf("an append that expected event %d to be the last was stored behind event %d", want, last)
		}
		last = e.EventID
	}
	return acknowledged
}

func checkWritersOneSession(l *lab) {
	s := l.fresh()
	s.create("a")
	s.holdsJust(optimists([]*tried{s}, "a"))
}

// holdsJust compares the store with what its writers were told, each in the order in which he was told it.
func (s *tried) holdsJust(acknowledged [][]eventlog.StoredEvent) {
	all := s.all(eventlog.Range{})
	growing("All", 0, all)
	at := map[int64]string{}
	for _, e := range all {
		at[e.EventID] = showEvent(e)
	}
	n := 0
	for w, own := range acknowledged {
		n += len(own)
		growing(fmt.Sprintf("what writer %d was told", w), 0, own)
		for _, e := range own {
			if at[e.EventID] != showEvent(e) {
				failf("acknowledged was\n  %s\nstored is\n  %s", showEvent(e), at[e.EventID])
			}
		}
	}
	equal("the number of stored events, against those acknowledged", n, len(all))
	for _, session := range s.sessions(eventlog.ByCreation, eventlog.SessionCursor{}) {
		own := between(all, eventlog.Range{}, session.ID)
		same("Events", shown(showEvent, own), shown(showEvent, s.events(session.ID, eventlog.Range{})))
		equal("the event count", int64(len(own)), session.EventCount)
		if len(own) > 0 {
			equal("the last event id", own[len(own)-1].EventID, session.LastEventID)
		}
	}
}

func checkWritersManySessions(l *lab) {
	s := l.fresh()
	acknowledged := make([][]eventlog.StoredEvent, crowd)
	l.together(crowd, func(w int) {
		id := fmt.Sprint("session ", w)
		s.create(id)
		last := int64(0)
		for i := range turns {
			o := eventlog.AppendOptions{Expect: eventlog.ExpectLast(last), Key: fmt.Sprint(i)}
			batch := notes(1000*w+10*i, 1+i%3)
			r := s.addIf(id, o, batch...)
			again := s.addIf(id, o, batch...)
			equal("Repeated of a repeated append", true, again.Repeated)
			same("the receipt of a repeated append", shown(showEvent, r.Events), shown(showEvent, again.Events))
			acknowledged[w] = append(acknowledged[w], r.Events...)
			last = r.Events[len(r.Events)-1].EventID
		}
	})
	s.holdsJust(acknowledged)
}

func checkBatchesStandTogether(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	acknowledged := make([][]eventlog.StoredEvent, crowd)
	var batches [crowd][][]eventlog.StoredEvent
	l.together(crowd, func(w int) {
		for i := range turns {
			r := s.add([]string{"a", "b"}[w%2], notes(1000*w+10*i, 2+w%5)...)
			acknowledged[w] = append(acknowledged[w], r.Events...)
			batches[w] = append(batches[w], r.Events)
		}
	})
	s.holdsJust(acknowledged)
	place := map[int64]int{}
	for i, e := range s.all(eventlog.Range{}) {
		place[e.EventID] = i
	}
	for _, own := range batches {
		for _, batch := range own {
			for i, e := range batch {
				if place[e.EventID] != place[batch[0].EventID]+i {
					failf("another's event stands within the batch that begins with\n  %s", showEvent(batch[0]))
				}
			}
		}
	}
}

func checkWritersOneKey(l *lab) {
	s := l.fresh()
	s.create("a")
	for i := range turns {
		receipts := make([]eventlog.Receipt, crowd)
		last := s.session("a").LastEventID
		l.together(crowd, func(w int) {
			receipts[w] = s.addIf("a", eventlog.AppendOptions{Key: fmt.Sprint(i), Expect: eventlog.ExpectLast(last)}, notes(10*i, 3)...)
		})
		first := 0
		for _, r := range receipts {
			same("a receipt for the same key", shown(showEvent, receipts[0].Events), shown(showEvent, r.Events))
			if !r.Repeated {
				first++
			}
		}
		equal("the number of receipts that are not Repeated", 1, first)
	}
	equal("the number of events", 3*turns, len(s.all(eventlog.Range{})))
}

func checkWritersCreate(l *lab) {
	s := l.fresh()
	for i := range turns {
		var made atomic.Int32
		id := fmt.Sprint("session ", i)
		l.together(crowd, func(w int) {
			_, err := s.CreateSession(s.ctx, id, fmt.Sprint(w))
			if err == nil {
				made.Add(1)
			} else {
				refused("creating what another one creates", err, eventlog.ErrSessionExists)
			}
			s.add(id, note(w)) // it is there now, whoever made it
		})
		equal("how often a session was created", 1, made.Load())
		equal("the number of its events", int64(crowd), s.session(id).EventCount)
	}
	equal("the number of sessions", turns, len(s.sessions(eventlog.ByCreation, eventlog.SessionCursor{})))
}

func checkReadersMissNothing(l *lab) {
	s := l.fresh()
	s.create("a", "b")
	const readers = 2
	seen := make([][]eventlog.StoredEvent, readers)
	written := make(chan struct{})
	l.together(1+readers, func(i int) {
		if i == 0 {
			defer close(written)
			l.together(crowd, func(w int) {
				for i := range turns {
					s.add([]string{"a", "b"}[i%2], notes(1000*w+10*i, 2)...)
				}
			})
			return
		}
		own := &seen[i-1]
		after := int64(0)
		for last := false; !last; {
			select {
			case <-written:
				last = true // what is read now is the rest
			default:
			}
			for _, e := range s.all(eventlog.Range{After: after}) {
				*own, after = append(*own, e), e.EventID
			}
		}
	})
	for _, own := range seen {
		same("what a reader saw who came back with the last id", shown(showEvent, s.all(eventlog.Range{})), shown(showEvent, own))
	}
}
