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
