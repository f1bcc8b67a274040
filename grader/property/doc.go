// Package property says what it means for code to keep a law, and finds the smallest program that shows it does not.
//
// A [Property] is one row of an exercise's table: an id, a law in one sentence, a generator of programs and a check.
// A [Program] is data: a list of calls whose arguments are JSON values or results of earlier calls. A [Realm] (a
// JavaScript sandbox, a Go value, a page) turns a program into a [Transcript]; the check reads the transcript, outside
// the realm. [Check] draws programs, runs them, and shrinks the first that is refuted to a [Counterexample], which
// replays exactly on any runner and prints as code.
//
// The package knows nothing of event logs, of JavaScript engines or of files. It draws with pgregory.net/rapid's
// generators (and is the only package to do so outside tests); shrinking works on the program itself, within a budget counted in
// runs, so a slow machine finds the same counterexample as a fast one.
//
// An implementation of [Runner] is tested by running a known solution and known mutants on it: they must get the same
// verdicts and counterexamples as on every other runner (see the package jsrun).
package property
