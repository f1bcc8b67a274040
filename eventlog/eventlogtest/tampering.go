package eventlogtest

import (
	"forgetmenot/grader/property"

	"pgregory.net/rapid"
)

func drawTamper(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	sessions := some(d, 2, plainSessions)
	log := d.create()
	var vars []int
	n := min(d.events(1), 20)
	for range n {
		e := d.tamperable(d.session(sessions))
		if d.chance(6) {
			v := d.p.Add(property.VerbValue, property.Opaque, property.Lit(e))
			vars = append(vars, v)
			log = d.p.Add(fnAppend, property.Opaque, property.Ref(log), property.Ref(v))
		} else {
			log = d.append(log, e)
		}
	}
	h := historyOf(d.p)
	for range d.intn(1, 2) {
		s := d.session(sessions)
		ask := func() int { return d.readEvents(log, s) }
		switch d.intn(0, 3) {
		case 1:
			ask = func() int { return d.list(log) }
		case 2:
			ask = func() int { return d.replay(log, s) }
		}
		if len(vars) > 0 && d.chance(5) {
			if d.chance(5) { // else the event changes before anybody has read it
				ask()
			}
			d.tamperEvent(pick(d, vars))
		} else {
			d.tamperAnswer(ask(), h, log, s)
		}
		ask()
	}
	return d.p
}

// tamperable is an event with something inside to change.
func (d *drawing) tamperable(session string) property.Value {
	switch d.intn(0, 3) {
	case 0:
		return eventOf(session, "tool_call", property.ObjectOf(field("callId", str("c1")), field("name", str("search")), field("arguments", str("{}"))))
	case 1:
		return eventOf(session, "note", property.ObjectOf(field("content", str(d.tag())), field("inner", property.ObjectOf(field("x", property.Num(1)), field("list", property.ListOf(property.Num(1)))))))
	case 2:
		return eventOf(session, "user_message", property.ObjectOf(field("content", property.ObjectOf(field("text", str(d.tag()))))))
	}
	return d.message(session)
}

func path(keys ...any) property.Arg {
	items := make([]property.Value, len(keys))
	for i, k := range keys {
		switch k := k.(type) {
		case int:
			items[i] = property.Num(float64(k))
		case string:
			items[i] = property.String(k)
		}
	}
	return property.Lit(property.ListOf(items...))
}

func (d *drawing) set(ref int, at property.Arg, to property.Value) {
	d.p.Add(property.VerbSet, property.Nothing, property.Ref(ref), at, property.Lit(to))
}

// tamperEvent changes an event that was handed in.
func (d *drawing) tamperEvent(v int) {
	payload := historyOf(d.p).values[v].Field("payload") // as it is by now
	if len(payload.Keys()) == 0 {
		d.set(v, path("payload", "added"), property.Num(1))
		return
	}
	switch d.intn(0, 4) {
	case 0:
		d.set(v, path("type"), str("changed"))
	case 1:
		d.set(v, path("payload"), property.ObjectOf())
	case 2:
		d.set(v, path("payload", "added"), property.Num(1))
	default:
		if _, ok := payload.Get("inner"); ok && d.chance(5) {
			d.set(v, path("payload", "inner", "list", 0), str("changed"))
		} else if ok {
			d.set(v, path("payload", "inner", "x"), str("changed"))
		} else if payload.Field("content").Kind() == property.Object {
			d.set(v, path("payload", "content", "text"), str("changed"))
		} else {
			d.set(v, path("payload", payload.Keys()[0]), str("changed"))
		}
	}
}

