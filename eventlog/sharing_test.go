package eventlog

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// These tests count what a set of versions holds in memory, by walking it. A
// count is the same on every machine, which a clock is not.

// A census is everything that some versions reach, each thing once.
type census struct {
	chunks   map[*chunk]bool
	entries  map[*entry]bool
	nodes    map[*node]bool
	sessions map[*session]bool
}

func count(versions ...Log) census {
	c := census{map[*chunk]bool{}, map[*entry]bool{}, map[*node]bool{}, map[*session]bool{}}
	for _, l := range versions {
		for k := l.tail; k != nil && !c.chunks[k]; k = k.prev {
			c.chunks[k] = true
			for _, e := range k.entries {
				c.entry(e)
			}
		}
		c.node(l.index)
	}
	return c
}

func (c census) entry(e *entry) {
	for ; e != nil && !c.entries[e]; e = e.prev {
		c.entries[e] = true
		for s := e.session; s != nil && !c.sessions[s]; s = s.prev {
			c.sessions[s] = true
		}
	}
}

func (c census) node(n *node) {
	if n == nil || c.nodes[n] {
		return
	}
	c.nodes[n] = true
	c.entry(n.head)
	for _, k := range n.kids {
		c.node(k)
	}
}

// bytes of the log itself, without the payloads.
func (c census) bytes() int {
	return len(c.chunks)*int(unsafe.Sizeof(chunk{})) + len(c.entries)*int(unsafe.Sizeof(entry{})) +
		len(c.nodes)*int(unsafe.Sizeof(node{})) + len(c.sessions)*int(unsafe.Sizeof(session{}))
}

func must(l Log, err error) Log {
	if err != nil {
		panic(err)
	}
	return l
}

func add(l Log, session int) Log {
	return must(l.Append(fmt.Sprint("session ", session), TypeUserMessage, []byte(`{}`)))
}

// Each way to grow a family of versions, all of them kept, costs memory in
// proportion to its events.
func TestEveryVersionKeptIsLinear(t *testing.T) {
	grow := map[string]func(events int, keep func(Log)){
		"one line, one session": func(events int, keep func(Log)) {
			l := New()
			for range events {
				l = add(l, 0)
				keep(l)
			}
		},
		"one line, 1,000 sessions": func(events int, keep func(Log)) {
			l := New()
			for i := range events {
				l = add(l, i*7919%1000)
				keep(l)
			}
		},
		"one line, a session for each event": func(events int, keep func(Log)) {
			l := New()
			for i := range events {
				l = add(l, i)
				keep(l)
			}
		},
		// The version that goes on is never the one that owns the chunk's next slot.
		"a fork at every append": func(events int, keep func(Log)) {
			l := New()
			for i := range events / 2 {
				keep(add(l, i%100))
				l = add(l, i*7%100)
				keep(l)
			}
		},
		"every version of a line forked once more": func(events int, keep func(Log)) {
			line := []Log{New()}
			for i := range events / 2 {
				line = append(line, add(line[i], i%100))
			}
			for i, l := range line {
				keep(l)
				keep(add(l, i%100))
			}
		},
		"one version forked over and over": func(events int, keep func(Log)) {
			l := New()
			for i := range events / 2 {
				l = add(l, i%100)
			}
			for i := range events / 2 {
				keep(add(l, i%100))
			}
		},
		"a binary tree": func(events int, keep func(Log)) {
			level := []Log{New()}
			for made := 0; made < events; {
				var next []Log
				for i, l := range level {
					for j := range 2 {
						next = append(next, add(l, (i+j)%100))
						made++
					}
				}
				for _, l := range next {
					keep(l)
				}
				level = next
			}
		},
	}
	for name, grow := range grow {
		t.Run(name, func(t *testing.T) {
			perEvent := func(events int) float64 {
				var all []Log
				grow(events, func(l Log) { all = append(all, l) })
				return float64(count(all...).bytes()) / float64(events)
			}
			few, many := perEvent(5_000), perEvent(20_000)
			t.Logf("%.0f bytes an event of 5,000, %.0f of 20,000", few, many)
			require.Less(t, many, 1000.0)
			require.Less(t, many, 1.25*few, "memory grows faster than the events")
		})
	}
}

