package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"forgetmenot/eventlog"
)

// A Model says what comes next in a session. It is called by several goroutines at once, for one session never by two.
//
// It may be called again with the same request: after a crash the turn goes on from what is stored, and an answer that was not stored yet has
// never been seen by anybody.
type Model interface {
	// Next answers, or asks for tools. After a [*BusyError] it is asked again. Any other error leaves the turn open: it goes on with the
	// session's next message, or at the next start.
	Next(ctx context.Context, r Request) (Reply, error)
}

// A BusyError is a model's failure that may pass: it is overloaded, or the network is down.
type BusyError struct {
	Err   error
	After time.Duration // it asked not to be asked again before; 0 when it did not say
}

func (e *BusyError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *BusyError) Unwrap() error { return e.Err }

// A Request is what a model is shown.
type Request struct {
	SessionID string
	Messages  []eventlog.Message // the session so far, as eventlog.Conversation makes it; the model may keep it
	Tools     []ToolSpec         // what it may ask for, by name
}

// A Reply is what a model says. Without calls it ends the turn.
type Reply struct {
	Text  string
	Calls []eventlog.ToolCall // done one after the other, in this order
}

// Scripted is a model that always says the same to the same session: it asks for query_order_count when the last message of the user speaks of
// orders, answers from the result, and tells otherwise how many messages it remembers.
type Scripted struct{}

var _ Model = Scripted{}

// Next implements Model. It never fails.
func (Scripted) Next(_ context.Context, r Request) (Reply, error) {
	asked, users := -1, 0
	for i, m := range r.Messages {
		if m.Role == eventlog.RoleUser {
			asked = i
			users++
		}
	}
	if asked < 0 {
		return Reply{Text: "Nobody has said anything yet."}, nil
	}
	question := strings.ToLower(eventlog.Text(r.Messages[asked].Content))
	if !strings.Contains(question, "order") {
		return Reply{Text: fmt.Sprintf("This is message %d of yours that I remember in this session. Ask me how many orders there are.", users)}, nil
	}
	status := ""
	for _, s := range []string{"open", "shipped", "cancelled"} {
		if strings.Contains(question, s) {
			status = s
			break
		}
	}
	// What came since the question tells how far the turn is: the model itself remembers nothing.
	for _, m := range r.Messages[asked+1:] {
		if m.Role == eventlog.RoleTool {
			return Reply{Text: counted(status, eventlog.Text(m.Content))}, nil
		}
	}
	arguments := "{}"
	if status != "" {
		arguments = fmt.Sprintf(`{"status":%q}`, status)
	}
	return Reply{Calls: []eventlog.ToolCall{{ToolCallID: fmt.Sprintf("call_%d", users), Name: "query_order_count", Arguments: arguments}}}, nil
}

func counted(status, result string) string {
	var answer struct {
		Count *int `json:"count"`
	}
	if err := json.Unmarshal([]byte(result), &answer); err != nil || answer.Count == nil {
		return "I could not count the orders: " + result
	}
	kind := ""
	if status != "" {
		kind = status + " "
	}
	if *answer.Count == 1 {
		return fmt.Sprintf("There is 1 %sorder.", kind)
	}
	return fmt.Sprintf("There are %d %sorders.", *answer.Count, kind)
}
