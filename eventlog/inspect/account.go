package inspect

import (
	"bytes"
	"fmt"
)

// The account that a reader keeps of every line: what was seen of it, what the format said of it, and whether a repair keeps it.

// once is 1, and 0 when the file is read again.
func (r *reader) once() int64 {
	if r.again {
		return 0
	}
	return 1
}

// see takes account of a line, whatever is in it.
func (r *reader) see() {
	if r.again {
		return
	}
	r.report.Lines.Total++
	r.report.Bytes += r.line.size
	if r.line.bom {
		r.fault(ByteOrderMark, "a byte order mark stands before the first line, which its own tool may then not understand")
		r.report.Cut.add(Cut{Line: 1, Offset: 0, Bytes: bomSize, Reason: "byte order mark"})
	}
	if r.line.cr {
		r.note(CarriageReturn, "the line ends with a carriage return")
	}
}

// strange notes what is JSON and may be lost elsewhere.
func (r *reader) strange() {
	if odd := r.scan.odd; odd.bigInt >= 0 {
		r.note(BigInteger, fmt.Sprintf("the integer at byte %d of the line is beyond 2^53; JavaScript rounds it", odd.bigInt))
	}
	if odd := r.scan.odd; odd.surrogate >= 0 {
		r.note(LoneSurrogate, fmt.Sprintf("half a character is escaped at byte %d of the line; no Unicode text can hold it", odd.surrogate))
	}
	if odd := r.scan.odd; odd.nul >= 0 {
		r.note(EscapedNUL, fmt.Sprintf("a NUL character is escaped at byte %d of the line", odd.nul))
	}
}

func (r *reader) fault(kind Kind, text string) {
	if !r.again {
		r.report.Faults.add(Finding{kind, r.place(), text})
	}
}

func (r *reader) note(kind Kind, text string) {
	if !r.again {
		r.report.Notes.add(Finding{kind, r.place(), text})
	}
}

// drop has the record counted as bad and left out by a repair.
func (r *reader) drop(kind Kind, reason string) {
	r.pending = false
	r.bad(kind, reason)
}

// aside counts a record that is no part of the session.
func (r *reader) aside(why string) { r.asideMany(why, 1) }

func (r *reader) asideMany(why string, n int64) {
	if n > 0 {
		r.report.Aside[why] += n
	}
}

// withhold has a repair leave the record out, since the format writes it anew.
func (r *reader) withhold() { r.withheld = true }

// hold puts off what becomes of the record, until release or dropHeld tells.
func (r *reader) hold() { r.holding = true }

// release takes account of the records that are held as of any other.
func (r *reader) release() {
	now := r.line
	for _, r.line = range r.held {
		r.report.Lines.Records++
		r.keepLine()
	}
	r.line, r.held = now, nil
}

// dropHeld drops the records that are held.
func (r *reader) dropHeld(reason string) {
	now := r.line
	for _, r.line = range r.held {
		r.bad(Dropped, reason)
	}
	r.line, r.held = now, nil
}

// bad takes account of a line that is no record.
func (r *reader) bad(kind Kind, reason string) {
	if r.again {
		return
	}
	r.report.Lines.Bad++
	if r.firstBad.Line == 0 {
		r.firstBad = r.place()
	}
	at := r.line.number / 64
	for int64(len(r.badLines)) <= at {
		r.badLines = append(r.badLines, 0)
	}
	r.badLines[at] |= 1 << (r.line.number % 64)
	r.fault(kind, reason)
	c := Cut{Line: r.line.number, Offset: r.line.offset, Bytes: r.line.size, Reason: reason}
	if r.line.bom { // which has been cut already
		c.Offset, c.Bytes = c.Offset+bomSize, c.Bytes-bomSize
	}
	r.report.Cut.add(c)
}

func (r *reader) wasBad(number int64) bool {
	at := number / 64
	return at < int64(len(r.badLines)) && r.badLines[at]>>(number%64)&1 != 0
}

// settle takes account of a record that the format has not dropped.
func (r *reader) settle() error {
	if r.pending {
		r.pending = false
		if r.holding {
			n := r.line
			n.text = bytes.Clone(n.text)
			r.held, r.holding = append(r.held, n), false
			return r.kept
		}
		r.report.Lines.Records += r.once()
		if !r.withheld {
			r.keepLine()
		}
	}
	return r.kept
}

func (r *reader) keepLine() {
	if r.again {
		return
	}
	r.open = r.line.torn
	if r.keep != nil && r.kept == nil {
		r.kept = r.keep(r.line)
	}
}
