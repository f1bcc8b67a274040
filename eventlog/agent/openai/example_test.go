package openai_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"
	"forgetmenot/eventlog/agent/openai"
)

func Example() {
	server := httptest.NewServer(says("Forget", "-me", "-not.")) // in place of a real one
	defer server.Close()
	model, err := openai.New(openai.Options{
		BaseURL: server.URL, Model: "small",
		Text: func(_, text string) { fmt.Printf("%q\n", text) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, store := context.Background(), eventlog.NewMemStore()
	store.CreateSession(ctx, "flowers", "")
	turn, err := agent.NewLoop(store, agent.Options{Model: model}).Say(ctx, "flowers", []byte(`"Which flower is blue?"`), "")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("event %d: %s\n", turn.Messages[1].EventID, turn.Messages[1].Message.Content)
	// Output:
	// "Forget"
	// "-me"
	// "-not."
	// event 5: "Forget-me-not."
}
