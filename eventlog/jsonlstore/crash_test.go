package jsonlstore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/jsonlstore"

	"github.com/stretchr/testify/require"
)

// The test's own binary is the process that is killed. These name the folder to write, and the number of the round and the process.
const (
	crashFolder = "FORGETMENOT_CRASH_FOLDER"
	crashRound  = "FORGETMENOT_CRASH_ROUND"
	crashWho    = "FORGETMENOT_CRASH_WHO"
	// crashRounds makes the test longer: 100 is the long test.
	crashRounds = "FORGETMENOT_CRASH_ROUNDS"
)

const crashProcesses, crashWriters = 2, 4

func TestMain(m *testing.M) {
	if folder := os.Getenv(crashFolder); folder != "" {
		os.Exit(crashChild(folder))
	}
	os.Exit(m.Run())
}

// An acknowledged append, as the child tells its parent. It is one line, written at once when the receipt has come.
type acknowledged struct {
	Round, Writer, Turn int
	IDs                 []int64
}

// crashAppend is what a writer appends in a turn: parent and child know the same.
func crashAppend(round, writer, turn int) (session, key string, events []eventlog.NewEvent) {
	for part := range 1 + turn%3 {
		events = append(events, event("note", fmt.Sprintf(`{"text":"r%d w%d t%d p%d"}`, round, writer, turn, part)))
	}
	// Every other turn is in a session that all writers share.
	return []string{"shared", fmt.Sprint("writer ", writer)}[turn%2], fmt.Sprintf("r%d w%d t%d", round, writer, turn), events
}

func crashOptions() jsonlstore.Options {
	return jsonlstore.Options{Synchronous: jsonlstore.Normal, BusyTimeout: time.Minute} // a kill does not take what the system has
}

func crashChild(folder string) int {
	round, _ := strconv.Atoi(os.Getenv(crashRound))
	who, _ := strconv.Atoi(os.Getenv(crashWho))
	ctx := context.Background()
	s, err := jsonlstore.Open(ctx, folder, crashOptions())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var writers sync.WaitGroup
	for i := range crashWriters {
		writers.Go(func() {
			writer := who*crashWriters + i
			for turn := 0; ; turn++ {
				session, key, events := crashAppend(round, writer, turn)
				o := eventlog.AppendOptions{Key: key}
				if turn%2 == 1 { // a session of its own: it knows how that ends
					now, err := s.Session(ctx, session)
					if err != nil {
						panic(err)
					}
					o.Expect = eventlog.ExpectLast(now.LastEventID)
				}
				if turn%8 == 7 {
					if _, err := s.CreateSession(ctx, key, ""); err != nil {
						panic(err)
					}
				}
				r, err := s.Append(ctx, session, events, o)
				if err != nil {
					panic(err)
				}
				a := acknowledged{round, writer, turn, nil}
				for _, e := range r.Events {
					a.IDs = append(a.IDs, e.EventID)
				}
				line, _ := json.Marshal(a)
				os.Stdout.Write(append(line, '\n'))
			}
		})
	}
	writers.Wait()
	return 0
}

// A process that is killed at any moment takes nothing with it that it was told is stored, and leaves nothing half done.
func TestKill(t *testing.T) {
	if jsonlstore.RaceDetector {
		t.Skip("too slow with -race")
	}
	rounds := 10
	if n, err := strconv.Atoi(os.Getenv(crashRounds)); err == nil {
		rounds = n
	}
	for name, o := range map[string]jsonlstore.Options{"plain": {}, "packed": packed} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			s := opened(t, folder, o)
			created(t, s, "shared")
			for w := range crashProcesses * crashWriters {
				created(t, s, fmt.Sprint("writer ", w))
			}
			require.NoError(t, s.Close())
			var told []acknowledged
			for round := range rounds / 2 {
				told = append(told, killed(t, folder, round)...)
				afterKill(t, folder, round, told)
			}
			t.Logf("%d rounds, %d acknowledged appends", rounds/2, len(told))
		})
	}
}

