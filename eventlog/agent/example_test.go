package agent_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
)

// A message is sent twice, as by a client that lost the answer, and is one message.
func Example() {
	service := agent.New(eventlog.NewMemStore(), agent.Options{})
	server := httptest.NewServer(service.Handler())
	defer server.Close()

	post := func(path, body string) string {
		request, _ := http.NewRequest("POST", server.URL+path, strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", "f81d4fae")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return err.Error()
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return string(bytes.ReplaceAll(text, []byte(`},{"eventId"`), []byte("},\n {\"eventId\"")))
	}
	post("/sessions", `{"id":"support-42"}`)
	first := post("/sessions/support-42/messages", `{"content":"How many open orders are there?"}`)
	again := post("/sessions/support-42/messages", `{"content":"How many open orders are there?"}`)
	fmt.Print(first)
	fmt.Println("the repeat has the same answer:", first == again)
	// Output:
	// {"messages":[{"eventId":2,"message":{"role":"user","content":"How many open orders are there?"}},
	//  {"eventId":5,"message":{"role":"assistant","content":null,"toolCalls":[{"toolCallId":"call_1","name":"query_order_count","arguments":"{\"status\":\"open\"}"}]}},
	//  {"eventId":7,"message":{"role":"tool","toolCallId":"call_1","content":"{\"count\":7}"}},
	//  {"eventId":11,"message":{"role":"assistant","content":"There are 7 open orders."}}],"lastEventId":13}
	// the repeat has the same answer: true
}
