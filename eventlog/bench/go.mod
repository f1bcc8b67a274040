// A module of its own, so that what is only measured against does not become a
// dependency of the project.
module forgetmenot/eventlog/bench

go 1.26.8

require (
	forgetmenot v0.0.0
	github.com/benbjohnson/immutable v0.4.3 // the persistent list and map that the log is measured against
)

require golang.org/x/exp v0.0.0-20220518171630-0b5c67f07fdf // indirect

replace forgetmenot => ../..
