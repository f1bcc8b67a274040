package main

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRatiosAreOfRounds(t *testing.T) {
	// The second round was ten times as slow for both; the ratios are 2, 3 and 4.
	s := series{"a": {2, 30, 4}, "b": {1, 10, 1}}
	ratio, ok := s.ratio("a", "b")
	require.True(t, ok)
	require.Equal(t, 3.0, ratio)
	_, ok = s.ratio("a", "absent")
	require.False(t, ok)
	require.Equal(t, 2.5, median([]float64{4, 1, 2, 3}))
}

func TestSameRows(t *testing.T) {
	one := answer{tally: tally{Rows: 2, Bytes: 10, Order: 7}, NS: 1}
	slower := answer{tally: one.tally, NS: 2}
	require.NoError(t, sameRows(map[string]answer{"a": one, "b": slower, "c": one}))
	var other tally
	other.add(1, 5)
	other.add(2, 5)
	require.Error(t, sameRows(map[string]answer{"a": one, "b": {tally: other}}))
}

// The same rows in another order are others.
func TestTallyKnowsOrder(t *testing.T) {
	var a, b tally
	a.add(1, 5)
	a.add(2, 5)
	b.add(2, 5)
	b.add(1, 5)
	require.NotEqual(t, a, b)
}

func TestPercentile(t *testing.T) {
	all := make([]time.Duration, 200)
	for i := range all {
		all[i] = time.Duration(200 - i)
	}
	require.Equal(t, time.Duration(199), percentile(all, 99)) // 1% are above or at it
	require.Equal(t, time.Duration(7), percentile([]time.Duration{7}, 99))
	require.Zero(t, percentile(nil, 99))
}

// An event counts as committed when the first append that stored it or a later one has returned.
func TestDelays(t *testing.T) {
	at := func(ms ...int) (times []time.Time) {
		for _, m := range ms {
			times = append(times, time.UnixMilli(int64(m)))
		}
		return times
	}
	// Event 11 was acknowledged late, at 50, but 12 before it, at 20.
	require.Equal(t, []time.Duration{5 * time.Millisecond, 4 * time.Millisecond, 0},
		delays([]int64{12, 10, 11}, at(20, 10, 50), at(15, 24, 19)))
}

func TestTable(t *testing.T) {
	figures := []figure{
		judged("fast", 0.8, atLeast(0.75, "of C"), "of C", "1 and 2"),
		judged("slow", 0.7, atLeast(0.75, "of C"), "of C", ""),
		judged("long", 2.51, atMost(2.5, "×"), "×", ""),
		judged("short", 2.5, atMost(2.5, "×"), "×", ""),
		judged("known", 1, goal{}, "×", ""),
		unmeasured("absent", errors.New("it is not there")),
	}
	var out bytes.Buffer
	require.Equal(t, 2, printed(&out, figures))
	require.Equal(t, `what    measured                       target
fast    0.80 of C (1 and 2)            at least 0.75 of C  met
slow    0.70 of C                      at least 0.75 of C  MISSED
long    2.51 ×                         at most 2.5 ×       MISSED
short   2.50 ×                         at most 2.5 ×       met
known   1.00 ×
absent  not measured: it is not there
`, out.String())
}

func TestConversation(t *testing.T) {
	require.Equal(t, "user_message", conversation(0).Type)
	require.Equal(t, "tool_call", conversation(5).Type)
	require.Contains(t, string(conversation(6).Payload), "call-1")
	require.Equal(t, "assistant_message", chat(1).Type)
	require.Equal(t, chat(2), conversation(4))
}
