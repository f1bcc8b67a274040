//go:build rivals

package main

import "context"

// rivals are the subjects that take long to compile: one is C, and one is that C translated to Go.
func rivals(ctx context.Context) map[string]subject {
	return map[string]subject{
		"mattn":       &raw{driver: &database{name: "sqlite3"}},
		"modernc":     &raw{driver: &database{name: "sqlite"}},
		"zombiezen":   &raw{driver: &zombiezen{}},
		"langchaingo": &langchain{ctx: ctx},
	}
}
