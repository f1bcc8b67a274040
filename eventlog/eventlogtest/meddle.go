package eventlogtest

import (
	"encoding/json"

	"forgetmenot/eventlog"
	"forgetmenot/grader/property"
)

// In JavaScript a stranger changes a value by assigning to its parts. In Go he holds slices: what he changes is memory, which may
// be the log's own. So these write in place.

// meddle assigns to a place in a held value; a place that is not there panics, as it throws in JavaScript.
func meddle(held any, path []property.Value, to property.Value) {
	switch v := held.(type) {
	case *eventlog.Event:
		meddleEvent(v, path, to)
	case *[]eventlog.Event:
		if n, ok := path[0].Int(); ok {
			meddleEvent(&(*v)[n], path[1:], to)
		}
	case *[]string:
		if n, ok := path[0].Int(); ok {
			(*v)[n] = to.Text()
		}
	case *[]eventlog.Message:
		if n, ok := path[0].Int(); ok {
			meddleMessage(&(*v)[n], path[1:], to)
		}
	}
}

func meddleEvent(e *eventlog.Event, path []property.Value, to property.Value) {
	switch path[0].Text() {
	case "type":
		e.Type = to.Text()
	case "sessionId":
		e.SessionID = to.Text()
	case "payload":
		overwrite(&e.Payload, assign(property.MustParse(string(e.Payload)), path[1:], to))
	}
}

func meddleMessage(m *eventlog.Message, path []property.Value, to property.Value) {
	switch path[0].Text() {
	case "content":
		overwrite(&m.Content, assign(property.MustParse(string(m.Content)), path[1:], to))
	case "toolCalls":
		if n, ok := path[1].Int(); ok && path[2].Text() == "name" {
			m.ToolCalls[n].Name = to.Text()
		}
	}
}

// overwrite puts a JSON value where another stands: the old bytes are spoilt in place, and stay JSON, so that whoever still reads them reads something
// else and not nonsense.
func overwrite(raw *json.RawMessage, to property.Value) {
	text := []byte(to.JSON())
	old := *raw
	if len(text) > len(old) {
		for i := range old {
			old[i] = ' '
		}
		copy(old, `0`)
		*raw = text
		return
	}
	n := copy(old, text)
	for i := n; i < len(old); i++ {
		old[i] = ' '
	}
}

// push appends to a held list, into its spare capacity if it has some.
func push(held any, v property.Value) {
	switch list := held.(type) {
	case *[]eventlog.Event:
		*list = append(*list, *newEvent(v))
	case *[]string:
		*list = append(*list, v.Text())
	case *[]eventlog.Message:
		*list = append(*list, eventlog.Message{Role: v.Field("role").Text(), Content: json.RawMessage(v.Field("content").JSON())})
	}
}
