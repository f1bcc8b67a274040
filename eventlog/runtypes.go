package eventlog

// The event types that tell how an agent ran. [Fold] makes no message of them; [Recover] reads from them what a crash left open.
//
// A turn is what one message of a user brings about: steps, until the model has answered. A step is one reply of the model with the tool
// calls that it asked for. Both are bracketed: what has a start and no end was running. An agent that writes turn_start promises to write
// tool_start as well, before it runs a tool, so that the log can tell a call that was only asked for from one that may have had effects.
const (
	TypeTurnStart    = "turn_start"    // payload {}; the messages of the turn come behind it
	TypeTurnEnd      = "turn_end"      // payload {reason}
	TypeStepStart    = "step_start"    // payload {}
	TypeStepEnd      = "step_end"      // payload {reason}
	TypeModelRequest = "model_request" // payload {}, or what the agent wants to remember of it; the reply comes behind it
	TypeModelRetry   = "model_retry"   // payload {attempt, waitMs, error}: the request failed and is made again after a wait
	TypeToolStart    = "tool_start"    // payload {callId}: the tool is run, from here on it may have had effects
	TypeSummary      = "summary"       // payload {content, until}: see Conversation
)

// The reasons that turn_end and step_end give.
const (
	ReasonDone      = "done"      // it came to its end
	ReasonFailed    = "failed"    // the model gave no answer
	ReasonLimit     = "limit"     // it had as many steps as the agent allows
	ReasonCancelled = "cancelled" // somebody ended it
	ReasonCrashed   = "crashed"   // the process died: a closer says so, afterwards
)
