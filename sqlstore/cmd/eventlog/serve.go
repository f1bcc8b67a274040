package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
)

func serve(ctx context.Context, c *call) error {
	return c.using(ctx, false, func(s eventlog.Store) error {
		o := agent.Options{Log: slog.New(slog.NewTextHandler(c.err, nil))}
		return agent.Serve(ctx, s, c.address, o, func(at net.Addr) { c.listening(at) })
	})
}

// listening tells where, for a person or as a line of JSON.
func (c *call) listening(at net.Addr) {
	url := "http://" + at.String() + "/"
	if c.json {
		fmt.Fprintf(c.out, `{"url":%s}`+"\n", quoted(url))
		return
	}
	fmt.Fprintf(c.out, "%s shows the log %s; Ctrl-C ends it\n", url, c.db)
}
