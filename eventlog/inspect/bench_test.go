package inspect_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"forgetmenot/eventlog/inspect"

	"github.com/stretchr/testify/require"
)

// longLog is a log of a format, of about so many bytes: turns with calls, results of some kilobytes, and texts that are not all ASCII.
func longLog(format string, size int) []byte {
	result := strings.Repeat(`\tif err != nil {\n\t\treturn fmt.Errorf(\"reading: %w\", err)\n\t}\n// naïve café, 漢字\n`, 40)
	var b bytes.Buffer
	turn := map[string]func(i int){
		"codex": func(i int) {
			at := fmt.Sprintf(`{"timestamp":"2026-03-01T10:%02d:%02d.%03dZ","type":`, i/60%60, i%60, i%1000)
			for _, payload := range []string{
				`"event_msg","payload":{"type":"task_started","turn_id":"t%d"}}`,
				`"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"please do step %d"}]}}`,
				`"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"cmd\":[\"ls\"]}","call_id":"call_%d"}}`,
				`"response_item","payload":{"type":"function_call_output","call_id":"call_%d","output":"` + result + `"}}`,
				`"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":%d,"cached_input_tokens":0,"output_tokens":17}}}}`,
				`"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"That was step %d."}]}}`,
				`"event_msg","payload":{"type":"task_complete","turn_id":"t%d"}}`,
			} {
				fmt.Fprintf(&b, at+strings.ReplaceAll(strings.ReplaceAll(payload, "%w", "%%w"), `{}`, `{}`)+"\n", i)
			}
		},
		"pi": func(i int) {
			entry := func(j int, message string) {
				parent := fmt.Sprintf(`"%08x"`, i*4+j-1)
				if i+j == 0 {
					parent = "null"
				}
				fmt.Fprintf(&b, `{"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-03-01T10:%02d:%02d.%03dZ","message":%s}`+"\n", i*4+j, parent, i/60%60, i%60, i%1000, message)
			}
			entry(0, fmt.Sprintf(`{"role":"user","content":"please do step %d","timestamp":1772359201000}`, i))
			entry(1, fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"Well."},{"type":"toolCall","id":"call_%d","name":"bash","arguments":{"command":"ls"}}],"stopReason":"toolUse"}`, i))
			entry(2, fmt.Sprintf(`{"role":"toolResult","toolCallId":"call_%d","toolName":"bash","content":[{"type":"text","text":"%s"}],"isError":false}`, i, result))
			entry(3, `{"role":"assistant","content":[{"type":"text","text":"Done."}],"stopReason":"stop"}`)
		},
	}[format]
	b.WriteString(map[string]string{
		"codex": `{"timestamp":"2026-03-01T10:00:00.000Z","type":"session_meta","payload":{"id":"s-1","cli_version":"1"}}`,
		"pi":    `{"type":"session","version":3,"id":"pi-1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/src"}`,
	}[format] + "\n")
	for i := 0; b.Len() < size; i++ {
		turn(i)
	}
	return b.Bytes()
}

func memory(name string, text []byte) inspect.Source {
	return inspect.Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
}

// The speed of inspecting, beside that of splitting the same text into lines and asking encoding/json whether each is JSON.
func BenchmarkInspect(b *testing.B) {
	for _, format := range []string{"codex", "pi"} {
		text := longLog(format, 64<<20)
		b.Run(format, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				report, err := inspect.Inspect(b.Context(), memory(format, text))
				require.NoError(b, err)
				require.Zero(b, report.Faults.Count)
			}
		})
		b.Run(format+"/lines with json.Valid", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				lines := bufio.NewScanner(bytes.NewReader(text))
				lines.Buffer(make([]byte, 1<<16), 1<<20)
				for lines.Scan() {
					require.True(b, json.Valid(lines.Bytes()))
				}
			}
		})
	}
}
