package eventlogtest

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"

	"forgetmenot/eventlog"
	"forgetmenot/grader/property"
)

// A Subject is an event log in Go: the five functions of the contract over log values of type L. Each may be called with any log value that
// an earlier call returned.
type Subject[L any] struct {
	CreateEventLog      func() L
	AppendEvent         func(log L, e eventlog.Event) (L, error) // e.EventID is 0: the log gives the id
	GetEventsForSession func(log L, sessionID string) []eventlog.Event
	ListSessions        func(log L) []string
	ReplaySession       func(log L, sessionID string) []eventlog.Message
}

// Reference is the package eventlog itself as a subject.
func Reference() Subject[eventlog.Log] {
	return Subject[eventlog.Log]{
		CreateEventLog: eventlog.New,
		AppendEvent: func(l eventlog.Log, e eventlog.Event) (eventlog.Log, error) {
			return l.Append(e.SessionID, e.Type, e.Payload)
		},
		GetEventsForSession: eventlog.Log.Events,
		ListSessions:        eventlog.Log.Sessions,
		ReplaySession:       eventlog.Log.Replay,
	}
}

// NewRunner makes a runner of a subject. open is called for each realm, so what one realm's subject remembers is not another's.
func NewRunner[L any](open func() Subject[L]) property.Runner { return runner[L](open) }

type runner[L any] func() Subject[L]

func (r runner[L]) Open(context.Context, int) (property.Realm, error) {
	return &realm[L]{open: r, subject: r()}, nil
}

type realm[L any] struct {
	open    func() Subject[L]
	subject Subject[L]
}

func (r *realm[L]) Reset(context.Context) error {
	r.subject = r.open()
	return nil
}

func (r *realm[L]) Close() error { return nil }

func (r *realm[L]) Run(ctx context.Context, p *property.Program) (*property.Transcript, error) {
	t := &property.Transcript{Steps: make([]property.Step, len(p.Calls))}
	held := make([]any, len(p.Calls))
	for i := range p.Calls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.Steps[i] = r.perform(p, i, held)
	}
	runtime.KeepAlive(held) // what a call returned is held until the program ends, as in every realm
	return t, nil
}

// perform makes one call. A panic is what an exception is in JavaScript.
func (r *realm[L]) perform(p *property.Program, i int, held []any) (step property.Step) {
	defer func() {
		if e := recover(); e != nil {
			step = property.Step{Threw: &property.Exception{Name: "panic", Message: fmt.Sprint(e)}}
		}
	}()
	c := p.Calls[i]
	arg := func(k int) any {
		if ref, ok := c.Args[k].IsRef(); ok {
			return held[ref]
		}
		return c.Args[k].Value()
	}
	text := func(k int) string { return c.Args[k].Value().Text() }
	switch c.Fn {
	case fnCreate:
		held[i] = r.subject.CreateEventLog()
		return property.Step{}
	case fnAppend:
		event := eventlog.Event{}
		switch a := arg(1).(type) {
		case *eventlog.Event:
			event = *a // its payload is the caller's memory, as it would be
		case property.Value:
			event = *newEvent(a)
		}
		log, err := r.subject.AppendEvent(arg(0).(L), event)
		if err != nil {
			return property.Step{Threw: &property.Exception{Name: "error", Message: err.Error()}}
		}
		held[i] = log
		return property.Step{}
	case fnEvents:
		held[i] = box(r.subject.GetEventsForSession(arg(0).(L), text(1)))
	case fnReplay:
		held[i] = box(r.subject.ReplaySession(arg(0).(L), text(1)))
	case fnList:
		held[i] = box(r.subject.ListSessions(arg(0).(L)))
	case property.VerbValue:
		held[i] = newEvent(c.Args[0].Value())
	case property.VerbLook:
		return answer(arg(0))
	case property.VerbSet:
		meddle(arg(0), c.Args[1].Value().Items(), c.Args[2].Value())
		return property.Step{}
	case property.VerbPush:
		push(arg(0), c.Args[2].Value())
		return property.Step{}
	case property.VerbMemory:
		return property.Step{Value: property.Num(float64(heapInUse()))}
	}
	return answer(held[i])
}

// box makes an answer something that can be appended to in place, as its owner in the program may do.
func box[T any](answer []T) any { return &answer }

func newEvent(v property.Value) *eventlog.Event {
	return &eventlog.Event{SessionID: v.Field("sessionId").Text(), Type: v.Field("type").Text(), Payload: json.RawMessage(v.Field("payload").JSON())}
}

// answer is the JSON of a value that the program holds. An event without an id is one that was handed in.
func answer(v any) property.Step {
	var data []byte
	var err error
	if e, ok := v.(*eventlog.Event); ok {
		data, err = json.Marshal(struct {
			SessionID string          `json:"sessionId"`
			Type      string          `json:"type"`
			Payload   json.RawMessage `json:"payload"`
		}{e.SessionID, e.Type, e.Payload})
	} else {
		data, err = json.Marshal(v)
	}
	if err != nil {
		return property.Step{Unreadable: &property.Exception{Name: "error", Message: err.Error()}}
	}
	value, err := property.ParseValue(string(data))
	if err != nil {
		return property.Step{Unreadable: &property.Exception{Name: "error", Message: err.Error()}}
	}
	return property.Step{Value: value}
}

func heapInUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // the first only lets go of what had a finalizer or lay in a pool
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
