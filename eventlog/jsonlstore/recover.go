package jsonlstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"runtime"
	"slices"
	"sync"
	"syscall"

	"forgetmenot/eventlog"
)

// news is what has been found in one file.
type news struct {
	name  string
	own   *session // nil when there is not even a header
	fresh bool     // not known before
	found found
	err   error
}

// load reads the folder. First without the lock, up to where the head says, so that others can go on writing; then the little that is left with it.
func (s *Store) load(ctx context.Context) error {
	s.opening = true
	if err := s.loadAll(ctx); err != nil {
		return err
	}
	s.opening = false
	s.addSpans(s.spans)
	s.spans = nil
	return nil
}

func (s *Store) loadAll(ctx context.Context) error {
	h, ok, err := s.readHead()
	if err != nil {
		return err
	}
	if ok {
		if _, err := s.catchUp(ctx, h.Published, h.Sessions, false); err != nil {
			return err
		}
	}
	unlock, err := s.folder.lock(s.o.BusyTimeout, s.o.ReadOnly)
	if !s.o.ReadOnly && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)) {
		s.o.ReadOnly = true
		unlock, err = s.folder.lock(s.o.BusyTimeout, true)
	}
	if s.o.ReadOnly {
		// Without a lock file nobody has ever written here, or this is a copy; who writes now has locked it, and the head is good.
		switch {
		case err == nil:
			defer unlock()
		case errors.Is(err, errLocked) && ok:
			return nil
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return err
		}
		_, err = s.catchUp(ctx, everything, math.MaxInt64, true)
		return err
	}
	if err != nil {
		return err
	}
	if err := s.recover(ctx); err != nil {
		unlock()
		return err
	}
	if s.o.Exclusive {
		s.unlock = unlock
	} else {
		unlock()
	}
	return nil
}

// recover takes over everything that is in the files, and writes a new head. It is for who has the lock and cannot go by the head: when the store is
// opened, as the head may be older than the files, and when somebody died while he wrote.
func (s *Store) recover(ctx context.Context) error {
	s.catching.Lock()
	defer s.catching.Unlock()
	h, ok, err := s.readHead()
	if err != nil {
		return err
	}
	all, err := s.gather(ctx, everything, math.MaxInt64)
	if err != nil {
		return err
	}
	for i := range all {
		n := &all[i]
		if n.err == nil && (len(n.found.rescued) > 0 || len(n.found.batches) > 0 && n.found.end.id > h.Published) {
			n.err = s.settle(n, ok)
		}
	}
	s.take(all, h.Published, h.Sessions)
	err = s.writeHead(head{Published: s.published, Given: max(h.Given, s.published), Sessions: s.number, Clean: true})
	s.unsettled = err != nil
	return err
}

