package main

import (
	"fmt"
	"slices"
)

// A series is what each subject took, in nanoseconds, in each round.
type series map[string][]float64

// A measurement is what subjects took by the clock, and how long they were at work themselves. The targets are about the first. On a busy machine it
// says more of the machine than of the subjects; the second can still be trusted then, though it leaves out the disk.
type measurement struct{ took, worked series }

// race lets subjects take turns at a command, each time in another order, so that none always comes after the same one. Round 0 is not counted. All that
// are asked to read must have read the same.
func (b *bench) race(subjects []*process, command func(round int) string) (measurement, error) {
	m := measurement{series{}, series{}}
	for round := range b.size.rounds + 1 {
		read := map[string]answer{}
		for i := range subjects {
			if err := b.ctx.Err(); err != nil {
				return m, err
			}
			p := subjects[(i+round)%len(subjects)]
			a, err := p.ask("%s", command(round))
			if err != nil {
				return m, err
			}
			read[p.name] = a
			if round > 0 {
				m.took[p.name] = append(m.took[p.name], float64(a.NS))
				m.worked[p.name] = append(m.worked[p.name], float64(a.CPU))
			}
		}
		if err := sameRows(read); err != nil {
			return m, fmt.Errorf("%s: %w", command(round), err)
		}
	}
	return m, nil
}

func sameRows(read map[string]answer) error {
	var name string
	for other, a := range read {
		if name != "" && a.tally != read[name].tally {
			return fmt.Errorf("%s read %+v, and %s %+v", name, read[name].tally, other, a.tally)
		}
		name = other
	}
	return nil
}

// ratio is the median of a/b within the rounds. Without a subject there is none.
func (s series) ratio(a, b string) (ratio float64, ok bool) {
	return medianRatio(s[a], s[b])
}

func medianRatio(a, b []float64) (float64, bool) {
	if len(a) == 0 || len(a) != len(b) {
		return 0, false
	}
	ratios := make([]float64, len(a))
	for i := range ratios {
		ratios[i] = a[i] / b[i]
	}
	return median(ratios), true
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
