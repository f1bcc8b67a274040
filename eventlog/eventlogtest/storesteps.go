package eventlogtest

import (
	"fmt"
	"slices"
	"strings"

	"forgetmenot/eventlog"

	"pgregory.net/rapid"
)

// A step is one thing done to a store, as data: a sequence of steps can be shown, repeated and made smaller. Ids are places in what has been
// stored, as no step knows what ids the store will give.
type step struct {
	do      string // "create", "append", "read", "list", "watch" or "reopen"
	session string
	title   string
	events  []eventlog.NewEvent
	key     string
	expect  string // "any", "none", "last", "first", "next"
	after   int    // the place of a cursor among the stored events, from the end
	until   int
	order   eventlog.SessionOrder
}

func (s step) String() string {
	var b strings.Builder
	b.WriteString(s.do)
	switch s.do {
	case "create":
		fmt.Fprintf(&b, " session %+q title %+q", s.session, s.title)
	case "append":
		fmt.Fprintf(&b, " to %+q", s.session)
		for _, e := range s.events {
			fmt.Fprintf(&b, " %+q %+q", e.Type, e.Payload)
		}
		fmt.Fprintf(&b, ", expecting %s, key %+q", s.expect, s.key)
	case "read", "watch":
		fmt.Fprintf(&b, " session %+q after the %dth event from the end until the %dth", s.session, s.after, s.until)
	case "list":
		fmt.Fprintf(&b, " in order %d behind the %dth session", s.order, s.after)
	}
	return b.String()
}

// drawSteps draws a sequence. Few sessions and keys, so that they meet.
func drawSteps(t *rapid.T, volatile bool) []step {
	sessions := rapid.SampledFrom([]string{"a", "A", "b", "\u00e9", "e\u0301", "a\x00"})
	does := []string{"create", "append", "append", "append", "append", "append", "read", "read", "list", "watch", "reopen"}
	if volatile {
		does = does[:len(does)-1]
	}
	var appends []step // to come again, with the same key or with another
	steps := make([]step, rapid.IntRange(5, 40).Draw(t, ""))
	for i := range steps {
		s := step{do: rapid.SampledFrom(does).Draw(t, ""), session: sessions.Draw(t, "")}
		if i < 3 {
			s.do = "create"
		}
		switch s.do {
		case "create":
			s.title = rapid.SampledFrom([]string{"", "t", "\u2028"}).Draw(t, "")
		case "append":
			s.expect = rapid.SampledFrom([]string{"any", "any", "any", "last", "last", "none", "first", "next"}).Draw(t, "")
			s.key = rapid.SampledFrom([]string{"", "", "k", "K", "k\x00"}).Draw(t, "")
			s.events = drawEvents(t, 0, 3)
			if n := len(appends); n > 0 {
				before := appends[rapid.IntRange(max(0, n-8), n-1).Draw(t, "")]
				switch rapid.IntRange(0, 5).Draw(t, "") {
				case 0:
					s.events = before.events
				case 1, 2:
					s.events, s.session, s.key = before.events, before.session, before.key
				}
			}
			appends = append(appends, s)
		default:
			s.after, s.until = rapid.IntRange(-1, 6).Draw(t, ""), rapid.IntRange(-1, 6).Draw(t, "")
			s.order = eventlog.SessionOrder(rapid.IntRange(0, 1).Draw(t, ""))
		}
		steps[i] = s
	}
	return steps
}

// smallest leaves out steps, and makes events plain, as long as there is still something wrong, within a budget of runs.
func (l *lab) smallest(steps []step, err error) ([]step, error) {
	runs := 500
	try := func(simpler []step) bool {
		runs--
		e := l.follow(simpler)
		if e != nil {
			steps, err = simpler, e
		}
		return e != nil
	}
	for size := max(1, len(steps)/2); size > 0; size /= 2 {
		for at := 0; at+size <= len(steps) && runs > 0; {
			if !try(slices.Delete(slices.Clone(steps), at, at+size)) {
				at += size
			}
		}
	}
	// An event becomes another wherever it stands, so that what was equal stays equal.
	for n, old := range distinct(steps) {
		for _, becomes := range [][]eventlog.NewEvent{{}, {note(n)}} {
			if runs > 0 && try(replaced(steps, old, becomes)) {
				break
			}
		}
	}
	return steps, err
}

// distinct is the events of the steps, each once.
func distinct(steps []step) []eventlog.NewEvent {
	var list []eventlog.NewEvent
	for _, s := range steps {
		for _, e := range s.events {
			if !slices.ContainsFunc(list, func(old eventlog.NewEvent) bool { return equalEvents(old, e) }) {
				list = append(list, e)
			}
		}
	}
	return list
}

func replaced(steps []step, old eventlog.NewEvent, becomes []eventlog.NewEvent) []step {
	again := slices.Clone(steps)
	for i := range again {
		var events []eventlog.NewEvent
		for _, e := range again[i].events {
			if equalEvents(e, old) {
				events = append(events, becomes...)
			} else {
				events = append(events, e)
			}
		}
		again[i].events = events
	}
	return again
}

func equalEvents(a, b eventlog.NewEvent) bool {
	return a.Type == b.Type && string(a.Payload) == string(b.Payload)
}
