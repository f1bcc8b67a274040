package eventlogtest

import (
	"slices"

	"forgetmenot/grader/property"
)

// smaller proposes simpler programs: fewer sessions, everything in the plainest event, then part by part, then plainer names. What is
// simpler for a reader need not be shorter; shrinking ends all the same, since it tries no program twice.
func smaller(p *program) []*program {
	var out []*program
	add := func(q *program) {
		if q != nil && string(q.Encode()) != string(p.Encode()) {
			out = append(out, q)
		}
	}
	ids := sessionIDs(p)
	// All appends of equal events at once: a program that makes one history twice shrinks in step.
	seen := map[string]bool{}
	for _, c := range p.Calls {
		k := eventArg(c)
		if k < 0 || seen[c.Args[k].Value().JSON()] {
			continue
		}
		text := c.Args[k].Value().JSON()
		seen[text] = true
		out = append(out, p.Without(func(c property.Call) bool { k := eventArg(c); return k >= 0 && c.Args[k].Value().JSON() == text }))
	}
	// One empty log for two.
	first := -1
	for i, c := range p.Calls {
		if c.Fn != fnCreate {
			continue
		}
		if first < 0 {
			first = i
			continue
		}
		out = append(out, p.Merge(i, first))
	}
	// The question put to the log that all began with.
	for i, c := range p.Calls {
		if c.Fn != fnEvents && c.Fn != fnList && c.Fn != fnReplay {
			continue
		}
		for root := range p.Calls[:i] {
			if at, _ := c.Args[0].IsRef(); p.Calls[root].Fn == fnCreate && root < at {
				add(withArg(p, i, 0, property.Ref(root)))
			}
		}
	}
	// Fewer sessions: all that is in one, moved to another.
	for i := len(ids) - 1; i > 0; i-- {
		add(renamed(p, ids[i], ids[0]))
	}
	// Every event the plainest at once.
	add(mapEvents(p, func(e property.Value) property.Value { return plainest(e) }))
	// Each event by itself: the plainest, then with a plainer payload, then without a field.
	for i, c := range p.Calls {
		k := eventArg(c)
		if k < 0 {
			continue
		}
		e := c.Args[k].Value()
		for _, simpler := range simplerEvents(e) {
			add(withArg(p, i, k, property.Lit(simpler)))
		}
	}
	// A fork made where its own line began; an append to an earlier log.
	for i, c := range p.Calls {
		if c.Fn != fnAppend {
			continue
		}
		from, _ := c.Args[0].IsRef()
		if p.Calls[from].Fn == fnAppend {
			add(withArg(p, i, 0, p.Calls[from].Args[0]))
		}
	}
	// Plainer session names, so long as they are not already there.
	for _, id := range ids {
		for _, plain := range []string{"a", "b", "c"} {
			if !slices.Contains(ids, plain) && (len(plain) < len(id) || len(plain) == len(id) && plain < id) {
				add(renamed(p, id, plain))
				break
			}
		}
	}
	// The plainer question, in every place at once: what was stored, not what it folds to.
	if slices.ContainsFunc(p.Calls, func(c property.Call) bool { return c.Fn == fnReplay }) {
		q := &program{Calls: slices.Clone(p.Calls)}
		for i := range q.Calls {
			if q.Calls[i].Fn == fnReplay {
				q.Calls[i].Fn = fnEvents
			}
		}
		add(q)
	}
	return out
}

// eventArg is the argument of a call that holds a literal event, or -1.
func eventArg(c property.Call) int {
	switch c.Fn {
	case fnAppend:
		if _, ok := c.Args[1].IsRef(); !ok {
			return 1
		}
	case property.VerbValue:
		return 0
	}
	return -1
}

func plainest(e property.Value) property.Value {
	return eventOf(e.Field("sessionId").Text(), "note", property.ObjectOf())
}

func simplerEvents(e property.Value) []property.Value {
	session, kind, payload := e.Field("sessionId").Text(), e.Field("type").Text(), e.Field("payload")
	out := []property.Value{plainest(e), eventOf(session, kind, property.ObjectOf())}
	if kind != "note" && kind != "user_message" {
		out = append(out, eventOf(session, "note", payload))
		if c, ok := payload.Get("content"); ok {
			out = append(out, eventOf(session, "user_message", property.ObjectOf(field("content", c))))
		}
	}
	for _, key := range payload.Keys() {
		out = append(out, e.With("payload", payload.Without(key)))
	}
	for _, key := range payload.Keys() {
		for _, v := range simplerValues(payload.Field(key)) {
			out = append(out, e.With("payload", payload.With(key, v)))
		}
	}
	return out
}

func simplerValues(v property.Value) []property.Value {
	var out []property.Value
	switch v.Kind() {
	case property.Text:
		// Not the empty text: whoever reads an example with one takes the emptiness for the point. So it goes too, where it is not.
		if v.Text() != "x" {
			out = append(out, property.String("x"))
		}
	case property.Number:
		if v.Number() != 0 && v.Number() != 1 {
			out = append(out, property.Num(1))
		}
	case property.List:
		out = append(out, property.String("x"))
		for i := range v.Items() {
			out = append(out, property.ListOf(slices.Delete(slices.Clone(v.Items()), i, i+1)...))
		}
	case property.Object:
		out = append(out, property.String("x"))
		for _, k := range v.Keys() {
			out = append(out, v.Without(k))
			for _, w := range simplerValues(v.Field(k)) {
				out = append(out, v.With(k, w))
			}
		}
	}
	return out
}

// sessionIDs are the ids that a program names, in order.
func sessionIDs(p *program) []string {
	var ids []string
	add := func(id string) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, c := range p.Calls {
		if k := eventArg(c); k >= 0 {
			add(c.Args[k].Value().Field("sessionId").Text())
		} else if c.Fn == fnEvents || c.Fn == fnReplay {
			add(c.Args[1].Value().Text())
		}
	}
	return ids
}

func renamed(p *program, from, to string) *program {
	q := mapEvents(p, func(e property.Value) property.Value {
		if e.Field("sessionId").Text() == from {
			return e.With("sessionId", property.String(to))
		}
		return e
	})
	for i, c := range q.Calls {
		if (c.Fn == fnEvents || c.Fn == fnReplay) && c.Args[1].Value().Text() == from {
			q = withArg(q, i, 1, property.Str(to))
		}
	}
	return q
}

func mapEvents(p *program, change func(property.Value) property.Value) *program {
	q := &program{Calls: slices.Clone(p.Calls)}
	for i, c := range q.Calls {
		if k := eventArg(c); k >= 0 {
			args := slices.Clone(c.Args)
			args[k] = property.Lit(change(args[k].Value()))
			q.Calls[i].Args = args
		}
	}
	return q
}

func withArg(p *program, call, arg int, a property.Arg) *program {
	q := &program{Calls: slices.Clone(p.Calls)}
	args := slices.Clone(q.Calls[call].Args)
	args[arg] = a
	q.Calls[call].Args = args
	return q
}
