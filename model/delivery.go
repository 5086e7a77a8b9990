package model

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/assaybench/assay/record"
)

// States of a delivery.
const (
	Delivered   = "delivered"
	Undelivered = "undelivered"
	NotProvable = "not provable"
)

const (
	// leastProvedBytes is the size from which an estimate says anything: the tokens of a short prompt are mostly those of
	// the chat template around it.
	leastProvedBytes = 2000
	// charsPerToken bounds every tokenizer from below. None in use averages more than twelve characters of running text per
	// token; runs of one sign, for which there are long tokens, are counted as one character each.
	charsPerToken = 12
	// HalfContext is how far above half of the context a cut prompt may come out: servers that cut keep about one half.
	HalfContext = 64
)

// delivery says whether the whole prompt provably reached the model, from the server's count of prompt tokens, u.Prompt.
// The count is held against the server's own count of the same prompt where there is one, and else against a declared lower
// bound, below which the prompt was cut whatever the tokenizer. An estimate can show that a prompt was cut, and never that
// it was not: that takes a server which refuses what does not fit, or a probe.
func delivery(req Request, p Prompted, u record.Usage) record.Delivery {
	d := record.Delivery{State: NotProvable, Loaded: p.Loaded}
	est := estimate(req.Messages)
	d.Expected = est.least
	if p.Exact > 0 {
		d.Expected = p.Exact
	}
	switch {
	case u.Prompt == nil:
		d.Reason = "the server reported no prompt tokens"
		return d
	case p.Loaded > 0 && *u.Prompt > p.Loaded:
		d.Reason = fmt.Sprintf("the server counted %d prompt tokens, more than its context of %d holds", *u.Prompt, p.Loaded)
		return d
	}
	n := *u.Prompt
	// A template's first token is counted by some servers in one place and not in the other.
	if p.Exact > 0 && n >= p.Exact-1 {
		return proved(d, "exact")
	}
	if n < d.Expected {
		what := fmt.Sprintf("%d bytes has at least %d", est.bytes, d.Expected)
		if p.Exact > 0 {
			what = fmt.Sprintf("%d bytes has %d", est.bytes, p.Exact)
		}
		switch {
		case p.Partial:
			d.Reason = fmt.Sprintf("the server counted %d prompt tokens, but its count leaves out what came from a cache", n)
		case u.Cached != nil && n+*u.Cached >= d.Expected:
			d.Reason = "the count is low, but may leave out a cached part"
		case p.Exact == 0 && est.bytes < leastProvedBytes:
			d.Reason = "the prompt is too short to be held against a token count"
		default:
			d.State = Undelivered
			d.Reason = fmt.Sprintf("the server counted %d prompt tokens, and the prompt of %s", n, what)
		}
		return d
	}
	// Servers that cut keep about half of their context, and the count is then fewer than this text usually has.
	if half := p.Loaded / 2; !p.Refuses && half > 0 && n >= half-1 && n <= half+HalfContext && n < est.usual {
		d.Reason = fmt.Sprintf("the server counted %d prompt tokens, about half of its context of %d: that is what is left of a prompt that was cut, and one of %d bytes usually has %d and more", n, p.Loaded, est.bytes, est.usual)
		if !p.Partial { // or else the rest may have come from a cache
			d.State = Undelivered
		}
		return d
	}
	switch {
	case p.Refuses:
		return proved(d, "refuses")
	case req.Probed > 0 && est.usual <= req.Probed:
		return proved(d, "probe")
	case est.bytes < leastProvedBytes:
		d.Reason = "the prompt is too short to be held against a token count"
	case n >= est.usual:
		// A cut prompt of a text with many tokens comes out above this as well, so that it proves nothing.
		d.Reason = fmt.Sprintf("the server counted %d prompt tokens, as many as %d bytes may have; whether it cuts is not known", n, est.bytes)
	default:
		d.Reason = fmt.Sprintf("the server counted %d prompt tokens for %d bytes, fewer than most tokenizers would", n, est.bytes)
	}
	return d
}

// proved is a delivery that is proved, and how: by the server's own count ("exact"), because the server refuses what does
// not fit and never cuts it ("refuses"), or by a probe of that weight whose head, middle and tail came back ("probe").
func proved(d record.Delivery, how string) record.Delivery {
	d.State, d.Reason, d.Proof = Delivered, "", how
	return d
}

// filled reports whether a reply ended because prompt and output together filled the context before the output had its
// limit: the context was too small, which is the set-up's fault and not the model's.
func filled(req Request, rep Reply) bool {
	u := rep.Usage
	if rep.Finish == FinishContext {
		return true
	}
	// Servers stop at the context's end or one token before it.
	return rep.Finish == FinishLength && rep.Prompt.Loaded > 0 && u.Prompt != nil && u.Output != nil &&
		*u.Output < int64(req.MaxOutput) && *u.Prompt+*u.Output >= rep.Prompt.Loaded-1
}

// Weigh is what tokenizers in use make of a prompt at the least, in tokens, as far as that can be told from its text alone.
// Two texts of one kind compare by it.
func Weigh(messages []Message) int64 { return estimate(messages).usual }

// estimated is what can be said of a prompt's tokens without its tokenizer.
type estimated struct {
	bytes int
	least int64 // no tokenizer makes fewer
	usual int64 // tokenizers in use make at least about so many
}

func estimate(messages []Message) estimated {
	var e estimated
	chars, usual := 0, 0 // usual in sixtieths of a token
	for i := range messages {
		text := messages[i].Text
		e.bytes += len(text)
		before := rune(-1)
		for _, r := range text {
			if r == before {
				continue
			}
			before = r
			chars++
			usual += weight(r)
		}
	}
	e.least, e.usual = int64(chars/charsPerToken), int64(usual/60)
	return e
}

// weight is the least that one character usually costs, in sixtieths of a token: letters of an alphabet come five to a token
// and more, digits at most three, signs seldom more than two, ideographs and syllables up to two.
func weight(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return 20
	case r < utf8.RuneSelf && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == ' '):
		return 11
	case r < utf8.RuneSelf:
		return 20
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return 25
	}
	return 10
}
