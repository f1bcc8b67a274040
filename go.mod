module forgetmenot

go 1.26.8

require (
	github.com/stretchr/testify v1.11.1 // assertions, in tests only
	github.com/tetratelabs/wazero v1.12.0 // runs the JavaScript sandbox in the command: grader/jsrun
	golang.org/x/sys v0.44.0 // whether the command writes to a terminal, and how wide it is: grader/cmd/grader
	pgregory.net/rapid v1.3.0 // draws the programs that try to refute a submission: grader/property
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

// npm packages may hold Go files, which are none of ours.
ignore ./web
