//go:build race

package main

// raceDetector makes SQLite many times slower.
const raceDetector = true
