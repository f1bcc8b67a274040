//go:build js && wasm

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"syscall/js"

	"forgetmenot/eventlog"
)

// exportReference gives JavaScript the Go log under the exercise's five names. It needs web/src/bridge.ts, which was there before this program
// began: what Go cannot do from its side, that is to throw, to read a text unchanged, and to learn that an object is no longer used.
func exportReference() {
	bridge := js.Global().Get("forgetMeNotBridge")
	if bridge.IsUndefined() {
		return
	}
	r := &reference{bridge: bridge, logs: map[int]eventlog.Log{}}
	bridge.Set("release", js.FuncOf(func(_ js.Value, args []js.Value) any {
		delete(r.logs, args[0].Int())
		return nil
	}))
	r.define("createEventLog", func([]js.Value) (any, error) { return r.add(eventlog.New()), nil })
	r.define("appendEvent", func(args []js.Value) (any, error) {
		log, err := r.log(args)
		if err != nil {
			return nil, err
		}
		event, err := r.event(args)
		if err != nil {
			return nil, err
		}
		next, err := log.Append(event.SessionID, event.Type, event.Payload)
		if err != nil {
			return nil, err
		}
		return r.add(next), nil
	})
	r.define("getEventsForSession", r.reader(func(log eventlog.Log, session string) any { return log.Events(session) }))
	r.define("listSessions", r.reader(func(log eventlog.Log, _ string) any { return log.Sessions() }))
	r.define("replaySession", r.reader(func(log eventlog.Log, session string) any { return log.Replay(session) }))
	// How many bytes the logs hold, for the property about memory.
	r.define("eventLogMemory", func([]js.Value) (any, error) {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc), nil
	})
}

// A reference holds the Go logs that JavaScript has objects for, by number.
type reference struct {
	bridge js.Value
	logs   map[int]eventlog.Log
	last   int
}

// define exports a function; its error becomes a thrown Error.
func (r *reference) define(name string, fn func(args []js.Value) (any, error)) {
	inner := js.FuncOf(func(_ js.Value, args []js.Value) any {
		value, err := fn(args)
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"value": value}
	})
	js.Global().Set(name, r.bridge.Call("throwing", name, inner))
}

func (r *reference) reader(read func(eventlog.Log, string) any) func(args []js.Value) (any, error) {
	return func(args []js.Value) (any, error) {
		log, err := r.log(args)
		if err != nil {
			return nil, err
		}
		session := ""
		if len(args) > 1 {
			if session, err = r.text(args[1], "the session id"); err != nil {
				return nil, err
			}
		}
		return r.bridge.Call("parse", string(asciiJSON(read(log, session)))), nil
	}
}

func (r *reference) add(log eventlog.Log) js.Value {
	r.last++
	r.logs[r.last] = log
	return r.bridge.Call("log", r.last)
}

func (r *reference) log(args []js.Value) (eventlog.Log, error) {
	if len(args) > 0 {
		if log, ok := r.logs[r.bridge.Call("numberOf", args[0]).Int()]; ok {
			return log, nil
		}
	}
	return eventlog.Log{}, errors.New("the first argument is not a log: pass what createEventLog or appendEvent returned")
}

func (r *reference) event(args []js.Value) (e eventlog.Event, err error) {
	if len(args) < 2 || args[1].Type() != js.TypeObject {
		return e, errors.New("the event must be an object { sessionId, type, payload }")
	}
	if e.SessionID, err = r.text(args[1].Get("sessionId"), "sessionId"); err != nil {
		return e, err
	}
	if e.Type, err = r.text(args[1].Get("type"), "type"); err != nil {
		return e, err
	}
	e.Payload = json.RawMessage(r.bridge.Call("ascii", args[1].Get("payload")).String())
	return e, nil
}

// text reads a string by way of ASCII JSON: one that is handed over directly would lose a byte order mark.
func (r *reference) text(v js.Value, what string) (string, error) {
	if v.Type() != js.TypeString {
		return "", fmt.Errorf("%s must be a string", what)
	}
	var s string
	err := json.Unmarshal([]byte(r.bridge.Call("ascii", v).String()), &s)
	return s, err
}
