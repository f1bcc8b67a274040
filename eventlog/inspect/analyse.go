package inspect

import (
	"cmp"
	"hash/maphash"
	"slices"
	"time"

	"forgetmenot/eventlog"
)

// An analyst takes in the events of a file, one by one, and finds out what is open and what does not fit. It keeps what is open, and a word for
// every call.
type analyst struct {
	report   *Report
	seed     maphash.Seed
	sessions map[string]*sessionState
	order    []*sessionState
	last     *sessionState
	times    span
	id       int64 // of the last event; they are counted where the file gives none
}

type sessionState struct {
	Session
	times     span
	now       time.Time // of the last event that has one
	recoverer eventlog.Recoverer
	bracketed bool // events of ours tell of turns
	guessed   *guessedEnd
	open      map[string][]openCall
	known     map[uint64]struct{} // call ids, by their hash
}

// A guessedEnd is a turn that has ended as far as its messages tell. A call shows that it had not.
type guessedEnd struct{ start, before *Place }

type openCall struct {
	id int64
	CallRef
}

func newAnalyst(r *Report) *analyst {
	return &analyst{report: r, seed: maphash.MakeSeed(), sessions: map[string]*sessionState{}}
}

func (a *analyst) session(id string) *sessionState {
	if a.last != nil && a.last.ID == id {
		return a.last
	}
	s := a.sessions[id]
	if s == nil {
		none := Calls{First: []CallRef{}} // never null in JSON
		s = &sessionState{Session: Session{ID: id, Open: none, Orphaned: none, Late: none, Duplicated: none}, open: map[string][]openCall{}, known: map[uint64]struct{}{}}
		a.sessions[id] = s
		a.order = append(a.order, s)
	}
	a.last = s
	return s
}

// add takes in the next event. It never fails; the error is for whom events are given to.
func (a *analyst) add(e *Event) error {
	s := a.session(e.SessionID)
	weight := max(e.weight, 1)
	s.Events += weight
	s.times.add(e.Time)
	a.times.add(e.Time)
	a.report.Events += weight
	count(a.report.Types, e.Type, weight)
	if e.unknown {
		count(a.report.Unknown, e.Type, weight)
	}
	if a.id++; e.EventID > 0 {
		a.id = e.EventID
	}
	switch e.Type {
	case eventlog.TypeToolCall:
		a.call(s, e)
	case eventlog.TypeToolResult:
		a.result(s, e)
	default:
		s.turn(e)
	}
	if !e.Time.IsZero() {
		s.now = e.Time
	}
	s.recoverer.Add(recoverable(e, a.id, s.now))
	return nil
}

func (a *analyst) call(s *sessionState, e *Event) {
	s.Calls++
	ref := CallRef{e.CallID, e.Name, e.Place}
	hash := maphash.String(a.seed, e.CallID)
	if _, ok := s.known[hash]; ok {
		s.Duplicated.add(ref)
		if len(s.open[e.CallID]) > 0 {
			a.fault(DuplicateCall, e, "another one with its id is open")
		} else {
			a.report.Notes.add(Finding{ReusedCall, e.Place, "call " + shortened(e.CallID) + ": the id of an earlier call is used again"})
		}
	}
	s.known[hash] = struct{}{}
	s.goesOn()
	s.open[e.CallID] = append(s.open[e.CallID], openCall{a.id, ref})
}

func (a *analyst) result(s *sessionState, e *Event) {
	if open := s.open[e.CallID]; len(open) > 1 {
		s.open[e.CallID] = open[:len(open)-1]
		return
	} else if len(open) == 1 {
		delete(s.open, e.CallID)
		return
	}
	ref := CallRef{e.CallID, "", e.Place}
	if _, ok := s.known[maphash.String(a.seed, e.CallID)]; ok {
		s.Late.add(ref)
		a.fault(LateResult, e, "this is a result, and every call with its id has one already")
		return
	}
	s.Orphaned.add(ref)
	a.fault(Orphan, e, "this is a result, and no call with its id came before it")
}

func (a *analyst) fault(k Kind, e *Event, text string) {
	a.report.Faults.add(Finding{k, e.Place, "call " + shortened(e.CallID) + ": " + text})
}

func shortened(id string) string {
	if len(id) > 80 {
		return id[:80] + "…"
	}
	return id
}

