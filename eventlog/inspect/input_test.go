package inspect_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/inspect"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// whole is a log of Pi with which nothing is wrong.
const whole = `{"type":"session","version":3,"id":"p","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:00:01.000Z","message":{"role":"user","content":"hello"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-03-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"hi"}],"stopReason":"stop"}}
`

// more is whole with another entry behind it.
func more(line string) string { return whole + line + "\n" }

func TestWhatIsStrangeIsKeptOrReportedWithItsPlace(t *testing.T) {
	for _, c := range []struct {
		name, text string
		kind       inspect.Kind
		line       int64
		note       bool
		events     int64
	}{
		{"a byte order mark", "\ufeff" + whole, inspect.ByteOrderMark, 1, false, 3},
		{"line ends of Windows", strings.ReplaceAll(whole, "\n", "\r\n"), inspect.CarriageReturn, 1, true, 3},
		{"NUL bytes, as a power cut leaves them", more("\x00\x00\x00\x00"), inspect.BadLine, 4, false, 3},
		{"a NUL in a string", more("{\"type\":\"a\x00\"}"), inspect.BadLine, 4, false, 3},
		{"an escaped NUL", more(`{"type":"custom","id":"c","parentId":"b","data":"\u0000"}`), inspect.EscapedNUL, 4, true, 4},
		{"half a character", more(`{"type":"custom","id":"c","parentId":"b","data":"\ud800"}`), inspect.LoneSurrogate, 4, true, 4},
		{"half a character in raw bytes", more("{\"type\":\"custom\",\"id\":\"c\",\"data\":\"\xed\xa0\x80\"}"), inspect.BadLine, 4, false, 3},
		{"an integer beyond 2^53", more(`{"type":"custom","id":"c","parentId":"b","data":9007199254740993}`), inspect.BigInteger, 4, true, 4},
		{"no UTF-8", more("{\"type\":\"custom\",\"data\":\"\xff\"}"), inspect.BadLine, 4, false, 3},
		{"no object", more(`[1,2]`), inspect.BadLine, 4, false, 3},
		{"a text", more(`hello`), inspect.BadLine, 4, false, 3},
		{"a torn line", whole + `{"type":"cust`, inspect.TornLine, 4, false, 3},
		{"a whole line without its end", strings.TrimSuffix(whole, "\n"), inspect.Unended, 3, false, 3},
		{"two records welded onto each other", strings.Replace(whole, "\n{\"type\":\"message\",\"id\":\"b\"", `{"type":"message","id":"b"`, 1), inspect.BadLine, 2, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := inspect.Inspect(t.Context(), memory("x", []byte(c.text)))
			require.NoError(t, err)
			found := report.Faults
			if c.note {
				require.Zero(t, report.Faults.Count, "%v", report.Faults.First)
				found = report.Notes
			}
			require.NotEmpty(t, found.First)
			require.Equal(t, c.kind, found.First[0].Kind)
			require.Equal(t, c.line, found.First[0].Line)
			require.Equal(t, c.events, report.Events)
			offset := 0
			for range c.line - 1 {
				offset += strings.IndexByte(c.text[offset:], '\n') + 1
			}
			require.EqualValues(t, offset, found.First[0].Offset)
		})
	}
}

// Characters that some take for line ends stand in texts, and end nothing.
func TestOnlyALineFeedEndsALine(t *testing.T) {
	text := strings.Replace(whole, "hello", "a\u2028b\u2029c\u0085d", 1)
	report, err := inspect.Inspect(t.Context(), memory("x", []byte(text)))
	require.NoError(t, err)
	require.True(t, report.OK())
	require.EqualValues(t, 3, report.Lines.Total)
}

func TestWhatIsNoLogIsSaidToBeNone(t *testing.T) {
	for name, text := range map[string]string{
		"empty": "", "one line end": "\n", "binary": "\x7fELF\x00\x00\xff\xfe", "a text": "Dear diary\n", "some JSON": "{\"a\":1}\n[]\n", "one bracket": "{",
		"zstd of nothing": "\x28\xb5\x2f\xfd", "deep": strings.Repeat("[", 1<<20), "only blank": "\r\n \n\n",
	} {
		report, err := inspect.Inspect(t.Context(), memory(name, []byte(text)))
		require.ErrorIs(t, err, inspect.ErrUnknown, name)
		require.Empty(t, report.Format)
		_, err = inspect.Repair(t.Context(), memory(name, []byte(text)), io.Discard)
		require.ErrorIs(t, err, inspect.ErrUnknown, name)
	}
	_, err := inspect.Inspect(t.Context(), inspect.File("testdata/missing.jsonl"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	var e *inspect.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "open", e.Op)
}

func TestALongLineIsRead(t *testing.T) {
	long := `{"type":"custom","id":"c","parentId":"b","data":"` + strings.Repeat("x", 10<<20) + `"}`
	report, err := inspect.Inspect(t.Context(), memory("x", []byte(more(long))))
	require.NoError(t, err)
	require.True(t, report.OK())
	require.EqualValues(t, 4, report.Events)
}

// A failing is a file that fails at a byte.
type failing struct {
	io.Reader
	err error
}

func (f failing) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = f.err
	}
	return n, err
}

