package harbor

import (
	"bytes"
	"strings"
	"testing"
)

func TestReceiptsAreBound(t *testing.T) {
	p, err := Export(mooring(t), "ferry-217", Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &Receipt{Format: ReceiptFormat, Package: p.Name, Content: ContentDigest(p.Files), Tree: TreeDigest(p.Files), Manifest: "sha256:" + sum(Manifest(p.Files)),
		RoundTrip: RoundTrip{Same: true}, Oracle: Trial{Reward: 1, Verdict: "sha256:a"}, Noop: Trial{Verdict: "sha256:b"}}
	b, err := r.Bytes()
	if err != nil || r.Proven() != nil || r.Of(p.Name, p.Files) != nil {
		t.Fatal(err, r.Proven(), r.Of(p.Name, p.Files))
	}
	for says, bad := range map[string]string{
		"not as it was written": strings.Replace(string(b), `"reward":1`, `"reward": 1`, 1), "no receipt:": strings.Replace(string(b), `"format"`, `"Format"`, 1),
		"of the form": strings.Replace(string(b), ReceiptFormat, "another", 1),
	} {
		if _, err := ReadReceipt([]byte(bad)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if err := r.Of("mooring/other", p.Files); err == nil {
		t.Error("a receipt of one task is taken for another's")
	}
	changed := Files{}
	for n, f := range p.Files {
		changed[n] = f
	}
	changed["solution/solve.sh"] = File{changed["solution/solve.sh"].Data, false}
	if err := r.Of(p.Name, changed); err == nil || !strings.Contains(err.Error(), "modes") {
		t.Errorf("another mode: %v", err)
	}
	changed["README.md"] = File{Data: []byte("x")}
	if err := r.Of(p.Name, changed); err == nil || !strings.Contains(err.Error(), "content digest") {
		t.Errorf("other bytes: %v", err)
	}
	for what, edit := range map[string]func(*Receipt){
		"oracle": func(r *Receipt) { r.Oracle.Reward = 0 }, "no-op": func(r *Receipt) { r.Noop.Reward = 1 }, "round trip": func(r *Receipt) { r.RoundTrip.Same = false },
		"problem": func(r *Receipt) { r.Problems = []string{"x"} }, "verdict": func(r *Receipt) { r.Noop.Verdict = r.Oracle.Verdict },
	} {
		x := *r
		if edit(&x); x.Proven() == nil {
			t.Errorf("%s: proven all the same", what)
		}
	}
}

func FuzzReceipt(f *testing.F) {
	r := &Receipt{Format: ReceiptFormat, Oracle: Trial{Reward: 1, Calls: map[string]int{"mcp": 1}}}
	b, err := r.Bytes()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"format":"assay-harbor-receipt-1"}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := ReadReceipt(b)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		if again, err := r.Bytes(); err != nil || !bytes.Equal(again, b) {
			t.Errorf("another form of a receipt is taken: %q %v", b, err)
		}
	})
}
