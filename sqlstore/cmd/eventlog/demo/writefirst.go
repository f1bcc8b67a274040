package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
	"forgetmenot/sqlstore"
)

// The story of the right order, a function for each chapter.

func (s *story) conversation(ctx context.Context) error {
	s.tell.chapter("The agent answers")
	if err := s.client.create(ctx, anna, "Anna's questions"); err != nil {
		return err
	}
	s.tell.para("The agent is process %d, at %s.\nAnna asks: %q", s.process.pid(), s.process.url, howMany)
	answers := s.client.send(ctx, anna, howMany, "anna-1")
	if err := s.heldBeforeAnswer(ctx, agent.BeforeReply, answers); err != nil {
		return err
	}
	events, err := s.file(ctx)
	if err != nil {
		return err
	}
	s.tell.para("Here the demo stops it, just before it replies, and reads the file itself:")
	s.tell.block(factsOf(events))
	waits := len(answers) == 0
	if err := s.claim(waits && len(events) > 0 && oneTurn(events), seen(events), "The whole turn is in the file, and Anna has no answer yet."); err != nil {
		return err
	}
	if err := s.process.goOn(); err != nil {
		return err
	}
	a, err := await(ctx, s.o.Patience, answers, "the answer")
	if err == nil {
		err = a.err
	}
	if err != nil {
		return err
	}
	s.tell.para("Now it may reply.")
	s.first = events
	if err := s.claim(slices.Equal(a.turn.ids(), ids(events)), fmt.Sprintf("the answer speaks of events %v", a.turn.ids()),
		"Anna reads %q The log had it first, as event %d.", a.turn.last(), a.turn.LastEventID); err != nil {
		return err
	}
	s.tell.why("A reply cannot be taken back. So the record comes first, and then the reply.")
	return nil
}

func (s *story) follow(ctx context.Context) error {
	s.tell.chapter("A client follows")
	s.anna = &follower{session: anna}
	if err := s.anna.connect(ctx, s.client); err != nil {
		return err
	}
	s.tell.para("Anna's client opens a stream of her session. It is sent what is there, and then whatever comes.")
	s.tell.block(request{"GET " + s.anna.path()})
	got, err := s.anna.take(ctx, len(s.first))
	if err != nil && !errors.Is(err, errSilent) {
		return err
	}
	if err := s.claim(same(got, s.first), seen(got), "It was sent %s, and remembers one number: %d.", numbers(ids(got)), s.anna.last); err != nil {
		return err
	}
	s.tell.why("A reader needs no list of what it has seen. The last id is enough to go on from.")
	return nil
}

func (s *story) crash(ctx context.Context) error {
	s.tell.chapter("Killed in the middle of a turn")
	s.tell.para("Anna asks: %q", howManyOpen)
	answers := s.client.send(ctx, anna, howManyOpen, "anna-2")
	if err := s.heldBeforeAnswer(ctx, agent.BeforeTool, answers); err != nil {
		return err
	}
	before, err := s.file(ctx)
	if err != nil {
		return err
	}
	s.second = before[len(s.first):]
	got, err := s.anna.take(ctx, len(s.second))
	if err != nil {
		return err
	}
	s.tell.para("Her stream shows the events as they are stored:")
	s.tell.block(factsOf(got))
	open := len(got) > 0 && got[len(got)-1].Type == eventlog.TypeToolCall
	if err := s.claim(same(got, s.second) && open, seen(got), "The call is in the log. The tool has not run yet."); err != nil {
		return err
	}
	s.cutOff = ids(s.second)

	if err := s.kill(ctx); err != nil {
		return err
	}
	a, err := await(ctx, s.o.Patience, answers, "the end of Anna's request")
	if err != nil {
		return err
	}
	_, ended := s.anna.take(ctx, 1)
	if err := s.claim(a.err != nil && errors.Is(ended, errSilent), fmt.Sprintf("she was told %q", a.turn.last()),
		"Anna got no answer, and her stream has ended. It still remembers %d.", s.anna.last); err != nil {
		return err
	}
	after, err := s.file(ctx)
	if err != nil {
		return err
	}
	if err := s.claim(same(after, before), seen(after), "The file holds %s, as before. The last one is a call without a result.", numbers(ids(after))); err != nil {
		return err
	}
	s.tell.block(s.lanes(after))
	s.tell.why("SIGKILL leaves no time to save anything. What counts is what was written before.")
	return nil
}

func (s *story) restart(ctx context.Context) error {
	s.tell.chapter("Started again on the same file")
	before := slices.Concat(s.first, s.second)
	if err := s.start(ctx, false); err != nil {
		return err
	}
	s.tell.para("A new process: %d. It knows nothing but the file.\nIt replays the session, finds the open turn, and goes on where the events end. Nobody has asked it to.", s.process.pid())
	added, err := s.untilAnswered(ctx, s.anna.last)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	s.tell.block(factsOf(added))
	all, err := s.file(ctx)
	if err != nil {
		return err
	}
	if err := s.claim(same(all, slices.Concat(before, added)) && len(added) > 0, seen(all), "Before the crash: %s, and they are unchanged. After it: %s.",
		numbers(ids(before)), numbers(ids(added))); err != nil {
		return err
	}
	s.second = all[len(s.first):]
	if err := s.claim(oneTurn(s.second), seen(s.second), "One question, one call, one result, one answer: nothing twice."); err != nil {
		return err
	}

	s.tell.para("Anna cannot know what became of her question. So her client sends it again, with the same Idempotency-Key.")
	again, err := s.client.say(ctx, anna, howManyOpen, "anna-2")
	if err != nil {
		return err
	}
	if all, err = s.file(ctx); err != nil {
		return err
	}
	nothing := same(all, slices.Concat(s.first, s.second))
	if err := s.claim(nothing && slices.Equal(again.ids(), ids(s.second)), seen(all), "She reads %q That is event %d from the log; nothing was added.", again.last(), again.LastEventID); err != nil {
		return err
	}
	s.tell.why("The log is the memory. A process can be replaced at any moment by one that reads it.")
	return nil
}

