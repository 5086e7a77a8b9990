package world

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

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
	b, err := os.ReadFile(filepath.Join(dir, episodeFile))
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
		return nil, fmt.Errorf("%s began as another state than the world %s has now (%.12s, not %.12s); an episode goes on only in the world that it began in", dir, w.ID, ep.Seed, seed.SHA256)
	case ep.Rules == "":
		return nil, fmt.Errorf("%s/%s does not say by which tools the episode began (no \"rules\"): whether they are those of today cannot be known; begin another episode", dir, episodeFile)
	case ep.Rules != w.Definition(sp):
		return nil, fmt.Errorf("%s began under another definition than the world %s and the task %s have now (%.12s, not %.12s): tools.yaml, world.yaml, schema.sql, task.yaml, evidence or staged faults differ; put them back, or begin another episode", dir, w.ID, sp.Task.ID, ep.Rules, w.Definition(sp))
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

func (w *World) open(ctx context.Context, sp Spec, seed *Seed, dir string) (*Session, error) {
	path, err := filepath.Abs(filepath.Join(dir, worldFile))
	if err != nil {
		return nil, err
	}
	// One process owns a session: the lock is the database's own, and the end of the process frees it. The log is written
	// ahead of the file, which a killed process cannot tear.
	dsn := (&url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path)}).String() +
		"?mode=rw&_pragma=locking_mode(EXCLUSIVE)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-256)"
	d, err := openDatabase(ctx, dsn, nil)
	if err == nil {
		if err = d.exec(ctx, "BEGIN IMMEDIATE"); err == nil { // takes the lock now
			err = d.openLog(ctx)
		}
		if err == nil {
			err = d.exec(ctx, "COMMIT")
		}
		if err != nil {
			d.close()
		}
	}
	var se *sqlite.Error
	if errors.As(err, &se) && se.Code()&0xff == sqlite3.SQLITE_BUSY {
		return nil, fmt.Errorf("another process works on the episode %s; wait for it, or stop it", dir)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s, err := w.session(ctx, sp, seed, d)
	if err != nil {
		return nil, err
	}
	s.file = path
	return s, nil
}

// openLog makes the tables of the log where they are not there yet. assay_log holds how many events were recorded and the
// hash of the last one; the store itself writes it with each event, in the same transaction, so that a log whose end was
// taken off, which is a whole chain still, is told from one that ends there.
func (d *database) openLog(ctx context.Context) error {
	for _, text := range []string{
		"CREATE TABLE IF NOT EXISTS assay_log (one INTEGER PRIMARY KEY CHECK (one = 1), events INTEGER NOT NULL, last TEXT NOT NULL) STRICT",
		// Where there was a log already, a missing count is for checkEnd to find.
		"INSERT INTO assay_log (one, events, last) SELECT 1, 0, '' WHERE NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'assay_events')",
		"CREATE TABLE IF NOT EXISTS assay_events (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, event TEXT NOT NULL) STRICT",
		"CREATE TRIGGER IF NOT EXISTS assay_count AFTER INSERT ON assay_events BEGIN UPDATE assay_log SET events = NEW.seq, last = NEW.hash; END",
	} {
		if err := d.exec(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// reload reads the log, checks it whole, and checks that the state is what the log made of the seed.
func (s *Session) reload(ctx context.Context) error {
	st, err := s.d.prepare(ctx, engine, "SELECT event FROM assay_events ORDER BY seq")
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(ctx)
	if err != nil {
		return sqlError(err)
	}
	defer rows.Close()
	var events []Event
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		e, err := ParseEvent([]byte(text))
		if err != nil {
			return fmt.Errorf("event %d: %w", len(events)+1, err)
		}
		events = append(events, *e)
	}
	if err := sqlErrorOrNil(rows.Err()); err != nil {
		return err
	}
	if err := VerifyChain(s.Genesis(), events); err != nil {
		return err
	}
	if err := s.checkEnd(ctx, events); err != nil {
		return err
	}
	for i := range events {
		s.append(&events[i])
		s.countFault(&events[i])
	}
	_, err = s.Changes(ctx)
	return err
}

// checkEnd holds a log against what was counted as its events were recorded.
func (s *Session) checkEnd(ctx context.Context, events []Event) error {
	st, err := s.d.prepare(ctx, engine, "SELECT events, last FROM assay_log")
	if err != nil {
		return err
	}
	var n int
	var last string
	switch err := st.QueryRowContext(ctx).Scan(&n, &last); {
	case errors.Is(err, sql.ErrNoRows):
		return errors.New("nothing says any more how many events were recorded: the log was altered")
	case err != nil:
		return sqlError(err)
	}
	return endsAt(s.Genesis(), events, n, last)
}

// endsAt says why a whole chain is not the log that was recorded: its end was taken off, or another put on.
func endsAt(genesis string, events []Event, n int, last string) error {
	have := genesis
	if len(events) > 0 {
		have = events[len(events)-1].Hash
	}
	switch {
	case len(events) < n:
		return fmt.Errorf("the log ends with event %d, and %d were recorded: events %d to %d were removed", len(events), n, len(events)+1, n)
	case len(events) > n:
		return fmt.Errorf("the log has %d events, and %d were recorded: it was altered", len(events), n)
	case n > 0 && have != last:
		return fmt.Errorf("event %d, the last one, is another than was recorded (%.12s, not %.12s): the log was altered", n, have, last)
	}
	return nil
}

// countFault counts a staged fault that came before the session was opened again.
func (s *Session) countFault(e *Event) {
	if e.Error == nil || e.Error.Code != Transient {
		return
	}
	args, err := decodeArgs(e.Args)
	if err != nil {
		return
	}
	for i := range s.failed {
		f := &s.staged.faults[i]
		if s.failed[i] < f.failures && f.matches(e.Tool, args) {
			s.failed[i]++
			return
		}
	}
}

// store writes an event into the session's file, where it has one.
func (s *Session) store(ctx context.Context, e *Event) error {
	if s.file == "" {
		return nil
	}
	b, err := e.Canonical()
	if err != nil {
		return err
	}
	if err := s.d.queryOnly(ctx, false); err != nil {
		return err
	}
	st, err := s.d.prepare(ctx, engine, "INSERT INTO assay_events (seq, hash, event) VALUES (?, ?, ?)")
	if err != nil {
		return err
	}
	_, err = st.ExecContext(ctx, e.Seq, e.Hash, string(b))
	return sqlErrorOrNil(err)
}

// EpisodeOf says which task's session a folder holds, and the session's id.
func EpisodeOf(dir string) (task, session string, err error) {
	b, err := os.ReadFile(filepath.Join(dir, episodeFile))
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
