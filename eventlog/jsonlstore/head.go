package jsonlstore

import (
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"strings"
)

// The store's own files in the folder. They end like no session's file.
const (
	lockName = "eventlog.lock"
	headName = "eventlog.head"
	newName  = "eventlog.new" // a session's file before it has its name; under the lock there is only one
)

// A head is what all stores on a folder must agree on while they are open. It is written under the lock and read without.
//
// Readers go by Published: events beyond it are being written, or were and may be taken back. Who finds the head not clean under
// the lock knows that a store has died in the middle, and looks at all files.
//
// It is never synced, and nothing is lost with it: what it says is the same as what the files say, and that is what a store that opens reads.
type head struct {
	Published int64 `json:"published"` // the newest event that may be seen
	Given     int64 `json:"given"`     // the newest id that was given out
	Sessions  int64 `json:"sessions"`  // the greatest session number
	Clean     bool  `json:"clean"`     // nobody is writing
}

// headSize makes every head as long as every other one.
const headSize = 128

func (h head) encode() []byte {
	text, err := json.Marshal(h)
	if err != nil {
		panic(err) // numbers and a boolean
	}
	b := append([]byte(sumStart+`00000000",`), text[1:]...)
	b = append(b, strings.Repeat(" ", headSize-1-len(b))...)
	sign(b, crc32.IEEE)
	return append(b, '\n')
}

// decodeHead reads a head; ok is false when it is none, or half of one and half of another.
func decodeHead(b []byte) (h head, ok bool) {
	if len(b) != headSize || b[headSize-1] != '\n' {
		return head{}, false
	}
	line := b[:headSize-1]
	s := scanner{rest: line}
	s.take(sumStart)
	sum, ok := s.sum()
	if !ok || sum != sumOf(line, crc32.IEEE) || json.Unmarshal(line, &h) != nil {
		return head{}, false
	}
	return h, h.Published >= 0 && h.Given >= h.Published && h.Sessions >= 0
}

// readHead reads the head without a lock; ok is false when there is none that can be used.
func (s *Store) readHead() (h head, ok bool, err error) {
	f, err := s.folder.open(headName, false)
	if errors.Is(err, fs.ErrNotExist) {
		return head{}, false, nil
	}
	if err != nil {
		return head{}, false, err
	}
	defer f.Close()
	// It may be just being written: one who reads again sees it whole.
	for range 100 {
		b := make([]byte, headSize)
		n, err := f.ReadAt(b, 0)
		if err != nil && err != io.EOF {
			return head{}, false, err
		}
		if h, ok := decodeHead(b[:n]); ok {
			return h, true, nil
		}
	}
	return head{}, false, nil
}

// writeHead is for who has the lock.
func (s *Store) writeHead(h head) error {
	f, err := s.folder.open(headName, true)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = s.folder.create(headName)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteAt(h.encode(), 0)
	return errors.Join(err, f.Close())
}
