package eventlogtest

import (
	"forgetmenot/grader/property"

	"pgregory.net/rapid"
)

func drawIndependence(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	sessions := d.sessionsFor(plainSessions)
	if size != property.Large {
		sessions = some(d, 2, sessions)
	}
	logs := []int{d.create()}
	heads := []int{logs[0]} // the ends of the lines so far
	for i := range d.events(1) + 1 {
		switch n := d.intn(0, 9); {
		case n < 2 && len(heads) < 4:
			log := d.create()
			logs, heads = append(logs, log), append(heads, log)
		case n < 5 && len(heads) < 5 && i > 0: // a fork from anywhere
			log := d.append(pick(d, logs), d.talk(d.session(sessions)))
			logs, heads = append(logs, log), append(heads, log)
			continue
		}
		at := d.intn(0, len(heads)-1)
		heads[at] = d.append(heads[at], d.talk(d.session(sessions)))
		logs = append(logs, heads[at])
		if d.chance(1) {
			d.askOne(heads[at], sessions)
		}
	}
	if len(heads) == 1 {
		heads = append(heads, d.create())
	}
	for _, log := range some(d, 3, heads) {
		switch {
		case size == property.Small && d.chance(6):
			d.askOne(log, sessions)
		case d.chance(2):
			d.ask(log, some(d, 2, sessions))
		default:
			d.readEvents(log, d.session(sessions))
			d.askOne(log, sessions)
		}
	}
	return d.p
}

// checkIndependence judges whether each log value holds its own events and no other log's.
func checkIndependence(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	names := p.Names()
	for _, q := range h.questions() {
		var want property.Value
		got := t.Steps[q.call].Value
		ok := false
		switch q.fn {
		case fnEvents:
			entries := h.of(q.log, q.session)
			want = expectedEvents(entries, got.Items())
			ok = len(entries) == len(got.Items())
			for i := 0; ok && i < len(entries); i++ {
				ok = sameEvent(entries[i], got.Items()[i])
			}
			for i := 1; ok && i < len(entries); i++ { // another log's appends must not take this one's ids either
				if ok = got.Items()[i].Field("eventId").Number() > got.Items()[i-1].Field("eventId").Number(); !ok {
					want = property.Value{}
				}
			}
		case fnList:
			want = listOf(h.sessions(q.log))
			ok = got.Equal(want)
		default:
			want = property.ListOf(h.messages(q.log, q.session)...)
			ok = got.Equal(want)
		}
		if !ok {
			return &refutation{At: q.call, Against: -1, Expected: want, NoExpected: want.Kind() == property.Null, Actual: t.Steps[q.call], Message: say(
				"%s does not hold just what was appended to it: another log has reached into it.",
				"%s 里的内容不只是追加给它的：另一个日志影响了它。", names[q.log])}
		}
	}
	return nil
}
