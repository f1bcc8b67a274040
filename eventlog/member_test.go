package eventlog

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMember(t *testing.T) {
	for text, want := range map[string]string{
		`{"callId":"a"}`: `"a"`,
		` { "x" : 1 , "callId" : { "a" : [ "}" ] } } `:     `{ "a" : [ "}" ] }`,
		`{"callId":1,"callId":-2.5e3}`:                     `-2.5e3`,
		`{"call\u0049d":"a"}`:                              `"a"`,
		`{"\\":{"callId":1},"b":"\"callId\"","callId":[]}`: `[]`,
		`{"CallId":1}`:                                     ``,
		`{}`:                                               ``,
		`{"callId":1}x`:                                    ``,
		`["callId",1]`:                                     ``,
		`"callId"`:                                         ``,
		`null`:                                             ``,
		``:                                                 ``,
	} {
		require.Equal(t, want, string(member([]byte(text), "callId")), text)
		require.Equal(t, want, string(members([]byte(text))["callId"]), text)
	}
}

// A shortcut may find nothing that the long way does not find.
func FuzzMember(f *testing.F) {
	for _, text := range []string{`{"callId":"a","b":[1,{"c":"}"}]}`, `{"a" : "\"" , "callId" : null }`, `{"call\u0049d":1e9}`, `[{}]`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		require.Equal(t, string(members(text)["callId"]), string(member(text, "callId")))
	})
}
