package eventlog

import (
	"fmt"
	"hash/maphash"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The index is a map, also when hashes are alike in many bits or in all.
func TestIndexIsAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hashes := rapid.SampledFrom([]uint64{0, 1, 1 << 63, 3 << 62, ^uint64(0), 0x5555555555555555})
		sessions := make([]*session, rapid.IntRange(1, 50).Draw(t, "sessions"))
		for i := range sessions {
			sessions[i] = &session{name: fmt.Sprint(i), hash: hashes.Draw(t, "hash")}
		}
		type state struct {
			index *node
			model map[*session]*entry
		}
		states := []state{{nil, map[*session]*entry{}}}
		for range rapid.IntRange(1, 10).Draw(t, "chunks") {
			from := states[rapid.IntRange(0, len(states)-1).Draw(t, "version")]
			to := state{model: map[*session]*entry{}}
			for s, e := range from.model {
				to.model[s] = e
			}
			var events [chunkSize]*entry
			for i := range events {
				s := sessions[rapid.IntRange(0, len(sessions)-1).Draw(t, "session")]
				events[i] = &entry{session: s, prev: to.model[s]}
				to.model[s] = events[i]
			}
			to.index = from.index.withAll(&events)
			states = append(states, to)
		}
		for _, s := range states {
			for _, session := range sessions {
				require.Same(t, s.model[session], s.index.get(session.name, session.hash))
			}
			require.Nil(t, s.index.get("nobody", sessions[0].hash))
		}
	})
}

// A chunk compares hashes only to be fast.
func TestChunkTellsEqualHashesApart(t *testing.T) {
	c := &chunk{}
	for i, name := range []string{"a", "b", "a"} {
		c = c.put(i, &entry{session: &session{name: name, hash: 7}})
	}
	require.Same(t, c.entries[2], c.newest(3, "a", 7))
	require.Same(t, c.entries[1], c.newest(3, "b", 7))
	require.Same(t, c.entries[0], c.newest(1, "a", 7))
	require.Nil(t, c.newest(3, "c", 7))
	require.Nil(t, c.newest(3, "a", 8))
}

// The index stays shallow: about the logarithm to base 4 of its sessions.
func TestIndexIsShallow(t *testing.T) {
	for _, sessions := range []int{100, 10_000, 100_000} {
		var index *node
		seed := maphash.MakeSeed()
		for i := 0; i < sessions; i += chunkSize {
			var events [chunkSize]*entry
			for j := range events {
				name := fmt.Sprint("session ", i+j)
				events[j] = &entry{session: &session{name: name, hash: maphash.String(seed, name)}}
			}
			index = index.withAll(&events)
		}
		// The deepest of n keys with random bits lies near twice the logarithm; that
		// it lies 10 levels below that happens less than once in 4^10 runs.
		require.Less(t, depth(index), bits.Len(uint(sessions))+10, "%d sessions", sessions)
	}
}

func depth(n *node) int {
	if n == nil {
		return 0
	}
	deepest := 0
	for _, k := range n.kids {
		deepest = max(deepest, depth(k))
	}
	return deepest + 1
}
