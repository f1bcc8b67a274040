package jsonlstore

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"forgetmenot/eventlog"
)

// CreateSession implements eventlog.Store.
func (s *Store) CreateSession(ctx context.Context, id, title string) (eventlog.Session, error) {
	if err := s.o.Limits.CheckSession(id, title); err != nil {
		return eventlog.Session{}, err
	}
	h := header{id: strings.Clone(id), title: strings.Clone(title), createdAt: s.o.Now().UnixMilli()}
	made, err := change(ctx, s, h.id, 0, func(t *transaction) (eventlog.Session, error) {
		own, err := t.create(h)
		if err != nil {
			return eventlog.Session{}, err
		}
		return own.now(), nil
	})
	return made, storeError("create session", id, err)
}

// Append implements eventlog.Store. Appends that come at once, from any number of goroutines, are made durable together.
func (s *Store) Append(ctx context.Context, sessionID string, events []eventlog.NewEvent, o eventlog.AppendOptions) (eventlog.Receipt, error) {
	if err := s.o.Limits.CheckAppend(sessionID, events, o); err != nil {
		return eventlog.Receipt{}, err
	}
	// The writer's own copy, as a caller whose context ends does not wait.
	own := make([]eventlog.NewEvent, len(events))
	size := 0
	for i, e := range events {
		own[i] = eventlog.NewEvent{Type: strings.Clone(e.Type), Payload: bytes.Clone(e.Payload)}
		size += len(e.Payload)
	}
	id := strings.Clone(sessionID)
	o.Key = strings.Clone(o.Key)
	at := s.o.Now().UnixMilli()
	receipt, err := change(ctx, s, id, size, func(t *transaction) (eventlog.Receipt, error) { return t.append(id, own, o, at) })
	if err != nil {
		return eventlog.Receipt{}, storeError("append", sessionID, err)
	}
	receipt.Durability = s.o.durability()
	return receipt, nil
}

// append plans an append.
func (t *transaction) append(id string, events []eventlog.NewEvent, o eventlog.AppendOptions, at int64) (eventlog.Receipt, error) {
	own, err := t.find(id)
	if err != nil {
		return eventlog.Receipt{}, err
	}
	p := t.to(own)
	// The key comes first: whoever repeats an append cannot know how the session ends by now.
	if o.Key != "" {
		stored, found, err := t.stored(p, o.Key)
		if err != nil {
			return eventlog.Receipt{}, err
		}
		if found && !sameEvents(stored, events) {
			return eventlog.Receipt{}, eventlog.ErrKeyReused
		}
		if found {
			return eventlog.Receipt{Events: stored, Repeated: true}, nil
		}
	}
	if want, ok := o.Expect.Last(); ok && want != p.end.id {
		return eventlog.Receipt{}, &eventlog.ConflictError{Expected: want, Actual: p.end.id}
	}

	b := batch{at: own.end, first: t.head.Given + 1, events: len(events), key: o.Key}
	if !own.packed {
		b.at = p.end
	}
	var r eventlog.Receipt
	for i, e := range events {
		t.head.Given++
		line := record{id: t.head.Given, at: at, left: int64(len(events) - 1 - i), typ: e.Type, payload: e.Payload}
		if i == 0 {
			line.key = o.Key
		}
		p.lines, p.end = appendRecord(p.lines, p.end, line)
		r.Events = append(r.Events, line.event(id))
	}
	b.last = t.head.Given
	p.batches = append(p.batches, b)
	return r, nil
}

// stored finds the events that an append with this key has stored, or is about to.
func (t *transaction) stored(p *pending, key string) ([]eventlog.StoredEvent, bool, error) {
	at := slices.IndexFunc(p.batches, func(b batch) bool { return b.key == key })
	if at >= 0 {
		b := p.batches[at]
		lines := p.lines
		start := p.own.end
		var events []eventlog.StoredEvent
		for start.id < b.last {
			end := bytes.IndexByte(lines, '\n')
			r, next, err := readRecord(lines[:end], start)
			if err != nil {
				return nil, false, err
			}
			if r.id >= b.first {
				events = append(events, r.event(p.own.id))
			}
			lines, start = lines[end+1:], next
		}
		return events, true, nil
	}
	t.mu.RLock()
	b, found := p.own.keys[key]
	end := p.own.end
	t.mu.RUnlock()
	if !found {
		return nil, false, nil
	}
	page, err := t.readPage(p.own, b.at, end.offset, window{after: b.first - 1, until: b.last, rows: b.events, bytes: -1})
	return page.events, true, err
}

func sameEvents(stored []eventlog.StoredEvent, events []eventlog.NewEvent) bool {
	return slices.EqualFunc(stored, events, func(old eventlog.StoredEvent, e eventlog.NewEvent) bool {
		return old.Type == e.Type && bytes.Equal(old.Payload, e.Payload)
	})
}

// lastLine is where the last line of a text begins, which ends with a line's end.
func lastLine(text []byte) int { return bytes.LastIndexByte(text[:len(text)-1], '\n') + 1 }
