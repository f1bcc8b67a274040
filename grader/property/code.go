package property

import (
	"fmt"
	"strconv"
	"strings"
)

// Lines is the program as JavaScript, one statement a call, to read and to paste.
func (p *Program) Lines() []string {
	names := p.Names()
	lines := make([]string, len(p.Calls))
	for i := range p.Calls {
		expr := p.expression(i, names)
		if names[i] != "" {
			lines[i] = "const " + names[i] + " = " + expr
		} else {
			lines[i] = expr
		}
	}
	return lines
}

// Expression is the call alone, as JavaScript.
func (p *Program) Expression(call int) string { return p.expression(call, p.Names()) }

// Names are the variables that hold the calls' results in the code: log1, log2, …; empty where nothing is kept.
func (p *Program) Names() []string {
	names := make([]string, len(p.Calls))
	count := map[string]int{}
	for i, c := range p.Calls {
		base := ""
		switch {
		case c.Shape == Nothing || c.Fn == VerbMemory:
			continue
		case c.Fn == VerbLook: // the variable read again has its name
			continue
		case c.Fn == VerbValue:
			base = "event"
		case c.Shape == Opaque:
			base = "log"
		case strings.HasPrefix(c.Fn, "list"):
			base = "sessions"
		case strings.HasPrefix(c.Fn, "replay"):
			base = "messages"
		default:
			base = "events"
		}
		count[base]++
		names[i] = base + strconv.Itoa(count[base])
	}
	return names
}

func (p *Program) expression(call int, names []string) string {
	c := p.Calls[call]
	arg := func(i int) string {
		if i >= len(c.Args) {
			return ""
		}
		if ref, ok := c.Args[i].IsRef(); ok {
			return names[ref]
		}
		return c.Args[i].Value().Pretty()
	}
	place := func(keys []Value) string {
		var b strings.Builder
		b.WriteString(arg(0))
		for _, k := range keys {
			switch {
			case k.Kind() == Number:
				fmt.Fprintf(&b, "[%s]", k.JSON())
			case isIdentifier(k.Text()) && k.Text() != "__proto__":
				b.WriteString("." + k.Text())
			default:
				fmt.Fprintf(&b, "[%s]", quote(k.Text()))
			}
		}
		return b.String()
	}
	switch c.Fn {
	case VerbValue, VerbLook:
		return arg(0)
	case VerbSet:
		if keys := path(c, 1); len(keys) > 0 && keys[len(keys)-1].Text() == "__proto__" { // an assignment would set the prototype
			return fmt.Sprintf(`Object.defineProperty(%s, "__proto__", { value: %s, writable: true, enumerable: true, configurable: true })`,
				place(keys[:len(keys)-1]), arg(2))
		}
		return place(path(c, 1)) + " = " + arg(2)
	case VerbPush:
		return place(path(c, 1)) + ".push(" + arg(2) + ")"
	case VerbMemory:
		return "memory in use"
	}
	parts := make([]string, len(c.Args))
	for i := range c.Args {
		parts[i] = arg(i)
	}
	return c.Fn + "(" + strings.Join(parts, ", ") + ")"
}

// path is the list of keys that an argument holds.
func path(c Call, arg int) []Value {
	if arg >= len(c.Args) {
		return nil
	}
	return c.Args[arg].Value().Items()
}

// isIdentifier tells whether a key may stand in code without quotes.
func isIdentifier(k string) bool {
	for i, r := range k {
		letter := r == '_' || r == '$' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return k != ""
}
