package property

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// calls is a program of n calls.
func calls(n int) *Program {
	p := &Program{}
	for range n {
		p.Add("f", Answer)
	}
	return p
}

func decodeOne(t require.TestingT, step string) Step {
	tr, err := DecodeTranscript(calls(1), []byte(`{"steps":[`+step+`]}`))
	require.NoError(t, err)
	return tr.Steps[0]
}

func TestEachKindOfStep(t *testing.T) {
	boom := &Exception{Name: "TypeError", Message: "boom", Line: 3}
	const thrown = `{"name":"TypeError","message":"boom","line":3,"column":9}`
	for _, c := range []struct {
		text     string
		want     Step
		answered bool
		says     string // of an answer
		result   string
	}{
		{`{"value":[1,{"a":null}]}`, Step{Value: MustParse(`[1,{"a":null}]`)}, true, `[1, { a: null }]`, `[1,{"a":null}]`},
		{`{"value":null}`, Step{}, true, `null`, `null`},
		{`{}`, Step{}, true, `null`, `null`},
		{`{}`, Step{}, true, `null`, `null`},
		{`{"kind":"Promise"}`, Step{Wrong: "Promise"}, false, `Promise`, `{"notJSON":"Promise"}`},
		{`{"threw":` + thrown + `}`, Step{Threw: boom}, false, `threw TypeError: boom (line 3)`, `{"threw":"TypeError: boom (line 3)"}`},
		{`{"unreadable":` + thrown + `}`, Step{Unreadable: boom}, false, `not readable as JSON: TypeError: boom (line 3)`, `{"unreadable":"TypeError: boom (line 3)"}`},
		{`{"threw":{}}`, Step{Threw: &Exception{}}, false, `threw `, `{"threw":""}`},
		{`{"threw":"text"}`, Step{Threw: &Exception{}}, false, `threw `, `{"threw":""}`},
		{`{"threw":{"name":1,"message":[],"line":"x"}}`, Step{Threw: &Exception{}}, false, `threw `, `{"threw":""}`},
	} {
		got := decodeOne(t, c.text)
		require.Equal(t, c.want, got, c.text)
		require.Equal(t, c.answered, got.Answered(), c.text)
		for _, shape := range []Shape{Answer, Plain} {
			require.Equal(t, c.says, got.Says(shape), c.text)
			require.Equal(t, c.result, string(got.Result(shape)), c.text)
		}
		for _, shape := range []Shape{Opaque, Nothing} { // of a log or an assignment only what went wrong is told
			want, wantResult := "", ""
			if !c.answered {
				want, wantResult = c.says, c.result
			}
			require.Equal(t, want, got.Says(shape), c.text)
			require.Equal(t, wantResult, string(got.Result(shape)), c.text)
		}
	}
}

func TestExceptionsAreOneText(t *testing.T) {
	for want, e := range map[string]Exception{
		"RangeError: no (line 2)": {"RangeError", "no", 2},
		"RangeError":              {"RangeError", "", 0},
		"just thrown":             {"", "just thrown", 0},
		"just thrown (line 9)":    {"", "just thrown", 9},
		"":                        {"", "", -1},
	} {
		require.Equal(t, want, e.String())
	}
}

func TestTheConsoleIsKept(t *testing.T) {
	tr, err := DecodeTranscript(calls(2), []byte(`{"steps":[{},{"value":true}],"console":["one","two\n"],"dropped":12}`))
	require.NoError(t, err)
	require.Equal(t, &Transcript{Steps: []Step{{}, {Value: Boolean(true)}}, Console: []string{"one", "two\n"}, Dropped: 12}, tr)
}

func TestDecodeTranscriptRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, "property: transcript: JSON at byte 0: the text ends where a value should stand"},
		{`{"steps":[{"value":1}]`, "property: transcript: JSON at byte 22: a comma or } should stand here"},
		{`{"steps":[{"value":1}]}{}`, "property: transcript: JSON at byte 23: something follows the value"},
		{`null`, "property: transcript: no list of steps"},
		{`[{"value":1}]`, "property: transcript: no list of steps"},
		{`{}`, "property: transcript: no list of steps"},
		{`{"Steps":[{"value":1}]}`, "property: transcript: no list of steps"},
		{`{"steps":{"0":{"value":1}}}`, "property: transcript: no list of steps"},
		{`{"steps":[]}`, "property: transcript of 0 steps for a program of 1 calls"},
		{`{"steps":[{"value":1},{"value":1}]}`, "property: transcript of 2 steps for a program of 1 calls"},
		{`{"steps":[{"value":1}],"steps":[]}`, "property: transcript of 0 steps for a program of 1 calls"},
		{`{"steps":[{"verdict":"pass"}]}`, `property: transcript: step 0: unknown part "verdict"`},
		{`{"steps":[{"Value":1}]}`, `property: transcript: step 0: unknown part "Value"`},
		{`{"steps":[7]}`, `property: transcript: step 0: a number is no step`},
		{`{"steps":[null]}`, `property: transcript: step 0: null is no step`},
		{`{"steps":[[1]]}`, `property: transcript: step 0: an array is no step`},
		{`{"steps":[{"kind":""}]}`, `property: transcript: step 0: a kind without a name`},
		{`{"steps":[{"kind":{}}]}`, `property: transcript: step 0: a kind without a name`},
	} {
		tr, err := DecodeTranscript(calls(1), []byte(c.text))
		require.EqualError(t, err, c.want, c.text)
		require.Nil(t, tr)
	}
}

// A list in a list in a list… is an answer that a submission can give: it is not the grader that failed.
func TestAnAnswerNestedTooDeeplyStops(t *testing.T) {
	deep := strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)
	for want, text := range map[int]string{
		0:  `{"steps":[{"value":` + deep + `},{"value":1}]}`,
		1:  `{"steps":[{"value":"],{[,\""}, {"value":` + deep + `}],"console":[]}`,
		-1: `{"steps":[{"value":1},{"value":1}],"console":[` + deep + `]}`,
	} {
		tr, err := DecodeTranscript(calls(2), []byte(text))
		require.Nil(t, tr)
		var stop *Stop
		require.ErrorAs(t, err, &stop)
		require.Equal(t, &Stop{Kind: StopOutput, Call: want}, stop)
	}
	_, err := DecodeTranscript(calls(2), []byte(` {"steps":[{"value":`+deep+`}]}`))
	require.Equal(t, &Stop{Kind: StopOutput, Call: -1}, err, "not written by a harness")

	fits := strings.Repeat("[", maxDepth-2) + strings.Repeat("]", maxDepth-2)
	require.Equal(t, fits, decodeOne(t, `{"value":`+fits+`}`).Value.JSON())
}

func TestAnswersComeThroughAsTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "v")
		require.True(t, v.Equal(decodeOne(t, `{"value":`+v.JSON()+`}`).Value))
	})
}

func TestExhausted(t *testing.T) {
	for message, want := range map[string]StopKind{
		"out of memory":                    StopMemory,
		"Maximum call stack size exceeded": StopStack,
		"stack overflow":                   StopStack,
		"Out of memory":                    "",
		"out of memory!":                   "",
		"":                                 "",
	} {
		require.Equal(t, want, ExhaustedBy(message), message)
		for _, part := range []string{"threw", "unreadable"} {
			text := fmt.Sprintf(`{"steps":[{"value":%q},{%q:{"name":"InternalError","message":%q}}]}`, message, part, message)
			tr, err := DecodeTranscript(calls(2), []byte(text))
			require.NoError(t, err)
			if want == "" {
				require.Nil(t, tr.Exhausted(), text)
			} else {
				require.Equal(t, &Stop{Kind: want, Call: 1}, tr.Exhausted(), text)
			}
		}
	}
}
