package harbor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRegistry(t *testing.T) {
	reg, files := Registry{t.TempDir()}, sample()
	digest, err := reg.Publish("yard/ropes", files)
	if err != nil || digest != ContentDigest(files) {
		t.Fatal(digest, err)
	}
	if _, err := reg.Publish("yard/ropes", files); err != nil {
		t.Errorf("published again: %v", err)
	}
	into := filepath.Join(t.TempDir(), "new")
	back, err := reg.Fetch("yard/ropes", digest, into)
	if err != nil || len(Differences(files, back)) > 0 || len(Differences(back, files)) > 0 {
		t.Fatal(err, Differences(files, back))
	}
	if _, err := reg.Fetch("yard/ropes", digest, into); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("fetched over files: %v", err)
	}
	other := sample()
	other["tests/test.sh"] = File{other["tests/test.sh"].Data, false}
	if _, err := reg.Publish("yard/ropes", other); err == nil || !strings.Contains(err.Error(), "published already") {
		t.Errorf("what was published is changed: %v", err)
	}
	for name, digest := range map[string]string{"../ropes": digest, "yard/none": digest, "yard/ropes": "sha256:zz"} {
		if _, err := reg.Fetch(name, digest, filepath.Join(t.TempDir(), "x")); err == nil {
			t.Errorf("%s %s is fetched", name, digest)
		}
	}
	at, err := reg.manifest("yard/ropes", digest)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(whole), "\n")
	for says, bad := range map[string]string{
		"could leave its folder": line[:strings.LastIndex(line, " ")] + " ../../evil\n", "this file twice": line + "\n" + line + "\n", "is no mode": "0777" + line[4:] + "\n",
		"have the digest": strings.SplitAfterN(string(whole), "\n", 2)[1], "not in the registry": line[:7] + strings.Replace(line[7:], sum(files["environment/Dockerfile"].Data), strings.Repeat("0", 64), 1) + "\n",
	} {
		if err := os.WriteFile(at, []byte(bad), 0o644); err != nil {
			t.Fatal(err)
		}
		into := filepath.Join(t.TempDir(), "x")
		if _, err := reg.Fetch("yard/ropes", digest, into); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
		if _, err := os.Stat(into); err == nil {
			t.Errorf("%s: something was written", says)
		}
	}
	if err := os.WriteFile(at, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	blob := reg.blob(sum(files["instruction.md"].Data))
	if err := os.WriteFile(blob, []byte("other"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := reg.Fetch("yard/ropes", digest, filepath.Join(t.TempDir(), "y")); err == nil || !strings.Contains(err.Error(), "not those of their digest") {
		t.Errorf("other bytes are fetched: %v", err)
	}
}
