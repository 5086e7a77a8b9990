package harbor

import (
	"errors"
	"fmt"

	"github.com/assaybench/assay/record"
)

// Files that a verifier leaves. The reward files are written last, and after a complete grading alone.
const (
	RewardText  = "reward.txt"   // 0 or 1
	RewardFile  = "reward.json"  // {"reward": 0 or 1}
	DetailsFile = "details.json" // the scores and every criterion
	VerdictFile = "verdict.json" // the whole verdict, in canonical JSON
	EpisodeDir  = "episode"      // the episode, from which "assay grade" makes the same verdict again
	ErrorFile   = "error.json"   // why there is no reward
)

// Reward is what reward.json holds: the strict pass, as a number of which means can be taken.
type Reward struct {
	Reward int `json:"reward"`
}

// Details are what details.json holds: what is not the reward, and never merged with it.
type Details struct {
	Task      string      `json:"task"`
	Strict    int         `json:"strict"`        // 0 or 1, the reward
	Gated     string      `json:"gated_score"`   // an exact decimal from 0 to 100
	Process   string      `json:"process_score"` // an exact decimal from 0 to 100; a diagnostic
	Engine    string      `json:"engine_version"`
	Criteria  []Criterion `json:"criteria"`
	TaskSHA   string      `json:"task_digest"`
	Contract  string      `json:"contract_digest"`
	Trace     string      `json:"trace_digest"`
	LastState string      `json:"final_state_digest"`
}

// Criterion is what one criterion of a contract found.
type Criterion struct {
	Name     string `json:"name"`
	Category string `json:"category"`
	Pass     bool   `json:"pass"`
	Weight   string `json:"weight"`
	Why      string `json:"why"`
	Events   []int  `json:"events"`
}

// RewardOf makes the reward and the details of a verdict that is complete. Of any other there is none, and an error says why.
func RewardOf(v *record.Verdict) (*Reward, *Details, error) {
	if v.State != record.Graded {
		return nil, nil, fmt.Errorf("the episode was not graded, so there is no reward: %s", v.Reason)
	}
	if v.Agent == nil || v.GatedScore == nil || v.ProcessScore == nil {
		return nil, nil, errors.New("the verdict is no complete one of an agent task, so there is no reward")
	}
	r := &Reward{}
	if v.Strict {
		r.Reward = 1
	}
	d := &Details{Task: v.Item, Strict: r.Reward, Gated: *v.GatedScore, Process: *v.ProcessScore, Engine: v.Engine, Criteria: []Criterion{},
		TaskSHA: v.Agent.Task, Contract: v.Contract, Trace: v.Trace, LastState: v.FinalState}
	for _, f := range v.Findings {
		events := f.Events
		if events == nil {
			events = []int{}
		}
		d.Criteria = append(d.Criteria, Criterion{f.Rule, f.Category, f.Pass, f.Weight, f.Why, events})
	}
	return r, d, nil
}
