package cli

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/world"
)

func newWorldEvents(p *Process) *cobra.Command {
	var f worldFlags
	var db, episode string
	c := &cobra.Command{
		Use: "events [BENCH/TASK --episode ID]", Short: "Show the calls of an episode, one JSON object a line",
		Long: `Of a served world it shows the agent's own calls with what they gave. Looking is no call, and is not recorded.

With BENCH/TASK and --episode it shows an episode that is not served, from its folder: every event whole, with what it
changed and its place in the chain, as an exported episode's events.jsonl has them. The log is checked first.
` + exitHelp,
		Args: args(0, 1, "at most BENCH/TASK"),
		RunE: func(_ *cobra.Command, a []string) error {
			if len(a) == 1 {
				return p.localEvents(a[0], db, episode)
			}
			if db != "" || episode != "" {
				return usage("--db and --episode are of an episode that is not served; they want BENCH/TASK as well")
			}
			c, err := p.worldClient(f)
			if err != nil {
				return err
			}
			var got struct{ Events []json.RawMessage }
			if err := c.get("/events", &got); err != nil {
				return err
			}
			for _, e := range got.Events {
				p.printf("%s\n", e)
			}
			return nil
		},
	}
	f.add(p, c)
	c.Flags().StringVar(&db, "db", "", "the folder of episodes (default .assay/episodes)")
	c.Flags().StringVar(&episode, "episode", "", "the episode's name")
	return c
}

// localEvents shows the whole log of an episode that nobody serves.
func (p *Process) localEvents(ref, db, episode string) error {
	s, _, err := p.idleEpisode(ref, db, episode, "events")
	if err != nil {
		return err
	}
	defer s.Close()
	for _, e := range s.Events() {
		b, err := e.Canonical()
		if err != nil {
			return fault(err)
		}
		p.printf("%s\n", b)
	}
	return nil
}

// idleEpisode opens an episode in its folder. Opening it checks its log, and takes its lock: what another process serves is
// left alone.
func (p *Process) idleEpisode(ref, db, episode, command string) (s *world.Session, root string, err error) {
	if episode == "" || episode != filepath.Base(episode) {
		return nil, "", usage("assay world %s wants --episode ID, the name of an episode in --db", command)
	}
	_, t, err := p.taskOf(ref)
	if err != nil {
		return nil, "", err
	}
	root = p.episodes(db)
	if s, err = t.World.OpenSession(p.Context, t.Spec(episode), root); err != nil {
		return nil, "", episodeError(err)
	}
	return s, root, nil
}

// resettable says that an episode of the task can be put aside: nobody works on it. One of a definition that was changed since can
// be put aside as well: whoever writes a world begins the same episode again and again.
func (p *Process) resettable(ref, db, episode string) (root string, err error) {
	s, root, err := p.idleEpisode(ref, db, episode, "reset")
	if err == nil {
		return root, fault(s.Close())
	}
	if _, ok := errors.AsType[*world.Changed](err); !ok {
		return "", err
	}
	root = p.episodes(db)
	if err := world.Idle(p.Context, filepath.Join(root, episode)); err != nil {
		return "", fault(err)
	}
	return root, nil
}

func newWorldReset(p *Process) *cobra.Command {
	var db, episode string
	c := &cobra.Command{
		Use: "reset BENCH/TASK --episode ID", Short: "Put an episode aside, so that its name begins anew",
		Long: `Puts an episode's folder aside under a name of its own, where it can still be judged; the next assay world serve with
the name begins the task from the start. It works on the folder, not on a served world: an agent cannot undo what it did.
` + exitHelp,
		Args: args(1, 1, "BENCH/TASK"),
		RunE: func(_ *cobra.Command, a []string) error {
			root, err := p.resettable(a[0], db, episode)
			if err != nil {
				return err
			}
			for n := 1; ; n++ {
				aside := filepath.Join(root, ".aside", strconv.Itoa(n), episode) // under its own name, by which it is opened
				if _, err := os.Lstat(aside); err == nil {
					continue
				} else if !errors.Is(err, fs.ErrNotExist) {
					return fault(err)
				}
				if err := errors.Join(os.MkdirAll(filepath.Dir(aside), 0o700), os.Rename(filepath.Join(root, episode), aside)); err != nil {
					return fault(err)
				}
				p.printf("The episode was put aside in %s\n", plain(aside))
				return nil
			}
		},
	}
	c.Flags().StringVar(&db, "db", "", "the folder of episodes (default .assay/episodes)")
	c.Flags().StringVar(&episode, "episode", "", "the episode's name")
	return c
}
