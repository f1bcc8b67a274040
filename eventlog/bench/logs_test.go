package main

import (
	"reflect"
	"testing"

	"forgetmenot/eventlog"
)

// What is compared does the same: all three logs hold the same events.
func TestLogsAgree(t *testing.T) {
	w := work{events: 500, sessions: 7}
	ours, slice, list := eventlog.New(), newPlain(), newPersistent()
	for _, name := range w.names() {
		ours = appendOurs(ours, name)
		slice.append(name)
		list = list.append(name)
	}
	if !reflect.DeepEqual(ours.Sessions(), slice.sessions) {
		t.Errorf("sessions: %q and %q", ours.Sessions(), slice.sessions)
	}
	for _, name := range slice.sessions {
		events := ours.Events(name)
		if !reflect.DeepEqual(events, slice.read(name)) {
			t.Errorf("session %q differs from slice+map", name)
		}
		places, _ := list.index.Get(name)
		for i, e := range events {
			if !reflect.DeepEqual(e, list.events.Get(places.Get(i))) {
				t.Errorf("session %q differs from immutable at %d", name, i)
			}
		}
	}
}
