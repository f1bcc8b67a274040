package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

// The tests' program is a subject as well, as the benchmark's is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-be" {
		main()
	}
	os.Exit(m.Run())
}

// inFolder is a bench in a folder that is the working directory too, as it is for a subject.
func inFolder(t *testing.T) *bench {
	t.Chdir(t.TempDir())
	return &bench{ctx: t.Context(), folder: "."}
}

// told gives commands to a subject, and its answers.
func told(t *testing.T, s subject, commands ...string) (answers []answer) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, serve(s, strings.NewReader(strings.Join(commands, "\n")), &out))
	for line := range strings.Lines(out.String()) {
		var a answer
		require.NoError(t, json.Unmarshal([]byte(line), &a))
		require.Empty(t, a.Error, commands[len(answers)])
		answers = append(answers, a)
	}
	require.Len(t, answers, len(commands))
	return answers
}

// template makes an empty store under each name.
func (b *bench) template(t *testing.T, files ...string) {
	t.Helper()
	for _, file := range files {
		s, err := newStore(b.ctx, file, sqlstore.Options{Synchronous: sqlstore.Normal}, writers)
		require.NoError(t, err)
		require.NoError(t, s.Close())
	}
}

// What is compared does the same: every subject that is in this program writes the same store, which is a right one, and reads the same rows of it.
func TestSubjectsAgree(t *testing.T) {
	b := inFolder(t)
	const appends, events = 70, 6 // a session has a conversation and a half, and six have two
	require.NoError(t, writeWork(b.ctx, "scratch.db", "some.work", conversation, appends, events, writers))

	files, read := map[string]string{}, map[string][]tally{}
	for name, s := range subjects(b.ctx) {
		if name == "langchaingo" {
			continue // it has a table of its own
		}
		file := name + ".db"
		b.template(t, file)
		answers := told(t, s, "open "+file, "load some.work", "write 0 30", "write 30 40",
			"messages "+sessionName(0), "events "+sessionName(0), "messages "+sessionName(63), "events "+sessionName(63), "sessions")
		files[name] = file
		for _, a := range answers[4:] {
			read[name] = append(read[name], a.tally)
		}
	}
	require.GreaterOrEqual(t, len(read), 2)
	require.NoError(t, b.verify(files, appends*events))
	require.Equal(t, []int64{12, 12, 6, 6, writers}, rowsOf(read["sqlstore"]))
	for name, tallies := range read {
		require.Equal(t, read["sqlstore"], tallies, name)
	}
}

func rowsOf(tallies []tally) (rows []int64) {
	for _, t := range tallies {
		rows = append(rows, t.Rows)
	}
	return rows
}

// A crowd writes all its work, whoever comes first.
func TestCrowd(t *testing.T) {
	b := inFolder(t)
	require.NoError(t, writeWork(b.ctx, "scratch.db", "some.work", chat, 2*writers, 1, writers))
	for name, s := range subjects(b.ctx) {
		file := name + ".db"
		b.template(t, file)
		answers := told(t, s, "open "+file, "load some.work", "crowd 64 0 128", "messages "+sessionName(9))
		require.EqualValues(t, 2, answers[3].Rows, name)
		require.Positive(t, answers[2].P99, name)
	}
}

func TestFillWatchHeap(t *testing.T) {
	b := inFolder(t)
	for name, s := range subjects(b.ctx) {
		if _, ok := s.(*raw); ok {
			continue
		}
		file := name + ".db"
		b.template(t, file)
		require.EqualValues(t, 10, told(t, s, "open "+file, "fill 2 10", "messages "+sessionName(1))[2].Rows, name)
	}
	b.template(t, "watch.db")
	answers := told(t, &store{ctx: b.ctx}, "open watch.db", "watch 4 40", "heap "+sessionName(0))
	require.Less(t, answers[2].Heap, int64(1<<20))
}

// Everything that is measured goes through with processes, of which there are only two here.
func TestMeasure(t *testing.T) {
	b := inFolder(t)
	b.size = size{rounds: 2, singles: 4, batches: 1, batch: 8, crowd: writers, events: 200, sessions: 20, long: 50}
	require.NoError(t, b.writeTexts())
	program, err := os.Executable()
	require.NoError(t, err)
	defer b.stop()
	for _, name := range []string{"sqlstore", "ncruces"} {
		p, err := start(name, b.folder, program, "-be", name)
		require.NoError(t, err)
		b.all = append(b.all, p)
	}
	for what, measure := range map[string]func() ([]figure, error){
		"writes":  func() ([]figure, error) { return b.writes("some", "some", b.size.batches, b.size.batch, goal{}) },
		"crowds":  b.crowds,
		"watches": b.watches,
		"reads":   b.reads,
	} {
		figures, err := measure()
		require.NoError(t, err, what)
		require.NotEmpty(t, figures, what)
	}
}

