package jsonlstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"forgetmenot/eventlog"
)

// A transaction is what one group of requests does to the folder, by the writer, under the folder's lock. Nothing of it is seen before it is published.
type transaction struct {
	*Store
	head    head
	marked  bool // the head says that somebody is writing
	pending map[string]*pending
	order   []*pending // as they were begun
	created []*session
}

// A pending is what is to be written behind the end of a session's file.
type pending struct {
	own     *session
	end     place
	lines   []byte
	batches []batch
	err     error // why it was not written
}

// begun is a transaction that knows all that others have written.
func (s *Store) begun() (*transaction, error) {
	ctx := context.Background() // nobody's own: many wait for it
	h, ok, err := s.readHead()
	if err != nil {
		return nil, err
	}
	if !ok || !h.Clean || s.unsettled {
		if err := s.recover(ctx); err != nil {
			return nil, err
		}
		if h, ok, err = s.readHead(); err != nil || !ok {
			return nil, errors.Join(errors.New("the head cannot be read back"), err)
		}
	}
	if _, err := s.catchUp(ctx, h.Published, h.Sessions, true); err != nil {
		return nil, err
	}
	return &transaction{Store: s, head: h, pending: map[string]*pending{}}, nil
}

// mark tells everybody that something is being written, before anything is.
func (t *transaction) mark() error {
	if t.marked {
		return nil
	}
	t.marked = true
	h := t.head
	h.Clean = false
	return t.writeHead(h)
}

// find finds a session, one that this transaction has made included.
func (t *transaction) find(id string) (*session, error) {
	for _, own := range t.created {
		if own.id == id {
			return own, nil
		}
	}
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.known(id)
}

// create makes a session's file: aside, synced, and only then under its name, so that there never is half of one, and nothing is ever replaced.
func (t *transaction) create(h header) (*session, error) {
	if _, err := t.find(h.id); err == nil {
		return nil, eventlog.ErrSessionExists
	} else if !errors.Is(err, eventlog.ErrNoSession) {
		return nil, err
	}
	h.number = t.head.Sessions + 1
	own := &session{header: h, name: fileStem(h.id) + suffixOf(t.o.Compress), packed: t.o.Compress}
	text, at := appendHeader(nil, h)
	if own.packed {
		text = t.packer.pack(text)
		at.offset = int64(len(text))
		own.seal.offset = max(at.offset-int64(sealSize), 0)
	}
	own.seal.bytes = string(text[own.seal.offset:min(own.seal.offset+int64(sealSize), at.offset)])
	own.end, own.marks = at, []place{at}
	if err := t.mark(); err != nil {
		return nil, err
	}
	if err := t.publishFile(own.name, text); err != nil {
		if errors.Is(err, fs.ErrExist) {
			t.unsettled = true // there is a file that nobody had told about
			if _, _, err := t.loadSession(own.name, everything); err != nil {
				return nil, err
			}
			return nil, eventlog.ErrSessionExists
		}
		return nil, err
	}
	t.head.Sessions = h.number
	t.created = append(t.created, own)
	return own, nil
}

