package eventlogtest

import (
	"fmt"
	"strconv"
	"strings"

	"forgetmenot/grader/property"

	"pgregory.net/rapid"
)

// The law scale compares what the realm holds after n, 2n and 4n events, with every version of the log kept. Of a structure
// that shares, the last 2n events cost about twice what the n before them did; of one that copies, four times.
const (
	scaleRatio = 2.6 // above twice, with room for trees and for arrays that grow in steps
	scaleFloor = 600 // bytes an event: below that nothing has been copied, whatever the ratio
)

func drawScale(t *rapid.T, _ property.Size) *program {
	d := draw(t, property.Large)
	n := d.intn(48, 52)
	sessions := plainSessions[:d.intn(1, 2)]
	// A log that keeps something for whoever has asked is asked; about nobody, which has the shortest answer.
	asking := d.chance(5)
	log := d.create()
	for i := range 4 * n {
		if i == n || i == 2*n {
			d.p.Add(property.VerbMemory, property.Answer)
		}
		log = d.append(log, d.message(sessions[i%len(sessions)]))
		if asking {
			d.readEvents(log, "nobody")
		}
	}
	d.p.Add(property.VerbMemory, property.Answer)
	return d.p
}

// readings are the calls that measured, with how many events had been appended by then.
func readings(p *program) (calls, events []int) {
	n := 0
	for i, c := range p.Calls {
		switch c.Fn {
		case fnAppend:
			n++
		case property.VerbMemory:
			calls, events = append(calls, i), append(events, n)
		}
	}
	return calls, events
}

func checkScale(p *program, t *transcript) *refutation {
	if r := broken(p, t); r != nil {
		return r
	}
	at, events := readings(p)
	if len(at) != 3 {
		return nil
	}
	var held [3]float64
	for i, call := range at {
		held[i] = t.Steps[call].Value.Number()
	}
	earlier, later := held[1]-held[0], held[2]-held[1]
	grown := events[2] - events[1]
	if later <= scaleRatio*earlier || later <= float64(scaleFloor*grown) {
		return nil
	}
	per := func(bytes float64, n int) string { return fmt.Sprintf("%.0f", bytes/float64(n)) }
	return &refutation{At: at[2], Against: at[1], NoExpected: true, Actual: t.Steps[at[2]], Message: say(
		"Keeping every version costs more for each event the longer the log is: %s bytes an event up to %d events, %s bytes an event up to %d. Each append copies what is already there; let the new log share it with the old one.",
		"保留每个版本时，日志越长，每个事件占用的内存就越多：到 %[2]d 个事件为止，每个事件 %[1]s 字节；到 %[4]d 个为止，每个 %[3]s 字节。每次追加都复制了已有的内容；请让新日志与旧日志共享它们。",
		per(earlier, events[1]-events[0]), events[1], per(later, grown), events[2])}
}

func scaleOutOfMemory(p *program, stop *property.Stop) *refutation {
	n := 0
	for _, c := range p.Calls[:max(0, stop.Call)] {
		if c.Fn == fnAppend {
			n++
		}
	}
	return &refutation{At: stop.Call, Against: -1, NoExpected: true, Actual: property.Step{Wrong: "no answer"}, Message: say(
		"Keeping every version of a log used up all the memory there is, after %d events.", "保留日志的每个版本，在 %d 个事件之后就用光了全部内存。", n)}
}

// showScale is the program as the loop that it is.
func showScale(p *program) []string {
	_, events := readings(p)
	last := 0
	if len(events) > 0 {
		last = events[len(events)-1]
	}
	return []string{
		"const versions = [createEventLog()]",
		fmt.Sprintf("for (let i = 0; i < %d; i++) {", last),
		`  versions.push(appendEvent(versions[i], { sessionId: "red", type: "user_message", payload: { content: "m" + i } }))`,
		"}",
		"// memory held is measured after " + counted(events) + " events",
	}
}

// counted is a list of numbers, for a reader: 48, 96 and 192.
func counted(numbers []int) string {
	var b strings.Builder
	for i, n := range numbers {
		switch {
		case i > 0 && i == len(numbers)-1:
			b.WriteString(" and ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}
