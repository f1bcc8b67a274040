package main

import (
	"os/exec"
	"syscall"
)

// apart puts the child into a process group of its own, so that Ctrl-C reaches the parent alone, and has it killed when the parent dies.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
