package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/jsrun"

	"github.com/stretchr/testify/require"
)

// The test binary is also the command that the tests start: as a worker, which is how the command calls itself, and as the whole command, for tests that
// send it signals.
const actAsCommand = "GRADER_TEST_ACT_AS_COMMAND"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == workerCommand && strings.HasPrefix(os.Args[2], fakeWorker) {
		actAsFake(strings.TrimPrefix(os.Args[2], fakeWorker))
	}
	if len(os.Args) > 1 && os.Args[1] == workerCommand || os.Getenv(actAsCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// A result is what a call of the command came to.
type result struct {
	status      int
	out, errors string
}

// call runs the command in this process.
func call(t *testing.T, args ...string) result {
	t.Helper()
	return callWith(t, context.Background(), args...)
}

func callWith(t *testing.T, ctx context.Context, args ...string) result {
	t.Helper()
	var out, errors bytes.Buffer
	status := run(ctx, args, strings.NewReader(""), &out, &errors, noEnv)
	return result{status, out.String(), errors.String()}
}

func noEnv(string) string { return "" }

// document is what --format json prints.
type document struct {
	Version int
	Reports []grader.Report
}

func (r result) document(t *testing.T) document {
	t.Helper()
	var d document
	require.NoError(t, json.Unmarshal([]byte(r.out), &d), r.out+r.errors)
	return d
}

// reports are the reports by submission.
func (r result) reports(t *testing.T) map[string]grader.Report {
	t.Helper()
	byName := map[string]grader.Report{}
	for _, report := range r.document(t).Reports {
		byName[report.Submission] = report
	}
	return byName
}

// folder makes a folder of files; a name that ends in / is a folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			require.NoError(t, os.MkdirAll(path, 0o755))
			continue
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	}
	return dir
}

// bank is a file of the exercise's bank.
func bank(t *testing.T, name string) string {
	t.Helper()
	b, err := exercises.BankOf("event-log")
	require.NoError(t, err)
	for _, f := range append([]exercises.File{b.Starter}, b.Solutions...) {
		if f.Name == name {
			return f.Source
		}
	}
	for _, m := range b.Mutants {
		if m.Name == name {
			return m.Source
		}
	}
	require.Fail(t, "the bank has no "+name)
	return ""
}

var theEngine = sync.OnceValues(func() (*jsrun.Engine, error) {
	return jsrun.NewEngine(context.Background(), jsrun.Limits{Memory: 16 << 20, Fuel: 100}, jsrun.CacheDir())
})

// smallEngine is an engine with tight limits, so that what runs into them does so soon.
func smallEngine(t *testing.T) *jsrun.Engine {
	t.Helper()
	e, err := theEngine()
	require.NoError(t, err)
	return e
}

var theFullEngine = sync.OnceValues(func() (*jsrun.Engine, error) {
	return jsrun.NewEngine(context.Background(), jsrun.Limits{}, jsrun.CacheDir())
})

// fullEngine is an engine with the limits that submissions have.
func fullEngine(t *testing.T) *jsrun.Engine {
	t.Helper()
	e, err := theFullEngine()
	require.NoError(t, err)
	return e
}
