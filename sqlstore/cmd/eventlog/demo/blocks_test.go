package demo

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"forgetmenot/eventlog"

	"github.com/stretchr/testify/require"
)

// sample is a block of every kind.
func sample() []block {
	event := func(id int64, session, kind, payload string) eventlog.StoredEvent {
		return eventlog.StoredEvent{Event: eventlog.Event{EventID: id, SessionID: session, Type: kind, Payload: []byte(payload)}}
	}
	log := []eventlog.StoredEvent{
		event(1, anna, eventlog.TypeUserMessage, `{"content":"How many orders are there, \u001b[2J and which?"}`),
		event(2, anna, eventlog.TypeToolCall, `{"callId":"c","name":"query_order_count","arguments":"{}"}`),
		event(7, anna, eventlog.TypeToolResult, `{"callId":"c","content":"{\"count\":42}\u001b"}`),
		event(10, ben, "note", `{"of":"any kind"}`),
		event(11, anna, eventlog.TypeAssistantMessage, `{"content":"There are 42 orders. Ask me anything else that you want to know about them."}`),
	}
	s := &story{crashes: []int64{0, 2}, lost: facts{{kind: eventlog.TypeUserMessage, text: `"Hello?"`}, {kind: eventlog.TypeAssistantMessage, text: `"Hello."`}}}
	return []block{
		title("An agent, and a title that is long enough to be broken where the paper is narrow"),
		chapter{1, "A chapter"},
		para("Process 4711.\nA sentence behind the end of a line, and more of it, so that it needs a second one."),
		request{"GET /sessions/anna/stream", "Last-Event-ID: 6"},
		factsOf(log), s.lost, facts{},
		claim("A claim that has been seen to hold, with everything that belongs to it."),
		broken{"A claim that did not hold, with everything that belongs to it.", "there is no event"},
		crash("kill -9 4711"),
		s.lanes(log),
		why("A reason for a rule, as short as it could be made in a sentence that must be long."),
		rules{{"What was seen at first.", "The first rule."}, {"What was seen then.", "Another one."}},
		list{"Commands are not broken, so that they can be copied:", []string{"eventlog replay anna --db " + strings.Repeat("x", 40)}},
	}
}

func TestBlocks(t *testing.T) {
	for _, l := range []look{{80, false}, {60, true}, {34, false}} {
		t.Run(fmt.Sprint(l.width), func(t *testing.T) {
			var all strings.Builder
			for _, b := range sample() {
				lines := b.lines(l)
				if _, free := b.(list); !l.color && !free {
					for _, line := range lines {
						require.Less(t, utf8.RuneCountInString(line), l.width, line)
						require.Equal(t, strings.TrimRight(line, " "), line)
						require.NotContains(t, line, "\x1b")
					}
				}
				all.WriteString(strings.Join(lines, "\n") + "\n\n")
			}
			golden(t, fmt.Sprintf("blocks-%d.txt", l.width), all.String())
		})
	}
}

func TestNumbers(t *testing.T) {
	for want, ids := range map[string][]int64{
		"no events":                 nil,
		"event 3":                   {3},
		"events 3 and 4":            {3, 4},
		"events 1 to 4":             {1, 2, 3, 4},
		"events 1 to 8, 11 and 12":  {1, 2, 3, 4, 5, 6, 7, 8, 11, 12},
		"events 1, 3 and 5 to 7":    {1, 3, 5, 6, 7},
		"events 2 to 4 and 9 to 11": {2, 3, 4, 9, 10, 11},
	} {
		require.Equal(t, want, numbers(ids))
	}
}
