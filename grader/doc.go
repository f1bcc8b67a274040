// Package grader holds a submission against an exercise and writes the report.
//
// It knows neither a JavaScript engine nor a file system: a [Sandbox] loads a submission, wherever that runs, and the
// properties of the exercise judge its transcripts. The page and the command use this package with sandboxes of their own and get the same
// verdicts; the command's `verify` holds an exercise against its bank with [Verify].
package grader
