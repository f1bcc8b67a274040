package property

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Shape says what a call answers with, and so how its result crosses out of the realm.
type Shape int

const (
	// Opaque is a value of the subject's own choosing (a log): it stays in the realm, known by the call's number.
	Opaque Shape = iota
	// Answer is a JSON value.
	Answer
	// Plain is a JSON value that the program itself handed in; it is read without asking the subject's toJSON.
	Plain
	// Nothing is a call that is made for its effect.
	Nothing
)

// The verbs are the calls that every realm knows beside the subject's functions: what a stranger can do with values that
// he holds.
const (
	// VerbValue keeps a JSON value in a variable: value(json).
	VerbValue = "value"
	// VerbLook reads a variable again: look(ref).
	VerbLook = "look"
	// VerbSet assigns to a place in a value: set(ref, path, json).
	VerbSet = "set"
	// VerbPush appends to a list in a value: push(ref, path, json).
	VerbPush = "push"
	// VerbMemory answers how many bytes the realm holds, after a collection: memory().
	VerbMemory = "memory"
)

// An Arg is a JSON value, or a reference to the result of an earlier call.
type Arg struct {
	isRef bool
	ref   int
	value Value
}

// Ref refers to the result of the call with this number.
func Ref(call int) Arg { return Arg{isRef: true, ref: call} }

// Lit is the JSON value v.
func Lit(v Value) Arg { return Arg{value: v} }

// Str is the JSON string s.
func Str(s string) Arg { return Arg{value: String(s)} }

// IsRef tells whether a is a reference, and to which call.
func (a Arg) IsRef() (call int, ok bool) { return a.ref, a.isRef }

// Value is the literal that a holds; null for a reference.
func (a Arg) Value() Value { return a.value }

// A Call names a function of the subject or a verb.
type Call struct {
	Fn    string
	Shape Shape
	Args  []Arg
}

// A Program is a list of calls. It is never changed once it has been built; shrinking builds new ones.
type Program struct {
	Calls   []Call
	encoded []byte
}

// Add appends a call and returns its number.
func (p *Program) Add(fn string, shape Shape, args ...Arg) int {
	p.Calls = append(p.Calls, Call{Fn: fn, Shape: shape, Args: args})
	p.encoded = nil
	return len(p.Calls) - 1
}

// Encode is the program as ASCII JSON, the form in which it crosses into a realm: the names of the functions that it calls, then a
// list a call, holding the function's place among those names, the shape of the result, and for each argument two entries: the
// number of the call that it refers to and 0, or -1 and the literal.
func (p *Program) Encode() []byte {
	if p.encoded == nil {
		p.encoded = p.appendJSON(nil)
	}
	return p.encoded
}

func (p *Program) appendJSON(b []byte) []byte {
	var names []string
	b = append(b, "[["...)
	for _, c := range p.Calls {
		if slices.Contains(names, c.Fn) {
			continue
		}
		if names = append(names, c.Fn); len(names) > 1 {
			b = append(b, ',')
		}
		b = appendString(b, c.Fn)
	}
	b = append(b, "],["...)
	for i, c := range p.Calls {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		b = strconv.AppendInt(b, int64(slices.Index(names, c.Fn)), 10)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(c.Shape), 10)
		for _, a := range c.Args {
			b = append(b, ',')
			if a.isRef {
				b = strconv.AppendInt(b, int64(a.ref), 10)
				b = append(b, ",0"...)
			} else {
				b = append(b, "-1,"...)
				b = a.value.AppendJSON(b)
			}
		}
		b = append(b, ']')
	}
	return append(b, "]]"...)
}

// DecodeProgram reads what Encode wrote, and checks that every reference points back.
func DecodeProgram(data []byte) (*Program, error) {
	v, err := ParseValue(string(data))
	if err != nil {
		return nil, fmt.Errorf("property: program: %w", err)
	}
	if v.kind != List || len(v.items) != 2 || v.items[0].kind != List || v.items[1].kind != List {
		return nil, errors.New("property: program: not a list of names and a list of calls")
	}
	names, calls := v.items[0].items, v.items[1].items
	if i := slices.IndexFunc(names, func(n Value) bool { return n.kind != Text }); i >= 0 {
		return nil, fmt.Errorf("property: program: name %d is no string", i)
	}
	p := &Program{}
	for i, c := range calls {
		parts := c.Items()
		if c.kind != List || len(parts) < 2 || len(parts)%2 != 0 {
			return nil, fmt.Errorf("property: program: call %d is not a function, a shape and pairs of arguments", i)
		}
		name, ok := parts[0].Int()
		shape, ok2 := parts[1].Int()
		if !ok || name < 0 || name >= int64(len(names)) || !ok2 || shape < int64(Opaque) || shape > int64(Nothing) {
			return nil, fmt.Errorf("property: program: call %d has no function and shape", i)
		}
		call := Call{Fn: names[name].Text(), Shape: Shape(shape)}
		for k := 2; k < len(parts); k += 2 {
			switch ref, ok := parts[k].Int(); {
			case ok && ref >= 0 && ref < int64(i):
				call.Args = append(call.Args, Ref(int(ref)))
			case ok && ref == -1:
				call.Args = append(call.Args, Lit(parts[k+1]))
			default:
				return nil, fmt.Errorf("property: program: call %d refers to %s, which is no earlier call", i, parts[k].JSON())
			}
		}
		p.Calls = append(p.Calls, call)
	}
	return p, nil
}

// key tells programs apart.
func (p *Program) key() string { return string(p.Encode()) }

// MarshalJSON makes a Program readable in logs and in the page's messages.
func (p *Program) MarshalJSON() ([]byte, error) { return p.Encode(), nil }

var _ json.Marshaler = (*Program)(nil)

// String is the program's code.
func (p *Program) String() string { return strings.Join(p.Lines(), "\n") }
