package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"forgetmenot/eventlog/inspect"
)

// A logFile is a file to inspect.
type logFile struct {
	name   string
	size   int64
	walked bool // found in a folder: it may be anything
}

// logFiles are the files that were named, and those in the folders that were.
func (c *call) logFiles() ([]logFile, tally, error) {
	var files []logFile
	var n tally
	for _, name := range c.arguments {
		info, err := os.Stat(name)
		if err != nil {
			return nil, n, err
		}
		if !info.IsDir() {
			files = append(files, logFile{name: name, size: info.Size()})
			continue
		}
		n.walked = true
		found, older, err := walk(name)
		if err != nil {
			return nil, n, err
		}
		files = append(files, found...)
		n.older += older
	}
	return files, n, nil
}

// walk finds the plain files in a folder and below, in the order of their names. Links are not followed. What cannot be looked into is given as a
// file, so that reading it tells why.
func walk(folder string) (files []logFile, older int64, err error) {
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == folder:
			return err
		case err != nil:
			files = append(files, logFile{name: name})
			return nil
		case !d.Type().IsRegular() || isSideFile(name):
			return nil
		}
		size := int64(0)
		if info, err := d.Info(); err == nil {
			size = info.Size()
		}
		files = append(files, logFile{name, size, true})
		return nil
	})
	files, older = newest(files)
	return files, older, err
}

// isSideFile tells the files that our stores have beside those with events in them.
func isSideFile(name string) bool {
	switch filepath.Base(name) {
	case "eventlog.lock", "eventlog.head", "eventlog.new":
		return true
	}
	return strings.HasSuffix(name, "-wal") || strings.HasSuffix(name, "-shm") || strings.HasSuffix(name, "-journal")
}

// newest keeps, of the generations of a session that DeepSeek's harness leaves in one folder, the one with the highest number, as it does.
func newest(files []logFile) (kept []logFile, older int64) {
	generation := regexp.MustCompile(`^session(?:\.v(\d+))?\.jsonl(?:\.zstd)?$`)
	number := func(name string) int {
		match := generation.FindStringSubmatch(filepath.Base(name))
		if match == nil {
			return -1
		}
		n, err := strconv.Atoi(match[1])
		if err != nil {
			return 0
		}
		return n
	}
	best := map[string]int{}
	for _, f := range files {
		folder := filepath.Dir(f.name)
		best[folder] = max(best[folder], number(f.name))
	}
	for _, f := range files {
		if n := number(f.name); n >= 0 && n < best[filepath.Dir(f.name)] {
			older++
			continue
		}
		kept = append(kept, f)
	}
	return kept, older
}

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

const barWidth = 30

func (c *call) newBar(files []logFile) *bar {
	b := &bar{files: len(files), shown: -1, color: os.Getenv("NO_COLOR") == ""}
	for _, f := range files {
		b.all += f.size
	}
	if isTerminal(c.err) && os.Getenv("TERM") != "dumb" && (b.files > 1 || b.all > 64<<20) {
		b.w = c.err
	}
	return b
}

// isTerminal tells a terminal, and some other devices on which nothing is lost.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
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
