package inspect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"forgetmenot/eventlog"

	"github.com/stretchr/testify/require"
)

func inMemory(name string, text []byte) Source {
	return Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
}

// An inspector is what the account of a text is asked of: this package, or one of the broken twins below.
type inspector struct {
	inspect func(f format, text []byte) (Report, []eventlog.NewEvent, error)
	repair  func(f format, text []byte) ([]byte, error)
}

func honest() inspector {
	return inspector{
		inspect: func(f format, text []byte) (Report, []eventlog.NewEvent, error) {
			var events []eventlog.NewEvent
			report, err := inspectAs(context.Background(), inMemory("x", text), f, func(e *Event) {
				events = append(events, eventlog.NewEvent{Type: e.Type, Payload: e.Payload()})
			})
			return report, events, err
		},
		repair: func(f format, text []byte) ([]byte, error) {
			var b bytes.Buffer
			_, err := repairAs(context.Background(), inMemory("x", text), f, &b)
			return b.Bytes(), err
		},
	}
}

// account says what is wrong with what an inspector says of a text, whatever is in it; "" for nothing.
func account(in inspector, f format, text []byte) string {
	report, events, err := in.inspect(f, text)
	if err != nil && !errors.Is(err, ErrUnsupported) && !errors.Is(err, eventlog.ErrCorrupt) {
		return fmt.Sprintf("it fails with %v", err)
	}
	if report.Compression == "" {
		lines := int64(bytes.Count(text, []byte("\n")))
		if len(text) > 0 && text[len(text)-1] != '\n' {
			lines++
		}
		if report.Lines.Total != lines {
			return fmt.Sprintf("it reports %d lines of %d", report.Lines.Total, lines)
		}
		if report.Bytes != int64(len(text)) {
			return fmt.Sprintf("it reports %d bytes of %d", report.Bytes, len(text))
		}
	}
	if l := report.Lines; l.Total != l.Records+l.Blank+l.Bad {
		return fmt.Sprintf("of %d lines, %d are records, %d blank and %d bad", l.Total, l.Records, l.Blank, l.Bad)
	}
	if report.Lines.Bad > 0 && report.Faults.Count == 0 {
		return fmt.Sprintf("%d lines are bad, and nothing is wrong", report.Lines.Bad)
	}
	if report.Compression == "" && report.Lines.Bad < noJSON(text) {
		return fmt.Sprintf("%d lines are no JSON, and it finds %d bad", noJSON(text), report.Lines.Bad)
	}
	if err != nil && report.OK() {
		return "it refuses the file and finds nothing wrong with it"
	}
	for _, e := range events {
		if e.Type == "" || !json.Valid(e.Payload) || bytes.TrimLeft(e.Payload, " \t\r\n")[0] != '{' {
			return fmt.Sprintf("it gives the event %q with %.60q, which no store takes", e.Type, e.Payload)
		}
	}
	again, _, _ := in.inspect(f, text)
	if one, two := asJSON(report), asJSON(again); one != two {
		return "it says something else when it is asked again:\n" + one + "\n" + two
	}
	return accountRepair(in, f, text, report, err)
}

// accountRepair says what is wrong with a repair: whole lines stay as they are, and behind it nothing is left to repair.
func accountRepair(in inspector, f format, text []byte, report Report, refused error) string {
	repaired, err := in.repair(f, text)
	switch {
	case errors.Is(err, ErrNoRepair):
		return ""
	case err != nil:
		return fmt.Sprintf("the repair fails with %v", err)
	case refused != nil:
		return "it repairs a file that is refused"
	case !report.Repairable() && report.Compression == "" && !bytes.Equal(repaired, text):
		return fmt.Sprintf("nothing is wrong, and the repair changes it: %q", repaired)
	case report.Compression == "" && report.Cut.Count <= MostListed && report.Append.LineCount <= MostListed:
		if want := planned(f, text, report); !bytes.Equal(want, repaired) {
			return fmt.Sprintf("it repairs otherwise than it has shown: %q, not %q", repaired, want)
		}
	}
	after, _, err := in.inspect(f, repaired)
	if err != nil {
		return fmt.Sprintf("what it repaired is refused: %v\n%s", err, repaired)
	}
	if after.Repairable() {
		return fmt.Sprintf("something is left to repair: %s\n%s", asJSON(after), repaired)
	}
	twice, err := in.repair(f, repaired)
	if err != nil || !bytes.Equal(twice, repaired) {
		return fmt.Sprintf("a second repair is another one (%v): %s\n%s", err, repaired, twice)
	}
	return ""
}

// noJSON counts the lines that encoding/json refuses.
func noJSON(text []byte) (n int64) {
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 && !json.Valid(line) {
			n++
		}
	}
	return n
}

// planned is what a repair makes of a text by what the report shows: without what it cuts, with the lines that it appends.
func planned(f format, text []byte, r Report) []byte {
	var b []byte
	at := int64(0)
	for _, c := range r.Cut.First {
		b = append(b, text[at:c.Offset]...)
		at = c.Offset + c.Bytes
	}
	b = append(b, text[at:]...)
	if end := bytes.LastIndex(b, []byte("{\"end\"")); f.name() == exportName && end >= 0 && r.Repairable() {
		b = b[:end] // it is written anew
	}
	if len(b) > 0 && b[len(b)-1] != '\n' && (r.Append.LineCount > 0 || r.Faults.ByKind[Unended] > 0) {
		b = append(b, '\n')
	}
	for _, line := range r.Append.Lines {
		b = append(append(b, line...), '\n')
	}
	return b
}