// turn takes in what an event tells of turns and steps. Where no events of ours bracket them, a turn goes from the first message of a user to
// the answer that leaves no call open.
func (s *sessionState) turn(e *Event) {
	turn := e.turn
	switch e.Type {
	case eventlog.TypeTurnStart:
		s.bracketed, turn = true, turnStarts
	case eventlog.TypeTurnEnd:
		s.ended(e.Place)
		return
	case eventlog.TypeStepStart:
		s.OpenStep = new(Place)
		*s.OpenStep = e.Place
	case eventlog.TypeStepEnd:
		s.OpenStep = nil
	case eventlog.TypeUserMessage:
		if e.own && !s.bracketed {
			turn = turnStarts
		}
	case eventlog.TypeAssistantMessage:
		if e.own && !s.bracketed {
			turn = turnEnds
		}
	}
	switch {
	case turn == turnStarts:
		s.OpenTurn, s.OpenStep, s.guessed = new(Place), nil, nil
		*s.OpenTurn = e.Place
	case turn == turnEnds && !mapped(e.Type): // the tool says so
		s.ended(e.Place)
	case turn == turnEnds && len(s.open) == 0:
		s.goesOn() // with another message
		if s.OpenTurn == nil {
			return
		}
		guess := &guessedEnd{s.OpenTurn, s.LastCompleteTurn}
		s.ended(e.Place)
		s.guessed = guess
	}
}

// goesOn takes back that a turn has ended, when that was a guess.
func (s *sessionState) goesOn() {
	if g := s.guessed; g != nil {
		s.Turns--
		s.OpenTurn, s.LastCompleteTurn, s.guessed = g.start, g.before, nil
	}
}

func (s *sessionState) ended(at Place) {
	s.Turns++
	s.guessed = nil
	s.OpenTurn, s.OpenStep, s.LastCompleteTurn = nil, nil, &at
}

// A sessionRecovery is what recovery has to say of one session.
type sessionRecovery struct {
	session  string
	recovery eventlog.Recovery
}

// finish writes into the report what is known now. It returns the recoveries that have something to close.
func (a *analyst) finish() []sessionRecovery {
	r := a.report
	r.First, r.Last = a.times.ends()
	r.Sessions.Count = int64(len(a.order))
	var found []sessionRecovery
	for _, s := range a.order {
		recovery := s.recoverer.Recovery()
		s.finish(r, recovery)
		if len(r.Sessions.First) < MostListed {
			r.Sessions.First = append(r.Sessions.First, s.Session)
		}
		if len(recovery.Closers) > 0 {
			found = append(found, sessionRecovery{s.ID, recovery})
		}
	}
	slices.SortStableFunc(r.Cut.First, func(x, y Cut) int { return cmp.Compare(x.Line, y.Line) })
	slices.SortStableFunc(r.Faults.First, func(x, y Finding) int { return cmp.Compare(x.Line, y.Line) })
	return found
}

func (s *sessionState) finish(r *Report, recovery eventlog.Recovery) {
	s.First, s.Last = s.times.ends()
	for _, c := range recovery.Open {
		calls := s.open[c.ToolCall.ToolCallID]
		if i := slices.IndexFunc(calls, func(o openCall) bool { return o.id == c.EventID }); i >= 0 {
			s.Open.add(calls[i].CallRef)
			r.Faults.add(Finding{Interrupted, calls[i].Place, "call " + shortened(c.ToolCall.ToolCallID) + " has no result"})
			s.open[c.ToolCall.ToolCallID] = slices.Delete(calls, i, i+1)
		}
	}
	if recovery.Step != 0 && s.OpenStep != nil {
		r.Faults.add(Finding{Interrupted, *s.OpenStep, "the step that starts here has no end"})
	}
	if recovery.Turn != 0 && s.OpenTurn != nil {
		r.Faults.add(Finding{Interrupted, *s.OpenTurn, "the turn that starts here has no end"})
	}
	var never []openCall // of turns that have ended: recovery leaves those as they are
	for _, calls := range s.open {
		never = append(never, calls...)
	}
	slices.SortFunc(never, func(x, y openCall) int { return cmp.Compare(x.id, y.id) })
	for _, c := range never {
		r.Faults.add(Finding{Unanswered, c.Place, "call " + shortened(c.CallID) + " has no result, though its turn has ended"})
	}
	for _, c := range recovery.Closers {
		r.Append.add(Closer{SessionID: s.ID, Type: c.Type, CallID: payloadOf(c).CallID, Payload: c.Payload})
	}
}
