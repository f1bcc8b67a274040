package main

import (
	"fmt"
	"io"
	"strings"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/format"
)

const mainHelp = `grader holds submissions against an exercise.

  grader grade [flags] EXERCISE PATH...   grades files, or folders of them
  grader list                             the exercises
  grader verify [EXERCISE...]             holds an exercise against its own solutions, starter and mutants
  grader help COMMAND                     more about a command
  grader version

Examples:
  grader grade event-log alice/solution.js
  grader grade event-log submissions/ --out json=results.json
`

const gradeHelp = `grader grade [flags] EXERCISE PATH...

Grades submissions. A PATH is a file, or a folder: its files that end in .js, .mjs or .cjs, and one submission for
each sub-folder (its solution.js, else its only script). Hidden files and node_modules are passed over, and links
that leave the folder are refused.

  --format FORMAT      what goes to standard output: %s (text by default)
  --out FORMAT=FILE    writes a file in the same run; may be repeated
  --seed N             another seed draws other cases (1 by default); the same seed gives the same verdicts
  --cases N            cases for each property (100 by default)
  --timeout D          how long a submission may make no progress before it is stopped, like 10s or 1m (10s by default)
  --memory SIZE        memory that a submission may hold, like 64M (the default); with another size verdicts may differ
                       from the page's
  --jobs N             submissions graded at once (the number of cores by default)
  --strict             exit with 1 when a submission does not pass

Exit status:
  0  every submission was graded, whatever its verdict
  1  with --strict: one did not pass
  2  the command was called wrongly
  3  the grader itself failed on a submission, was interrupted, or could not write a result

Examples:
  grader grade event-log solution.js
  grader grade event-log submissions/ --jobs 4 --out json=results.json
  grader grade --format json --seed 7 --cases 500 event-log alice/ bob/solution.mjs
`

const listHelp = `grader list

Lists the exercises: the name to give to the other commands, and what each is about.
`

const verifyHelp = `grader verify [flags] [EXERCISE...]

Holds exercises (all of them by default) against their own bank: the starter must fail, every solution must pass, and
every mutant must be refuted by the property that its first line names. Prints the matrix of files and properties.

  --seed N     another seed draws other cases (1 by default)
  --cases N    cases for each property (100 by default)
  --jobs N     files graded at once (the number of cores by default)

Exit status: 0 the bank holds; 1 a fault was found; 2 the command was called wrongly; 3 it could not be done.

Examples:
  grader verify
  grader verify event-log --seed 7
`

// helpOf is the help of a command; of the whole for "".
func helpOf(name string) string {
	switch name {
	case "grade":
		return fmt.Sprintf(gradeHelp, strings.Join(format.Names(), ", "))
	case "list":
		return listHelp
	case "verify":
		return verifyHelp
	}
	return mainHelp
}

func (c *command) help(args []string) int {
	if len(args) == 0 {
		io.WriteString(c.stdout, helpOf(""))
		return exitGraded
	}
	for _, known := range commands {
		if args[0] == known {
			io.WriteString(c.stdout, helpOf(known))
			return exitGraded
		}
	}
	return c.wrong("", "there is no command %q%s", clean(args[0]), didYouMean(args[0], commands))
}

func (c *command) version(args []string) int {
	if len(args) > 0 {
		return c.wrong("", "version takes no arguments")
	}
	fmt.Fprintln(c.stdout, grader.Version)
	return exitGraded
}

func (c *command) list(args []string) int {
	rest, err := parse(newFlags("list"), args)
	switch {
	case err == errHelp:
		return c.help([]string{"list"})
	case err != nil:
		return c.wrong("list", "%v", err)
	case len(rest) > 0:
		return c.wrong("list", "list takes no arguments")
	}
	for _, ex := range exercises.All() {
		fmt.Fprintf(c.stdout, "%-12s %s (%d functions, %d properties)\n", ex.ID, ex.Title.En, len(ex.Functions), len(ex.Properties))
	}
	return exitGraded
}

// exercise finds an exercise by its id, or says which there are.
func exercise(id string) (exercises.Exercise, error) {
	ex, ok := exercises.Find(id)
	if ok {
		return ex, nil
	}
	var ids []string
	for _, e := range exercises.All() {
		ids = append(ids, e.ID)
	}
	return ex, fmt.Errorf("there is no exercise %q%s (there is: %s)", clean(id), didYouMean(id, ids), strings.Join(ids, ", "))
}
