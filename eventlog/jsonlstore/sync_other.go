//go:build unix && !linux

package jsonlstore

import "os"

// syncData asks the disk itself where that takes a call of its own: File.Sync knows. https://pkg.go.dev/os#File.Sync
func syncData(f *os.File) error { return f.Sync() }
