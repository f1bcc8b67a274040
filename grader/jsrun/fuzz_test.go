package jsrun

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"forgetmenot/grader/property"

	"github.com/stretchr/testify/require"
)

// Whatever bytes a submission is: it loads or is refused by its own fault, and its calls come to a transcript or are stopped. Nothing else
// may come of it, since anything else would read as a fault of the grader's.
func FuzzSubmission(f *testing.F) {
	for _, seed := range []string{
		"", "export function f(x) { return x; }", "module.exports = { f: (x) => [x], g: 1 };", "function f() { for (;;); }", "throw null", "await 1; export {}",
		"export const f = (x) => ({ toJSON: () => f });", "import 'x'", "\ufefffunction f(){}", "export default class { static f() { return this; } }", "\x00\xff",
		"Object.prototype.toJSON = Array; function f(x) { return [x, new Proxy({}, {})]; }", "function* f() { yield* f(); }", "const f = async () => 1n",
	} {
		f.Add([]byte(seed))
	}
	ctx := context.Background()
	e, err := NewEngine(ctx, Limits{Memory: 8 << 20, Fuel: 5}, CacheDir())
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, source []byte) {
		if len(source) > 4096 {
			return
		}
		var load *property.LoadError
		s, err := e.Load(ctx, string(source), []string{"f", "g"})
		if errors.As(err, &load) {
			return
		}
		require.NoError(t, err)
		defer s.Close(ctx)
		r, err := s.Open(ctx, 0)
		require.NoError(t, err)
		defer r.Close()
		p := &property.Program{}
		value := p.Add("f", property.Opaque, property.Lit(property.MustParse(`{"a":[1,"b",null]}`)))
		p.Add("g", property.Answer, property.Ref(value))
		p.Add("f", property.Answer, property.Str("a"), property.Ref(value))
		p.Add(property.VerbLook, property.Plain, property.Ref(value))
		var stop *property.Stop
		if _, err := r.Run(ctx, p); !errors.As(err, &stop) {
			require.NoError(t, err)
		}
	})
}

// spoil cuts every file below dir short and counts them.
func spoil(t *testing.T, dir string) (n int) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		n++
		return os.Truncate(path, 100)
	}))
	return n
}
