package inspect_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"forgetmenot/eventlog/inspect"

	"github.com/stretchr/testify/require"
)

// Each file in testdata holds what its tool may write, and something wrong. What is said of it, the events in it and what a repair changes stand
// beside it, in a file that ends in .golden. FORGETMENOT_UPDATE=1 writes those anew; read what changed.
func TestFormats(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jsonl")
	require.NoError(t, err)
	require.Len(t, files, 7)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			got := told(t, inspect.File(file))
			golden := strings.TrimSuffix(file, ".jsonl") + ".golden"
			if os.Getenv("FORGETMENOT_UPDATE") != "" {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// told is all that this package says of a file.
func told(t *testing.T, s inspect.Source) string {
	t.Helper()
	var b bytes.Buffer
	report, err := inspect.Inspect(t.Context(), s)
	require.NoError(t, err)
	require.NoError(t, report.WriteText(&b, nil))
	b.WriteString("\nevents\n")
	for e, err := range inspect.Events(t.Context(), s) {
		require.NoError(t, err)
		payload := string(e.Payload())
		if at := strings.Index(payload, `"record":`); at >= 0 {
			payload = payload[:at] + `"record":…}`
		}
		fmt.Fprintf(&b, "%3d %s %.200s\n", e.Line, e.Type, strings.ReplaceAll(payload, "\n", "⏎"))
	}
	source, err := s.Open()
	require.NoError(t, err)
	defer source.Close()
	var before, after bytes.Buffer
	_, err = before.ReadFrom(source)
	require.NoError(t, err)
	_, err = inspect.Repair(t.Context(), s, &after)
	require.NoError(t, err)
	b.WriteString("\nrepaired\n")
	old := map[string]bool{}
	for line := range strings.Lines(before.String()) {
		old[line] = true
	}
	for line := range strings.Lines(after.String()) {
		if !old[line] {
			b.WriteString("+ " + line)
		}
		delete(old, line)
	}
	for line := range strings.Lines(before.String()) {
		if old[line] {
			b.WriteString("- " + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	return b.String()
}
