// Package exercises is the curriculum: what an Exercise is, and the list of them.
//
// An exercise is one folder here: its lessons, its starter, its solution, and a bank of other right solutions and of mutants (solutions
// with one plausible fault each) that prove its properties. The properties themselves are Go. `grader verify` holds an exercise
// against its own bank.
package exercises

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"forgetmenot/eventlog/eventlogtest"
	"forgetmenot/grader/property"
)

// An Exercise is something to write, and what it is held to.
type Exercise struct {
	ID         string
	Title      property.Words
	Functions  []string // that a submission offers, by name
	Properties []*property.Property
}

// All lists the exercises in the order in which a learner meets them.
func All() []Exercise {
	return []Exercise{{
		ID:         "event-log",
		Title:      property.Words{En: "An append-only event log", Zh: "只追加的事件日志"},
		Functions:  eventlogtest.Functions(),
		Properties: eventlogtest.Properties(),
	}}
}

// Find finds an exercise by its id.
func Find(id string) (Exercise, bool) {
	all := All()
	i := slices.IndexFunc(all, func(e Exercise) bool { return e.ID == id })
	if i < 0 {
		return Exercise{}, false
	}
	return all[i], true
}

//go:embed */starter.js */solution.js */solutions/*.js */mutants/*.js
var bank embed.FS

// A File is a piece of an exercise's bank.
type File struct {
	Name   string // under the exercise's folder, e.g. "mutants/push.js"
	Source string
}

// A Mutant is a solution with one fault. Its first line names the property that must refute it and the most calls that its
// counterexample may have:
//
//	// killed-by: immutability calls: 4 — appends with push
type Mutant struct {
	File
	KilledBy string
	MaxCalls int
	Mistake  string
}

// A Bank is what proves an exercise.
type Bank struct {
	Starter   File
	Solutions []File // the model solution first; each passes everything required
	Mastery   map[string][]string
	Mutants   []Mutant
}

var (
	mutantLine   = regexp.MustCompile(`^// killed-by: ([a-z-]+) calls: (\d+) — (.+)$`)
	solutionLine = regexp.MustCompile(`^// solution: (.+) — mastery: (.+)$`)
)

// BankOf reads an exercise's bank.
func BankOf(id string) (Bank, error) {
	b := Bank{Mastery: map[string][]string{}}
	read := func(name string) (File, error) {
		data, err := fs.ReadFile(bank, path.Join(id, name))
		return File{name, string(data)}, err
	}
	var err error
	if b.Starter, err = read("starter.js"); err != nil {
		return b, fmt.Errorf("exercise %s has no starter: %w", id, err)
	}
	model, err := read("solution.js")
	if err != nil {
		return b, fmt.Errorf("exercise %s has no solution: %w", id, err)
	}
	b.Solutions = append(b.Solutions, model)
	names, _ := fs.Glob(bank, path.Join(id, "solutions", "*.js"))
	for _, name := range names {
		f, err := read(strings.TrimPrefix(name, id+"/"))
		if err != nil {
			return b, err
		}
		m := solutionLine.FindStringSubmatch(firstLine(f.Source))
		if m == nil {
			return b, fmt.Errorf("%s/%s: the first line must be `// solution: HOW IT IS WRITTEN — mastery: IDS or none`", id, f.Name)
		}
		if m[2] != "none" {
			b.Mastery[f.Name] = strings.Split(m[2], ", ")
		}
		b.Solutions = append(b.Solutions, f)
	}
	names, _ = fs.Glob(bank, path.Join(id, "mutants", "*.js"))
	for _, name := range names {
		f, err := read(strings.TrimPrefix(name, id+"/"))
		if err != nil {
			return b, err
		}
		m := mutantLine.FindStringSubmatch(firstLine(f.Source))
		if m == nil {
			return b, fmt.Errorf("%s/%s: the first line must be `// killed-by: PROPERTY calls: N — THE MISTAKE`", id, f.Name)
		}
		n, _ := strconv.Atoi(m[2])
		b.Mutants = append(b.Mutants, Mutant{File: f, KilledBy: m[1], MaxCalls: n, Mistake: m[3]})
	}
	return b, nil
}

func firstLine(source string) string {
	line, _, _ := strings.Cut(strings.TrimPrefix(source, "\ufeff"), "\n")
	return strings.TrimSuffix(line, "\r")
}
