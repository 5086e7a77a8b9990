package signature

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

var message = []byte(`{"format":"assay-publication-1","files":[]}` + "\n")

// pair makes a key file of SSH, locked where a password is given, and the line of its public half.
func pair(t testing.TB, key crypto.PrivateKey, public any, password string) (secret, line []byte) {
	t.Helper()
	var b *pem.Block
	var err error
	if password == "" {
		b, err = ssh.MarshalPrivateKey(key, "a publisher")
	} else {
		b, err = ssh.MarshalPrivateKeyWithPassphrase(key, "a publisher", []byte(password))
	}
	if err != nil {
		t.Fatal(err)
	}
	p, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(b), ssh.MarshalAuthorizedKey(p)
}

func edPair(t testing.TB, password string) (secret, line []byte) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return pair(t, key, public, password)
}

func trust(t testing.TB, data []byte) *Trust {
	t.Helper()
	k, err := Keys(data)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func sign(t testing.TB, key []byte, p Password) *Signed {
	t.Helper()
	s, err := Sign(key, message, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSSH(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	rsaSecret, rsaLine := pair(t, key, key.Public(), "")
	edSecret, edLine := edPair(t, "")
	for name, c := range map[string]struct{ secret, line, other []byte }{"ed25519": {edSecret, edLine, rsaLine}, "rsa": {rsaSecret, rsaLine, edLine}} {
		s := sign(t, c.secret, nil)
		if s.File != SSHFile || !strings.Contains(s.By, "SHA256:") {
			t.Errorf("%s: %s by %s", name, s.File, s.By)
		}
		if got, err := Check(s.File, s.Data, message, trust(t, c.line)); err != nil || !got.Trusted || got.By != s.By {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		allowed := "# who may\npublisher@example.org namespaces=\"assay-publication\" " + string(c.line)
		if got, err := Check(s.File, s.Data, message, trust(t, []byte(allowed))); err != nil || !got.Trusted {
			t.Errorf("%s by a file of allowed signers: %+v, %v", name, got, err)
		}
		if got, err := Check(s.File, s.Data, message, trust(t, c.other)); err != nil || got.Trusted || got.By != s.By {
			t.Errorf("%s, and another is trusted: %+v, %v", name, got, err)
		}
		if got, err := Check(s.File, s.Data, message, nil); err != nil || got.Trusted || got.By != s.By {
			t.Errorf("%s, and nobody is trusted: %+v, %v", name, got, err)
		}
		if _, err := Check(s.File, s.Data, append(bytes.Clone(message), ' '), trust(t, c.line)); err == nil || !strings.Contains(err.Error(), "another manifest") {
			t.Errorf("%s of another message: %v", name, err)
		}
	}
}

func TestOtherPurposesAreRefused(t *testing.T) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sshsig.Sign(bytes.NewReader(message), signer, sshsig.HashSHA512, "git")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Check(SSHFile, sshsig.Armor(s), message, nil); err == nil || !strings.Contains(err.Error(), `made for "git"`) {
		t.Errorf("%v", err)
	}
	_, line := edPair(t, "")
	if _, err := Keys([]byte(`me namespaces="git" ` + string(line))); err == nil {
		t.Error("a key that may sign for git alone is trusted with publications")
	}
}

func TestLockedKeys(t *testing.T) {
	secret, line := edPair(t, "open sesame")
	public, key, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	locked, err := minisign.EncryptKey("open sesame", key)
	if err != nil {
		t.Fatal(err)
	}
	for file, c := range map[string]struct{ secret, public []byte }{SSHFile: {secret, line}, MinisignFile: {locked, []byte(public.String())}} {
		s := sign(t, c.secret, func() ([]byte, error) { return []byte("open sesame"), nil })
		if got, err := Check(file, s.Data, message, trust(t, c.public)); err != nil || !got.Trusted || s.File != file {
			t.Errorf("%s: %+v, %v", file, got, err)
		}
		if file == SSHFile { // minisign takes seconds to find out
			if _, err := Sign(c.secret, message, func() ([]byte, error) { return []byte("another"), nil }); !errors.Is(err, ErrPassword) {
				t.Errorf("%s with a wrong password: %v", file, err)
			}
		}
		if _, err := Sign(c.secret, message, nil); !errors.Is(err, ErrPassword) {
			t.Errorf("%s without one: %v", file, err)
		}
	}
}

func TestMinisign(t *testing.T) {
	public, key, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := key.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	s := sign(t, secret, nil)
	if again := sign(t, secret, nil); !bytes.Equal(s.Data, again.Data) {
		t.Error("signing twice is not the same")
	}
	file, err := public.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range [][]byte{file, []byte(public.String() + "\n")} {
		if got, err := Check(MinisignFile, s.Data, message, trust(t, k)); err != nil || !got.Trusted || got.By != s.By {
			t.Errorf("%+v, %v", got, err)
		}
		if _, err := Check(MinisignFile, s.Data, []byte("other"), trust(t, k)); err == nil || !strings.Contains(err.Error(), "another manifest") {
			t.Errorf("of another message: %v", err)
		}
		if got, err := Check(MinisignFile, bytes.Replace(s.Data, []byte("trusted comment: assay"), []byte("trusted comment: essay"), 1), message, trust(t, k)); err == nil {
			t.Errorf("another trusted comment: %+v", got)
		}
	}
	if got, err := Check(MinisignFile, s.Data, message, trust(t, []byte(other.String()))); err != nil || got.Trusted || got.By == "" {
		t.Errorf("another key is trusted: %+v, %v", got, err)
	}
	if got, err := Check(MinisignFile, s.Data, []byte("other"), nil); err != nil || got.Trusted || got.By != "" {
		t.Errorf("without a key: %+v, %v", got, err)
	}
}

func TestBadFiles(t *testing.T) {
	_, line := edPair(t, "")
	for name, key := range map[string][]byte{"nothing": nil, "a public key": line, "noise": []byte("\x00\xff"), "half a key": []byte("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----\n"), "half of minisign's": []byte("untrusted comment: minisign secret key\nAAAA\n")} {
		if s, err := Sign(key, message, nil); err == nil {
			t.Errorf("%s signs: %+v", name, s)
		}
	}
	for name, data := range map[string]string{"nothing": "", "remarks": "# nobody\n\n", "noise": "\x00\xff", "a bad line after a good one": string(line) + "and so on\n", "an authority": "cert-authority " + string(line), "a forced command": `command="ls" ` + string(line)} {
		if k, err := Keys([]byte(data)); err == nil {
			t.Errorf("%s are keys: %+v", name, k)
		}
	}
	for _, f := range append(Files, "other") {
		for name, data := range map[string][]byte{"nothing": nil, "noise": []byte("\xff"), "much": make([]byte, MaxFile+1), "an empty signature": []byte("-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n")} {
			if got, err := Check(f, data, message, trust(t, line)); err == nil {
				t.Errorf("%s: %s is a signature: %+v", f, name, got)
			}
		}
	}
}

// TestOpenSSH: what is signed here is verified by OpenSSH, and the other way round.
func TestOpenSSH(t *testing.T) {
	program, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("no ssh-keygen here (apt-get install openssh-client)")
	}
	dir := t.TempDir()
	secret, line := edPair(t, "")
	put := func(name string, data []byte) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	keyFile, allowed, text := put("key", secret), put("allowed", append([]byte("publisher "), line...)), put("MANIFEST.json", message)
	ours := put("ours", sign(t, secret, nil).Data)
	c := exec.Command(program, "-Y", "verify", "-n", Namespace, "-f", allowed, "-I", "publisher", "-s", ours)
	c.Stdin = bytes.NewReader(message)
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("OpenSSH does not take ours: %v: %s", err, out)
	}
	if out, err := exec.Command(program, "-Y", "sign", "-n", Namespace, "-f", keyFile, text).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	theirs, err := os.ReadFile(filepath.Join(dir, SSHFile))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Check(SSHFile, theirs, message, trust(t, line)); err != nil || !got.Trusted {
		t.Errorf("OpenSSH's: %+v, %v", got, err)
	}
}

func FuzzCheck(f *testing.F) {
	secret, line := edPair(f, "")
	f.Add(sign(f, secret, nil).Data, line, false)
	f.Add([]byte("untrusted comment: x\nAAAA\ntrusted comment: y\nAAAA\n"), []byte("RWQ="), true)
	f.Fuzz(func(t *testing.T, sig, keys []byte, mini bool) {
		k, err := Keys(keys)
		if err != nil {
			k = nil
		}
		file := SSHFile
		if mini {
			file = MinisignFile
		}
		if got, err := Check(file, sig, []byte("never signed"), k); err == nil && got.Trusted {
			t.Errorf("%q by %q", sig, keys)
		}
	})
}
