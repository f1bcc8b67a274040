package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
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
