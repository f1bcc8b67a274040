package eventlog

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"time"
)

// A Store keeps event logs where a crash cannot reach them: a [Log] that lasts, shared by many sessions, goroutines and, where the store
// says so, processes. Nothing in it is ever changed or deleted; a correction is a new event.
//
// A store is tested by eventlogtest.RunStore, which holds every sentence of this contract against it, and the exercise's properties too.
//
// All methods may be called from several goroutines at once. Every error is a [*StoreError], and tells its kind by [errors.Is]: one of this
// package's errors, or context.Canceled or context.DeadlineExceeded when the context ended first, as it always is when it had ended before
// the call. Where several errors are true any one of them may come. What methods take and give is copied: the caller never holds the store's
// memory, nor the store the caller's.
//
// The iterators read as they are consumed, in pages: memory does not grow with the length of a log, and nothing of the store is held open
// while the caller works on an item. They may be used more than once, each use reads anew. One that fails yields its error with a zero item,
// and ends. An iterator sees every event that had been acknowledged when it was started.
type Store interface {
	// CreateSession makes a session, which must happen before its first event. An id is any non-empty valid UTF-8, compared byte by byte; the
	// title is any valid UTF-8. When the session is there already the error is ErrSessionExists, and nothing is changed.
	CreateSession(ctx context.Context, id, title string) (Session, error)

	// Session gives one session as it is now, or ErrNoSession, as every read of a session does; also for an id that no session could have.
	Session(ctx context.Context, id string) (Session, error)

	// Sessions yields sessions in an order, those behind the cursor; a zero cursor is the beginning. A session's Cursor continues behind it, at any time later.
	// By creation, nothing is left out or shown twice. By activity, a session that gets an event while somebody pages through
	// moves to the front: it is shown at most once to one who started before, and to whoever starts again.
	Sessions(ctx context.Context, order SessionOrder, after SessionCursor) iter.Seq2[Session, error]

	// Append puts events at the end of a session, all of them or none, and returns when they are as durable as the receipt says.
	//
	// Ids grow strictly over the whole store, in the order in which appends are acknowledged to one caller, across restarts; there can be
	// gaps. One append's events follow each other, with no other session's between them. A reader who has seen an id has missed none below it.
	//
	// When the append is refused, nothing has been written: ErrNoSession; ErrConflict, a *ConflictError, when the session does not end
	// as Expect says; ErrKeyReused when Key came before with other events; ErrTooLarge; an *AppendError for an event
	// that cannot be; ErrEmptyBatch. When a context ends the events are wholly in or wholly out: the same append with the same Key tells
	// which, and makes it in.
	Append(ctx context.Context, sessionID string, events []NewEvent, o AppendOptions) (Receipt, error)

	// Events yields a session's events in the order of their ids, or ErrNoSession.
	Events(ctx context.Context, sessionID string, r Range) iter.Seq2[StoredEvent, error]

	// All yields the events of all sessions in the order of their ids.
	All(ctx context.Context, r Range) iter.Seq2[StoredEvent, error]

	// Messages yields what a session's events fold to (see Fold), each with the id of its event, or ErrNoSession. With Range.Until it is the
	// replay up to that event: the session as it was then.
	Messages(ctx context.Context, sessionID string, r Range) iter.Seq2[StoredMessage, error]

	// ToolCalls yields a session's tool calls and what became of them (see ProjectToolCalls), in the order of their event ids, or ErrNoSession.
	ToolCalls(ctx context.Context, sessionID string) iter.Seq2[ToolCallState, error]

	// Watch yields every event with a greater id, in the order of ids, none twice and none left out: first what is stored, then what comes.
	// A slow consumer holds up nobody. It ends by yielding an error: the context's, ErrClosed when the store is closed, or why it cannot
	// go on; the last id seen continues it, here or on another store over the same data.
	Watch(ctx context.Context, after int64) iter.Seq2[StoredEvent, error]

	// Close ends watches and later calls with ErrClosed, waits for appends under way, and lets go of everything. Other reads under way are
	// complete, or end with ErrClosed. Closing again does nothing.
	Close() error
}

// A Session is a conversation that a store knows.
type Session struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	CreatedAt   time.Time `json:"createdAt"`   // in whole milliseconds, UTC
	Number      int64     `json:"number"`      // its place in the order of creation: at least 1, growing, with gaps
	LastEventID int64     `json:"lastEventId"` // 0 while it has no events
	EventCount  int64     `json:"eventCount"`
}

