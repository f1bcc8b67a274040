package jsonlstore

import (
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// A disk is a folder in memory that remembers everything that was done to it, so that it can be put back to what a power cut would have left; and that
// can fail.
//
// It is as unkind as file systems may be: of what has not been synced, each write, each change of a length and each change of a name is there
// or not, whatever came before or after; a write can be torn; and what an fsync has failed to write is forgotten, and no later one
// writes it, though everybody still reads it.
type disk struct {
	mu     sync.Mutex
	names  map[string]*inode
	done   []deed
	inodes int
	lock1  chan struct{}

	// fail, if not nil, is asked before each deed, with its number. A write that fails writes the given part of itself.
	fail func(number int, d deed) (part int, err error)
	twin twin
}

// A twin is a way to be built wrong.
type twin string

const (
	lyingSync   twin = "fsync says yes and does nothing"
	noNameSync  twin = "the folder is not synced"
	weld        twin = "a torn line is not cut off, and the next one is written behind it"
	noRollback  twin = "a failed write is not taken back"
	overwrites  twin = "creating a file empties what had its name"
	replaces    twin = "publishing a file replaces what has its name"
	forgetsCuts twin = "a cut is not synced"
)

type inode struct {
	number int
	data   []byte
}

// A deed is something done to a disk.
type deed struct {
	kind   string // "write", "truncate", "sync", "failed sync", "name", "unname", "sync names", or "told": that a caller was told something
	inode  int
	name   string
	offset int64
	data   []byte
	end    int64 // of a torn write, how long it makes the file at least
	told   any
}

func newDisk() *disk { return &disk{names: map[string]*inode{}, lock1: make(chan struct{}, 1)} }

// do writes down a deed, for who holds the lock. It answers what is to go wrong with it.
func (d *disk) do(one deed) (part int, err error) {
	if d.fail != nil && one.kind != "told" {
		if part, err = d.fail(len(d.done), one); err != nil {
			if one.kind == "sync" {
				one.kind = "failed sync"
			} else {
				one.kind = "nothing"
			}
		}
	}
	d.done = append(d.done, one)
	return part, err
}

// told writes down what a caller was told.
func (d *disk) told(what any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.do(deed{kind: "told", told: what})
}

func (d *disk) open(name string, write bool) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.names[name]
	if n == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &diskFile{d, n}, nil
}

func (d *disk) create(name string) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n := d.names[name]; n != nil {
		if d.twin == overwrites {
			d.do(deed{kind: "truncate", inode: n.number})
			n.data = nil
			return &diskFile{d, n}, nil
		}
		if _, err := d.do(deed{kind: "unname", name: name}); err != nil {
			return nil, err
		}
	}
	n := &inode{number: d.inodes}
	if _, err := d.do(deed{kind: "name", name: name, inode: n.number}); err != nil {
		return nil, err
	}
	d.inodes++
	d.names[name] = n
	return &diskFile{d, n}, nil
}

func (d *disk) publish(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.names[from]
	if d.names[to] != nil && d.twin != replaces {
		return &fs.PathError{Op: "link", Path: to, Err: fs.ErrExist}
	}
	if _, err := d.do(deed{kind: "name", name: to, inode: n.number}); err != nil {
		return err
	}
	d.names[to] = n
	if _, err := d.do(deed{kind: "unname", name: from}); err == nil {
		delete(d.names, from)
	}
	return nil
}

func (d *disk) remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[name] == nil {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	_, err := d.do(deed{kind: "unname", name: name})
	if err == nil {
		delete(d.names, name)
	}
	return err
}

func (d *disk) list() ([]entry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var list []entry
	for _, name := range slices.Sorted(maps.Keys(d.names)) {
		if _, ours := isSessionFile(name); ours {
			list = append(list, entry{name, int64(len(d.names[name].data))})
		}
	}
	return list, nil
}

func (d *disk) sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.twin == noNameSync {
		return nil
	}
	_, err := d.do(deed{kind: "sync names"})
	return err
}

func (d *disk) lock(wait time.Duration, shared bool) (func(), error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	unlock := func() { <-d.lock1 }
	select {
	case d.lock1 <- struct{}{}:
		return unlock, nil
	default:
	}
	select {
	case d.lock1 <- struct{}{}:
		return unlock, nil
	case <-timer.C:
		return nil, errLocked
	}
}

type diskFile struct {
	*disk
	*inode
}

