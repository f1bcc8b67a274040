//go:build race

package jsonlstore_test

// The race detector makes everything several times slower: heavy tests do less with it.
const raceDetector = true
