package inspect

import "hash/maphash"

// A tree is what is kept of the records of a log that branches: for each a few words, whatever its size. Records are numbered in their order.
// A parent stands before its children; one that does not is none.
type tree struct {
	seed   maphash.Seed
	at     map[uint64]int32 // by the hash of an id, the newest record with it
	nodes  []node
	leaf   int32 // the record whose path is the session; -1 for none
	onPath []bool
}

type node struct {
	parent int32
	with   uint64 // what else the format knows of it
	follow bool   // part of the session wherever its parent is, though no path leads through it
}

func newTree() *tree {
	return &tree{seed: maphash.MakeSeed(), at: map[uint64]int32{}, leaf: -1}
}

func (t *tree) hash(text []byte) uint64 { return maphash.Bytes(t.seed, text) }

// add adds a record, whose id and parent are JSON strings.
func (t *tree) add(id, parent []byte) *node {
	n := node{parent: -1}
	if kind(parent) == '"' {
		if at, ok := t.at[t.hash(parent)]; ok {
			n.parent = at
		}
	}
	t.nodes = append(t.nodes, n)
	if kind(id) == '"' {
		t.at[t.hash(id)] = int32(len(t.nodes) - 1)
	}
	return &t.nodes[len(t.nodes)-1]
}

// isLeaf has the newest record end the session's path.
func (t *tree) isLeaf() { t.leaf = int32(len(t.nodes) - 1) }

// grow finds the path. It returns how many records are on none.
func (t *tree) grow() (asides int64) {
	t.at = nil
	t.onPath = make([]bool, len(t.nodes))
	for at := t.leaf; at >= 0; at = t.nodes[at].parent {
		t.onPath[at] = true
	}
	for i, n := range t.nodes {
		if !t.onPath[i] && n.follow && n.parent >= 0 {
			t.onPath[i] = t.onPath[n.parent]
		}
		if !t.onPath[i] {
			asides++
		}
	}
	return asides
}
