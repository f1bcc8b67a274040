package sqlstore

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// The hash chain. Each event is stored with
//
//	hash = SHA-256(hash of the event before | event id | leaf)
//	leaf = SHA-256(length and bytes of session id | of type | of payload | created at)
//
// where the first event follows on 32 zero bytes, and numbers are 8 bytes, the highest first. So a hash stands for all events up to its own:
// whoever changes, adds, removes or moves one has to make all later hashes again, and the newest one, which Verify tells and anybody can
// write down elsewhere, is another.
//
// A leaf does not depend on what comes before, so it is made by the goroutine that appends; the writer only chains it.
type digest [sha256.Size]byte

// leafOf is the part of an event's hash that it brings with it.
func leafOf(sessionID, eventType string, payload []byte, createdAt int64) (d digest) {
	h := sha256.New()
	var n [8]byte
	field := func(text []byte) {
		binary.BigEndian.PutUint64(n[:], uint64(len(text)))
		h.Write(n[:])
		h.Write(text)
	}
	field([]byte(sessionID))
	field([]byte(eventType))
	field(payload)
	binary.BigEndian.PutUint64(n[:], uint64(createdAt))
	h.Write(n[:])
	h.Sum(d[:0])
	return d
}

// next is the hash of the event that follows on d.
func (d digest) next(eventID int64, leaf digest) digest {
	var b [len(d) + 8 + len(leaf)]byte
	copy(b[:], d[:])
	binary.BigEndian.PutUint64(b[len(d):], uint64(eventID))
	copy(b[len(d)+8:], leaf[:])
	return sha256.Sum256(b[:])
}

// An end is how the log ends.
type end struct {
	id   int64 // the last id that was given out
	hash digest
}

// read finds the end anew, as another process may have written. Ids go on behind the last one that was ever given out, not behind the last one
// that is there, as AUTOINCREMENT does it. https://sqlite.org/autoinc.html
func (e *end) read(c *conn) error {
	*e = end{}
	damaged := false
	_, err := c.one(func(s *sqlite3.Stmt) {
		hash := s.ColumnRawBlob(1)
		e.id = s.ColumnInt64(0)
		damaged = copy(e.hash[:], hash) != len(hash)
	}, `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0), (SELECT hash FROM events ORDER BY event_id DESC LIMIT 1)`)
	if err == nil && damaged {
		err = &fault{eventlog.ErrCorrupt, mendCorrupt, fmt.Errorf("the hash of the last event is too long")}
	}
	return err
}
