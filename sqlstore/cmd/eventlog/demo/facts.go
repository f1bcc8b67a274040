package demo

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"forgetmenot/eventlog"
)

// facts are events as the story shows them.
type facts []fact

type fact struct {
	id         int64 // 0 when it is stored nowhere
	kind, text string
	event      *eventlog.StoredEvent // nil when it is stored nowhere
}

func factsOf(events []eventlog.StoredEvent) facts {
	all := facts{}
	for _, e := range events {
		text := plain(string(e.Payload))
		if m, ok := eventlog.FoldEvent(e.Event); ok {
			text = said(m)
		}
		all = append(all, fact{e.EventID, e.Type, text, &e})
	}
	return all
}

// unstored are the messages of a turn as the events that they should have been.
func unstored(t turn) facts {
	all := facts{}
	for _, m := range t.Messages {
		kind := eventlog.TypeAssistantMessage
		switch {
		case m.Message.Role == eventlog.RoleUser:
			kind = eventlog.TypeUserMessage
		case m.Message.Role == eventlog.RoleTool:
			kind = eventlog.TypeToolResult
		case m.Message.ToolCalls != nil:
			kind = eventlog.TypeToolCall
		}
		all = append(all, fact{kind: kind, text: said(m.Message)})
	}
	return all
}

// said is a message in one line: what somebody says in quotes, calls and results as they are.
func said(m eventlog.Message) string {
	if m.ToolCalls != nil {
		var calls []string
		for _, c := range m.ToolCalls {
			calls = append(calls, fmt.Sprintf("%s(%s)", c.Name, c.Arguments))
		}
		return plain(strings.Join(calls, ", "))
	}
	if m.Role == eventlog.RoleTool {
		return plain(textOf(m.Content))
	}
	return fmt.Sprintf("%q", textOf(m.Content))
}

// plain is a text that a terminal can show, in quotes and with escapes when it could not.
func plain(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}

// textOf is a message's content as a text; one that is no string stays the JSON that it is.
func textOf(content json.RawMessage) string {
	var text string
	if json.Unmarshal(content, &text) != nil {
		return string(content)
	}
	return text
}

// remembers tells whether the scripted model says that it knows n messages of a session's user.
func remembers(t turn, n int) bool {
	return strings.Contains(t.last(), fmt.Sprintf("message %d of yours that I remember", n))
}

// seen is what was there instead, for a claim that does not hold.
func seen(events []eventlog.StoredEvent) string {
	if len(events) == 0 {
		return "there is no event"
	}
	var all []string
	for _, e := range events {
		all = append(all, fmt.Sprintf("%d %s of %s", e.EventID, e.Type, e.SessionID))
	}
	return "there are " + strings.Join(all, ", ")
}

// numbers says which events in words: "events 1 to 4", "events 11 and 12", "events 1, 2 and 5", "event 3".
func numbers(ids []int64) string {
	if len(ids) == 0 {
		return "no events"
	}
	if len(ids) == 1 {
		return fmt.Sprintf("event %d", ids[0])
	}
	var listed []string
	for from := 0; from < len(ids); {
		to := from
		for to+1 < len(ids) && ids[to+1] == ids[to]+1 {
			to++
		}
		if to-from >= 2 {
			listed = append(listed, fmt.Sprintf("%d to %d", ids[from], ids[to]))
		} else {
			for _, id := range ids[from : to+1] {
				listed = append(listed, fmt.Sprint(id))
			}
		}
		from = to + 1
	}
	if len(listed) == 1 {
		return "events " + listed[0]
	}
	return "events " + strings.Join(listed[:len(listed)-1], ", ") + " and " + listed[len(listed)-1]
}
