package eventlogtest

import (
	"forgetmenot/grader/property"

	"pgregory.net/rapid"
)

func drawContract(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	sessions := d.sessionsFor(plainSessions)
	log := d.create()
	if d.chance(4) {
		d.askOne(log, []string{"nobody"})
	}
	for range d.events(0) {
		log = d.append(log, d.anyEvent(d.session(sessions)))
	}
	asked := append(some(d, 2, sessions), "nobody")
	if size != property.Small {
		d.ask(log, asked)
		return d.p
	}
	for range d.intn(1, 3) {
		d.askOne(log, asked)
	}
	return d.p
}

func drawAppend(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	sessions := d.sessionsFor(plainSessions)
	log := d.create()
	var last property.Value
	n := d.events(1)
	for i := range n {
		if i == 0 || !d.chance(2) { // now and then the very same event again
			last = d.anyEvent(d.session(sessions))
		}
		log = d.append(log, last)
		if i < n-1 && d.intn(0, 2+n) == 0 {
			d.readEvents(log, d.session(sessions))
		}
	}
	for _, s := range sessions {
		d.readEvents(log, s)
	}
	return d.p
}

func drawImmutability(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	sessions := d.sessionsFor(plainSessions)
	logs := []int{d.create()}
	// A log value that is watched is asked when it is made, and again at the end.
	watched := []int{}
	watch := func(log int) {
		watched = append(watched, log)
	}
	asked := some(d, 1, sessions)
	how := d.intn(0, 7) // mostly one question: what is asked is asked of every watched value, and twice
	if size == property.Large {
		how = 7
	}
	ask := func(log int) {
		switch how {
		case 0, 1, 2:
			d.readEvents(log, asked[0])
		case 3:
			d.list(log)
			d.readEvents(log, asked[0])
		case 4, 5:
			d.replay(log, asked[0])
		case 6:
			d.list(log)
		default:
			d.ask(log, asked)
		}
	}
	n := d.events(1)
	if d.chance(5) {
		watch(logs[0])
		ask(logs[0])
	}
	for i := range n {
		from := logs[len(logs)-1]
		if size != property.Large && d.chance(3) { // a long line must be long
			from = pick(d, logs)
		}
		log := d.append(from, d.message(d.session(sessions)))
		logs = append(logs, log)
		if len(watched) == 0 && i >= n/3 || len(watched) < 3 && i < n-1 && d.intn(0, n) == 0 {
			watch(log)
			ask(log)
		}
	}
	// At least one append follows the last value that is watched, often a fork from it.
	from := pick(d, watched)
	if size != property.Small { // what is done differently once a log is long
		from = logs[len(logs)-1]
		watch(from)
		ask(from)
	}
	d.append(from, d.message(pick(d, asked)))
	if d.chance(4) {
		d.append(logs[len(logs)-1], d.message(pick(d, asked)))
	}
	for _, log := range watched {
		ask(log)
	}
	return d.p
}

func drawIsolation(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	written, read := d.confusableSessions()
	log := d.create()
	for i := range max(d.events(1), 1) {
		s := pick(d, written)
		if i < len(written) {
			s = written[i]
		}
		log = d.append(log, d.talk(s))
	}
	asked := read
	if size == property.Small {
		asked = some(d, 3, read)
	}
	for _, s := range asked {
		d.readEvents(log, s)
	}
	for _, s := range some(d, d.intn(1, 2), read) {
		d.replay(log, s)
	}
	return d.p
}

// talk is a message, or a tool's call or result under a call id that other sessions use too.
func (d *drawing) talk(session string) property.Value {
	switch d.intn(0, 9) {
	case 0, 1:
		return eventOf(session, "tool_call", property.ObjectOf(field("callId", str("c1")), field("name", str(d.tag())), field("arguments", str("{}"))))
	case 2, 3:
		return eventOf(session, "tool_result", property.ObjectOf(field("callId", str("c1")), field("content", str(d.tag()))))
	}
	return d.message(session)
}

