package publication

import (
	"errors"
	"io/fs"

	"github.com/assaybench/assay/report/signature"
)

// Signature is a signature that lies beside the manifest.
type Signature struct {
	File    string `json:"file"`
	By      string `json:"by"`      // the key; "" where it cannot be told without one to compare
	Trusted bool   `json:"trusted"` // it is of one of the keys that were given
}

// Signatures checks the signatures beside the manifest. With keys to trust, a publication that none of them signed is a fault.
func (p *Publication) Signatures(t *signature.Trust) ([]Signature, []Fault) {
	out, faults := []Signature{}, []Fault{}
	manifest, err := small(p.fsys, ManifestFile)
	if err != nil {
		return out, []Fault{{Path: ManifestFile, What: err.Error()}}
	}
	trusted := false
	for _, name := range signature.Files {
		if _, err := fs.Lstat(p.fsys, name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		b, err := small(p.fsys, name)
		if err != nil {
			faults = append(faults, Fault{Path: name, What: err.Error()})
			continue
		}
		c, err := signature.Check(name, b, manifest, t)
		if err != nil {
			faults = append(faults, Fault{Path: name, What: err.Error()})
			continue
		}
		trusted = trusted || c.Trusted
		out = append(out, Signature{name, c.By, c.Trusted})
	}
	if t != nil && !trusted && len(faults) == 0 {
		what := "the publication is not signed"
		if len(out) > 0 {
			what = "it is signed by nobody whose key was given"
		}
		faults = append(faults, Fault{Path: ManifestFile, What: what})
	}
	return out, faults
}
