package main

import (
	"fmt"
)

// measure measures everything, one kind of work after the other.
func (b *bench) measure(program, inC, inNode string) ([]figure, error) {
	if err := b.start(program, inC, inNode); err != nil {
		return nil, err
	}
	var all []figure
	for _, part := range []struct {
		what    string
		measure func() ([]figure, error)
	}{
		{"one event a transaction", func() ([]figure, error) {
			return b.writes("one event a transaction", "single", b.size.singles, 1, atLeast(0.75, "of C"))
		}},
		{"many events a transaction", func() ([]figure, error) {
			return b.writes(fmt.Sprintf("%d events a transaction", b.size.batch), "batch", b.size.batches, b.size.batch, atLeast(0.6, "of C"))
		}},
		{"many writers", b.crowds},
		{"watching", b.watches},
		{"reading", b.reads},
		{"chat history", b.chats},
	} {
		b.say("%s…", part.what)
		figures, err := part.measure()
		if err != nil {
			return nil, err
		}
		all = append(all, figures...)
	}
	return all, nil
}

// writes measures appends of so many events each, one after the other.
func (b *bench) writes(what, kind string, appends, events int, target goal) ([]figure, error) {
	files, err := b.open(b.drivers(), kind)
	if err != nil {
		return nil, err
	}
	total := appends * (b.size.rounds + 1)
	if err := b.load(b.drivers(), kind, conversation, total, events); err != nil {
		return nil, err
	}
	m, err := b.race(b.drivers(), func(round int) string { return fmt.Sprintf("write %d %d", round*appends, appends) })
	if err != nil {
		return nil, err
	}
	if err := b.verify(files, total*events); err != nil {
		return nil, err
	}
	return b.against(what+", FULL", m, appends*events, "events", target), nil
}

// against holds every driver against C, the store against its target. Each made so many things in a round.
func (b *bench) against(what string, m measurement, things int, unit string, target goal) []figure {
	var figures []figure
	for _, name := range compared() {
		row := rowOf(what, name)
		ratio, ok := m.took.ratio("C", name)
		if !ok {
			figures = append(figures, unmeasured(row, b.absent[name]))
			continue
		}
		g := goal{}
		note := rate(m.took[name], things) + " " + unit + "/s"
		if name == "sqlstore" {
			g = target
			note += ", C " + rate(m.took["C"], things)
		}
		cpu, _ := m.worked.ratio("C", name)
		note += fmt.Sprintf("; by CPU time %.2f", cpu)
		figures = append(figures, judged(row, ratio, g, "of C", note))
	}
	return figures
}

// compared are the subjects that are held against C.
func compared() []string {
	return []string{"sqlstore", "ncruces", "mattn", "modernc", "zombiezen", "better-sqlite3"}
}

// rowOf names the row of a subject: what is measured stands once, before the store.
func rowOf(what, name string) string {
	if name == "sqlstore" {
		return what + ": " + name
	}
	return "  " + name
}

// rate is how many things there were in a second.
func rate(took []float64, things int) string {
	perSecond := float64(things) / median(took) * 1e9
	if perSecond >= 10_000 {
		return fmt.Sprintf("%.0fk", perSecond/1000)
	}
	return fmt.Sprintf("%.0f", perSecond)
}

