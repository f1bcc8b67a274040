package eventlog_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// Run these with -race: it is the race detector that sees two versions share a
// slot.

// Many goroutines extend one version, and read it while the others do. Each sees
// the version and its own events, and nothing else.
func TestConcurrentForks(t *testing.T) {
	for _, length := range []int{0, 1, 2, 31, 32, 33, 63, 64, 200} {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			base := version{}
			for i := range length {
				base = base.append(t, confusable[i%7], "note", `{}`)
			}
			ends := make([]version, 8)
			var wg sync.WaitGroup
			for i := range ends {
				wg.Go(func() {
					v := base
					for j := range 70 {
						v = v.append(t, confusable[(i+j)%9], "user_message", fmt.Sprintf(`{"content":[%d,%d]}`, i, j))
						if j%16 == 0 {
							agree(t, base.model, base.log)
						}
					}
					ends[i] = v
				})
			}
			wg.Wait()
			for _, v := range append(ends, base) {
				agree(t, v.model, v.log)
			}
		})
	}
}

// Goroutines extend and read whatever version any of them made.
func TestConcurrentVersions(t *testing.T) {
	var mu sync.Mutex
	versions := []version{{}}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(i)))
			for j := range 60 {
				mu.Lock()
				v := versions[max(0, len(versions)-1-random.IntN(20))]
				mu.Unlock()
				agree(t, v.model, v.log)
				for k := range random.IntN(5) + 1 {
					v = v.append(t, confusable[(j+k)%6], "note", fmt.Sprintf(`{"from":[%d,%d,%d]}`, i, j, k))
				}
				mu.Lock()
				versions = append(versions, v)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for _, v := range versions {
		agree(t, v.model, v.log)
	}
}
