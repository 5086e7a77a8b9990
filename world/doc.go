// Package world is the stateful part of an agent task: tables, tools and a clock, all of them data. A world is a folder of
// world.yaml, schema.sql, seed rows and tools.yaml; no code belongs to it. A session is one episode's copy of it, whose
// calls are recorded in a chain of events, each with what it changed as the store saw it.
//
// The package knows nothing of contracts: nothing sealed but staged faults and a task's own seed rows enters it.
package world
