package sqlstore_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

func BenchmarkAppend(b *testing.B) {
	for name, synchronous := range map[string]sqlstore.Synchronous{"full": sqlstore.Full, "normal": sqlstore.Normal} {
		for _, size := range []int{1, 1000} {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				s := opened(b, filepath.Join(b.TempDir(), "log.db"), sqlstore.Options{Synchronous: synchronous})
				_, err := s.CreateSession(b.Context(), "a", "")
				require.NoError(b, err)
				batch := users(size)
				for b.Loop() {
					if _, err := s.Append(b.Context(), "a", batch, eventlog.AppendOptions{}); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(size*b.N)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

func BenchmarkAppendTogether(b *testing.B) {
	s := opened(b, filepath.Join(b.TempDir(), "log.db"), sqlstore.Options{})
	for i := range 64 {
		_, err := s.CreateSession(b.Context(), fmt.Sprint(i), "")
		require.NoError(b, err)
	}
	b.SetParallelism(32)
	b.RunParallel(func(p *testing.PB) {
		for i := 0; p.Next(); i++ {
			if _, err := s.Append(b.Context(), fmt.Sprint(i%64), []eventlog.NewEvent{user(i)}, eventlog.AppendOptions{}); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

func BenchmarkReplay(b *testing.B) {
	s := opened(b, filepath.Join(b.TempDir(), "log.db"), sqlstore.Options{Synchronous: sqlstore.Normal})
	_, err := s.CreateSession(b.Context(), "a", "")
	require.NoError(b, err)
	for range 10 {
		_, err := s.Append(b.Context(), "a", users(1000), eventlog.AppendOptions{})
		require.NoError(b, err)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range s.Messages(b.Context(), "a", eventlog.Range{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(10_000*b.N)/b.Elapsed().Seconds(), "messages/s")
}
