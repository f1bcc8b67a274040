//go:build unix

package sqlstore_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/sqlstore"

	"github.com/stretchr/testify/require"
)

// Files and folders that cannot be written, or not be read.
func TestPermissions(t *testing.T) {
	if os.Geteuid() == 0 {
		permissionsAsNobody(t)
		return
	}
	for _, tt := range []struct {
		name         string
		file, folder fs.FileMode
	}{
		{"a file that is read only", 0o444, 0o755},
		{"a folder that is read only", 0o644, 0o555},
		{"both are read only", 0o444, 0o555},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(folder, "log.db")
			s := filled(t, path)
			want := all(t, s)
			require.NoError(t, s.Close())
			require.NoError(t, os.Chmod(path, tt.file))
			require.NoError(t, os.Chmod(folder, tt.folder))
			defer os.Chmod(folder, 0o755)
			before, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, o := range []sqlstore.Options{{}, {ReadOnly: true}} {
				s, err := sqlstore.Open(t.Context(), path, o)
				require.NoError(t, err)
				require.Equal(t, want, all(t, s))
				fails(t, s, eventlog.ErrReadOnly, user(1))
				sound(t, s)
				require.NoError(t, s.Close())
			}
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, before, after)

			require.NoError(t, os.Chmod(folder, 0o755))
			require.NoError(t, os.Chmod(path, 0o644))
			appended(t, opened(t, path, sqlstore.Options{}), "a", user(1))
		})
	}
	refused := func(t *testing.T, path string) {
		_, err := sqlstore.Open(t.Context(), path, sqlstore.Options{})
		require.ErrorIs(t, err, eventlog.ErrReadOnly)
		require.ErrorContains(t, err, "give this user the right")
	}
	t.Run("a new file in a folder that is read only", func(t *testing.T) {
		folder := t.TempDir()
		require.NoError(t, os.Chmod(folder, 0o555))
		defer os.Chmod(folder, 0o755)
		refused(t, filepath.Join(folder, "log.db"))
	})
	t.Run("a file that nobody may read", func(t *testing.T) {
		path := newPath(t)
		require.NoError(t, filled(t, path).Close())
		require.NoError(t, os.Chmod(path, 0))
		refused(t, path)
	})
	t.Run("a file that is written by somebody else after all", func(t *testing.T) {
		folder := t.TempDir()
		path := filepath.Join(folder, "log.db")
		require.NoError(t, filled(t, path).Close())
		require.NoError(t, os.Chmod(folder, 0o555))
		s := opened(t, path, sqlstore.Options{})
		require.NotEmpty(t, all(t, s))
		require.NoError(t, os.Chmod(folder, 0o755))
		appended(t, opened(t, path, sqlstore.Options{}), "a", user(1))
		_, err := s.Session(t.Context(), "a")
		require.ErrorIs(t, err, eventlog.ErrGone)
	})
}

// permissionsAsNobody runs the test once more as a user to whom permissions mean something.
func permissionsAsNobody(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	program, err := os.ReadFile(self)
	require.NoError(t, err)
	folder, err := os.MkdirTemp("", "permissions")
	require.NoError(t, err)
	defer os.RemoveAll(folder)
	require.NoError(t, os.Chmod(folder, 0o777))
	copied := filepath.Join(folder, "test")
	require.NoError(t, os.WriteFile(copied, program, 0o755))
	require.NoError(t, os.Chmod(copied, 0o755))
	child := exec.Command(copied, "-test.run=^TestPermissions$", "-test.v")
	child.Dir = folder
	child.Env = append(os.Environ(), "TMPDIR="+folder, "HOME="+folder)
	child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := child.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "--- PASS: TestPermissions/both_are_read_only")
}