func (s *story) reconnect(ctx context.Context) error {
	s.tell.chapter("The client comes back")
	missed := s.second[len(s.cutOff):]
	s.tell.para("Anna's client opens its stream again, and says which event it saw last.")
	s.tell.block(request{"GET " + s.anna.path(), fmt.Sprintf("Last-Event-ID: %d", s.anna.last)})
	if err := s.anna.connect(ctx, s.client); err != nil {
		return err
	}
	got, err := s.anna.take(ctx, len(missed))
	if err != nil && !errors.Is(err, errSilent) {
		return err
	}
	s.tell.block(factsOf(got))
	if err := s.claim(same(got, missed), seen(got), "It got exactly what it had missed: %s. None twice, none skipped.", numbers(ids(got))); err != nil {
		return err
	}
	s.tell.why("Ids only grow. So \"everything after %d\" has one answer, from any process, at any time.", s.cutOff[len(s.cutOff)-1])
	return nil
}

func (s *story) isolation(ctx context.Context) error {
	s.tell.chapter("Somebody else")
	if err := s.client.create(ctx, ben, "Ben's questions"); err != nil {
		return err
	}
	bens, err := s.client.say(ctx, ben, "Hello.", "ben-1")
	if err != nil {
		return err
	}
	annas, err := s.client.say(ctx, anna, "Thank you.", "anna-3")
	if err != nil {
		return err
	}
	all, err := s.file(ctx)
	if err != nil {
		return err
	}
	s.tell.para("Ben says hello, in a session of his own. Then Anna says thank you.")
	before := len(s.first) + len(s.second)
	s.tell.block(factsOf(all[before:]))
	if err := s.claim(slices.Equal(bens.ids(), ids(of(ben, all))) && remembers(bens, 1), fmt.Sprintf("he was told %q", bens.last()),
		"Ben's session is %s, and the agent remembers 1 message of his.", numbers(ids(of(ben, all)))); err != nil {
		return err
	}
	if err := s.claim(remembers(annas, 3), fmt.Sprintf("she was told %q", annas.last()), "Of Anna's it remembers 3, those from before the crash too."); err != nil {
		return err
	}
	got, err := s.anna.take(ctx, len(annas.ids()))
	if err != nil && !errors.Is(err, errSilent) {
		return err
	}
	if err := s.claim(same(got, of(anna, all[before:])), seen(got), "Anna's client was sent %s, and nothing of Ben's.", numbers(ids(got))); err != nil {
		return err
	}
	s.tell.why("Ids count over the whole log, so any two events have an order. A session is the events that carry its name.")
	return nil
}

func (s *story) examine(ctx context.Context) error {
	s.tell.chapter("The file is examined")
	if err := s.process.end(ctx); err != nil {
		return err
	}
	s.tell.para("The agent has ended, this time by itself. `eventlog verify` reads everything again: the file, the chain of hashes over the events, and what is derived from them.")
	all, err := s.verified(ctx)
	if err != nil {
		return err
	}
	_, ended := s.anna.take(ctx, 1)
	if err := s.claim(errors.Is(ended, errSilent) && same(s.anna.sent, of(anna, all)), seen(s.anna.sent),
		"Over both connections Anna's client got each event of her session once: %s.", numbers(ids(s.anna.sent))); err != nil {
		return err
	}
	s.tell.para("The log, time to the right:")
	s.tell.block(s.lanes(all))
	s.tell.block(rules{
		{"The reply came after its record.", "Write first, then reply."},
		{"The crash took nothing stored.", "Store a fact before you act on it."},
		{"A new process finished the turn.", "The log is the memory: replay it."},
		{"A question sent twice is there once.", "Give every message a key."},
		{"The client missed nothing.", "A cursor is the last id seen."},
		{"Ben saw nothing of Anna's.", "A session reads its own events."},
	})
	s.look("The same crash with the bug that all this prevents:", "eventlog demo --reply-first")
	return nil
}

// verified says that nothing is wrong with the file, once that has been seen.
func (s *story) verified(ctx context.Context) (all []eventlog.StoredEvent, err error) {
	var report sqlstore.Report
	if err := s.reading(ctx, func(store *sqlstore.Store) error {
		report, err = store.Verify(ctx)
		return err
	}); err != nil {
		return nil, err
	}
	if all, err = s.file(ctx); err != nil {
		return nil, err
	}
	return all, s.claim(report.OK() && report.Events == int64(len(all)) && report.Sessions == 2, fmt.Sprintf("%d events in %d sessions, faults: %v", report.Events, report.Sessions, report.Faults),
		"%d events in %d sessions, and nothing is wrong.", report.Events, report.Sessions)
}
