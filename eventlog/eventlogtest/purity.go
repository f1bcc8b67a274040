package eventlogtest

import (
	"forgetmenot/grader/property"

	"pgregory.net/rapid"
)

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

// checkPurity judges whether equal calls gave equal answers, and whether arguments came back as they were given.
func checkPurity(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	for i, c := range p.Calls {
		if c.Fn != property.VerbLook {
			continue
		}
		ref, _ := c.Args[0].IsRef()
		want, ok := h.values[ref]
		if !ok || h.touched[ref] {
			continue
		}
		if got := t.Steps[i]; !got.Answered() || !got.Value.Equal(want) {
			return &refutation{At: i, Against: ref, Expected: want, Actual: got, Message: say(
				"%s was changed by a function that it was given to. Arguments must come back as they were.",
				"%s 被接收它的函数修改了。参数必须保持传入时的样子。", p.Names()[ref])}
		}
	}
	before, again, found := repeated(h, t, func(log int) int { return h.classes[log] })
	if !found {
		return nil
	}
	m := say("The same calls were made twice and the answers differ. An answer may depend on nothing but the arguments.",
		"同样的调用进行了两次，回答却不同。回答只能取决于参数。")
	return &refutation{At: again.call, Against: before.call, Expected: t.Steps[before.call].Value, Actual: t.Steps[again.call], Message: m}
}
