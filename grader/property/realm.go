package property

import (
	"context"
	"fmt"
)

// A Runner opens realms for one submission.
type Runner interface {
	// Open makes a fresh realm with the submission loaded in it. The entropy picks what its clock and its random
	// numbers say: realms of equal entropy behave equally.
	Open(ctx context.Context, entropy int) (Realm, error)
}

// A Realm is a place where one submission lives, with whatever it remembers. It serves one caller at a time.
type Realm interface {
	// Run executes the program in one crossing. A *Stop says that the realm ended the submission's code, and is then spent: only
	// Close may follow. Any other error is the runner's own fault or the context's.
	Run(ctx context.Context, p *Program) (*Transcript, error)
	// Reset puts the realm back to how Open made it.
	Reset(ctx context.Context) error
	Close() error
}

// A StopKind says which limit ended a realm.
type StopKind string

// The limits that end a realm.
const (
	StopFuel   StopKind = "fuel"   // more steps than any honest answer needs
	StopStack  StopKind = "stack"  // calls nested too deeply
	StopMemory StopKind = "memory" // more memory than a realm may hold
	StopClock  StopKind = "clock"  // ended from outside, by wall clock
	StopOutput StopKind = "output" // answers larger than can be read
)

// A Stop is the error of a realm that was ended. Call is the number of the call that it was in, -1 when that is not known.
type Stop struct {
	Kind StopKind
	Call int
}

func (s *Stop) Error() string { return fmt.Sprintf("stopped in call %d: out of %s", s.Call, s.Kind) }
