// Package demo tells the story of the event log with real processes, and checks what it tells: `eventlog demo`.
//
// [Run] is the parent. It starts [Serve] as a process of its own, an agent service on a SQLite file, and talks HTTP to it as any client would.
// It kills that process with SIGKILL in the middle of a turn, starts it again on the same file, and shows what is left. What the
// file holds it reads through a store of its own, read-only. With [Options].ReplyFirst the service has the bug that the project is about.
//
// The story is made of blocks: paragraphs, events, claims. A claim is printed once it has been seen to hold; the first that does not ends the
// story with [ErrClaim]. Nothing in it depends on how fast anything is: the service stops by itself at the moments that it was given, says so, and
// waits for the parent.
//
// # What it is not
//
// It is no test of the store and no measurement. SIGKILL takes a process, not the machine: what outlives a power loss this story cannot show.
//
// # Testing
//
// Its tests run both stories to the end, and hold them against services with one fault each, which the story must find.
package demo
