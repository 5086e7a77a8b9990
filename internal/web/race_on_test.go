//go:build race

package web_test

// raced: under the race detector everything takes several times as long.
const raced = true
