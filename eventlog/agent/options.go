package agent

import (
	"context"
	"crypto/rand"
	"log/slog"
	"strings"
	"time"
)

// Options are what a loop and a service can be told. The zero value works.
type Options struct {
	Model  Model  // Scripted{}
	Tools  []Tool // DemoOrders(); an empty list that is not nil is no tools
	Policy Policy // EveryMoment
	// MessagesOnly leaves out of the log what tells how the agent ran: the four types that make messages are all that it writes. Of an open call
	// nobody can then know whether its tool was started.
	MessagesOnly bool

	MaxSteps int                                              // calls of the model in one turn, after which it is ended with an answer that says so; 16
	Retries  int                                              // of one call of the model that fails with a BusyError; 4, and none when it is negative
	Backoff  func(attempt int) time.Duration                  // the wait after the first, second, … failure; from 0.5 s on twice as long each time, 30 s at most
	Wait     func(ctx context.Context, d time.Duration) error // returns after d, or with the context's error; the clock

	// ReplyFirst is the bug that this project is about, for demonstration: a turn happens in memory, its answer leaves, and its events are
	// stored afterwards. A crash in between, or a store that refuses, loses what the client was told.
	ReplyFirst bool

	// Hook, if there is one, is called at each moment of a turn, by the goroutine that runs it: to wait there until somebody kills the
	// process, or to fail as if somebody had. An error ends the turn where it stands.
	Hook func(ctx context.Context, at Moment, sessionID string) error

	TurnTimeout time.Duration // for one turn, after which it is left open; 5 minutes
	MaxWaiting  int           // messages to one session that wait for its running turn; 16
	MaxBody     int64         // bytes of a request's body; 1 MiB
	MaxStreams  int           // open event streams; 256
	Heartbeat   time.Duration // between the comments that keep a quiet stream open; 15 s
	// StreamWrite is how long a stream's client may take to receive what it is sent before its connection is closed; 30 s. It loses
	// nothing: it comes back with the last event id.
	StreamWrite time.Duration
	Grace       time.Duration // that Serve leaves to running turns when it is ended; 10 s

	// Hosts are the names, without ports, by which clients may call the service: the Host header must be one of them, so that a foreign name
	// that resolves to this machine (DNS rebinding) is refused. By default the names of loopback; "*" is any name.
	Hosts []string

	NoResume bool          // Serve does not finish at its start the turns that a crash cut off; the session's next message still does
	Log      *slog.Logger  // nothing is logged without one; never a message's content
	NewID    func() string // ids for sessions that are created without one; random
}

func (o Options) withDefaults() Options {
	if o.Model == nil {
		o.Model = Scripted{}
	}
	if o.Tools == nil {
		o.Tools = []Tool{DemoOrders()}
	}
	if o.Policy == nil {
		o.Policy = EveryMoment
	}
	if o.Backoff == nil {
		o.Backoff = func(attempt int) time.Duration { return min(500*time.Millisecond<<min(attempt-1, 10), 30*time.Second) }
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	if o.Retries == 0 {
		o.Retries = 4
	}
	if o.Hook == nil {
		o.Hook = func(context.Context, Moment, string) error { return nil }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.NewID == nil {
		o.NewID = func() string { return strings.ToLower(rand.Text()) }
	}
	orElse(&o.MaxSteps, 16)
	orElse(&o.TurnTimeout, 5*time.Minute)
	orElse(&o.MaxWaiting, 16)
	orElse(&o.MaxBody, 1<<20)
	orElse(&o.MaxStreams, 256)
	orElse(&o.Heartbeat, 15*time.Second)
	orElse(&o.StreamWrite, 30*time.Second)
	orElse(&o.Grace, 10*time.Second)
	return o
}

func orElse[T int | int64 | time.Duration](v *T, def T) {
	if *v <= 0 {
		*v = def
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
