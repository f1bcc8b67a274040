// Package eventlogtest holds what an event log, and a store of event logs, must obey, and tests them by it.
//
// # Logs
//
// The properties of an event log are one table of laws, each with a generator of programs and a check.
// The same rows judge every subject: the package eventlog, a store, a learner's JavaScript in a sandbox or in a page. A
// subject in Go is adapted with [NewRunner] and tested in one line with [Run]; any other brings a property.Runner of its own.
//
// A log value is named by the call that made it. A program appends to any log value it has, so histories fork; what
// each of them should hold follows from the program alone (see history), and every check reads the transcript against that.
// Checks look through a narrow lens: isolation asks whose events came back, not whether their payloads are right, so that a fault is reported
// by the law that names it.
//
// # Stores
//
// [RunStore] tests an implementation of eventlog.Store in one call: the same properties, on stores ([NewStoreRunner]), and [StoreChecks], a second
// table, of what only stores have: sessions, conditions of an append, durability, watching, many writers, closing. A check works in a lab, which
// opens stores and ends the check at the first wrong answer; one of them follows drawn sequences of operations beside a model.
// A check that hangs is given up, and says where it waits. Nothing in a check waits for a time to pass, and no verdict depends on a clock.
//
// # What tests them
//
// Both tables are tested by right subjects that share no code with those that matter, and by broken ones: each of about thirty broken logs, of the
// exercise's bank of mutants, and of about eighty broken stores must be refuted by the row that names its fault.
package eventlogtest
