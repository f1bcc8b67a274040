package openai

import (
	"fmt"
	"strings"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	client "github.com/openai/openai-go/v3"
)

// maxReply is more than any model says, and less than a store's event may hold.
const maxReply = 4 << 20

// An assembly is a reply while its pieces come. The zero value has none.
type assembly struct {
	begun  bool // a chunk has come
	finish string
	size   int
	text   strings.Builder
	calls  []*growingCall // in the order in which they began
	at     map[int64]*growingCall
}

type growingCall struct {
	id, name  string
	arguments strings.Builder
}

// add takes in the next chunk and tells what text is new in it.
func (a *assembly) add(chunk client.ChatCompletionChunk) (text string, err error) {
	a.begun = true
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		said := choice.Delta.Content + choice.Delta.Refusal // a refusal is what the model says, too
		a.text.WriteString(said)
		text += said
		a.size += len(said)
		for _, d := range choice.Delta.ToolCalls {
			a.size += len(d.ID) + len(d.Function.Name) + len(d.Function.Arguments)
			a.call(d)
		}
		if choice.FinishReason != "" {
			a.finish = choice.FinishReason
		}
	}
	if a.size > maxReply {
		return text, fmt.Errorf("%w: it is longer than %d MiB", ErrCut, maxReply>>20)
	}
	return text, nil
}

// call adds a piece to the call of its index. Servers that give no index (it is 0 then) are understood by their ids: another one begins another call.
func (a *assembly) call(d client.ChatCompletionChunkChoiceDeltaToolCall) {
	c := a.at[d.Index]
	if c == nil || d.ID != "" && c.id != "" && d.ID != c.id {
		c = &growingCall{}
		if a.at == nil {
			a.at = map[int64]*growingCall{}
		}
		a.at[d.Index] = c
		a.calls = append(a.calls, c)
	}
	if d.ID != "" {
		c.id = d.ID
	}
	if d.Function.Name != c.name { // some repeat it in every piece
		c.name += d.Function.Name
	}
	c.arguments.WriteString(d.Function.Arguments)
}

// reply is the whole of it. Call ids may be empty or repeat; the loop makes them unique.
func (a *assembly) reply() (agent.Reply, error) {
	reply := agent.Reply{Text: a.text.String()}
	for _, c := range a.calls {
		reply.Calls = append(reply.Calls, eventlog.ToolCall{ToolCallID: c.id, Name: c.name, Arguments: c.arguments.String()})
	}
	switch {
	case a.finish == "":
		return agent.Reply{}, fmt.Errorf("%w: it ended before the reply did", ErrBroken)
	case a.finish == "length":
		return agent.Reply{}, ErrCut
	case a.finish == "content_filter":
		return agent.Reply{}, ErrFiltered
	case strings.TrimSpace(reply.Text) == "" && len(reply.Calls) == 0:
		return agent.Reply{}, ErrEmpty
	}
	return reply, nil
}
