package agent

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"forgetmenot/eventlog"
)

// What a service can answer instead, besides the errors of its store. Ask with [errors.Is].
var (
	ErrShutdown = errors.New("the service is shutting down")
	ErrWaiting  = errors.New("too many messages wait for this session's running turn")
	ErrStreams  = errors.New("too many event streams are open")
	ErrModel    = errors.New("the model failed")
	ErrHook     = errors.New("the hook ended the turn") // Options.Hook returned an error
)

// A Service runs turns on a store. All its methods may be called from several goroutines at once.
type Service struct {
	store   eventlog.Store
	o       Options
	loop    *Loop
	lines   lines
	metrics *metrics
	handler http.Handler

	// killed ends when Shutdown has lost its patience.
	killed context.Context
	kill   context.CancelFunc

	mu      sync.Mutex
	stop    chan struct{} // closed by Shutdown
	busy    int           // turns and streams that are running
	idle    chan struct{} // closed when busy is 0 and stop is closed
	streams int
}

// New makes a service on a store. It runs no goroutine and has not looked at the store yet.
func New(store eventlog.Store, o Options) *Service {
	s := &Service{store: store, loop: NewLoop(store, o), metrics: newMetrics(), stop: make(chan struct{}), idle: make(chan struct{})}
	s.o = s.loop.o
	s.loop.appended = s.metrics.appended
	s.lines.most = s.o.MaxWaiting
	s.killed, s.kill = context.WithCancel(context.Background())
	s.handler = s.routes()
	return s
}

// Shutdown lets no new turn begin, ends the event streams, and waits for running turns. When ctx ends first they are cancelled, which leaves
// them open, as a crash would: the next service on the store finishes them. The store stays open. Shutting down again waits again.
func (s *Service) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	select {
	case <-s.stop:
	default:
		close(s.stop)
		if s.busy == 0 {
			close(s.idle)
		}
	}
	s.mu.Unlock()
	select {
	case <-s.idle:
		s.kill()
		return nil
	case <-ctx.Done():
		s.kill()
		return ctx.Err()
	}
}

// begin counts a turn or a stream in, or tells that it must not start. Who began ends.
func (s *Service) begin(stream bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.stop:
		return ErrShutdown
	default:
	}
	if stream {
		if s.streams >= s.o.MaxStreams {
			return ErrStreams
		}
		s.streams++
		s.metrics.streams.Inc()
	}
	s.busy++
	return nil
}

func (s *Service) end(stream bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stream {
		s.streams--
		s.metrics.streams.Dec()
	}
	s.busy--
	select {
	case <-s.stop:
		if s.busy == 0 {
			close(s.idle)
		}
	default:
	}
}

// turnContext is the context of a turn. A client that goes away does not end it: it comes back with the same key, for the answer.
func (s *Service) turnContext(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.o.TurnTimeout)
	forget := context.AfterFunc(s.killed, cancel)
	return ctx, func() { forget(); cancel() }
}

// Lines let one turn at a time into each session; the others wait, in the order in which they came. The zero value lets nobody wait.
type lines struct {
	most     int // that wait, for each session
	mu       sync.Mutex
	sessions map[string]*line
}

type line struct {
	token chan struct{}
	users int // the running one, and those that wait
}

// enter returns when it is the caller's turn, who then calls leave.
func (l *lines) enter(ctx context.Context, stop <-chan struct{}, session string) (leave func(), err error) {
	l.mu.Lock()
	if l.sessions == nil {
		l.sessions = map[string]*line{}
	}
	at := l.sessions[session]
	if at == nil {
		at = &line{token: make(chan struct{}, 1)}
		l.sessions[session] = at
	}
	if at.users > l.most {
		l.mu.Unlock()
		return nil, ErrWaiting
	}
	at.users++
	l.mu.Unlock()

	select {
	case at.token <- struct{}{}:
		return func() { <-at.token; l.forget(session, at) }, nil
	case <-ctx.Done():
		err = ctx.Err()
	case <-stop:
		err = ErrShutdown
	}
	l.forget(session, at)
	return nil, err
}

func (l *lines) forget(session string, at *line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at.users--; at.users == 0 {
		delete(l.sessions, session)
	}
}
