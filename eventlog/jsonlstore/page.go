package jsonlstore

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"

	"forgetmenot/eventlog"
)

// How much is read at once: so many events, or so many bytes of payload when that is less. The consumer works on a page without any hold on a file.
const (
	pageRows  = 256
	pageBytes = 1 << 20
)

// A window is what a page may hold: events with after < id <= until, so many, and no more once they have so many bytes, if that is at least 0.
type window struct {
	after, until int64
	rows, bytes  int
}

func windowOf(r eventlog.Range) window {
	w := window{after: r.After, until: r.Until, rows: pageRows, bytes: pageBytes}
	if r.Until == 0 {
		w.until = everything
	}
	return w
}

// took is the window that is left when a page has been read.
func (w window) took(events []eventlog.StoredEvent) window {
	for _, e := range events {
		w.after = e.EventID
		w.rows--
		if w.bytes >= 0 {
			w.bytes = max(w.bytes-len(e.Payload), 0)
		}
	}
	return w
}

func (w window) full() bool { return w.rows <= 0 || w.bytes == 0 }

// A page is events of one session, and where to go on.
type page struct {
	events []eventlog.StoredEvent
	next   place
	more   bool
}

// readPage reads events of a session from a place, up to where the file was sound. Each line is checked again.
func (s *Store) readPage(own *session, from place, end int64, w window) (p page, err error) {
	p.next = from
	if from.offset >= end || w.full() {
		return p, nil
	}
	f, err := s.folder.open(own.name, false)
	if err != nil {
		return p, err
	}
	defer f.Close()
	l := s.lines(f, own.packed, from, end)
	at := from
	for {
		line, behind, err := l.next()
		if err == io.EOF {
			return p, nil
		}
		if err == errTorn {
			err = &fault{eventlog.ErrGone, mendReplaced, errors.New(own.name + " has become shorter")}
		}
		if err != nil {
			return p, s.inFile(own.name, lineFault(err, at))
		}
		r, next, err := readRecord(line, at)
		if err != nil {
			return p, s.inFile(own.name, err)
		}
		if r.id > w.until {
			return p, nil
		}
		at = next
		at.offset = behind
		if behind != within {
			p.next = at
		}
		if r.id <= w.after {
			continue
		}
		e := r.event(own.id)
		p.events = append(p.events, e)
		w = w.took([]eventlog.StoredEvent{e})
		if w.full() {
			p.more = true
			return p, nil
		}
	}
}

// A part is a run as a page reads it: the events behind a place, up to one of them.
type part struct {
	session *session
	from    place
	end     int64 // of what is sound in the file
	until   int64
}

// parts is where to read a window of all sessions: no more runs than a page has rows. faulty is the errors of sessions that are left out.
func (s *Store) parts(w window) (parts []part, last int64, faulty []error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	last = min(w.until, s.published)
	at, found := slices.BinarySearchFunc(s.runs, w.after+1, func(r run, id int64) int { return cmp.Compare(r.first, id) })
	if !found {
		at--
	}
	for at = max(at, 0); at < len(s.runs) && s.runs[at].first <= last && w.after < last; at++ {
		if len(parts) == w.rows {
			last = parts[len(parts)-1].until
			break
		}
		r := s.runs[at]
		p := part{session: r.session, from: r.at, end: r.session.end.offset, until: last}
		if at+1 < len(s.runs) {
			p.until = min(last, s.runs[at+1].first-1)
		}
		if mark := r.session.from(w.after); mark.offset > p.from.offset {
			p.from = mark
		}
		if r.session.fault == nil {
			parts = append(parts, p)
		}
	}
	for _, own := range s.created {
		if own.fault != nil {
			faulty = append(faulty, own.fault)
		}
	}
	for _, err := range s.strangers {
		faulty = append(faulty, err)
	}
	return parts, last, faulty
}

// pageOfAll reads events of all sessions. A session that turns out to be damaged is left out from then on. It tells the last id that has been looked
// for; faulty is why sessions are left out.
func (s *Store) pageOfAll(ctx context.Context, w window) (events []eventlog.StoredEvent, last int64, faulty []error, err error) {
	if err := s.refresh(ctx); err != nil {
		return nil, 0, nil, err
	}
	parts, last, faulty := s.parts(w)
	for _, part := range parts {
		if err := s.ended(ctx); err != nil {
			return nil, 0, nil, err
		}
		own := w
		own.until = part.until
		p, err := s.readPage(part.session, part.from, part.end, own)
		if err != nil {
			s.damage(part.session, err)
			faulty = append(faulty, err)
			continue
		}
		events = append(events, p.events...)
		if w = w.took(p.events); w.full() {
			return events, w.after, faulty, nil
		}
	}
	return events, max(last, w.after), faulty, nil
}
