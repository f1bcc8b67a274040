package main

import (
	"bufio"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/ncruces/go-sqlite3"
)

// A work is what is appended: appends in their order, each to one session. It lies in a file, so that every subject has it in memory before its
// clock starts: not only what the store is given, but all that comes of it as well, the ids, the hashes, the messages. So a subject that is
// no store has nothing to do but SQLite's work, and the store is charged with making these things.
//
// It is a text: for each append a line "@ SESSION COUNT", then a line for each event. Fields end with a tab; none holds a tab, or letters beyond ASCII.
type work struct{ appends []appended }

type appended struct {
	session string
	rows    []workRow
}

type workRow struct {
	eventID              int64
	kind                 string // its type
	payload              string
	createdAt            int64
	hash                 []byte
	role, content        string
	callID, name, values string // of a tool call or result; values are a call's arguments
}

func sessionName(i int) string { return fmt.Sprintf("session-%05d", i) }

// conversation is the n-th event of a session: a question, a tool call, its result, an answer, and so on.
func conversation(n int) eventlog.NewEvent {
	turn := n / 4
	switch n % 4 {
	case 0:
		return newEvent(eventlog.TypeUserMessage, `{"content":"How many orders came in on day %d, and how many of them are still open?"}`, turn)
	case 1:
		return newEvent(eventlog.TypeToolCall, `{"callId":"call-%d","name":"query_order_count","arguments":"{\"status\":\"open\",\"limit\":100}"}`, turn)
	case 2:
		return newEvent(eventlog.TypeToolResult, `{"callId":"call-%d","content":"{\"orders\":1289,\"open\":37,\"oldest\":\"2026-11-02\"}"}`, turn)
	}
	return newEvent(eventlog.TypeAssistantMessage, `{"content":"On day %d there were 1289 orders. 37 of them are still open; the oldest is of the second of November."}`, turn)
}

// chat is the n-th event of a session that consists of questions and answers alone.
func chat(n int) eventlog.NewEvent { return conversation(n/2*4 + n%2*3) }

func newEvent(kind, format string, n int) eventlog.NewEvent {
	return eventlog.NewEvent{Type: kind, Payload: fmt.Appendf(nil, format, n)}
}

// A talk is how sessions go on, and how far each of them is.
type talk struct {
	event func(n int) eventlog.NewEvent
	said  map[string]int
}

func (t *talk) next(session string, events int) []eventlog.NewEvent {
	batch := make([]eventlog.NewEvent, events)
	for i := range batch {
		batch[i] = t.event(t.said[session])
		t.said[session]++
	}
	return batch
}

// clock always tells the same time, which makes the rows of every store the same.
func clock() time.Time { return time.UnixMilli(1_790_000_000_000) }

// newStore makes a store with so many sessions, and no events.
func newStore(ctx context.Context, path string, o sqlstore.Options, sessions int) (*sqlstore.Store, error) {
	o.Now = clock
	s, err := sqlstore.Open(ctx, path, o)
	if err != nil {
		return nil, err
	}
	for i := range sessions {
		if _, err := s.CreateSession(ctx, sessionName(i), "A conversation"); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// writeWork lets a store make the rows: appends of so many events each, to all sessions in turn. Then it takes them out of its file.
func writeWork(ctx context.Context, scratch, path string, event func(int) eventlog.NewEvent, appends, events, sessions int) error {
	s, err := newStore(ctx, scratch, sqlstore.Options{Synchronous: sqlstore.Normal}, sessions)
	if err != nil {
		return err
	}
	defer s.Close()
	talk := &talk{event, map[string]int{}}
	for i := range appends {
		name := sessionName(i % sessions)
		if _, err := s.Append(ctx, name, talk.next(name, events), eventlog.AppendOptions{}); err != nil {
			return err
		}
	}
	if err := s.Close(); err != nil {
		return err
	}

	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriter(f)
	if err := dumpRows(scratch, out, events); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func dumpRows(path string, out io.Writer, events int) error {
	db, err := sqlite3.Open(path)
	if err != nil {
		return err
	}
	defer db.Close()
	rows, _, err := db.Prepare(`SELECT s.id, e.event_id, e.type, e.payload, e.created_at, lower(hex(e.hash)),
		m.role, m.content, coalesce(m.tool_call_id, ''), coalesce(m.name, ''), coalesce(m.arguments, '')
		FROM events e CROSS JOIN sessions s ON s.number = e.session JOIN messages m ON m.event_id = e.event_id ORDER BY e.event_id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for i := 0; rows.Step(); i++ {
		if i%events == 0 {
			fmt.Fprintf(out, "@\t%s\t%d\t\n", rows.ColumnText(0), events)
		}
		for column := 1; column < rows.ColumnCount(); column++ {
			fmt.Fprintf(out, "%s\t", rows.ColumnText(column))
		}
		fmt.Fprintln(out)
	}
	return rows.Err()
}

func readWork(path string) (work, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return work{}, err
	}
	var w work
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if f[0] == "@" && len(f) == 4 {
			w.appends = append(w.appends, appended{session: f[1]})
			continue
		}
		if len(f) != 11 || len(w.appends) == 0 {
			return work{}, fmt.Errorf("%s: this is no line of a work: %q", path, line)
		}
		r := workRow{kind: f[1], payload: f[2], role: f[5], content: f[6], callID: f[7], name: f[8], values: f[9]}
		if r.eventID, err = strconv.ParseInt(f[0], 10, 64); err != nil {
			return work{}, err
		}
		if r.createdAt, err = strconv.ParseInt(f[3], 10, 64); err != nil {
			return work{}, err
		}
		if r.hash, err = hex.DecodeString(f[4]); err != nil {
			return work{}, err
		}
		last := &w.appends[len(w.appends)-1]
		last.rows = append(last.rows, r)
	}
	return w, nil
}
