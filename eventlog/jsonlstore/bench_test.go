package jsonlstore_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/jsonlstore"

	"github.com/stretchr/testify/require"
)

// BenchmarkAppend writes one event after the other, each durable before the next; the bare loop beside it does only the writing and the syncing of such lines.
func BenchmarkAppend(b *testing.B) {
	payload := `{"content":"this is a message about as long as people write when they ask for something"}`
	b.Run("store", func(b *testing.B) {
		s := opened(b, b.TempDir(), jsonlstore.Options{})
		created(b, s, "a")
		for b.Loop() {
			appended(b, s, "a", event(eventlog.TypeUserMessage, payload))
		}
	})
	b.Run("bare", func(b *testing.B) {
		f, err := os.Create(filepath.Join(b.TempDir(), "bare"))
		require.NoError(b, err)
		defer f.Close()
		line := []byte(`{"sum":"00000000","seq":100,"id":100,"at":1772600767008,"type":"user_message","payload":` + payload + "}\n")
		for b.Loop() {
			_, err := f.Write(line)
			require.NoError(b, err)
			require.NoError(b, jsonlstore.SyncData(f))
		}
	})
	b.Run("64 writers", func(b *testing.B) {
		s := opened(b, b.TempDir(), jsonlstore.Options{})
		created(b, s, "a")
		var writers sync.WaitGroup
		for w := range 64 {
			writers.Go(func() {
				for i := w; i < b.N; i += 64 {
					if _, err := s.Append(b.Context(), "a", []eventlog.NewEvent{event(eventlog.TypeUserMessage, payload)}, eventlog.AppendOptions{}); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		writers.Wait()
	})
}

// BenchmarkOpen reads 100,000 events of one session, or of a thousand.
func BenchmarkOpen(b *testing.B) {
	for _, sessions := range []int{1, 1000} {
		for _, o := range []jsonlstore.Options{{Synchronous: jsonlstore.Normal}, {Synchronous: jsonlstore.Normal, Compress: true}} {
			b.Run(fmt.Sprintf("%d sessions packed %v", sessions, o.Compress), func(b *testing.B) {
				folder := b.TempDir()
				s := opened(b, folder, o)
				const events = 100_000
				for i := range sessions {
					id := fmt.Sprint("session ", i)
					created(b, s, id)
					for range 10 {
						batch := make([]eventlog.NewEvent, events/sessions/10)
						for n := range batch {
							batch[n] = event(eventlog.TypeUserMessage, fmt.Sprintf(`{"content":"this is message %d, about as long as people write when they ask for something"}`, n))
						}
						appended(b, s, id, batch...)
					}
				}
				require.NoError(b, s.Close())
				for b.Loop() {
					s, err := jsonlstore.Open(b.Context(), folder, o)
					require.NoError(b, err)
					require.NoError(b, s.Close())
				}
				b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/open")
			})
		}
	}
}

// BenchmarkEvents replays a session of 100,000 events.
func BenchmarkEvents(b *testing.B) {
	s := opened(b, b.TempDir(), jsonlstore.Options{Synchronous: jsonlstore.Normal})
	created(b, s, "a")
	for range 10 {
		batch := make([]eventlog.NewEvent, 10_000)
		for n := range batch {
			batch[n] = event(eventlog.TypeUserMessage, fmt.Sprintf(`{"content":"this is message %d, about as long as people write when they ask for something"}`, n))
		}
		appended(b, s, "a", batch...)
	}
	for b.Loop() {
		n := 0
		for _, err := range s.Events(b.Context(), "a", eventlog.Range{}) {
			require.NoError(b, err)
			n++
		}
		require.Equal(b, 100_000, n)
	}
}
