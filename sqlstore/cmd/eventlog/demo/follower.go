package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"forgetmenot/eventlog"
)

// A follower reads a session's event stream over many connections, and remembers nothing but the last id.
type follower struct {
	session string
	last    int64                  // the id of the newest event that it was sent; 0 for none
	sent    []eventlog.StoredEvent // over all connections, for the checks
	events  chan eventlog.StoredEvent
	hangUp  context.CancelFunc
	client  client
}

// connect opens a stream that begins behind the last event.
func (f *follower) connect(ctx context.Context, c client) error {
	f.close()
	ctx, hangUp := context.WithCancel(ctx)
	f.client, f.hangUp, f.events = c, hangUp, make(chan eventlog.StoredEvent)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+f.path(), nil)
	if err != nil {
		return err
	}
	if f.last > 0 {
		request.Header.Set("Last-Event-ID", strconv.FormatInt(f.last, 10))
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		defer response.Body.Close()
		text, _ := io.ReadAll(response.Body)
		return fmt.Errorf("the service answers %s: %s", response.Status, bytes.TrimSpace(text))
	}
	go func(events chan<- eventlog.StoredEvent) {
		defer response.Body.Close()
		defer close(events)
		for lines := bufio.NewReader(response.Body); ; {
			e, err := frame(lines)
			if err != nil {
				return // the end of the connection, which is what connections come to
			}
			select {
			case events <- e:
			case <-ctx.Done():
				return
			}
		}
	}(f.events)
	return nil
}

func (f *follower) path() string { return "/sessions/" + url.PathEscape(f.session) + "/stream" }

func (f *follower) close() {
	if f.hangUp != nil {
		f.hangUp()
	}
}

// take waits for the next n events. It is errSilent that the connection ended.
func (f *follower) take(ctx context.Context, n int) (events []eventlog.StoredEvent, err error) {
	for len(events) < n {
		e, err := await(ctx, f.client.patience, f.events, "the stream's next event")
		if err != nil {
			return events, err
		}
		f.last, f.sent = e.EventID, append(f.sent, e)
		events = append(events, e)
	}
	return events, nil
}

// frame reads the next event: lines of "field: value" up to an empty one; those that begin with a colon are comments.
//
// https://html.spec.whatwg.org/multipage/server-sent-events.html
func frame(lines *bufio.Reader) (e eventlog.StoredEvent, err error) {
	var id string
	var data []string
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return e, err // also in the middle: an event without its empty line has not arrived
		}
		line = strings.TrimSuffix(line, "\n")
		if line == "" && data != nil {
			return parse(id, strings.Join(data, "\n"))
		}
		switch field, value, _ := strings.Cut(line, ":"); field {
		case "id":
			id = strings.TrimPrefix(value, " ")
		case "data":
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
}

func parse(id, data string) (e eventlog.StoredEvent, err error) {
	var sent struct {
		EventID   int64           `json:"eventId"`
		SessionID string          `json:"sessionId"`
		Type      string          `json:"type"`
		Payload   json.RawMessage `json:"payload"`
		CreatedAt int64           `json:"createdAt"`
	}
	if err := json.Unmarshal([]byte(data), &sent); err != nil {
		return e, err
	}
	if n, err := strconv.ParseInt(id, 10, 64); err != nil || n != sent.EventID {
		return e, fmt.Errorf("the stream's id %q is not the event's id %d", id, sent.EventID)
	}
	return eventlog.StoredEvent{
		Event:     eventlog.Event{EventID: sent.EventID, SessionID: sent.SessionID, Type: sent.Type, Payload: sent.Payload},
		CreatedAt: time.UnixMilli(sent.CreatedAt),
	}, nil
}
