package eventlogtest

import (
	"fmt"

	"forgetmenot/grader/property"
)

type (
	program    = property.Program
	transcript = property.Transcript
	refutation = property.Refutation
	words      = property.Words
)

// say writes a message in both languages from the same facts.
func say(en, zh string, args ...any) words {
	if len(args) == 0 {
		return words{En: en, Zh: zh}
	}
	return words{En: fmt.Sprintf(en, args...), Zh: fmt.Sprintf(zh, args...)}
}

func quoted(s string) string { return property.String(s).Pretty() }

func listOf(texts []string) property.Value {
	items := make([]property.Value, len(texts))
	for i, s := range texts {
		items[i] = property.String(s)
	}
	return property.ListOf(items...)
}

// broken finds the first call that did not answer with a value of the right kind at all: nothing can be judged beyond it.
// Assignments by the program itself may be refused.
func broken(p *program, t *transcript) *refutation {
	for i, c := range p.Calls {
		s := t.Steps[i]
		if c.Shape == property.Nothing || c.Fn == property.VerbLook || c.Fn == property.VerbMemory {
			continue
		}
		if s.Answered() {
			if c.Shape == property.Answer && s.Value.Kind() != property.List {
				return wrongKind(p, i, s, s.Value.Kind().String(), kindsZh[s.Value.Kind()])
			}
			continue
		}
		switch {
		case s.Threw != nil:
			return &refutation{At: i, Against: -1, NoExpected: true, Actual: s, Message: say(
				"%s threw an error: %s", "%s 抛出了错误：%s", c.Fn, s.Threw)}
		case s.Unreadable != nil:
			return &refutation{At: i, Against: -1, NoExpected: true, Actual: s, Message: say(
				"%s returned something that cannot be written as JSON: %s", "%s 返回了无法写成 JSON 的值：%s", c.Fn, s.Unreadable)}
		case s.Wrong == "missing":
			return &refutation{At: i, Against: -1, NoExpected: true, Actual: s, Message: say(
				"There is no function %s. Export it, or declare it at the top of the file.", "没有找到函数 %s。请导出它，或者在文件最外层声明它。", c.Fn)}
		case s.Wrong == "Promise":
			return &refutation{At: i, Against: -1, NoExpected: true, Actual: s, Message: say(
				"%s returned a promise. The five functions answer at once: remove async and await.", "%s 返回了 Promise。这五个函数必须立即给出结果：请去掉 async 和 await。", c.Fn)}
		case s.Wrong == "undefined":
			return wrongKind(p, i, s, "undefined", "undefined")
		}
		return wrongKind(p, i, s, s.Wrong, s.Wrong)
	}
	return nil
}

var kindsZh = map[property.Kind]string{
	property.Null: "null", property.Bool: "布尔值", property.Number: "数字", property.Text: "字符串", property.List: "数组", property.Object: "对象",
}

func wrongKind(p *program, i int, s property.Step, kind, zh string) *refutation {
	m := words{
		En: fmt.Sprintf("%s returned %s, not an array.", p.Calls[i].Fn, kind),
		Zh: fmt.Sprintf("%s 返回的是 %s，不是数组。", p.Calls[i].Fn, zh),
	}
	if kind == "undefined" {
		m.En += " Is a return missing?"
		m.Zh += "是不是漏了 return？"
	}
	return &refutation{At: i, Against: -1, Expected: property.ListOf(), NoExpected: true, Actual: s, Message: m}
}

// answered is the items of the list that a question got.
func answered(t *transcript, q question) []property.Value { return t.Steps[q.call].Value.Items() }

// repeated finds two equal questions that were answered differently. same says when two log values count as equal.
func repeated(h *history, t *transcript, same func(log int) int) (first, second question, found bool) {
	type key struct {
		fn      string
		log     int
		session string
	}
	seen := map[key]question{}
	for _, q := range h.questions() {
		k := key{q.fn, same(q.log), q.session}
		before, ok := seen[k]
		if !ok {
			seen[k] = q
			continue
		}
		if !t.Steps[before.call].Value.Equal(t.Steps[q.call].Value) {
			return before, q, true
		}
	}
	return question{}, question{}, false
}

// sameEvent tells whether an answer's event carries the entry as it was handed in; its id is not looked at.
func sameEvent(e entry, got property.Value) bool {
	return got.Field("sessionId").Equal(e.event.Field("sessionId")) && got.Field("type").Equal(e.event.Field("type")) && got.Field("payload").Equal(e.event.Field("payload"))
}

// expectedEvents is what getEventsForSession should answer. The ids are the subject's own choice: those it gave where it gave any.
func expectedEvents(entries []entry, got []property.Value) property.Value {
	items := make([]property.Value, len(entries))
	for i, e := range entries {
		id := property.String("any id")
		for _, g := range got {
			if v, ok := g.Get("eventId"); ok && sameEvent(e, g) {
				id = v
			}
		}
		if i < len(got) {
			if v, ok := got[i].Get("eventId"); ok {
				id = v
			}
		}
		items[i] = property.ObjectOf(field("eventId", id)).With("sessionId", e.event.Field("sessionId")).With("type", e.event.Field("type")).With("payload", e.event.Field("payload"))
	}
	return property.ListOf(items...)
}
