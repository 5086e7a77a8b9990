package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/s2s"
	"github.com/assaybench/assay/fixture"
)

// exhibit gathers what an exhibit says beside its bench: the publisher's words, the grader's digest, and the facts that were planted in
// the bench's fixtures. An imported bench is given back as it was, and says nothing of its own.
func (p *Process) exhibit(ref, file string) (s2s.About, error) {
	var a s2s.About
	if file != "" {
		b, err := p.readInput(file, maxAbout)
		if err != nil {
			return a, err
		}
		var said struct {
			Hardware  string `json:"hardware"`
			Status    string `json:"status"`
			Published string `json:"published_utc"`
		}
		d := json.NewDecoder(strings.NewReader(string(b)))
		d.DisallowUnknownFields()
		if err := d.Decode(&said); err != nil {
			return a, usage("%s: is no JSON object with hardware, status and published_utc as texts: %v", shown(file), err)
		}
		a = s2s.About{Hardware: said.Hardware, Status: said.Status, Published: said.Published}
	}
	o, err := p.open(ref)
	if err != nil {
		return a, err
	}
	if o.bench.Origin.Get("schema") != nil {
		if file != "" {
			return a, usage("--about: %s was imported, and is given back byte for byte", o.bench.Name())
		}
		return a, nil
	}
	if o.bench.Shape == bench.ShapePrompt {
		a.Grader = o.set.Digest()
	}
	b, err := fs.ReadFile(o.bench.FS, "fixtures/MANIFEST.json")
	if err != nil {
		return a, nil // nothing was built
	}
	var m fixture.Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return a, usage("%s: fixtures/MANIFEST.json cannot be read: %v", shown(ref), err)
	}
	var places []string
	for _, f := range m.Files {
		if f.Needle != nil {
			places = append(places, fmt.Sprintf("%s in paragraph %d of %d", f.File, f.Needle.Paragraph, f.Paragraphs))
		}
	}
	if len(places) > 0 {
		a.Planted = "exactly one invented sentence each, recorded with its digest in fixtures/MANIFEST.json: " + strings.Join(places, "; ")
	}
	return a, nil
}
