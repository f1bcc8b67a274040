package eventlog

import (
	"encoding/json"
	"slices"
)

// A ToolCallState is a tool call and what became of it, or a result that answers no call.
type ToolCallState struct {
	EventID       int64 // of the tool_call; of the tool_result when there is no call to put it to
	Status        ToolCallStatus
	ToolCall      ToolCall        // of a result without a call, the ToolCallID alone
	ResultEventID int64           // 0 while open
	Result        json.RawMessage // the content of the result; nil while open
}

// A ToolCallStatus tells what became of a tool call.
type ToolCallStatus string

const (
	ToolCallOpen   ToolCallStatus = "open"   // no result yet
	ToolCallDone   ToolCallStatus = "done"   // it has its result
	ToolCallOrphan ToolCallStatus = "orphan" // a result: no call with its id came before it
	ToolCallLate   ToolCallStatus = "late"   // a result: every call with its id had one already
)

// ProjectToolCalls tells what became of the tool calls of a session, in the order of their event ids. It is the law that every store's
// projection follows.
//
// Models use call ids again. So a result goes to the newest open call with its id. It never replaces an earlier result: when none is open
// it stands by itself, late if there was such a call, else an orphan.
func ProjectToolCalls(events []Event) []ToolCallState {
	return projectToolCalls([]ToolCallState{}, events)
}

// projectToolCalls goes on from the states that earlier events gave, which it may change.
func projectToolCalls(states []ToolCallState, events []Event) []ToolCallState {
	open := map[string][]int{} // by call id, the places of open calls, the newest last
	known := map[string]bool{}
	for i, s := range states {
		if s.Status == ToolCallOpen || s.Status == ToolCallDone {
			known[s.ToolCall.ToolCallID] = true
		}
		if s.Status == ToolCallOpen {
			open[s.ToolCall.ToolCallID] = append(open[s.ToolCall.ToolCallID], i)
		}
	}
	for _, e := range events {
		m, ok := foldEvent(e.Type, e.Payload)
		switch {
		case !ok:
		case e.Type == TypeToolCall:
			call := m.ToolCalls[0]
			known[call.ToolCallID] = true
			open[call.ToolCallID] = append(open[call.ToolCallID], len(states))
			states = append(states, ToolCallState{EventID: e.EventID, Status: ToolCallOpen, ToolCall: call})
		case e.Type == TypeToolResult:
			if places := open[m.ToolCallID]; len(places) > 0 {
				at := places[len(places)-1]
				open[m.ToolCallID] = places[:len(places)-1]
				states[at].Status, states[at].ResultEventID, states[at].Result = ToolCallDone, e.EventID, m.Content
				continue
			}
			status := ToolCallOrphan
			if known[m.ToolCallID] {
				status = ToolCallLate
			}
			states = append(states, ToolCallState{
				EventID: e.EventID, Status: status, ToolCall: ToolCall{ToolCallID: m.ToolCallID}, ResultEventID: e.EventID, Result: m.Content,
			})
		}
	}
	return states
}

// copyToolCalls gives states that share no memory with those given.
func copyToolCalls(states []ToolCallState) []ToolCallState {
	copied := slices.Clone(states)
	for i, s := range states {
		copied[i].Result = slices.Clone(s.Result)
	}
	return copied
}

// FoldEvent is the message of one event; ok is false when it has none. Fold of a session is FoldEvent of each of its events.
func FoldEvent(e Event) (m Message, ok bool) { return foldEvent(e.Type, e.Payload) }
