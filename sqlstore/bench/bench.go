package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"
)

// A size is how much is measured.
type size struct {
	rounds  int // that count; one more comes before them
	singles int // appends of one event in a round
	batches int // appends of many in a round
	batch   int // how many that are
	crowd   int // appends in a round by many goroutines
	chat    int // messages in a round, and in each session before
	// The store that is read: so many events in so many sessions, of which one is long.
	events, sessions, long int
}

func sizes() (whole, small size) {
	whole = size{rounds: 11, singles: 256, batches: 2, batch: 1000, crowd: 6400, chat: 640, events: 1_000_000, sessions: 10_000, long: 100_000}
	small = size{rounds: 3, singles: 128, batches: 1, batch: 1000, crowd: 1280, chat: 256, events: 50_000, sessions: 1000, long: 10_000}
	return whole, small
}

const (
	writers   = 64 // goroutines, and the sessions that are written
	mutexed   = 8  // goroutines that share a connection by a mutex
	chatReads = 8  // sessions that are read in a round
)

// A bench is one run of everything.
type bench struct {
	ctx      context.Context
	size     size
	folder   string
	progress io.Writer
	all      []*process
	absent   map[string]error // why a subject is not measured
}

// stop ends the subjects that are left. What they say then is of no interest: all is measured, or there is an error already.
func (b *bench) stop() {
	for _, p := range b.all {
		p.stop()
	}
}

func (b *bench) path(name string) string { return filepath.Join(b.folder, name) }

func (b *bench) say(format string, args ...any) { fmt.Fprintf(b.progress, format+"\n", args...) }

// start starts every subject. Only the one in JavaScript may be missing, as its package does not build everywhere.
func (b *bench) start(program, inC, inNode string) error {
	if err := b.writeTexts(); err != nil {
		return err
	}
	script, err := filepath.Abs(filepath.Join(inNode, "subject.mjs"))
	if err != nil {
		return err
	}
	if inC, err = filepath.Abs(inC); err != nil {
		return err
	}
	b.absent = map[string]error{}
	for _, s := range []struct {
		name string
		argv []string
	}{
		{"sqlstore", []string{program, "-be", "sqlstore"}},
		{"C", []string{inC}},
		{"ncruces", []string{program, "-be", "ncruces"}},
		{"mattn", []string{program, "-be", "mattn"}},
		{"modernc", []string{program, "-be", "modernc"}},
		{"zombiezen", []string{program, "-be", "zombiezen"}},
		{"better-sqlite3", []string{"node", script}},
		{"langchaingo", []string{program, "-be", "langchaingo"}},
	} {
		p, err := start(s.name, b.folder, s.argv...)
		if err == nil {
			var a answer
			a, err = b.openOne(p, "try-"+s.name+".db")
			p.version = a.Version
		}
		switch {
		case err == nil:
			b.all = append(b.all, p)
		case s.name == "better-sqlite3":
			b.absent[s.name] = err
		case s.name == "C" && errors.Is(err, fs.ErrNotExist):
			return fmt.Errorf("%w; make bin/bench/sqlstore-c makes it", err)
		default:
			return err
		}
	}
	return nil
}

// writeTexts writes what the subjects in other languages prepare and set.
func (b *bench) writeTexts() error {
	for name, lines := range map[string][]string{"statements": statementTexts(), "pragmas": pragmaTexts()} {
		if err := os.WriteFile(b.path(name), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// only are the subjects of these names.
func (b *bench) only(names ...string) []*process {
	var some []*process
	for _, name := range names {
		for _, p := range b.all {
			if p.name == name {
				some = append(some, p)
			}
		}
	}
	return some
}

// drivers are all that work on a store's file.
func (b *bench) drivers() []*process {
	return b.only("sqlstore", "C", "ncruces", "mattn", "modernc", "zombiezen", "better-sqlite3")
}

// versions tells which SQLite each subject has.
func (b *bench) versions() string {
	var said []string
	for _, p := range b.all {
		if p.version != "" {
			said = append(said, p.name+" "+p.version)
		}
	}
	return "SQLite: " + strings.Join(said, ", ")
}

// open gives each subject a store of its own, with the sessions that are written and no events, and tells their files.
func (b *bench) open(subjects []*process, kind string) (files map[string]string, err error) {
	files = map[string]string{}
	for _, p := range subjects {
		file := kind + "-" + p.name + ".db"
		if _, err := b.openOne(p, file); err != nil {
			return nil, err
		}
		files[p.name] = file
	}
	return files, nil
}

func (b *bench) openOne(p *process, file string) (answer, error) {
	s, err := newStore(b.ctx, b.path(file), sqlstore.Options{Synchronous: sqlstore.Normal}, writers)
	if err != nil {
		return answer{}, err
	}
	if err := s.Close(); err != nil {
		return answer{}, err
	}
	return p.ask("open %s", file)
}

// load makes work and gives it to subjects: appends of so many events each.
func (b *bench) load(subjects []*process, kind string, event func(int) eventlog.NewEvent, appends, events int) error {
	file := kind + ".work"
	if err := writeWork(b.ctx, b.path(kind+"-scratch.db"), b.path(file), event, appends, events, writers); err != nil {
		return err
	}
	for _, p := range subjects {
		if _, err := p.ask("load %s", file); err != nil {
			return err
		}
	}
	return nil
}

// verify holds what the subjects have written to the store's own laws: the projections are what the events fold to, and all have the same
// events, as the last hash stands for all of them.
func (b *bench) verify(files map[string]string, events int) error {
	var head *sqlstore.Anchor
	for name, file := range files {
		s, err := sqlstore.Open(b.ctx, b.path(file), sqlstore.Options{})
		if err != nil {
			return err
		}
		r, err := s.Verify(b.ctx)
		s.Close()
		switch {
		case err != nil:
			return err
		case !r.OK():
			return fmt.Errorf("%s wrote what is no store: %s", name, r.Faults[0].Text)
		case r.Events != int64(events):
			return fmt.Errorf("%s wrote %d events, not %d", name, r.Events, events)
		case head != nil && r.Head != *head:
			return fmt.Errorf("%s wrote other events than the others: the last is %v, not %v", name, r.Head, *head)
		}
		head = &r.Head
	}
	return nil
}

// big makes the store that is read. The events of the long session lie between those of all others.
func (b *bench) big(file string) error {
	s, err := newStore(b.ctx, b.path(file), sqlstore.Options{Synchronous: sqlstore.Normal}, b.size.sessions)
	if err != nil {
		return err
	}
	defer s.Close()
	t := &talk{conversation, map[string]int{}}
	put := func(session, from, to int) error {
		if from == to {
			return nil
		}
		name := sessionName(session)
		_, err := s.Append(b.ctx, name, t.next(name, to-from), eventlog.AppendOptions{})
		return err
	}
	others := b.size.sessions - 1
	short := b.size.events - b.size.long
	for i := range others {
		if err := put(0, b.size.long*i/others, b.size.long*(i+1)/others); err != nil {
			return err
		}
		if err := put(i+1, short*i/others, short*(i+1)/others); err != nil {
			return err
		}
	}
	return s.Close()
}
