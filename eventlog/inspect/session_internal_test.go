package inspect

import (
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"

	"forgetmenot/eventlog"

	"github.com/stretchr/testify/require"
)

// sessionText makes a session's file of lines without their checksums: each what stands behind `{"sum":"…",`.
func sessionText(lines ...string) string {
	var b strings.Builder
	sum := uint32(0)
	for _, l := range lines {
		text := sumStart + `00000000",` + l
		sum = sumOf([]byte(text), sum, crc32.MakeTable(crc32.Castagnoli))
		fmt.Fprintf(&b, "%s%08x\",%s\n", sumStart, sum, l)
	}
	return b.String()
}

func sessionLines() []string {
	return []string{
		`"format":"forgetmenot-session","version":1,"session":"a","title":"the first","number":1,"createdAt":1772359200000}`,
		`"seq":1,"id":4,"at":1772359201000,"type":"user_message","payload":{"content":"How many orders?"}}`,
		`"seq":2,"id":7,"at":1772359202000,"left":1,"key":"k","type":"assistant_message","payload":{"content":"Let me look."}}`,
		`"seq":3,"id":8,"at":1772359202000,"type":"tool_call","payload":{"callId":"c1","name":"count","arguments":"{}"}}`,
		`"seq":4,"id":9,"at":1772359203000,"type":"tool_result","payloadText":"{\n\"callId\":\"c1\",\"content\":3}"}`,
		`"seq":5,"id":12,"at":1772359204000,"type":"assistant_message","payload": {"content":"Three."}  }`,
		`"seq":6,"id":13,"at":1772359205000,"left":2,"type":"note","payload":{}}`,
		`"seq":7,"id":14,"at":1772359205000,"left":1,"type":"note","payload":{}}`,
	}
}

func TestTheSampleIsWhatItsLinesMake(t *testing.T) {
	want := sessionText(sessionLines()...) + `{"sum":"0000`
	if os.Getenv("FORGETMENOT_UPDATE") != "" {
		require.NoError(t, os.WriteFile("testdata/forgetmenot-session.jsonl", []byte(want), 0o644))
	}
	require.Equal(t, want, string(fixture(t, sessionFormat{})))
}

func TestASessionFileIsStrict(t *testing.T) {
	lines := sessionLines()
	whole := sessionText(lines[:6]...)
	with := func(i int, line string) string {
		changed := append([]string{}, lines[:6]...)
		changed[i] = line
		return sessionText(changed...)
	}
	for _, c := range []struct {
		name, text string
		err        error
		line       int64
		says       string
	}{
		{"whole", whole, nil, 0, ""},
		{"a digit has changed", strings.Replace(whole, `"id":9`, `"id":8`, 1), eventlog.ErrCorrupt, 5, "checksum"},
		{"a digit has changed in the header", strings.Replace(whole, `1772359200000`, `1772359200001`, 1), eventlog.ErrCorrupt, 1, "checksum"},
		{"a line is missing", strings.Replace(whole, strings.SplitAfter(whole, "\n")[2], "", 1), eventlog.ErrCorrupt, 3, "missing"},
		{"a line comes twice", whole + strings.SplitAfter(whole, "\n")[5], eventlog.ErrCorrupt, 7, "twice"},
		{"a line is no JSON", strings.Replace(whole, `"seq":3,`, `"seq":3;`, 1), eventlog.ErrCorrupt, 4, "no event"},
		{"the last line is no JSON", whole + "x\n", eventlog.ErrCorrupt, 7, "no event"},
		{"an empty line", whole + "\n", eventlog.ErrCorrupt, 7, "no event"},
		{"line ends of Windows", strings.ReplaceAll(whole, "\n", "\r\n"), eventlog.ErrCorrupt, 1, "checksum"},
		{"ids do not grow", with(5, strings.Replace(lines[5], `"id":12`, `"id":9`, 1)), eventlog.ErrCorrupt, 6, "must grow"},
		{"an append is interrupted", with(3, strings.Replace(lines[3], `"at":1772359202000`, `"at":1772359202000,"left":1`, 1)), eventlog.ErrCorrupt, 4, "append"},
		{"no type", with(5, strings.Replace(lines[5], `assistant_message`, ``, 1)), eventlog.ErrCorrupt, 6, "not an event"},
		{"no object", with(5, strings.Replace(lines[5], `{"content":"Three."}`, `[]`, 1)), eventlog.ErrCorrupt, 6, "payload"},
		{"a newer version", sessionText(strings.Replace(lines[0], `"version":1`, `"version":2`, 1)), ErrUnsupported, 1, "version 2"},
	} {
		report, err := Inspect(t.Context(), inMemory("x", []byte(c.text)))
		if c.err == nil {
			require.NoError(t, err, c.name)
			require.True(t, report.OK(), "%v", report.Faults.First)
			continue
		}
		require.ErrorIs(t, err, c.err, c.name)
		var e *Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, c.line, e.Line, "%s: %v", c.name, err)
		require.Contains(t, err.Error(), c.says, c.name)
		require.Empty(t, account(honest(), sessionFormat{}, []byte(c.text)), c.name)
	}
}

func TestAPayloadKeepsItsWhiteSpace(t *testing.T) {
	var last string
	for e, err := range Events(t.Context(), inMemory("x", []byte(sessionText(sessionLines()[:6]...)))) {
		require.NoError(t, err)
		last = string(e.Payload())
	}
	require.Equal(t, ` {"content":"Three."}  `, last)
}

// An append is in a session as a whole or not at all.
func TestAnAppendIsWholeOrCut(t *testing.T) {
	text := sessionText(sessionLines()[:5]...)
	lines := strings.SplitAfter(text, "\n")
	events := func(text string) (types []string) {
		for e, err := range Events(t.Context(), inMemory("x", []byte(text))) {
			require.NoError(t, err)
			types = append(types, e.Type)
		}
		return types
	}
	require.Equal(t, []string{"user_message"}, events(strings.Join(lines[:3], "")))
	require.Equal(t, []string{"user_message", "assistant_message", "tool_call"}, events(strings.Join(lines[:4], "")))
	report, err := Inspect(t.Context(), inMemory("x", []byte(strings.Join(lines[:3], "")+lines[3][:20])))
	require.NoError(t, err)
	require.Equal(t, map[Kind]int64{TornLine: 1, Dropped: 1}, report.Faults.ByKind)
	require.EqualValues(t, 2, report.Cut.Count)
	require.EqualValues(t, 2, report.Lines.Records)
}

func FuzzSession(f *testing.F) { fuzz(f, sessionFormat{}) }
