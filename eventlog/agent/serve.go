package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"time"

	"forgetmenot/eventlog"
)

// Serve runs a service on a store until ctx ends, and then shuts it down: running turns get Options.Grace. It calls ready, if there is one, with the
// address as soon as it listens, then finishes what a crash cut off (see [Service.Resume]) while it answers. The store stays open.
//
// An address without a host, as ":8080", is one of loopback, and "" is a free port there. On any other address ("0.0.0.0:8080" is all of the
// machine's) whoever reaches the machine reads and writes every session, and unless Options.Hosts names them the clients may call it by any name.
func Serve(ctx context.Context, store eventlog.Store, addr string, o Options, ready func(net.Addr)) error {
	host, port, err := net.SplitHostPort(cmp.Or(addr, ":0"))
	if err != nil {
		return fmt.Errorf("agent: the address %q is not HOST:PORT: %w", addr, err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("agent: %w: another program listens there; end it, or choose another port (0 for a free one)", err)
	}
	if err != nil {
		return fmt.Errorf("agent: %w", err)
	}
	if at, ok := listener.Addr().(*net.TCPAddr); len(o.Hosts) == 0 && (!ok || !at.IP.IsLoopback()) {
		o.Hosts = []string{"*"}
	}
	s := New(store, o)
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute, // and no ReadTimeout or WriteTimeout, which would end streams
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.o.Log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	s.o.Log.InfoContext(ctx, "listening", "address", listener.Addr().String())
	if ready != nil {
		ready(listener.Addr())
	}
	resumed := make(chan struct{})
	go func() {
		defer close(resumed)
		if s.o.NoResume {
			return
		}
		n, err := s.Resume(ctx)
		if n > 0 {
			s.o.Log.InfoContext(ctx, "resumed", "turns", n)
		}
		if err != nil {
			s.o.Log.WarnContext(ctx, "not everything could be resumed", "error", err)
		}
	}()

	var fault error
	select {
	case <-ctx.Done():
	case fault = <-served: // the listener failed
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.Grace)
	defer cancel()
	// The service first: its streams would hold the server up.
	err = errors.Join(s.Shutdown(ending), server.Shutdown(ending))
	server.Close()
	<-resumed
	return errors.Join(fault, err)
}
