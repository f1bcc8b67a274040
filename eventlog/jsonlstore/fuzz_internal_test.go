package jsonlstore

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"forgetmenot/eventlog"

	"github.com/stretchr/testify/require"
)

// Whatever bytes a session's file has: it is read or refused, reading changes nothing, what was read is there after the next append, and a
// neighbour is none the worse.
func FuzzLoad(f *testing.F) {
	ctx := context.Background()
	for _, o := range storeKinds {
		w := &worker{disk: newDisk(), o: o}
		s, err := w.open()
		require.NoError(f, err)
		require.NoError(f, w.create(s, "a"))
		for i := range 4 {
			require.NoError(f, w.append(s, "a", 1+i%2))
		}
		require.NoError(f, s.Close())
		data := w.disk.names["a"+suffixOf(o.Compress)].data
		f.Add(data, o.Compress)
		f.Add(data[:len(data)-5], o.Compress)
		f.Add(append(slices.Clone(data), "{}\n"...), o.Compress)
		f.Add(append([]byte(bom), data...), o.Compress)
		f.Add(bytes.Replace(data, []byte("xx"), []byte("xy"), 1), o.Compress)
	}
	f.Add([]byte{}, false)
	f.Add([]byte("\n\n"), false)
	f.Fuzz(func(t *testing.T, data []byte, packed bool) {
		w := &worker{disk: newDisk()}
		s, err := w.open()
		require.NoError(t, err)
		require.NoError(t, s.writeHead(head{Published: 1000, Given: 1000, Sessions: 1000, Clean: true})) // so that ids are others
		require.NoError(t, w.create(s, "b"))
		require.NoError(t, w.append(s, "b", 1))
		require.NoError(t, s.Close())
		w.disk.names["a"+suffixOf(packed)] = &inode{number: 99, data: slices.Clone(data)}
		s, err = w.open()
		require.NoError(t, err)
		defer s.Close()
		events, err := whole(s.Events(ctx, "a", eventlog.Range{}))
		if err != nil {
			require.NotErrorIs(t, err, eventlog.ErrNoSession)
			require.Len(t, s.Damaged(), 1)
		}
		if now := w.disk.names["a"+suffixOf(packed)].data; !packed || err != nil {
			require.Equal(t, data, append([]byte{}, now...))
		}
		others, failed := whole(s.Events(ctx, "b", eventlog.Range{}))
		require.NoError(t, failed)
		require.Equal(t, 1, len(others))
		if err != nil {
			return
		}
		_, err = s.Append(ctx, "a", []eventlog.NewEvent{{Type: "note", Payload: []byte(`{}`)}}, eventlog.AppendOptions{})
		require.NoError(t, err)
		require.NoError(t, s.Close())
		s, err = w.open()
		require.NoError(t, err)
		defer s.Close()
		again, err := whole(s.Events(ctx, "a", eventlog.Range{}))
		require.NoError(t, err)
		require.Equal(t, len(events)+1, len(again))
		for i, e := range events {
			require.Equal(t, e, again[i])
		}
	})
}
