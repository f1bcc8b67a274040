package openai_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
	"forgetmenot/eventlog/agent/openai"

	"github.com/stretchr/testify/require"
)

func asking(text string) agent.Request {
	content, _ := json.Marshal(text)
	return agent.Request{SessionID: "s", Messages: []eventlog.Message{{Role: eventlog.RoleUser, Content: content}}}
}

func TestTextComesAsItIsSaid(t *testing.T) {
	f := serve(t, whole("stop", `{"role":"assistant","content":""}`, `{"content":"Six times "}`, `{"content":"seven <&> 是 "}`, `{"refusal":"no"}`))
	var heard []string
	m := f.model(t, func(o *openai.Options) {
		o.Key = "sk-secret"
		o.Text = func(session, text string) { heard = append(heard, session+":"+text) }
	})
	reply, err := m.Next(t.Context(), asking("what?"))
	require.NoError(t, err)
	require.Equal(t, agent.Reply{Text: "Six times seven <&> 是 no"}, reply)
	require.Equal(t, []string{"s:Six times ", "s:seven <&> 是 ", "s:no"}, heard)
	require.Equal(t, "Bearer sk-secret", f.asked()[0].header.Get("Authorization"))
}

func TestTheRequestIsTheSession(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-from-elsewhere")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/")
	t.Setenv("OPENAI_ORG_ID", "somebody")
	f := serve(t, says("good"))
	r := agent.Request{Messages: eventlog.Conversation([]eventlog.Event{
		{EventID: 1, Type: eventlog.TypeUserMessage, Payload: []byte(`{"content":"add"}`)},
		{EventID: 2, Type: eventlog.TypeToolCall, Payload: []byte(`{"callId":"a","name":"add","arguments":"{\"n\": 12345678901234567890}"}`)},
		{EventID: 3, Type: eventlog.TypeToolCall, Payload: []byte(`{"callId":"a","name":"add","arguments":""}`)},
		{EventID: 4, Type: eventlog.TypeToolResult, Payload: []byte(`{"callId":"a","content":"2"}`)},
		{EventID: 5, Type: eventlog.TypeUserMessage, Payload: []byte(`{"content":{"not":"text"}}`)},
	}), Tools: []agent.ToolSpec{{Name: "add", Description: "adds <two>", Parameters: json.RawMessage(`{"type":"object","x":12345678901234567890}`)}, {Name: "bare"}}}
	_, err := f.model(t, nil).Next(t.Context(), r)
	require.NoError(t, err)

	got := f.asked()[0]
	require.Empty(t, got.header.Get("Authorization"), "without a key there is none, whatever the environment says")
	require.Empty(t, got.header.Get("OpenAI-Organization"))
	require.Equal(t, "small", got.body.Model)
	require.Len(t, got.body.Messages, 5)
	calls := got.body.Messages[1].ToolCalls
	require.Nil(t, got.body.Messages[1].Content)
	require.Equal(t, `{"n": 12345678901234567890}`, calls[0].Function.Arguments)
	require.Equal(t, "{}", calls[1].Function.Arguments)
	require.Equal(t, calls[0].ID, got.body.Messages[2].ToolCallID)
	require.Equal(t, `{"not":"text"}`, *got.body.Messages[4].Content)
	require.Equal(t, "adds <two>", got.body.Tools[0].Function.Description)
	require.Equal(t, `{"type":"object","x":12345678901234567890}`, string(got.body.Tools[0].Function.Parameters))
	require.Equal(t, "bare", got.body.Tools[1].Function.Name)
}

