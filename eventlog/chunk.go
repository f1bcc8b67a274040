package eventlog

import (
	"encoding/json"
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// chunkSize is how many events stand in a chunk: what a fork copies at most, and
// what a lookup scans before it asks the index, against how often the index is
// brought up to date. Powers of two from 16 to 64 measure much the same.
const chunkSize = 32

// A chunk is a stretch of the log that versions share. Its slots are given out
// once each, in order: the version that ends right before a free slot claims it,
// and every other version that wants to go on from there copies the chunk and
// goes on in its own. So nobody ever writes to a slot that somebody may read,
// and the copy is the only cost of a fork: a fork of a fork of a fork reads and
// grows like a log that has never been forked.
//
// No lock is needed to read a slot: a version's slots were written before the
// version was returned by Append, and whoever holds the version has it from
// there.
type chunk struct {
	prev    *chunk // the chunk before this one, which is full
	before  int    // events in the chunks before this one; a multiple of chunkSize
	seed    maphash.Seed
	claimed atomic.Int32 // slots given out
	hashes  [chunkSize]uint32
	entries [chunkSize]*entry
}

// An entry is an event in its log. It never changes.
type entry struct {
	id      int64
	session *session
	typ     string
	payload string // a string because it cannot be changed
	prev    *entry // the event before it in its session
	nth     int    // its place in its session, from 1
}

// A session is what the events of one session have in common. It never changes.
type session struct {
	name string
	hash uint64
	prev *session // the session that appeared before it
	nth  int      // its place among the sessions, from 1
}

func newSession(name string, hash uint64, prev *session) *session {
	s := &session{name: strings.Clone(name), hash: hash, prev: prev, nth: 1}
	if prev != nil {
		s.nth += prev.nth
	}
	return s
}

// event returns the entry as its reader's own copy.
func (e *entry) event() Event {
	return Event{EventID: e.id, SessionID: e.session.name, Type: e.typ, Payload: json.RawMessage(e.payload)}
}

// hash of a session id. The seed, one for each log and its descendants, keeps a
// stranger who chooses session ids from unbalancing the index; no answer
// depends on it.
func (c *chunk) hash(sessionID string) uint64 {
	return maphash.String(c.seed, sessionID)
}

// next returns a new chunk that comes after c, which must be full.
func (c *chunk) next() *chunk {
	return &chunk{prev: c, before: c.before + chunkSize, seed: c.seed}
}

// put writes e into slot n of c or, when the slot is given out already, of a new
// chunk with the same slots before n. It returns the chunk that it wrote to.
func (c *chunk) put(n int, e *entry) *chunk {
	if !c.claimed.CompareAndSwap(int32(n), int32(n)+1) {
		c = c.fork(n)
	}
	c.hashes[n] = uint32(e.session.hash)
	c.entries[n] = e
	return c
}

// fork returns a new chunk with the first n slots of c and the next one claimed.
func (c *chunk) fork(n int) *chunk {
	f := &chunk{prev: c.prev, before: c.before, seed: c.seed}
	copy(f.hashes[:n], c.hashes[:n])
	copy(f.entries[:n], c.entries[:n])
	f.claimed.Store(int32(n) + 1)
	return f
}

// newest returns the last event of a session in the first n slots, or nil.
func (c *chunk) newest(n int, sessionID string, hash uint64) *entry {
	for i := n - 1; i >= 0; i-- {
		if c.hashes[i] == uint32(hash) && c.entries[i].session.name == sessionID {
			return c.entries[i]
		}
	}
	return nil
}