// settle makes sure of events that nobody has told to be durable. Where somebody may have tried, and failed, the system can believe to have written
// what it has not, so that another fsync would say yes to nothing: it is written once more. See https://lwn.net/Articles/752063/
func (s *Store) settle(n *news, again bool) error {
	f, err := s.folder.open(n.name, true)
	if err != nil {
		return err
	}
	defer f.Close()
	from := n.own.end.offset
	if end := n.found.end.offset; again && end > from {
		b := make([]byte, end-from)
		if _, err := f.ReadAt(b, from); err != nil {
			return err
		}
		if _, err := f.WriteAt(b, from); err != nil {
			return err
		}
	}
	if len(n.found.rescued) > 0 {
		// What is left of a torn frame becomes a whole one.
		end := n.found.end
		var lines []byte
		at := end
		for _, r := range n.found.rescued {
			lines, at = appendRecord(lines, at, r)
		}
		if err := cut(f, end.offset); err != nil {
			return err
		}
		if _, err := f.WriteAt(s.packer.pack(lines), end.offset); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if len(n.found.rescued) > 0 {
		if n.fresh {
			n.own, n.found, err = s.loadSession(n.name, everything)
		} else {
			n.found, err = s.moreIn(f, n.own, everything)
		}
	}
	return err
}

// cut makes a file shorter and sees to it that it stays so: else what is written in place of what was cut could be found with a rest of that behind it.
func cut(f file, size int64) error {
	if err := f.Truncate(size); err != nil {
		return err
	}
	return f.Sync()
}

// refresh takes in what others have published since.
func (s *Store) refresh(ctx context.Context) error {
	if s.o.Exclusive {
		return nil
	}
	h, ok, err := s.readHead()
	if err != nil {
		return err
	}
	if !ok && s.o.ReadOnly {
		h = head{Published: everything, Sessions: math.MaxInt64}
	} else if !ok {
		return nil // the next one who writes puts it right; until then nobody has published anything
	}
	s.mu.RLock()
	news := h.Published > s.published || h.Sessions > s.number
	s.mu.RUnlock()
	if !news {
		return nil
	}
	sure, err := s.catchUp(ctx, h.Published, h.Sessions, s.o.ReadOnly)
	if sure || err != nil {
		return err
	}
	// Something is wrong in a file; or it was just being written, behind what may be seen. With the lock there is no doubt.
	unlock, err := s.folder.lock(s.o.BusyTimeout, true)
	if err != nil {
		return err
	}
	defer unlock()
	_, err = s.catchUp(ctx, h.Published, h.Sessions, true)
	return err
}

// catchUp takes in what is in the files, up to an event and to a session's number. Files in which it finds something wrong are left for another time if they
// could be changing, as nobody is kept out; then it is not sure.
func (s *Store) catchUp(ctx context.Context, upTo, number int64, quiet bool) (sure bool, err error) {
	s.catching.Lock()
	defer s.catching.Unlock()
	s.mu.RLock()
	done := upTo <= s.published && number <= s.number
	s.mu.RUnlock()
	if done {
		return true, nil
	}
	all, err := s.gather(ctx, upTo, number)
	if err != nil {
		return false, err
	}
	if !quiet && slices.ContainsFunc(all, func(n news) bool { return n.err != nil }) {
		if !s.opening {
			return false, nil
		}
		all = slices.DeleteFunc(all, func(n news) bool { return n.err != nil })
	}
	if upTo == everything {
		upTo, number = 0, 0
	}
	s.take(all, upTo, number)
	return true, nil
}

// gather reads what is new in the folder's files. It changes nothing.
func (s *Store) gather(ctx context.Context, upTo, number int64) ([]news, error) {
	entries, err := s.folder.list()
	if err != nil {
		return nil, err
	}
	var list []news
	s.mu.RLock()
	byName := make(map[string]*session, len(s.sessions))
	for _, own := range s.created {
		byName[own.name] = own
	}
	for _, e := range entries {
		own := byName[e.name]
		if own != nil && (own.fault != nil || own.end.offset == e.size) || s.strangers[e.name] != nil {
			continue
		}
		list = append(list, news{name: e.name, own: own, fresh: own == nil})
	}
	s.mu.RUnlock()

	var readers sync.WaitGroup
	next := make(chan *news)
	for range min(runtime.GOMAXPROCS(0), len(list)) {
		readers.Go(func() {
			for n := range next {
				if n.fresh {
					n.own, n.found, n.err = s.loadSession(n.name, upTo)
				} else {
					n.found, n.err = s.more(n.own, upTo)
				}
			}
		})
	}
	for i := range list {
		if ctx.Err() != nil {
			break
		}
		next <- &list[i]
	}
	close(next)
	readers.Wait()
	list = slices.DeleteFunc(list, func(n news) bool {
		return n.fresh && (isGone(n.err) || n.own != nil && n.own.number > number) // not there any more, or not yet
	})
	return list, ctx.Err()
}

// take takes in what gather has found, and lets it be seen.
func (s *Store) take(all []news, published, number int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var spans []span
	for _, n := range all {
		switch {
		case n.own == nil:
			s.strangers[n.name] = n.err
			continue
		case !s.opening && n.err == nil && len(n.found.batches) > 0 && n.found.batches[0].first <= s.published:
			n.err = &fault{eventlog.ErrGone, mendReplaced, errors.New(n.name + " holds events that were not there when later ones were read")}
		}
		if n.fresh && s.sessions[n.own.id] != nil {
			// Two files, one plain and one packed, cannot both be the session.
			n.err = &LineError{File: s.pathOf(n.name), Line: 1, Reason: "there is another file of this session, " + s.sessions[n.own.id].name, Err: eventlog.ErrCorrupt}
			s.strangers[n.name] = n.err
			continue
		}
		if n.fresh {
			s.know(n.own)
		}
		if n.err != nil {
			n.own.fault = n.err
			if n.fresh {
				n.own.add(n.found) // what is sound, to be shown in lists
			}
			continue
		}
		for _, b := range n.found.batches {
			spans = append(spans, span{run{b.first, n.own, b.at}, b.last})
		}
		n.own.add(n.found)
		published = max(published, n.own.end.id)
	}
	if s.opening {
		s.spans = append(s.spans, spans...)
	} else {
		s.addSpans(spans)
	}
	s.number = max(s.number, number)
	s.publish(published)
}

// A span is the events of one append.
type span struct {
	run
	last int64
}

// addSpans adds appends that come behind all that are known, for who holds the lock.
func (s *Store) addSpans(spans []span) {
	for _, r := range s.disjoint(spans) {
		s.addRun(r.run)
	}
}

// disjoint sorts spans. No two events have one id: of two sessions who claim that, the one that was created later is a copy from elsewhere.
func (s *Store) disjoint(spans []span) []span {
	spans = slices.DeleteFunc(spans, func(r span) bool { return r.session.fault != nil })
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	for i := 1; i < len(spans); i++ {
		one, other := spans[i-1], spans[i]
		if one.last < other.first {
			continue
		}
		if other.session.number < one.session.number {
			one, other = other, one
		}
		other.session.fault = &LineError{File: s.pathOf(other.session.name), Line: 1, Err: eventlog.ErrCorrupt, Reason: fmt.Sprintf(
			"it holds event %d, whose id belongs to an event of the session %q: the file comes from another store", other.first, one.session.id)}
		spans = slices.DeleteFunc(spans, func(r span) bool { return r.session == other.session })
		i = 0
	}
	return spans
}

// know adds a session, for who holds the lock.
func (s *Store) know(own *session) {
	s.sessions[own.id] = own
	at, _ := slices.BinarySearchFunc(s.created, own.number, func(other *session, number int64) int { return cmp.Compare(other.number, number) })
	s.created = slices.Insert(s.created, at, own)
	s.number = max(s.number, own.number)
}

// addRun adds what follows on all events that are known, for who holds the lock.
func (s *Store) addRun(r run) {
	if n := len(s.runs); n == 0 || s.runs[n-1].session != r.session {
		s.runs = append(s.runs, r)
	}
}

// publish lets events be seen, for who holds the lock.
func (s *Store) publish(last int64) {
	if last > s.published {
		s.published = last
		close(s.grown)
		s.grown = make(chan struct{})
	}
}
