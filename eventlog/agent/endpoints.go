package agent

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"forgetmenot/eventlog"
)

func (s *Service) createSession(w http.ResponseWriter, r *http.Request) error {
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	id, err := text(body, "id")
	if err != nil {
		return err
	}
	title, err := text(body, "title")
	if err != nil {
		return err
	}
	if _, given := body["id"]; !given {
		id = s.o.NewID()
	}
	session, err := s.store.CreateSession(r.Context(), id, title)
	if err != nil {
		return err
	}
	// Dots too: a client takes ".." for a step up.
	w.Header().Set("Location", "/sessions/"+strings.ReplaceAll(url.PathEscape(session.ID), ".", "%2E"))
	writeJSON(w, http.StatusCreated, append(appendSession(nil, session), '\n'))
	return nil
}

func (s *Service) getSession(w http.ResponseWriter, r *http.Request) error {
	session, err := s.store.Session(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, append(appendSession(nil, session), '\n'))
	return nil
}

func (s *Service) listSessions(w http.ResponseWriter, r *http.Request) error {
	order := eventlog.ByActivity
	switch name := r.URL.Query().Get("order"); name {
	case "", "activity":
	case "creation":
		order = eventlog.ByCreation
	default:
		return badRequest("bad_order", "there is no such order", "use activity or creation")
	}
	limit, err := pageLimit(r)
	if err != nil {
		return err
	}
	var after eventlog.SessionCursor
	if at := r.URL.Query().Get("after"); at != "" {
		var last, number int64
		if n, err := fmt.Sscanf(at, "%d.%d", &last, &number); n != 2 || err != nil || fmt.Sprintf("%d.%d", last, number) != at {
			return badRequest("bad_after", "after is no cursor", "use the next of an earlier answer")
		}
		after = eventlog.NewSessionCursor(last, number)
	}

	var end eventlog.Session
	body, more, err := list([]byte(`{"sessions":[`), s.store.Sessions(r.Context(), order, after), limit,
		func(b []byte, session eventlog.Session) ([]byte, error) {
			end = session
			return appendSession(b, session), nil
		})
	if err != nil {
		return err
	}
	body = append(body, `],"next":`...)
	if more {
		last, number, _ := end.Cursor(order).Key()
		body = fmt.Appendf(body, `"%d.%d"}`, last, number)
	} else {
		body = append(body, "null}"...)
	}
	writeJSON(w, http.StatusOK, append(body, '\n'))
	return nil
}

func (s *Service) postMessage(w http.ResponseWriter, r *http.Request) error {
	key, err := readKey(r)
	if err != nil {
		return err
	}
	body, err := s.readBody(w, r)
	if err != nil {
		return err
	}
	if content, err := text(body, "content"); err != nil {
		return err
	} else if content == "" {
		return badRequest("bad_content", "the message has no content", `send {"content":"…"}`)
	}
	answered := false
	err = s.say(r.Context(), r.PathValue("id"), body["content"], key, func(a Turn) {
		body, err := a.json()
		if err != nil {
			s.refuse(w, r, err)
		} else {
			writeJSON(w, http.StatusOK, body)
		}
		// The answer leaves here, and not when the handler returns: with Options.ReplyFirst that makes the difference.
		http.NewResponseController(w).Flush()
		answered = true
	})
	if answered && err != nil { // only Options.ReplyFirst brings this about
		s.o.Log.ErrorContext(r.Context(), "what the client was told is not stored", "session", r.PathValue("id"), "error", err)
		return nil
	}
	return err
}

func (s *Service) getMessages(w http.ResponseWriter, r *http.Request) error {
	in, limit, err := readRange(r)
	if err != nil {
		return err
	}
	last := in.After
	body, more, err := list([]byte(`{"messages":[`), s.store.Messages(r.Context(), r.PathValue("id"), in), limit,
		func(b []byte, m eventlog.StoredMessage) ([]byte, error) {
			last = m.EventID
			return appendMessage(b, m)
		})
	return answerPage(w, body, last, more, err)
}

func (s *Service) getEvents(w http.ResponseWriter, r *http.Request) error {
	in, limit, err := readRange(r)
	if err != nil {
		return err
	}
	last := in.After
	body, more, err := list([]byte(`{"events":[`), s.store.Events(r.Context(), r.PathValue("id"), in), limit,
		func(b []byte, e eventlog.StoredEvent) ([]byte, error) {
			last = e.EventID
			return appendEvent(b, e), nil
		})
	return answerPage(w, body, last, more, err)
}

// list writes items, up to a limit, behind what stands in b. A page is in memory before anything of it is sent, so that an error is one.
func list[T any](b []byte, items iter.Seq2[T, error], limit int, write func([]byte, T) ([]byte, error)) (page []byte, more bool, err error) {
	n := 0
	for item, err := range items {
		if err != nil {
			return nil, false, err
		}
		if n == limit || len(b) > pageBytes {
			return b, true, nil
		}
		if n > 0 {
			b = append(b, ',')
		}
		if b, err = write(b, item); err != nil {
			return nil, false, err
		}
		n++
	}
	return b, false, nil
}

func answerPage(w http.ResponseWriter, body []byte, last int64, more bool, err error) error {
	if err != nil {
		return err
	}
	body = strconv.AppendInt(append(body, `],"lastEventId":`...), last, 10)
	body = strconv.AppendBool(append(body, `,"more":`...), more)
	writeJSON(w, http.StatusOK, append(body, "}\n"...))
	return nil
}

// health is of the service, with its store.
func (s *Service) health(w http.ResponseWriter, r *http.Request) error {
	select {
	case <-s.stop:
		return ErrShutdown
	default:
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	for _, err := range s.store.Sessions(ctx, eventlog.ByCreation, eventlog.SessionCursor{}) {
		if err != nil {
			return err
		}
		break
	}
	writeJSON(w, http.StatusOK, []byte(`{"status":"ok"}`+"\n"))
	return nil
}
