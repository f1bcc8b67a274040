package inspect

import (
	"context"
	"errors"
	"fmt"
	"io"

	"forgetmenot/eventlog"
)

// A reader gives a format the records of a file, one by one, and keeps account of every line.
//
// What a format says of a record it says before it asks for the next one: that it drops it, or that it is no part of the session.
type reader struct {
	ctx    context.Context
	source Source
	report *Report
	text   *text
	lines  *lines
	scan   scanner
	line   line

	// What the format asks for, before the first record.
	endMatters   bool // a line without its end is torn, even when it is a whole record
	blankMatters bool // an empty line is bad

	firstBad Place    // the first bad line; zero for none
	badLines []uint64 // a bit for each line up to the last bad one
	again    bool     // the file is read again: all has been said the first time
	until    int64
	pending  bool // the fate of the line is not yet told
	withheld bool // a repair leaves it out
	holding  bool // it is held
	held     []line

	open bool             // the last line that a repair keeps has no line end
	keep func(line) error // is told of every line that a repair keeps
	kept error
}

func newReader(ctx context.Context, source Source, report *Report) (*reader, error) {
	t, err := source.text()
	if err != nil {
		return nil, &Error{Op: "open", File: source.Name, Mend: "look after the file", Err: err}
	}
	report.Compression = t.compression
	r := &reader{ctx: ctx, source: source, report: report, text: t, lines: newLines(t.plain, MaxLine)}
	r.scan.most = mostDepth - 100 // a record becomes part of a payload, which may nest no deeper than encoding/json reads
	return r, nil
}

func (r *reader) close() { r.text.close() }

// rewind begins again at the first line, up to the line that was the last one: the file may have grown.
func (r *reader) rewind() error {
	if err := r.settle(); err != nil {
		return err
	}
	r.text.close()
	t, err := r.source.text()
	if err != nil {
		return &Error{Op: "open", File: r.source.Name, Mend: "look after the file", Err: err}
	}
	r.text, r.lines, r.again, r.until = t, newLines(t.plain, MaxLine), true, r.line.number
	r.scan.trusted = true
	return nil
}

// next finds the next line that is a JSON object, and the members of it that are wanted. It is false at the end of the file, and when it cannot
// go on: finish tells.
func (r *reader) next(want []member, slots int) bool {
	for {
		if r.settle() != nil || r.lines.last.number%1024 == 0 && r.ctx.Err() != nil {
			return false
		}
		if r.again && r.lines.last.number == r.until {
			return false
		}
		n, ok := r.lines.next()
		if !ok {
			return false
		}
		r.line = n
		r.see()
		if blank(n.text) && !n.long {
			if r.blankMatters {
				r.bad(BadLine, "it is empty")
				continue
			}
			r.report.Lines.Blank += r.once()
			r.keepLine()
			continue
		}
		if r.again && r.wasBad(n.number) {
			continue
		}
		if n.long {
			r.bad(LongLine, fmt.Sprintf("it has %d bytes; no more than %d are read of a line", n.size, r.lines.most))
			continue
		}
		if n.torn && r.endMatters {
			r.bad(TornLine, "the file ends before the line does")
			continue
		}
		if !r.scan.scan(n.text, want, slots) {
			kind, where := BadLine, fmt.Sprintf("%s, at byte %d of the line", r.scan.fault.reason, r.scan.fault.at)
			if n.torn {
				kind, where = TornLine, "the file ends before the line does: "+r.scan.fault.reason
			}
			r.bad(kind, where)
			continue
		}
		r.strange()
		if r.record()[0] != '{' {
			r.bad(BadLine, "it is no JSON object")
			continue
		}
		if n.torn {
			r.fault(Unended, "the last line has no line end, so that whatever is appended next is welded onto it")
		}
		r.pending, r.withheld = true, false
		return true
	}
}

func blank(text []byte) bool {
	for _, c := range text {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// record is the bytes of the record: the line without white space around it.
func (r *reader) record() []byte {
	text := r.line.text
	for len(text) > 0 && isSpace(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

func (r *reader) place() Place { return Place{Line: r.line.number, Offset: r.line.offset} }

// finish tells whether the file was read to its end.
func (r *reader) finish() error {
	if err := r.settle(); err != nil {
		return err
	}
	if err := r.ctx.Err(); err != nil {
		return &Error{Op: "read", File: r.source.Name, Err: err}
	}
	if err := r.text.from.err; err != nil {
		return &Error{Op: "read", File: r.source.Name, Mend: "look after the file", Err: err}
	}
	err := r.lines.failed()
	switch {
	case err == nil || r.again:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		r.fault(TornFrame, "the last compressed frame is cut off; what it still gave is kept")
		return nil
	}
	reason := fmt.Sprintf("the compressed data is damaged behind this line: %v", err)
	r.fault(Corrupt, reason)
	return &Error{Op: "read", File: r.source.Name, Place: r.place(), Mend: "restore the file from a backup", Err: eventlog.ErrCorrupt}
}

// refuse is the error of a file that its own tool refuses too.
func (r *reader) refuse(kind Kind, why string) error { return r.refuseAt(r.place(), kind, why) }

func (r *reader) refuseAt(at Place, kind Kind, why string) error {
	r.settle()
	r.report.Faults.add(Finding{kind, at, why})
	r.dropHeld("it stands before what is refused, and belongs to an append that is not complete")
	err := ErrUnsupported
	if kind == Corrupt {
		err = eventlog.ErrCorrupt
	}
	return &Error{Op: "read", File: r.source.Name, Place: at, Mend: why, Err: err}
}
