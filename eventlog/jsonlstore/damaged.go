package jsonlstore

import (
	"cmp"
	"slices"
)

// A Damage is a file of which the store makes no use, and why.
type Damage struct {
	File      string // its path
	SessionID string // "" when the file does not tell
	Err       error  // a *LineError, or that the file could not be read
}

// Damaged tells which files are damaged, by name. They were found when the store was opened, or when they were used; a file that has been mended is looked at
// when the store is opened again.
func (s *Store) Damaged() []Damage {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := []Damage{}
	for _, own := range s.created {
		if own.fault != nil {
			list = append(list, Damage{s.pathOf(own.name), own.id, translated(own.fault)})
		}
	}
	for name, err := range s.strangers {
		list = append(list, Damage{File: s.pathOf(name), Err: translated(err)})
	}
	slices.SortFunc(list, func(a, b Damage) int { return cmp.Compare(a.File, b.File) })
	return list
}
