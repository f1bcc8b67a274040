// Package quietenv takes rapid's settings out of the environment of a command that imports it. rapid reads them while the program starts, and panics
// on one that it cannot read: nobody's odd RAPID_SEED may end the grader before it has begun.
//
// It works since packages that depend on nothing else are initialised in the order of their import paths, and this one's comes before rapid's
// (https://go.dev/ref/spec#Program_initialization). A test runs the command to see that it does.
package quietenv

import (
	"os"
	"strings"
)

func init() {
	for _, setting := range os.Environ() {
		if name, _, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "RAPID_") {
			os.Unsetenv(name)
		}
	}
}
