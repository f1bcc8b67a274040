package chat_test

import (
	"encoding/json"
	"strings"
	"testing"

	"forgetmenot/sqlstore/cmd/eventlog/chat"

	"github.com/stretchr/testify/require"
)

func calculate(t testing.TB, expression string) (string, error) {
	arguments, err := json.Marshal(map[string]string{"expression": expression})
	require.NoError(t, err)
	return chat.Calculator{}.Call(t.Context(), string(arguments))
}

func TestCalculator(t *testing.T) {
	for expression, result := range map[string]string{
		"6*7":                    "42",
		" 1 + 2 * 3 ":            "7",
		"(1+2)*3":                "9",
		"8-4-2":                  "2",
		"8/4/2":                  "1",
		"2*-3":                   "-6",
		"--2":                    "2",
		"-(2+3)":                 "-5",
		"0.1+0.2":                "0.3",
		".5*4.":                  "2",
		"007":                    "7",
		"1/8":                    "0.125",
		"1/3":                    "1/3 (about 0.333333333333)",
		"-10/4":                  "-2.5",
		"2/3*3":                  "2",
		"6×7−2÷2":                "41",
		"9007199254740993*1":     "9007199254740993",
		"1/30000000000000000":    "1/30000000000000000 (about 3.33333333333e-17)",
		strings.Repeat("9", 300): strings.Repeat("9", 300),
		strings.Repeat("(", 99) + "1" + strings.Repeat(")", 99): "1",
	} {
		got, err := calculate(t, expression)
		require.NoError(t, err, expression)
		require.Equal(t, result, got, expression)
	}
}

func TestCalculatorRefuses(t *testing.T) {
	for expression, says := range map[string]string{
		"":          "ends too early",
		"1+":        "ends too early",
		"1 2":       `'2' at place 3 is not expected`,
		"1/0":       "divided by zero",
		"1/(2-2)":   "divided by zero",
		"(1":        "not closed",
		"(1 2":      "'2' at place 4",
		"1)":        "nothing opened it",
		"1,000":     "with a point",
		"2^8":       "known are + - * /",
		"1.2.3":     `"1.2.3" at place 1 is no number`,
		".":         "is no number",
		"1e9":       "'e' at place 2",
		"0x10":      "'x' at place 2",
		"os.Exit()": "'o' at place 1",
		strings.Repeat("(", 101) + "1" + strings.Repeat(")", 101): "inside each other",
		strings.Repeat("1", 1001):                                 "1000 are the most",
	} {
		_, err := calculate(t, expression)
		require.ErrorContains(t, err, says, expression)
	}
	for _, arguments := range []string{"", "6*7", "{}", "[]", `{"expression":null}`, `{"expression":42}`} {
		_, err := chat.Calculator{}.Call(t.Context(), arguments)
		require.ErrorContains(t, err, "the arguments are not", arguments)
	}
	require.True(t, chat.Calculator{}.Spec().ReadOnly)
	require.True(t, json.Valid(chat.Calculator{}.Spec().Parameters))
}

// Whatever stands there: a result of a bounded length, which is itself an expression, or words.
func FuzzCalculator(f *testing.F) {
	for _, s := range []string{"1+2*3", "(1/3)-.5", "1/7/7/7", "((", "×", "9" + strings.Repeat("*9", 400), strings.Repeat("1/7+", 200) + "1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		result, err := calculate(t, expression)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.Less(t, len(result), 5000)
		number, _, _ := strings.Cut(result, " (about")
		if len(number) <= 1000 {
			again, err := calculate(t, number)
			require.NoError(t, err)
			require.Equal(t, result, again)
		}
	})
}
