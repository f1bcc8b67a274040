package property

import "pgregory.net/rapid"

// A Tier says what a property is for: to pass, or to go further.
type Tier string

// The tiers.
const (
	Required Tier = "required"
	Mastery  Tier = "mastery"
)

// Words is a text in the languages that learners read here.
type Words struct {
	En string `json:"en"`
	Zh string `json:"zh"`
}

// A Property is one row of an exercise's table. It is read by everything: the check loop, the report, the page, the lesson's test.
type Property struct {
	ID    string // kebab-case, stable
	Tier  Tier
	Title Words // the law in a few words, as a learner would say it
	Law   Words // the law in one sentence

	// Draw makes a program of about the given size that tries to refute the law.
	Draw func(*rapid.T, Size) *Program
	// Check reads a transcript and answers nil or why the law is refuted. It must do so for every program that Valid
	// accepts, not just for those that Draw makes, since shrinking asks it about smaller ones.
	Check func(*Program, *Transcript) *Refutation
	// Valid tells whether a program keeps the exercise's own rules for arguments. Nil accepts all.
	Valid func(*Program) bool
	// Smaller proposes simpler programs of the same calls, most daring first. May be nil.
	Smaller func(*Program) []*Program
	// Every divides the number of cases: a law whose cases are large needs fewer of them. 0 is 1.
	Every int
	// Fixed says that the size of a program is part of the law, so it is not shrunk; Show then tells it in code.
	Fixed bool
	// Show, if not nil, replaces the code of a counterexample.
	Show func(*Program) []string
	// OutOfMemory, if not nil, says what running out of memory means for this law. Without it, or when it answers nil, the realm crashed.
	OutOfMemory func(*Program, *Stop) *Refutation
}

// A Size says how large a case should be. Faults that show only in long logs are rare and long cases are expensive, so few
// cases are large; but which ones is counted, not drawn, so that every run has some.
type Size int

// The sizes: by far most cases are Small.
const (
	Small Size = iota
	Medium
	Large
)

// sizeOf is the size of the case with this number.
func sizeOf(number int) Size {
	switch {
	case number%100 == 50:
		return Large
	case number%20 == 5:
		return Medium
	}
	return Small
}

// CasesOf is how many cases the property runs when the person asked for n.
func (p *Property) CasesOf(n int) int { return max(1, n/max(1, p.Every)) }

// A Refutation says how a transcript breaks a law.
type Refutation struct {
	Message  Words
	At       int   // the call whose result shows it
	Against  int   // an earlier call that it contradicts, or -1
	Expected Value // what the law wants there
	Actual   Step  // what stands there
	// NoExpected: the law is about what must not be, so there is nothing to set against it.
	NoExpected bool
}