// tamperAnswer changes what a question was answered with, where the contract says that something stands.
func (d *drawing) tamperAnswer(answer int, h *history, log int, session string) {
	push := func(v property.Value) {
		d.p.Add(property.VerbPush, property.Nothing, property.Ref(answer), path(), property.Lit(v))
	}
	switch d.p.Calls[answer].Fn {
	case fnList:
		if d.chance(5) && len(h.logs[log]) > 0 {
			d.set(answer, path(0), str("changed"))
		} else {
			push(str("added"))
		}
	case fnReplay:
		messages := h.messages(log, session)
		if len(messages) == 0 || d.chance(2) {
			push(property.ObjectOf(field("role", str("user")), field("content", str("added"))))
			return
		}
		i := d.intn(0, len(messages)-1)
		switch {
		case messages[i].Field("toolCalls").Kind() == property.List && d.chance(7):
			d.set(answer, path(i, "toolCalls", 0, "name"), str("changed"))
		case messages[i].Field("content").Kind() == property.Object:
			d.set(answer, path(i, "content", "text"), str("changed"))
		default:
			d.set(answer, path(i, "content"), str("changed"))
		}
	default:
		events := h.of(log, session)
		if len(events) == 0 || d.chance(2) {
			push(eventOf(session, "note", property.ObjectOf()).With("eventId", property.Num(1000)))
			return
		}
		i := d.intn(0, len(events)-1)
		payload := events[i].event.Field("payload")
		switch d.intn(0, 3) {
		case 0:
			d.set(answer, path(i, "type"), str("changed"))
		case 1:
			d.set(answer, path(i, "payload", "added"), property.Num(1))
		default:
			if _, ok := payload.Get("inner"); ok && d.chance(5) {
				d.set(answer, path(i, "payload", "inner", "list", 0), str("changed"))
			} else if ok {
				d.set(answer, path(i, "payload", "inner", "x"), str("changed"))
			} else if payload.Field("content").Kind() == property.Object {
				d.set(answer, path(i, "payload", "content", "text"), str("changed"))
			} else {
				d.set(answer, path(i, "payload", payload.Keys()[0]), str("changed"))
			}
		}
	}
}

// checkTamper judges whether a stranger who changes what he handed in, or what he was given, changes history.
func checkTamper(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	handedIn := map[int]bool{}
	for i, c := range p.Calls {
		if c.Fn == fnAppend {
			if ref, ok := c.Args[1].IsRef(); ok {
				handedIn[ref] = true
			}
		}
		if c.Fn != property.VerbSet && c.Fn != property.VerbPush {
			continue
		}
		ref, _ := c.Args[0].IsRef()
		if _, ours := h.values[ref]; ours && handedIn[ref] && t.Steps[i].Threw != nil {
			return &refutation{At: i, Against: ref, NoExpected: true, Actual: t.Steps[i], Message: say(
				"%s was handed to appendEvent, and now cannot be changed by its owner: it has been frozen. Copy it instead.",
				"%s 传给 appendEvent 之后，它的主人无法再修改它：它被冻结了。请复制它，而不是冻结它。", p.Names()[ref])}
		}
	}
	if before, again, found := repeated(h, t, func(log int) int { return log }); found {
		return &refutation{At: again.call, Against: before.call, Expected: t.Steps[before.call].Value, Actual: t.Steps[again.call], Message: say(
			"History was changed from outside: %s answers differently after somebody changed a value of his own.",
			"历史被从外部改动了：有人修改了自己手里的值，%s 的回答就变了。", p.Names()[again.log])}
	}
	for _, q := range h.questions() {
		if q.fn != fnEvents {
			continue
		}
		got, want := answered(t, q), h.of(q.log, q.session)
		for i, e := range want {
			c := p.Calls[e.call]
			ref, ok := c.Args[1].IsRef()
			if !ok || !h.touched[ref] || (i < len(got) && sameEvent(e, got[i])) {
				continue
			}
			return &refutation{At: q.call, Against: e.call, Expected: expectedEvents(want, got), Actual: t.Steps[q.call], Message: say(
				"%s was appended and changed by its owner afterwards, and the log changed with it. Keep a copy.",
				"%s 在追加之后被它的主人修改，日志也跟着变了。请保存一份副本。", p.Names()[ref])}
		}
	}
	return nil
}