// killed runs processes that write, kills them, and answers what they had been told.
func killed(t *testing.T, folder string, round int) []acknowledged {
	self, err := os.Executable()
	require.NoError(t, err)
	var mu sync.Mutex
	var told []acknowledged
	began := make(chan struct{})
	var first sync.Once
	var readers sync.WaitGroup
	var children []*exec.Cmd
	for who := range crashProcesses {
		child := exec.Command(self, "-test.run=^$")
		child.Env = append(os.Environ(), crashFolder+"="+folder, crashRound+"="+strconv.Itoa(round), crashWho+"="+strconv.Itoa(who))
		child.Stderr = os.Stderr
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		children = append(children, child)
		readers.Go(func() {
			lines := bufio.NewReader(out)
			for {
				line, err := lines.ReadBytes('\n')
				if err == io.EOF {
					return // a line that was cut is no acknowledgement
				}
				var a acknowledged
				if err != nil || json.Unmarshal(line, &a) != nil {
					t.Errorf("a child says %q: %v", line, err)
					return
				}
				mu.Lock()
				told = append(told, a)
				mu.Unlock()
				first.Do(func() { close(began) })
			}
		})
	}
	select {
	case <-began:
	case <-time.After(time.Minute):
		t.Error("the children do not begin")
	}
	time.Sleep(time.Duration(rand.Int64N(int64(150 * time.Millisecond))))
	for _, child := range children {
		require.NoError(t, child.Process.Kill())
	}
	readers.Wait()
	for _, child := range children {
		child.Wait()
	}
	return told
}

func afterKill(t *testing.T, folder string, round int, told []acknowledged) {
	s := opened(t, folder, crashOptions())
	defer s.Close()
	require.Empty(t, s.Damaged())
	stored := map[int64]eventlog.StoredEvent{}
	times := map[string]int{}
	all, err := drained(s.All(t.Context(), eventlog.Range{}))
	require.NoError(t, err)
	last := int64(0)
	for _, e := range all {
		require.Greater(t, e.EventID, last)
		last = e.EventID
		stored[e.EventID] = e
		times[string(e.Payload)]++
		require.Equal(t, 1, times[string(e.Payload)], "twice: %s", e.Payload)
	}
	next := map[int]int{} // by writer of this round, the turn after the last one acknowledged
	for _, a := range told {
		session, _, events := crashAppend(a.Round, a.Writer, a.Turn)
		require.Len(t, a.IDs, len(events))
		for i, id := range a.IDs {
			require.Equal(t, session, stored[id].SessionID, "acknowledged and lost: event %d of round %d", id, a.Round)
			require.Equal(t, string(events[i].Payload), string(stored[id].Payload))
		}
		if a.Round == round {
			next[a.Writer] = max(next[a.Writer], a.Turn+1)
		}
	}
	// The append that was under way is wholly in or wholly out, and its key tells which. All before it repeat.
	for writer := range crashProcesses * crashWriters {
		for turn := max(0, next[writer]-3); turn <= next[writer]; turn++ {
			session, key, events := crashAppend(round, writer, turn)
			in := 0
			for _, e := range events {
				in += times[string(e.Payload)]
			}
			require.Contains(t, []int{0, len(events)}, in, "half an append")
			now, err := s.Session(t.Context(), session)
			require.NoError(t, err)
			r, err := s.Append(t.Context(), session, events, eventlog.AppendOptions{Key: key, Expect: eventlog.ExpectNone()})
			if in > 0 {
				require.NoError(t, err)
				require.True(t, r.Repeated)
				require.Equal(t, stored[r.Events[0].EventID], r.Events[0])
				continue
			}
			require.Equal(t, next[writer], turn, "acknowledged and lost")
			if now.EventCount > 0 {
				require.ErrorIs(t, err, eventlog.ErrConflict)
			}
		}
	}
}
