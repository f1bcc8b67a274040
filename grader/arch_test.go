package grader_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The house's rules: which room may import which, and what is forbidden everywhere. A change here is a change of the design.

// rooms says what each room may import of the project. A name that ends in /* stands for every package below. What is not here may not exist.
var rooms = map[string][]string{
	"eventlog":              {},
	"eventlog/jsonlstore":   {"eventlog"},
	"eventlog/agent":        {"eventlog"},
	"eventlog/agent/openai": {"eventlog", "eventlog/agent"},
	"eventlog/inspect":      {"eventlog"},
	"eventlog/eventlogtest": {"eventlog", "grader/property"},
	"eventlog/bench":        {"eventlog"}, // a module of its own, so that what it measures against stays out of go.mod

	"sqlstore":                   {"eventlog"},
	"sqlstore/bench":             {"eventlog", "sqlstore"}, // a module of its own, too
	"sqlstore/cmd/eventlog":      {"eventlog", "eventlog/jsonlstore", "eventlog/agent", "eventlog/agent/openai", "eventlog/inspect", "sqlstore", "sqlstore/cmd/eventlog/chat", "sqlstore/cmd/eventlog/demo"},
	"sqlstore/cmd/eventlog/chat": {"eventlog", "eventlog/agent"},
	"sqlstore/cmd/eventlog/demo": {"eventlog", "eventlog/agent", "sqlstore"},

	"exercises":   {"eventlog/eventlogtest", "grader/property"},
	"exercises/*": {"eventlog/eventlogtest", "grader/property"},

	"grader/property":            {},
	"grader/jsrun":               {"grader/property"},
	"grader":                     {"exercises", "grader/property"},
	"grader/format":              {"grader", "grader/property"},
	"grader/cmd/grader":          {"exercises", "grader", "grader/cmd/grader/quietenv", "grader/format", "grader/jsrun", "grader/property", "sqlstore"},
	"grader/cmd/grader/quietenv": {},
	"grader/bench":               {"exercises", "grader", "grader/jsrun", "grader/property"},

	"wasm/grader": {"eventlog", "exercises", "grader", "grader/property"}, // eventlog: the reference's functions, for the page
}

// testsMay says what a room's tests import beyond what the room does.
var testsMay = map[string][]string{
	"eventlog": {"eventlog/eventlogtest"},                        // the reference is held to the properties
	"sqlstore": {"eventlog/eventlogtest", "eventlog/jsonlstore"}, // and so is every store; all of them answer alike

	"eventlog/jsonlstore": {"eventlog/eventlogtest"},

	"grader":         {"grader/jsrun"},
	"grader/jsrun":   {"exercises", "grader"}, // a runner is tested by grading the bank on it
	"grader/format":  {"exercises", "grader/jsrun"},
	"exercises":      {"grader", "grader/jsrun"},
	"eventlog/bench": {"eventlog/eventlogtest"},
}

// libraries says who may import what is not ours and not the standard library's. Tests may import the first two as well.
var libraries = map[string][]string{
	"pgregory.net/rapid":                  {"grader/property", "eventlog/eventlogtest"},
	"github.com/stretchr/testify":         {},
	"github.com/tetratelabs/wazero":       {"grader/jsrun"},
	"golang.org/x/sys":                    {"grader/cmd/grader", "sqlstore/cmd/eventlog", "eventlog/jsonlstore"},
	"github.com/klauspost/compress":       {"eventlog/inspect", "eventlog/jsonlstore"},
	"github.com/ncruces/go-sqlite3":       {"sqlstore", "sqlstore/bench"},
	"github.com/mattn/go-sqlite3":         {"sqlstore/bench"},
	"github.com/tmc/langchaingo":          {"sqlstore/bench"},
	"modernc.org/sqlite":                  {"sqlstore/bench"},
	"zombiezen.com/go/sqlite":             {"sqlstore/bench"},
	"github.com/benbjohnson/immutable":    {"eventlog/bench"},
	"github.com/prometheus/client_golang": {"eventlog/agent"},
	"github.com/openai/openai-go":         {"eventlog/agent/openai"},
}

var forTests = []string{"pgregory.net/rapid", "github.com/stretchr/testify"}

