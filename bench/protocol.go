package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"github.com/assaybench/assay/record"
)

// Protocol is how a bench is run.
type Protocol struct {
	Temperature    *float64  `json:"temperature"` // nil: not sent
	TopP           *float64  `json:"top_p"`
	Seed           *int64    `json:"seed"`
	Repeats        int       `json:"repeats"`
	PassRule       string    `json:"pass_rule"`            // "all": an item passes only if every repeat passes
	Context        int       `json:"context"`              // tokens that the loaded context must hold
	Unhonoured     string    `json:"unhonoured,omitempty"` // of a setting that a model does not take: "" records it, or UnhonouredRefuse
	DefaultPosture string    `json:"default_posture"`
	Postures       []Posture `json:"postures"`
}

// UnhonouredRefuse is the protocol that no run may leave a setting out: what a model does not take is refused before the
// first attempt.
const UnhonouredRefuse = "refuse"

// Posture is a named setting under which models are run.
type Posture struct {
	Name      string
	Thinking  string        // "", "off", "on" or an effort level
	MaxOutput int           // tokens
	Timeout   time.Duration //
	Models    []string      // models (the part after the provider) that take this posture as well
}

// MarshalJSON writes the timeout as a length of time such as "4m0s".
func (q Posture) MarshalJSON() ([]byte, error) {
	return record.Canonical(struct {
		Name      string   `json:"name"`
		Thinking  string   `json:"thinking"`
		MaxOutput int      `json:"max_output"`
		Timeout   string   `json:"timeout"`
		Models    []string `json:"models"`
	}{q.Name, q.Thinking, q.MaxOutput, q.Timeout.String(), q.Models})
}

// Posture gives a posture by name.
func (p *Protocol) Posture(name string) (Posture, bool) {
	i := slices.IndexFunc(p.Postures, func(q Posture) bool { return q.Name == name })
	if i < 0 {
		return Posture{}, false
	}
	return p.Postures[i], true
}

// Digest is the SHA-256 of the protocol's canonical JSON, in lowercase hex.
func (p *Protocol) Digest() string {
	b, err := record.Canonical(p)
	if err != nil {
		panic("bench: a protocol is always JSON: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func readProtocol(n *Node) (Protocol, error) {
	f := NewFields(n)
	p := Protocol{Repeats: f.Int("repeats"), PassRule: f.NeedText("pass_rule"), Context: f.Int("context"), DefaultPosture: f.NeedText("default_posture")}
	p.Temperature, p.TopP = readFloat(f, "temperature"), readFloat(f, "top_p")
	if s := f.Node("seed"); s != nil {
		v, err := s.AsInt()
		f.Fault(err)
		seed := int64(v)
		p.Seed = &seed
	}
	if p.Repeats < 1 || p.Repeats > 1000 {
		f.Fault(n.Errorf("repeats must be 1 to 1000"))
	}
	if p.Temperature != nil && *p.Temperature < 0 {
		f.Fault(n.Get("temperature").Errorf("a temperature cannot be negative"))
	}
	if p.TopP != nil && (*p.TopP <= 0 || *p.TopP > 1) {
		f.Fault(n.Get("top_p").Errorf("top_p lies above 0 and is at most 1"))
	}
	if p.Context < 0 {
		f.Fault(n.Get("context").Errorf("context (tokens) cannot be negative"))
	}
	if p.PassRule != "all" && p.PassRule != "" {
		f.Fault(n.Get("pass_rule").Errorf("the pass rule %q is not known; known: all", p.PassRule))
	}
	switch v := f.Text("unhonoured"); v {
	case "record": // the default, and the same protocol as one that does not say so
	case UnhonouredRefuse, "":
		p.Unhonoured = v
	default:
		f.Fault(n.Get("unhonoured").Errorf("unhonoured is record or refuse: what becomes of a run whose model does not take a setting"))
	}
	if ps := f.Need("postures"); ps != nil {
		if ps.Kind != Map || len(ps.Keys) == 0 {
			f.Fault(ps.Errorf("postures is a mapping of names to settings"))
		} else {
			for i, k := range ps.Keys {
				q, err := readPosture(k.Text, ps.Values[i])
				f.Fault(err)
				p.Postures = append(p.Postures, q)
			}
		}
	}
	if _, ok := p.Posture(p.DefaultPosture); !ok && p.DefaultPosture != "" && len(p.Postures) > 0 {
		f.Fault(n.Get("default_posture").Errorf("the default posture %q is not among the postures", p.DefaultPosture))
	}
	return p, f.Done()
}

func readPosture(name string, n *Node) (Posture, error) {
	f := NewFields(n)
	q := Posture{Name: name, Thinking: f.Text("thinking"), MaxOutput: f.Int("max_output"), Timeout: f.Duration("timeout"), Models: f.Texts("models")}
	if q.MaxOutput < 1 {
		f.Fault(n.Errorf("posture %s: max_output (tokens) must be at least 1", name))
	}
	if q.Timeout == 0 && n.Get("timeout") == nil {
		f.Fault(n.Errorf("posture %s: a timeout such as 240s is missing", name))
	}
	if !slices.Contains([]string{"", "off", "on", "minimal", "low", "medium", "high", "xhigh", "max"}, q.Thinking) {
		f.Fault(n.Get("thinking").Errorf("thinking is off, on, or an effort (minimal, low, medium, high, xhigh, max)"))
	}
	return q, f.Done()
}

func readFloat(f *Fields, key string) *float64 {
	n := f.Node(key)
	if n == nil {
		return nil
	}
	if n.Kind == Scalar && !n.Quoted && isNumber(n.Text) {
		if v, err := strconv.ParseFloat(n.Text, 64); err == nil {
			return &v
		}
	}
	f.Fault(n.Errorf("a number is wanted for %s", key))
	return nil
}
