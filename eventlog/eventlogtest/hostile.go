package eventlogtest

import (
	"forgetmenot/grader/property"

	"pgregory.net/rapid"
)

func drawHostile(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	sessions := some(d, d.intn(1, 3), hostile)
	if size == property.Large {
		sessions = hostile
	}
	log := d.create()
	for range min(d.events(1), 24) {
		s := d.session(sessions)
		if d.chance(2) {
			s = "red"
		}
		log = d.append(log, d.hostileEvent(s))
	}
	asked := append(some(d, 2, sessions), pick(d, hostile))
	if size != property.Small {
		d.ask(log, asked)
		return d.p
	}
	for _, s := range asked {
		if d.chance(6) {
			d.readEvents(log, s)
		} else {
			d.replay(log, s)
		}
	}
	if d.chance(4) {
		d.list(log)
	}
	return d.p
}

func (d *drawing) hostileEvent(session string) property.Value {
	name := pick(d, hostile)
	switch d.intn(0, 5) {
	case 0:
		return eventOf(session, "tool_call", property.ObjectOf(field("callId", str(name)), field("name", str(pick(d, hostile))), field("arguments", str("{}"))))
	case 1:
		return eventOf(session, "tool_result", property.ObjectOf(field("callId", str(name)), field("content", str(d.tag()))))
	case 2:
		return eventOf(session, name, property.ObjectOf(field(name, str(d.tag()))))
	case 3:
		return eventOf(session, "note", property.ObjectOf(field("content", str(d.tag())), field(name, property.ObjectOf(field("x", property.Num(1))))))
	case 4:
		return eventOf(session, "user_message", property.ObjectOf(field("content", property.ObjectOf(field(name, str(d.tag()))))))
	}
	return eventOf(session, "user_message", property.ObjectOf(field("content", str(name)), field(name, property.Value{})))
}

// checkHostile judges everything, for names that mean something to JavaScript.
func checkHostile(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	for _, q := range h.questions() {
		got := t.Steps[q.call].Value
		want, ok := property.Value{}, false
		switch q.fn {
		case fnList:
			want = listOf(h.sessions(q.log))
			ok = got.Equal(want)
		case fnReplay:
			want = property.ListOf(h.messages(q.log, q.session)...)
			ok = got.Equal(want)
		default:
			entries := h.of(q.log, q.session)
			want = expectedEvents(entries, got.Items())
			ok = len(entries) == len(got.Items())
			for i := 0; ok && i < len(entries); i++ {
				ok = sameEvent(entries[i], got.Items()[i])
			}
		}
		if !ok {
			return &refutation{At: q.call, Against: -1, Expected: want, Actual: t.Steps[q.call], Message: say(
				"A name that means something to JavaScript objects is a name like any other here, and %s does not treat it so.",
				"对 JavaScript 对象有特殊含义的名字，在这里只是普通的名字，但 %s 没有这样对待它。", q.fn)}
		}
	}
	return nil
}
