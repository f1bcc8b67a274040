package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// serving runs the service on a log until the test calls stop.
func (p place) serving() (url string, stop func()) {
	p.t.Helper()
	ctx, cancel := context.WithCancel(p.t.Context())
	p.t.Cleanup(cancel)
	out, printed := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		var errors bytes.Buffer
		status := run(ctx, []string{"serve", "--json", "--address", "127.0.0.1:0", "--db", p.db}, nil, printed, &errors)
		printed.Close()
		ended <- status
	}()
	var said struct{ URL string }
	require.NoError(p.t, json.NewDecoder(out).Decode(&said))
	return said.URL, func() {
		cancel()
		require.Equal(p.t, exitDone, <-ended)
	}
}

func (p place) post(url, body string) {
	p.t.Helper()
	answer, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(p.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(p.t, err)
	require.Less(p.t, answer.StatusCode, 300, "%s", text)
}

func TestTheAgentRemembersAcrossARestart(t *testing.T) {
	p := newPlace(t)
	url, stop := p.serving()
	p.post(url+"sessions", `{"id":"support","title":"orders"}`)
	p.post(url+"sessions/support/messages", `{"content":"how many orders are there?"}`)
	stop()
	first := p.done("replay", "support")
	require.Contains(t, first, "user: how many orders are there?\nassistant: calls query_order_count(")

	url, stop = p.serving()
	p.post(url+"sessions/support/messages", `{"content":"thank you"}`)
	stop()
	second := p.done("replay", "support")
	require.True(t, strings.HasPrefix(second, first+"user: thank you\nassistant: "), second)
	require.Contains(t, p.done("verify"), "nothing is wrong")
}
