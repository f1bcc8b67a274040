package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"forgetmenot/eventlog/inspect"
)

// A bar shows on a terminal how far many files, or a large one, have been read. It knows no clock: it moves with what is read.
type bar struct {
	w          io.Writer // nil when there is nothing to show
	color      bool
	files      int
	at         int
	all, done  int64 // bytes; those of files that are done
	read, size int64 // of this file
	shown      int
	name       string
}

const (
	barWidth  = 30
	largeFile = 64 << 20 // one file alone is worth a bar from this size on
)

func (c *call) newBar(files []logFile) *bar {
	b := &bar{files: len(files), shown: -1, color: os.Getenv("NO_COLOR") == ""}
	for _, f := range files {
		b.all += f.size
	}
	if _, ok := terminal(c.err); ok && os.Getenv("TERM") != "dumb" && (b.files > 1 || b.all > largeFile) {
		b.w = c.err
	}
	return b
}

func (b *bar) next(f logFile) {
	b.done += b.size
	b.at++
	b.read, b.size, b.name, b.shown = 0, f.size, filepath.Base(f.name), -1
	b.draw()
}

func (b *bar) draw() {
	if b.w == nil {
		return
	}
	part := int64(0)
	if b.all > 0 {
		part = min(1000, 1000*(b.done+min(b.read, b.size))/b.all)
	}
	if int(part) == b.shown {
		return
	}
	b.shown = int(part)
	full := strings.Repeat("#", int(part)*barWidth/1000)
	if b.color {
		full = "\x1b[34m" + full + "\x1b[0m"
	}
	fmt.Fprintf(b.w, "\r\x1b[K[%s%s] %d/%d %s", full, strings.Repeat(".", barWidth-int(part)*barWidth/1000), b.at, b.files, cut(clean(b.name), 30))
}

// clear takes the bar away, so that something else can be written.
func (b *bar) clear() {
	if b.w != nil {
		fmt.Fprint(b.w, "\r\x1b[K")
		b.shown = -1
	}
}

// counting is a file whose reading moves the bar.
func (b *bar) counting(f logFile) inspect.Source {
	s := plain(f.name)
	if b.w == nil {
		return s
	}
	open := s.Open
	s.Open = func() (io.ReadCloser, error) {
		file, err := open()
		if err != nil {
			return nil, err
		}
		return &countedFile{file, b, 0}, nil
	}
	return s
}

type countedFile struct {
	io.ReadCloser
	bar  *bar
	read int64
}

func (f *countedFile) Read(p []byte) (int, error) {
	n, err := f.ReadCloser.Read(p)
	if f.read += int64(n); f.read > f.bar.read { // some are read twice
		f.bar.read = f.read
		f.bar.draw()
	}
	return n, err
}
