package chat

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"forgetmenot/eventlog"
)

// A screen shows a talk. The turn that runs writes to it, and nobody else while it does. It keeps the first error of its writer.
type screen struct {
	o   Options
	out io.Writer
	err error

	streamed strings.Builder // of a reply that is not stored yet
	resuming bool            // until the first sign of a turn that goes on
}

func newScreen(o Options, out io.Writer) *screen { return &screen{o: o, out: out} }

func (s *screen) print(text string) {
	if s.err == nil {
		_, s.err = io.WriteString(s.out, text)
	}
}

// quiet is a line beside the talk.
func (s *screen) quiet(text string) {
	text = "  " + text
	if s.o.Width > 0 {
		text = cut(text, s.o.Width)
	}
	if s.o.Color {
		text = "\x1b[2m" + text + "\x1b[0m"
	}
	s.print(text + "\n")
}

// notice is the command's own word.
func (s *screen) notice(text string) {
	if s.o.JSON {
		return
	}
	if s.o.Color {
		s.print("\x1b[2m" + visible(text) + "\x1b[0m\n")
		return
	}
	s.print(visible(text) + "\n")
}

func (s *screen) failed(err error) {
	if s.o.JSON {
		text, _ := json.Marshal(err.Error())
		s.print(`{"error":` + string(text) + "}\n")
		return
	}
	s.print("! " + visible(strings.Replace(err.Error(), "eventlog: ", "", 1)) + "\n")
}

func (s *screen) prompt() {
	if s.o.Person && !s.o.JSON {
		s.print("> ")
	}
}

// leave ends the line in which a prompt stands.
func (s *screen) leave() {
	if s.o.Person && !s.o.JSON {
		s.print("\n")
	}
}

// begun tells a new session's id, which one comes back with.
func (s *screen) begun(id string) {
	if s.o.JSON {
		text, _ := json.Marshal(id)
		s.print(`{"sessionId":` + string(text) + "}\n")
		return
	}
	s.notice("Session " + id + ". To come back: " + strings.TrimSpace(s.o.Command+" "+id))
}

// old is a message from before.
func (s *screen) old(m eventlog.StoredMessage) {
	if s.o.JSON {
		return
	}
	text := oneLine(eventlog.Text(m.Message.Content))
	switch {
	case len(m.Message.ToolCalls) > 0:
		for _, c := range m.Message.ToolCalls {
			s.quiet(called(c.Name, c.Arguments))
		}
	case m.Message.Role == eventlog.RoleTool:
		s.quiet("= " + text)
	case m.Message.Role == eventlog.RoleUser:
		s.quiet("> " + text)
	default:
		s.quiet(text)
	}
}

// heard is text that a model says, before it is stored.
func (s *screen) heard(_, text string) {
	if !s.o.Person || s.o.JSON {
		return
	}
	s.goesOn()
	s.streamed.WriteString(text)
	s.print(visible(text))
}

// broken ends a reply that was heard and will not be stored.
func (s *screen) broken() {
	if s.streamed.Len() > 0 {
		s.print(" …\n")
		s.streamed.Reset()
	}
}

func (s *screen) over() { s.broken() }

func (s *screen) goesOn() {
	if s.resuming {
		s.resuming = false
		s.notice("A turn was cut off here; it goes on.")
	}
}

// stored shows events that have just been stored.
func (s *screen) stored(events []eventlog.StoredEvent) {
	s.goesOn()
	for _, e := range events {
		if s.o.JSON {
			if s.err == nil {
				s.err = s.o.WriteEvent(s.out, e)
			}
			continue
		}
		s.event(e)
	}
}

func (s *screen) event(e eventlog.StoredEvent) {
	id := ""
	if s.o.Events {
		id = fmt.Sprintf("%d %s  ", e.EventID, oneLine(e.Type))
	}
	m, _ := eventlog.FoldEvent(e.Event)
	switch e.Type {
	case eventlog.TypeAssistantMessage:
		text := eventlog.Text(m.Content)
		if s.streamed.String() == text {
			s.streamed.Reset()
			s.print("\n")
		} else {
			s.broken()
			s.print(visible(text) + "\n")
		}
		if id != "" {
			s.quiet(strings.TrimSpace(id))
		}
	case eventlog.TypeToolCall:
		s.broken()
		s.quiet(id + called(m.ToolCalls[0].Name, m.ToolCalls[0].Arguments))
	case eventlog.TypeToolResult:
		s.quiet(id + "= " + oneLine(eventlog.Text(m.Content)))
	case eventlog.TypeModelRetry:
		s.broken()
		var retry struct {
			WaitMs int64
			Error  string
		}
		json.Unmarshal(e.Payload, &retry) // what cannot be read is not told
		s.quiet(id + fmt.Sprintf("the model is asked again in %.1f s: %s", float64(retry.WaitMs)/1000, oneLine(retry.Error)))
	default:
		if id != "" {
			s.quiet(strings.TrimSpace(id))
		}
	}
}

// called is a tool call: its one argument that is a text, or all of them as they are.
func called(name, arguments string) string {
	var texts map[string]string
	if json.Unmarshal([]byte(arguments), &texts) == nil && len(texts) == 1 {
		for _, text := range texts {
			arguments = text
		}
	}
	return oneLine(name) + ": " + oneLine(arguments)
}

func oneLine(text string) string { return visible(strings.Join(strings.Fields(text), " ")) }

// visible makes a text from outside fit for a terminal: what is not seen, or moves the cursor, is written as its escape, but for the ends of lines.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\n' || r == '\t' || unicode.IsGraphic(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// cut keeps a text to so many letters.
func cut(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:max(most-1, 0)]) + "…"
}