func (failing) Close() error { return nil }

func TestADiskThatFailsIsNoEndOfTheFile(t *testing.T) {
	broken := errors.New("input/output error")
	for _, text := range []string{"", whole[:20], whole[:300], whole, string(compressed(t, whole))} {
		for _, opened := range []int{1, 2, 3} { // the first time it tells the format, then it is read, and a tree is read twice
			if opened == 1 && len(text) > 100 {
				continue // the format is known before the fault
			}
			n := 0
			s := inspect.Source{Name: "x", Open: func() (io.ReadCloser, error) {
				if n++; n == opened {
					return failing{strings.NewReader(text), broken}, nil
				}
				return io.NopCloser(strings.NewReader(text)), nil
			}}
			_, err := inspect.Inspect(t.Context(), s)
			if n < opened || opened == 3 && len(text) != 300 {
				continue // it was not opened, or not read so far
			}
			require.ErrorIs(t, err, broken, "%d bytes, opened for the %dth time", len(text), opened)
			require.NotErrorIs(t, err, inspect.ErrUnknown)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := inspect.Inspect(ctx, memory("x", []byte(whole)))
	require.ErrorIs(t, err, context.Canceled)
}

// compressed is texts as frames, one for each.
func compressed(t *testing.T, frames ...string) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(true))
	require.NoError(t, err)
	var all []byte
	for _, f := range frames {
		all = e.EncodeAll([]byte(f), all)
	}
	return all
}

func TestCompressedLogsAreRead(t *testing.T) {
	text, err := os.ReadFile("testdata/deepseek-harness.jsonl")
	require.NoError(t, err)
	lines := strings.SplitAfter(string(text), "\n")
	frames := []string{lines[0], strings.Join(lines[1:9], ""), strings.Join(lines[9:15], ""), strings.Join(lines[15:20], "")}
	plain, err := inspect.Inspect(t.Context(), memory("x", []byte(strings.Join(frames, ""))))
	require.NoError(t, err)
	all := compressed(t, frames...)
	packed, err := inspect.Inspect(t.Context(), memory("x", all))
	require.NoError(t, err)
	require.Equal(t, "zstd", packed.Compression)
	packed.Compression = ""
	require.Equal(t, plain, packed)

	// Torn anywhere in its last frame, a log keeps the frames before it.
	before := len(compressed(t, frames[:3]...))
	for at := before + 1; at < len(all); at++ {
		report, err := inspect.Inspect(t.Context(), memory("x", all[:at]))
		require.NoError(t, err, "cut at byte %d of %d", at, len(all))
		require.EqualValues(t, 1, report.Faults.ByKind[inspect.TornFrame], "cut at byte %d", at)
		require.GreaterOrEqual(t, report.Events, int64(20))
		require.True(t, report.Repairable())
		var mended bytes.Buffer
		_, err = inspect.Repair(t.Context(), memory("x", all[:at]), &mended)
		require.NoError(t, err)
		report, err = inspect.Inspect(t.Context(), memory("x", mended.Bytes()))
		require.NoError(t, err)
		require.True(t, report.OK())
	}

	// A frame that is complete and does not check is damage, not the end.
	bent := bytes.Clone(all)
	bent[before-1] ^= 1 // of the checksum
	report, err := inspect.Inspect(t.Context(), memory("x", bent))
	require.ErrorIs(t, err, eventlog.ErrCorrupt)
	require.EqualValues(t, 1, report.Faults.ByKind[inspect.Corrupt])
	_, err = inspect.Repair(t.Context(), memory("x", bent), io.Discard)
	require.ErrorIs(t, err, inspect.ErrNoRepair)
}

func TestAReportIsStableJSON(t *testing.T) {
	report, err := inspect.Inspect(t.Context(), memory("x", []byte(whole)))
	require.NoError(t, err)
	text, err := json.Marshal(report)
	require.NoError(t, err)
	require.Equal(t, `{"file":"x","format":"pi","version":"3","bytes":389,"lines":{"total":3,"records":3,"blank":0,"bad":0},"events":3,`+
		`"types":{"assistant_message":1,"pi/session":1,"user_message":1},"unknown":{},"aside":{},"first":"2026-03-01T10:00:00Z","last":"2026-03-01T10:00:02Z",`+
		`"sessions":{"count":1,"first":[{"id":"p","events":3,"first":"2026-03-01T10:00:00Z","last":"2026-03-01T10:00:02Z","turns":1,`+
		`"lastCompleteTurn":{"line":3,"offset":216},"openTurn":null,"openStep":null,"calls":0,"open":{"count":0,"first":[]},"orphaned":{"count":0,"first":[]},`+
		`"late":{"count":0,"first":[]},"duplicated":{"count":0,"first":[]}}]},"faults":{"count":0,"byKind":{},"first":[]},"notes":{"count":0,"byKind":{},"first":[]},`+
		`"policy":"a bad line is passed over, as Pi does, but without its header the whole file counts as empty; the path to the newest entry is the session",`+
		`"cut":{"count":0,"bytes":0,"first":[]},"append":{"count":0,"first":[],"lineCount":0,"lines":[]}}`, string(text))
}
