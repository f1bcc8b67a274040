package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"forgetmenot/exercises"
	"forgetmenot/grader"
	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

// The first line of a hostile submission says what must come of it: the verdict, perhaps that of the first required property that did not pass, and whether
// it takes the clock of the parent process to end it.
var expectation = regexp.MustCompile(`^// expect: (pass|fail|error)(?:/([a-z]+))?( by the clock)? — .+`)

func TestHostile(t *testing.T) {
	files, err := filepath.Glob("testdata/hostile/*.js")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	ex, _ := exercises.Find("event-log")
	checker := property.NewChecker(property.Options{Cases: 25, ShrinkRuns: 30})
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		line, _, _ := strings.Cut(string(source), "\n")
		want := expectation.FindStringSubmatch(line)
		require.NotNil(t, want, "%s: %s", file, line)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".js"), func(t *testing.T) {
			t.Parallel()
			var report grader.Report
			if want[3] != "" {
				r := call(t, "grade", "event-log", file, "--format", "json", "--timeout", "1s", "--cases", "25")
				require.Equal(t, exitGraded, r.status, r.errors)
				report = r.document(t).Reports[0]
			} else {
				report = *grader.Grade(context.Background(), grader.Job{
					Exercise: ex, Submission: filepath.Base(file), Source: source, Sandbox: sandbox{smallEngine(t)}, Checker: checker,
				})
			}
			require.NotEqual(t, grader.GraderFault, report.Fault, report.Message)
			why := report.Message
			first := property.Verdict("")
			for _, p := range report.Properties {
				require.NotEqual(t, property.Error, p.Verdict, p.Message)
				if p.Tier == property.Required && p.Verdict != property.Pass && first == "" {
					first = p.Verdict
					why += p.ID + ": " + p.Message
				}
			}
			require.Equal(t, grader.Verdict(want[1]), report.Verdict, why)
			if want[2] != "" {
				require.Equal(t, property.Verdict(want[2]), first, why)
			}
			if report.Verdict == grader.Error {
				require.Equal(t, grader.SubmissionFault, report.Fault)
				require.NotEmpty(t, report.Message)
			}
		})
	}
}
