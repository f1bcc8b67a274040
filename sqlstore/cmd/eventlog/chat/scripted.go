package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
)

// Scripted is a model that needs no network and always says the same to the same session. It has every computation that it finds in a message
// done by the calculator, several at once, goes on from the last result ("and plus 1"), and knows what it was told.
type Scripted struct{}

var _ agent.Model = Scripted{}

// Next implements [agent.Model]. It never fails.
func (Scripted) Next(_ context.Context, r agent.Request) (agent.Reply, error) {
	asked, users := -1, []string{}
	for i, m := range r.Messages {
		if m.Role == eventlog.RoleUser {
			asked = i
			users = append(users, eventlog.Text(m.Content))
		}
	}
	if asked < 0 {
		return agent.Reply{Text: "Nobody has said anything yet."}, nil
	}
	if text := reported(r.Messages[asked+1:]); text != "" {
		return agent.Reply{Text: text}, nil
	}
	question := users[len(users)-1]
	var reply agent.Reply
	for i, expression := range computations(question, lastResult(r.Messages[:asked])) {
		arguments, err := json.Marshal(map[string]string{"expression": expression})
		if err != nil {
			return agent.Reply{}, err
		}
		reply.Calls = append(reply.Calls, eventlog.ToolCall{ToolCallID: fmt.Sprintf("call_%d_%d", len(users), i+1), Name: "calculator", Arguments: string(arguments)})
	}
	if reply.Calls != nil {
		return reply, nil
	}
	lower := strings.ToLower(question)
	switch {
	case len(users) > 1 && (strings.Contains(lower, "remember") || strings.Contains(lower, "did i say")):
		reply.Text = fmt.Sprintf("You have said %d things to me in this session. It began with: %q. All of it is in the log.", len(users), users[0])
	case len(users) > 1:
		reply.Text = fmt.Sprintf("That was message %d of yours in this session, and I remember them all. Give me something to compute, or ask what I remember.", len(users))
	default:
		reply.Text = "Hello! I am a small script and no real model, but I can compute: try \"what is (3+4)*6\", and then \"and minus 2\". --model NAME asks a real one."
	}
	return reply, nil
}

// reported says what became of the calls in a turn so far; "" when there are none. The model itself remembers nothing: what stands in the session
// tells how far the turn is.
func reported(turn []eventlog.Message) string {
	expressions := map[string]string{}
	var said []string
	for _, m := range turn {
		for _, c := range m.ToolCalls {
			expressions[c.ToolCallID], _ = expressionOf(c.Arguments)
		}
		if m.Role != eventlog.RoleTool {
			continue
		}
		expression, result := expressions[m.ToolCallID], eventlog.Text(m.Content)
		if fault, failed := strings.CutPrefix(result, "error: "); failed {
			said = append(said, fmt.Sprintf("I cannot compute %s: %s.", expression, fault))
		} else {
			said = append(said, fmt.Sprintf("%s = %s", expression, result))
		}
	}
	return strings.Join(said, "\n")
}

// lastResult is the newest number that the calculator gave, "" when there is none.
func lastResult(messages []eventlog.Message) string {
	result := ""
	for _, m := range messages {
		if m.Role == eventlog.RoleTool {
			number, _, _ := strings.Cut(eventlog.Text(m.Content), " (about")
			if _, err := compute(number); err == nil {
				result = number
			}
		}
	}
	return result
}

// computations finds the expressions in a text. One that begins with an operator goes on from last.
func computations(text, last string) (found []string) {
	spelled := strings.NewReplacer(" divided by ", " / ", " multiplied by ", " * ", " times ", " * ", " plus ", " + ", " minus ", " - ",
		"×", "*", "÷", "/", "−", "-").Replace(" " + strings.ToLower(text) + " ")
	runes := []rune(spelled)
	for i, r := range runes {
		if r == 'x' && beside(runes[:i], -1) && beside(runes[i+1:], 1) {
			runes[i] = '*'
		}
	}
	for _, run := range strings.FieldsFunc(string(runes), func(r rune) bool { return !strings.ContainsRune("0123456789.+-*/() ", r) }) {
		run = strings.TrimSpace(strings.TrimRight(run, ". "))
		if !strings.ContainsAny(run, "0123456789") || !strings.ContainsAny(run[1:], "+-*/") && !strings.ContainsAny(run[:1], "+*/-") {
			continue
		}
		if strings.ContainsAny(run[:1], "+*/") || strings.HasPrefix(run, "- ") {
			if last == "" {
				continue
			}
			run = "(" + last + ") " + run
			if !strings.ContainsAny(last, "/-") {
				run = last + run[len(last)+2:]
			}
		} else if !strings.ContainsAny(run[1:], "+-*/") {
			continue // a number with a sign is no computation
		}
		found = append(found, run)
	}
	return found
}

// beside tells whether a number, or its parenthesis, stands at the end of the text (to the left of what is asked about) or at its beginning.
func beside(text []rune, direction int) bool {
	s := strings.TrimSpace(string(text))
	if s == "" {
		return false
	}
	if direction < 0 {
		return strings.ContainsAny(s[len(s)-1:], "0123456789)")
	}
	return strings.ContainsAny(s[:1], "0123456789(")
}
