//go:build race

package sqlstore_test

// The race detector makes SQLite 33 times slower: heavy tests leave it alone.
const raceDetector = true
