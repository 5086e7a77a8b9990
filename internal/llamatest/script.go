package llamatest

import (
	"errors"
	"fmt"
	"math"
)

// An Option changes what a scripted model does beside its reply.
type Option func(*script)

// Thinking makes the model think first: it produces the text between <think>
// and </think>, then the reply. A server that separates thinking reports it in
// a field of its own. A request with thinking switched off gets the reply alone.
func Thinking(text string) Option { return func(s *script) { s.thinking = &text } }

// AlwaysThinking is Thinking for a model whose template knows no switch: it
// thinks whatever a request says.
func AlwaysThinking(text string) Option {
	return func(s *script) { s.thinking, s.unswitchable = &text, true }
}

// Tools gives the model a template that shows it the tools of a request and
// the calls made before. What it calls is in its reply; [ToolCall] writes it.
func Tools() Option { return func(s *script) { s.tools = true } }

// Alternatives are other replies that the model may give. At temperature 0 it
// gives its first reply; at a higher one each is sampled, the first a little
// more often than the next, and the seed decides.
func Alternatives(replies ...string) Option {
	return func(s *script) { s.replies = append(s.replies, replies...) }
}

// Endless makes the model begin its reply again instead of stopping, so that
// only a limit ends it.
func Endless() Option { return func(s *script) { s.endless = true } }

// TrainedContext sets the context length that the file names, in tokens; 32768
// without it. A server gives no longer one.
func TrainedContext(tokens int) Option { return func(s *script) { s.context = tokens } }

// script is what a model is to do.
type script struct {
	replies      []string
	thinking     *string
	unswitchable bool // thinking cannot be switched off
	tools        bool
	endless      bool
	context      int
}

func newScript(reply string, opts []Option) *script {
	s := &script{replies: []string{reply}, context: 32768}
	for _, opt := range opts {
		opt(s)
	}
	return s
}

// States are the dimensions of the embedding; state firstPiece+i belongs to the
// i-th piece.
const (
	stateStart  = 0 // after any token of a prompt
	stateDirect = 1 // after directToken
	firstPiece  = 2
)

const (
	// certainLogit is the logit of the scripted next token, all others having 0:
	// even at temperature 2 a stray token has odds of about e^-30.
	certainLogit = 60.0
	// rankStep is how much less each further alternative weighs: 22 % less odds
	// at temperature 1, and enough to settle temperature 0 in 16-bit weights.
	rankStep = 0.25
	// maxPieces bounds the file at about 0.3 GB.
	maxPieces = 8192
)

// edge says that in state from the token to may come next. Rank 0 is the
// likeliest.
type edge struct{ from, to, rank int }

// network is a script turned into tokens and states.
type network struct {
	vocab   []token
	states  []int // the state of each token
	pieces  int   // how many tokens of the vocabulary are pieces of replies
	edges   []edge
	width   int // embedding length, at least the number of states
	context int
	jinja   string // the chat template
}

// build turns the script into a network. It fails for a script that no model
// can follow.
func (s *script) build() (*network, error) {
	if s.context < 1 || s.context > math.MaxInt32 {
		return nil, fmt.Errorf("scripted model: trained context of %d tokens: want at least 1", s.context)
	}
	cut := newChainBuilder()
	var thinking []token
	if s.thinking != nil {
		thinking = cut.split(thinkOpen + *s.thinking + thinkClose)
	}
	replies := make([][]token, len(s.replies))
	total := len(thinking)
	for i, text := range s.replies {
		if text == "" && s.endless {
			return nil, errors.New("scripted model: an endless reply must not be empty")
		}
		replies[i] = cut.split(text)
		total += len(replies[i])
	}
	if total > maxPieces {
		return nil, fmt.Errorf("scripted model: the replies need %d tokens, more than %d: shorten them", total, maxPieces)
	}

	n := &network{vocab: baseVocabulary(cut.used), context: s.context, jinja: s.jinja()}
	n.states = make([]int, len(n.vocab), len(n.vocab)+total)
	for id, tok := range n.vocab {
		if tok.text == directToken {
			n.states[id] = stateDirect
		}
	}
	// Thinking leads to the replies, the replies to the end or to themselves.
	starts := []int{stateStart, stateDirect}
	answers := starts
	if len(thinking) > 0 {
		last := n.chain(stateStart, 0, thinking)
		answers = []int{last, stateDirect}
	}
	for rank, reply := range replies {
		if len(reply) == 0 {
			for _, from := range answers {
				n.edges = append(n.edges, edge{from, endID, rank})
			}
			continue
		}
		first := len(n.vocab)
		last := n.chain(answers[0], rank, reply)
		for _, from := range answers[1:] {
			n.edges = append(n.edges, edge{from, first, rank})
		}
		then := endID
		if s.endless {
			then = first
		}
		n.edges = append(n.edges, edge{last, then, 0})
	}
	n.width = (firstPiece + total + 31) / 32 * 32
	return n, nil
}

// chain appends tokens that follow each other, the first of them after state
// from with the given rank, and returns the state of the last.
func (n *network) chain(from, rank int, tokens []token) int {
	for _, tok := range tokens {
		n.edges = append(n.edges, edge{from, len(n.vocab), rank})
		rank = 0
		from = firstPiece + n.pieces
		n.pieces++
		n.vocab = append(n.vocab, tok)
		n.states = append(n.states, from)
	}
	return from
}

// weight returns the entry of the output matrix for an edge. The normalised
// state is the square root of the width in its own dimension and 0 elsewhere.
func (n *network) weight(e edge) float32 {
	return float32((certainLogit - rankStep*float64(e.rank)) / math.Sqrt(float64(n.width)))
}
