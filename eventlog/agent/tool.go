package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Tool does something for a model. It is called by several goroutines at once.
type Tool interface {
	Spec() ToolSpec
	// Call takes the arguments as the model wrote them, usually the text of a JSON object. What it returns the model is shown, an error too:
	// it does not end the turn.
	Call(ctx context.Context, arguments string) (string, error)
}

// A ToolSpec is what a model is told of a tool.
type ToolSpec struct {
	Name        string
	Description string
	Parameters  json.RawMessage // a JSON schema of the arguments
	// ReadOnly tools change nothing, so that a call that a crash cut off is simply made again. Of any other nobody can know whether it
	// happened: the model is told so, and the tool is not called.
	ReadOnly bool
}

// OrderCount is the demonstration's tool query_order_count: it tells how many orders there are, of one status or of all. It is read-only.
type OrderCount map[string]int

var _ Tool = OrderCount{}

// DemoOrders are the orders of the demonstration: 42.
func DemoOrders() OrderCount { return OrderCount{"open": 7, "shipped": 30, "cancelled": 5} }

// Spec implements Tool.
func (o OrderCount) Spec() ToolSpec {
	return ToolSpec{
		Name:        "query_order_count",
		Description: "How many orders there are, of one status or of all.",
		Parameters:  json.RawMessage(`{"type":"object","properties":{"status":{"type":"string"}},"additionalProperties":false}`),
		ReadOnly:    true,
	}
}

// Call implements Tool. The result is the text of {"count":N}.
func (o OrderCount) Call(_ context.Context, arguments string) (string, error) {
	var asked struct {
		Status string `json:"status"`
	}
	if err := json.Unmarshal([]byte(arguments), &asked); err != nil {
		return "", fmt.Errorf("the arguments are not as the schema says: %w", err)
	}
	if asked.Status == "" {
		all := 0
		for _, n := range o {
			all += n
		}
		return fmt.Sprintf(`{"count":%d}`, all), nil
	}
	n, ok := o[asked.Status]
	if !ok {
		return "", fmt.Errorf("no order has the status %q; there are %s", asked.Status, strings.Join(slices.Sorted(maps.Keys(o)), ", "))
	}
	return fmt.Sprintf(`{"count":%d}`, n), nil
}
