package jsonlstore

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"forgetmenot/eventlog"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The bytes of a file are a promise: older files must stay readable.
func TestFormatIsWhatItWas(t *testing.T) {
	file, at := appendHeader(nil, header{id: "a/b", title: "a \"title\"\u2028", number: 7, createdAt: 1772600767008})
	for _, r := range []record{
		{id: 12, at: 1772600767009, typ: "user_message", payload: []byte(`{"content":"hello"}`)},
		{id: 13, at: -1, left: 1, key: "k\n", typ: "note", payload: []byte("{ \"n\" : 1.0}\t")},
		{id: 14, at: -1, typ: "note\x00", payload: []byte("{\r\n}")},
	} {
		file, at = appendRecord(file, at, r)
	}
	require.Equal(t, strings.Join([]string{
		`{"sum":"ed115d24","format":"forgetmenot-session","version":1,"session":"a/b","title":"a \"title\"` + "\u2028" + `","number":7,"createdAt":1772600767008}`,
		`{"sum":"02bf9abd","seq":1,"id":12,"at":1772600767009,"type":"user_message","payload":{"content":"hello"}}`,
		`{"sum":"239b6cf5","seq":2,"id":13,"at":-1,"left":1,"key":"k\n","type":"note","payload":{ "n" : 1.0}` + "\t}",
		`{"sum":"3fcbfee0","seq":3,"id":14,"at":-1,"type":"note\u0000","payloadText":"{\r\n}"}`,
		"",
	}, "\n"), string(file))
	require.EqualValues(t, len(file), at.offset)
}

