package jsonlstore

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"forgetmenot/eventlog"
)

// A lineReader reads the whole lines of a file, from an offset to the file's end, plain or packed.
type lineReader struct {
	f      file
	packer *packer // nil for a plain file
	offset int64   // of what has not been read into buf
	raw    []byte  // of a packed file, what has been read from offset on
	end    int64   // where the file, or what may be read of it, ends
	buf    []byte  // not yet given out
	last   error   // what comes when buf holds no whole line any more
}

// within is what a lineReader says of a place in the middle of a frame, where nobody can begin to read.
const within = -1

// readSize is how much is read at once, when no line is longer.
const readSize = 256 << 10

// errTorn is the end of a file whose last write was cut off.
var errTorn = errors.New("the last line is not complete")

// errFrame is of a frame that cannot be unpacked.
type errFrame struct{ cause error }

func (e errFrame) Error() string {
	return "the compressed frame cannot be unpacked: " + e.cause.Error()
}

func (e errFrame) Unwrap() error { return eventlog.ErrCorrupt }

// errHalfLine is of a frame that is whole and ends within a line: nobody packs half a line.
var errHalfLine = errFrame{errors.New("it ends within a line")}

// next reads a line, without its end, and tells the offset behind it. It ends with io.EOF, with errTorn when something is left that is no whole line, or
// with why it cannot go on. The line is good until the next call.
func (l *lineReader) next() (line []byte, behind int64, err error) {
	for {
		if at := bytes.IndexByte(l.buf, '\n'); at >= 0 {
			line, l.buf = l.buf[:at], l.buf[at+1:]
			switch {
			case l.packer == nil:
				return line, l.offset - int64(len(l.buf)), nil
			case len(l.buf) == 0 && l.last == nil:
				return line, l.offset, nil
			}
			return line, within, nil
		}
		if l.last != nil {
			return nil, 0, l.last
		}
		if err := l.fill(); err != nil {
			return nil, 0, err
		}
	}
}

// fill reads more into buf, or sets last.
func (l *lineReader) fill() error {
	left := l.end - l.offset
	if left <= 0 {
		l.last = io.EOF
		if len(l.buf) > 0 {
			l.last = errTorn
			if l.packer != nil {
				l.last = errHalfLine
			}
		}
		return nil
	}
	if l.packer == nil {
		return l.read(min(left, int64(max(readSize, len(l.buf)))))
	}
	if len(l.buf) > 0 {
		return errHalfLine
	}
	return l.unpack()
}

func (l *lineReader) read(n int64) error {
	grown := make([]byte, int64(len(l.buf))+n)
	had := copy(grown, l.buf)
	got, err := l.f.ReadAt(grown[had:], l.offset)
	l.buf = grown[:had+got]
	l.offset += int64(got)
	if err == io.EOF || err == nil && got == 0 {
		l.end = l.offset // it has become shorter
		return nil
	}
	return err
}

// unpack reads the next frame.
func (l *lineReader) unpack() error {
	for {
		behind := l.offset + int64(len(l.raw)) // what has been read of the file
		lines, size, err := []byte(nil), 0, errTornFrame
		if len(l.raw) > 0 {
			lines, size, err = l.packer.unpack(l.raw, behind >= l.end)
		}
		switch {
		case err == nil:
			l.buf, l.raw, l.offset = lines, l.raw[size:], l.offset+int64(size)
			return nil
		case !errors.Is(err, errTornFrame):
			return errFrame{err}
		case behind >= l.end:
			l.buf, l.last = lines, errTorn
			return nil
		}
		more := make([]byte, int64(len(l.raw))+min(l.end-behind, int64(max(readSize, 2*len(l.raw)))))
		had := copy(more, l.raw)
		got, err := l.f.ReadAt(more[had:], behind)
		l.raw = more[:had+got]
		if err == io.EOF || err == nil && got == 0 {
			l.end = behind + int64(got) // it has become shorter
		} else if err != nil {
			return err
		}
	}
}

// A batch is an append as it stands in a file.
type batch struct {
	at          place // before it; of a packed file, before the frame that it begins in
	first, last int64 // event ids
	events      int
	key         string
}

// found is what a file holds behind a place.
type found struct {
	batches []batch
	end     place // behind the last whole append
	seal    seal
	torn    bool     // something follows that is no whole append
	rescued []record // whole appends of a torn frame: they are behind end, and last only if they are written again
}

// A seal is a few bytes at the end of what is known of a file. While they are there, the file is still the one that was read: in a plain file they hold the
// last line's sum, in a packed one the last frame's, and either stands for all before it.
type seal struct {
	offset int64
	bytes  string
}

const sealSize = sumSize

// search reads what follows in a file on a place, up to the event upTo, and checks every line.
func search(l *lineReader, at place, upTo int64) (found, error) {
	f := found{end: at}
	lastLine := int64(within)
	frame := at // where a batch can be read from
	var b batch
	var open []record // of the append that is being read, if it may have to be written again
	for {
		line, behind, err := l.next()
		if err == io.EOF || err == errTorn {
			f.torn = f.torn || err == errTorn || b.events > 0
			break
		}
		if err != nil {
			return f, lineFault(err, at)
		}
		start := at
		r, next, err := readRecord(line, at)
		if err == nil {
			err = r.checkPayload(at)
		}
		if err != nil {
			return f, err
		}
		if r.id > upTo && b.events == 0 {
			f.torn = true // for who looks no further, this is not there
			break
		}
		next.offset = behind
		at = next
		if b.events == 0 {
			b = batch{at: frame, first: r.id, key: r.key}
		}
		b.last = r.id
		b.events++
		torn := l.packer != nil && l.last == errTorn
		if torn {
			r.payload = bytes.Clone(r.payload)
			open = append(open, r)
		}
		if behind != within {
			frame = next
		}
		if l.packer == nil {
			lastLine = start.offset
		}
		switch {
		case r.left > 0:
		case torn:
			if len(open) == b.events {
				f.rescued = append(f.rescued, open...)
			}
			b, open = batch{}, nil
		default:
			f.batches = append(f.batches, b)
			b = batch{}
			if behind != within {
				f.end = next
				f.seal = seal{offset: lastLine}
				if l.packer != nil {
					f.seal.offset = max(behind-int64(sealSize), 0)
				}
			}
		}
	}
	return f, nil
}

// lineFault says where a file cannot be read on.
func lineFault(err error, at place) error {
	var frame errFrame
	if errors.As(err, &frame) {
		return &LineError{Line: at.line(), Reason: fmt.Sprintf("from here on %v", frame), Err: eventlog.ErrCorrupt}
	}
	return err
}

// read fills in the seal's bytes.
func (s *seal) read(f file, end int64) error {
	b := make([]byte, min(int64(sealSize), end-s.offset))
	if _, err := f.ReadAt(b, s.offset); err != nil {
		return err
	}
	s.bytes = string(b)
	return nil
}

// holds tells whether a file still has a seal.
func (s seal) holds(f file) (bool, error) {
	b := make([]byte, len(s.bytes))
	_, err := f.ReadAt(b, s.offset)
	if err == io.EOF {
		return false, nil
	}
	return string(b) == s.bytes, err
}
