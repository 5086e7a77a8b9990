package harbor

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/assaybench/assay/record"
)

// ReceiptFormat names the form of a receipt.
const ReceiptFormat = "assay-harbor-receipt-1"

// ByProcess is the way of a proof in which world, solution and verifier ran as processes of this machine, without containers.
const ByProcess = "process"

// Receipt says what a package did when it was run from its own bytes. It holds no time and no place: the same package gives the
// same receipt, but for what AgentUser and Private say of the machine. It is bound to the package by its digests.
type Receipt struct {
	Format    string    `json:"format"`
	Package   string    `json:"package"`         // ORGANISATION/TASK
	Content   string    `json:"content_digest"`  // as ContentDigest makes it; so the others
	Tree      string    `json:"tree_digest"`     //
	Manifest  string    `json:"manifest_digest"` // covers modes and sizes
	Program   string    `json:"program_digest"`  // of the program that the package holds, which served and judged
	Task      string    `json:"task_digest"`     // these three are the verifier's
	Contract  string    `json:"contract_digest"`
	Engine    string    `json:"engine_version"`
	Way       string    `json:"way"`          // ByProcess: no container was started
	AgentUser string    `json:"agent_user"`   // own, or same: the machine could give the agent no user of its own
	Private   string    `json:"private_part"` // denied: the agent's user came to nothing of it; not-measured: see AgentUser
	RoundTrip RoundTrip `json:"round_trip"`
	Oracle    Trial     `json:"oracle"`
	Noop      Trial     `json:"noop"`
	Missing   []string  `json:"missing"`  // what keeps the package from containers, as Package.Missing
	Problems  []string  `json:"problems"` // why the package is not proven; [] where it is
}

// RoundTrip is the comparison of what was exported with what came back from a registry into an empty folder.
type RoundTrip struct {
	Files  int      `json:"files"`
	Bytes  int64    `json:"bytes"`
	Exec   int      `json:"executable"` // files with the mode 0755
	Same   bool     `json:"same"`       // the same paths, bytes, modes and digests
	Differ []string `json:"differ"`
}

// Trial is one run of a package: its world, an agent, its verifier.
type Trial struct {
	Reward   int            `json:"reward"`
	Gated    string         `json:"gated_score"`
	Process  string         `json:"process_score"`
	Verdict  string         `json:"verdict_digest"` // SHA-256 of verdict.json, with "sha256:" before it
	Calls    map[string]int `json:"calls"`          // of the agent, by surface
	Criteria int            `json:"criteria"`
	Failed   int            `json:"criteria_failed"`
}

// Bytes is the receipt in canonical JSON, with an end of line.
func (r *Receipt) Bytes() ([]byte, error) {
	b, err := record.Canonical(r)
	return append(b, '\n'), err
}

// Digest is that of Bytes.
func (r *Receipt) Digest() (string, error) {
	b, err := r.Bytes()
	return "sha256:" + sum(b), err
}

// Proven says why the package is not proven, in one line; nil where it is.
func (r *Receipt) Proven() error {
	if len(r.Problems) > 0 {
		return errors.New(strings.Join(r.Problems, "; "))
	}
	switch {
	case !r.RoundTrip.Same || len(r.RoundTrip.Differ) > 0:
		return errors.New("what came back from the registry is not what was exported")
	case r.Oracle.Reward != 1:
		return fmt.Errorf("the package's own solution is rewarded with %d", r.Oracle.Reward)
	case r.Noop.Reward != 0:
		return fmt.Errorf("an agent that does nothing is rewarded with %d", r.Noop.Reward)
	case r.Oracle.Verdict == "" || r.Noop.Verdict == "" || r.Oracle.Verdict == r.Noop.Verdict:
		return errors.New("there are no two verdicts")
	}
	return nil
}

// ReadReceipt reads a receipt, and refuses one that is not in canonical form.
func ReadReceipt(b []byte) (*Receipt, error) {
	var r Receipt
	if err := jsonv2.Unmarshal(b, &r, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("no receipt: %s", oneLine(err))
	}
	if r.Format != ReceiptFormat {
		return nil, fmt.Errorf("no receipt of the form %s", ReceiptFormat)
	}
	again, err := r.Bytes()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, b) {
		return nil, errors.New("the receipt is not as it was written: it is no canonical JSON, or lacks members")
	}
	return &r, nil
}

// Of says why a receipt is not that of a package: another name, other bytes, other modes. nil says that it is; whether the
// package is proven is another question.
func (r *Receipt) Of(name string, files Files) error {
	content, tree, manifest := Digests(files)
	switch {
	case r.Package != name:
		return fmt.Errorf("the receipt is of %s, not of %s", r.Package, name)
	case r.Content != content:
		return fmt.Errorf("the receipt is of %s with the content digest %s; the package has another", r.Package, r.Content)
	case r.Tree != tree || r.Manifest != manifest:
		return fmt.Errorf("the receipt is of %s with other files beside those of its content digest, or other modes", r.Package)
	}
	return nil
}
