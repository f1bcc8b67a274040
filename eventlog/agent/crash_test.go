package agent_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"forgetmenot/eventlog"
	"forgetmenot/eventlog/agent"

	"github.com/stretchr/testify/require"
)

const ordersQuestion = "How many orders are there?"

var ordersAnswer = []string{ordersQuestion, "", `{"count":42}`, "There are 42 orders."}

// A store fails at every append of a turn in turn, with and without having stored it. Whatever the client was told, its repeat brings the whole
// turn, each fact once.
func TestStoreFailsInTheMiddle(t *testing.T) {
	for fails := int64(1); fails <= 5; fails++ {
		for _, written := range []bool{false, true} {
			t.Run(fmt.Sprintf("append %d, written %v", fails, written), func(t *testing.T) {
				mem := eventlog.NewMemStore()
				store := &bent{Store: mem, append: func(n int64, next func() (eventlog.Receipt, error)) (eventlog.Receipt, error) {
					if n < fails {
						return next()
					}
					if n == fails && written {
						next()
					}
					return eventlog.Receipt{}, &eventlog.StoreError{Op: "append", Mend: "look at the disk", Err: eventlog.ErrIO}
				}}
				r := start(t, store, agent.Options{})
				r.session("a")
				a := r.send("POST", "/sessions/a/messages", `{"content":"How many orders are there?"}`, "Idempotency-Key", "k")
				r.fault(a, 503, "store_failed")
				require.Contains(t, a.body, "look at the disk")
				require.Equal(t, "1", a.header.Get("Retry-After"))
				r.crash()

				after := start(t, mem, agent.Options{})
				require.Equal(t, ordersAnswer, after.say("a", ordersQuestion, "k").texts())
				require.Equal(t, orderTurn, types(t, mem, "a"))
			})
		}
	}
}

// A crash at every moment of a turn. With the record first, what was answered is stored, and the turn is finished at the next start, or by the
// session's next message, or by the repeat.
func TestCrashAtEveryMoment(t *testing.T) {
	for _, m := range []agent.Moment{agent.BeforeModel, agent.BeforeTool, agent.AfterTool, agent.BeforeReply, agent.AfterReply} {
		crashed := func(t *testing.T, replyFirst bool) (*eventlog.MemStore, reply) {
			store := eventlog.NewMemStore()
			r := start(t, store, agent.Options{ReplyFirst: replyFirst, Hook: func(_ context.Context, at agent.Moment, session string) error {
				if at == m && session == "a" {
					return errors.New("the power is off")
				}
				return nil
			}})
			r.session("a")
			a := r.send("POST", "/sessions/a/messages", `{"content":"How many orders are there?"}`, "Idempotency-Key", "k")
			r.crash()
			if m == agent.AfterReply {
				require.Equal(t, 200, a.status, a.body)
				require.Equal(t, ordersAnswer, read[turn](t, a.body).texts())
			} else {
				r.fault(a, 500, "stopped")
			}
			return store, a
		}
		t.Run(string(m)+", resumed at the start", func(t *testing.T) {
			store, _ := crashed(t, false)
			require.Equal(t, []string{"turn_start", "user_message"}, types(t, store, "a")[:2])
			service := agent.New(store, agent.Options{})
			n, err := service.Resume(t.Context())
			require.NoError(t, err)
			open := 1
			if m == agent.BeforeReply || m == agent.AfterReply {
				open = 0
			}
			require.Equal(t, open, n)
			require.Equal(t, orderTurn, types(t, store, "a"))
			n, err = service.Resume(t.Context())
			require.NoError(t, err)
			require.Zero(t, n)
		})
		t.Run(string(m)+", resumed by the next message", func(t *testing.T) {
			store, _ := crashed(t, false)
			r := start(t, store, agent.Options{})
			require.Equal(t, "How many cancelled orders?", r.say("a", "How many cancelled orders?", "other").texts()[0])
			require.Equal(t, append(orderTurn, orderTurn...), types(t, store, "a"))
			require.Equal(t, ordersAnswer, r.say("a", ordersQuestion, "k").texts(), "the first message's answer is there, late")
		})
		t.Run(string(m)+", resumed by the repeat", func(t *testing.T) {
			store, first := crashed(t, false)
			r := start(t, store, agent.Options{})
			again := r.send("POST", "/sessions/a/messages", `{"content":"How many orders are there?"}`, "Idempotency-Key", "k")
			require.Equal(t, 200, again.status)
			require.Equal(t, ordersAnswer, read[turn](t, again.body).texts())
			if first.status == 200 {
				require.Equal(t, first.body, again.body)
			}
			require.Equal(t, orderTurn, types(t, store, "a"))
		})
		t.Run(string(m)+", reply first", func(t *testing.T) {
			store, _ := crashed(t, true)
			require.Empty(t, types(t, store, "a"), "nothing of what was said, and answered, is left")
		})
	}
}

func TestReplyFirstWithoutACrash(t *testing.T) {
	store := eventlog.NewMemStore()
	r := start(t, store, agent.Options{ReplyFirst: true})
	r.session("a")
	a := r.send("POST", "/sessions/a/messages", `{"content":"How many orders are there?"}`)
	require.Equal(t, ordersAnswer, read[turn](t, a.body).texts())
	require.Contains(t, a.body, `{"eventId":null,`)
	require.NoError(t, r.service.Shutdown(t.Context())) // it stores after it has answered
	require.Equal(t, orderTurn, types(t, store, "a"))
}

