//go:build !unix

package main

import "os/exec"

func apart(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
