package demo

import (
	"context"
	"fmt"
	"slices"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
)

// The story of the bug, a function for each chapter.

func (s *story) replyFirst(ctx context.Context) error {
	s.tell.chapter("The agent answers")
	if err := s.client.create(ctx, anna, "Anna's questions"); err != nil {
		return err
	}
	s.tell.para("The agent is process %d, at %s.\nAnna asks: %q", s.process.pid(), s.process.url, howMany)
	answered, err := s.client.say(ctx, anna, howMany, "anna-1")
	if err != nil {
		return err
	}
	if err := s.process.held(ctx, agent.AfterReply); err != nil {
		return err
	}
	s.lost = unstored(answered)
	s.tell.block(s.lost)
	if err := s.claim(answered.last() != "" && !slices.ContainsFunc(answered.ids(), func(id int64) bool { return id != 0 }), fmt.Sprintf("the messages have the ids %v", answered.ids()),
		"Anna reads %q None of this has an id.", answered.last()); err != nil {
		return err
	}
	stored, err := s.file(ctx)
	if err != nil {
		return err
	}
	s.tell.para("Here the demo stops it, just after its reply, and reads the file itself:")
	s.tell.block(factsOf(stored))
	return s.claim(len(stored) == 0, seen(stored), "Anna has her answer, and the file holds no event at all.")
}

func (s *story) nothingLeft(ctx context.Context) error {
	s.tell.chapter("Killed before it writes")
	if err := s.kill(ctx); err != nil {
		return err
	}
	stored, err := s.file(ctx)
	if err != nil {
		return err
	}
	if err := s.claim(len(stored) == 0, seen(stored), "The file still holds no event."); err != nil {
		return err
	}
	s.tell.why("What a process is about to write, nobody writes once it is dead.")
	return nil
}

func (s *story) forgotten(ctx context.Context) error {
	s.tell.chapter("Started again on the same file")
	if err := s.start(ctx, true); err != nil {
		return err
	}
	s.tell.para("A new process: %d. It knows nothing but the file.\nAnna says thank you for the answer.", s.process.pid())
	thanks, err := s.client.say(ctx, anna, "Thank you.", "anna-2")
	if err != nil {
		return err
	}
	if err := s.process.end(ctx); err != nil { // after it has written what it has said
		return err
	}
	stored, err := s.file(ctx)
	if err != nil {
		return err
	}
	s.tell.block(factsOf(stored))
	if err := s.claim(remembers(thanks, 1), fmt.Sprintf("she was told %q", thanks.last()), "It was her second message, and the agent remembers one."); err != nil {
		return err
	}
	if err := s.claim(len(stored) == 2 && stored[0].Type == eventlog.TypeUserMessage, seen(stored),
		"Anna holds the answer %s The log knows neither it nor the question.", s.lost[len(s.lost)-1].text); err != nil {
		return err
	}
	s.tell.why("The client believes what it was told. An agent that has forgotten it may ask, promise or pay a second time.")
	return nil
}

func (s *story) rightOrder(ctx context.Context) error {
	s.tell.chapter("The same crash, in the right order")
	if err := s.start(ctx, false, agent.AfterReply); err != nil {
		return err
	}
	if err := s.client.create(ctx, ben, "Ben's questions"); err != nil {
		return err
	}
	s.tell.para("Process %d writes first.\nBen asks the same, and it is stopped at the same moment: just after its reply.", s.process.pid())
	answered, err := s.client.say(ctx, ben, howMany, "ben-1")
	if err != nil {
		return err
	}
	if err := s.process.held(ctx, agent.AfterReply); err != nil {
		return err
	}
	if err := s.kill(ctx); err != nil {
		return err
	}
	all, err := s.file(ctx)
	if err != nil {
		return err
	}
	bens := of(ben, all)
	s.tell.block(factsOf(bens))
	if err := s.claim(len(bens) > 0 && slices.Equal(answered.ids(), ids(bens)) && oneTurn(bens), seen(bens), "Ben read %q The file holds all of it.", answered.last()); err != nil {
		return err
	}
	if err := s.start(ctx, false); err != nil {
		return err
	}
	thanks, err := s.client.say(ctx, ben, "Thank you.", "ben-2")
	if err != nil {
		return err
	}
	if err := s.process.end(ctx); err != nil {
		return err
	}
	s.tell.para("Process %d starts on the file.\nBen says thank you.", s.process.pid())
	if err := s.claim(remembers(thanks, 2), fmt.Sprintf("he was told %q", thanks.last()), "It was his second message, and the agent remembers 2."); err != nil {
		return err
	}
	s.tell.why("A reply cannot be taken back. So the record comes first, and then the reply.")
	return nil
}

func (s *story) nothingFound(ctx context.Context) error {
	s.tell.chapter("The file is examined")
	all, err := s.verified(ctx)
	if err != nil {
		return err
	}
	s.tell.para("That is the trouble with this bug: no examination finds what was never written.")
	s.tell.para("The log, time to the right:")
	s.tell.block(s.lanes(all))
	s.tell.block(rules{
		{"Anna's reply came before its record.", "Write first, then reply."},
		{"The crash took what was told.", "A reply promises a record."},
		{"The same crash took nothing of Ben's.", "The order is all the difference."},
	})
	s.look("The whole story in the right order:", "eventlog demo")
	return nil
}