func (t *transaction) publishFile(name string, text []byte) error {
	f, err := t.folder.create(newName)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(text, 0); err == nil {
		err = t.sync(f)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := t.folder.publish(newName, name); err != nil {
		return err
	}
	if t.o.Synchronous == Normal {
		return nil
	}
	if err := t.folder.sync(); err != nil {
		// The name may last or not: taken back, it is certain that nobody was told to rely on it.
		if removed := t.folder.remove(name); removed != nil {
			t.unsettled = true
		}
		return err
	}
	return nil
}

// sync makes a file durable, as far as the store is asked to.
func (s *Store) sync(f file) error {
	if s.o.Synchronous == Normal {
		return nil
	}
	return f.Sync()
}

// to is what is to be written to a session.
func (t *transaction) to(own *session) *pending {
	if p := t.pending[own.id]; p != nil {
		return p
	}
	p := &pending{own: own, end: own.end}
	t.pending[own.id] = p
	t.order = append(t.order, p)
	return p
}

// commit writes what has been planned, session by session, and publishes what has been written. An error of one session is in its pending; one that
// it answers concerns all.
func (t *transaction) commit() error {
	t.order = slices.DeleteFunc(t.order, func(p *pending) bool { return len(p.batches) == 0 })
	if len(t.order) > 0 {
		if err := t.mark(); err != nil {
			return err
		}
	}
	if !t.marked {
		return nil
	}
	var seals []seal
	h := t.head
	settled := true
	for _, p := range t.order {
		if !settled {
			p.err = t.doubt
			seals = append(seals, seal{})
			continue
		}
		after, size, err := t.put(p)
		p.end.offset = size
		seals = append(seals, after)
		if p.err = err; err == nil {
			h.Published = p.end.id
			continue
		}
		settled = t.doubt == nil
	}
	h.Clean = settled && !t.unsettled
	t.catching.Lock() // nobody looks for this as for somebody else's
	defer t.catching.Unlock()
	if err := t.writeHead(h); err != nil {
		t.unsettled = true // it is in the files, but nobody may see it
		return &fault{eventlog.ErrIO, mendIO, err}
	}
	t.seen(h, seals)
	return nil
}

// seen lets what has been written be seen.
func (t *transaction) seen(h head, seals []seal) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, own := range t.created {
		t.know(own)
	}
	for i, p := range t.order {
		if p.err != nil {
			continue
		}
		p.own.add(found{batches: p.batches, end: p.end, seal: seals[i]})
		t.addRun(run{p.batches[0].first, p.own, p.batches[0].at})
	}
	t.publish(h.Published)
}

// put writes a session's new lines at the end of its file, and tells how that ends now. When it fails the file is as long as before; when
// even that fails, the store is in doubt.
func (t *transaction) put(p *pending) (seal, int64, error) {
	own := p.own
	if own.doubt != nil {
		return seal{}, 0, own.doubt
	}
	f, err := t.folder.open(own.name, true)
	if isGone(err) {
		err = &fault{eventlog.ErrGone, mendGone, err}
		t.damage(own, err)
	}
	if err != nil {
		return seal{}, 0, err
	}
	defer f.Close()
	if err := t.ready(f, own); err != nil {
		return seal{}, 0, err
	}
	text := p.lines
	if own.packed {
		text = t.packer.pack(p.lines)
	}
	start := own.end.offset
	size := start + int64(len(text))
	_, err = f.WriteAt(text, start)
	written := err == nil
	if written {
		err = t.sync(f)
	}
	if err == nil {
		return p.seal(text, size), size, nil
	}
	if undone := cut(f, start); undone != nil {
		t.doubt = &fault{eventlog.ErrIO, mendUnsure, errors.Join(err, undone)}
		return seal{}, 0, t.doubt
	}
	if written {
		// What the system has in memory and what is on the disk can differ from now on, and it does not say where.
		own.doubt = &fault{eventlog.ErrIO, mendUnsure, err}
		return seal{}, 0, own.doubt
	}
	return seal{}, 0, err
}

// seal is that of a file which ends with this text.
func (p *pending) seal(text []byte, size int64) seal {
	start := p.own.end.offset
	s := seal{offset: max(size-int64(sealSize), start)}
	if !p.own.packed {
		s.offset = start + int64(lastLine(text))
	}
	s.bytes = string(text[s.offset-start : min(s.offset-start+int64(sealSize), size-start)])
	return s
}

// ready sees to it that a file ends where the store believes. A torn write behind that is cut off here, and nowhere else.
func (t *transaction) ready(f file, own *session) error {
	more, err := t.moreIn(f, own, everything)
	if err == nil && len(more.batches)+len(more.rescued) > 0 {
		err = &fault{eventlog.ErrGone, mendReplaced, fmt.Errorf("%s holds events that no store has published", own.name)}
	}
	if err != nil {
		t.damage(own, err)
		return err
	}
	if more.torn {
		return cut(f, own.end.offset)
	}
	return nil
}
