package eventlogtest

import (
	"fmt"
	"sort"

	"forgetmenot/grader/property"
)

// checkContract judges kinds: what each function answers with, whatever it says.
func checkContract(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	for _, q := range h.questions() {
		items := answered(t, q)
		known := q.fn == fnList && len(h.logs[q.log]) > 0 || q.fn != fnList && len(h.of(q.log, q.session)) > 0
		if !known && len(items) > 0 {
			m := say("%s answered with something for a session that has no events; it should be [].", "会话没有事件时，%s 应当返回 []，却返回了内容。", q.fn)
			if len(h.logs[q.log]) == 0 {
				m = say("%s answered with something for an empty log; it should be [].", "日志为空时，%s 应当返回 []，却返回了内容。", q.fn)
			}
			return &refutation{At: q.call, Against: -1, Expected: property.ListOf(), Actual: t.Steps[q.call], Message: m}
		}
		for i, item := range items {
			if key, want := wrongField(q.fn, item); key != "" {
				place := fmt.Sprintf("[%d].%s", i, key)
				if key == "item" {
					place = fmt.Sprintf("[%d]", i)
				}
				return &refutation{At: q.call, Against: -1, NoExpected: true, Actual: t.Steps[q.call], Message: words{
					En: fmt.Sprintf("In the answer of %s, %s should be %s.", q.fn, place, want.En),
					Zh: fmt.Sprintf("%s 的返回值中，%s 应当是%s。", q.fn, place, want.Zh),
				}}
			}
		}
	}
	return nil
}

// wrongField names the first part of an answer's item that is of the wrong kind, and what it should be.
func wrongField(fn string, item property.Value) (key string, want words) {
	type part struct {
		key  string
		kind property.Kind
	}
	var parts []part
	switch fn {
	case fnList:
		if item.Kind() != property.Text {
			return "item", words{En: "a string (a session id)", Zh: "字符串（会话编号）"}
		}
		return "", words{}
	case fnEvents:
		parts = []part{{"eventId", property.Number}, {"sessionId", property.Text}, {"type", property.Text}, {"payload", property.Object}}
	default:
		parts = []part{{"role", property.Text}}
	}
	if item.Kind() != property.Object {
		return "item", words{En: property.Object.String(), Zh: kindsZh[property.Object]}
	}
	for _, f := range parts {
		if v, ok := item.Get(f.key); !ok || v.Kind() != f.kind {
			return f.key, words{En: f.kind.String(), Zh: kindsZh[f.kind]}
		}
	}
	return "", words{}
}

// checkAppend judges what a log holds after each append: the earlier events as they were, then the new one as it was handed in.
func checkAppend(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	var asked []question
	for _, q := range h.questions() {
		if q.fn != fnEvents {
			continue
		}
		got, want := answered(t, q), h.of(q.log, q.session)
		r := &refutation{At: q.call, Against: -1, Expected: expectedEvents(want, got), Actual: t.Steps[q.call]}
		for i, e := range want {
			if i < len(got) && sameEvent(e, got[i]) {
				continue
			}
			switch {
			case i < len(got) && len(got) >= len(want):
				r.Message = say("Event %d of session %s is not the one that was appended.", "会话 %[2]s 的第 %[1]d 个事件与追加时不同。", i+1, quoted(q.session))
			case i == len(want)-1:
				r.Message = say("The event that was appended last is missing from session %s.", "会话 %s 中缺少最后追加的事件。", quoted(q.session))
			default:
				r.Message = say("Session %s has lost an event that was appended earlier.", "会话 %s 丢失了之前追加的事件。", quoted(q.session))
			}
			return r
		}
		if len(got) > len(want) {
			r.Message = say("Session %s has more events than were appended to it.", "会话 %s 的事件比追加的多。", quoted(q.session))
			return r
		}
		for _, before := range asked {
			if before.session != q.session || !h.descends(q.log, before.log) {
				continue
			}
			for i, old := range answered(t, before) {
				if i < len(got) && !old.Field("eventId").Equal(got[i].Field("eventId")) {
					r.Against = before.call
					fixed := append([]property.Value(nil), r.Expected.Items()...)
					fixed[i] = fixed[i].With("eventId", old.Field("eventId"))
					r.Expected = property.ListOf(fixed...)
					r.Message = say("The id of an earlier event has changed: it was %s and is now %s.", "较早事件的编号变了：原来是 %s，现在是 %s。", old.Field("eventId").Pretty(), got[i].Field("eventId").Pretty())
					return r
				}
			}
		}
		asked = append(asked, q)
	}
	return nil
}