// A store that refuses after the reply loses the record without anybody being told; the normal order tells.
func TestReplyFirstLosesWhatTheStoreRefuses(t *testing.T) {
	for _, replyFirst := range []bool{true, false} {
		mem := eventlog.NewMemStore()
		r := start(t, &bent{Store: mem, append: func(int64, func() (eventlog.Receipt, error)) (eventlog.Receipt, error) {
			return eventlog.Receipt{}, &eventlog.StoreError{Op: "append", Err: eventlog.ErrFull}
		}}, agent.Options{ReplyFirst: replyFirst})
		r.session("a")
		a := r.send("POST", "/sessions/a/messages", `{"content":"hello"}`)
		if replyFirst {
			require.Equal(t, 200, a.status)
		} else {
			r.fault(a, 507, "store_full")
		}
		require.NoError(t, r.service.Shutdown(t.Context()))
		require.Empty(t, types(t, mem, "a"))
	}
}

// A call that a crash cut off is made again only when that changes nothing.
func TestOpenCalls(t *testing.T) {
	for _, m := range []agent.Moment{agent.BeforeTool, agent.AfterTool} {
		for _, readOnly := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, read only %v", m, readOnly), func(t *testing.T) {
				tool := &tool{name: "pay", readOnly: readOnly}
				store := eventlog.NewMemStore()
				o := agent.Options{Model: script(calling("pay", "1", "2")), Tools: []agent.Tool{tool}}
				crashing := o
				seen := 0
				crashing.Hook = func(_ context.Context, at agent.Moment, _ string) error {
					if at == m {
						seen++
					}
					if seen == 2 {
						return errors.New("the power is off")
					}
					return nil
				}
				r := start(t, store, crashing)
				r.session("a")
				r.fault(r.send("POST", "/sessions/a/messages", `{"content":"pay"}`), 500, "stopped")
				before := len(tool.called())

				n, err := agent.New(store, o).Resume(t.Context())
				require.NoError(t, err)
				require.Equal(t, 1, n)
				events := stored(t, store, "a")
				require.Equal(t, []string{
					"turn_start", "user_message", "step_start", "model_request", "tool_call", "tool_call",
					"tool_start", "tool_result", "tool_start", "tool_result", "step_end",
					"step_start", "model_request", "assistant_message", "step_end", "turn_end",
				}, types(t, store, "a"))
				require.Equal(t, `tool_result {"callId":"c","content":"done 1"}`, events[7])
				if readOnly {
					require.Len(t, tool.called(), before+1)
					require.Equal(t, `tool_result {"callId":"c_2","content":"done 2"}`, events[9])
				} else {
					require.Len(t, tool.called(), before, "it runs no second time")
					require.Contains(t, events[9], `"callId":"c_2","content":"TOOL_OUTCOME_UNKNOWN`)
				}
			})
		}
	}
}

// An agent can keep its log to messages, and goes on after a crash all the same.
func TestMessagesOnly(t *testing.T) {
	for _, m := range []agent.Moment{agent.BeforeModel, agent.BeforeTool, agent.AfterTool, agent.BeforeStep, agent.BeforeReply} {
		t.Run(string(m), func(t *testing.T) {
			store := eventlog.NewMemStore()
			o := agent.Options{MessagesOnly: true}
			crashing := o
			crashing.Hook = func(_ context.Context, at agent.Moment, _ string) error {
				if at == m {
					return errors.New("the power is off")
				}
				return nil
			}
			r := start(t, store, crashing)
			r.session("a")
			r.fault(r.send("POST", "/sessions/a/messages", `{"content":"How many orders are there?"}`, "Idempotency-Key", "k"), 500, "stopped")
			r.crash()
			r = start(t, store, o)
			require.Equal(t, ordersAnswer, r.say("a", ordersQuestion, "k").texts())
			require.Equal(t, ordersAnswer, r.say("a", ordersQuestion, "k").texts())
			require.Len(t, r.say("a", "hello", "other").texts(), 2)
			require.Equal(t, []string{"user_message", "tool_call", "tool_result", "assistant_message", "user_message", "assistant_message"}, types(t, store, "a"))
			require.Equal(t, ordersAnswer, r.say("a", ordersQuestion, "k").texts())
		})
	}
}

// One session that cannot go on does not keep the others from it.
func TestResumeGoesOn(t *testing.T) {
	store := eventlog.NewMemStore()
	for _, id := range []string{"a", "b", "empty", "noted"} {
		_, err := store.CreateSession(t.Context(), id, "")
		require.NoError(t, err)
	}
	put := func(id, kind, payload string) {
		_, err := store.Append(t.Context(), id, []eventlog.NewEvent{{Type: kind, Payload: []byte(payload)}}, eventlog.AppendOptions{})
		require.NoError(t, err)
	}
	put("a", "user_message", `{"content":"orders"}`)
	put("b", "user_message", `{"content":"fail"}`)
	put("noted", "user_message", `{"content":"hello"}`)
	put("noted", "assistant_message", `{"content":"hello"}`)
	put("noted", "note", `{}`)
	service := agent.New(store, agent.Options{Model: modelFunc(func(ctx context.Context, r agent.Request) (agent.Reply, error) {
		if r.SessionID == "b" {
			return agent.Reply{}, errors.New("out of words")
		}
		return agent.Scripted{}.Next(ctx, r)
	})})
	n, err := service.Resume(t.Context())
	require.ErrorIs(t, err, agent.ErrModel)
	require.ErrorContains(t, err, `session "b"`)
	require.Equal(t, 1, n)
	require.Equal(t, append([]string{"user_message", "turn_start"}, orderTurn[2:]...), types(t, store, "a"), "a turn that came without its start")
	require.Equal(t, []string{"user_message", "turn_start", "step_start", "model_request"}, types(t, store, "b"))
	require.Len(t, types(t, store, "noted"), 3)

	require.NoError(t, service.Shutdown(t.Context()))
	_, err = service.Resume(t.Context())
	require.ErrorIs(t, err, agent.ErrShutdown)
}