// A fork of a fork, 10,000 deep, is built like a log that was never forked, so
// that nothing that reads it walks the forks.
func TestDeepForks(t *testing.T) {
	const depth = 10_000
	line, forked := New(), New()
	for i := range depth {
		line = add(line, i%100)
		before := forked.tail
		add(forked, 100)
		forked = add(forked, i%100)
		require.True(t, i == 0 || i%chunkSize == 0 || forked.tail != before, "no fork happened: the test is not one")
	}
	require.Equal(t, line.Events("session 7"), forked.Events("session 7"))
	require.Len(t, forked.Events("session 7"), depth/100)
	require.Equal(t, line.Sessions(), forked.Sessions())

	l, f := count(line), count(forked)
	require.Len(t, f.chunks, len(l.chunks))
	require.Len(t, f.nodes, len(l.nodes))
	require.Len(t, f.sessions, len(l.sessions))
	require.LessOrEqual(t, len(f.entries), len(l.entries)+len(l.chunks), "a full chunk may hold no other version's events")
}

// Only the first event of a fork copies; the next ones go into the copy.
func TestForkCopiesOnce(t *testing.T) {
	for length := range 2 * chunkSize {
		base := New()
		for range length {
			base = add(base, 0)
		}
		add(base, 1)
		fork := add(base, 2)
		tail := fork.tail
		for fork.used < chunkSize {
			fork = add(fork, 2)
			require.Same(t, tail, fork.tail, "an event after %d in a fork at %d", fork.Len()-1, length)
		}
	}
}

// What an append or a read allocates does not depend on how long the log is, how
// deep in forks, or what was appended since.
func TestCostDoesNotGrow(t *testing.T) {
	reads := func(l Log) float64 { return testing.AllocsPerRun(10, func() { l.Events("session 7") }) }
	payload := []byte(`{}`)
	fork := func(l Log) float64 {
		return testing.AllocsPerRun(10, func() { must(l.Append("session 7", TypeUserMessage, payload)) })
	}

	old := New()
	for i := range 1000 {
		old = add(old, i%100)
	}
	read := reads(old)
	require.LessOrEqual(t, read, 10+1.0, "a slice, and a payload for each event")

	l := old
	for i := range 50_000 {
		add(l, 7)
		l = add(l, i%7)
	}
	require.Equal(t, read, reads(old), "after many newer events")
	require.Equal(t, read, reads(l), "in a long log")
	for _, l := range []Log{old, l} {
		require.LessOrEqual(t, fork(l), 5.0, "an entry, its payload, a chunk; and the JSON checker's state, which is pooled")
	}
}

// A version that is kept keeps no more than a chunk's rest of newer events.
func TestOldVersionsLetNewerEventsGo(t *testing.T) {
	old := New()
	for range 100 {
		old = add(old, 1)
	}
	l := old
	for i := range 10_000 {
		l = add(l, i%10)
	}
	require.LessOrEqual(t, len(count(old).entries), 100+chunkSize)
	runtime.KeepAlive(l)
}

// And a version that goes on alone does not keep the indexes of those before it.
func TestNewVersionsLetOldIndexesGo(t *testing.T) {
	l := New()
	for i := range 100_000 {
		l = add(l, i*7919%1000)
	}
	require.Len(t, count(l).nodes, 1000)
}

// The texts that a log is given may be cut out of something large.
func TestLogDoesNotKeepTheCallersStrings(t *testing.T) {
	large := "session" + "type" + string(make([]byte, 1000))
	session, typ := large[:7], large[7:11]
	l := must(New().Append(session, typ, []byte(`{}`)))
	e := l.Events("session")[0]
	require.NotSame(t, unsafe.StringData(session), unsafe.StringData(e.SessionID))
	require.NotSame(t, unsafe.StringData(typ), unsafe.StringData(e.Type))
}
