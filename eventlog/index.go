package eventlog

import "slices"

// A node is a persistent map from sessions to the newest event of each: a tree
// in which every node holds one session and sends the others on by the next two
// bits of their hash. It never changes: an update copies the way from the root
// to what it changes, and shares the rest.
//
// nil is the empty map. Sessions whose hashes are equal in all bits go down one
// chain, as there are only zeros left to tell them apart; which is right, only
// slower.
type node struct {
	head *entry
	kids [4]*node
}

func (n *node) get(sessionID string, hash uint64) *entry {
	for way := hash; n != nil; way >>= 2 {
		if s := n.head.session; s.hash == hash && s.name == sessionID {
			return n.head
		}
		n = n.kids[way%4]
	}
	return nil
}

// withAll returns the map with the events of a chunk, which come after all those
// that it knows.
func (n *node) withAll(events *[chunkSize]*entry) *node {
	// Of a session's events in the chunk only the last counts. The others are
	// those that one of the chunk comes after.
	last := make([]*entry, 0, chunkSize)
	for i, e := range events {
		superseded := slices.ContainsFunc(events[i+1:], func(later *entry) bool { return later.prev == e })
		if !superseded {
			last = append(last, e)
		}
	}
	return n.with(last, 0)
}

// with returns the map with the given events, one of a session, each as its
// session's newest; their order is lost. All of them at once, so that what their
// ways have in common is copied once. level counts from the root.
func (n *node) with(events []*entry, level int) *node {
	if len(events) == 0 {
		return n
	}
	var c node
	if n != nil {
		c = *n
	} else {
		c.head = events[0]
	}
	// A session is one value in all versions that descend from its first event.
	if i := slices.IndexFunc(events, func(e *entry) bool { return e.session == c.head.session }); i >= 0 {
		c.head = events[i]
		events[i], events = events[0], events[1:]
	}
	for way := range c.kids {
		some := 0
		for i, e := range events {
			if e.session.hash>>(2*level)%4 == uint64(way) {
				events[some], events[i] = e, events[some]
				some++
			}
		}
		c.kids[way] = c.kids[way].with(events[:some], level+1)
		events = events[some:]
	}
	return &c
}
