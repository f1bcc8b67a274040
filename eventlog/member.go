package eventlog

import (
	"bytes"
	"encoding/json"
)

// member is what members(text)[key] is, for text that is a JSON object: nil when it is not there. It makes no map, which is most of the cost of
// finding one member among few. key must be plain letters.
func member(text []byte, key string) json.RawMessage {
	if !json.Valid(text) {
		return nil
	}
	at := skipSpace(text, 0)
	if text[at] != '{' {
		return nil
	}
	var found json.RawMessage
	for at = skipSpace(text, at+1); text[at] != '}'; {
		if text[at] == ',' {
			at = skipSpace(text, at+1)
		}
		name := text[at:skipValue(text, at)]
		at = skipSpace(text, at+len(name))
		at = skipSpace(text, at+1) // behind the colon
		value := text[at:skipValue(text, at)]
		at = skipSpace(text, at+len(value))
		if bytes.IndexByte(name, '\\') >= 0 {
			return members(text)[key] // somebody spelled a letter as \u0063
		}
		if string(name[1:len(name)-1]) == key {
			found = value // of a key that is there several times the last one counts
		}
	}
	return found
}

func skipSpace(text []byte, at int) int {
	for text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r' {
		at++
	}
	return at
}

// skipValue finds the end of the value, or of the key, that begins here, in text that is valid JSON.
func skipValue(text []byte, at int) int {
	for depth := 0; ; at++ {
		switch text[at] {
		case '"':
			for at++; text[at] != '"'; at++ {
				if text[at] == '\\' {
					at++
				}
			}
			if depth == 0 {
				return at + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 { // of the object that the value stands in
				return at
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return at
			}
		}
	}
}