func asJSON(r Report) string {
	text, err := json.Marshal(r)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func fixture(tb testing.TB, f format) []byte {
	text, err := os.ReadFile(filepath.Join("testdata", f.name()+".jsonl"))
	require.NoError(tb, err)
	return text
}

// Cut off anywhere, and with any line left out or twice, a file is accounted for.
func TestEveryCutIsAccountedFor(t *testing.T) {
	for _, f := range formats() {
		t.Run(f.name(), func(t *testing.T) {
			text := fixture(t, f)
			step := 11 // with FORGETMENOT_EVERY_BYTE, all of them
			if os.Getenv("FORGETMENOT_EVERY_BYTE") != "" {
				step = 1
			}
			for at := 0; at <= len(text); at += step {
				require.Empty(t, account(honest(), f, text[:at]), "cut at byte %d", at)
			}
			lines := bytes.SplitAfter(text, []byte("\n"))
			for i := range lines {
				without := bytes.Join(append(append([][]byte{}, lines[:i]...), lines[i+1:]...), nil)
				require.Empty(t, account(honest(), f, without), "without line %d", i+1)
				twice := bytes.Join(append(append([][]byte{}, lines[:i+1]...), lines[i:]...), nil)
				require.Empty(t, account(honest(), f, twice), "line %d twice", i+1)
				bent := bytes.Join(append(append(append([][]byte{}, lines[:i]...), []byte("{\"bent\n")), lines[i+1:]...), nil)
				require.Empty(t, account(honest(), f, bent), "line %d bent", i+1)
				require.Empty(t, account(honest(), f, append([]byte(byteOrderMark), bent...)), "line %d bent, with a byte order mark", i+1)
			}
		})
	}
}

// The account is shown inspectors that are wrong.
func TestTheAccountBites(t *testing.T) {
	torn := append(fixture(t, codex{}), "{\"torn"...)
	for name, c := range map[string]struct {
		twin inspector
		says string
	}{
		"forgets the last line": {inspector{func(f format, text []byte) (Report, []eventlog.NewEvent, error) {
			return honest().inspect(f, text[:bytes.LastIndexByte(text, '\n')+1])
		}, honest().repair}, "lines of"},
		"splits at more than line feeds": {inspector{func(f format, text []byte) (Report, []eventlog.NewEvent, error) {
			return honest().inspect(f, bytes.ReplaceAll(text, []byte("\u2028"), []byte("\n")))
		}, honest().repair}, "lines of"},
		"counts a bad line as blank too": {inspector{func(f format, text []byte) (Report, []eventlog.NewEvent, error) {
			r, e, err := honest().inspect(f, text)
			r.Lines.Blank += r.Lines.Bad
			return r, e, err
		}, honest().repair}, "are records"},
		"repairs nothing": {inspector{honest().inspect, func(f format, text []byte) ([]byte, error) { return text, nil }}, "otherwise than it has shown"},
		"sees nothing wrong": {inspector{func(f format, text []byte) (Report, []eventlog.NewEvent, error) {
			r, e, err := honest().inspect(f, text)
			r.Cut, r.Append, r.Faults = Cuts{}, Closers{}, Findings{}
			return r, e, err
		}, func(f format, text []byte) ([]byte, error) { return text, nil }}, "nothing is wrong"},
		"takes a torn line for a record": {inspector{func(f format, text []byte) (Report, []eventlog.NewEvent, error) {
			r, e, err := honest().inspect(f, text)
			r.Lines.Records, r.Lines.Bad = r.Lines.Records+r.Lines.Bad, 0
			return r, e, err
		}, honest().repair}, "are no JSON"},
		"leaves a call open": {inspector{honest().inspect, func(f format, text []byte) ([]byte, error) {
			b, err := honest().repair(f, text)
			return b[:bytes.LastIndexByte(b[:len(b)-1], '\n')+1], err
		}}, "otherwise than it has shown"},
		"closes and keeps the torn line": {inspector{honest().inspect, func(f format, text []byte) ([]byte, error) {
			b, err := honest().repair(f, text)
			return append(b, "{\"torn"...), err
		}}, "otherwise than it has shown"},
		"gives a record that is none": {inspector{func(f format, text []byte) (Report, []eventlog.NewEvent, error) {
			r, e, err := honest().inspect(f, text)
			return r, append(e, eventlog.NewEvent{Type: "x", Payload: []byte("[]")}), err
		}, honest().repair}, "no store takes"},
	} {
		require.Empty(t, account(honest(), codex{}, torn))
		text := bytes.Replace(torn, []byte("How many"), []byte("How\u2028many"), 1)
		require.Contains(t, account(c.twin, codex{}, text), c.says, name)
	}
}

func fuzz(f *testing.F, as format) {
	text := fixture(f, as)
	f.Add(text)
	for _, line := range bytes.SplitAfter(text, []byte("\n")) {
		f.Add(append(text[:bytes.IndexByte(text, '\n')+1:bytes.IndexByte(text, '\n')+1], line...))
	}
	f.Add([]byte("\ufeff" + string(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))))
	f.Add([]byte("\x00\x00\n{\"type\":\"\\ud800\",\"n\":9007199254740993}\n\n"))
	f.Add([]byte("\x28\xb5\x2f\xfd"))
	f.Fuzz(func(t *testing.T, text []byte) {
		require.Empty(t, account(honest(), as, text))
	})
}

func FuzzExport(f *testing.F)   { fuzz(f, exportFormat{}) }
func FuzzCodex(f *testing.F)    { fuzz(f, codex{}) }
func FuzzClaude(f *testing.F)   { fuzz(f, claude{}) }
func FuzzGemini(f *testing.F)   { fuzz(f, gemini{}) }
func FuzzPi(f *testing.F)       { fuzz(f, pi{}) }
func FuzzDeepseek(f *testing.F) { fuzz(f, deepseek{}) }
