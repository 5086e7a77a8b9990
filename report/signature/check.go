package signature

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"aead.dev/minisign"
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// Checked is what a signature turned out to be.
type Checked struct {
	By      string // the key that made it, as far as that can be told without a key to compare; "" where it cannot
	Trusted bool   // it was made by one of the keys that were given
}

// Check holds a signature file against the message. The error says in words what is wrong with it. Without keys to trust, an SSH
// signature is held against the key that it names itself: that shows that the message is as it was signed, and not by whom. A
// minisign signature names no whole key, so without one nothing can be said of it, which is no error.
func Check(file string, signature, message []byte, t *Trust) (Checked, error) {
	if len(signature) > MaxFile {
		return Checked{}, fmt.Errorf("it has more than %d bytes", MaxFile)
	}
	switch file {
	case SSHFile:
		return checkSSH(signature, message, t)
	case MinisignFile:
		return checkMinisign(signature, message, t)
	}
	return Checked{}, fmt.Errorf("a signature's file is %s", strings.Join(Files, " or "))
}

func checkSSH(signature, message []byte, t *Trust) (Checked, error) {
	s, err := sshsig.Unarmor(signature)
	switch {
	case err != nil:
		return Checked{}, errors.New("it is no SSH signature")
	case s.Namespace != Namespace:
		return Checked{}, fmt.Errorf("it was made for %.60q and not for %q", s.Namespace, Namespace)
	case s.Signature == nil || s.Signature.Format == ssh.KeyAlgoRSA: // SHA-1, which OpenSSH does not take either
		return Checked{}, errors.New("it was made in a way that is not safe any more; sign it again")
	}
	if err := sshsig.Verify(bytes.NewReader(message), s, s.PublicKey, s.HashAlgorithm, Namespace); err != nil {
		return Checked{}, errors.New("what was signed is another manifest")
	}
	c := Checked{By: sshName(s.PublicKey)}
	if t != nil {
		for _, k := range t.ssh {
			c.Trusted = c.Trusted || sameKey(k, s.PublicKey)
		}
	}
	return c, nil
}

func sameKey(a, b ssh.PublicKey) bool { return bytes.Equal(a.Marshal(), b.Marshal()) }

func checkMinisign(signature, message []byte, t *Trust) (Checked, error) {
	var s minisign.Signature
	if err := s.UnmarshalText(signature); err != nil {
		return Checked{}, errors.New("it is no signature of minisign")
	}
	if t == nil {
		return Checked{}, nil
	}
	for _, k := range t.minisign {
		if k.ID() != s.KeyID {
			continue
		}
		if !minisign.Verify(k, message, signature) {
			return Checked{}, errors.New("what was signed is another manifest")
		}
		return Checked{By: "minisign " + k.String(), Trusted: true}, nil
	}
	return Checked{By: fmt.Sprintf("minisign key %016X", s.KeyID)}, nil
}
