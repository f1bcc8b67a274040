package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"forgetmenot/grader"
)

// A submission is a file to grade, or why there is none.
type submission struct {
	name    string // in the report
	given   string // the PATH by which it was found
	key     string // tells files apart, so that one given twice is graded once
	read    func() ([]byte, *grader.Trouble)
	trouble *grader.Trouble // known before reading
}

// scripts are the file names that are taken for submissions in a folder.
var scripts = []string{".js", ".mjs", ".cjs"}

func isScript(name string) bool { return slices.Contains(scripts, path.Ext(name)) }

// skipped are what folders hold beside submissions: hidden files, packages, and what a Mac's zip files add.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "node_modules" || name == "__MACOSX"
}

// find lists the submissions at the paths, sorted by name. An error is the caller's of the command: a path that does not exist, a folder with nothing
// to grade in it.
func find(paths []string) (found []submission, err error) {
	seen := map[string]bool{}
	for _, p := range paths {
		subs, err := at(p)
		if err != nil {
			return nil, err
		}
		for _, s := range subs {
			s.given = filepath.ToSlash(filepath.Clean(p))
			if !seen[s.key] {
				seen[s.key] = true
				found = append(found, s)
			}
		}
	}
	tellApart(found)
	slices.SortStableFunc(found, func(a, b submission) int { return strings.Compare(a.name, b.name) })
	return found, nil
}

// tellApart lengthens the names that stand twice by the path they were found at.
func tellApart(subs []submission) {
	count := map[string]int{}
	for _, s := range subs {
		count[s.name]++
	}
	for i, s := range subs {
		if count[s.name] > 1 {
			subs[i].name = path.Join(s.given, s.name)
		}
	}
}

func at(p string) ([]submission, error) {
	info, err := os.Stat(p)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Lstat(p); err == nil {
			return nil, fmt.Errorf("%s is a link to something that does not exist", clean(p))
		}
		return nil, fmt.Errorf("there is no file or folder %s%s", clean(p), nearby(p))
	case err != nil:
		return nil, fmt.Errorf("%s cannot be looked at: %v", clean(p), cause(err))
	case info.IsDir():
		return inFolder(p)
	}
	abs, err := filepath.Abs(p)
	if err != nil {
		abs = p
	}
	return []submission{{
		name: filepath.ToSlash(filepath.Clean(p)), key: abs,
		read: func() ([]byte, *grader.Trouble) { return readFile(os.Stat, os.OpenFile, p) },
	}}, nil
}

// nearby proposes a name from the same folder.
func nearby(p string) string {
	dir, base := filepath.Split(p)
	entries, err := os.ReadDir(filepath.Clean(dir + "."))
	if err != nil || len(entries) > 5000 {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return clean(didYouMean(base, names))
}

// validName makes a file name a text; some systems allow any bytes.
func validName(name string) string { return strings.ToValidUTF8(name, "\ufffd") }

// cause is an error without the name of the operation and the path, which the message around it tells better.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
