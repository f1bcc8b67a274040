package eventlog_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"forgetmenot/eventlog"
)

// A snapshot and the tail behind it are the full replay, wherever the snapshot was taken, also when it was written down between.
func TestSnapshotAndTailAreTheReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := plain(drawRuns(t))
		full, err := eventlog.NewSnapshot("s").Extend(events)
		require.NoError(t, err)
		require.Equal(t, eventlog.Fold(events), full.Replay())
		require.Equal(t, eventlog.ProjectToolCalls(events), full.ToolCalls)
		require.Equal(t, events[len(events)-1].EventID, full.Until)

		n := rapid.IntRange(0, len(events)).Draw(t, "n")
		early, err := eventlog.NewSnapshot("s").Extend(events[:n])
		require.NoError(t, err)
		text, err := json.Marshal(early)
		require.NoError(t, err)
		var kept eventlog.Snapshot
		require.NoError(t, json.Unmarshal(text, &kept))
		require.Equal(t, early, kept)

		for _, s := range []eventlog.Snapshot{early, kept} {
			extended, err := s.Extend(events[n:])
			require.NoError(t, err)
			require.Equal(t, full, extended)
			require.Equal(t, kept, s, "extending changed the snapshot")
		}
	})
}

func TestSnapshotsShareNothing(t *testing.T) {
	early, err := eventlog.NewSnapshot("s").Extend(plain(eventsOf("user_message {\"content\":\"one\"}\ntool_call {\"callId\":\"a\",\"name\":\"n\"}")))
	require.NoError(t, err)
	late, err := early.Extend(plain(eventsOf("x {}\nx {}\ntool_result {\"callId\":\"a\",\"content\":7}"))[2:])
	require.NoError(t, err)
	require.Equal(t, eventlog.ToolCallOpen, early.ToolCalls[0].Status)

	early.Messages[0].Message.Content[1] = 'X'
	early.Messages[1].Message.ToolCalls[0].Name = "X"
	late.Replay()[0].Content[1] = 'Y'
	require.Equal(t, `"one"`, string(late.Messages[0].Message.Content))
	require.Equal(t, "n", late.Messages[1].Message.ToolCalls[0].Name)
}

func TestSnapshotRefuses(t *testing.T) {
	s, err := eventlog.NewSnapshot("s").Extend(plain(eventsOf("user_message {}\nuser_message {}")))
	require.NoError(t, err)
	_, err = s.Extend([]eventlog.Event{{EventID: 3, SessionID: "s", Type: "x", Payload: json.RawMessage(`{}`)}})
	require.EqualError(t, err, `eventlog: snapshot of session "s": event 3 does not come behind event 3`)
	_, err = s.Extend([]eventlog.Event{{EventID: 4, SessionID: "t", Type: "x", Payload: json.RawMessage(`{}`)}})
	require.EqualError(t, err, `eventlog: snapshot of session "s": event 4 is of session "t"`)

	kept := s
	for text, want := range map[string]string{
		`[]`: "eventlog: snapshot: ",
		`{"messages":[{"eventId":1,"role":"user","content":"{"}]}`:                  `eventlog: snapshot: the message of event 1: content is not JSON: "{"`,
		`{"toolCalls":[{"eventId":1,"toolCall":{},"resultEventId":2,"result":""}]}`: `eventlog: snapshot: the result in event 2 is not JSON: ""`,
	} {
		require.ErrorContains(t, json.Unmarshal([]byte(text), &kept), want)
		require.Equal(t, s, kept)
	}
}
