//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"forgetmenot/grader"

	"github.com/stretchr/testify/require"
)

// names are the submissions found, as they are named in reports.
func names(t *testing.T, paths ...string) (names []string) {
	t.Helper()
	subs, err := find(paths)
	require.NoError(t, err)
	for _, s := range subs {
		names = append(names, s.name)
	}
	return names
}

func TestWhatAFolderHolds(t *testing.T) {
	dir := folder(t, map[string]string{
		"one.js": "1", "two.mjs": "2", "three.cjs": "3", "README.md": "", "data.json": "{}", ".hidden.js": "", ".git/x.js": "", "node_modules/p/index.js": "",
		"alice/solution.js": "a", "alice/test.js": "", "bob/main.mjs": "b", "bob/notes.txt": "", "carol/solution.mjs": "c", "carol/other.js": "",
		"dave/one.js": "", "dave/two.js": "", "erin/": "", "frank/answer.txt": "", "grace/src/solution.js": "", "heidi/.solution.js": "", "__MACOSX/x.js": "",
	})
	require.Equal(t, []string{
		"alice/solution.js", "bob/main.mjs", "carol/solution.mjs", "dave", "erin", "frank", "grace", "heidi", "one.js", "three.cjs", "two.mjs",
	}, names(t, dir))

	subs, err := find([]string{dir})
	require.NoError(t, err)
	says := map[string]string{}
	for _, s := range subs {
		if s.trouble != nil {
			says[s.name] = s.trouble.Message.En
			continue
		}
		source, trouble := s.read()
		require.Nil(t, trouble)
		require.NotEmpty(t, source)
	}
	require.Contains(t, says["dave"], "The folder holds one.js, two.js. Name one of them solution.js.")
	require.Contains(t, says["erin"], "it is empty")
	require.Contains(t, says["frank"], "it holds only answer.txt")
	require.Contains(t, says["grace"], "it holds only src")
	require.Len(t, says, 5)
}

func TestNamesFromSeveralPaths(t *testing.T) {
	dir := folder(t, map[string]string{"a/solution.js": "1", "b/solution.js": "2", "c.js": "3"})
	t.Chdir(dir)
	require.Equal(t, []string{"a/solution.js", "b/solution.js", "c.js"}, names(t, "."))
	require.Equal(t, []string{"a/solution.js", "b/solution.js"}, names(t, "a", "b/"), "what stands twice is told apart")
	require.Equal(t, []string{"a/solution.js"}, names(t, "a/solution.js", "./a/solution.js"), "once is enough")
	require.Equal(t, []string{"solution.js"}, names(t, "a"))
	require.Equal(t, []string{"a/solution.js", "c.js"}, names(t, "./c.js", "a/solution.js"))
}

func TestWhatCannotBeRead(t *testing.T) {
	dir := folder(t, map[string]string{
		"sub/inside.js": "inside", "outside/secret.js": "secret", "sub/alice/solution.js": "a", "sub/large.js": strings.Repeat("x", grader.MaxSource+1),
		"sub/secret-folder/solution.js": "",
	})
	sub := filepath.Join(dir, "sub")
	link := func(target, name string) { require.NoError(t, os.Symlink(target, filepath.Join(sub, name))) }
	link("inside.js", "good-link.js")
	link("../outside/secret.js", "escapes.js")
	link(filepath.Join(dir, "outside", "secret.js"), "escapes-absolutely.js")
	link("../outside", "escaping-folder")
	link("nowhere.js", "broken.js")
	link("../outside/nowhere.js", "escapes-to-nothing.js")
	link("escapes.js", "escapes-in-two-steps.js")
	link("loop.js", "loop.js")
	link("../outside/notes.txt", "notes.txt") // no submission: passed over
	link("alice", "linked-alice")
	require.NoError(t, os.Mkdir(filepath.Join(sub, "copies"), 0o755))
	link("../alice/solution.js", "copies/solution.js")
	makeFifo(t, filepath.Join(sub, "pipe.js"))
	require.NoError(t, os.Mkdir(filepath.Join(sub, "folder.js"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(sub, "folder.js", "solution.js"), []byte("f"), 0o644))

	subs, err := find([]string{sub})
	require.NoError(t, err)
	kinds := map[string]string{}
	for _, s := range subs {
		trouble := s.trouble
		if trouble == nil {
			var source []byte
			if source, trouble = s.read(); trouble == nil {
				kinds[s.name] = string(source)
				continue
			}
		}
		require.Equal(t, grader.SubmissionFault, trouble.Fault)
		require.NotContains(t, trouble.Message.En, dir)
		kinds[s.name] = "refused: " + trouble.Kind
	}
	require.Equal(t, map[string]string{
		"inside.js": "inside", "good-link.js": "inside", "alice/solution.js": "a", "linked-alice/solution.js": "a", "folder.js/solution.js": "f",
		"secret-folder/solution.js": "",
		"escapes.js":                "refused: link", "escapes-absolutely.js": "refused: link", "escaping-folder": "refused: link",
		"escapes-to-nothing.js": "refused: link", "escapes-in-two-steps.js": "refused: link", "copies/solution.js": "refused: link",
		"broken.js": "refused: unreadable", "loop.js": "refused: link",
		"pipe.js": "refused: not-a-file", "large.js": "refused: too-large",
	}, kinds)
}

func TestWhatIsNamedDirectly(t *testing.T) {
	dir := folder(t, map[string]string{"a.txt": "any name will do", "b/c.js": "1"})
	makeFifo(t, filepath.Join(dir, "pipe"))
	require.NoError(t, os.Symlink(filepath.Join(dir, "a.txt"), filepath.Join(dir, "b", "link.js")))
	for path, want := range map[string]string{"a.txt": "any name will do", "pipe": "refused: not-a-file", "b/link.js": "any name will do"} {
		subs, err := find([]string{filepath.Join(dir, path)})
		require.NoError(t, err)
		source, trouble := subs[0].read()
		if trouble != nil {
			require.Equal(t, want, "refused: "+trouble.Kind)
			continue
		}
		require.Equal(t, want, string(source), "who names a link means what it leads to")
	}
	subs, err := find([]string{os.DevNull})
	require.NoError(t, err)
	_, trouble := subs[0].read()
	require.Contains(t, trouble.Message.En, "a device")
}

func TestAnUnreadableFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("nothing is unreadable for root")
	}
	dir := folder(t, map[string]string{"a.js": "1"})
	require.NoError(t, os.Chmod(filepath.Join(dir, "a.js"), 0))
	subs, err := find([]string{dir})
	require.NoError(t, err)
	_, trouble := subs[0].read()
	require.Contains(t, trouble.Message.En, "you have no permission to read it")
}
