//go:build race

package world

// raceDetector says that this binary is many times slower and larger than the real one.
const raceDetector = true
