package cli

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world/surface"
)

// What lies in the folder of the private channel, which belongs to the world's user alone. Nothing of it is on a network: the
// verifier comes to it as that user, through a socket in the folder, with a token that is made by chance for each episode.
const (
	privateToken    = "token"
	privateSocket   = "verifier.sock"
	privateEpisodes = "episodes"
)

// privateFolder makes the folder, closes it to other users, and gives the episode's token, which a world that was killed and goes
// on keeps. It fails where the folder stays open to others.
func privateFolder(dir string) (token string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return "", err
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s is open to other users, and its file system keeps no modes; the world is not served", dir)
	}
	name := filepath.Join(dir, privateToken)
	if token, err = readPrivateToken(dir); !errors.Is(err, fs.ErrNotExist) {
		return token, err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	token = surface.NewToken()
	_, err = f.WriteString(token + "\n")
	return token, errors.Join(err, f.Close())
}

func readPrivateToken(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, privateToken))
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(b))
	if len(token) < 43 {
		return "", fmt.Errorf("%s is torn", filepath.Join(dir, privateToken))
	}
	return token, nil
}

// privateServer answers the verifier. take ends the agent's part of the episode and gives what is judged; it is called once.
type privateServer struct {
	token string
	take  func() (*record.Transcript, error)
	once  sync.Once
	body  []byte
	err   error
}

func (v *privateServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	given := []byte(r.Header.Get("Authorization"))
	if subtle.ConstantTimeCompare(given, []byte("Bearer "+v.token)) != 1 {
		http.Error(w, "the token is wrong", http.StatusUnauthorized)
		return
	}
	switch {
	case r.Method == http.MethodGet && r.URL.Path == "/health":
		w.WriteHeader(http.StatusOK)
	case r.Method == http.MethodPost && r.URL.Path == "/end":
		v.once.Do(func() {
			t, err := v.take()
			if err == nil {
				v.body, err = record.Canonical(t)
			}
			v.err = err
		})
		if v.err != nil {
			http.Error(w, v.err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(v.body)
	default:
		http.NotFound(w, r)
	}
}

// listenPrivate listens on the folder's socket. One that a killed world left is taken away.
func listenPrivate(ctx context.Context, dir string) (net.Listener, error) {
	name := filepath.Join(dir, privateSocket)
	if len(name) > 100 {
		return nil, fmt.Errorf("%s is too long a path for a socket; name a folder with a shorter one", name)
	}
	if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "unix", name)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(name, 0o600); err != nil {
		return nil, errors.Join(err, ln.Close())
	}
	return ln, nil
}

// askPrivate asks the world over its private channel.
func (p *Process) askPrivate(dir, method, path string) ([]byte, error) {
	dir = p.path(dir)
	token, err := readPrivateToken(dir)
	if err != nil {
		return nil, fault(err)
	}
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(dir, privateSocket))
	}}
	defer t.CloseIdleConnections()
	r, err := http.NewRequestWithContext(p.Context, method, "http://world"+path, nil)
	if err != nil {
		return nil, fault(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	resp, err := (&http.Client{Transport: t, Timeout: 2 * time.Minute}).Do(r)
	if err != nil {
		return nil, fault(fmt.Errorf("the world does not answer its verifier: %w", errors.Unwrap(err)))
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("the world answers its verifier with status %d: %s", resp.StatusCode, bytes.TrimSpace(b))
	}
	if err != nil {
		return nil, fault(err)
	}
	return b, nil
}

func (p *Process) harborHealth(dir string) error {
	_, err := p.askPrivate(dir, http.MethodGet, "/health")
	return err
}

// endEpisode ends the agent's part and gives what the world recorded.
func (p *Process) endEpisode(dir string) (*record.Transcript, error) {
	b, err := p.askPrivate(dir, http.MethodPost, "/end")
	if err != nil {
		return nil, err
	}
	var t record.Transcript
	if err := jsonv2.Unmarshal(b, &t, jsonv2.RejectUnknownMembers(true)); err != nil || t.Episode == nil {
		return nil, fault(errors.Join(errors.New("the world gave its verifier no episode"), err))
	}
	return &t, nil
}
