package property_test

import (
	"context"
	"fmt"

	"forgetmenot/grader/property"

	"pgregory.net/rapid"
)

// A law of a stack: the top is what was put there last.
var lastIn = &property.Property{
	ID: "last-in", Tier: property.Required,
	Law: property.Words{En: "The top of a stack is what was put there last.", Zh: "栈顶是最后压入的值。"},
	Draw: func(t *rapid.T, _ property.Size) *property.Program {
		p := &property.Program{}
		log := p.Add("newStack", property.Opaque)
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 9), 1, 5).Draw(t, "numbers") {
			log = p.Add("put", property.Opaque, property.Ref(log), property.Lit(property.Num(float64(n))))
		}
		p.Add("top", property.Answer, property.Ref(log))
		return p
	},
	Valid: func(p *property.Program) bool { // the top of an empty stack is nobody's business
		for _, c := range p.Calls {
			if ref, ok := argRef(c); ok && c.Fn == "top" && p.Calls[ref].Fn == "newStack" {
				return false
			}
		}
		return true
	},
	Check: func(p *property.Program, t *property.Transcript) *property.Refutation {
		for i, c := range p.Calls {
			if ref, ok := argRef(c); ok && c.Fn == "top" && !t.Steps[i].Value.Equal(p.Calls[ref].Args[1].Value()) {
				return &property.Refutation{
					Message: property.Words{En: "This was not put there last.", Zh: "这不是最后压入的值。"},
					At:      i, Against: ref, Expected: p.Calls[ref].Args[1].Value(), Actual: t.Steps[i],
				}
			}
		}
		return nil
	},
}

func argRef(c property.Call) (int, bool) {
	if len(c.Args) == 0 {
		return 0, false
	}
	return c.Args[0].IsRef()
}

// firstIn is a runner whose stacks answer with what was put there first.
type firstIn struct{}

func (firstIn) Open(context.Context, int) (property.Realm, error) { return firstIn{}, nil }
func (firstIn) Reset(context.Context) error                       { return nil }
func (firstIn) Close() error                                      { return nil }
func (firstIn) Run(_ context.Context, p *property.Program) (*property.Transcript, error) {
	t := &property.Transcript{Steps: make([]property.Step, len(p.Calls))}
	bottom := make([]property.Value, len(p.Calls)) // of the stack that each call made
	for i, c := range p.Calls {
		ref, _ := argRef(c)
		bottom[i] = bottom[ref]
		switch {
		case c.Fn == "put" && p.Calls[ref].Fn == "newStack":
			bottom[i] = c.Args[1].Value()
		case c.Fn == "top":
			t.Steps[i].Value = bottom[ref]
		}
	}
	return t, nil
}

func ExampleChecker_Check() {
	checker := property.NewChecker(property.Options{})
	result, err := checker.Check(context.Background(), lastIn, firstIn{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Verdict, "-", result.Message.En)
	fmt.Print(result.Counterexample.Code())
	fmt.Println("expected", result.Counterexample.Why.Expected.JSON())
	// Output:
	// fail - This was not put there last.
	// const log1 = newStack()
	// const log2 = put(log1, 0)
	// const log3 = put(log2, 8)
	// const events1 = top(log3)
	// // 0   <-- here
	// expected 8
}

func ExampleNewChecker() {
	checker := property.NewChecker(property.Options{Seed: 7, Cases: 20})
	again := property.NewChecker(property.Options{Seed: 7})
	fmt.Println(checker.Seed(), checker.Cases(), again.Cases())
	fmt.Println("the same programs:", checker.Program(lastIn, 3).String() == again.Program(lastIn, 3).String())
	// Output:
	// 7 20 100
	// the same programs: true
}

func ExampleProgram() {
	p := &property.Program{}
	log := p.Add("createEventLog", property.Opaque)
	event := p.Add(property.VerbValue, property.Plain, property.Lit(property.MustParse(`{"sessionId":"a","type":"note","payload":{}}`)))
	longer := p.Add("appendEvent", property.Opaque, property.Ref(log), property.Ref(event))
	p.Add(property.VerbSet, property.Nothing, property.Ref(event), property.Lit(property.MustParse(`["type"]`)), property.Str("forged"))
	p.Add("getEventsForSession", property.Answer, property.Ref(longer), property.Str("a"))
	fmt.Println(p)
	fmt.Println(string(p.Encode()))
	// Output:
	// const log1 = createEventLog()
	// const event1 = { sessionId: "a", type: "note", payload: {} }
	// const log2 = appendEvent(log1, event1)
	// event1.type = "forged"
	// const events1 = getEventsForSession(log2, "a")
	// [["createEventLog","value","appendEvent","set","getEventsForSession"],[[0,0],[1,2,-1,{"sessionId":"a","type":"note","payload":{}}],[2,0,0,0,1,0],[3,3,1,0,-1,["type"],-1,"forged"],[4,1,2,0,-1,"a"]]]
}

func ExampleParseValue() {
	v, err := property.ParseValue(`{ "eventId": 1, "EventId": 2, "eventId": 3, "half": "\ud83d" }`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.JSON())
	fmt.Println(v.Pretty())
	fmt.Println(v.Equal(property.MustParse(`{"half":"\ud83d","EventId":2,"eventId":3.0}`)))
	_, err = property.ParseValue(`{"eventId": 01}`)
	fmt.Println(err)
	// Output:
	// {"eventId":3,"EventId":2,"half":"\ud83d"}
	// { eventId: 3, EventId: 2, half: "\ud83d" }
	// true
	// JSON at byte 12: bad number
}
