package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"
)

// store is what all this is about: the store, through the interface that everybody uses.
type store struct {
	ctx     context.Context
	s       *sqlstore.Store
	appends []storeAppend
}

type storeAppend struct {
	session string
	events  []eventlog.NewEvent
}

func (d *store) open(file string) (string, error) {
	if err := d.close(); err != nil {
		return "", err
	}
	s, err := sqlstore.Open(d.ctx, file, sqlstore.Options{StoreOptions: eventlog.StoreOptions{Now: clock}})
	if err != nil {
		return "", err
	}
	d.s = s
	// Connections for reading are opened when they are needed, which belongs to opening here.
	for _, err := range s.Sessions(d.ctx, eventlog.ByActivity, eventlog.SessionCursor{}) {
		if err != nil {
			return "", err
		}
		break
	}
	return "", nil
}

func (d *store) close() error {
	if d.s == nil {
		return nil
	}
	return d.s.Close()
}

func (d *store) load(w work) {
	d.appends = nil
	for _, a := range w.appends {
		next := storeAppend{session: a.session}
		for _, r := range a.rows {
			next.events = append(next.events, eventlog.NewEvent{Type: r.kind, Payload: json.RawMessage(r.payload)})
		}
		d.appends = append(d.appends, next)
	}
}

func (d *store) append(i int) (eventlog.Receipt, error) {
	return d.s.Append(d.ctx, d.appends[i].session, d.appends[i].events, eventlog.AppendOptions{})
}

func (d *store) write(from, n int) error {
	for i := range n {
		if _, err := d.append(from + i); err != nil {
			return err
		}
	}
	return nil
}

func (d *store) crowd(writers, from, n int) ([]time.Duration, error) {
	return together(writers, n, func(_, i int) error {
		_, err := d.append(from + i)
		return err
	})
}

func (d *store) messages(session string) (t tally, err error) {
	for m, err := range d.s.Messages(d.ctx, session, eventlog.Range{}) {
		if err != nil {
			return t, err
		}
		t.add(m.EventID, messageBytes(m.Message))
	}
	return t, nil
}

func messageBytes(m eventlog.Message) int {
	n := len(m.Role) + len(m.Content) + len(m.ToolCallID)
	for _, c := range m.ToolCalls {
		n += len(c.ToolCallID) + len(c.Name) + len(c.Arguments)
	}
	return n
}

func (d *store) events(session string) (t tally, err error) {
	for e, err := range d.s.Events(d.ctx, session, eventlog.Range{}) {
		if err != nil {
			return t, err
		}
		t.add(e.EventID+e.CreatedAt.UnixMilli(), len(e.Type)+len(e.Payload))
	}
	return t, nil
}

func (d *store) sessions() (t tally, err error) {
	for s, err := range d.s.Sessions(d.ctx, eventlog.ByActivity, eventlog.SessionCursor{}) {
		if err != nil {
			return t, err
		}
		t.add(s.Number+s.CreatedAt.UnixMilli()+s.LastEventID+s.EventCount, len(s.ID)+len(s.Title))
	}
	return t, nil
}

func (d *store) more(words []string, n [4]int) (a answer, err error) {
	switch words[0] {
	case "watch":
		a.P99, err = d.watch(n[1], n[2])
	case "heap":
		a.Heap, err = d.heap(words[1])
	case "fill":
		err = d.fill(n[1], n[2])
	default:
		err = fmt.Errorf("there is no command %q", words[0])
	}
	return a, err
}

// fill gives each session so many messages of a chat.
func (d *store) fill(sessions, messages int) error {
	for i := range sessions {
		batch := make([]eventlog.NewEvent, messages)
		for j := range batch {
			batch[j] = chat(j)
		}
		if _, err := d.s.Append(d.ctx, sessionName(i), batch, eventlog.AppendOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// watch measures how long after its commit an event reaches somebody who watches, while writers append.
//
// A caller cannot see a commit, only that Append has returned, which on a busy machine is later. So an event counts as committed as soon as its
// own append, or that of any later event, has returned.
func (d *store) watch(writers, n int) (p99 int64, err error) {
	ctx, cancel := context.WithCancel(d.ctx)
	defer cancel()
	first, err := d.s.Append(ctx, sessionName(0), []eventlog.NewEvent{chat(0)}, eventlog.AppendOptions{})
	if err != nil {
		return 0, err
	}
	last := first.Events[0].EventID
	delivered := make(chan []time.Time, 1)
	started := make(chan struct{})
	go func() {
		times := make([]time.Time, 0, n)
		for e, err := range d.s.Watch(ctx, last-1) {
			if err != nil {
				break
			}
			if e.EventID == last {
				close(started) // it watches: it has delivered what was there
				continue
			}
			if times = append(times, time.Now()); len(times) == n {
				break
			}
		}
		delivered <- times
	}()
	select {
	case <-started:
	case <-delivered:
		return 0, errors.New("the watch ended before it delivered anything")
	}

	ids, acknowledged := make([]int64, n), make([]time.Time, n)
	_, err = together(writers, n, func(w, i int) error {
		r, err := d.s.Append(ctx, sessionName(w), []eventlog.NewEvent{chat(i)}, eventlog.AppendOptions{})
		if err == nil {
			ids[i], acknowledged[i] = r.Events[0].EventID, time.Now()
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	times := <-delivered
	if len(times) != n {
		return 0, fmt.Errorf("watch delivered %d of %d events", len(times), n)
	}
	return percentile(delays(ids, acknowledged, times), 99).Nanoseconds(), nil
}

// delays are the times from commit to delivery. delivered is in the order of ids, the others are in any one.
func delays(ids []int64, acknowledged, delivered []time.Time) []time.Duration {
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(ids[a] - ids[b]) })
	took := make([]time.Duration, len(ids))
	committed := acknowledged[order[len(order)-1]]
	for place := len(order) - 1; place >= 0; place-- {
		if t := acknowledged[order[place]]; t.Before(committed) {
			committed = t
		}
		took[place] = max(0, delivered[place].Sub(committed))
	}
	return took
}

// heap tells by how much the memory in use grows while a session is replayed: the most that is seen, without what is garbage already.
func (d *store) heap(session string) (growth int64, err error) {
	if _, err := d.messages(session); err != nil { // what stays: SQLite's cache, and statements
		return 0, err
	}
	before := inUse()
	rows := 0
	for m, err := range d.s.Messages(d.ctx, session, eventlog.Range{}) {
		if err != nil {
			return 0, err
		}
		if rows++; rows%1000 == 1 {
			growth = max(growth, inUse()-before)
		}
		runtime.KeepAlive(m)
	}
	return growth, nil
}

func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