func drawIDs(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	sessions := d.sessionsFor(plainSessions)
	log := d.create()
	var last property.Value
	logs := []int{log}
	n := d.events(1) + 1
	for i := range n {
		if i == 0 || !d.chance(3) {
			last = d.anyEvent(d.session(sessions))
		}
		from := log
		if size == property.Small && d.chance(1) { // a long line must be long
			from = pick(d, logs)
		}
		log = d.append(from, last)
		logs = append(logs, log)
	}
	for _, s := range sessions {
		d.readEvents(log, s)
	}
	return d.p
}

func drawSessions(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	pool := plainSessions
	if d.chance(6) {
		pool = orderly
	}
	if size == property.Small && d.chance(3) {
		pool = pick(d, confusable)
	}
	sessions := d.sessionsFor(pool)
	if size == property.Small {
		sessions = some(d, d.intn(2, 4), pool)
	}
	log := d.create()
	for i := range d.events(2) {
		s := d.session(sessions)
		if size == property.Large && i < len(sessions) { // none is left out
			s = sessions[i]
		}
		log = d.append(log, d.anyEvent(s))
		if d.chance(1) {
			d.list(log)
		}
	}
	d.list(log)
	return d.p
}

func drawReplay(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	sessions := some(d, d.intn(1, 2), plainSessions)
	log := d.create()
	n := d.events(1)
	for i := 0; i < n; i++ {
		s := d.session(sessions)
		if d.chance(2) { // calls made in parallel, and their results in the order in which they came
			a, b := pick(d, callIDs), pick(d, callIDs)
			for _, id := range []string{a, b} {
				log = d.append(log, eventOf(s, "tool_call", property.ObjectOf(field("callId", str(id)), field("name", str("search")), field("arguments", str(pick(d, argumentTexts))))))
			}
			for _, id := range []string{b, a} {
				log = d.append(log, eventOf(s, "tool_result", property.ObjectOf(field("callId", str(id)), field("content", d.content()))))
			}
			i += 3
			continue
		}
		log = d.append(log, d.anyEvent(s))
	}
	for _, s := range sessions {
		d.replay(log, s)
	}
	return d.p
}

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

func drawPurity(t *rapid.T, size property.Size) *program {
	d := draw(t, size)
	sessions := d.sessionsFor(plainSessions)
	n := d.events(1)
	events := make([]property.Value, n)
	for i := range events {
		events[i] = d.anyEvent(d.session(sessions))
	}
	build := func(asVariables bool) (log int, vars []int) {
		log = d.create()
		for _, e := range events {
			if asVariables {
				v := d.p.Add(property.VerbValue, property.Opaque, property.Lit(e))
				vars = append(vars, v)
				log = d.p.Add(fnAppend, property.Opaque, property.Ref(log), property.Ref(v))
			} else {
				log = d.append(log, e)
			}
		}
		return log, vars
	}
	asked := some(d, 1, sessions)
	first, vars := build(d.size == property.Small && d.chance(7))
	if d.chance(2) { // before anything else has been asked
		d.list(first)
	}
	how := d.intn(0, 7)
	ask := func(log int) {
		switch {
		case size != property.Small || how < 2:
			d.ask(log, asked)
		case how < 5:
			d.readEvents(log, asked[0])
		case how < 7:
			d.replay(log, asked[0])
		default:
			d.list(log)
		}
	}
	ask(first)
	for _, v := range vars {
		d.p.Add(property.VerbLook, property.Plain, property.Ref(v))
	}
	switch d.intn(0, 3) {
	case 0: // the same questions again
		ask(first)
	case 1: // the same event appended twice to one log value
		e := d.anyEvent(asked[0])
		once, twice := d.append(first, e), d.append(first, e)
		d.readEvents(once, asked[0])
		d.readEvents(twice, asked[0])
	default: // the same history made again
		if d.chance(3) {
			d.append(d.create(), d.message("elsewhere"))
		}
		second, _ := build(false)
		ask(second)
	}
	return d.p
}

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