// crowds measures appends that come from many goroutines at once, against the store's own with one goroutine, and against a connection that is
// handed on by a mutex.
func (b *bench) crowds() ([]figure, error) {
	subjects := b.only("sqlstore", "ncruces")
	if _, err := b.open(subjects, "crowd"); err != nil {
		return nil, err
	}
	ours, theirs := subjects[0], subjects[1]
	each := b.size.singles + b.size.crowd
	if err := b.load(subjects, "crowd", conversation, each*(b.size.rounds+1), 1); err != nil {
		return nil, err
	}
	alone, crowd, p99, mutexP99 := []float64{}, []float64{}, []float64{}, []float64{}
	for round := range b.size.rounds + 1 {
		if err := b.ctx.Err(); err != nil {
			return nil, err
		}
		one, err := ours.ask("write %d %d", round*each, b.size.singles)
		if err != nil {
			return nil, err
		}
		many, err := ours.ask("crowd %d %d %d", writers, round*each+b.size.singles, b.size.crowd)
		if err != nil {
			return nil, err
		}
		mutex, err := theirs.ask("crowd %d %d %d", mutexed, round*b.size.singles, b.size.singles)
		if err != nil {
			return nil, err
		}
		if round > 0 {
			alone = append(alone, float64(one.NS)/float64(b.size.singles))
			crowd = append(crowd, float64(many.NS)/float64(b.size.crowd))
			p99, mutexP99 = append(p99, float64(many.P99)), append(mutexP99, float64(mutex.P99))
		}
	}
	gain, _ := medianRatio(alone, crowd)
	wait, _ := medianRatio(p99, mutexP99)
	return []figure{
		judged(fmt.Sprintf("%d goroutines, an event an append, FULL", writers), gain, atLeast(10, "× one goroutine"), "× one goroutine",
			rate(crowd, 1)+" events/s, one goroutine "+rate(alone, 1)),
		judged("  their p99", wait, atMost(2, "×"), fmt.Sprintf("× that of a mutex and %d goroutines", mutexed),
			fmt.Sprintf("%.1f ms and %.1f ms", median(p99)/1e6, median(mutexP99)/1e6)),
	}, nil
}

// watches measures how soon a watch delivers.
func (b *bench) watches() ([]figure, error) {
	subjects := b.only("sqlstore")
	if _, err := b.open(subjects, "watch"); err != nil {
		return nil, err
	}
	var p99 []float64
	for round := range b.size.rounds + 1 {
		a, err := subjects[0].ask("watch %d %d", writers, b.size.crowd)
		if err != nil {
			return nil, err
		}
		if round > 0 {
			p99 = append(p99, float64(a.P99)/1e6)
		}
	}
	return []figure{judged(fmt.Sprintf("watch, %d writers: p99 from commit to delivery", writers), median(p99), atMost(5, "ms"), "ms", "")}, nil
}

// reads measures replay, and lists of sessions, in a large store.
func (b *bench) reads() ([]figure, error) {
	const file = "big.db"
	if err := b.big(file); err != nil {
		return nil, err
	}
	for _, p := range b.drivers() {
		if _, err := p.ask("open %s", file); err != nil {
			return nil, err
		}
	}
	var figures []figure
	for _, kind := range []struct{ what, command string }{
		{fmt.Sprintf("replay %d messages of %d", b.size.long, b.size.events), "messages"},
		{fmt.Sprintf("read %d events of %d", b.size.long, b.size.events), "events"},
	} {
		m, err := b.race(b.drivers(), func(int) string { return kind.command + " " + sessionName(0) })
		if err != nil {
			return nil, err
		}
		figures = append(figures, b.against(kind.what, m, b.size.long, kind.command, atLeast(0.65, "of C"))...)
		figures = append(figures, fastest(m))
	}

	heap, err := b.heap()
	if err != nil {
		return nil, err
	}
	figures = append(figures, heap)

	m, err := b.race(b.drivers(), func(int) string { return "sessions" })
	if err != nil {
		return nil, err
	}
	for _, name := range compared() {
		what := rowOf(fmt.Sprintf("list %d sessions", b.size.sessions), name)
		ratio, ok := m.took.ratio(name, "C")
		if !ok {
			figures = append(figures, unmeasured(what, b.absent[name]))
			continue
		}
		g := goal{}
		note := fmt.Sprintf("%.1f ms", median(m.took[name])/1e6)
		if name == "sqlstore" {
			g = atMost(2.5, "× C's time")
			note += fmt.Sprintf(", C %.1f ms", median(m.took["C"])/1e6)
		}
		cpu, _ := m.worked.ratio(name, "C")
		note += fmt.Sprintf("; by CPU time %.2f", cpu)
		figures = append(figures, judged(what, ratio, g, "× C's time", note))
	}
	return figures, nil
}

