// Package eventlogtest holds the properties of an event log: one table of laws, each with a generator of programs and a check.
//
// The same rows judge every subject: the package eventlog, a store, a learner's JavaScript in a sandbox or in a page. A
// subject in Go is adapted with [NewRunner] and tested in one line with [Run]; any other brings a property.Runner of its own.
//
// A log value is named by the call that made it. A program appends to any log value it has, so histories fork; what
// each of them should hold follows from the program alone (see history), and every check reads the transcript against that.
// Checks look through a narrow lens: isolation asks whose events came back, not whether their payloads are right, so that a fault is reported
// by the law that names it.
//
// The table itself is tested by broken logs and by the exercise's bank of mutants, each of which a named property must refute.
package eventlogtest
