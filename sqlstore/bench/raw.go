package main

import (
	"fmt"
	"sync"
	"time"
)

// A driver is a way to SQLite with nothing between: the statements are prepared, and known by their numbers.
type driver interface {
	// open opens a file, sets the pragmas, reads them back (see checkPragma) and prepares the statements.
	open(file string) (version string, err error)
	exec(s statement, args ...any) error
	// first is the first column of a statement's only row; found is false when it has none.
	first(s statement, args ...any) (value int64, found bool, err error)
	messages(session int64) (tally, error)
	events(session int64) (tally, error)
	sessions() (tally, error)
	close() error
}

// raw is a subject that does with a driver what the store does, and nothing else: it has one connection, and takes the rows as they are.
type raw struct {
	driver driver
	work   work
}

func (r *raw) open(file string) (string, error) {
	if err := r.close(); err != nil {
		return "", err
	}
	return r.driver.open(file)
}

func (r *raw) close() error { return r.driver.close() }

func (r *raw) load(w work) { r.work = w }

func (r *raw) write(from, n int) error {
	for i := range n {
		if err := r.append(&r.work.appends[from+i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *raw) append(a *appended) error {
	if err := r.driver.exec(begin); err != nil {
		return err
	}
	last, _, err := r.driver.first(logEnd)
	if err != nil {
		return err
	}
	session, found, err := r.driver.first(findSession, a.session)
	if err == nil && !found {
		err = fmt.Errorf("there is no session %q", a.session)
	}
	if err != nil {
		return err
	}
	for i := range a.rows {
		if last++; last != a.rows[i].eventID {
			return fmt.Errorf("the file goes on with event %d, the work with %d", last, a.rows[i].eventID)
		}
		if err := r.put(session, &a.rows[i]); err != nil {
			return err
		}
	}
	if err := r.driver.exec(moveSession, last, int64(len(a.rows)), session); err != nil {
		return err
	}
	return r.driver.exec(commit)
}

func (r *raw) put(session int64, e *workRow) error {
	if err := r.driver.exec(putMessage, e.eventID, session, e.role, e.content, orNull(e.callID), orNull(e.name), orNull(e.values)); err != nil {
		return err
	}
	switch {
	case e.name != "":
		if err := r.driver.exec(putCall, e.eventID, session, e.callID); err != nil {
			return err
		}
	case e.callID != "":
		call, found, err := r.driver.first(openCall, session, e.callID, "open")
		if err == nil && !found {
			err = fmt.Errorf("no open call %q", e.callID)
		}
		if err == nil {
			err = r.driver.exec(answerCall, e.eventID, call)
		}
		if err != nil {
			return err
		}
	}
	return r.driver.exec(putEvent, e.eventID, session, e.kind, e.payload, e.createdAt, e.hash)
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// crowd is a transaction for whoever holds the mutex.
func (r *raw) crowd(writers, from, n int) ([]time.Duration, error) {
	var mu sync.Mutex
	next := from
	return together(writers, n, func(int, int) error {
		mu.Lock()
		defer mu.Unlock()
		next++
		return r.append(&r.work.appends[next-1])
	})
}

func (r *raw) messages(session string) (tally, error) { return r.ofSession(session, r.driver.messages) }
func (r *raw) events(session string) (tally, error)   { return r.ofSession(session, r.driver.events) }
func (r *raw) sessions() (tally, error)               { return r.driver.sessions() }

func (r *raw) ofSession(session string, read func(int64) (tally, error)) (tally, error) {
	number, found, err := r.driver.first(findSession, session)
	if err == nil && !found {
		err = fmt.Errorf("there is no session %q", session)
	}
	if err != nil {
		return tally{}, err
	}
	return read(number)
}

// checkPragma compares what a pragma answers with what was set.
func checkPragma(name, want, got string) error {
	if got != want {
		return fmt.Errorf("pragma %s is %q, it should be %s", name, got, want)
	}
	return nil
}
