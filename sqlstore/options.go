package sqlstore

import (
	"time"

	"forgetmenot/eventlog"

	"github.com/ncruces/go-sqlite3"
)

// Options say how to open a store. The zero value works.
type Options struct {
	// Limits bound what is appended. Now tells the time for CreatedAt, and is time.Now by default.
	eventlog.StoreOptions

	// Synchronous is what an acknowledged append outlives: Full by default.
	Synchronous Synchronous

	// ReadOnly opens a file that exists for reading alone. Appends answer eventlog.ErrReadOnly. The same happens by itself when the file
	// cannot be written.
	ReadOnly bool

	// Readers is how many connections read at once, at most; others wait for one. 0 is 4. A connection takes about 3 MB when it has been used.
	Readers int

	// BusyTimeout is how long a call waits for another process that holds the file before it answers eventlog.ErrBusy. 0 is 5 seconds,
	// less than 0 is not at all.
	BusyTimeout time.Duration

	// PollInterval is how often a waiting Watch looks for what other processes have appended; this store's own appends wake it at once.
	// 0 is 25 milliseconds.
	PollInterval time.Duration

	// For tests: files that fail, in place of the operating system's, and what is done to a connection when it has been set up.
	vfs  string
	tune func(*sqlite3.Conn) error
}

// Synchronous is when an append is written through to the disk.
//
// https://sqlite.org/pragma.html#pragma_synchronous
type Synchronous int

const (
	// Full waits for the disk before it acknowledges. What is acknowledged survives a power loss, as far as the disk keeps its word.
	Full Synchronous = iota
	// Normal leaves the write to the operating system. What is acknowledged survives the end of the process, however it comes. A power loss
	// can take the appends since the last checkpoint, the newest first and each of them whole, and leaves the store consistent.
	Normal
)

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.WithDefaults()
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Readers <= 0 {
		o.Readers = 4
	}
	switch {
	case o.BusyTimeout == 0:
		o.BusyTimeout = 5 * time.Second
	case o.BusyTimeout < 0:
		o.BusyTimeout = 0
	}
	if o.PollInterval <= 0 {
		o.PollInterval = 25 * time.Millisecond
	}
	return o
}

func (o Options) durability() eventlog.Durability {
	if o.Synchronous == Normal {
		return eventlog.ToProcessCrash
	}
	return eventlog.ToPowerLoss
}
