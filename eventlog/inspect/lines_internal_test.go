package inspect

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever a text is and however it comes, its lines are the text: none is lost, split or joined.
func TestLinesAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var b bytes.Buffer
		for range rapid.IntRange(0, 8).Draw(t, "pieces") {
			b.WriteString(rapid.SampledFrom([]string{"", "a", "\n", "\r\n", "\r", "\u2028", "\ufeff", strings.Repeat("long", 30_000), "\x00"}).Draw(t, "piece"))
		}
		text := b.Bytes()
		most := rapid.SampledFrom([]int{1, 50, 100_000, 1 << 20}).Draw(t, "most")
		l := newLines(iotest.OneByteReader(bytes.NewReader(text)), most)
		if len(text) > 100_000 || rapid.Bool().Draw(t, "in one") {
			l = newLines(iotest.DataErrReader(bytes.NewReader(text)), most)
		}
		var joined bytes.Buffer
		number := int64(0)
		for n, ok := l.next(); ok; n, ok = l.next() {
			number++
			require.Equal(t, number, n.number)
			whole := text[n.offset : n.offset+n.size]
			joined.Write(whole)
			require.Equal(t, !bytes.HasSuffix(whole, []byte("\n")), n.torn)
			require.Equal(t, 0, bytes.Count(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n")))
			plain := bytes.TrimSuffix(whole, []byte("\n"))
			require.Equal(t, len(plain) > most, n.long)
			if !n.long {
				if n.bom {
					plain = plain[3:]
				}
				require.Equal(t, string(plain), string(n.text)+map[bool]string{true: "\r"}[n.cr])
			}
			require.LessOrEqual(t, cap(l.spill), 4*most+1<<20, "memory is bounded")
		}
		require.NoError(t, l.failed())
		require.Equal(t, string(text), joined.String())
	})
}

func TestATooLongLineIsPassedOver(t *testing.T) {
	text := fmt.Sprintf("{\"a\":1}\n{\"a\":%q}\n{\"a\":3}\n", strings.Repeat("x", 2000))
	report := NewReport("x")
	r, err := newReader(t.Context(), inMemory("x", []byte(text)), report)
	require.NoError(t, err)
	defer r.close()
	r.lines.most = 1000
	var got []string
	for r.next(wanted("a"), 1) {
		got = append(got, string(r.scan.slots[0]))
	}
	require.NoError(t, r.finish())
	require.Equal(t, []string{"1", "3"}, got)
	require.Equal(t, Finding{LongLine, Place{Line: 2, Offset: 8}, "it has 2009 bytes; no more than 1000 are read of a line"}, report.Faults.First[0])
	require.Equal(t, Lines{Total: 3, Records: 2, Bad: 1}, report.Lines)
	require.EqualValues(t, len(text), report.Bytes)
}
