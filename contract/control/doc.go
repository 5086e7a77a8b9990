// Package control makes the executions that qualify an agent task: the oracle and its replay, the ten negative controls, and
// what is tried beside them. Each is generated from the task's contract, its derivations and options, its reference as it ran,
// and the rows of its world; each says which criteria it must break. Nothing is written by hand for it.
//
// Where a control needs knowledge that no contract holds (a wrong target that the world accepts, a record that looks like the
// right one), it is searched: values that stand in the same column, or in the same list of a schema, are tried in a fixed
// order until the world takes one. Everything is a function of the bench; no clock and no chance.
package control

// Version of how controls are generated; raised by hand when they change, so that older results are not taken for new ones.
const Version = "control/1"
