package grader

import (
	"encoding/json"
	"fmt"
	"strings"

	"forgetmenot/grader/property"
)

// What a submission answers may be long; a report is read by people and kept by programs. So its parts have bounds, far above what an honest
// answer needs.
const (
	maxAnswer  = 64 << 10 // bytes of JSON
	maxLine    = 8 << 10  // characters of a line of code
	maxMessage = 2000     // characters
)

// boundedAnswer is the JSON, or when that is too long, a string that tells its beginning.
func boundedAnswer(raw json.RawMessage) json.RawMessage {
	if len(raw) <= maxAnswer {
		return raw
	}
	return json.RawMessage(property.String(fmt.Sprintf("%s… (%d bytes of JSON in all)", raw[:1000], len(raw))).JSON())
}

// boundedCode cuts the middle out of lines that are too long; their ends say which one is meant.
func boundedCode(code string) string {
	if len(code) <= maxLine {
		return code
	}
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		said, here := strings.CutSuffix(line, "   <-- here")
		said = bounded(said, maxLine)
		if here {
			said += "   <-- here"
		}
		lines[i] = said
	}
	return strings.Join(lines, "\n")
}

func bounded(text string, most int) string {
	if len(text) <= most {
		return text
	}
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d characters left out)", string(runes[:most]), len(runes)-most)
}
