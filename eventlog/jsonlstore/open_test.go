package jsonlstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/jsonlstore"

	"github.com/stretchr/testify/require"
)

func TestOpenMakesTheFolder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "some", "where")
	created(t, opened(t, folder, jsonlstore.Options{}), "a")
	require.FileExists(t, filepath.Join(folder, "a.jsonl"))
}

func TestOpenOfOtherThings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	_, err := jsonlstore.Open(t.Context(), file, jsonlstore.Options{})
	require.ErrorIs(t, err, eventlog.ErrNotStore)
	require.ErrorContains(t, err, "name a folder")
	_, err = jsonlstore.Open(t.Context(), filepath.Join(file, "below"), jsonlstore.Options{})
	require.ErrorIs(t, err, eventlog.ErrNotStore)
	_, err = jsonlstore.Open(t.Context(), filepath.Join(t.TempDir(), "none"), jsonlstore.Options{ReadOnly: true})
	require.ErrorIs(t, err, eventlog.ErrNotStore)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = jsonlstore.Open(ended, t.TempDir(), jsonlstore.Options{})
	require.ErrorIs(t, err, context.Canceled)
}

// An exclusive store has the folder for itself; others are told at once, or wait.
func TestExclusive(t *testing.T) {
	folder := t.TempDir()
	s, err := jsonlstore.Open(t.Context(), folder, jsonlstore.Options{Exclusive: true})
	require.NoError(t, err)
	created(t, s, "a")
	_, err = jsonlstore.Open(t.Context(), folder, jsonlstore.Options{BusyTimeout: -1})
	require.ErrorIs(t, err, eventlog.ErrBusy)
	require.ErrorContains(t, err, "find the program")
	waited := make(chan error, 1)
	go func() {
		other, err := jsonlstore.Open(t.Context(), folder, jsonlstore.Options{BusyTimeout: time.Minute})
		if err == nil {
			_, err = other.Session(t.Context(), "a")
			other.Close()
		}
		waited <- err
	}()
	appended(t, s, "a", note(1))
	require.NoError(t, s.Close())
	require.NoError(t, <-waited)
	// Who had the folder open before is told when he writes.
	s = opened(t, folder, jsonlstore.Options{BusyTimeout: -1})
	opened(t, folder, jsonlstore.Options{Exclusive: true})
	_, err = s.Append(t.Context(), "a", []eventlog.NewEvent{note(2)}, eventlog.AppendOptions{})
	require.ErrorIs(t, err, eventlog.ErrBusy)
	require.Len(t, events(t, s, "a"), 1)
}

func TestReadOnly(t *testing.T) {
	folder := filled(t, jsonlstore.Options{})
	s := opened(t, folder, jsonlstore.Options{ReadOnly: true})
	before := read(t, folder, "eventlog.head")
	require.Len(t, events(t, s, "a"), 5)
	_, err := s.Append(t.Context(), "a", []eventlog.NewEvent{note(9)}, eventlog.AppendOptions{})
	require.ErrorIs(t, err, eventlog.ErrReadOnly)
	_, err = s.CreateSession(t.Context(), "c", "")
	require.ErrorIs(t, err, eventlog.ErrReadOnly)
	require.NoError(t, s.Flush(t.Context()))
	require.Equal(t, before, read(t, folder, "eventlog.head"))
	// It sees what others write, and a copy without the store's own files too.
	writer := opened(t, folder, jsonlstore.Options{})
	appended(t, writer, "a", note(9))
	require.Len(t, events(t, s, "a"), 6)
	created(t, writer, "c")
	_, err = s.Session(t.Context(), "c")
	require.NoError(t, err)
	plain := t.TempDir()
	write(t, plain, "a.jsonl", read(t, folder, "a.jsonl"))
	require.Len(t, events(t, opened(t, plain, jsonlstore.Options{ReadOnly: true}), "a"), 6)
	_, err = os.Stat(filepath.Join(plain, "eventlog.head"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A folder that cannot be written is read.
func TestReadOnlyByItself(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may write everything")
	}
	folder := filled(t, jsonlstore.Options{})
	require.NoError(t, os.Chmod(filepath.Join(folder, "eventlog.lock"), 0o444))
	require.NoError(t, os.Chmod(folder, 0o555))
	t.Cleanup(func() { os.Chmod(folder, 0o777) })
	s := opened(t, folder, jsonlstore.Options{})
	require.Len(t, events(t, s, "a"), 5)
	_, err := s.Append(t.Context(), "a", []eventlog.NewEvent{note(9)}, eventlog.AppendOptions{})
	require.ErrorIs(t, err, eventlog.ErrReadOnly)
}

// With a window appends wait for company, and a flush, or closing, ends the wait. The window is longer than any test has patience.
func TestWindow(t *testing.T) {
	s := opened(t, t.TempDir(), jsonlstore.Options{Window: time.Hour})
	made := make(chan error, 1)
	go func() {
		_, err := s.CreateSession(t.Context(), "a", "")
		made <- err
	}()
	flushUntil(t, s, made)
	const writers = 5
	done := make(chan error, writers)
	for i := range writers {
		go func() {
			_, err := s.Append(t.Context(), "a", []eventlog.NewEvent{note(i)}, eventlog.AppendOptions{})
			done <- err
		}()
	}
	for range writers {
		flushUntil(t, s, done)
	}
	require.Len(t, events(t, s, "a"), writers)

	last := make(chan error, 1)
	begun := make(chan struct{})
	go func() {
		close(begun)
		_, err := s.Append(t.Context(), "a", []eventlog.NewEvent{note(9)}, eventlog.AppendOptions{})
		last <- err
	}()
	<-begun
	require.NoError(t, s.Close())
	if err := <-last; err != nil {
		require.ErrorIs(t, err, eventlog.ErrClosed)
	}
}

// flushUntil flushes until a call has its answer, as nobody can see from outside that it has been begun.
func flushUntil(t *testing.T, s *jsonlstore.Store, done chan error) {
	t.Helper()
	for {
		require.NoError(t, s.Flush(t.Context()))
		select {
		case err := <-done:
			require.NoError(t, err)
			return
		default:
			runtime.Gosched()
		}
	}
}

// A window that runs out is enough, too.
func TestWindowRunsOut(t *testing.T) {
	s := opened(t, t.TempDir(), jsonlstore.Options{Window: time.Millisecond})
	created(t, s, "a")
	var writers sync.WaitGroup
	failed := make([]error, 8)
	for i := range failed {
		writers.Go(func() {
			_, failed[i] = s.Append(t.Context(), "a", []eventlog.NewEvent{note(i)}, eventlog.AppendOptions{})
		})
	}
	writers.Wait()
	require.NoError(t, errors.Join(failed...))
	require.Len(t, events(t, s, "a"), 8)
}
