package inspect

import (
	"bytes"
	"errors"
	"io"
)

// MaxLine is how long a line may be, in bytes. A longer one is reported and passed over; memory holds no more than this of a file.
const MaxLine = 64 << 20

// A line is one line of a text. Only a line feed ends one: other characters that some take for line ends stand in texts.
type line struct {
	number int64  // from 1
	offset int64  // of its first byte in the text
	size   int64  // in bytes, with its line end
	text   []byte // without its line end, nor a byte order mark before the first line; only the beginning when it is too long; good until the next one
	bom    bool   // a byte order mark stood before it
	cr     bool   // a carriage return stood before the line feed
	torn   bool   // the text ended before the line did
	long   bool   // it has more than MaxLine bytes
}

// lines reads a text line by line.
type lines struct {
	from   io.Reader
	most   int
	buffer []byte // what has been read and not yet given out is buffer[start:end]
	start  int
	end    int
	spill  []byte // a line that did not fit the buffer
	err    error  // of the reader
	last   line
}

const (
	byteOrderMark = "\ufeff"
	bomSize       = int64(len(byteOrderMark))
)

const bufferSize = 64 << 10

func newLines(from io.Reader, most int) *lines {
	return &lines{from: from, most: most, buffer: make([]byte, bufferSize)}
}

// next reads the next line. It is false at the end, and when reading failed: err tells.
func (l *lines) next() (line, bool) {
	n := line{number: l.last.number + 1, offset: l.last.offset + l.last.size}
	l.spill = l.spill[:0]
	for {
		part := l.buffer[l.start:l.end]
		if at := bytes.IndexByte(part, '\n'); at >= 0 {
			l.start += at + 1
			n.size += int64(at) + 1
			n.text = l.joined(&n, part[:at])
			if len(n.text) > 0 && n.text[len(n.text)-1] == '\r' && !n.long {
				n.cr, n.text = true, n.text[:len(n.text)-1]
			}
			return l.done(n), true
		}
		if l.err != nil {
			n.size += int64(len(part))
			l.start = l.end
			if n.size == 0 {
				return line{}, false
			}
			n.torn = true
			n.text = l.joined(&n, part)
			return l.done(n), true
		}
		if len(part) == len(l.buffer) { // full, and no line end in it
			n.size += int64(len(part))
			l.keep(&n, part)
			l.start, l.end = 0, 0
		}
		l.fill()
	}
}

func (l *lines) done(n line) line {
	if n.number == 1 {
		n.text, n.bom = bytes.CutPrefix(n.text, []byte(byteOrderMark))
	}
	l.last = n
	return n
}

// joined is the text of a line whose last part is given.
func (l *lines) joined(n *line, part []byte) []byte {
	if len(l.spill) == 0 && len(part) <= l.most {
		return part
	}
	l.keep(n, part)
	return l.spill
}

func (l *lines) keep(n *line, part []byte) {
	if room := l.most - len(l.spill); len(part) > room {
		n.long = true
		part = part[:room]
	}
	l.spill = append(l.spill, part...)
}

func (l *lines) fill() {
	if l.start > 0 {
		copy(l.buffer, l.buffer[l.start:l.end])
		l.start, l.end = 0, l.end-l.start
	}
	for range 100 { // an io.Reader may give nothing for a while, but not for ever
		n, err := l.from.Read(l.buffer[l.end:])
		l.end += n
		l.err = err
		if n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// failed is why reading ended before the text did.
func (l *lines) failed() error {
	if l.err == nil || errors.Is(l.err, io.EOF) {
		return nil
	}
	return l.err
}