var drawText = rapid.OneOf(
	rapid.SampledFrom([]string{"", "a", "\x00", "\n", "\r\n", "\u2028\u2029\u0085", "\ufeff", "\ufffd", "\"", `\`, `\u0000`, "<&>", "\x7f", "\U0001f600", "e\u0301", "9007199254740993"}),
	rapid.String(),
)

func drawRecords(t *rapid.T) []record {
	var records []record
	id := rapid.Int64Range(1, 1<<53+7).Draw(t, "first id")
	for range rapid.IntRange(0, 6).Draw(t, "appends") {
		key := drawText.Draw(t, "key")
		at := rapid.Int64().Draw(t, "at")
		n := rapid.IntRange(1, 4).Draw(t, "events")
		for i := range n {
			content, err := json.Marshal(drawText.Draw(t, "content"))
			require.NoError(t, err)
			gap := rapid.SampledFrom([]string{"", " ", "\n", "\r", "\t"})
			r := record{
				seq: int64(len(records)) + 1, id: id, at: at, left: int64(n - 1 - i), typ: "t" + drawText.Draw(t, "type"),
				payload: fmt.Appendf(nil, `%s{"content":%s%s%s}%s`, gap.Draw(t, ""), gap.Draw(t, ""), content, gap.Draw(t, ""), gap.Draw(t, "")),
			}
			if i == 0 {
				r.key = key
			}
			records = append(records, r)
			id += rapid.Int64Range(1, 5).Draw(t, "step")
		}
	}
	return records
}

// Whatever is written is read again, byte for byte.
func TestFormatRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := header{id: "i" + drawText.Draw(t, "id"), title: drawText.Draw(t, "title"), number: rapid.Int64Range(1, 1<<60).Draw(t, "number"), createdAt: rapid.Int64().Draw(t, "created")}
		records := drawRecords(t)
		file, at := appendHeader(nil, h)
		for _, r := range records {
			file, at = appendRecord(file, at, r)
		}
		lines := bytes.Split(file, []byte("\n"))
		require.Len(t, lines, len(records)+2)
		for _, line := range lines[:len(lines)-1] {
			require.True(t, json.Valid(line), "%q", line)
		}
		got, next, err := readHeader(lines[0])
		require.NoError(t, err)
		require.Equal(t, h, got)
		for i, want := range records {
			var r record
			r, next, err = readRecord(lines[i+1], next)
			require.NoError(t, err)
			require.Equal(t, want, r)
		}
		require.Equal(t, at, next)
	})
}

// Nothing in a line can change without notice, be it one bit.
func TestFormatNoticesEveryBit(t *testing.T) {
	first, at := appendHeader(nil, header{id: "a", title: "t", number: 1, createdAt: 1})
	first = bytes.TrimSuffix(first, []byte("\n"))
	event, _ := appendRecord(nil, at, record{id: 2, at: 3, left: 1, key: "k", typ: "note", payload: []byte(`{"n":1}`)})
	event = bytes.TrimSuffix(event, []byte("\n"))
	for bit := range 8 * len(first) {
		bent := bytes.Clone(first)
		bent[bit/8] ^= 1 << (bit % 8)
		_, _, err := readHeader(bent)
		require.Error(t, err, "%q", bent)
	}
	for bit := range 8 * len(event) {
		bent := bytes.Clone(event)
		bent[bit/8] ^= 1 << (bit % 8)
		_, _, err := readRecord(bent, at)
		require.ErrorIs(t, err, eventlog.ErrCorrupt, "%q", bent)
	}
}

// Lines that are whole but do not belong where they stand.
func TestFormatNoticesTheOrder(t *testing.T) {
	_, at := appendHeader(nil, header{id: "a", number: 1})
	line := func(at place, r record) ([]byte, place) {
		if r.typ == "" {
			r.typ, r.payload = "note", []byte(`{}`)
		}
		b, next := appendRecord(nil, at, r)
		return bytes.TrimSuffix(b, []byte("\n")), next
	}
	one, second := line(at, record{id: 5})
	two, third := line(second, record{id: 6, left: 2})
	three, _ := line(third, record{id: 7, left: 1})
	other, _ := line(place{seq: 1, id: 5, sum: 99}, record{id: 6, left: 2})
	old, _ := line(second, record{id: 5})
	short, _ := line(third, record{id: 7})
	keyed, _ := line(third, record{id: 7, left: 1, key: "k"})
	untyped, _ := appendRecord(nil, second, record{id: 7, payload: []byte(`{}`)})
	list, _ := line(second, record{id: 7, typ: "note", payload: []byte(`[]`)})
	for _, tt := range []struct {
		name   string
		line   []byte
		at     place
		reason string // "" for none
	}{
		{"the first", one, at, ""},
		{"the second", two, second, ""},
		{"the third", three, third, ""},
		{"one is missing", three, second, "what stood between is missing"},
		{"one comes twice", two, third, "it comes twice"},
		{"another writer's", other, second, "its checksum is wrong"},
		{"an id that does not grow", old, second, "ids must grow"},
		{"an append that does not end", short, third, "does not continue the append"},
		{"a key within an append", keyed, third, "does not continue the append"},
		{"no type", bytes.TrimSuffix(untyped, []byte("\n")), second, "has no type"},
		{"no object", list, second, "its payload is no JSON object"},
		{"line ends of another system", append(bytes.Clone(two), '\r'), second, "it is not an event"},
		{"nothing", nil, second, "it is not an event"},
		{"another header", []byte(`{"sum":"00000000","format":"forgetmenot-session"}`), second, "it is not an event"},
	} {
		r, _, err := readRecord(tt.line, tt.at)
		if err == nil {
			err = r.checkPayload(tt.at)
		}
		if tt.reason == "" {
			require.NoError(t, err, tt.name)
			continue
		}
		require.ErrorIs(t, err, eventlog.ErrCorrupt, tt.name)
		require.ErrorContains(t, err, tt.reason, tt.name)
		require.ErrorContains(t, err, fmt.Sprintf("line %d", tt.at.line()), tt.name)
	}
}

func TestFormatOfOthers(t *testing.T) {
	good, _ := appendHeader(nil, header{id: "a", number: 1})
	good = bytes.TrimSuffix(good, []byte("\n"))
	for _, tt := range []struct {
		line string
		kind error // nil for none
	}{
		{string(good), nil},
		{bom + string(good), nil},
		{"", eventlog.ErrNotStore},
		{"hello", eventlog.ErrNotStore},
		{`{"type":"session","version":3}`, eventlog.ErrNotStore},
		{`{"sum":"00000000","format":"forgetmenot-session","version":2,"anything":{}}`, eventlog.ErrNewerVersion},
		{`{"format":"forgetmenot-session","version":"later"}`, eventlog.ErrNotStore},
		{`{"format":"forgetmenot-session","version":0}`, eventlog.ErrCorrupt},
		{`{"format":"forgetmenot-session","version":1}`, eventlog.ErrCorrupt},
		{strings.Replace(string(good), `"a"`, `"b"`, 1), eventlog.ErrCorrupt},
		{bom + bom + string(good), eventlog.ErrNotStore},
	} {
		_, at, err := readHeader([]byte(tt.line))
		if tt.kind == nil {
			require.NoError(t, err, tt.line)
			require.EqualValues(t, len(tt.line)+1, at.offset)
			continue
		}
		require.ErrorIs(t, err, tt.kind, tt.line)
	}
}

// Whatever a line is, it is refused, or it is just what is written for what was read.
func FuzzLine(f *testing.F) {
	first, at := appendHeader(nil, header{id: "a", title: "t", number: 1, createdAt: 5})
	event, _ := appendRecord(nil, at, record{id: 2, at: 3, left: 1, key: "k", typ: "note", payload: []byte("{\n}")})
	f.Add(bytes.TrimSuffix(first, []byte("\n")))
	f.Add(bytes.TrimSuffix(event, []byte("\n")))
	f.Fuzz(func(t *testing.T, line []byte) {
		if h, _, err := readHeader(line); err == nil {
			again, _ := appendHeader(nil, h)
			got, _, err := readHeader(bytes.TrimSuffix(again, []byte("\n")))
			require.NoError(t, err)
			require.Equal(t, h, got)
		}
		// Whoever signs a line can write it in other words.
		if len(line) > sumSize {
			sign(line, at.sum)
		}
		if r, next, err := readRecord(line, at); err == nil {
			again, _ := appendRecord(nil, at, r)
			got, then, err := readRecord(bytes.TrimSuffix(again, []byte("\n")), at)
			require.NoError(t, err)
			require.Equal(t, r, got)
			require.Equal(t, next.seq, then.seq)
			require.Equal(t, next.id, then.id)
		}
	})
}
