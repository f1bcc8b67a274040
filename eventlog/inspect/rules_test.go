package inspect_test

import (
	"os"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/inspect"

	"github.com/stretchr/testify/require"
)

// spoken is what a file says in messages, calls and results, in short.
func spoken(t *testing.T, text string) []string {
	t.Helper()
	var got []string
	for e, err := range inspect.Events(t.Context(), memory("x", []byte(text))) {
		require.NoError(t, err)
		switch e.Type {
		case eventlog.TypeUserMessage, eventlog.TypeAssistantMessage:
			got = append(got, strings.Trim(string(e.Content), `"`))
		case eventlog.TypeToolCall:
			got = append(got, "call "+e.CallID)
		case eventlog.TypeToolResult:
			got = append(got, "result "+e.CallID)
		}
	}
	return got
}

func sample(t *testing.T, format string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + format + ".jsonl")
	require.NoError(t, err)
	return string(text)
}

func TestGeminiKeepsTheOrderOfFirstAppearance(t *testing.T) {
	const head = `{"sessionId":"s","projectHash":"h"}` + "\n"
	say := func(id, text string) string {
		return `{"id":"` + id + `","timestamp":"2026-03-01T10:00:00.000Z","type":"user","content":"` + text + `"}` + "\n"
	}
	for _, c := range []struct {
		name, text string
		says       []string
	}{
		{"a repeated id replaces in its place", say("a", "1") + say("b", "2") + say("a", "3"), []string{"3", "2"}},
		{"twice", say("a", "1") + say("b", "2") + say("a", "3") + say("c", "4") + say("a", "5"), []string{"5", "2", "4"}},
		{"rewound", say("a", "1") + say("b", "2") + say("c", "3") + `{"$rewindTo":"b"}` + "\n" + say("d", "4"), []string{"1", "4"}},
		{"rewound, and said again at the end", say("a", "1") + say("b", "2") + `{"$rewindTo":"a"}` + "\n" + say("b", "3") + say("a", "4"), []string{"3", "4"}},
		{"an unknown id clears all", say("a", "1") + `{"$rewindTo":"x"}` + "\n" + say("b", "2"), []string{"2"}},
		{"set begins anew", say("a", "1") + `{"$set":{"messages":[` + strings.TrimSpace(say("b", "2")) + `,` + strings.TrimSpace(say("c", "3")) + `]}}` + "\n" + say("b", "4"), []string{"4", "3"}},
		{"set without messages sets", say("a", "1") + `{"$set":{"summary":"x"}}` + "\n" + say("b", "2"), []string{"1", "2"}},
	} {
		require.Equal(t, c.says, spoken(t, head+c.text), c.name)
		require.Equal(t, c.says, spoken(t, c.text+head), "%s, with metadata at the end", c.name)
	}
}