func (f *diskFile) ReadAt(b []byte, offset int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if offset >= int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(b, f.data[offset:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *diskFile) WriteAt(b []byte, offset int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.twin == weld && offset > 0 {
		offset = int64(len(f.data))
	}
	one := deed{kind: "write", inode: f.number, offset: offset, data: slices.Clone(b)}
	part, err := f.do(one)
	if err != nil {
		if part == 0 {
			return 0, err
		}
		one.data = one.data[:min(part, len(b))]
		f.done = append(f.done, one)
	}
	f.data = written(f.data, one)
	if err != nil {
		return len(one.data), err
	}
	return len(b), nil
}

func (f *diskFile) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.twin == weld || f.twin == noRollback {
		return nil
	}
	one := deed{kind: "truncate", inode: f.number, offset: size}
	_, err := f.do(one)
	if err == nil {
		f.data = written(f.data, one)
	}
	return err
}

func (f *diskFile) Sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.twin == lyingSync || f.twin == forgetsCuts && len(f.done) > 0 && f.done[len(f.done)-1].kind == "truncate" {
		return nil
	}
	_, err := f.do(deed{kind: "sync", inode: f.number})
	return err
}

func (f *diskFile) size() (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return int64(len(f.data)), nil
}

func (f *diskFile) Close() error { return nil }

// written is what a write, or a change of the length, makes of a file's content.
func written(data []byte, d deed) []byte {
	end := d.offset
	if d.kind == "write" {
		end = max(end+int64(len(d.data)), d.end)
	}
	data = slices.Clone(data)
	if grow := end - int64(len(data)); grow > 0 {
		data = append(data, make([]byte, grow)...)
	}
	if d.kind == "truncate" {
		return data[:end]
	}
	copy(data[d.offset:], d.data)
	return data
}

// A fate says what becomes of a deed that has not been synced: it answers the part of it that is there, or nothing.
type fate func(d deed) (deed, bool)

func kept(d deed) (deed, bool)    { return d, true }
func dropped(d deed) (deed, bool) { return d, false }

// byChance keeps, drops or tears.
func byChance(r *rand.Rand) fate {
	return func(d deed) (deed, bool) {
		if d.kind == "write" && r.IntN(3) == 0 {
			return torn(r, d), true
		}
		return d, r.IntN(2) == 0
	}
}

// torn keeps the sectors of a write up to one of them, and sometimes the length of all of it: with zeros where the file was shorter, else with what was there.
func torn(r *rand.Rand, d deed) deed {
	const sector = 512
	last := (d.offset + int64(len(d.data))) / sector
	first := d.offset / sector
	at := max(0, (first+r.Int64N(last-first+1))*sector-d.offset)
	if r.IntN(2) == 0 {
		d.end = d.offset + int64(len(d.data))
	}
	d.data = d.data[:at]
	return d
}

// afterCut is the disk as it is when the power has failed behind the first n deeds.
func (d *disk) afterCut(n int, f fate) *disk {
	type state struct {
		durable []byte
		open    []deed
	}
	files := map[int]*state{}
	names := map[string]int{}
	var openNames []deed
	name := func(d deed) {
		if d.kind == "name" {
			names[d.name] = d.inode
		} else {
			delete(names, d.name)
		}
	}
	file := func(inode int) *state {
		if files[inode] == nil {
			files[inode] = &state{}
		}
		return files[inode]
	}
	for _, one := range d.done[:n] {
		switch one.kind {
		case "write", "truncate":
			s := file(one.inode)
			s.open = append(s.open, one)
		case "sync":
			s := file(one.inode)
			for _, o := range s.open {
				s.durable = written(s.durable, o)
			}
			s.open = nil
		case "failed sync":
			s := file(one.inode)
			for _, o := range s.open {
				if o, ok := f(o); ok {
					s.durable = written(s.durable, o)
				}
			}
			s.open = nil
		case "name", "unname":
			openNames = append(openNames, one)
		case "sync names":
			for _, o := range openNames {
				name(o)
			}
			openNames = nil
		}
	}
	for _, o := range openNames {
		if o, ok := f(o); ok {
			name(o)
		}
	}
	after := newDisk()
	inodes := map[int]*inode{}
	for _, at := range slices.Sorted(maps.Keys(names)) {
		number := names[at]
		if inodes[number] == nil {
			s := file(number)
			for _, o := range s.open {
				if o, ok := f(o); ok {
					s.durable = written(s.durable, o)
				}
			}
			inodes[number] = &inode{number: len(inodes), data: s.durable}
		}
		after.names[at] = inodes[number]
	}
	after.inodes = len(inodes)
	// What is there now is what the next cut begins with.
	for _, at := range slices.Sorted(maps.Keys(after.names)) {
		n := after.names[at]
		after.done = append(after.done, deed{kind: "write", inode: n.number, data: slices.Clone(n.data)}, deed{kind: "sync", inode: n.number}, deed{kind: "name", name: at, inode: n.number})
	}
	after.done = append(after.done, deed{kind: "sync names"})
	return after
}