func TestCallsAreAssembled(t *testing.T) {
	call := func(id, name, arguments string) eventlog.ToolCall {
		return eventlog.ToolCall{ToolCallID: id, Name: name, Arguments: arguments}
	}
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		calls  []eventlog.ToolCall
	}{
		"interleaved by index": {whole("tool_calls",
			toolDelta(`{"index":1,"id":"b","type":"function","function":{"name":"sub","arguments":""}}`),
			toolDelta(`{"index":0,"id":"a","type":"function","function":{"name":"add","arguments":"{\"x\""}}`),
			toolDelta(`{"index":1,"function":{"arguments":"{\"y\":"}},{"index":0,"function":{"arguments":":1}"}}`),
			toolDelta(`{"index":1,"function":{"arguments":"2}"}}`),
		), []eventlog.ToolCall{call("b", "sub", `{"y":2}`), call("a", "add", `{"x":1}`)}},
		"one id for all": {whole("tool_calls",
			toolDelta(`{"index":0,"id":"a","function":{"name":"add","arguments":"1"}}`), toolDelta(`{"index":1,"id":"a","function":{"name":"add","arguments":"2"}}`),
		), []eventlog.ToolCall{call("a", "add", "1"), call("a", "add", "2")}},
		"no ids": {whole("tool_calls",
			toolDelta(`{"index":0,"function":{"name":"add","arguments":"1"}}`), toolDelta(`{"index":1,"id":"","function":{"name":"add","arguments":"2"}}`),
		), []eventlog.ToolCall{call("", "add", "1"), call("", "add", "2")}},
		"no index": {whole("stop",
			toolDelta(`{"id":"a","function":{"name":"add","arguments":"1"}}`), toolDelta(`{"id":"b","function":{"name":"add","arguments":"2"}}`),
		), []eventlog.ToolCall{call("a", "add", "1"), call("b", "add", "2")}},
		"all again in every piece": {whole("tool_calls",
			toolDelta(`{"index":0,"id":"a","function":{"name":"add","arguments":"1"}}`), toolDelta(`{"index":0,"id":"a","function":{"name":"add","arguments":"2"}}`),
		), []eventlog.ToolCall{call("a", "add", "12")}},
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := serve(t, tt.answer).model(t, nil).Next(t.Context(), asking("x"))
			require.NoError(t, err)
			require.Equal(t, agent.Reply{Calls: tt.calls}, reply)
		})
	}
}

// With its finish_reason a reply is whole, whatever becomes of the stream behind it.
func TestAReplyIsWholeWithoutDone(t *testing.T) {
	end := append(pieces(`{"content":"whole"}`), `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`)
	for name, answer := range map[string]http.HandlerFunc{
		"it ends":         stream(end...),
		"it breaks":       breaking(stream(end...)),
		"it says no JSON": stream(append(end, "{")...),
		"other choices":   stream(append([]string{`{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"length"}]}`}, end...)...),
	} {
		t.Run(name, func(t *testing.T) {
			reply, err := serve(t, answer).model(t, nil).Next(t.Context(), asking("x"))
			require.NoError(t, err)
			require.Equal(t, "whole", reply.Text)
		})
	}
}

func TestACancelledContextIsNoFaultOfTheModel(t *testing.T) {
	f := serve(t, stalling(stream(pieces(`{"content":"a"}`)...)))
	ctx, cancel := context.WithCancel(t.Context())
	m := f.model(t, func(o *openai.Options) { o.Text = func(string, string) { cancel() } })
	_, err := m.Next(ctx, asking("x"))
	require.Equal(t, context.Canceled, err)
}

func TestOptionsThatCannotBeMeant(t *testing.T) {
	for name, tt := range map[string]struct {
		o    openai.Options
		says string
	}{
		"no model":          {openai.Options{}, "OPENAI_MODEL"},
		"no address":        {openai.Options{Model: "m", BaseURL: "localhost:8080/v1"}, "OPENAI_BASE_URL"},
		"a path":            {openai.Options{Model: "m", BaseURL: "/v1"}, "OPENAI_BASE_URL"},
		"a key in the URL":  {openai.Options{Model: "m", BaseURL: "http://sk-secret@localhost/v1"}, "OPENAI_API_KEY"},
		"a key with a line": {openai.Options{Model: "m", Key: "sk-secret\n"}, "OPENAI_API_KEY"},
	} {
		_, err := openai.New(tt.o)
		require.ErrorContains(t, err, tt.says, name)
		require.NotContains(t, err.Error(), "secret")
	}
	_, err := openai.New(openai.Options{Model: "m"})
	require.NoError(t, err)
}

// The path of the base URL stays, with and without a slash at its end.
func TestBaseURL(t *testing.T) {
	for _, path := range []string{"", "/", "/v1", "/a/v1///"} {
		var asked string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = r.URL.Path
			says("x")(w, r)
		}))
		m, err := openai.New(openai.Options{BaseURL: server.URL + path, Model: "m"})
		require.NoError(t, err)
		_, err = m.Next(t.Context(), asking("x"))
		server.Close()
		require.NoError(t, err)
		require.Equal(t, strings.TrimRight(path, "/")+"/chat/completions", asked)
	}
}
