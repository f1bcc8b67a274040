//go:build rivals

package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"
	history "github.com/tmc/langchaingo/memory/sqlite3"
)

// langchain is langchaingo's chat history. It knows questions and answers, and sends them to its own table through mattn's driver, one at a
// time. It has no ids, no lists of sessions, and no events.
type langchain struct {
	ctx  context.Context
	db   *sql.DB
	of   map[string]*history.SqliteChatMessageHistory
	work []said
}

type said struct {
	session string
	message llms.ChatMessage
}

// open makes a history of its own beside the file.
//
// One connection: with several, writers meet each other's locks, and sleep.
func (d *langchain) open(file string) (version string, err error) {
	if err := d.close(); err != nil {
		return "", err
	}
	d.of = map[string]*history.SqliteChatMessageHistory{}
	const settings = "?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=5000&_foreign_keys=1&_cache_size=-2000"
	if d.db, err = sql.Open("sqlite3", "file:"+file+".langchain"+settings); err != nil {
		return "", err
	}
	d.db.SetMaxOpenConns(1)
	for _, p := range []struct{ name, value string }{{"journal_mode", "wal"}, {"synchronous", "2"}} {
		var got string
		if err := d.db.QueryRow("PRAGMA " + p.name).Scan(&got); err != nil {
			return "", err
		}
		if err := checkPragma(p.name, p.value, got); err != nil {
			return "", err
		}
	}
	return version, d.db.QueryRow("SELECT sqlite_version()").Scan(&version)
}

func (d *langchain) close() error {
	if d.db == nil {
		return nil
	}
	return d.db.Close()
}

func (d *langchain) history(session string) *history.SqliteChatMessageHistory {
	h := d.of[session]
	if h == nil {
		h = history.NewSqliteChatMessageHistory(history.WithContext(d.ctx), history.WithDB(d.db), history.WithSession(session), history.WithLimit(1_000_000))
		d.of[session] = h
	}
	return h
}

func (d *langchain) load(w work) {
	d.work = nil
	for _, a := range w.appends {
		d.history(a.session)
		for _, r := range a.rows {
			d.work = append(d.work, said{a.session, messageOf(r.kind, r.payload)})
		}
	}
}

func messageOf(kind, payload string) llms.ChatMessage {
	var p struct{ Content string }
	if err := json.Unmarshal([]byte(payload), &p); err != nil {
		panic(err) // the work is right
	}
	if strings.HasPrefix(kind, "user") {
		return llms.HumanChatMessage{Content: p.Content}
	}
	return llms.AIChatMessage{Content: p.Content}
}

func (d *langchain) write(from, n int) error {
	for _, m := range d.work[from : from+n] {
		if err := d.history(m.session).AddMessage(d.ctx, m.message); err != nil {
			return err
		}
	}
	return nil
}

func (d *langchain) crowd(writers, from, n int) ([]time.Duration, error) {
	return together(writers, n, func(_, i int) error {
		m := d.work[from+i]
		return d.of[m.session].AddMessage(d.ctx, m.message)
	})
}

func (d *langchain) messages(session string) (t tally, err error) {
	messages, err := d.history(session).Messages(d.ctx)
	for _, m := range messages {
		t.Rows++
		t.Bytes += int64(len(m.GetContent()))
	}
	return t, err
}

func (d *langchain) events(string) (tally, error) {
	return tally{}, fmt.Errorf("langchaingo has no events")
}
func (d *langchain) sessions() (tally, error) {
	return tally{}, fmt.Errorf("langchaingo has no list of sessions")
}

func (d *langchain) more(words []string, n [4]int) (answer, error) {
	if words[0] != "fill" {
		return answer{}, fmt.Errorf("there is no command %q", words[0])
	}
	return answer{}, d.fill(n[1], n[2])
}

// fill puts messages into its table all at once, as it has no way to do so.
func (d *langchain) fill(sessions, messages int) error {
	for i := range sessions {
		d.history(sessionName(i)) // makes the table
	}
	tx, err := d.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	put, err := tx.Prepare("INSERT INTO " + history.DefaultTableName + " (session, content, type) VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	defer put.Close()
	for i := range sessions {
		for j := range messages {
			e := chat(j)
			m := messageOf(e.Type, string(e.Payload))
			if _, err := put.Exec(sessionName(i), m.GetContent(), string(m.GetType())); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}
