package cli_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/assaybench/assay/model/modeltest"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/report/publication"
)

// published runs the example bench with a model that does what the reference does, after one further look, and publishes it.
func published(t *testing.T) (*rig, string) {
	t.Helper()
	r := newRig(t)
	r.keys("a-key-of-the-provider")
	calls := r.mooring("")
	look := []record.ToolCall{{ID: "c0", Name: "assay-context", Arguments: "{}"}}
	r.want(0, "qualify", "./bench", "--quiet")
	m := r.agentServer(modeltest.Wires()[0], append([][]record.ToolCall{look}, each(calls)...), nil)
	r.want(0, "run", "./bench", "--model", provider(modeltest.Wires()[0])+"/worker@"+m.URL, "--quiet")
	r.want(0, "publish", "latest", "-o", "out")
	return r, filepath.Join(r.dir, "out")
}

func TestPublishVerify(t *testing.T) {
	r, dir := published(t)
	if out := r.want(0, "verify", "out").out; !strings.Contains(out, "the same bytes") {
		t.Errorf("verify says %s", out)
	}
	var board struct {
		Lines []struct {
			Rank, Strict string
			Why          []string
		}
	}
	if err := json.Unmarshal([]byte(r.want(0, "leaderboard", "./bench", "out", "--json").out), &board); err != nil {
		t.Fatal(err)
	}
	if len(board.Lines) != 1 || board.Lines[0].Rank != "1" || board.Lines[0].Strict != "1/1" {
		t.Errorf("the board is %+v", board)
	}
	r.want(2, "publish", "latest", "-o", "out") // it is there
	for _, e := range walkFiles(t, dir) {
		b, err := os.ReadFile(filepath.Join(dir, e))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "a-key-of-the-provider") || strings.Contains(string(b), r.dir) {
			t.Errorf("%s holds a key or a path of the machine", e)
		}
	}
}