// checkImmutability judges only whether a log value answers a question as it did before.
func checkImmutability(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	before, again, found := repeated(h, t, func(log int) int { return log })
	if !found {
		return nil
	}
	name := p.Names()[again.log]
	return &refutation{At: again.call, Against: before.call, Expected: t.Steps[before.call].Value, Actual: t.Steps[again.call], Message: say(
		"%s was read twice and answered differently. Appending makes a new log; the old one must stay as it was.",
		"%s 被读取了两次，回答却不同。追加产生的是新日志，旧日志必须保持原样。", name)}
}

// checkIsolation judges whose events and messages come back.
func checkIsolation(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	for _, q := range h.questions() {
		switch q.fn {
		case fnEvents:
			got, want := answered(t, q), h.of(q.log, q.session)
			r := &refutation{At: q.call, Against: -1, Expected: expectedEvents(want, got), Actual: t.Steps[q.call]}
			for _, g := range got {
				if id := g.Field("sessionId"); id.Text() != q.session {
					r.Message = say("Session %s shows an event of session %s.", "会话 %s 里出现了会话 %s 的事件。", quoted(q.session), id.Pretty())
					return r
				}
			}
			if m, ok := strangers(q.session, contentsOf(got, "payload"), contentsOfEntries(want)); ok {
				r.Message = m
				return r
			}
		case fnReplay:
			got, want := answered(t, q), h.messages(q.log, q.session)
			if m, ok := strangers(q.session, contentsOf(got, ""), contentsOf(want, "")); ok {
				return &refutation{At: q.call, Against: -1, Expected: property.ListOf(want...), Actual: t.Steps[q.call], Message: m}
			}
		}
	}
	return nil
}

// strangers compares what a session shows with what is its own, whatever the order.
func strangers(session string, got, own []string) (words, bool) {
	count := map[string]int{}
	for _, c := range own {
		count[c]++
	}
	for _, c := range got {
		count[c]--
		if count[c] < 0 {
			return say("Session %s shows %s, which does not belong to it.", "会话 %s 里出现了不属于它的 %s。", quoted(session), c), true
		}
	}
	if len(got) < len(own) {
		return say("Session %s does not show all that belongs to it.", "会话 %s 没有给出属于它的全部内容。", quoted(session)), true
	}
	return words{}, false
}

func contentsOf(items []property.Value, in string) []string {
	var out []string
	for _, v := range items {
		if in != "" {
			v = v.Field(in)
		}
		out = append(out, v.Field("content").Pretty())
	}
	return out
}

func contentsOfEntries(entries []entry) []string {
	var out []string
	for _, e := range entries {
		out = append(out, e.event.Field("payload").Field("content").Pretty())
	}
	return out
}

