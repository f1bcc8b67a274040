//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// chatting is the command chat as a process of its own, with a model at this address.
func (p place) chatting(base string, args ...string) *exec.Cmd {
	p.t.Helper()
	self, err := os.Executable()
	require.NoError(p.t, err)
	c := exec.Command(self, append([]string{"chat", "--db", p.db}, args...)...)
	c.Env = append(os.Environ(), actAsCommand+"=here", "OPENAI_BASE_URL="+base, "OPENAI_API_KEY=sk-secret", "OPENAI_MODEL=small")
	return c
}

// A window is closed, by SIGKILL and by Ctrl-C, while the model is in the middle of a sentence. With the same ID the session goes on.
func TestChatGoesOnAfterItsProcessIsGone(t *testing.T) {
	for _, end := range []os.Signal{os.Kill, os.Interrupt} {
		t.Run(end.String(), func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			var asked atomic.Int64
			speaking := make(chan struct{})
			model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "text/event-stream")
				if asked.Add(1) == 1 {
					io.WriteString(w, `data: {"choices":[{"delta":{"content":"It is for"}}]}`+"\n\n")
					w.(http.Flusher).Flush()
					close(speaking)
					<-r.Context().Done()
					return
				}
				io.WriteString(w, `data: {"choices":[{"delta":{"content":"It is forty-two."},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
			}))
			defer model.Close()

			first := p.chatting(model.URL)
			typed, err := first.StdinPipe()
			require.NoError(t, err)
			out, err := first.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, first.Start())
			fmt.Fprintln(typed, "what is 6*7")
			<-speaking
			require.NoError(t, first.Process.Signal(end))
			lines, err := io.ReadAll(bufio.NewReader(out))
			require.NoError(t, err)
			require.Error(t, first.Wait())
			if end == os.Interrupt {
				require.Equal(t, exitFailed, first.ProcessState.ExitCode())
			} else {
				require.Equal(t, syscall.SIGKILL, first.ProcessState.Sys().(syscall.WaitStatus).Signal())
			}
			require.NotContains(t, string(lines), "It is for", "what is not stored was not said")
			_, id, found := strings.Cut(strings.TrimSpace(string(lines)), "To come back: eventlog chat --db "+p.db+" ")
			require.True(t, found, string(lines))

			second := p.chatting(model.URL, id)
			second.Stdin = strings.NewReader("")
			said, err := second.CombinedOutput()
			require.NoError(t, err, string(said))
			require.Equal(t, "Session "+id+", up to event 4. You talk to small.\n  > what is 6*7\nA turn was cut off here; it goes on.\nIt is forty-two.\n", string(said))
			require.Equal(t, "user: what is 6*7\nassistant: It is forty-two.\n", p.done("replay", id))
			require.Contains(t, p.done("verify"), "7 events in 1 session\nnothing is wrong")
			require.NotContains(t, p.done("events", "--json"), "secret")
		})
	}
}

func TestChatFailsInWords(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, `{"error":{"message":"Incorrect API key provided: sk-secret"}}`, http.StatusUnauthorized)
	}))
	defer model.Close()
	c := p.chatting(model.URL)
	c.Stdin = strings.NewReader("hello\nnever read\n")
	said, err := c.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, exitFailed, c.ProcessState.ExitCode())
	require.Contains(t, string(said), "401 Unauthorized: Incorrect API key provided: [the key]; set OPENAI_API_KEY to a key that it accepts")
	require.Contains(t, p.done("verify"), "4 events in 1 session")
}
