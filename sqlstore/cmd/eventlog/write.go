package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"forgetmenot/eventlog"
)

func appendEvent(ctx context.Context, c *call) error {
	if !c.given["type"] || !c.given["payload"] {
		return usage("an event has a type and a payload: --type user_message --payload '{\"content\":\"hello\"}'")
	}
	payload := []byte(c.payload)
	limits := eventlog.Limits{}.WithDefaults()
	if c.payload == "-" {
		var err error
		if payload, err = io.ReadAll(io.LimitReader(c.in, int64(limits.Payload)+1)); err != nil {
			return fmt.Errorf("reading the payload from standard input: %w", err)
		}
	}
	o := eventlog.AppendOptions{Key: c.key}
	if c.given["expect"] {
		o.Expect = eventlog.ExpectLast(c.expect)
	}
	events := []eventlog.NewEvent{{Type: c.eventType, Payload: payload}}
	// Before anything is made: a refused event leaves no file and no session behind.
	if err := limits.CheckAppend(c.arguments[0], events, o); err != nil {
		return err
	}
	return c.writing(ctx, func(s eventlog.Store) error {
		if c.create {
			if _, err := s.CreateSession(ctx, c.arguments[0], c.title); err != nil && !errors.Is(err, eventlog.ErrSessionExists) {
				return err
			}
		}
		receipt, err := s.Append(ctx, c.arguments[0], events, o)
		switch {
		case errors.Is(err, eventlog.ErrConflict):
			return &statusError{exitFault, told(err)}
		case errors.Is(err, eventlog.ErrNoSession):
			return fmt.Errorf("there is no session %q; make it with --create", c.arguments[0])
		case err != nil:
			return err
		}
		for _, e := range receipt.Events {
			if c.json {
				if err := jsonEvent(c.out, e); err != nil {
					return err
				}
				continue
			}
			how := "appended"
			if receipt.Repeated {
				how = "was there already"
			}
			fmt.Fprintf(c.out, "event %d %s; it %s\n", e.EventID, how, receipt.Durability)
		}
		return nil
	})
}