// checkIDs judges the event ids of a log over all its sessions, in the order in which the events were appended.
func checkIDs(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	type known struct {
		position int
		id       property.Value
		q        question
	}
	perLog := map[int][]known{}
	for _, q := range h.questions() {
		if q.fn != fnEvents {
			continue
		}
		got := answered(t, q)
		n := 0
		for position, e := range h.logs[q.log] {
			if e.session() != q.session {
				continue
			}
			if n >= len(got) {
				return &refutation{At: q.call, Against: -1, Expected: expectedEvents(h.of(q.log, q.session), got), Actual: t.Steps[q.call], Message: say(
					"An event of session %s is missing, so its id cannot be seen.", "会话 %s 缺少一个事件，无法查看它的编号。", quoted(q.session))}
			}
			id := got[n].Field("eventId")
			if v, ok := id.Int(); !ok || v < 1 {
				return &refutation{At: q.call, Against: -1, NoExpected: true, Actual: t.Steps[q.call], Message: say(
					"An eventId is %s. It must be an integer, at least 1.", "有一个 eventId 是 %s。它必须是不小于 1 的整数。", showID(got[n]))}
			}
			perLog[q.log] = append(perLog[q.log], known{position, id, q})
			n++
		}
		ids := perLog[q.log]
		sort.SliceStable(ids, func(i, j int) bool { return ids[i].position < ids[j].position })
		for i := 1; i < len(ids); i++ {
			a, b := ids[i-1], ids[i]
			if a.position == b.position || b.id.Number() > a.id.Number() {
				continue
			}
			against := -1
			if a.q.call != b.q.call {
				against = min(a.q.call, b.q.call)
			}
			return &refutation{At: q.call, Against: against, NoExpected: true, Actual: t.Steps[q.call], Message: say(
				"An event has id %s, but an event appended before it has id %s. Ids must grow over the whole log, across all sessions.",
				"一个事件的编号是 %s，而在它之前追加的事件编号是 %s。编号必须在整个日志中（跨所有会话）严格递增。", b.id.Pretty(), a.id.Pretty())}
		}
	}
	return nil
}

func showID(event property.Value) string {
	if v, ok := event.Get("eventId"); ok {
		return v.Pretty()
	}
	return "missing"
}

// checkSessions judges the list of sessions.
func checkSessions(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	for _, q := range h.questions() {
		if q.fn != fnList {
			continue
		}
		want := listOf(h.sessions(q.log))
		got := t.Steps[q.call].Value
		if got.Equal(want) {
			continue
		}
		return &refutation{At: q.call, Against: -1, Expected: want, Actual: t.Steps[q.call], Message: listFault(got.Items(), want.Items())}
	}
	return nil
}

func listFault(got, want []property.Value) words {
	count := map[string]int{}
	for _, g := range got {
		count[g.Pretty()]++
		if count[g.Pretty()] > 1 {
			return say("Session %s is listed more than once.", "会话 %s 被列出了不止一次。", g.Pretty())
		}
	}
	for _, w := range want {
		if count[w.Pretty()] == 0 {
			return say("Session %s has events but is not listed.", "会话 %s 有事件，却没有被列出。", w.Pretty())
		}
	}
	if len(got) > len(want) {
		return say("A session is listed that has no events.", "列出了一个没有事件的会话。")
	}
	return say("The sessions are not in the order of their first event.", "会话没有按照各自第一个事件的顺序排列。")
}

// checkReplay judges the fold.
func checkReplay(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	h := historyOf(p)
	for _, q := range h.questions() {
		if q.fn != fnReplay {
			continue
		}
		want := h.messages(q.log, q.session)
		got := answered(t, q)
		if property.ListOf(got...).Equal(property.ListOf(want...)) {
			continue
		}
		return &refutation{At: q.call, Against: -1, Expected: property.ListOf(want...), Actual: t.Steps[q.call], Message: replayFault(got, want)}
	}
	return nil
}

func replayFault(got, want []property.Value) words {
	for i := range want {
		if i < len(got) && !got[i].Equal(want[i]) && len(got) == len(want) {
			for _, k := range want[i].Keys() {
				v, ok := got[i].Get(k)
				if !ok {
					return say("Message %d has no %s.", "第 %d 条消息缺少 %s。", i+1, k)
				}
				if !v.Equal(want[i].Field(k)) {
					return say("In message %d, %s is not what the events say.", "第 %d 条消息的 %s 与事件不符。", i+1, k)
				}
			}
			for _, k := range got[i].Keys() {
				if _, ok := want[i].Get(k); !ok {
					return say("Message %d has a key too many: %s.", "第 %d 条消息多了一个键：%s。", i+1, k)
				}
			}
		}
	}
	switch {
	case len(got) > len(want):
		return say("There are %d messages where the events make %d.", "得到了 %d 条消息，而事件只对应 %d 条。", len(got), len(want))
	case len(got) < len(want):
		return say("There are just %d messages where the events make %d.", "只得到 %d 条消息，而事件对应 %d 条。", len(got), len(want))
	}
	return say("The messages are not those that the events make.", "消息与事件不符。")
}
