package sqlstore

import "sync"

// An idle keeps the reading connections that have nothing to do. The one that was used last is taken first, since its cache holds what was read last;
// and whoever reads alone has a single connection, not all of them in turn.
type idle struct {
	mu    sync.Mutex
	conns []*conn
}

// take answers nil when there is none.
func (i *idle) take() *conn {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := len(i.conns)
	if n == 0 {
		return nil
	}
	c := i.conns[n-1]
	i.conns = i.conns[:n-1]
	return c
}

// give keeps a connection; nil is none.
func (i *idle) give(c *conn) {
	if c == nil {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.conns = append(i.conns, c)
}
