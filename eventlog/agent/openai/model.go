package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	client "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
)

// DefaultBaseURL is that of OpenAI's own endpoint.
const DefaultBaseURL = "https://api.openai.com/v1"

// Options say which model is asked, and where. Only Model has no default.
type Options struct {
	BaseURL string        // up to the part before /chat/completions; DefaultBaseURL
	Key     string        // sent as a bearer token; none is sent without one, as local servers like it
	Model   string        // the model's name, as the server knows it
	Stall   time.Duration // without a single byte from the server, after which the request is given up; 60 s
	HTTP    *http.Client  // http.DefaultClient

	// Text, if there is one, gets the reply's text piece by piece as it comes, from the goroutine that called Next. It is a preview: the reply may
	// still fail, and then begins anew.
	Text func(sessionID, text string)
}

// A Model is an [agent.Model] behind an endpoint.
type Model struct {
	o           Options
	completions client.ChatCompletionService
}

var _ agent.Model = (*Model)(nil)

// New makes a model. It has not spoken to the server yet; it fails when the options cannot be meant.
func New(o Options) (*Model, error) {
	if o.BaseURL == "" {
		o.BaseURL = DefaultBaseURL
	}
	if o.Stall <= 0 {
		o.Stall = 60 * time.Second
	}
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	u, err := url.Parse(o.BaseURL)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return nil, fmt.Errorf("openai: the base URL is not one of http or https with a host (such as http://localhost:8080/v1): set OPENAI_BASE_URL")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("openai: the base URL has a user, a query or a fragment; give the key in OPENAI_API_KEY, and only it")
	case o.Model == "":
		return nil, fmt.Errorf("openai: no model is named: set OPENAI_MODEL to one that %s has", u)
	case strings.ContainsFunc(o.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, fmt.Errorf("openai: the key has characters that no key has, perhaps a line end: set OPENAI_API_KEY again")
	}
	u.Path = strings.TrimRight(u.Path, "/") + "/"
	o.BaseURL = u.String()
	options := []option.RequestOption{option.WithBaseURL(o.BaseURL), option.WithMaxRetries(0), option.WithHTTPClient(o.HTTP)}
	if o.Key != "" {
		options = append(options, option.WithAPIKey(o.Key))
	}
	// Not client.NewClient, which reads the environment.
	return &Model{o: o, completions: client.NewChatCompletionService(options...)}, nil
}

// Next implements [agent.Model]. Its errors are those that the package's documentation lists, or the context's.
func (m *Model) Next(ctx context.Context, r agent.Request) (agent.Reply, error) {
	params, err := m.params(r)
	if err != nil {
		return agent.Reply{}, err
	}
	watched, give := context.WithCancelCause(ctx)
	defer give(nil)
	wire := newWire(m.o.Stall, func() { give(ErrStall) })
	defer wire.stop()

	stream := m.completions.NewStreaming(watched, params, option.WithHeader("Accept", eventStream), option.WithMiddleware(wire.pass))
	defer stream.Close()
	var a assembly
	for stream.Next() {
		text, err := a.add(stream.Current())
		if err != nil {
			return agent.Reply{}, m.failed(err)
		}
		if text != "" && m.o.Text != nil {
			m.o.Text(r.SessionID, text)
		}
	}
	switch err := stream.Err(); {
	case ctx.Err() != nil:
		return agent.Reply{}, ctx.Err()
	case a.finish != "": // what happens behind the end of a reply does it no harm
	case context.Cause(watched) == ErrStall:
		return agent.Reply{}, m.failed(ErrStall)
	case err != nil && wire.answered:
		return agent.Reply{}, m.failed(m.broken(err))
	case err != nil:
		return agent.Reply{}, m.failed(err)
	case !a.begun && wire.kind != eventStream:
		return agent.Reply{}, m.failed(foreignError(wire.kind))
	}
	reply, err := a.reply()
	if err != nil {
		return agent.Reply{}, m.failed(err)
	}
	return reply, nil
}

// params is the request. Messages and schemas go as they are, past the client's types, which would read and write them once more.
func (m *Model) params(r agent.Request) (client.ChatCompletionNewParams, error) {
	p := client.ChatCompletionNewParams{Model: m.o.Model}
	for _, message := range r.Messages {
		p.Messages = append(p.Messages, param.Override[client.ChatCompletionMessageParamUnion](eventlog.OpenAIMessage(message)))
	}
	for _, spec := range r.Tools {
		function := struct {
			Name        string          `json:"name"`
			Description string          `json:"description,omitempty"`
			Parameters  json.RawMessage `json:"parameters,omitempty"`
		}{spec.Name, spec.Description, spec.Parameters}
		tool, err := json.Marshal(map[string]any{"type": "function", "function": function})
		if err != nil {
			return p, fmt.Errorf("openai: the tool %q: its parameters are no JSON: %w", spec.Name, err)
		}
		p.Tools = append(p.Tools, param.Override[client.ChatCompletionToolUnionParam](json.RawMessage(tool)))
	}
	return p, nil
}
