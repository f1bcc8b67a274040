//go:build race

package jsonlstore

// RaceDetector tells that everything is several times slower: heavy tests do less then.
const RaceDetector = true
