package jsonlstore

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"

	"forgetmenot/eventlog"
)

// A session is what a store knows of a session's file. All but what is said below is guarded by the store's lock.
type session struct {
	header        // never changes
	name   string // of its file; never changes
	packed bool   // never changes

	end   place // behind the last event that is known
	seal  seal  // what is before that end
	marks []place
	keys  map[string]batch

	fault error // why it cannot be read or written; nil for a sound one
	doubt error // why nothing is appended until the store is opened again; nil if nothing stands against it
}

// markEvery is how far apart the places are, in bytes, from which a session can be read without beginning at its beginning.
const markEvery = 64 << 10

func (s *session) now() eventlog.Session {
	return eventlog.Session{
		ID: s.id, Title: s.title, CreatedAt: timeOf(s.createdAt), Number: s.number, LastEventID: s.end.id, EventCount: s.end.seq,
	}
}

// from is the last place that is known to have all events behind a cursor behind it.
func (s *session) from(after int64) place {
	at, found := slices.BinarySearchFunc(s.marks, after, func(p place, id int64) int { return cmp.Compare(p.id, id) })
	if !found {
		at--
	}
	return s.marks[max(at, 0)]
}

// add takes in what has been found behind the end.
func (s *session) add(f found) {
	for _, b := range f.batches {
		if last := s.marks[len(s.marks)-1]; b.at.offset-last.offset >= markEvery {
			s.marks = append(s.marks, b.at)
		}
		if b.key != "" {
			if s.keys == nil {
				s.keys = map[string]batch{}
			}
			s.keys[b.key] = b
		}
	}
	s.end, s.seal = f.end, f.seal
}

// loadSession reads a session's file, up to the event upTo. The session that it answers is nil when there is not even a header. An error is the session's
// fault; one that is no *LineError can be another one the next time.
func (s *Store) loadSession(name string, upTo int64) (*session, found, error) {
	packed, _ := isSessionFile(name)
	f, err := s.folder.open(name, false)
	if err != nil {
		return nil, found{}, err
	}
	defer f.Close()
	size, err := f.size()
	if err != nil {
		return nil, found{}, err
	}
	l := s.lines(f, packed, place{}, size)
	line, behind, err := l.next()
	if err == io.EOF || err == errTorn {
		line, err = l.buf, nil // it will say that this is no header
	}
	if err != nil {
		return nil, found{}, s.inFile(name, lineFault(err, place{seq: -1}))
	}
	h, at, err := readHeader(line)
	if err == nil && behind == within {
		err = &LineError{Line: 1, Reason: "the header does not stand alone in its frame", Err: eventlog.ErrCorrupt}
	}
	if err == nil && behind == 0 {
		err = &LineError{Line: 1, Reason: "the header is not complete", Err: eventlog.ErrCorrupt}
	}
	if err == nil && name != fileStem(h.id)+suffixOf(packed) {
		err = &LineError{Line: 1, Reason: fmt.Sprintf("it is a file of the session %q, which has another name: somebody has copied or renamed it", h.id), Err: eventlog.ErrCorrupt}
	}
	if err != nil {
		return nil, found{}, s.inFile(name, err)
	}
	at.offset = behind
	own := &session{header: h, name: name, packed: packed, end: at, marks: []place{at}}
	if packed {
		own.seal.offset = max(behind-int64(sealSize), 0)
	}
	found, err := search(l, at, upTo)
	if err == nil && len(found.batches) == 0 {
		found.seal = own.seal
	}
	if err == nil {
		err = found.seal.read(f, found.end.offset)
	}
	return own, found, s.inFile(name, err)
}

// more reads what has come to a session's file behind what is known of it.
func (s *Store) more(own *session, upTo int64) (found, error) {
	f, err := s.folder.open(own.name, false)
	if err != nil {
		return found{}, err
	}
	defer f.Close()
	return s.moreIn(f, own, upTo)
}

func (s *Store) moreIn(f file, own *session, upTo int64) (found, error) {
	size, err := f.size()
	if err != nil {
		return found{}, err
	}
	if held, err := own.seal.holds(f); err != nil {
		return found{}, err
	} else if !held {
		return found{}, &fault{eventlog.ErrGone, mendReplaced, fmt.Errorf("%s no longer begins with what was read from it", own.name)}
	}
	found, err := search(s.lines(f, own.packed, own.end, size), own.end, upTo)
	if err == nil && len(found.batches) == 0 {
		found.seal = own.seal
	} else if err == nil {
		err = found.seal.read(f, found.end.offset)
	}
	return found, s.inFile(own.name, err)
}

// lines reads a file from a place to an end.
func (s *Store) lines(f file, packed bool, at place, end int64) *lineReader {
	l := &lineReader{f: f, offset: at.offset, end: end}
	if packed {
		l.packer = s.packer
	}
	return l
}

// inFile names the file in an error.
func (s *Store) inFile(name string, err error) error {
	var line *LineError
	if errors.As(err, &line) {
		return line.in(s.pathOf(name))
	}
	return err
}

func suffixOf(packed bool) string {
	if packed {
		return packedSuffix
	}
	return plainSuffix
}

// everything is an upTo beyond every event.
const everything = math.MaxInt64

// isGone tells whether a file is not there any more.
func isGone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
