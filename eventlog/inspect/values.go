package inspect

import (
	"bytes"
	"encoding/json"
)

// elements calls f with each element of an array that has been scanned before; of anything else with none.
func elements(array []byte, f func(element []byte)) {
	if kind(array) != '[' {
		return
	}
	s := scanner{text: array, most: mostDepth, trusted: true}
	i := s.space(1)
	for i < len(array) && array[i] != ']' {
		end := s.value(i, nil)
		if end < 0 {
			return
		}
		f(array[i:end:end])
		if i = s.space(end); i < len(array) && array[i] == ',' {
			i = s.space(i + 1)
		}
	}
}

// kind is the first byte of a JSON value, which tells what it is; 0 for none.
func kind(value []byte) byte {
	if len(value) == 0 {
		return 0
	}
	return value[0]
}

// textOf is the text of a JSON string; ok is false for any other value. Half a surrogate pair becomes U+FFFD.
func textOf(value []byte) (text string, ok bool) {
	if kind(value) != '"' {
		return "", false
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1]), true
	}
	err := json.Unmarshal(value, &text)
	return text, err == nil
}

// is tells whether a JSON value is a string of plain letters, without making one of it.
func is(value []byte, text string) bool {
	return len(value) == len(text)+2 && value[0] == '"' && string(value[1:len(value)-1]) == text
}
