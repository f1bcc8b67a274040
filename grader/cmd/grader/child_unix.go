//go:build unix && !linux

package main

import (
	"os/exec"
	"syscall"
)

// apart puts the child into a process group of its own, so that Ctrl-C reaches the parent alone. It ends when its standard input does.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
