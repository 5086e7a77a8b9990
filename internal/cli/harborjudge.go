package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/assaybench/assay/contract/harbor"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/record"
	"github.com/assaybench/assay/world"
)

// harborJudge ends the episode, judges it by the bench of one task, and leaves the reward. Whatever fails leaves error.json and no
// reward, since a harness takes a missing reward for a fault and a false one for a result.
func (p *Process) harborJudge(ref, private, logs string) error {
	dir := p.path(logs)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fault(err)
	}
	if info, err := os.Stat(dir); err != nil {
		return fault(err)
	} else if open := info.Mode().Perm() & 0o022; open != 0 { // what the agent left running would write there, too
		if err := os.Chmod(dir, info.Mode().Perm()&^open); err != nil {
			return fault(err)
		}
	}
	for _, n := range []string{harbor.RewardText, harbor.RewardFile, harbor.DetailsFile, harbor.VerdictFile, harbor.ErrorFile, harbor.EpisodeDir} {
		if err := os.RemoveAll(filepath.Join(dir, n)); err != nil {
			return fault(err)
		}
	}
	err := p.harborReward(ref, private, dir)
	if err == nil {
		return nil
	}
	for _, n := range []string{harbor.RewardText, harbor.RewardFile} {
		if rerr := os.Remove(filepath.Join(dir, n)); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	b, merr := json.Marshal(map[string]string{"error": "the episode could not be graded: " + err.Error()})
	if merr == nil {
		merr = writeFile(filepath.Join(dir, harbor.ErrorFile), append(b, '\n'))
	}
	return fault(errors.Join(err, merr))
}

func (p *Process) harborReward(ref, private, dir string) error {
	o, err := p.open(ref)
	if err != nil {
		return err
	}
	set, ok := o.set.(*tasks.Set)
	if !ok {
		return fmt.Errorf("%s is no bench of agent tasks", o.bench.Name())
	}
	t, err := p.endEpisode(private)
	if err != nil {
		return err
	}
	v, err := set.Grade(p.Context, t.Episode.Task, *t)
	if err != nil {
		return err
	}
	reward, details, err := harbor.RewardOf(&v)
	if err != nil {
		return err
	}
	if err := world.WriteBundle(filepath.Join(dir, harbor.EpisodeDir), t); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		v    any
	}{{harbor.VerdictFile, v}, {harbor.DetailsFile, details}, {harbor.RewardText, nil}, {harbor.RewardFile, reward}} {
		b := []byte{'0' + byte(reward.Reward)}
		if f.v != nil {
			if b, err = record.Canonical(f.v); err != nil {
				return err
			}
		}
		if err := writeFile(filepath.Join(dir, f.name), append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}
