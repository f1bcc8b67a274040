package eventlog_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"forgetmenot/eventlog"
)

// A model is an event log without any cleverness: every version owns a copy of
// everything.
type model []eventlog.Event

func (m model) append(sessionID, eventType, payload string) model {
	e := eventlog.Event{EventID: int64(len(m) + 1), SessionID: sessionID, Type: eventType, Payload: json.RawMessage(payload)}
	return append(slices.Clone(m), e)
}

func (m model) sessions() []string {
	names := []string{}
	for _, e := range m {
		if !slices.Contains(names, e.SessionID) {
			names = append(names, e.SessionID)
		}
	}
	return names
}

func (m model) events(sessionID string) []eventlog.Event {
	events := []eventlog.Event{}
	for _, e := range m {
		if e.SessionID == sessionID {
			events = append(events, e)
		}
	}
	return events
}

// agree asks a log everything that there is to ask.
func agree(t require.TestingT, m model, l eventlog.Log) {
	require.Equal(t, len(m), l.Len())
	require.Equal(t, int64(len(m)), l.LastID())
	require.Equal(t, m.sessions(), l.Sessions())
	require.Equal(t, append(model{}, m...), append(model{}, slices.Collect(l.All())...))
	for _, name := range append(m.sessions(), "nobody", "") {
		events := m.events(name)
		require.Equal(t, events, l.Events(name), "session %q", name)
		require.Equal(t, eventlog.Fold(events), l.Replay(name), "session %q", name)
	}
}

type version struct {
	model model
	log   eventlog.Log
}

func (v version) append(t require.TestingT, sessionID, eventType, payload string) version {
	log, err := v.log.Append(sessionID, eventType, json.RawMessage(payload))
	require.NoError(t, err)
	return version{v.model.append(sessionID, eventType, payload), log}
}

var (
	// Names that a careless log takes for one another.
	confusable = []string{"a", "A", "a ", " a", "ab", "a\x00", "1", "01", "10", "é", "e\u0301", "sess_1", "sess_10", "__proto__", "constructor", "a\n", "\ufeffa", "\U0001f600"}

	sessionIDs = rapid.OneOf(
		rapid.SampledFrom(confusable),
		rapid.StringN(1, 4, -1),
	)
	eventTypes = rapid.OneOf(
		rapid.SampledFrom([]string{
			eventlog.TypeUserMessage, eventlog.TypeAssistantMessage, eventlog.TypeToolCall, eventlog.TypeToolResult,
			"User_Message", "user_message ", "note", "toString",
		}),
		rapid.StringN(1, 4, -1),
	)
	values = rapid.SampledFrom([]string{
		`""`, `"hello"`, `0`, `1.0`, `-0`, `1e400`, `12345678901234567890`, `true`, `false`, `null`, `[]`, `{}`, `"\ud800"`, `"<&>\u2028"`, `"\u0000"`,
		`[1, 2,{"a" :[ ]}]`, `{"content":"inner","content":2}`, ` { "eventId" : 7 } `, "\"\u00e9\U0001f600\"",
	})
	keys     = rapid.SampledFrom([]string{"content", "Content", "CONTENT", `\u0063ontent`, "callId", "callid", "name", "arguments", "role", "eventId", "sessionId", "__proto__", "", "x"})
	payloads = rapid.Custom(func(t *rapid.T) string {
		var members []string
		for range rapid.IntRange(0, 5).Draw(t, "members") {
			members = append(members, `"`+keys.Draw(t, "key")+`"`+space.Draw(t, "space")+`:`+values.Draw(t, "value"))
		}
		return space.Draw(t, "space") + `{` + strings.Join(members, `,`) + `}` + space.Draw(t, "space")
	})
	space = rapid.SampledFrom([]string{"", "", " ", "\r\n\t"})
)

// However a family of versions grows, in one line or in forks, every version
// answers like a list that nobody else has.
func TestLogIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		versions := []version{{}}
		some := func(t *rapid.T) version {
			return versions[rapid.IntRange(0, len(versions)-1).Draw(t, "version")]
		}
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				v := versions[len(versions)-1]
				if rapid.Bool().Draw(t, "fork") {
					v = some(t)
				}
				versions = append(versions, v.append(t, sessionIDs.Draw(t, "session"), eventTypes.Draw(t, "type"), payloads.Draw(t, "payload")))
			},
			"append many": func(t *rapid.T) {
				v := some(t)
				names := rapid.SliceOfN(sessionIDs, 1, 5).Draw(t, "sessions")
				for i := range rapid.IntRange(1, 50).Draw(t, "events") {
					v = v.append(t, names[i*i%len(names)], eventlog.TypeUserMessage, `{"content":"again"}`)
				}
				versions = append(versions, v)
			},
			"refuse": func(t *rapid.T) {
				v := some(t)
				log, err := v.log.Append("a", "note", json.RawMessage(`{"a":}`))
				require.Error(t, err)
				require.Equal(t, v.log, log)
			},
			"": func(t *rapid.T) {
				v := some(t)
				agree(t, v.model, v.log)
			},
		})
		for _, v := range versions {
			agree(t, v.model, v.log)
		}
	})
}

// The same around every length at which something happens inside: each version
// of a line is extended twice, and both ways go on.
func TestForkAtEveryLength(t *testing.T) {
	line := []version{{}}
	for i := range 100 {
		line = append(line, line[i].append(t, confusable[i*7%len(confusable)], "note", `{}`))
	}
	var forks []version
	for _, v := range line {
		for range 2 {
			f := v
			for i := range 70 {
				f = f.append(t, confusable[i%5], eventlog.TypeUserMessage, `{"content":`+string(rune('0'+len(forks)%10))+`}`)
			}
			forks = append(forks, f)
		}
	}
	for _, v := range append(line, forks...) {
		agree(t, v.model, v.log)
	}
}

func TestAllStopsAndStartsAgain(t *testing.T) {
	v := version{}
	for range 100 {
		v = v.append(t, "a", "note", `{}`)
	}
	all := v.log.All()
	for range 2 {
		n := 0
		for range all {
			if n++; n == 40 {
				break
			}
		}
		require.Equal(t, 40, n)
	}
	require.Len(t, slices.Collect(all), 100)
	for range eventlog.New().All() {
		require.Fail(t, "an empty log has no events")
	}
}
