// Package realism holds a release of agent tasks against a realism standard: for each requirement of the standard it says
// PASS, FAIL, WARN or NOT_MEASURED, what was measured against what threshold, on what evidence, and how. Thresholds come from
// the standard's file and never from here. Similarities are compared as exact rationals. What could not be measured is never
// PASS.
//
// A requirement is measured from the release's own files (static), from the reference's recorded calls (trace), or by playing
// changed worlds and changed traces (replay). No label that an author can write decides anything by itself.
package realism

// Version of what the checks decide; it stands in every report and is raised by hand when a decision changes.
const Version = "realism/1"
