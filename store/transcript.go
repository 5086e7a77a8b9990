package store

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/klauspost/compress/zstd"

	"github.com/assaybench/assay/record"
)

// MaxTranscript bounds a transcript's JSON in bytes, both ways: nothing larger is written, and nothing that unpacks to
// more is read.
const MaxTranscript = 256 << 20

// Try is one call with its transcript, ready to be recorded. NewTry makes it.
type Try struct {
	N int
	TryRow
	body []byte // zstd of the transcript's JSON
}

// Size is roughly what the try holds in memory, in bytes.
func (t *Try) Size() int { return 512 + len(t.body) }

// Verdict is one verdict, ready to be recorded under its own Grader. NewVerdict makes it.
type Verdict struct {
	N       int
	Grader  string
	Digest  string // of the bench that was graded by
	Created int64  // nanoseconds since 1970, for the set's first verdict
	Pass    bool
	State   record.State
	Letter  record.Letter
	body    []byte
}

// packed is a transcript as it is stored. JSON cannot hold text that is not UTF-8, and the grader must see the very bytes
// again, so such text is kept beside it in base64.
type packed struct {
	record.Transcript `json:",inline"`
	RawAnswer         []byte `json:"answer_base64,omitzero"`
	RawThinking       []byte `json:"thinking_base64,omitzero"`
}

// The compressor and the decompressor are shared and safe for concurrent use; both are kept small, and frames carry a
// checksum, so that a damaged body is found.
var (
	encoder = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(2),
			zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(512<<10))
		if err != nil {
			panic("store: fixed options: " + err.Error())
		}
		return e
	})
	decoder = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(MaxTranscript))
		if err != nil {
			panic("store: fixed options: " + err.Error())
		}
		return d
	})
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
)

// NewTry packs a transcript; try counts from 1. Kind TooLarge for one beyond MaxTranscript.
func NewTry(n, try int, t record.Transcript) (Try, error) {
	sum := sha256.Sum256([]byte(t.Answer))
	out := Try{N: n, TryRow: TryRow{Try: try, Outcome: t.Outcome, Reason: t.Reason, Usage: t.Usage, Timing: t.Timing, Delivery: t.Delivery.State,
		AnswerBytes: int64(len(t.Answer)), ThinkingBytes: int64(len(t.Thinking))}}
	if t.Episode != nil { // what the world recorded is the answer: it is judged, and held against that of other repeats
		out.AnswerBytes += int64(len(t.Episode.Events))
		sum = sha256.Sum256([]byte(t.Answer + "\x00" + t.Episode.State))
	}
	copy(out.AnswerSum[:], sum[:])
	if !utf8.ValidString(out.Reason) {
		out.Reason = string([]rune(out.Reason))
	}
	p := packed{Transcript: t}
	if !utf8.ValidString(t.Answer) {
		p.RawAnswer, p.Answer = []byte(t.Answer), ""
	}
	if !utf8.ValidString(t.Thinking) {
		p.RawThinking, p.Thinking = []byte(t.Thinking), ""
	}
	buf := buffers.Get().(*bytes.Buffer)
	defer func() {
		if buf.Cap() <= 1<<20 { // a rare giant is not kept
			buf.Reset()
			buffers.Put(buf)
		}
	}()
	if err := json.MarshalWrite(buf, &p, json.Deterministic(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return Try{}, &Error{Kind: Misuse, Msg: fmt.Sprintf("attempt %d: the transcript is not JSON: %v", n, err), Err: err}
	}
	if buf.Len() > MaxTranscript {
		return Try{}, &Error{Kind: TooLarge, Msg: fmt.Sprintf("attempt %d: the transcript has %d bytes and at most %d can be kept", n, buf.Len(), MaxTranscript)}
	}
	out.body = encoder().EncodeAll(buf.Bytes(), nil)
	return out, nil
}

// unpack is NewTry's inverse.
func unpack(body []byte) (record.Transcript, error) {
	b, err := decoder().DecodeAll(body, nil)
	if err != nil {
		return record.Transcript{}, err
	}
	var p packed
	if err := json.Unmarshal(b, &p, jsontext.AllowInvalidUTF8(true)); err != nil {
		return record.Transcript{}, err
	}
	if len(p.RawAnswer) > 0 {
		p.Answer = string(p.RawAnswer)
	}
	if len(p.RawThinking) > 0 {
		p.Thinking = string(p.RawThinking)
	}
	return p.Transcript, nil
}

// NewVerdict makes a verdict's row. digest is the digest of the bench that was graded by, created the time in
// nanoseconds since 1970.
func NewVerdict(n int, v record.Verdict, digest string, created int64) (Verdict, error) {
	body, err := json.Marshal(&v, json.Deterministic(true), json.FormatNilSliceAsNull(false), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return Verdict{}, &Error{Kind: Misuse, Msg: fmt.Sprintf("attempt %d: the verdict is not JSON: %v", n, err), Err: err}
	}
	return Verdict{N: n, Grader: v.Grader, Digest: digest, Created: created, Pass: v.Pass, State: v.State, Letter: v.Letter, body: body}, nil
}

// DecodeVerdict reads a verdict's JSON.
func DecodeVerdict(body []byte) (record.Verdict, error) {
	var v record.Verdict
	if err := json.Unmarshal(body, &v, jsontext.AllowInvalidUTF8(true)); err != nil {
		return v, &Error{Kind: Corrupt, Msg: "a verdict is not JSON: " + err.Error(), Err: err}
	}
	return v, nil
}
