package eventlog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// How the result of a call begins when a closer gives it, since no tool ever will.
const (
	ToolNotStarted     = "TOOL_NOT_STARTED"     // it was asked for, and had no effect
	ToolOutcomeUnknown = "TOOL_OUTCOME_UNKNOWN" // it may have happened, wholly, in part or not at all
)

// A Recovery is what a crash left open in a session, and the closers that end it.
type Recovery struct {
	LastEventID int64      // the session's last event, behind which the closers belong: append them with ExpectLast
	Turn        int64      // the turn_start of the open turn; 0 when none is open
	Step        int64      // the step_start of the open step; 0 when none is open
	Open        []OpenCall // the calls that the closers give a result to, in the order of their events
	Closers     []NewEvent // a result for each open call, then step_end, then turn_end; empty when nothing is open
}

// An OpenCall is a tool call without a result.
type OpenCall struct {
	EventID  int64 // of the tool_call
	ToolCall ToolCall
	Started  bool // it may have had effects: its tool was started, or nobody can know
}

// Recover tells what is open at the end of a session's events, which must be all of them, in order, and how to end it.
//
// It is for a session that nobody is running: whoever crashed is dead. Append the closers as one batch, with [ExpectLast] of LastEventID; they
// close everything, so that a model's provider accepts the session again and an interrupted recovery can simply be done once more.
//
//   - A call that was asked for and never started gets the result TOOL_NOT_STARTED. That can only be known of a call inside a turn_start,
//     without a tool_start of its own. Every other one gets TOOL_OUTCOME_UNKNOWN: its effect must be looked up before it is made again.
//   - A turn that has its turn_end is left as it is, whatever it looks like.
//   - The real result of a closed call may still come. It is kept like any event, and stands in the log as [ToolCallLate].
//   - Closers carry the reason "crashed" and, as time, that of the last event in Unix milliseconds: the crash was not before it.
//
// Recover is pure: the same events give the same closers, and none for events that the closers were appended to.
func Recover(events []StoredEvent) Recovery {
	var r Recoverer
	for _, e := range events {
		r.Add(e)
	}
	return r.Recovery()
}

// A Recoverer is [Recover] event by event, for sessions that do not fit into memory: it keeps no more than what is open. The zero value has
// seen nothing.
type Recoverer struct {
	last int64
	time time.Time
	turn int64 // of the open turn and the open step, the events that started them
	step int64
	open waitingCalls
}

// A waitingCall is what is kept of one.
type waitingCall struct {
	eventID int64
	payload json.RawMessage
	turn    int64 // that it was made in; 0 outside of any
	started bool
	sealed  bool // its turn has ended
}

func (c *waitingCall) mayHaveRun() bool { return c.turn == 0 || c.started }

// waitingCalls are kept by call id, since results name nothing else, the newest last.
type waitingCalls map[string][]*waitingCall

// Add takes in the session's next event.
func (r *Recoverer) Add(e StoredEvent) {
	r.last, r.time = e.EventID, e.CreatedAt
	switch e.Type {
	case TypeTurnStart:
		r.turn, r.step = e.EventID, 0
	case TypeTurnEnd:
		for _, calls := range r.open {
			for _, c := range calls {
				c.sealed = c.sealed || c.turn == r.turn && r.turn != 0
			}
		}
		r.turn, r.step = 0, 0
	case TypeStepStart:
		r.step = e.EventID
	case TypeStepEnd:
		r.step = 0
	case TypeToolCall, TypeToolStart, TypeToolResult:
		r.addCall(e)
	}
}

func (r *Recoverer) addCall(e StoredEvent) {
	id := Text(member(e.Payload, "callId"))
	calls := r.open[id]
	switch e.Type {
	case TypeToolCall:
		if r.open == nil {
			r.open = waitingCalls{}
		}
		r.open[id] = append(calls, &waitingCall{eventID: e.EventID, payload: slices.Clone(e.Payload), turn: r.turn})
	case TypeToolStart:
		for _, c := range slices.Backward(calls) {
			if !c.started {
				c.started = true
				return
			}
		}
	case TypeToolResult:
		if len(calls) <= 1 {
			delete(r.open, id)
			return
		}
		r.open[id] = calls[:len(calls)-1]
	}
}

// Recovery is what is open after the events so far.
func (r *Recoverer) Recovery() Recovery {
	found := Recovery{LastEventID: r.last, Turn: r.turn, Step: r.step, Open: []OpenCall{}, Closers: []NewEvent{}}
	type closing struct {
		call   *waitingCall
		result *waitingCall // whose result the closer in the call's place is: of several calls with one id, the newest takes the first result
	}
	var closings []closing
	for _, calls := range r.open {
		reach := calls
		for i, c := range calls {
			if c.sealed { // a result would go to this one before it could reach an older one
				reach = calls[i+1:]
			}
		}
		for i, c := range reach {
			closings = append(closings, closing{c, reach[len(reach)-1-i]})
		}
	}
	slices.SortFunc(closings, func(a, b closing) int { return cmp.Compare(a.call.eventID, b.call.eventID) })
	for _, c := range closings {
		m, _ := foldEvent(TypeToolCall, c.call.payload)
		found.Open = append(found.Open, OpenCall{EventID: c.call.eventID, ToolCall: m.ToolCalls[0], Started: c.call.mayHaveRun()})
		found.Closers = append(found.Closers, r.closer(TypeToolResult, c.result))
	}
	if r.step != 0 {
		found.Closers = append(found.Closers, r.closer(TypeStepEnd, nil))
	}
	if r.turn != 0 {
		found.Closers = append(found.Closers, r.closer(TypeTurnEnd, nil))
	}
	return found
}

func (r *Recoverer) closer(eventType string, call *waitingCall) NewEvent {
	var payload struct {
		CallID  *string `json:"callId,omitempty"`
		Content string  `json:"content,omitempty"`
		Reason  string  `json:"reason"`
		Time    int64   `json:"time,omitempty"`
	}
	payload.Reason = ReasonCrashed
	if !r.time.IsZero() {
		payload.Time = r.time.UnixMilli()
	}
	if call != nil {
		id := Text(member(call.payload, "callId"))
		payload.CallID = &id
		payload.Content = ToolOutcomeUnknown + ": the agent ended while this call was open. It may or may not have happened; look before making it again."
		if !call.mayHaveRun() {
			payload.Content = ToolNotStarted + ": the agent ended before it made this call. Nothing has happened."
		}
	}
	var b bytes.Buffer
	writeJSON(&b, payload)
	return NewEvent{Type: eventType, Payload: json.RawMessage(b.Bytes())}
}
