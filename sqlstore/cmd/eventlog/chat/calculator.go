package chat

import (
	"context"
	"encoding/json"
	"errors"

	"forgetmenot/eventlog/agent"
)

// A Calculator is the tool calculator: exact arithmetic with + - * / and parentheses, of decimal numbers. It is read-only and keeps nothing.
type Calculator struct{}

var _ agent.Tool = Calculator{}

// Spec implements [agent.Tool].
func (Calculator) Spec() agent.ToolSpec {
	return agent.ToolSpec{
		Name:        "calculator",
		Description: "Computes an arithmetic expression exactly. It knows decimal numbers, + - * / and parentheses. Use it for every computation.",
		Parameters: json.RawMessage(`{"type":"object","properties":{"expression":{"type":"string","description":"such as (3 + 4) * 6.5"}},` +
			`"required":["expression"],"additionalProperties":false}`),
		ReadOnly: true,
	}
}

// Call implements [agent.Tool]. The result is a number: an integer, a decimal, or a fraction with about how much that is.
func (Calculator) Call(_ context.Context, arguments string) (string, error) {
	expression, ok := expressionOf(arguments)
	if !ok {
		return "", errors.New(`the arguments are not {"expression":"…"}`)
	}
	v, err := compute(expression)
	if err != nil {
		return "", err
	}
	return written(v), nil
}

// expressionOf reads a call's arguments.
func expressionOf(arguments string) (string, bool) {
	var asked struct {
		Expression *string `json:"expression"`
	}
	if json.Unmarshal([]byte(arguments), &asked) != nil || asked.Expression == nil {
		return "", false
	}
	return *asked.Expression, true
}
