package agent

// A Moment is a place in a turn.
type Moment string

// The four moments before an effect: a loop makes durable what has happened so far, then it goes on (see Policy).
const (
	BeforeModel Moment = "before-model" // the model is about to be asked
	BeforeTool  Moment = "before-tool"  // a tool is about to be called; the tools that it calls itself share this moment
	BeforeStep  Moment = "before-step"  // a step has ended and another one follows
	BeforeWait  Moment = "before-wait"  // the model failed, and is asked again after a wait
)

// Other moments, at which hooks are called.
const (
	AfterTool   Moment = "after-tool"   // the tool has run; its result is not stored
	BeforeReply Moment = "before-reply" // everything is stored, nothing has been answered
	AfterReply  Moment = "after-reply"  // the answer has left; with Options.ReplyFirst nothing is stored
)

// A Policy tells at which moments what has happened so far is made durable before the effect. When that fails, the effect does not happen.
//
// A policy that leaves moments out saves a write for each, and pays after a crash: what was not written has not happened, as far as the log
// can tell. Without BeforeTool a tool can run twice. Whatever the policy, nothing is answered before everything is stored.
type Policy func(Moment) bool

// EveryMoment is the policy that forgets nothing: with it a crash never finds an effect that the log does not announce.
func EveryMoment(Moment) bool { return true }
