// Package signature signs a publication's manifest with a key that its publisher has already, of SSH or of minisign, and checks
// such signatures. Both forms are those of their own tools: ssh-keygen -Y verify -n assay-publication and minisign -V take what
// is written here, and what they write is taken here. What is checked is foreign input.
package signature

import (
	"bytes"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aead.dev/minisign"
	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
)

// Namespace is what an SSH signature is made for; one that was made for another purpose is not taken.
const Namespace = "assay-publication"

// Files beside the manifest that hold a signature, by its form.
const (
	SSHFile      = "MANIFEST.json.sig"
	MinisignFile = "MANIFEST.json.minisig"
)

// Files are the names of all signature files.
var Files = []string{SSHFile, MinisignFile}

// MaxFile bounds a file of a signature or of keys, in bytes.
const MaxFile = 64 << 10

// minisignComment begins every file of minisign's.
const minisignComment = "untrusted comment:"

// Signed is a signature and the name of the file that it belongs in.
type Signed struct {
	File string
	Data []byte
	By   string // the key: "ssh-ed25519 SHA256:…", "minisign RW…"
}

// Password asks for the password of a key; nil where nobody can be asked.
type Password func() ([]byte, error)

// ErrPassword: the key is locked and there was nobody to ask, or the password is wrong.
var ErrPassword = errors.New("the key is locked, and its password was not given or is not the right one")

// Signer signs messages with a key that was unlocked.
type Signer func(message []byte) (*Signed, error)

// Sign unlocks a key and signs one message.
func Sign(key, message []byte, password Password) (*Signed, error) {
	sign, err := Unlock(key, password)
	if err != nil {
		return nil, err
	}
	return sign(message)
}

// Unlock reads a secret key, the contents of a key file of OpenSSH or minisign, and asks once for the password of a locked one.
func Unlock(key []byte, password Password) (Signer, error) {
	if isMinisign(key) {
		return unlockMinisign(key, password)
	}
	if b, _ := pem.Decode(key); b == nil {
		if _, _, _, _, err := ssh.ParseAuthorizedKey(key); err == nil {
			return nil, errors.New("it is a public key; signing needs the secret one, or the agent that holds it: ssh-keygen -Y sign -n " + Namespace)
		}
		return nil, errors.New("it is no secret key of SSH or of minisign")
	}
	signer, err := ssh.ParsePrivateKey(key)
	if missing := (*ssh.PassphraseMissingError)(nil); errors.As(err, &missing) {
		p, perr := ask(password)
		if perr != nil {
			return nil, perr
		}
		if signer, err = ssh.ParsePrivateKeyWithPassphrase(key, p); err != nil {
			return nil, ErrPassword
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the key cannot be read: %w", err)
	}
	return func(message []byte) (*Signed, error) {
		s, err := sshsig.Sign(bytes.NewReader(message), signer, sshsig.HashSHA512, Namespace)
		if err != nil {
			return nil, fmt.Errorf("the key cannot sign: %w", err)
		}
		return &Signed{SSHFile, sshsig.Armor(s), sshName(signer.PublicKey())}, nil
	}, nil
}

func ask(password Password) ([]byte, error) {
	if password == nil {
		return nil, ErrPassword
	}
	return password()
}

func isMinisign(key []byte) bool { return bytes.HasPrefix(key, []byte(minisignComment)) }

func unlockMinisign(key []byte, password Password) (Signer, error) {
	var secret minisign.PrivateKey
	if minisign.IsEncrypted(key) {
		p, err := ask(password)
		if err != nil {
			return nil, err
		}
		if secret, err = minisign.DecryptKey(string(p), key); err != nil {
			return nil, ErrPassword
		}
	} else if err := secret.UnmarshalText(key); err != nil {
		return nil, errors.New("it is no secret key of minisign")
	}
	public, ok := secret.Public().(minisign.PublicKey)
	if !ok {
		return nil, errors.New("it is no secret key of minisign")
	}
	return func(message []byte) (*Signed, error) {
		// The trusted comment is signed as well; it says what the signature is for, and no time, so that signing twice is the same.
		data := minisign.SignWithComments(secret, message, Namespace, "signature of a publication of assay")
		return &Signed{MinisignFile, data, "minisign " + public.String()}, nil
	}, nil
}

// Trust is a set of public keys.
type Trust struct {
	ssh      []ssh.PublicKey
	minisign []minisign.PublicKey
}

// Keys reads public keys: lines of OpenSSH's .pub, authorized_keys or allowed_signers, or a public key file of minisign. Lines
// that are empty or begin with # are passed over; any other line that is no key is an error.
func Keys(data []byte) (*Trust, error) {
	t := &Trust{}
	if isMinisign(data) {
		var k minisign.PublicKey
		if err := k.UnmarshalText(data); err != nil {
			return nil, errors.New("it is no public key of minisign")
		}
		t.minisign = append(t.minisign, k)
		return t, nil
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if k, err := sshKey(line); err == nil {
			t.ssh = append(t.ssh, k)
			continue
		}
		var m minisign.PublicKey
		if err := m.UnmarshalText([]byte(line)); err != nil {
			return nil, fmt.Errorf("line %d is no public key of SSH or of minisign", i+1)
		}
		t.minisign = append(t.minisign, m)
	}
	if len(t.ssh)+len(t.minisign) == 0 {
		return nil, errors.New("it holds no public key")
	}
	return t, nil
}

// sshKey reads a key, with or without the principals and options that stand before it in an allowed_signers file. An option
// that narrows what a key may sign is not understood here, so such a line is no key.
func sshKey(line string) (ssh.PublicKey, error) {
	if k, _, options, _, err := ssh.ParseAuthorizedKey([]byte(line)); err == nil && len(options) == 0 {
		return k, nil
	}
	who, rest, _ := strings.Cut(line, " ")
	if strings.ContainsAny(who, `="`) || who == "cert-authority" || who == "restrict" || strings.HasPrefix(who, "no-") {
		return nil, errors.New("options")
	}
	k, _, options, _, err := ssh.ParseAuthorizedKey([]byte(strings.TrimSpace(rest)))
	if err == nil && slices.ContainsFunc(options, func(o string) bool { return o != `namespaces="`+Namespace+`"` }) {
		err = errors.New("options")
	}
	return k, err
}

func sshName(k ssh.PublicKey) string { return k.Type() + " " + ssh.FingerprintSHA256(k) }
