package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestASessionOfAnotherAgentIsImported(t *testing.T) {
	for format, session := range map[string]string{
		"codex": "0198f0aa-1111-7000-8000-000000000001", "claude-code": "5f0c-1", "gemini-cli": "9a1b-1", "pi": "pi-1", "deepseek-harness": "ds-1",
	} {
		t.Run(format, func(t *testing.T) {
			p := newPlace(t)
			p.done("append", "before", "--create", "--type", "note", "--payload", "{}")
			file := p.write(format+".jsonl", sample(t, format))
			require.Contains(t, p.done("import", file), " of "+format+" in the session "+session)
			require.Contains(t, p.done("replay", session), "user: How many orders?")
			require.Contains(t, p.done("replay", session), "assistant: Three.")
			require.Contains(t, p.done("verify"), "nothing is wrong")

			all := p.done("events", "--json", "--session", session)
			records := 0
			for line := range strings.Lines(all) {
				var e struct {
					Payload   json.RawMessage
					CreatedAt int64
				}
				require.NoError(t, json.Unmarshal([]byte(line), &e))
				require.Greater(t, e.CreatedAt, int64(1772359000000), "it happened when the record says: %s", line)
				var p struct{ Record json.RawMessage }
				require.NoError(t, json.Unmarshal(e.Payload, &p))
				record := string(e.Payload)
				if p.Record != nil {
					record = string(p.Record)
				}
				if strings.Contains(sample(t, format), record+"\n") {
					records++
				}
			}
			require.Greater(t, records, 8, "records are kept byte for byte")

			require.Contains(t, p.done("import", file), "0 events came in")
			require.Equal(t, all, p.done("events", "--json", "--session", session), "twice is once")
		})
	}
}

func TestAnImportedSessionGrows(t *testing.T) {
	p := newPlace(t)
	file := p.write("pi.jsonl", whole)
	p.done("import", file)
	p.write("pi.jsonl", whole+`{"type":"message","id":"c","parentId":"b","timestamp":"2026-03-01T10:05:00.000Z","message":{"role":"user","content":"more"}}
{"type":"message","id":"d","parentId":"c","timestamp":"2026-03-01T10:05:01.000Z","message":{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"toolCall","id":"t","name":"n","arguments":{}}]}}
`)
	require.Contains(t, p.done("import", file), "3 events of the session p were there already, 3 events came in")
	require.Contains(t, p.done("import", file), "6 events of the session p were there already, 0 events came in")
	require.Equal(t, "user: hello\nassistant: hi\nuser: more\nassistant: x\nassistant: calls n({})\n", p.done("replay", "p"))
	require.Contains(t, p.done("events", "--json", "--after", "5"), `"createdAt":1772359501000`)
	require.Contains(t, p.done("verify"), "nothing is wrong")

	// Going on in the store is fine, until the file goes on too.
	p.done("append", "p", "--type", "note", "--payload", "{}")
	require.Contains(t, p.done("import", file), "6 events of the session p were there already, 0 events came in")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	p.write("pi.jsonl", string(text)+`{"type":"label","id":"e","parentId":"d","timestamp":"2026-03-01T10:06:00.000Z","targetId":"d"}`+"\n")
	r := p.call("import", file)
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "its event 7 is another one (line 6)")
	require.Contains(t, r.errors, "nothing was imported")
}

// What was imported and then written anew is another session, and is not mixed with the first one.
func TestAnImportMixesNothing(t *testing.T) {
	p := newPlace(t)
	file := p.write("pi.jsonl", whole)
	p.done("import", file)
	before := p.done("events", "--json")
	p.write("pi.jsonl", strings.Replace(whole, "hello", "HELLO", 1))
	r := p.call("import", file)
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "the session p is in the log already")
	require.Equal(t, before, p.done("events", "--json"))

	other := newPlace(t)
	other.done("append", "p", "--create", "--type", "note", "--payload", "{}")
	require.Equal(t, exitFailed, other.call("import", file).status)
}

func TestAFileThatIsRefusedBringsNothingIn(t *testing.T) {
	p := newPlace(t)
	p.done("append", "a", "--create", "--type", "note", "--payload", "{}")
	late := strings.Replace(sample(t, "deepseek-harness"), `{"type":"step/end","seq":12`, `{"type":"step/end","seq":11`, 1)
	r := p.call("import", p.write("ds.jsonl", late))
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "line 15")
	require.Contains(t, r.errors, "a turn ends behind it")
	r = p.call("import", p.write("text", "x\n"))
	require.Equal(t, exitFailed, r.status)
	require.Contains(t, r.errors, "not an export")
	require.Equal(t, 1, strings.Count(p.done("events", "--json"), "\n"))
}

// A line of ten megabytes comes in, and out again.
func TestALongLineIsImported(t *testing.T) {
	p := newPlace(t)
	size := 10 << 20
	if raceDetector {
		size = 1 << 20
	}
	long := strings.Repeat("a long text, ", size/13)
	file := p.write("pi.jsonl", strings.Replace(whole, "hello", long, 1))
	require.Contains(t, p.done("inspect", file), "nothing is wrong")
	p.done("import", file)
	require.Contains(t, p.done("replay", "p"), "user: "+long)
}

// A file of the store on plain files comes in with its title, its times and its payloads; ids are this log's.
func TestASessionFileIsImported(t *testing.T) {
	p := newPlace(t)
	file := p.write("a.jsonl", sample(t, "forgetmenot-session"))
	require.Contains(t, p.done("import", file), "5 events of forgetmenot-session in the session a")
	require.Contains(t, p.done("import", file), "5 events of the session a were there already, 0 events came in")
	require.Contains(t, p.done("sessions", "--json"), `"title":"the first","createdAt":1772359200000`)
	require.Contains(t, p.done("events", "--json"), `{"eventId":5,"sessionId":"a","type":"assistant_message","payload": {"content":"Three."}  ,"createdAt":1772359204000}`)
	require.Contains(t, p.done("verify"), "nothing is wrong")
}
