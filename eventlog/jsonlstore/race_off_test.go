//go:build !race

package jsonlstore_test

const raceDetector = false
