package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// A teller tells the story as it happens: to a person, or to a program, which gets a line of JSON for each step. The first
// error of the writer stays in err, and silences it.
type teller struct {
	ctx   context.Context // a pause ends with it
	w     io.Writer
	look  look
	pause time.Duration
	json  bool
	err   error

	before block // for the space between blocks
	steps  int
	checks int
	now    *step
}

// A step is a chapter for a program.
type step struct {
	Step    int      `json:"step"`
	Title   string   `json:"title"`
	OK      bool     `json:"ok"`
	Events  []event  `json:"events"`         // those that it is about
	Lost    []lost   `json:"lost,omitempty"` // what the client was told, and no file holds
	Checks  []string `json:"checks"`         // what was seen to hold
	Failed  string   `json:"failed,omitempty"`
	Instead string   `json:"instead,omitempty"` // what was seen, or what kept the story from going on
}

// lost is what should have been an event.
type lost struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// event is a stored event as every command of eventlog writes it.
type event struct {
	EventID   int64           `json:"eventId"`
	SessionID string          `json:"sessionId"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
	CreatedAt int64           `json:"createdAt"`
}

// An ending is the last line for a program.
type ending struct {
	OK     bool    `json:"ok"`
	Steps  int     `json:"steps"`
	Checks int     `json:"checks"`
	DB     *string `json:"db"` // null when the file is gone
}

func newTeller(ctx context.Context, o Options, w io.Writer) *teller {
	return &teller{ctx: ctx, w: w, look: look{max(30, o.Width), o.Color}, pause: o.Pause, json: o.JSON}
}

func (t *teller) chapter(name string) {
	t.steps++
	if t.json {
		t.flush()
		t.now = &step{Step: t.steps, Title: name, OK: true, Events: []event{}, Checks: []string{}}
		return
	}
	t.block(chapter{t.steps, name})
}

func (t *teller) para(format string, args ...any) { t.block(para(fmt.Sprintf(format, args...))) }
func (t *teller) why(format string, args ...any)  { t.block(why(fmt.Sprintf(format, args...))) }

// block tells the next of the story.
func (t *teller) block(b block) {
	if c, ok := b.(claim); ok {
		t.checks++
		if t.json {
			t.now.Checks = append(t.now.Checks, string(c))
		}
	}
	if t.json {
		if f, ok := b.(facts); ok {
			t.now.add(f)
		}
		return
	}
	_, claims := b.(claim)
	_, claimed := t.before.(claim)
	if t.before != nil && !(claims && claimed) {
		t.rest()
		t.write("\n")
	}
	t.before = b
	t.write(strings.Join(b.lines(t.look), "\n") + "\n")
}

func (t *teller) broken(text, observed string) {
	if t.json {
		t.now.OK, t.now.Failed, t.now.Instead = false, text, observed
		return
	}
	t.block(broken{text, observed})
}

// end tells how it ended. A story that was broken off has no end.
func (t *teller) end(db string, err error) error {
	if !t.json {
		return t.err
	}
	if err != nil && t.now != nil && t.now.OK { // broken off, without a check that failed
		t.now.OK, t.now.Instead = false, err.Error()
	}
	t.flush()
	e := ending{OK: err == nil, Steps: t.steps, Checks: t.checks}
	if db != "" {
		e.DB = &db
	}
	t.line(e)
	return t.err
}

// rest leaves a person the time to read.
func (t *teller) rest() {
	if t.pause <= 0 || t.err != nil {
		return
	}
	timer := time.NewTimer(t.pause)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.ctx.Done():
		t.err = t.ctx.Err()
	}
}

func (t *teller) flush() {
	if t.now != nil {
		t.line(t.now)
		t.now = nil
	}
}

func (t *teller) line(v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil && t.err == nil {
		t.err = err
	}
	t.write(b.String())
}

func (t *teller) write(text string) {
	if t.err == nil {
		_, t.err = io.WriteString(t.w, text)
	}
}

func (s *step) add(f facts) {
	for _, one := range f {
		if one.event == nil {
			s.Lost = append(s.Lost, lost{one.kind, one.text})
			continue
		}
		e := one.event
		s.Events = append(s.Events, event{e.EventID, e.SessionID, e.Type, e.Payload, e.CreatedAt.UnixMilli()})
	}
}
