package inspect

import "hash/maphash"

// A tree is what is kept of the records of a log that branches: for each 18 bytes, whatever its size. Records are numbered in their order.
// A parent stands before its children; one that does not is none.
type tree struct {
	seed   maphash.Seed
	ids    []uint64         // hashes of the records' ids; 0 for one without
	at     map[uint64]int32 // by the hash of an id, the newest record with it; nil as long as the parents are easily found
	misses int              // how often one was not
	parent []int32          // -1 for none
	with   []uint32         // what the format wants to remember of a record
	follow []bool           // part of the session when its parent is, though the path need not lead through it
	side   []bool           // of a side chain
	leaf   int32            // the record whose path is the session; -1 for none
	onPath []bool
}

func newTree() *tree { return &tree{seed: maphash.MakeSeed(), leaf: -1} }

// hash is never 0.
func (t *tree) hash(text []byte) uint64 { return maphash.Bytes(t.seed, text) | 1 }

// add adds a record, whose id and parent are JSON strings, and returns its number.
func (t *tree) add(id, parent []byte) int32 {
	n := int32(len(t.ids))
	up := int32(-1)
	if kind(parent) == '"' {
		up = t.find(t.hash(parent))
	}
	hash := uint64(0)
	if kind(id) == '"' {
		hash = t.hash(id)
	}
	t.ids = append(t.ids, hash)
	t.parent = append(t.parent, up)
	t.with = append(t.with, 0)
	t.follow = append(t.follow, false)
	t.side = append(t.side, false)
	if t.at != nil && hash != 0 {
		t.at[hash] = n
	}
	return n
}

// mostMisses is how often a parent is searched for before an index of them all is made.
const mostMisses = 1000

// find is the newest record with an id; -1 for none. Most often that is one of the last few, and an index of all would be most of the memory.
func (t *tree) find(id uint64) int32 {
	if t.at != nil {
		if at, ok := t.at[id]; ok {
			return at
		}
		return -1
	}
	at := len(t.ids) - 1
	for at >= 0 && t.ids[at] != id {
		at--
	}
	if len(t.ids)-at > 100 {
		t.misses++
	}
	if t.misses > mostMisses {
		t.at = make(map[uint64]int32, len(t.ids))
		for i, id := range t.ids {
			if id != 0 {
				t.at[id] = int32(i)
			}
		}
	}
	return int32(at)
}

// isLeaf has a record end the session's path.
func (t *tree) isLeaf(n int32) { t.leaf = n }

// grow finds the path. It returns how many records are not on it: those of side chains, and others.
func (t *tree) grow() (sides, branches int64) {
	t.at, t.ids = nil, nil
	t.onPath = make([]bool, len(t.parent))
	for at := t.leaf; at >= 0; at = t.parent[at] {
		t.onPath[at] = true
	}
	for i, up := range t.parent {
		if !t.onPath[i] && t.follow[i] && up >= 0 {
			t.onPath[i] = t.onPath[up]
		}
		switch {
		case t.onPath[i]:
		case t.side[i]:
			sides++
		default:
			branches++
		}
	}
	return sides, branches
}