func walkFiles(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestOneByteIsFound flips one byte in each kind of place of a publication, and wants the place to be named each time.
func TestOneByteIsFound(t *testing.T) {
	r, dir := published(t)
	flip := func(name string, at func(b []byte) int) {
		t.Helper()
		file := filepath.Join(dir, name)
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		i := at(b)
		if i < 0 {
			t.Fatalf("%s has no such place", name)
		}
		changed := append([]byte(nil), b...)
		changed[i] ^= 1
		if err := os.WriteFile(file, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		got := r.assay("verify", "out")
		if got.code != 1 || !strings.HasPrefix(got.out, name) && !strings.Contains(got.out, "\n"+name) {
			t.Errorf("byte %d of %s flipped: exit %d, %s%s", i, name, got.code, got.out, got.err)
		}
		if got := r.assay("leaderboard", "./bench", "out"); got.code == 0 && strings.Contains(got.out, "1/1") {
			t.Errorf("byte %d of %s flipped, and it is ranked", i, name)
		}
		if err := os.WriteFile(file, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	after := func(text string) func([]byte) int {
		return func(b []byte) int {
			i := strings.Index(string(b), text)
			if i < 0 {
				return -1
			}
			return i + len(text)
		}
	}
	flip(publication.HeadFile, after(`"grader":"`))
	flip(publication.HeadFile, after(`"digest":"`))
	flip(publication.AttemptsFile, after(`"letter":"`))
	flip(publication.AttemptsFile, after(`"gated_score":"`))
	flip(publication.AttemptsFile, func(b []byte) int { return len(b) - 1 })
	flip(publication.TranscriptsFile, after(`"events":[`))
	flip(publication.TranscriptsFile, after(`"answer":"`))
	flip(publication.ResultFile, func(b []byte) int { return len(b) / 2 })
	flip(publication.ReportFile, func([]byte) int { return 0 })
	flip(publication.BenchFile, func(b []byte) int { return len(b) / 2 })
	flip(publication.PageFile, after(`id="part0">`))
	flip(publication.PageFile, after(`<td class="num">`))
	flip(publication.ManifestFile, after(`"sha256":"`))
	flip(publication.ManifestFile, after(`"bytes":`))
	if err := os.WriteFile(filepath.Join(dir, "more.txt"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := r.assay("verify", "out"); got.code != 1 || !strings.Contains(got.out, "more.txt: it does not belong") {
		t.Errorf("a further file: %d %s", got.code, got.out)
	}
}

// TestForgedPublication changes a verdict and writes a manifest that fits: the manifest says nothing then, and grading again does.
func TestForgedPublication(t *testing.T) {
	r, dir := published(t)
	forge(t, dir, publication.AttemptsFile, `"pass":true,"transcript"`, `"pass":false,"transcript"`)
	got := r.want(1, "verify", "out").out
	if !strings.Contains(got, "attempts.jsonl:1: the letter") && !strings.Contains(got, "attempts.jsonl:1: graded again") {
		t.Errorf("verify says %s", got)
	}
	if got := r.want(0, "leaderboard", "./bench", "out").out; !strings.Contains(got, "  -  ") || strings.Contains(got, "1/1") {
		t.Errorf("it is ranked: %s", got)
	}
}

// TestForgedFigures: figures and the page follow from the attempts, whatever a manifest says.
func TestForgedFigures(t *testing.T) {
	r, dir := published(t)
	for _, c := range []struct{ file, from, to, want string }{
		{publication.ResultFile, `"passed": 1`, `"passed": 0`, "result.json: its figures are not those that the attempts give"},
		{publication.PageFile, `<td class="num">1/1</td>`, `<td class="num">9/9</td>`, "index.html: it is not the page that the other files give"},
	} {
		kept := map[string][]byte{}
		for _, n := range []string{c.file, publication.ManifestFile} {
			b, err := os.ReadFile(filepath.Join(dir, n))
			if err != nil {
				t.Fatal(err)
			}
			kept[n] = b
		}
		forge(t, dir, c.file, c.from, c.to)
		if got := r.want(1, "verify", "out").out; !strings.Contains(got, c.want) && !(c.file == publication.ResultFile && strings.Contains(got, "index.html: it is not the page")) {
			t.Errorf("%s: verify says %s", c.file, got)
		}
		for n, b := range kept {
			if err := os.WriteFile(filepath.Join(dir, n), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.want(0, "verify", "out")
}

// TestSignedPublication: a signature says who published; without the key it is asked for in vain.
func TestSignedPublication(t *testing.T) {
	r, _ := published(t)
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(r.dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pair := func(name, password string) {
		t.Helper()
		public, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		block, err := ssh.MarshalPrivateKey(key, "a publisher")
		if password != "" {
			block, err = ssh.MarshalPrivateKeyWithPassphrase(key, "a publisher", []byte(password))
		}
		if err != nil {
			t.Fatal(err)
		}
		half, err := ssh.NewPublicKey(public)
		if err != nil {
			t.Fatal(err)
		}
		write(name, pem.EncodeToMemory(block))
		write(name+".pub", ssh.MarshalAuthorizedKey(half))
	}
	pair("mine", "")
	pair("locked", "open sesame")
	if got := r.want(1, "verify", "out", "--signers", "mine.pub").out; !strings.Contains(got, "the publication is not signed") {
		t.Error(got)
	}
	r.want(0, "publish", "latest", "-o", "signed", "--sign", "mine")
	if got := r.want(0, "verify", "signed", "--signers", "mine.pub").out; !strings.Contains(got, "signed by ssh-ed25519 SHA256:") {
		t.Error(got)
	}
	if got := r.want(1, "verify", "signed", "--signers", "locked.pub").out; !strings.Contains(got, "signed by nobody whose key was given") {
		t.Error(got)
	}
	// Another manifest under the same signature is found without any key.
	forge(t, filepath.Join(r.dir, "signed"), publication.ReportFile, "#", "##")
	if got := r.want(1, "verify", "signed").out; !strings.Contains(got, "MANIFEST.json.sig: what was signed is another manifest") {
		t.Error(got)
	}
	if got := r.want(2, "publish", "latest", "-o", "other", "--sign", "locked").err; !strings.Contains(got, "the key is locked") || strings.Count(got, "\n") != 1 {
		t.Error(got)
	}
	r.env["ASSAY_KEY_PASSWORD"] = "open sesame"
	r.want(0, "publish", "latest", "-o", "other", "--sign", "locked")
	r.want(0, "verify", "other", "--signers", "locked.pub")
	for _, bad := range [][]string{{"publish", "latest", "-o", "third", "--sign", "mine.pub"}, {"publish", "latest", "-o", "third", "--sign", "nothing"}, {"verify", "out", "--signers", "mine"}} {
		if got := r.want(2, bad...).err; strings.Count(got, "\n") != 1 {
			t.Errorf("%v: %s", bad, got)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "third")); err == nil {
		t.Error("something was published without the signature that was asked for")
	}
}

func TestControlsHaveNoRow(t *testing.T) {
	r := newRig(t)
	r.mooring("")
	r.want(0, "qualify", "./bench", "--quiet")
	r.want(0, "run", "./bench", "--model", "control/reference", "--quiet")
	r.want(0, "publish", "latest", "-o", "out")
	got := r.want(0, "leaderboard", "./bench", "out").out
	if !strings.Contains(got, "a control is no model") || strings.Contains(got, "1/1") {
		t.Errorf("the board: %s", got)
	}
	if got := r.want(0, "leaderboard", "./bench").out; !strings.Contains(got, "nothing was run") {
		t.Errorf("an empty board: %s", got)
	}
}
