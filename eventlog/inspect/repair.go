package inspect

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// Repair writes a copy of a file without the lines that the report's Cut names, every other one byte for byte, and with what its Append names in
// the format's own way. It reads the file anew, and returns the report of that reading; of a file that has not changed it is Inspect's.
//
// The copy is not compressed. The error is ErrNoRepair, with the reason, when the file's own tool refuses it or writes no such thing as what is
// missing; else it is as from Inspect, or the writer's.
func Repair(ctx context.Context, s Source, to io.Writer) (Report, error) {
	f, err := known(s)
	if err != nil {
		return *NewReport(s.Name), err
	}
	return repairAs(ctx, s, f, to)
}

func repairAs(ctx context.Context, s Source, f format, to io.Writer) (Report, error) {
	report := NewReport(s.Name)
	a := newAnalyst(report)
	keep := func(l line) error {
		for _, part := range [][]byte{l.text, l.lineEnd()} {
			if _, err := to.Write(part); err != nil {
				return err
			}
		}
		return nil
	}
	t, err := read(ctx, s, f, report, keep, a.add)
	recoveries := a.finish()
	if err != nil {
		var e *Error
		if errors.As(err, &e) && e.Op == "read" && report.Faults.ByKind[Corrupt]+report.Faults.ByKind[Unsupported] > 0 {
			return *report, &Error{Op: "repair", File: s.Name, Place: e.Place, Mend: "its own tool refuses it: " + e.Mend, Err: ErrNoRepair}
		}
		return *report, err
	}
	if len(recoveries) > 0 && t.close == nil {
		return *report, &Error{Op: "repair", File: s.Name, Mend: t.whyOpen, Err: ErrNoRepair}
	}
	b := t.append(recoveries, report.Faults.ByKind[Unended] > 0)
	if report.Repairable() {
		report.Append.write(bytes.TrimPrefix(b, []byte("\n")))
	}
	_, err = to.Write(b)
	return *report, err
}

// lineEnd is what stood behind the line's text.
func (l line) lineEnd() []byte {
	switch {
	case l.torn:
		return nil
	case l.cr:
		return []byte("\r\n")
	}
	return []byte("\n")
}