// Who does the work wrongly is found out.
func TestVerifyBites(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*work)
		says   string
	}{
		"another payload":      {func(w *work) { w.appends[3].rows[0].payload = `{"content":"no"}` }, "ncruces wrote what is no store"},
		"another message":      {func(w *work) { w.appends[3].rows[0].content = `"no"` }, "ncruces wrote what is no store"},
		"another hash":         {func(w *work) { w.appends[3].rows[0].hash[0]++ }, "ncruces wrote what is no store"},
		"an event less":        {func(w *work) { w.appends = w.appends[:7] }, "ncruces wrote 7 events, not 8"},
		"nothing that is done": {func(*work) {}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := inFolder(t)
			require.NoError(t, writeWork(b.ctx, "scratch.db", "some.work", conversation, 8, 1, writers))
			w, err := readWork("some.work")
			require.NoError(t, err)
			tt.change(&w)
			b.template(t, "some.db")
			s := &raw{driver: &ncruces{}, work: w}
			_, err = s.open("some.db")
			require.NoError(t, err)
			require.NoError(t, s.write(0, len(w.appends)))
			require.NoError(t, s.close())
			err = b.verify(map[string]string{"ncruces": "some.db"}, 8)
			if tt.says == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, tt.says)
			}
		})
	}
}

// Two right stores that hold different events are found out, too.
func TestVerifyCompares(t *testing.T) {
	b := inFolder(t)
	require.NoError(t, writeWork(b.ctx, "one.db", "one.work", conversation, 4, 2, writers))
	require.NoError(t, writeWork(b.ctx, "two.db", "two.work", chat, 4, 2, writers))
	require.ErrorContains(t, b.verify(map[string]string{"one": "one.db", "two": "two.db"}, 8), "wrote other events than the others")
}

// A subject that is asked for what it cannot do says so, and goes on.
func TestServeFails(t *testing.T) {
	t.Chdir(t.TempDir())
	var out bytes.Buffer
	require.NoError(t, serve(&raw{driver: &ncruces{}}, strings.NewReader("dance\nload missing.work\nopen missing/x.db\n"), &out))
	lines := strings.Split(out.String(), "\n")
	require.Len(t, lines, 4)
	require.Contains(t, lines[0], `there is no command \"dance\"`)
	require.Contains(t, lines[1], "missing.work")
	require.Contains(t, lines[2], `"error":`)
}

func TestReadWorkRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, text := range []string{"1\tno append before it\t\t\t\t\t\t\t\t\t\n", "@\tsession\t1\t\nfew fields\n", "@\tsession\t1\t\nx\ta\tb\t1\t00\tr\tc\t\t\t\t\n"} {
		require.NoError(t, os.WriteFile("bad.work", []byte(text), 0o600))
		_, err := readWork("bad.work")
		require.Error(t, err, text)
	}
}

// What a process says when it dies is what is said of it.
func TestProcessFails(t *testing.T) {
	p, err := start("sh", t.TempDir(), "sh", "-c", "echo 'a stack' >&2; echo 'Error: no such package' >&2; echo 'more of it' >&2; exit 3")
	require.NoError(t, err)
	_, err = p.ask("open x.db")
	require.EqualError(t, err, "sh: open x.db: Error: no such package")

	p, err = start("sh", t.TempDir(), "sh", "-c", `read line; echo '{"error":"no"}'; read line; echo nonsense; read line`)
	require.NoError(t, err)
	_, err = p.ask("sessions")
	require.EqualError(t, err, "sh: sessions: no")
	_, err = p.ask("sessions")
	require.ErrorContains(t, err, `in "nonsense\n"`)
	require.Error(t, p.stop()) // its read finds the end, which is a status

	_, err = start("nobody", t.TempDir(), "/nonexistent/program")
	require.True(t, errors.Is(err, os.ErrNotExist), err)
}

func TestRunRefuses(t *testing.T) {
	var out, errs bytes.Buffer
	require.Equal(t, 2, run(context.Background(), []string{"extra"}, nil, &out, &errs))
	require.Contains(t, errs.String(), "flags only")
	require.Equal(t, 2, run(context.Background(), []string{"-be", "nobody"}, nil, &out, &errs))
	require.Contains(t, errs.String(), `no subject "nobody"`)
	require.Equal(t, 2, run(context.Background(), []string{"-c", "/nonexistent/program", "-dir", t.TempDir()}, nil, &out, &errs))
	require.Contains(t, errs.String(), "make bin/bench/sqlstore-c makes it")
	require.Empty(t, out.String())
}
