package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/term"

	"github.com/assaybench/assay/report/publication"
	"github.com/assaybench/assay/report/signature"
	"github.com/assaybench/assay/report/stored"
	"github.com/assaybench/assay/store"
)

// signer makes what signs a publication; nil without a key. The key is read, and its password asked for, before anything is written.
func (p *Process) signer(file string) (signature.Signer, error) {
	if file == "" {
		return nil, nil
	}
	key, err := p.readInput(file, signature.MaxFile)
	if err != nil {
		return nil, err
	}
	password := func() ([]byte, error) {
		if v := p.Getenv("ASSAY_KEY_PASSWORD"); v != "" {
			return []byte(v), nil
		}
		if !p.Interactive {
			return nil, fmt.Errorf("%w; give it in $ASSAY_KEY_PASSWORD", signature.ErrPassword)
		}
		fmt.Fprintf(p.Stderr, "Password of %s: ", plain(file))
		b, err := term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Fprintln(p.Stderr)
		return b, err
	}
	sign, err := signature.Unlock(key, password)
	if err != nil {
		return nil, usage("--sign %s: %v", shown(file), err)
	}
	return sign, nil
}

// trust reads the keys that a publication is to be signed by; nil without a file.
func (p *Process) trust(file string) (*signature.Trust, error) {
	if file == "" {
		return nil, nil
	}
	b, err := p.readInput(file, signature.MaxFile)
	if err != nil {
		return nil, err
	}
	t, err := signature.Keys(b)
	if err != nil {
		return nil, usage("--signers %s: %v", shown(file), err)
	}
	return t, nil
}

// figuresAgain makes the figures of a publication again out of its attempts and compares them with the published ones.
func (p *Process) figuresAgain(pub *publication.Publication, dir string) ([]publication.Fault, error) {
	tmp, err := os.MkdirTemp("", "assay-verify-")
	if err != nil {
		return nil, fault(err)
	}
	defer os.RemoveAll(tmp)
	file := filepath.Join(tmp, "run.db")
	if err := p.keep(pub, dir, file); err != nil {
		return nil, err
	}
	db, err := store.Open(p.Context, file, store.Options{})
	if err != nil {
		return nil, storeError(err)
	}
	defer db.Close()
	r, err := p.findRun(db, pub.Head.Run)
	if err != nil {
		return nil, storeError(err)
	}
	res, err := stored.Result(p.Context, db, r, stored.Options{Full: true})
	if err != nil {
		return []publication.Fault{{Path: publication.AttemptsFile, What: "no figures can be made of it: " + err.Error()}}, nil
	}
	var made bytes.Buffer
	if err := res.JSON(&made); err != nil {
		return nil, fault(err)
	}
	told, err := os.ReadFile(filepath.Join(p.path(dir), publication.ResultFile))
	if err != nil {
		return nil, fault(err)
	}
	out := []publication.Fault{}
	for _, part := range []string{"figures", "families", "items", "unstable"} {
		a, aerr := memberOf(made.Bytes(), part)
		b, berr := memberOf(told, part)
		if err := errors.Join(aerr, berr); err != nil {
			out = append(out, publication.Fault{Path: publication.ResultFile, What: "it cannot be read: " + err.Error()})
			break
		}
		if !bytes.Equal(a, b) {
			out = append(out, publication.Fault{Path: publication.ResultFile, What: "its " + part + " are not those that the attempts give"})
		}
	}
	return out, nil
}

// memberOf gives one member of a result in canonical form. How often a call was tried again stands in transcripts that a publication
// does not hold, and is left out of the comparison.
func memberOf(result []byte, name string) ([]byte, error) {
	var whole map[string]jsontext.Value
	if err := json.Unmarshal(result, &whole); err != nil {
		return nil, err
	}
	var part any
	if err := json.Unmarshal(whole[name], &part); err != nil {
		return nil, err
	}
	without(part, "retried")
	return json.Marshal(part, json.Deterministic(true))
}

func without(v any, key string) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, key)
		for _, e := range v {
			without(e, key)
		}
	case []any:
		for _, e := range v {
			without(e, key)
		}
	}
}
