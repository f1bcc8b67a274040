package property

import "fmt"

// A LoadError says why a submission cannot be run at all. It is the submission's fault.
type LoadError struct {
	Kind   LoadKind
	Name   string // of the error: SyntaxError, …
	Text   string // the engine's message; for an import the module's name
	Line   int    // 1-based; 0 when not known
	Column int
}

// A LoadKind tells the ways in which a submission cannot be loaded.
type LoadKind string

// The ways.
const (
	LoadSyntax LoadKind = "syntax"
	LoadThrew  LoadKind = "threw"  // its top level throws
	LoadImport LoadKind = "import" // it imports another module
	LoadEnding LoadKind = "ending" // its top level does not come to an end
	LoadMemory LoadKind = "memory"
	LoadStack  LoadKind = "stack"
)

func (e *LoadError) Error() string {
	return fmt.Sprintf("%s: %s %s (line %d, column %d)", e.Kind, e.Name, e.Text, e.Line, e.Column)
}