// A ban keeps something out of a room, however many of our own packages stand between.
type ban struct {
	rooms []string
	what  []string // a package, with everything below it
	why   string
}

var bans = []ban{
	{[]string{"eventlog"}, []string{"os", "net", "syscall", "math/rand", "crypto/rand", "io/ioutil", "log", "unsafe"},
		"the log is pure: no I/O and no randomness"},
	{[]string{"wasm/*"}, []string{"sqlstore", "grader/jsrun", "grader/cmd/grader"},
		"the page has its own sandbox and no store"},
	{[]string{"grader", "grader/property", "grader/format", "grader/jsrun", "exercises", "eventlog/eventlogtest"}, []string{"os/exec", "syscall/js", "net"},
		"grading starts no process, speaks to no network and knows no page; commands and wasm do"},
}

// A banned name is a function of a package that a room does without, though it needs others of that package.
type bannedName struct {
	rooms []string // all but these when it begins with "!"
	pkg   string
	names []string
	why   string
}

var bannedNames = []bannedName{
	{[]string{"eventlog"}, "time", []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Sleep"},
		"the log has no clock"},
	{[]string{"!", "grader/property"}, "pgregory.net/rapid", []string{"Check", "MakeCheck", "MakeFuzz", "Repeat", "StateMachineActions"},
		"only grader/property has to do with rapid's engine; others draw"},
}

// topLevel are the folders that the project has; more need an issue. What is built or belongs to an editor is not counted.
var topLevel = []string{".ci", ".git", "eventlog", "exercises", "grader", "sqlstore", "wasm", "web", "bin", ".vscode", ".idea"}

func TestArchitecture(t *testing.T) {
	root := ".."
	house, err := readHouse(root)
	require.NoError(t, err)
	require.Greater(t, len(house.packages), 5, "the rooms were not found")

	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		if e.IsDir() {
			house.folders = append(house.folders, e.Name())
		}
	}
	if faults := house.faults(); len(faults) > 0 {
		t.Errorf("forbidden by the design (grader/arch_test.go says what is allowed):\n  %s", strings.Join(faults, "\n  "))
	}
}

