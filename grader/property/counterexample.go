package property

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A Counterexample is the smallest refuting program that was found, with its transcript. It holds the program itself, not a seed: it
// replays on any runner.
type Counterexample struct {
	Property   *Property
	Program    *Program
	Transcript *Transcript
	Why        *Refutation
	Stopped    bool // the realm was ended in Why.At: no other step's result is known
}

func newCounterexample(prop *Property, p *Program, t *Transcript, why *Refutation) *Counterexample {
	return &Counterexample{Property: prop, Program: p, Transcript: t, Why: why}
}

// Lines is the counterexample's code, one statement a line.
func (c *Counterexample) Lines() []string {
	if c.Property.Show != nil {
		return c.Property.Show(c.Program)
	}
	return c.Program.Lines()
}

// Result is the JSON of what a step came to, as a person would read it; nil for a log or an assignment.
func (s Step) Result(shape Shape) json.RawMessage {
	switch {
	case s.Threw != nil:
		return json.RawMessage(ObjectOf(Field{"threw", String(s.Threw.String())}).JSON())
	case s.Unreadable != nil:
		return json.RawMessage(ObjectOf(Field{"unreadable", String(s.Unreadable.String())}).JSON())
	case s.Wrong != "":
		return json.RawMessage(ObjectOf(Field{"notJSON", String(s.Wrong)}).JSON())
	case shape == Opaque || shape == Nothing:
		return nil
	}
	return json.RawMessage(s.Value.JSON())
}

// Code is the program with what it came to, to read and to paste: each answer as a comment, the fault marked.
func (c *Counterexample) Code() string {
	var b strings.Builder
	if c.Property.Show != nil {
		return strings.Join(c.Property.Show(c.Program), "\n") + "\n"
	}
	for i, line := range c.Program.Lines() {
		b.WriteString(line)
		b.WriteByte('\n')
		if said := c.Transcript.Steps[i].Says(c.Program.Calls[i].Shape); said != "" && c.Program.Calls[i].Fn != VerbValue {
			b.WriteString("// " + comment(said))
			if i == c.Why.At {
				b.WriteString("   <-- here")
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Says is what a step came to, for a comment; empty for a log or an assignment that went well.
func (s Step) Says(shape Shape) string {
	switch {
	case s.Threw != nil:
		return "threw " + s.Threw.String()
	case s.Unreadable != nil:
		return "not readable as JSON: " + s.Unreadable.String()
	case s.Wrong != "":
		return s.Wrong
	case shape == Opaque || shape == Nothing:
		return ""
	}
	return s.Value.Pretty()
}

// Test is a test to paste below one's own functions: it runs the calls and says whether the fault is still there.
func (c *Counterexample) Test() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s: %s\n", c.Property.ID, comment(c.Property.Law.En))
	for i, line := range c.Program.Lines() {
		if c.Property.Show != nil {
			break
		}
		if c.Program.Calls[i].Fn == VerbSet || c.Program.Calls[i].Fn == VerbPush {
			line = "try { " + line + " } catch {} // a frozen answer may refuse"
		}
		if c.Program.Calls[i].Fn == VerbLook {
			continue
		}
		b.WriteString(line + ";\n")
	}
	if c.Property.Show != nil {
		b.WriteString(strings.Join(c.Property.Show(c.Program), "\n") + "\n")
		return b.String()
	}
	if c.Why.At < 0 || c.Why.At >= len(c.Program.Calls) {
		return b.String()
	}
	name := c.Program.Names()[c.Why.At]
	if c.Program.Calls[c.Why.At].Fn == VerbLook {
		name = c.Program.Expression(c.Why.At)
	}
	if !c.Why.NoExpected && name != "" {
		fmt.Fprintf(&b, "const expected = %s;\n", c.Why.Expected.Pretty())
		fmt.Fprintf(&b, "console.log(\"expected\", JSON.stringify(expected));\n")
		fmt.Fprintf(&b, "console.log(\"actual  \", JSON.stringify(%s));\n", name)
	} else if name != "" {
		fmt.Fprintf(&b, "console.log(JSON.stringify(%s)); // %s\n", name, comment(c.Why.Message.En))
	}
	return b.String()
}

// comment makes a text fit behind //: what ends a line in JavaScript would let the rest of it run as code.
func comment(text string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\u2028", `\u2028`, "\u2029", `\u2029`).Replace(text)
}