// Cursor is the place of a session in an order, to go on behind it.
func (s Session) Cursor(order SessionOrder) SessionCursor {
	if order == ByActivity {
		return SessionCursor{activity: s.LastEventID, number: s.Number, set: true}
	}
	return SessionCursor{number: s.Number, set: true}
}

// A SessionOrder is an order to list sessions in.
type SessionOrder int

const (
	ByCreation SessionOrder = iota // the oldest session first
	ByActivity                     // the session with the newest event first; those without events last, the newest of them first
)

// Compare tells which of two sessions comes first: less than 0 when a does.
func (o SessionOrder) Compare(a, b Session) int {
	if o == ByActivity {
		return cmp.Or(cmp.Compare(b.LastEventID, a.LastEventID), cmp.Compare(b.Number, a.Number))
	}
	return cmp.Compare(a.Number, b.Number)
}

// A SessionCursor is a place in a list of sessions. The zero value is its beginning.
type SessionCursor struct {
	activity, number int64
	set              bool
}

// NewSessionCursor makes a cursor of what Key gave.
func NewSessionCursor(lastEventID, number int64) SessionCursor {
	return SessionCursor{activity: lastEventID, number: number, set: true}
}

// Key tells the last event id (for ByActivity) and the number of the session that the cursor stands behind; ok is false at the beginning.
func (c SessionCursor) Key() (lastEventID, number int64, ok bool) { return c.activity, c.number, c.set }

// Before tells whether a session, as it is now, comes behind the cursor in an order.
func (c SessionCursor) Before(order SessionOrder, s Session) bool {
	return !c.set || order.Compare(Session{LastEventID: c.activity, Number: c.number}, s) < 0
}

// A NewEvent is an event before it has been stored.
type NewEvent struct {
	Type    string          `json:"type"`    // any non-empty valid UTF-8
	Payload json.RawMessage `json:"payload"` // a JSON object in valid UTF-8, kept byte for byte
}

// A StoredEvent is an event with the time at which the store took it. Order is by id: time is data, and can go backwards.
type StoredEvent struct {
	Event
	CreatedAt time.Time `json:"createdAt"` // in whole milliseconds, UTC
}

// A StoredMessage is a message with the id of the event that it was folded from.
type StoredMessage struct {
	EventID int64
	Message Message
}

// A Range is the events with After < id, and id <= Until unless Until is 0. The zero value is all of them.
type Range struct {
	After int64 // exclusive: the last id seen
	Until int64 // inclusive; 0 for no end, so that there is no range of nothing before the first event
}

// AppendOptions are the conditions of an append. The zero value has none.
type AppendOptions struct {
	Expect Expectation
	// Key, if not empty, makes the append happen once: when it is repeated with the same events the first receipt comes back, whatever
	// Expect says. A key belongs to its session, is valid UTF-8, and lasts as long as the session.
	Key string
}

// An Expectation is what an append believes the session's last event to be. The zero value believes nothing.
type Expectation struct {
	given bool
	last  int64
}

// ExpectNone believes that the session has no events.
func ExpectNone() Expectation { return Expectation{given: true} }

// ExpectLast believes that the session's last event has this id; 0 is ExpectNone.
func ExpectLast(eventID int64) Expectation { return Expectation{given: true, last: eventID} }

// Last is the id that is expected, 0 for a session without events; ok is false when nothing is.
func (e Expectation) Last() (eventID int64, ok bool) { return e.last, e.given }

// A Receipt is the answer to an append: the promise that it is stored.
type Receipt struct {
	Events     []StoredEvent // as they were stored, in their order
	Durability Durability
	Repeated   bool // an earlier append with the same key had stored them
}

// Durability is what acknowledged events outlive.
type Durability int

const (
	Volatile       Durability = iota // nothing: they end with the store
	ToProcessCrash                   // the end of the process, however it comes; a power failure can take the newest
	ToPowerLoss                      // a power failure too, as far as the disk keeps its word
)

func (d Durability) String() string {
	switch d {
	case ToProcessCrash:
		return "survives a process crash"
	case ToPowerLoss:
		return "survives a power loss"
	}
	return "volatile"
}

// StoreOptions are what every store can be told. The zero value works.
type StoreOptions struct {
	Limits Limits
	// Now tells the time for CreatedAt, to several goroutines at once. Each store says what it does without one.
	Now func() time.Time
}

// Replay is the messages of a session up to an event, in memory; an until of 0 means all.
func Replay(ctx context.Context, s Store, sessionID string, until int64) ([]Message, error) {
	messages := []Message{}
	for m, err := range s.Messages(ctx, sessionID, Range{Until: until}) {
		if err != nil {
			return nil, err
		}
		messages = append(messages, m.Message)
	}
	return messages, nil
}