// Every rule is shown a house that breaks it, and one beside it that does not.
func TestArchitectureBites(t *testing.T) {
	const rapid = "pgregory.net/rapid"
	for _, tt := range []struct {
		name  string
		files []string // "PACKAGE[ test]: IMPORT…", or "PACKAGE[ test] uses PKG.NAME", or "folder NAME", or "PACKAGE has global NAME"
		fault string   // a part of what is said; "" for nothing
	}{
		{"an allowed arrow", []string{"sqlstore: eventlog github.com/ncruces/go-sqlite3/driver", "eventlog: strings"}, ""},
		{"a wrong arrow", []string{"eventlog/jsonlstore: sqlstore", "sqlstore: eventlog"}, "eventlog/jsonlstore imports sqlstore"},
		{"the log imports a neighbour", []string{"eventlog: grader/property"}, "eventlog imports grader/property"},
		{"the log imports a library", []string{"eventlog: github.com/tetratelabs/wazero/api"}, "eventlog imports github.com/tetratelabs/wazero/api"},
		{"the log does I/O", []string{"eventlog: os"}, "eventlog imports os: the log is pure"},
		{"the log does I/O a level below", []string{"eventlog: os/signal"}, "eventlog imports os/signal"},
		{"the log draws lots", []string{"eventlog: math/rand/v2"}, "eventlog imports math/rand/v2"},
		{"the log hashes with a seed", []string{"eventlog: hash/maphash math/bits time"}, ""},
		{"the log reads the clock", []string{"eventlog: time", "eventlog uses time.Now"}, "eventlog uses time.Now: the log has no clock"},
		{"the log has a duration", []string{"eventlog: time", "eventlog uses time.Duration"}, ""},
		{"the log keeps a global", []string{"eventlog has global cache"}, "eventlog has the package variable cache"},
		{"the log's tests may", []string{"eventlog test: os math/rand time eventlog/eventlogtest " + rapid, "eventlog test uses time.Now"}, ""},
		{"a test's wrong arrow", []string{"eventlog test: sqlstore"}, "eventlog's tests imports sqlstore"},
		{"the page imports the store", []string{"wasm/grader: sqlstore"}, "wasm/grader imports sqlstore"},
		{"the page reaches the store", []string{"wasm/grader: grader", "grader: exercises", "exercises: sqlstore"}, "wasm/grader imports grader → exercises → sqlstore"},
		{"the page may speak to its page", []string{"wasm/grader: grader syscall/js"}, ""},
		{"grading starts a process", []string{"grader: os/exec"}, "grader imports os/exec"},
		{"grading listens", []string{"grader/jsrun: net/http"}, "grader/jsrun imports net/http"},
		{"grading knows a page", []string{"grader/property: syscall/js"}, "grader/property imports syscall/js"},
		{"grading reaches a process", []string{"grader: exercises", "exercises: os/exec"}, "grader imports exercises → os/exec"},
		{"the command may start one", []string{"grader/cmd/grader: os/exec grader"}, ""},
		{"the sandbox knows the exercise", []string{"grader/jsrun: exercises"}, "grader/jsrun imports exercises"},
		{"the exercise knows the grader", []string{"exercises/event-log: grader"}, "exercises/event-log imports grader"},
		{"the grader draws", []string{"grader: " + rapid}, "grader imports " + rapid},
		{"the properties draw", []string{"eventlog/eventlogtest: " + rapid, "eventlog/eventlogtest uses " + rapid + ".IntRange"}, ""},
		{"the properties run the engine", []string{"eventlog/eventlogtest: " + rapid, "eventlog/eventlogtest uses " + rapid + ".Check"}, "eventlog/eventlogtest uses " + rapid + ".Check"},
		{"rapid's flags", []string{"grader/cmd/grader has rapid flag"}, "grader/cmd/grader sets rapid's flags"},
		{"rapid's flags in their place", []string{"grader/property has rapid flag"}, ""},
		{"another one imports SQLite", []string{"sqlstore/cmd/eventlog: github.com/ncruces/go-sqlite3"}, "sqlstore/cmd/eventlog imports github.com/ncruces/go-sqlite3"},
		{"another one imports wazero", []string{"grader/cmd/grader: github.com/tetratelabs/wazero"}, "grader/cmd/grader imports github.com/tetratelabs/wazero"},
		{"assertions outside tests", []string{"grader: github.com/stretchr/testify/require"}, "grader imports github.com/stretchr/testify/require"},
		{"an unknown library", []string{"sqlstore test: example.com/nice"}, "sqlstore's tests imports example.com/nice, a library that nothing names"},
		{"C", []string{"sqlstore: C"}, "sqlstore imports C"},
		{"a room that nobody planned", []string{"grader/helpers: strings"}, "grader/helpers is no room"},
		{"a folder that nobody planned", []string{"folder docs"}, "the folder docs"},
		{"a folder that was", []string{"folder web"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			faults := houseOf(tt.files).faults()
			if tt.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Contains(t, strings.Join(faults, "\n"), tt.fault)
		})
	}
}

// What is read from files is what the rules are asked about.
func TestArchitectureReads(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write("eventlog/log.go", "package eventlog\n\nimport clock \"time\"\n\nvar ErrX error\n\nvar _ = 1\n\nvar seen = map[string]bool{}\n\nfunc F() { clock.Now(); var time struct{ Sleep int }; _ = time.Sleep }\n")
	write("eventlog/log_test.go", "package eventlog_test\n\nimport \"os\"\n")
	write("eventlog/only_js.go", "//go:build js\n\npackage eventlog\n\nimport _ \"syscall/js\"\n")
	write("grader/cmd/grader/main.go", "package main\n\nimport \"flag\"\n\nfunc main() { flag.Set(\"rapid.checks\", \"1\") }\n")
	write("grader/testdata/broken.go", "not Go")
	write("web/node_modules/some/x.go", "package some\n\nimport \"net\"\n")
	house, err := readHouse(root)
	require.NoError(t, err)
	require.Equal(t, []string{
		"eventlog has the package variable seen: the log has no state outside its values",
		"eventlog imports syscall/js: the log is pure: no I/O and no randomness",
		"eventlog uses time.Now: the log has no clock",
		"grader/cmd/grader sets rapid's flags: only grader/property has to do with them",
	}, house.faults())

	write("grader/broken.go", "not Go")
	_, err = readHouse(root)
	require.Error(t, err)
}
