package format_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"forgetmenot/grader"
	"forgetmenot/grader/format"
	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden holds what was written against testdata/NAME.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, got, 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}

func render(t *testing.T, name string, o format.Options, reports ...*grader.Report) []byte {
	t.Helper()
	f, ok := format.Find(name)
	require.True(t, ok)
	var b bytes.Buffer
	w := f.New(&b, o)
	for _, r := range reports {
		require.NoError(t, w.Report(r))
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func report(name string, results ...grader.Result) *grader.Report {
	r := &grader.Report{
		Version: 1, Exercise: "event-log", Language: "javascript", Submission: name, SHA256: strings.Repeat("0", 64), Grader: "forgetmenot v0", Seed: 1, Cases: 100,
		DurationMs: 200, Verdict: grader.Pass, Properties: results,
	}
	for _, p := range results {
		score := &r.Score
		if p.Tier == property.Mastery {
			score = &r.Mastery
		}
		score.Possible++
		if p.Verdict == property.Pass {
			score.Earned++
		} else if p.Tier == property.Required {
			r.Verdict = grader.Fail
		}
	}
	return r
}

func passes(id string, tier property.Tier, title string) grader.Result {
	return grader.Result{ID: id, Tier: tier, Title: title, Verdict: property.Pass, Cases: 100, DurationMs: 7}
}

var (
	contract     = passes("contract", property.Required, "The five functions answer with the right kind of value")
	hostileNames = passes("hostile-names", property.Mastery, "Names like __proto__ are names like any other")
	sessions     = grader.Result{
		ID: "sessions", Tier: property.Required, Title: "Sessions are listed once, in order of appearance", Verdict: property.Fail, Cases: 3, DurationMs: 5,
		Message: `Session "a" is listed more than once.`,
		Counterexample: &grader.Counterexample{
			Code: "const log1 = createEventLog()\nconst log2 = appendEvent(log1, { sessionId: \"a\", type: \"note\", payload: {} })\n" +
				"const sessions1 = listSessions(log2)\n// [\"a\", \"a\"]   <-- here\n",
			Steps:    []grader.Step{{Call: "const sessions1 = listSessions(log2)", Result: json.RawMessage(`["a","a"]`)}},
			Expected: json.RawMessage(`["a"]`), Actual: json.RawMessage(`["a","a"]`),
		},
	}
	replay = grader.Result{
		ID: "replay", Tier: property.Required, Title: "Replay folds events into messages, one for one", Verdict: property.Fail, Cases: 12, DurationMs: 5,
		Message: "The messages are not the fold of the events.",
		Counterexample: &grader.Counterexample{
			Code:     "const messages1 = replaySession(log9, \"a\")\n",
			Steps:    []grader.Step{},
			Expected: messages("c1"), Actual: messages("c2"),
		},
	}
	hangs = grader.Result{
		ID: "purity", Tier: property.Required, Title: "The same calls give the same answers", Verdict: property.Timeout, DurationMs: 4000,
		Message: "appendEvent did not come to an end and was stopped. Look for a loop whose condition never becomes false.",
		Counterexample: &grader.Counterexample{
			Code:  "const log1 = createEventLog()\nconst log2 = appendEvent(log1, { sessionId: \"日本\", type: \"note\", payload: {} })\n// no answer   <-- here\n",
			Steps: []grader.Step{}, Actual: json.RawMessage(`{"notJSON":"no answer"}`),
		},
	}
)

// messages is an answer too long for one line, with one call id that differs.
func messages(callID string) json.RawMessage {
	var list []string
	for _, c := range []string{"one", "two", "three", "four"} {
		list = append(list, `{"role":"user","content":"`+c+` and some more words"}`)
	}
	list = append(list, `{"role":"tool","toolCallId":"`+callID+`","content":"a result"}`, `{"role":"assistant","content":"the end"}`)
	return json.RawMessage("[" + strings.Join(list, ",") + "]")
}

func refused(name, message string) *grader.Report {
	r := report(name, contract, hostileNames)
	for i := range r.Properties {
		r.Properties[i] = grader.Result{ID: r.Properties[i].ID, Tier: r.Properties[i].Tier, Title: r.Properties[i].Title, Verdict: property.NotRun}
	}
	r.Verdict, r.Fault, r.Message = grader.Error, grader.SubmissionFault, message
	r.Score.Earned, r.Mastery.Earned = 0, 0
	return r
}

func TestTextOfAPass(t *testing.T) {
	golden(t, "pass.txt", render(t, "text", format.Options{}, report("alice/solution.js", contract, hostileNames)))
}

func TestTextOfAFailure(t *testing.T) {
	golden(t, "fail.txt", render(t, "text", format.Options{}, report("bob.js", contract, sessions, replay, hangs, hostileNames)))
}

func TestTextOfAFolder(t *testing.T) {
	syntax := "There is a syntax error in line 2, column 11: unexpected token.\n    2 |   return [;\n      |           ^"
	golden(t, "folder.txt", render(t, "text", format.Options{Summary: true, Width: 72},
		report("alice/solution.js", contract, hostileNames),
		report("bob/a-very-long-name-of-a-file-that-somebody-chose-to-submit.js", contract, sessions, hostileNames),
		refused("carol/solution.js", syntax),
		report("dave/solution.js", contract, hangs, hostileNames),
	))
}

func TestTextInColour(t *testing.T) {
	golden(t, "colour.txt", render(t, "text", format.Options{Color: true, Summary: true}, report("bob.js", contract, sessions, replay)))
}

func TestJSON(t *testing.T) {
	golden(t, "reports.json", render(t, "json", format.Options{}, report("alice/solution.js", contract), report("bob.js", sessions, hangs), refused("c.js", "The file is empty.")))
	golden(t, "none.json", render(t, "json", format.Options{}))
	var document struct {
		Version int
		Reports []json.RawMessage
	}
	require.NoError(t, json.Unmarshal(render(t, "json", format.Options{}), &document))
	require.NotNil(t, document.Reports, "no reports are an empty list")
}

// What a submission chose must not steer the terminal of whoever reads about it.
func TestNothingSteersATerminal(t *testing.T) {
	const evil = "\x1b[2J\x1b]0;owned\x07\u009b31m\u202egnp.js\r\x00\x7f"
	f := sessions
	f.Message = evil + "\n" + evil
	f.Counterexample = &grader.Counterexample{
		Code: "listSessions(log1)\n// threw " + evil + "\n", Steps: []grader.Step{{Call: evil}},
		Expected: json.RawMessage(`["a"]`), Actual: json.RawMessage(property.String(evil).JSON()),
	}
	r := report(evil, f)
	e := refused(evil, evil)
	for _, name := range format.Names() {
		out := string(render(t, name, format.Options{Summary: true}, r, e))
		for _, c := range out {
			require.False(t, c < 0x20 && c != '\n' || c >= 0x7f && c < 0xa0 || c == 0x202e, "%s: %q in %q", name, c, out)
		}
	}
}

func TestClean(t *testing.T) {
	for given, want := range map[string]string{
		"plain, 日本語, é":   "plain, 日本語, é",
		"a\nb\tc":         `a\nb c`,
		"\x1b[31m":        `\x1b[31m`,
		"\u009b":          `\x9b`,
		"a\u2028b\u202ec": `a\u2028b\u202ec`,
		"bad \xff byte":   "bad \ufffd byte",
	} {
		require.Equal(t, want, format.Clean(given))
	}
}

func TestEveryFormatHasANameAndSaysWhatItIsFor(t *testing.T) {
	for _, f := range format.All() {
		require.NotEmpty(t, f.Name)
		require.NotEmpty(t, f.About)
	}
	_, ok := format.Find("no such format")
	require.False(t, ok)
}
