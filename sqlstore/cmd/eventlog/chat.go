package main

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
	"forgetmenot/eventlog/agent/openai"
	"forgetmenot/sqlstore/cmd/eventlog/chat"
)

// scriptedModel is the name of the model that needs no network.
const scriptedModel = "scripted"

func talk(ctx context.Context, c *call) error {
	o := chat.Options{
		NewID:   func() string { return strings.ToLower(rand.Text()[:8]) },
		Command: "eventlog chat",
		Events:  c.events, JSON: c.json, WriteEvent: jsonEvent,
	}
	if c.given["db"] {
		o.Command += " --db " + c.db
	}
	if len(c.arguments) > 0 {
		o.Session = c.arguments[0]
		if err := c.exists(); err != nil { // an old session is in an old log
			return err
		}
	}
	if err := c.chooseModel(&o); err != nil {
		return err
	}
	if columns, ok := terminal(c.out); ok {
		o.Width = columns
		o.Color = os.Getenv("NO_COLOR") == "" && !strings.EqualFold(os.Getenv("TERM"), "dumb")
		_, o.Person = terminal(c.in)
	}

	// Ctrl-C is an interrupt of the turn here, and not the end of the command, as elsewhere.
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	o.Interrupt = interrupts
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), syscall.SIGTERM, syscall.SIGHUP)
	defer stop()

	err := c.using(ctx, false, func(s eventlog.Store) error { return chat.Run(ctx, s, o, c.in, c.out) })
	if errors.Is(err, chat.ErrInterrupted) || ctx.Err() != nil {
		return &statusError{exitFailed, "interrupted; a turn that is open goes on with the next start"}
	}
	return err
}

// chooseModel takes the model's name from --model, or from the environment, and nothing else than a name makes it a real one.
func (c *call) chooseModel(o *chat.Options) error {
	name := c.model
	if name == "" {
		name = os.Getenv("OPENAI_MODEL")
	}
	if name == "" || name == scriptedModel {
		o.Note = "You talk to a script; --model NAME asks a real model."
		return nil
	}
	from := openai.Options{BaseURL: os.Getenv("OPENAI_BASE_URL"), Key: os.Getenv("OPENAI_API_KEY"), Model: name}
	if _, err := openai.New(from); err != nil { // before anything is made
		return usage("%v", told(err))
	}
	o.Note = "You talk to " + name + "."
	o.Model = func(text func(sessionID, text string)) (agent.Model, error) {
		from.Text = text
		return openai.New(from)
	}
	return nil
}
