package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"forgetmenot/eventlog"
)

// A client talks to the service as any other program would.
type client struct {
	http     *http.Client
	base     string // http://HOST:PORT
	patience time.Duration
}

// A client keeps no connection, so that one to a dead process is never used again.
func newClient(base string, patience time.Duration) client {
	return client{&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, base, patience}
}

// A turn is what the service answers to a message.
type turn struct {
	Messages    []message `json:"messages"`
	LastEventID int64     `json:"lastEventId"`
}

// A message without an event id is not stored.
type message struct {
	EventID *int64           `json:"eventId"`
	Message eventlog.Message `json:"message"`
}

// ids are those of the messages' events; 0 for one that is not stored.
func (t turn) ids() (ids []int64) {
	for _, m := range t.Messages {
		id := int64(0)
		if m.EventID != nil {
			id = *m.EventID
		}
		ids = append(ids, id)
	}
	return ids
}

// last is what the agent said in the end.
func (t turn) last() string {
	if len(t.Messages) == 0 {
		return ""
	}
	return textOf(t.Messages[len(t.Messages)-1].Message.Content)
}

func (c client) create(ctx context.Context, session, title string) error {
	return c.post(ctx, "/sessions", map[string]string{"id": session, "title": title}, "", nil)
}

// say sends a message and waits for the turn's end.
func (c client) say(ctx context.Context, session, content, key string) (t turn, err error) {
	err = c.post(ctx, "/sessions/"+url.PathEscape(session)+"/messages", map[string]string{"content": content}, key, &t)
	return t, err
}

// An answer is what came of a message that was sent.
type answer struct {
	turn turn
	err  error // there is no answer, and never will be
}

// send is say for who does something else meanwhile.
func (c client) send(ctx context.Context, session, content, key string) <-chan answer {
	answers := make(chan answer, 1)
	c.patience = 0 // who waits for the answer has it
	go func() {
		t, err := c.say(ctx, session, content, key)
		answers <- answer{t, err}
	}()
	return answers
}

func (c client) post(ctx context.Context, path string, body any, key string, into any) error {
	if c.patience > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.patience)
		defer cancel()
	}
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	switch {
	case err != nil:
		return err
	case response.StatusCode >= 300:
		return fmt.Errorf("the service answers %s: %s", response.Status, bytes.TrimSpace(text))
	case into == nil:
		return nil
	}
	return json.Unmarshal(text, into)
}

// gone tells why nobody can be reached at the service's address, or "" when somebody can.
func (c client) gone(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, c.patience)
	defer cancel()
	connection, err := new(net.Dialer).DialContext(ctx, "tcp", strings.TrimPrefix(c.base, "http://"))
	if err == nil {
		connection.Close()
		return ""
	}
	var why syscall.Errno
	if errors.As(err, &why) {
		return why.Error()
	}
	return err.Error()
}
