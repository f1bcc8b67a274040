package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync/atomic"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/inspect"
	"forgetmenot/sqlstore"
)

// mostImported is how many bytes of payload an import takes: a record of another agent comes with what was read from it, and some are long.
const mostImported = 48 << 20

func importFiles(ctx context.Context, c *call) error {
	for _, name := range c.arguments { // before the log is made that they go into
		if _, err := os.Stat(name); err != nil && name != "-" {
			return err
		}
	}
	i := &importing{call: c}
	o := sqlstore.Options{}
	o.Limits.Payload = mostImported
	o.Now = i.clock
	return c.inSQLite(ctx, o, func(s *sqlstore.Store) error {
		i.store = s
		for _, name := range c.arguments {
			if err := i.file(ctx, name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		return nil
	})
}

// importing brings files into a store.
type importing struct {
	*call
	store *sqlstore.Store
	at    atomic.Int64 // the time, in Unix milliseconds, of what is being appended
}

// clock tells the store when what it takes happened, since that is long past.
func (i *importing) clock() time.Time { return time.UnixMilli(i.at.Load()) }

func (i *importing) file(ctx context.Context, name string) error {
	if name == "-" {
		return i.export(ctx, name, i.in)
	}
	format, err := inspect.Recognise(plain(name))
	if err == nil && !ours(format) {
		return i.foreign(ctx, plain(name))
	} else if err != nil && !errors.Is(err, inspect.ErrUnknown) {
		return err
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return i.export(ctx, name, file) // which knows what to say of a file that is none
}

func ours(format string) bool { return format == "forgetmenot-eventlog" }

func (i *importing) export(ctx context.Context, name string, from io.Reader) error {
	n, err := i.store.Import(ctx, from)
	if err != nil {
		return err
	}
	return i.did("%s: %s in %s", name, counted(n.Events, "event"), counted(n.Sessions, "session"))
}

// foreign brings in a session of another agent: as a whole when it is new, else what has been added since it was imported.
func (i *importing) foreign(ctx context.Context, s inspect.Source) error {
	session, err := firstSession(ctx, s)
	if err != nil {
		return err
	}
	_, err = i.store.Session(ctx, session)
	switch {
	case errors.Is(err, eventlog.ErrNoSession):
		done, err := i.whole(ctx, s)
		if err != nil {
			return err
		}
		return i.did("%s: %s of %s in the session %s", s.Name, counted(done.Events, "event"), done.Format, done.SessionID)
	case err != nil:
		return err
	}
	there, added, err := i.rest(ctx, s, session)
	if err != nil {
		return err
	}
	return i.did("%s: %s of the session %s were there already, %s came in", s.Name, counted(there, "event"), session, counted(added, "event"))
}

// firstSession is the session that a file is about.
func firstSession(ctx context.Context, s inspect.Source) (string, error) {
	for e, err := range inspect.Events(ctx, s) {
		if err != nil {
			return "", err
		}
		return e.SessionID, nil
	}
	return "", errors.New("there is no event in it")
}

// whole imports a file as one transaction: as if it had been exported from another store.
func (i *importing) whole(ctx context.Context, s inspect.Source) (inspect.Converted, error) {
	last := int64(0)
	for session, err := range i.store.Sessions(ctx, eventlog.ByActivity, eventlog.SessionCursor{}) {
		if err != nil {
			return inspect.Converted{}, err
		}
		last = session.LastEventID
		break
	}
	from, to := io.Pipe()
	type outcome struct {
		done inspect.Converted
		err  error
	}
	converted := make(chan outcome, 1)
	go func() {
		done, err := inspect.Convert(ctx, s, last, mostImported, to)
		to.CloseWithError(err)
		converted <- outcome{done, err}
	}()
	_, err := i.store.Import(ctx, from)
	from.Close() // so that a conversion which nobody reads ends
	o := <-converted
	if o.err != nil && !errors.Is(o.err, io.ErrClosedPipe) {
		err = o.err // why the import got no more
	}
	return o.done, err
}

// A conflictError says that a session in the store is not what a file says.
type conflictError struct {
	session string
	place   inspect.Place
	why     string
}

func (e *conflictError) Error() string {
	return fmt.Sprintf("the session %s is in the log already, and %s (%s); nothing was imported: import it into another log", e.session, e.why, e.place)
}

// rest compares a session with what a file says, and appends what the file has more.
func (i *importing) rest(ctx context.Context, s inspect.Source, session string) (there, added int64, err error) {
	stored, stop := iter.Pull2(i.store.Events(ctx, session, eventlog.Range{}))
	defer stop()
	last := int64(0)
	var b batch
	for e, err := range inspect.Events(ctx, s) {
		if err != nil {
			return there, added, err
		}
		payload := e.Payload()
		if added == 0 && len(b.events) == 0 {
			is, err, more := stored()
			switch {
			case err != nil:
				return there, added, err
			case more && (e.SessionID != session || is.Type != e.Type || !bytes.Equal(is.Payload, payload)):
				return there, added, &conflictError{session, e.Place, fmt.Sprintf("its event %d is another one", is.EventID)}
			case more:
				there++
				last = is.EventID
				continue
			}
		}
		if len(b.events) > 0 && b.line != e.Line {
			if last, err = i.append(ctx, session, &b, last); err != nil {
				return there, added, err
			}
		}
		if len(b.events) == 0 {
			b = batch{line: e.Line, key: inspect.Key(e, there+added)}
			if !e.Time.IsZero() {
				i.at.Store(e.Time.UnixMilli())
			}
		}
		b.events = append(b.events, eventlog.NewEvent{Type: e.Type, Payload: payload})
		added++
	}
	if len(b.events) > 0 {
		_, err = i.append(ctx, session, &b, last)
	}
	return there, added, err
}

// A batch is the events of one record.
type batch struct {
	line   int64
	key    string
	events []eventlog.NewEvent
}

func (i *importing) append(ctx context.Context, session string, b *batch, last int64) (int64, error) {
	receipt, err := i.store.Append(ctx, session, b.events, eventlog.AppendOptions{Key: b.key, Expect: eventlog.ExpectLast(last)})
	b.events = nil
	if err != nil {
		return last, err
	}
	return receipt.Events[len(receipt.Events)-1].EventID, nil
}
