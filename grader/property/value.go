package property

import (
	"math"
	"slices"
	"strconv"
)

// A Kind is what a JSON value is.
type Kind uint8

// The kinds of JSON values. The zero Value is null.
const (
	Null Kind = iota
	Bool
	Number
	Text
	List
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// A Value is a JSON value: immutable, its object keys told apart exactly, each once, and kept in order. (encoding/json would fold the
// case of keys, and a learner's EventId is not an eventId.)
type Value struct {
	kind  Kind
	num   float64
	text  string
	items []Value
	keys  []string // of an object, beside items
}

// String is the JSON string s.
func String(s string) Value { return Value{kind: Text, text: s} }

// Num is the JSON number n.
func Num(n float64) Value { return Value{kind: Number, num: n} }

// Boolean is true or false.
func Boolean(b bool) Value {
	v := Value{kind: Bool}
	if b {
		v.num = 1
	}
	return v
}

// ListOf is the array of these items.
func ListOf(items ...Value) Value { return Value{kind: List, items: slices.Clone(items)} }

// A Field is a key of an object with its value.
type Field struct {
	Key   string
	Value Value
}

// ObjectOf is the object with these fields, in order. Of a repeated key the last value counts, in the place of the first, as in
// JavaScript.
func ObjectOf(fields ...Field) Value {
	b := objectBuilder{}
	for _, f := range fields {
		b.put(f.Key, f.Value)
	}
	return b.value()
}

// An objectBuilder collects fields so that each key stands once.
type objectBuilder struct {
	keys  []string
	items []Value
	at    map[string]int // where each key is, once there are many
}

// manyKeys is how many keys are still searched one by one.
const manyKeys = 16

func (b *objectBuilder) put(key string, v Value) {
	i, ok := 0, false
	if b.at != nil {
		i, ok = b.at[key]
	} else if i = slices.Index(b.keys, key); i >= 0 {
		ok = true
	}
	if ok {
		b.items[i] = v
		return
	}
	if b.at != nil {
		b.at[key] = len(b.keys)
	}
	b.keys, b.items = append(b.keys, key), append(b.items, v)
	if b.at == nil && len(b.keys) > manyKeys {
		b.at = make(map[string]int, 2*len(b.keys))
		for i, k := range b.keys {
			b.at[k] = i
		}
	}
}

func (b *objectBuilder) value() Value { return Value{kind: Object, keys: b.keys, items: b.items} }

// Kind is what v is.
func (v Value) Kind() Kind { return v.kind }

// Items are the items of an array or the values of an object; not to be changed.
func (v Value) Items() []Value { return v.items }

// Keys are the keys of an object, in order; not to be changed.
func (v Value) Keys() []string { return v.keys }

// Text is the text of a string; empty for anything else.
func (v Value) Text() string { return v.text }

// Number is the number; 0 for anything else.
func (v Value) Number() float64 { return v.num }

// Int is the number when it is an integer that a float64 holds exactly.
func (v Value) Int() (int64, bool) {
	if v.kind != Number || v.num != math.Trunc(v.num) || math.Abs(v.num) > 1<<53 {
		return 0, false
	}
	return int64(v.num), true
}

// Get finds a field by its exact key.
func (v Value) Get(key string) (Value, bool) {
	if i := slices.Index(v.keys, key); i >= 0 {
		return v.items[i], true
	}
	return Value{}, false
}

// Field is Get without the report: null when there is no such field.
func (v Value) Field(key string) Value {
	f, _ := v.Get(key)
	return f
}

// With is v with the field set; the object of just that field when v is no object.
func (v Value) With(key string, field Value) Value {
	w := Value{kind: Object}
	if v.kind == Object {
		w.keys, w.items = slices.Clone(v.keys), slices.Clone(v.items)
	}
	if i := slices.Index(w.keys, key); i >= 0 {
		w.items[i] = field
		return w
	}
	w.keys, w.items = append(w.keys, key), append(w.items, field)
	return w
}

// Without is v less the field; {} when v is no object.
func (v Value) Without(key string) Value {
	w := Value{kind: Object}
	for i, k := range v.keys {
		if k != key {
			w.keys, w.items = append(w.keys, k), append(w.items, v.items[i])
		}
	}
	return w
}

// Equal tells whether two values are the same JSON value: the order of an object's keys does not count.
func (v Value) Equal(w Value) bool {
	if v.kind != w.kind {
		return false
	}
	switch v.kind {
	case Bool, Number:
		return v.num == w.num
	case Text:
		return v.text == w.text
	case List:
		return slices.EqualFunc(v.items, w.items, Value.Equal)
	case Object:
		if len(v.keys) != len(w.keys) {
			return false
		}
		for i, k := range v.keys {
			other := Value{}
			if w.keys[i] == k { // the usual case: the same order
				other = w.items[i]
			} else {
				found, ok := w.Get(k)
				if !ok {
					return false
				}
				other = found
			}
			if !v.items[i].Equal(other) {
				return false
			}
		}
	}
	return true
}

// JSON is v as ASCII JSON text.
func (v Value) JSON() string { return string(v.AppendJSON(nil)) }

// MarshalJSON writes v as ASCII JSON.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// AppendJSON appends v as ASCII JSON text.
func (v Value) AppendJSON(b []byte) []byte {
	switch v.kind {
	case Bool:
		return strconv.AppendBool(b, v.num != 0)
	case Number:
		return appendNumber(b, v.num)
	case Text:
		return appendString(b, v.text)
	case List:
		b = append(b, '[')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.AppendJSON(b)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, v.keys[i])
			b = append(b, ':')
			b = item.AppendJSON(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// appendNumber writes n as JSON.stringify does (ECMA-262, Number::toString), but keeps the sign of -0, since the text also carries arguments
// into a realm.
func appendNumber(b []byte, n float64) []byte {
	abs := math.Abs(n)
	switch {
	case math.IsNaN(n) || math.IsInf(n, 0):
		return append(b, "null"...)
	case abs == 0 || abs >= 1e-6 && abs < 1e21:
		return strconv.AppendFloat(b, n, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, n, 'e', -1, 64)
	if k := len(b); b[k-4] == 'e' && b[k-3] == '-' && b[k-2] == '0' { // 1e-07 is 1e-7
		b = append(b[:k-2], b[k-1])
	}
	return b
}

const hexDigits = "0123456789abcdef"

// appendString quotes s as ASCII JSON. A string here is WTF-8: a lone surrogate, as ParseValue keeps it, is written as
// the escape that it came as.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
			i++
		case c >= 0x20 && c < 0x7f:
			b = append(b, c)
			i++
		case c == '\n':
			b = append(b, '\\', 'n')
			i++
		case c < 0x80:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			i++
		default:
			r, size := decodeWTF8(s[i:])
			i += size
			if r >= 0x10000 {
				r -= 0x10000
				b = appendUnit(b, 0xd800+r>>10)
				b = appendUnit(b, 0xdc00+r&0x3ff)
			} else {
				b = appendUnit(b, r)
			}
		}
	}
	return append(b, '"')
}

func appendUnit(b []byte, u rune) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}
