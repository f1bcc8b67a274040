//go:build !rivals

package main

import "context"

// Without the tag rivals there are none, so that vet and tests of all the rest need no C compiler, nor a minute of it.
func rivals(context.Context) map[string]subject { return nil }
