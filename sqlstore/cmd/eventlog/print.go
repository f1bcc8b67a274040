package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"forgetmenot/eventlog"
)

// clean makes a text from outside fit for a terminal: what is not seen, or moves the cursor, is written as its escape.
func clean(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == ' ' || unicode.IsGraphic(r) && !unicode.In(r, unicode.Zs) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRune(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// cut keeps a text to a length that a line has room for.
func cut(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}

// told is an error for a person.
func told(err error) string {
	return clean(strings.Replace(err.Error(), "eventlog: ", "", 1))
}

// compact is JSON on one line. Line ends in JSON are white space between its parts and nothing else, so nothing of its meaning goes with them.
func compact(payload []byte) []byte {
	if !bytes.ContainsAny(payload, "\r\n") {
		return payload
	}
	return bytes.Map(func(r rune) rune {
		if r == '\r' || r == '\n' {
			return ' '
		}
		return r
	}, payload)
}

func quoted(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// jsonEvent writes an event as one line, its payload as stored.
func jsonEvent(w io.Writer, e eventlog.StoredEvent) error {
	_, err := fmt.Fprintf(w, `{"eventId":%d,"sessionId":%s,"type":%s,"payload":%s,"createdAt":%d}`+"\n",
		e.EventID, quoted(e.SessionID), quoted(e.Type), compact(e.Payload), e.CreatedAt.UnixMilli())
	return err
}

// jsonMessage writes a message as an object on one line.
func jsonMessage(m eventlog.Message) ([]byte, error) {
	text, err := m.MarshalJSON()
	return compact(text), err
}

// A table aligns rows in columns.
type table struct{ *tabwriter.Writer }

func newTable(w io.Writer, heads ...string) table {
	t := table{tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)}
	t.row(heads...)
	return t
}

func (t table) row(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")) }

const cellWidth = 100

func clock(at time.Time) string { return at.Local().Format("2006-01-02 15:04:05.000") }

func (t table) event(e eventlog.StoredEvent) {
	t.row(fmt.Sprint(e.EventID), clock(e.CreatedAt), cut(clean(e.SessionID), 40), cut(clean(e.Type), 30), cut(clean(string(compact(e.Payload))), cellWidth))
}

// said is a message's content as a person reads it.
func said(m eventlog.Message) string {
	if len(m.ToolCalls) > 0 {
		var calls []string
		for _, c := range m.ToolCalls {
			calls = append(calls, fmt.Sprintf("calls %s(%s)", c.Name, c.Arguments))
		}
		return strings.Join(calls, ", ")
	}
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text
	}
	return string(m.Content)
}
