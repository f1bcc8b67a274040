package jsonlstore

import (
	"time"

	"forgetmenot/eventlog"
)

// Options say how to open a store. The zero value works.
type Options struct {
	// Limits bound what is appended. Now tells the time for CreatedAt, and is time.Now by default.
	eventlog.StoreOptions

	// Synchronous is what an acknowledged append outlives: Full by default.
	Synchronous Synchronous

	// Compress keeps new sessions in zstd frames. Sessions that are there stay in the form that they have.
	Compress bool

	// Window is how long an append waits for others that share its price, from the first one on. 0 is not at all: only those that have come while
	// the disk was busy are made durable together. Flush ends the wait.
	Window time.Duration

	// Exclusive keeps the folder for this store alone, from Open to Close: another Open answers eventlog.ErrBusy.
	Exclusive bool

	// ReadOnly opens a folder that exists for reading alone. Appends answer eventlog.ErrReadOnly. The same happens by itself when the folder
	// cannot be written.
	ReadOnly bool

	// BusyTimeout is how long a call waits for another store that holds the folder before it answers eventlog.ErrBusy. 0 is 5 seconds, less than 0
	// is not at all.
	BusyTimeout time.Duration

	// PollInterval is how often a waiting Watch looks for what other processes have appended; this store's own appends wake it at once.
	// 0 is 25 milliseconds.
	PollInterval time.Duration
}

// Synchronous is when an append is written through to the disk.
type Synchronous int

const (
	// Full waits for the disk before it acknowledges. What is acknowledged survives a power loss, as far as the disk keeps its word.
	Full Synchronous = iota
	// Normal leaves the write to the operating system. What is acknowledged survives the end of the process, however it comes. A power loss can take
	// what was written last.
	Normal
)

func (o Options) withDefaults() Options {
	o.Limits = o.Limits.WithDefaults()
	if o.Now == nil {
		o.Now = time.Now
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
