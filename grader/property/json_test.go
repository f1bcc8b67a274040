package property

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestPrintThenParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "v")
		text := v.JSON()
		for i := range len(text) {
			require.True(t, text[i] >= 0x20 && text[i] < 0x7f, "byte %d of %q is not printable ASCII", i, text)
		}
		require.True(t, json.Valid([]byte(text)), text)
		back, err := ParseValue(text)
		require.NoError(t, err)
		require.True(t, back.Equal(v), "%s came back as %s", text, back.JSON())
		require.Equal(t, text, back.JSON())
	})
}

func TestParseAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := values(3).Draw(t, "v").JSON()
		if strings.Contains(text, `\ud`) {
			t.Skip("encoding/json replaces lone surrogates")
		}
		var theirs any
		require.NoError(t, json.Unmarshal([]byte(text), &theirs))
		again, err := json.Marshal(theirs)
		require.NoError(t, err)
		require.True(t, MustParse(string(again)).Equal(MustParse(text)), "%s, %s", again, text)
	})
}

func TestSurrogatesCrossBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		u := units().Draw(t, "units")
		escaped := ""
		for _, unit := range u {
			escaped += fmt.Sprintf(`\u%04X`, unit)
		}
		v, err := ParseValue(`"` + escaped + `"`)
		require.NoError(t, err)
		require.Equal(t, wtf8(u), v.Text())
		require.Equal(t, v, MustParse(v.JSON()))
	})
}

func TestStringsAreWrittenAsTheyCame(t *testing.T) {
	for _, text := range []string{
		`""`, `"plain / text"`, `"\" and \\"`, `"\n"`, `"\u0000\u0009\u000d\u001f\u007f"`, `"\u00e9\u0301\u2028"`,
		`"\ud83d\ude00"`,       // a pair
		`"\ud83d"`, `"\ude00"`, // each half alone
		`"\ude00\ud83d"`,               // the wrong way round
		`"\ud83d\ud83d\ude00"`,         // a half before a pair
		`"\ud83dx\ude00"`, `"\udfff0"`, // apart
		`"\ud83d\n"`,
	} {
		require.Equal(t, text, MustParse(text).JSON())
	}
	require.Equal(t, "\xed\xa0\xbd", MustParse(`"\ud83d"`).Text())
	require.Equal(t, "😀", MustParse(`"\ud83d\ude00"`).Text())
	require.Equal(t, "\"\b\f\n\r\t/\\", MustParse(`"\"\b\f\n\r\t\/\\"`).Text())
	require.Equal(t, "é你😀\u2028", MustParse("\"é你😀\u2028\"").Text())
	require.Equal(t, `"\ufffd\ufffd"`, String("\xff\xc0").JSON(), "bytes that are no text")
}

func TestNumbersAreWrittenAsJavaScriptDoes(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-1": "-1", "100": "100", "1.0": "1", "1e3": "1000", "0.5": "0.5", "-2.50": "-2.5",
		"1234567.5":         "1234567.5", // strconv's %g would say 1.2345675e+06
		"0.000001":          "0.000001",
		"0.0000001":         "1e-7",
		"1.5E-10":           "1.5e-10",
		"1e20":              "100000000000000000000",
		"1e21":              "1e+21",
		"-1.25E+100":        "-1.25e+100",
		"5e-324":            "5e-324",
		"9007199254740993":  "9007199254740992",
		"0.1":               "0.1",
		"123456789012345.6": "123456789012345.6",
		"-0":                "-0", // where JSON.stringify says 0, since an argument must arrive as it is
	} {
		require.Equal(t, want, MustParse(text).JSON(), text)
	}
	for _, n := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		require.Equal(t, "null", Num(n).JSON())
	}
}

func TestNumbersAgreeWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := numbers().Draw(t, "n")
		want, err := json.Marshal(n)
		require.NoError(t, err)
		require.Equal(t, string(want), Num(n).JSON())
		require.Equal(t, n, MustParse(Num(n).JSON()).Number())
	})
}

func TestNumbersAgreeWithNode(t *testing.T) {
	var ours []string
	for seed := range 200 {
		ours = append(ours, Num(numbers().Example(seed)).JSON())
	}
	list := strings.ReplaceAll("["+strings.Join(ours, ",")+"]", "-0,", "0,")
	require.Equal(t, list, node(t, "process.stdout.write(JSON.stringify("+list+"))"))
}

func TestAValueMarshalsAsItself(t *testing.T) {
	v := MustParse(`{"b":[1,"é\ud800"],"a":null}`)
	data, err := json.Marshal(map[string]any{"v": v})
	require.NoError(t, err)
	require.Equal(t, `{"v":{"b":[1,"\u00e9\ud800"],"a":null}}`, string(data))
	require.Equal(t, `x`+v.JSON(), string(v.AppendJSON([]byte("x"))))
}
