package jsonlstore_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/jsonlstore"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

var packed = jsonlstore.Options{Compress: true}

// A packed file is the plain file in frames that any zstd tool unpacks.
func TestPackedIsThePlainFile(t *testing.T) {
	plain, frames := filled(t, jsonlstore.Options{StoreOptions: eventlog.StoreOptions{Now: epoch}}), filled(t, jsonlstore.Options{Compress: true, StoreOptions: eventlog.StoreOptions{Now: epoch}})
	for _, name := range []string{"a", "b", "empty"} {
		d, err := zstd.NewReader(strings.NewReader(read(t, frames, name+".jsonl.zst")))
		require.NoError(t, err)
		text, err := io.ReadAll(d)
		require.NoError(t, err)
		require.Equal(t, read(t, plain, name+".jsonl"), string(text))
		d.Close()
	}
}

// A session keeps its form, whatever the option says later.
func TestPackedAndPlainInOneFolder(t *testing.T) {
	folder := filled(t, jsonlstore.Options{})
	s := opened(t, folder, packed)
	_, err := s.CreateSession(t.Context(), "a", "")
	require.ErrorIs(t, err, eventlog.ErrSessionExists)
	appended(t, s, "a", note(8))
	created(t, s, "c")
	appended(t, s, "c", note(9))
	require.NoError(t, s.Close())
	s = opened(t, folder, jsonlstore.Options{})
	require.Equal(t, []string{`{"n":9}`}, events(t, s, "c"))
	require.Len(t, events(t, s, "a"), 6)
	_, err = os.Stat(filepath.Join(folder, "c.jsonl.zst"))
	require.NoError(t, err)

	// Two files of one session cannot both be it.
	text := read(t, folder, "a.jsonl")
	require.NoError(t, s.Close())
	e, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	header, rest, _ := strings.Cut(text, "\n")
	write(t, folder, "a.jsonl.zst", string(e.EncodeAll([]byte(header+"\n"), nil))+string(e.EncodeAll([]byte(rest), nil)))
	s = opened(t, folder, jsonlstore.Options{})
	require.Len(t, s.Damaged(), 1)
	require.ErrorContains(t, s.Damaged()[0].Err, "there is another file of this session")
	require.Len(t, events(t, s, "a"), 6)
}

// Wherever a packed file is cut, the whole appends before the cut are there, and writing goes on.
func TestPackedTorn(t *testing.T) {
	o := jsonlstore.Options{Compress: true, StoreOptions: eventlog.StoreOptions{Now: epoch}}
	folder, short := filled(t, o), t.TempDir()
	s := opened(t, short, o)
	created(t, s, "a")
	require.NoError(t, s.Close())
	header := read(t, short, "a.jsonl.zst")
	text := read(t, folder, "a.jsonl.zst")
	require.True(t, strings.HasPrefix(text, header))
	all := []string{`{"n":1}`, `{"n":4}`, `{"n":5}`, `{"n":6}`, `{"n":7}`}
	left := map[int]bool{}
	for at := 2*len(text) - 1; at >= 2*len(header); at-- {
		cut := at / 2
		torn := text[:cut]
		if at%2 == 1 { // the file is longer already than what is in it
			_, end, _ := strings.Cut(text[cut:], "\x28\xb5\x2f\xfd")
			torn += strings.Repeat("\x00", len(text)-cut-len(end))
		}
		if torn == text {
			continue
		}
		write(t, folder, "a.jsonl.zst", torn)
		s := opened(t, folder, packed)
		require.Empty(t, s.Damaged())
		got := events(t, s, "a")
		require.Equal(t, all[:len(got)], got)
		require.Contains(t, []int{0, 1, 4, 5}, len(got)) // 5: only the checksum is not whole
		left[len(got)] = true
		appended(t, s, "a", note(9))
		require.NoError(t, s.Close())
		s = opened(t, folder, packed)
		require.Empty(t, s.Damaged())
		require.Equal(t, append(got, `{"n":9}`), events(t, s, "a"))
		require.NoError(t, s.Close())
	}
	require.Len(t, left, 4)
}

// Of a torn frame that is long, the whole appends in its whole blocks are kept. Nobody was told of them; only their keys can tell.
func TestPackedTornFrameKeepsWholeAppends(t *testing.T) {
	folder := t.TempDir()
	s := opened(t, folder, packed)
	created(t, s, "a")
	require.NoError(t, s.Close())
	header := len(read(t, folder, "a.jsonl.zst"))

	// One frame with many appends: another store packs what this one wrote plain.
	plain := t.TempDir()
	now := jsonlstore.Options{}
	s = opened(t, plain, now)
	created(t, s, "a")
	for i := range 300 {
		appended(t, s, "a", event("note", fmt.Sprintf(`{"n":%d,"x":"%s"}`, i, noise(i, 2000))), note(i))
	}
	require.NoError(t, s.Close())
	first, rest, _ := strings.Cut(read(t, plain, "a.jsonl"), "\n")
	e, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	head := e.EncodeAll([]byte(first+"\n"), nil)
	frame := e.EncodeAll([]byte(rest), nil)
	require.Greater(t, header, 0)
	write(t, folder, "a.jsonl.zst", string(head)+string(frame[:len(frame)*2/3]))

	s = opened(t, folder, packed)
	require.Empty(t, s.Damaged())
	kept := len(events(t, s, "a"))
	require.Greater(t, kept, 200)
	require.Less(t, kept, 600)
	require.Zero(t, kept%2, "half an append")
	appended(t, s, "a", note(1))
	require.NoError(t, s.Close())
	s = opened(t, folder, packed)
	require.Empty(t, s.Damaged())
	require.Len(t, events(t, s, "a"), kept+1)
}

// noise is text that cannot be made much smaller.
func noise(seed, size int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	b := make([]byte, size)
	state := uint64(seed)*2654435761 + 1
	for i := range b {
		state = state*6364136223846793005 + 1442695040888963407
		b[i] = letters[state>>58]
	}
	return string(b)
}

// A frame that is there and cannot be right is damage, and stays as it is.
func TestPackedDamage(t *testing.T) {
	folder := filled(t, packed)
	text := []byte(read(t, folder, "a.jsonl.zst"))
	for at := range text {
		bent := bytes.Clone(text)
		bent[at] ^= 0x20
		write(t, folder, "a.jsonl.zst", string(bent))
		s := opened(t, folder, packed)
		list, err := drained(s.Events(t.Context(), "a", eventlog.Range{}))
		if err == nil {
			// A length that has changed can look like a tear at the end, or make no difference. What is there is right.
			require.Equal(t, []string{`{"n":1}`, `{"n":4}`, `{"n":5}`, `{"n":6}`, `{"n":7}`}[:len(list)], payloads(list), "byte %d", at)
		} else if len(s.Damaged()) == 1 {
			_, err = s.Append(t.Context(), "a", []eventlog.NewEvent{note(9)}, eventlog.AppendOptions{})
			require.Error(t, err)
			require.Equal(t, string(bent), read(t, folder, "a.jsonl.zst"))
		}
		require.NoError(t, s.Close())
	}
}
