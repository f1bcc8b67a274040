//go:build !race

package jsonlstore

const RaceDetector = false
