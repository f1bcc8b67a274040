package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"forgetmenot/grader"
)

// inFolder lists the submissions of a folder: its scripts, and one for each sub-folder.
func inFolder(dir string) ([]submission, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be opened: %v", clean(dir), cause(err))
	}
	defer root.Close()
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	entries, err := readDir(root, ".")
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot be read: %v", clean(dir), cause(err))
	}
	var subs []submission
	any := false // whether there is a script, or what may have been one
	for _, e := range entries {
		name := e.Name()
		if skipped(name) {
			continue
		}
		isFolder := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			target, trouble := follow(root, dir, name)
			switch {
			case trouble != nil && (target == nil && isScript(name) || target != nil && target.IsDir()):
				any = true
				subs = append(subs, submission{name: validName(name), key: filepath.Join(abs, name), trouble: trouble})
				continue
			case trouble != nil:
				continue // a link to something that is no submission anyway
			}
			isFolder = target.IsDir()
		}
		switch {
		case isFolder:
			s, file := inSubfolder(root, name)
			if s.trouble == nil {
				s.read = func() ([]byte, *grader.Trouble) { return readUnder(dir, name, file) }
			}
			any = any || s.trouble == nil || s.trouble.Kind == "ambiguous"
			s.name, s.key = validName(s.name), filepath.Join(abs, s.name)
			subs = append(subs, s)
		case isScript(name):
			any = true
			subs = append(subs, submission{
				name: validName(name), key: filepath.Join(abs, name),
				read: func() ([]byte, *grader.Trouble) { return readUnder(dir, "", name) },
			})
		}
	}
	if !any {
		return nil, fmt.Errorf("the folder %s holds no submission: looked for files that end in .js, .mjs or .cjs, and for sub-folders with such a file in them", clean(dir))
	}
	return subs, nil
}

// follow looks at what a link in a folder leads to. A trouble says why it is not to be followed; the target is then nil unless it is
// a folder elsewhere.
func follow(root *os.Root, dir, name string) (target fs.FileInfo, trouble *grader.Trouble) {
	target, err := root.Stat(name)
	switch {
	case err == nil:
		return target, nil
	case leaves(dir, name):
		// Only what kind of thing it is; a script elsewhere is refused by its name.
		if target, err := os.Stat(filepath.Join(dir, name)); err == nil && target.IsDir() {
			return target, linkTrouble()
		}
		return nil, linkTrouble()
	}
	return nil, grader.Blame("unreadable", "This is a link to something that does not exist.", "这是一个链接，指向的目标不存在。")
}

// inSubfolder finds the one submission of a sub-folder: its name in the report, and the file's in the folder.
func inSubfolder(root *os.Root, folder string) (s submission, file string) {
	s.name = folder
	entries, err := readDir(root, folder)
	if err != nil {
		s.trouble = grader.Blame("unreadable", fmt.Sprintf("The folder cannot be read: %v.", cause(err)), fmt.Sprintf("无法读取该文件夹：%v。", cause(err)))
		return s, ""
	}
	var candidates, others []string
	for _, e := range entries {
		switch name := e.Name(); {
		case skipped(name):
		case isScript(name) && !e.IsDir():
			candidates = append(candidates, name)
		default:
			others = append(others, name)
		}
	}
	for _, ext := range scripts {
		if name := "solution" + ext; slices.Contains(candidates, name) {
			return submission{name: path.Join(folder, name)}, name
		}
	}
	switch len(candidates) {
	case 1:
		return submission{name: path.Join(folder, candidates[0])}, candidates[0]
	case 0:
		s.trouble = grader.Blame("no-file",
			fmt.Sprintf("There is no JavaScript file in this folder: looked for solution.js, or another file that ends in .js, .mjs or .cjs; %s.", listing(others, "it is empty", "it holds only ")),
			"这个文件夹里没有 JavaScript 文件：应有 solution.js，或另一个以 .js、.mjs、.cjs 结尾的文件。")
	default:
		s.trouble = grader.Blame("ambiguous",
			fmt.Sprintf("Which file is the submission? The folder holds %s. Name one of them solution.js.", listing(candidates, "", "")),
			fmt.Sprintf("哪个文件是要提交的？文件夹里有 %s。请把其中一个命名为 solution.js。", listing(candidates, "", "")))
	}
	return s, ""
}

// listing names the first few of some files.
func listing(names []string, none, lead string) string {
	if len(names) == 0 {
		return none
	}
	const most = 6
	shown := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		shown += fmt.Sprintf(" and %d more", more)
	}
	return lead + validName(shown)
}

func readDir(root *os.Root, name string) ([]fs.DirEntry, error) {
	dir, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
