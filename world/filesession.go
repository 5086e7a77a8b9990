package world

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/assaybench/assay/record"
)

// An episode on disk is a folder of its own below a root that many share:
//
//	ROOT/seeds/SHA256.db        what sessions began as, named by its content
//	ROOT/SESSION/world.db       the state, the events in the table assay_events, and in assay_log how many there are
//	ROOT/SESSION/episode.json   whose session it is
const (
	seedsFolder = "seeds"
	worldFile   = "world.db"
	episodeFile = "episode.json"
)

// episode is what episode.json holds.
type episode struct {
	Session string `json:"session"`
	World   string `json:"world"`
	Task    string `json:"task"`
	Seed    string `json:"seed"`
	Rules   string `json:"rules"` // digest of the definition: tools, schema, clock, the task and its staged faults
}

// CreateSession makes a session in a folder of its own below root. It survives kill -9 at any moment: a call whose answer
// was given is in the file, with its event, whole.
func (w *World) CreateSession(ctx context.Context, sp Spec, root string) (*Session, error) {
	if err := validSession(sp.ID); err != nil {
		return nil, err
	}
	seed, err := w.Seed(ctx, sp.Task, sp.Staged)
	if err != nil {
		return nil, err
	}
	sweepOnce(root)
	if err := publish(filepath.Join(root, seedsFolder), seed.SHA256+".db", seed.data); err != nil {
		return nil, err
	}
	b, err := record.Canonical(episode{sp.ID, w.ID, sp.Task.ID, seed.SHA256, w.Definition(sp)})
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(root, sp.ID)
	if _, err := os.Lstat(dir); err == nil {
		return nil, &NoEpisode{fmt.Sprintf("the episode %s exists; open it, or take another name", dir)}
	}
	// The folder is made under another name and takes its own at the end, so that nobody sees half of it, and that a process
	// killed on the way leaves the name free.
	made, err := os.MkdirTemp(root, newPrefix)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(made)
	defer hold(made)()
	for name, data := range map[string][]byte{worldFile: seed.data, episodeFile: b} {
		if err := os.WriteFile(filepath.Join(made, name), data, 0o600); err != nil {
			return nil, err
		}
	}
	if err := os.Rename(made, dir); errors.Is(err, fs.ErrExist) {
		return nil, &NoEpisode{fmt.Sprintf("the episode %s exists; open it, or take another name", dir)}
	} else if err != nil {
		return nil, err
	}
	return w.open(ctx, sp, seed, dir)
}

// OpenSession goes on with a session that CreateSession made, after its process ended in whatever way. The log is checked
// whole, and the state against it.
func (w *World) OpenSession(ctx context.Context, sp Spec, root string) (*Session, error) {
	if err := validSession(sp.ID); err != nil {
		return nil, err
	}
	dir := filepath.Join(root, sp.ID)
	b, err := readPlain(filepath.Join(dir, episodeFile), maxEpisodeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &NoEpisode{fmt.Sprintf("%s is no episode: there is no %s", dir, episodeFile)}
	} else if err != nil {
		return nil, err
	}
	var ep episode
	if err := json.Unmarshal(b, &ep); err != nil {
		return nil, fmt.Errorf("%s/%s is torn: %w", dir, episodeFile, err)
	}
	sweepOnce(root)
	seed, err := w.Seed(ctx, sp.Task, sp.Staged)
	switch {
	case err != nil:
		return nil, err
	case ep.Session != sp.ID || ep.World != w.ID || ep.Task != sp.Task.ID:
		return nil, &NoEpisode{fmt.Sprintf("%s is an episode of %s/%s, not of %s/%s", dir, ep.World, ep.Task, w.ID, sp.Task.ID)}
	case ep.Seed != seed.SHA256:
		return nil, changedf("%s began as another state than the world %s has now (%.12s, not %.12s); an episode goes on only in the world that it began in (assay world reset puts this one aside)", dir, w.ID, ep.Seed, seed.SHA256)
	case ep.Rules == "":
		return nil, fmt.Errorf("%s/%s does not say by which tools the episode began (no \"rules\"): whether they are those of today cannot be known; begin another episode", dir, episodeFile)
	case ep.Rules != w.Definition(sp):
		return nil, changedf("%s began under another definition than the world %s and the task %s have now (%.12s, not %.12s): tools.yaml, world.yaml, schema.sql, task.yaml, evidence or staged faults differ; put them back, or begin another episode (assay world reset puts this one aside)", dir, w.ID, sp.Task.ID, ep.Rules, w.Definition(sp))
	}
	s, err := w.open(ctx, sp, seed, dir)
	if err != nil {
		return nil, err
	}
	if err := s.reload(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, err), s.Close())
	}
	return s, nil
}

// NoEpisode is a name that no episode has, or can have: whoever named it is to name another. All else that keeps an episode
// from being opened is a fault of what is there.
type NoEpisode struct{ Msg string }

func (e *NoEpisode) Error() string { return e.Msg }

// Changed is an episode of a world or a task that is not as it was when the episode began. It does not go on; it can be put aside.
type Changed struct{ Msg string }

func (e *Changed) Error() string { return e.Msg }

func changedf(format string, args ...any) error { return &Changed{fmt.Sprintf(format, args...)} }

// validSession keeps names of folders to what is a plain name everywhere.
func validSession(id string) error {
	ok := id != "" && len(id) <= 100 && id != seedsFolder && id[0] != '.'
	for _, c := range []byte(id) {
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._-", c) >= 0)
	}
	if !ok {
		return &NoEpisode{fmt.Sprintf("the session id %q is not made of letters, digits and . _ -", id)}
	}
	return nil
}

// publish puts a file in its place whole: nobody sees it half written, and two who publish the same do no harm.
func publish(dir, name string, data []byte) error {
	path := filepath.Join(dir, name)
	if have, err := os.ReadFile(path); err == nil && sha256.Sum256(have) == sha256.Sum256(data) {
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+name+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// EpisodeOf says which task's session a folder holds, and the session's id.
func EpisodeOf(dir string) (task, session string, err error) {
	b, err := readPlain(filepath.Join(dir, episodeFile), maxEpisodeFile)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", fmt.Errorf("there is neither %s nor %s, so this is no episode", BundleFile, episodeFile)
	} else if err != nil {
		return "", "", err
	}
	var ep episode
	if err := json.Unmarshal(b, &ep); err != nil || ep.Session == "" {
		return "", "", fmt.Errorf("%s is torn", episodeFile)
	}
	return ep.Task, ep.Session, nil
}

const maxEpisodeFile = 64 << 10

// readPlain reads a file that must be one: a pipe would keep whoever opens it, and a device would never end.
func readPlain(path string, most int64) ([]byte, error) {
	st, err := os.Lstat(path)
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%s is no file", path)
	} else if err == nil && st.Size() > most {
		err = fmt.Errorf("%s is larger than %d bytes", path, most)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}
