package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"forgetmenot/grader"
	"forgetmenot/grader/format"
)

// A sink is one output of a run: a format, and what it is written to.
type sink struct {
	name   string // for messages
	writer format.Writer
	finish func(keep bool) error
	failed error
}

// report writes one report, and lets the others live when it cannot.
func (s *sink) report(r *grader.Report) {
	if s.failed == nil {
		s.failed = s.writer.Report(r)
	}
}

func (s *sink) close() error {
	if s.failed == nil {
		s.failed = s.writer.Close()
	}
	if err := s.finish(s.failed == nil); s.failed == nil {
		s.failed = err
	}
	if s.failed != nil {
		return fmt.Errorf("%s could not be written: %w", s.name, cause(s.failed))
	}
	return nil
}

// openFile makes the sink of an --out flag. A file is written beside its place and put there when it is complete, so that nobody ever reads half
// of one; that it can be written is found out now, before anything is graded.
func openFile(o out) (*sink, error) {
	f, _ := format.Find(o.format)
	place := o.file
	if target, err := filepath.EvalSymlinks(place); err == nil {
		place = target // a link stays a link
	}
	mode := fs.FileMode(0o666)
	info, err := os.Stat(place)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("--out %s=%s: this is a folder; name a file in it", o.format, clean(o.file))
	case err == nil && info.Mode()&fs.ModeCharDevice != 0:
		return openDevice(f, o)
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("--out %s=%s: this is neither a file nor a place for one", o.format, clean(o.file))
	case err == nil:
		mode = info.Mode().Perm()
		if w, err := os.OpenFile(place, os.O_WRONLY, 0); err != nil {
			return nil, unwritable(o, err)
		} else {
			w.Close()
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, unwritable(o, err)
	}
	aside := filepath.Join(filepath.Dir(place), fmt.Sprintf(".%s.%d.part", filepath.Base(place), os.Getpid()))
	file, err := os.OpenFile(aside, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return nil, unwritable(o, err)
	}
	buffer := bufio.NewWriter(file)
	return &sink{
		name:   clean(o.file),
		writer: f.New(buffer, format.Options{Summary: true}),
		finish: func(keep bool) error {
			err := errors.Join(buffer.Flush(), file.Close())
			if !keep || err != nil {
				return errors.Join(err, os.Remove(aside))
			}
			return os.Rename(aside, place)
		},
	}, nil
}

// openDevice writes straight to a device, which cannot be replaced.
func openDevice(f format.Format, o out) (*sink, error) {
	w, err := os.OpenFile(o.file, os.O_WRONLY, 0)
	if err != nil {
		return nil, unwritable(o, err)
	}
	return &sink{name: clean(o.file), writer: f.New(w, format.Options{Summary: true}), finish: func(bool) error { return w.Close() }}, nil
}

func unwritable(o out, err error) error {
	why := cause(err).Error()
	if errors.Is(err, fs.ErrNotExist) {
		why = fmt.Sprintf("there is no folder %s", clean(filepath.Dir(o.file)))
	}
	return fmt.Errorf("--out %s=%s cannot be written: %s", o.format, clean(o.file), why)
}

// openAll opens the files of all --out flags, or none of them.
func openAll(outs []out) (sinks []*sink, err error) {
	defer func() {
		if err != nil {
			for _, s := range sinks {
				s.finish(false)
			}
		}
	}()
	seen := map[string]bool{}
	for _, o := range outs {
		key, _ := filepath.Abs(o.file)
		if seen[key] {
			return sinks, fmt.Errorf("--out names %s twice", clean(o.file))
		}
		seen[key] = true
		s, err := openFile(o)
		if err != nil {
			return sinks, err
		}
		sinks = append(sinks, s)
	}
	return sinks, nil
}

// standardOutput is the sink of --format.
func (c *command) standardOutput(name string, screen *screen, summary bool) *sink {
	f, _ := format.Find(name)
	o := format.Options{Summary: summary}
	if width, ok := terminal(c.stdout); ok {
		o.Width = width
		o.Color = c.colour()
	}
	return &sink{name: "standard output", writer: f.New(screen.over(c.stdout), o), finish: func(bool) error { return nil }}
}

// colour tells whether the person wants colours on a terminal.
func (c *command) colour() bool {
	return c.env("NO_COLOR") == "" && !strings.EqualFold(c.env("TERM"), "dumb")
}
