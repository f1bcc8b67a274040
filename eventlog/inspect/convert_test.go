package inspect_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/inspect"

	"github.com/stretchr/testify/require"
)

// Every event of a conversion has one key, which its record's other events have too, and no other event.
func TestAConversionHasAKeyForEachRecord(t *testing.T) {
	for _, format := range []string{"codex", "claude-code", "gemini-cli", "pi", "deepseek-harness", "forgetmenot-session"} {
		var lines []int64 // of the file, for each event
		for e, err := range inspect.Events(t.Context(), inspect.File("testdata/"+format+".jsonl")) {
			require.NoError(t, err)
			lines = append(lines, e.Line)
		}
		var export bytes.Buffer
		done, err := inspect.Convert(t.Context(), inspect.File("testdata/"+format+".jsonl"), 10, 0, &export)
		require.NoError(t, err)
		require.EqualValues(t, len(lines), done.Events)
		covered := int64(10)
		keys := map[string]bool{}
		for line := range strings.Lines(export.String()) {
			var l struct {
				Key *struct {
					Key                       string
					FirstEventID, LastEventID int64
				}
			}
			require.NoError(t, json.Unmarshal([]byte(line), &l))
			if l.Key == nil {
				continue
			}
			require.Equal(t, covered+1, l.Key.FirstEventID, "%s: %s", format, line)
			for id := l.Key.FirstEventID; id <= l.Key.LastEventID; id++ {
				require.Equal(t, lines[l.Key.FirstEventID-11], lines[id-11], "%s: %s", format, line)
			}
			if l.Key.LastEventID < 10+done.Events {
				require.NotEqual(t, lines[l.Key.LastEventID-11], lines[l.Key.LastEventID-10], "%s: %s", format, line)
			}
			covered = l.Key.LastEventID
			require.False(t, keys[l.Key.Key], "%s: %s", format, line)
			keys[l.Key.Key] = true
		}
		require.Equal(t, 10+done.Events, covered, format)
		report, err := inspect.Inspect(t.Context(), memory("x", export.Bytes()))
		require.NoError(t, err)
		require.Zero(t, report.Cut.Count, "%s: %v", format, report.Faults.First)
		require.Equal(t, done.Events, report.Events)
	}
}

func TestAConversionHasALimit(t *testing.T) {
	_, err := inspect.Convert(t.Context(), memory("x", []byte(whole)), 0, 200, &bytes.Buffer{})
	require.ErrorIs(t, err, eventlog.ErrTooLarge)
	var e *inspect.Error
	require.ErrorAs(t, err, &e)
	require.EqualValues(t, 2, e.Line)
}
