// Package inspect reads the session logs of agents, our own and those of other tools, and tells what is in them and what is wrong with them.
// It never changes what it reads.
//
// [Inspect] reads a file once, or twice where a log is a tree or replaces what it said, and answers with a [Report]: format and version, events and
// sessions, the last complete turn, what is open, calls without a result and results without a call, lines that are torn or bad with their
// numbers, and what recovery would append or cut. [Events] gives what a file says as events that an [eventlog.Store] takes, each with the
// place it comes from and the very bytes of its record. [Repair] writes a copy without what no reader takes, and with what recovery appends.
//
// A file is recognised by what it says, not by its name, and read as its own tool reads it:
//
//	forgetmenot-eventlog   what `eventlog export` writes
//	forgetmenot-session    a session's file of the store on plain files
//	codex                  OpenAI Codex: the first session_meta owns the file, later ones came with a fork
//	claude-code            Claude Code: a tree by parentUuid, side chains apart, results of tools inside messages of the user
//	gemini-cli             Gemini CLI: a repeated id replaces, $set sets, $rewindTo takes back
//	pi                     Pi: a tree, of which the path to the newest entry is the session
//	deepseek-harness       DeepSeek harness: packed rows, numbers without a gap, and nothing that it does not know
//
// Any of them may be compressed with zstd, in as many frames as it likes.
//
// Memory does not grow with a file's bytes: a line at a time, what is open, a word for each call, and for trees and replacements a few for each record.
// It is not a validator of formats: what a tool does not need to read its own file again is not looked at.
//
// A format is tested by TestFormats, which reads its file in testdata, and has a fuzz target of its own: whatever the bytes, nothing panics, every line
// is accounted for, and a repair leaves nothing to repair.
package inspect
