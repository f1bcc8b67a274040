package property

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestEncodeThenDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := programs().Draw(t, "p")
		data := p.Encode()
		require.True(t, json.Valid(data))
		back, err := DecodeProgram(data)
		require.NoError(t, err)
		require.Len(t, back.Calls, len(p.Calls))
		for i, c := range p.Calls {
			b := back.Calls[i]
			require.Equal(t, c.Fn, b.Fn)
			require.Equal(t, c.Shape, b.Shape)
			require.Len(t, b.Args, len(c.Args))
			for k, a := range c.Args {
				ref, isRef := a.IsRef()
				backRef, backIsRef := b.Args[k].IsRef()
				require.Equal(t, isRef, backIsRef)
				require.Equal(t, ref, backRef)
				require.True(t, a.Value().Equal(b.Args[k].Value()))
			}
		}
		require.Equal(t, string(data), string(back.Encode()))
	})
}

func TestTheEncodedForm(t *testing.T) {
	p := &Program{}
	require.Equal(t, "[[],[]]", string(p.Encode()))
	log := p.Add("createEventLog", Opaque)
	require.Equal(t, 0, log)
	require.Equal(t, `[["createEventLog"],[[0,0]]]`, string(p.Encode()))
	require.Equal(t, 1, p.Add("appendEvent", Opaque, Ref(log), Lit(MustParse(`{"é":-1}`))))
	require.Equal(t, 2, p.Add("createEventLog", Opaque))
	require.Equal(t, 3, p.Add("listSessions", Answer, Ref(1)))
	p.Add("look", Plain, Str("x"))
	p.Add("push", Nothing, Ref(3), Lit(ListOf()), Lit(Value{}))
	const want = `[["createEventLog","appendEvent","listSessions","look","push"],` +
		`[[0,0],[1,0,0,0,-1,{"\u00e9":-1}],[0,0],[2,1,1,0],[3,2,-1,"x"],[4,3,3,0,-1,[],-1,null]]]`
	require.Equal(t, want, string(p.Encode()))
	data, err := json.Marshal(map[string]*Program{"p": p})
	require.NoError(t, err)
	require.Equal(t, `{"p":`+want+`}`, string(data))
}

func TestDecodeProgramRefuses(t *testing.T) {
	const shape = "property: program: not a list of names and a list of calls"
	for _, c := range []struct{ text, want string }{
		{``, "property: program: JSON at byte 0: the text ends where a value should stand"},
		{`[[],[]]x`, "property: program: JSON at byte 7: something follows the value"},
		{`null`, shape},
		{`[]`, shape},
		{`[[]]`, shape},
		{`[[],[],[]]`, shape},
		{`["f",[]]`, shape},
		{`[[],{}]`, shape},
		{`{"names":["f"],"calls":[[0,0]]}`, shape},
		{`[[1],[[0,0]]]`, "property: program: name 0 is no string"},
		{`[["f",null],[]]`, "property: program: name 1 is no string"},
		{`[["f"],[7]]`, "property: program: call 0 is not a function, a shape and pairs of arguments"},
		{`[["f"],[{"a":0,"b":0}]]`, "property: program: call 0 is not a function, a shape and pairs of arguments"},
		{`[["f"],[[]]]`, "property: program: call 0 is not a function, a shape and pairs of arguments"},
		{`[["f"],[[0,0],[0,0,-1]]]`, "property: program: call 1 is not a function, a shape and pairs of arguments"},
		{`[["f"],[[1,0]]]`, "property: program: call 0 has no function and shape"},
		{`[["f"],[[-1,0]]]`, "property: program: call 0 has no function and shape"},
		{`[["f"],[[0.5,0]]]`, "property: program: call 0 has no function and shape"},
		{`[["f"],[["f",0]]]`, "property: program: call 0 has no function and shape"},
		{`[["f"],[[0,-1]]]`, "property: program: call 0 has no function and shape"},
		{`[["f"],[[0,4]]]`, "property: program: call 0 has no function and shape"},
		{`[["f"],[[0,null]]]`, "property: program: call 0 has no function and shape"},
		{`[["f"],[[0,0,0,0]]]`, "property: program: call 0 refers to 0, which is no earlier call"},
		{`[["f"],[[0,0],[0,0,1,0]]]`, "property: program: call 1 refers to 1, which is no earlier call"},
		{`[["f"],[[0,0],[0,0,0,0,2,0],[0,0]]]`, "property: program: call 1 refers to 2, which is no earlier call"},
		{`[["f"],[[0,0],[0,0,-2,0]]]`, "property: program: call 1 refers to -2, which is no earlier call"},
		{`[["f"],[[0,0],[0,0,0.5,0]]]`, "property: program: call 1 refers to 0.5, which is no earlier call"},
		{`[["f"],[[0,0],[0,0,"0",0]]]`, `property: program: call 1 refers to "0", which is no earlier call`},
		{`[["f"],[[0,0],[0,0,null,0]]]`, `property: program: call 1 refers to null, which is no earlier call`},
		{`[["f"],[[0,0],[0,0,1e300,0]]]`, `property: program: call 1 refers to 1e+300, which is no earlier call`},
	} {
		p, err := DecodeProgram([]byte(c.text))
		require.EqualError(t, err, c.want, c.text)
		require.Nil(t, p, c.text)
	}
}

// What is decoded may lack arguments that its verbs need; it still prints, and shrinks.
func TestAVerbWithoutItsArgumentsIsNoPanic(t *testing.T) {
	p := program(t, `[["value","look","set","push","memory"],[[0,2],[1,2],[2,3],[3,3],[4,1],[2,3,0,0],[3,3,-1,7,-1,8]]]`)
	require.Equal(t, []string{"const event1 = ", "", " = ", ".push()", "memory in use", "event1 = ", "7.push()"}, p.Lines())
	q := p.drop(0, 1)
	require.Equal(t, `[["memory"],[[0,1]]]`, string(q.Encode()))
}