func TestPiReadsTheNewestBranch(t *testing.T) {
	const head = `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z"}` + "\n"
	say := func(id, parent, text string) string {
		return `{"type":"message","id":"` + id + `","parentId":` + parent + `,"timestamp":"","message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	for _, c := range []struct {
		name, text string
		says       []string
	}{
		{"a line", say("a", "null", "1") + say("b", `"a"`, "2"), []string{"1", "2"}},
		{"a branch", say("a", "null", "1") + say("b", `"a"`, "2") + say("c", `"a"`, "3"), []string{"1", "3"}},
		{"back on the first branch", say("a", "null", "1") + say("b", `"a"`, "2") + say("c", `"a"`, "3") + say("d", `"b"`, "4"), []string{"1", "2", "4"}},
		{"a new root", say("a", "null", "1") + say("b", "null", "2"), []string{"2"}},
		{"an unknown parent", say("a", "null", "1") + say("b", `"x"`, "2"), []string{"2"}},
		{"its own parent", say("a", `"a"`, "1"), []string{"1"}},
		{"parents in a circle", say("a", `"b"`, "1") + say("b", `"a"`, "2"), []string{"1", "2"}},
	} {
		require.Equal(t, c.says, spoken(t, head+c.text), c.name)
	}
	flat := `{"type":"session","id":"s","timestamp":""}` + "\n" + `{"type":"message","message":{"role":"user","content":"1"}}` + "\n" + `{"type":"message","message":{"role":"user","content":"2"}}` + "\n"
	require.Equal(t, []string{"1", "2"}, spoken(t, flat), "version 1 has no tree")
}

func TestClaudeKeepsCallsSideBySide(t *testing.T) {
	require.Equal(t, []string{"How many orders?", "Let me look.", "call toolu_1", "call toolu_2", "result toolu_1", "result toolu_2", "Three.", "Now fix it", "call toolu_3"},
		spoken(t, sample(t, "claude-code")))
}

// The file of a sub-agent holds nothing but a side chain, which then is the session.
func TestClaudeReadsASubAgent(t *testing.T) {
	require.Equal(t, spoken(t, sample(t, "claude-code")), spoken(t, strings.ReplaceAll(sample(t, "claude-code"), `"isSidechain":false`, `"isSidechain":true`)))
	side := `{"parentUuid":null,"isSidechain":true,"sessionId":"s","type":"user","message":{"role":"user","content":"%"},"uuid":"x","timestamp":""}` + "\n"
	main := strings.ReplaceAll(strings.ReplaceAll(side, `"isSidechain":true`, `"isSidechain":false`), `"uuid":"x"`, `"uuid":"y"`)
	require.Equal(t, []string{"main"}, spoken(t, strings.ReplaceAll(side, "%", "side")+strings.ReplaceAll(main, "%", "main")+strings.ReplaceAll(side, "%", "side")))
}

func TestDeepseekIsStrict(t *testing.T) {
	text := sample(t, "deepseek-harness")
	lines := strings.SplitAfter(text, "\n")
	upTo := func(n int) string { return strings.Join(lines[:n], "") }
	for _, c := range []struct {
		name, text string
		err        error
		line       int64
	}{
		{"as it is", text, nil, 0},
		{"bad before the end of a turn", strings.Replace(text, `{"type":"step/start","seq":13`, `{"type":"step/start","seq:13`, 1), eventlog.ErrCorrupt, 15},
		{"empty before the end of a turn", strings.Replace(text, lines[10], "\n"+lines[10], 1), eventlog.ErrCorrupt, 16},
		{"a gap before the end of a turn", strings.Replace(text, lines[9], "", 1), eventlog.ErrCorrupt, 14},
		{"bad behind the last turn", upTo(16) + "x\n" + lines[16], nil, 0},
		{"an unknown type", strings.Replace(text, `,"ignorable":true`, "", 1), inspect.ErrUnsupported, 13},
		{"an unknown type that says no", strings.Replace(text, `"ignorable":true`, `"ignorable":"true"`, 1), inspect.ErrUnsupported, 13},
		{"a row with too few times", strings.Replace(text, `"dt":[5,-2]`, `"dt":[5]`, 1), eventlog.ErrCorrupt, 15},
		{"a newer version", strings.Replace(text, `"version":0`, `"version":5`, 1), inspect.ErrUnsupported, 1},
		{"no version that is a number", strings.Replace(text, `"version":0`, `"version":"0"`, 1), inspect.ErrUnsupported, 1},
		{"no header", strings.Join(lines[1:], ""), eventlog.ErrCorrupt, 1},
		{"a torn header", strings.TrimSuffix(lines[0], "\n"), eventlog.ErrCorrupt, 1},
	} {
		report, err := inspect.Inspect(t.Context(), memory("x", []byte(c.text)))
		if c.err == nil {
			require.NoError(t, err, c.name)
			continue
		}
		require.ErrorIs(t, err, c.err, c.name)
		var e *inspect.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, c.line, e.Line, "%s: %v", c.name, err)
		require.False(t, report.OK())
	}
	report, err := inspect.Inspect(t.Context(), memory("x", []byte(upTo(16)+"x\n"+lines[16]+lines[17])))
	require.NoError(t, err)
	require.EqualValues(t, 3, report.Cut.Count, "what follows is dropped too")
	require.EqualValues(t, 2, report.Faults.ByKind[inspect.Dropped])
}

func TestCodexRefusesAnEmptyFile(t *testing.T) {
	meta := strings.SplitAfter(sample(t, "codex"), "\n")[0]
	_, err := inspect.Inspect(t.Context(), memory("x", []byte(meta)))
	require.NoError(t, err)
	// What is left of a file whose only record is torn is not even told to be Codex's.
	_, err = inspect.Inspect(t.Context(), memory("x", []byte(meta[:40])))
	require.ErrorIs(t, err, inspect.ErrUnknown)
}

func TestAnExportMissesNothing(t *testing.T) {
	text := sample(t, "forgetmenot-eventlog")
	lines := strings.SplitAfter(text, "\n")
	for _, c := range []struct {
		name, text string
		kind       inspect.Kind
	}{
		{"the end is missing", strings.Join(lines[:11], ""), inspect.EndMissing},
		{"an event is missing", strings.Replace(text, lines[5], "", 1), inspect.Corrupt},
		{"an event comes twice", strings.Replace(text, lines[5], lines[5]+lines[5], 1), inspect.Order},
		{"two events change places", strings.Replace(text, lines[6]+lines[7], lines[7]+lines[6], 1), inspect.Order},
		{"a session is missing", strings.Replace(text, lines[2], "", 1), inspect.Order},
		{"something stands behind the end", text + lines[3], inspect.Order},
		{"a key of nothing", strings.Replace(text, `"firstEventId":1,"lastEventId":2`, `"firstEventId":4,"lastEventId":4`, 1), inspect.BadLine},
		{"a key of what comes later", strings.Replace(text, `"firstEventId":1,"lastEventId":2`, `"firstEventId":98,"lastEventId":99`, 1), inspect.BadLine},
	} {
		report, err := inspect.Inspect(t.Context(), memory("x", []byte(c.text)))
		require.NoError(t, err, c.name)
		require.Positive(t, report.Faults.ByKind[c.kind], "%s: %v", c.name, report.Faults.First)
	}
}

func TestCallsThatDoNotFit(t *testing.T) {
	call := func(n, id string) string {
		return `{"type":"message","id":"` + n + `","parentId":null,"timestamp":"","message":{"role":"assistant","content":[{"type":"toolCall","id":"` + id + `","name":"x","arguments":{}}]}}` + "\n"
	}
	result := func(n, id string) string {
		return `{"type":"message","id":"` + n + `","parentId":null,"timestamp":"","message":{"role":"toolResult","toolCallId":"` + id + `","content":"y"}}` + "\n"
	}
	// Version 1 is a line, so that nothing needs a parent.
	text := `{"type":"session","id":"s","timestamp":""}` + "\n" +
		call("1", "a") + result("2", "a") + result("3", "a") + result("4", "b") + call("5", "a") + call("6", "a") + result("7", "a")
	report, err := inspect.Inspect(t.Context(), memory("x", []byte(text)))
	require.NoError(t, err)
	s := report.Sessions.First[0]
	require.EqualValues(t, 3, s.Calls)
	require.Equal(t, inspect.Calls{Count: 1, First: []inspect.CallRef{{CallID: "a", Name: "x", Place: place(text, 6)}}}, s.Open, "a result goes to the newest call")
	require.Equal(t, inspect.Calls{Count: 1, First: []inspect.CallRef{{CallID: "b", Place: place(text, 5)}}}, s.Orphaned)
	require.Equal(t, inspect.Calls{Count: 1, First: []inspect.CallRef{{CallID: "a", Place: place(text, 4)}}}, s.Late)
	require.EqualValues(t, 2, s.Duplicated.Count)
	require.Equal(t, map[inspect.Kind]int64{inspect.LateResult: 1, inspect.Orphan: 1, inspect.DuplicateCall: 1, inspect.Interrupted: 1}, report.Faults.ByKind)
	require.EqualValues(t, 1, report.Notes.ByKind[inspect.ReusedCall])
}

// Where nothing but messages tells of turns, one ends with the last answer, and not with what is said before a call.
func TestATurnEndsWithItsLastAnswer(t *testing.T) {
	text := `{"format":"forgetmenot-eventlog","version":1}
{"session":{"id":"a","title":"","createdAt":1}}
{"eventId":1,"sessionId":"a","type":"user_message","payload":{"content":"?"},"createdAt":1}
{"eventId":2,"sessionId":"a","type":"assistant_message","payload":{"content":"let me look"},"createdAt":1}
{"eventId":3,"sessionId":"a","type":"tool_call","payload":{"callId":"c"},"createdAt":1}
{"eventId":4,"sessionId":"a","type":"tool_result","payload":{"callId":"c"},"createdAt":1}
{"eventId":5,"sessionId":"a","type":"assistant_message","payload":{"content":"3"},"createdAt":1}
{"eventId":6,"sessionId":"a","type":"assistant_message","payload":{"content":"or 4"},"createdAt":1}
{"eventId":7,"sessionId":"a","type":"user_message","payload":{"content":"?"},"createdAt":1}
`
	lines := strings.SplitAfter(text, "\n")
	for upTo, want := range map[int]struct {
		turns      int64
		last, open int64
	}{3: {0, 0, 1}, 4: {1, 2, 0}, 5: {0, 0, 1}, 6: {0, 0, 1}, 7: {1, 5, 0}, 8: {1, 6, 0}, 9: {1, 6, 7}} {
		report, err := inspect.Inspect(t.Context(), memory("x", []byte(strings.Join(lines[:upTo], ""))))
		require.NoError(t, err)
		s := report.Sessions.First[0]
		id := func(p *inspect.Place) int64 {
			if p == nil {
				return 0
			}
			return p.EventID
		}
		require.Equal(t, want.turns, s.Turns, "up to line %d", upTo)
		require.Equal(t, want.last, id(s.LastCompleteTurn), "up to line %d", upTo)
		require.Equal(t, want.open, id(s.OpenTurn), "up to line %d", upTo)
	}
}

// A closer has the time of the last event that has one.
func TestAClosersTimeIsTheLastThatIsKnown(t *testing.T) {
	text := sample(t, "pi") + `{"type":"label","id":"e10","parentId":"e9","timestamp":"","targetId":"e9"}` + "\n"
	report, err := inspect.Inspect(t.Context(), memory("x", []byte(text)))
	require.NoError(t, err)
	require.Contains(t, report.Append.Lines[0], `"timestamp":"2026-03-01T10:01:01.000Z"`)
}

func place(text string, line int) inspect.Place {
	offset := 0
	for range line - 1 {
		offset += strings.IndexByte(text[offset:], '\n') + 1
	}
	return inspect.Place{Line: int64(line), Offset: int64(offset)}
}
