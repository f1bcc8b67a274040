package inspect

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"strconv"

	"forgetmenot/eventlog"
)

// Inspect reads a file and tells what it holds. The report is there even when there is an error: it tells of all that was read.
//
// The error is ErrUnknown for a file that is no session log of a known format; ErrUnsupported or eventlog.ErrCorrupt for one that its own tool
// refuses, which the report has among its faults; the context's; or that of reading the file. It is an [*Error].
func Inspect(ctx context.Context, s Source) (Report, error) {
	f, err := known(s)
	if err != nil {
		return *NewReport(s.Name), err
	}
	return inspectAs(ctx, s, f, nil)
}

// inspectAs inspects a file of a format. see, if not nil, sees the events.
func inspectAs(ctx context.Context, s Source, f format, see func(*Event)) (Report, error) {
	report := NewReport(s.Name)
	a := newAnalyst(report)
	t, err := read(ctx, s, f, report, nil, func(e *Event) error {
		if see != nil {
			see(e)
		}
		return a.add(e)
	})
	recoveries := a.finish()
	if err == nil && report.Repairable() {
		report.Append.write(bytes.TrimPrefix(t.append(recoveries, report.Faults.ByKind[Unended] > 0), []byte("\n")))
	}
	return *report, err
}

// NewReport is the report of a file of which nothing is known yet. Its lists are empty, and never null in JSON.
func NewReport(file string) *Report {
	r := &Report{File: file, Types: map[string]int64{}, Unknown: map[string]int64{}, Aside: map[string]int64{}}
	r.Sessions.First, r.Cut.First, r.Append.First, r.Append.Lines = []Session{}, []Cut{}, []Closer{}, []string{}
	r.Faults = Findings{0, map[Kind]int64{}, []Finding{}}
	r.Notes = Findings{0, map[Kind]int64{}, []Finding{}}
	return r
}

func known(s Source) (format, error) {
	f, err := recognise(s)
	if err == nil && f == nil {
		err = &Error{Op: "read", File: s.Name, Mend: "name a file that one of these tools has written: " + formatNames(), Err: ErrUnknown}
	}
	return f, err
}

func formatNames() string {
	var b bytes.Buffer
	for i, f := range formats() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.name())
	}
	return b.String()
}

// read reads a file with its format.
func read(ctx context.Context, s Source, f format, report *Report, keep func(line) error, emit func(*Event) error) (tail, error) {
	r, err := newReader(ctx, s, report)
	if err != nil {
		return tail{}, err
	}
	defer r.close()
	report.Format, report.Policy = f.name(), f.policy()
	r.keep = keep
	t, err := f.read(r, emit)
	t.open = r.open
	r.drain()
	return t, err
}

// drain takes account of the lines that a format did not want to see any more.
func (r *reader) drain() {
	for r.kept == nil && !r.again && r.ctx.Err() == nil {
		n, ok := r.lines.next()
		if !ok {
			return
		}
		r.line = n
		r.see()
		r.report.Lines.Bad++ // the fault that it comes from stands in the report
	}
}

// errStopped ends reading when nobody wants more events.
var errStopped = errors.New("stopped")

// Events yields what a file says, in its order. An event is good until the next one. An error ends it: those of [Inspect], so that a file
// which its own tool refuses may have given events before.
func Events(ctx context.Context, s Source) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		f, err := known(s)
		if err == nil {
			_, err = read(ctx, s, f, NewReport(s.Name), nil, func(e *Event) error {
				if !yield(e, nil) {
					return errStopped
				}
				return nil
			})
		}
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

// Recognise names the format of a file, or fails with ErrUnknown.
func Recognise(s Source) (string, error) {
	f, err := known(s)
	if err != nil {
		return "", err
	}
	return f.name(), nil
}

// InspectStored tells what events of a store are, wherever they lie; format and version name the place. Offsets are 0: an event is told by its id.
func InspectStored(name, format, version string, events iter.Seq2[eventlog.StoredEvent, error]) (Report, error) {
	report := NewReport(name)
	report.Format, report.Version = format, version
	report.Policy = "the store itself recovers nothing: an agent appends the closers when it goes on with a session"
	a := newAnalyst(report)
	s := &scanner{}
	var failed error
	for e, err := range events {
		if err != nil {
			failed = err
			break
		}
		x := &Event{Format: format, SessionID: e.SessionID, Type: e.Type, Time: e.CreatedAt, own: true, Record: e.Payload}
		x.EventID = e.EventID
		if !own(x, s) {
			report.Faults.add(Finding{BadLine, x.Place, "event " + strconv.FormatInt(e.EventID, 10) + ": its payload is no JSON object"})
		}
		a.add(x)
	}
	a.finish()
	return *report, failed
}
