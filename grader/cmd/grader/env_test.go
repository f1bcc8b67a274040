package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// What other programs' settings stand in the environment is none of the command's business. rapid would panic on these before main.
func TestOddRapidSettingsInTheEnvironmentChangeNothing(t *testing.T) {
	cmd := exec.Command(os.Args[0], "list")
	cmd.Env = append(os.Environ(), actAsCommand+"=1", "RAPID_SEED=junk", "RAPID_CHECKS=none", "RAPID_LOG=maybe")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "event-log")
}
