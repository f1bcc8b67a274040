// A module of its own, so that what is only measured against does not become a
// dependency of the project.
module forgetmenot/sqlstore/bench

go 1.26.8

require (
	forgetmenot v0.0.0
	github.com/mattn/go-sqlite3 v1.14.53 // SQLite in C for Go; the C program is made of what it brings, too
	github.com/ncruces/go-sqlite3 v0.37.0 // the store's own driver, without the store
	github.com/stretchr/testify v1.12.1 // assertions, in tests only
	github.com/tmc/langchaingo v0.1.14 // its chat history in SQLite
	modernc.org/sqlite v1.62.0 // SQLite translated to Go
	zombiezen.com/go/sqlite v1.4.2 // the same through an interface of its own
)

require (
	github.com/dlclark/regexp2 v1.10.0 // indirect
	github.com/dustin/go-humanize v1.1.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/mattn/go-isatty v0.0.24 // indirect
	github.com/ncruces/go-sqlite3-wasm/v6 v6.5.35401 // indirect
	github.com/ncruces/go-strftime v1.1.0 // indirect
	github.com/ncruces/julianday v1.0.0 // indirect
	github.com/pkoukk/tiktoken-go v0.1.6 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20230129092748-24d4a6f8daec // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/sys v0.49.0 // indirect
	modernc.org/libc v1.80.1 // indirect
	modernc.org/mathutil v1.7.1 // indirect
	modernc.org/memory v1.12.1 // indirect
)

replace forgetmenot => ../..
