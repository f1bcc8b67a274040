package agent

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"time"

	"forgetmenot/eventlog"
)

func (s *Service) streamAll(w http.ResponseWriter, r *http.Request) error {
	return s.stream(w, r, func(ctx context.Context, after int64) iter.Seq2[eventlog.StoredEvent, error] {
		return s.store.Watch(ctx, after)
	})
}

func (s *Service) streamSession(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if _, err := s.store.Session(r.Context(), id); err != nil {
		return err
	}
	return s.stream(w, r, func(ctx context.Context, after int64) iter.Seq2[eventlog.StoredEvent, error] {
		return s.watchSession(ctx, id, after)
	})
}

// watchSession is Watch for one session. It reads what is stored from the session alone, and only then watches all of them.
func (s *Service) watchSession(ctx context.Context, id string, after int64) iter.Seq2[eventlog.StoredEvent, error] {
	return func(yield func(eventlog.StoredEvent, error) bool) {
		// Who has seen the store's last id has missed none below it.
		last, err := s.lastEventID(ctx)
		if err != nil {
			yield(eventlog.StoredEvent{}, err)
			return
		}
		if last > after {
			for e, err := range s.store.Events(ctx, id, eventlog.Range{After: after, Until: last}) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
		for e, err := range s.store.Watch(ctx, max(after, last)) {
			if err != nil || e.SessionID == id {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// lastEventID is the newest event's id in the whole store.
func (s *Service) lastEventID(ctx context.Context) (int64, error) {
	for session, err := range s.store.Sessions(ctx, eventlog.ByActivity, eventlog.SessionCursor{}) {
		return session.LastEventID, err
	}
	return 0, nil
}

// stream sends events until the client goes or the service stops. The client's only cost to others is its place among MaxStreams: it holds no
// lock and no read of the store while it takes its time.
func (s *Service) stream(w http.ResponseWriter, r *http.Request, watch func(context.Context, int64) iter.Seq2[eventlog.StoredEvent, error]) error {
	after, err := cursor(r)
	if err != nil {
		return err
	}
	last, err := s.lastEventID(r.Context())
	if err != nil {
		return err
	}
	if after > last {
		return badRequest("bad_cursor", fmt.Sprintf("the last event is %d: the cursor %d is of another log", last, after), "begin again, without a cursor")
	}
	if err := s.begin(true); err != nil {
		return err
	}
	defer s.end(true)

	ctx, cancel := context.WithCancel(r.Context())
	events := make(chan eventlog.StoredEvent)
	ended := make(chan error, 1)
	go func() {
		ended <- calmly(func() error {
			for e, err := range watch(ctx, after) {
				if err != nil {
					return err
				}
				select {
				case events <- e:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	}()
	// The watch is over before the service counts the stream as ended: a store may be closed then.
	watching := true
	defer func() {
		cancel()
		if watching {
			<-ended
		}
	}()

	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // a proxy that collects answers would hold events back
	out := http.NewResponseController(w)
	send := func(b []byte) error {
		// Some writers know no deadline; they have none then.
		if err := out.SetWriteDeadline(time.Now().Add(s.o.StreamWrite)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		return out.Flush()
	}
	// The first bytes tell the client at once that it is connected.
	if send([]byte("retry: 1000\n: events after "+strconv.FormatInt(after, 10)+"\n\n")) != nil {
		return nil
	}
	heartbeat := time.NewTicker(s.o.Heartbeat)
	defer heartbeat.Stop()
	for {
		select {
		case e := <-events:
			if send(frame(e)) != nil {
				return nil
			}
		case <-heartbeat.C:
			if send([]byte(": still here\n\n")) != nil {
				return nil
			}
		case err := <-ended:
			watching = false
			if err != nil && r.Context().Err() == nil {
				s.o.Log.WarnContext(r.Context(), "stream ended", "error", err)
			}
			return nil // the headers are out; the client comes back with its cursor and is told what is wrong
		case <-r.Context().Done():
			return nil
		case <-s.stop:
			return nil
		}
	}
}

// cursor is where a stream begins. A client that reconnects sends the address it was given with the header that it has learnt.
func cursor(r *http.Request) (int64, error) {
	header := r.Header.Get("Last-Event-ID")
	if header == "" {
		return number(r, "after")
	}
	n, err := strconv.ParseInt(header, 10, 64)
	if err != nil || n < 0 {
		return 0, badRequest("bad_cursor", "the Last-Event-ID is not an event id", "begin again, without a cursor")
	}
	return n, nil
}

// frame is an event in the format of server-sent events, https://html.spec.whatwg.org/multipage/server-sent-events.html: each line of its data
// behind "data: ". A carriage return ends a line there too; in JSON it can only be white space, so it does no harm that it arrives as a line feed.
func frame(e eventlog.StoredEvent) []byte {
	data := appendEvent(nil, e)
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	data = bytes.ReplaceAll(data, []byte("\r"), []byte("\n"))
	b := strconv.AppendInt([]byte("id: "), e.EventID, 10)
	b = append(b, "\ndata: "...)
	b = append(b, bytes.ReplaceAll(data, []byte("\n"), []byte("\ndata: "))...)
	return append(b, "\n\n"...)
}