// fastest holds the store against the best of the other drivers for Go.
func fastest(m measurement) figure {
	best, least := "", 0.0
	for _, name := range []string{"mattn", "modernc", "zombiezen"} {
		if ratio, _ := m.took.ratio(name, "sqlstore"); best == "" || ratio < least {
			best, least = name, ratio
		}
	}
	cpu, _ := m.worked.ratio(best, "sqlstore")
	return judged("  sqlstore against the best other for Go", least, atLeast(1, "×"), "× "+best, fmt.Sprintf("by CPU time %.2f", cpu))
}

// heap measures that a replay's memory does not grow with its length: of the long session, and of a short one.
func (b *bench) heap() (figure, error) {
	ours := b.only("sqlstore")[0]
	long, err := ours.ask("heap %s", sessionName(0))
	if err != nil {
		return figure{}, err
	}
	short, err := ours.ask("heap %s", sessionName(1))
	if err != nil {
		return figure{}, err
	}
	f := judged(fmt.Sprintf("replay %d messages: growth of the heap at its peak", b.size.long), float64(long.Heap)/1e6, atMost(1, "MB"), "MB",
		fmt.Sprintf("a session of %[2]d: %.2[1]f MB", float64(short.Heap)/1e6, (b.size.events-b.size.long)/(b.size.sessions-1)))
	return f, nil
}

// chats measures the store as the memory of a chat, against langchaingo's.
func (b *bench) chats() ([]figure, error) {
	subjects := b.only("sqlstore", "langchaingo")
	if _, err := b.open(subjects, "chat"); err != nil {
		return nil, err
	}
	for _, p := range subjects {
		if _, err := p.ask("fill %d %d", writers, b.size.chat); err != nil {
			return nil, err
		}
	}
	each := 2 * b.size.chat
	if err := b.load(subjects, "chat", chat, each*(b.size.rounds+1), 1); err != nil {
		return nil, err
	}
	alone, crowd, read := series{}, series{}, series{}
	for round := range b.size.rounds + 1 {
		for i := range subjects {
			p := subjects[(i+round)%len(subjects)]
			if err := b.chat(p, round, each, alone, crowd, read); err != nil {
				return nil, err
			}
		}
	}
	figures := []figure{}
	for _, part := range []struct {
		what   string
		took   series
		things int
		target goal
	}{
		{fmt.Sprintf("chat, FULL: messages written by %d goroutines", writers), crowd, b.size.chat, atLeast(2, "×")},
		{"chat, FULL: messages written one after the other", alone, b.size.chat, atLeast(2, "×")},
		{fmt.Sprintf("chat: sessions of about %d messages read", b.size.chat), read, chatReads, atLeast(2, "×")},
	} {
		ratio, _ := part.took.ratio("langchaingo", "sqlstore")
		figures = append(figures, judged(part.what, ratio, part.target, "× langchaingo",
			fmt.Sprintf("%s/s, langchaingo %s", rate(part.took["sqlstore"], part.things), rate(part.took["langchaingo"], part.things))))
	}
	return figures, nil
}

// chat is one subject's turn.
func (b *bench) chat(p *process, round, each int, alone, crowd, read series) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	one, err := p.ask("write %d %d", round*each, b.size.chat)
	if err != nil {
		return err
	}
	many, err := p.ask("crowd %d %d %d", writers, round*each+b.size.chat, b.size.chat)
	if err != nil {
		return err
	}
	took := 0.0
	for i := range chatReads {
		a, err := p.ask("messages %s", sessionName(i*writers/chatReads))
		if err != nil {
			return err
		}
		// Both sides of a round have written as much.
		if want := int64(b.size.chat + (round+1)*each/writers); a.Rows != want {
			return fmt.Errorf("%s read %d messages of %d", p.name, a.Rows, want)
		}
		took += float64(a.NS)
	}
	if round > 0 {
		alone[p.name], crowd[p.name], read[p.name] = append(alone[p.name], float64(one.NS)), append(crowd[p.name], float64(many.NS)), append(read[p.name], took)
	}
	return nil
}
