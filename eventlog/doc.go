// Package eventlog is the memory of an AI agent as one pure value: an ordered,
// append-only log of events, which are facts that never change.
//
// Every event belongs to a session, the conversation it is a part of. Nothing
// else is kept: what a session looks like now is computed from its events, by
// folding them into the messages that a model is shown (see [Fold]). So a crash
// loses no conversation that was logged, a client that reconnects reads what it
// missed, and two conversations cannot leak into each other.
//
// A [Log] is an immutable value. Append does not change the log that it is
// called on, it gives a new one with one event more; the old one answers every
// question as it always did, and can be extended too, in another direction. The
// zero value is an empty log. Any number of goroutines may use one value at
// once, appends included.
//
// # The exercise
//
// The exercise "event-log" asks a learner for these five functions in
// JavaScript. The same laws hold for both sides:
//
//	createEventLog()                      New
//	appendEvent(log, event)               Log.Append
//	getEventsForSession(log, sessionId)   Log.Events
//	listSessions(log)                     Log.Sessions
//	replaySession(log, sessionId)         Log.Replay
//
// # What it is not
//
// It does no I/O, so a log is gone when its process ends. It
// reads no clock, draws no ids and keeps no package-level state: the same calls
// give the same answers, always. Four event types make messages, those that
// Fold knows; a few more tell how an agent ran (see [TypeTurnStart]). Any other
// type is carried without a look inside.
//
// # The run of an agent
//
// [Recover] tells what a crash left open in a session, and which events end it.
// [Conversation] is a session as a model's provider takes it, and
// [OpenAIMessages] and [AnthropicMessages] write it in their shapes. A
// [Snapshot] spares the replay of a long session. All of these are pure.
//
// # Stores
//
// A log that lasts, and that many share, is kept in a [Store]. This package has
// the contract, what all stores have in common ([Limits], [StoreError],
// [ProjectToolCalls]), and a store in memory, [MemStore]. Stores that write to
// disk are packages of their own.
//
// # Testing an implementation
//
// What an event log has to obey is written down once, as properties, in the
// package eventlog/eventlogtest. This package passes them, and so must every
// other log, whatever it is written in. The same package has RunStore, the
// conformance suite for stores.
//
// # Cost
//
// Appending costs amortised constant time; it walks the session index, whose
// expected depth is the logarithm to base 4 of the number of sessions, and
// checks and copies the payload. Reading a session costs its own events,
// however long the log is and however far it has grown since. Listing the
// sessions costs the number of sessions. Extending an old version copies at
// most one chunk of the log, a constant, and only for the first event: from
// there on the fork is a log like any other.
//
// Versions share everything except their ends, so that keeping every version of
// a log alive takes memory in proportion to its events, forks included. Keeping
// an old version keeps no more than a chunk's worth of newer events alive.
package eventlog
