package llamatest

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parsedTensor is a tensor as a reader finds it.
type parsedTensor struct {
	dims []uint64
	kind uint32
	data []byte
}

// parsed is a GGUF file read by the format's description, not by the writer's code.
type parsed struct {
	meta    map[string]any
	tensors map[string]parsedTensor
}

// fatal is the part of testing.TB that rapid.T has too.
type fatal interface{ Fatalf(string, ...any) }

func write(t fatal, reply string, opts ...Option) []byte {
	var b bytes.Buffer
	if err := WriteGGUF(&b, reply, opts...); err != nil {
		t.Fatalf("WriteGGUF: %v", err)
	}
	return b.Bytes()
}

func parse(t fatal, file []byte) parsed {
	at := 0
	take := func(n int) []byte {
		if n < 0 || at+n > len(file) {
			t.Fatalf("the file ends within %d bytes at %d", n, at)
		}
		at += n
		return file[at-n : at]
	}
	u32 := func() uint32 { return binary.LittleEndian.Uint32(take(4)) }
	u64 := func() uint64 { return binary.LittleEndian.Uint64(take(8)) }
	text := func() string { return string(take(int(u64()))) }
	var value func(kind uint32) any
	value = func(kind uint32) any {
		switch kind {
		case 4:
			return u32()
		case 5:
			return int32(u32())
		case 6:
			return math.Float32frombits(u32())
		case 7:
			return take(1)[0] == 1
		case 8:
			return text()
		case 9:
			element, list := u32(), []any{}
			for range u64() {
				list = append(list, value(element))
			}
			return list
		}
		t.Fatalf("value type %d at %d", kind, at)
		return nil
	}
	if got := string(take(4)); got != "GGUF" {
		t.Fatalf("magic %q", got)
	}
	if got := u32(); got != 3 {
		t.Fatalf("version %d", got)
	}
	tensors, keys := u64(), u64()
	p := parsed{map[string]any{}, map[string]parsedTensor{}}
	for range keys {
		key := text()
		p.meta[key] = value(u32())
	}
	offsets := map[string]uint64{}
	for range tensors {
		name := text()
		tensor := parsedTensor{dims: make([]uint64, u32())}
		for i := range tensor.dims {
			tensor.dims[i] = u64()
		}
		tensor.kind = u32()
		offsets[name] = u64()
		p.tensors[name] = tensor
	}
	base := (at + 31) / 32 * 32
	end := base
	for name, tensor := range p.tensors {
		size := map[uint32]uint64{0: 4, 1: 2}[tensor.kind]
		for _, d := range tensor.dims {
			size *= d
		}
		if offsets[name]%32 != 0 {
			t.Fatalf("%s at offset %d, not a multiple of 32", name, offsets[name])
		}
		at = base + int(offsets[name])
		tensor.data = take(int(size))
		p.tensors[name] = tensor
		end = max(end, (at+31)/32*32)
	}
	if end != len(file) {
		t.Fatalf("the tensors end at %d, the file at %d", end, len(file))
	}
	return p
}

// half reads a half-precision number without the writer's conversion.
func half(b []byte) float64 {
	bits := binary.LittleEndian.Uint16(b)
	exponent, fraction := int(bits>>10&31), float64(bits&0x3ff)/1024
	v := math.Ldexp(1+fraction, exponent-15)
	if exponent == 0 {
		v = math.Ldexp(fraction, -14)
	}
	if bits&0x8000 != 0 {
		v = -v
	}
	return v
}

// follow is the table that the weights stand for.
type follow struct {
	tokens []token
	states []int // of each token: the one dimension of its embedding
	best   []int // after each state: the likeliest token
}

func (p parsed) follow(t fatal) follow {
	texts, kinds := p.meta["tokenizer.ggml.tokens"].([]any), p.meta["tokenizer.ggml.token_type"].([]any)
	embedding, output := p.tensors["token_embd.weight"], p.tensors["output.weight"]
	width := int(embedding.dims[0])
	f := follow{states: make([]int, len(texts)), best: make([]int, width)}
	weights := make([]float64, width)
	for id, text := range texts {
		f.tokens = append(f.tokens, token{text.(string), tokenType(kinds[id].(int32))})
		row := embedding.data[2*id*width : 2*(id+1)*width]
		f.states[id] = bytes.Index(row, []byte{0x00, 0x3c}) / 2 // 1.0
		if one := half(row[2*f.states[id]:]); one != 1 || len(bytes.Trim(row, "\x00")) != 1 {
			t.Fatalf("the embedding of %q is not one-hot", text)
		}
		row = output.data[2*id*width : 2*(id+1)*width]
		if len(bytes.Trim(row, "\x00")) == 0 {
			continue
		}
		for i := range width {
			if v := half(row[2*i:]); v > weights[i] {
				f.best[i], weights[i] = id, v
			}
		}
	}
	for i, weight := range weights {
		if logit := weight * math.Sqrt(float64(width)); weight != 0 && math.Abs(logit-certainLogit) > 0.1 {
			t.Fatalf("state %d: logit %v, want %v", i, logit, certainLogit)
		}
	}
	return f
}

// answer follows the likeliest tokens from the token last of a prompt to the end
// token, at most limit, and returns their bytes.
func (f follow) answer(t fatal, last string, limit int) string {
	id := slices.IndexFunc(f.tokens, func(tok token) bool { return tok.text == last })
	if id < 0 {
		t.Fatalf("no token %q", last)
	}
	var chain []token
	for range limit {
		if id = f.best[f.states[id]]; id == endID {
			break
		}
		chain = append(chain, f.tokens[id])
	}
	return decoded(t, chain)
}

func TestWriteGGUFHeader(t *testing.T) {
	file := write(t, "ok")
	const head = "47475546" + "03000000" + "0c00000000000000" + "1a00000000000000" + // magic, version, 12 tensors, 26 keys
		"1400000000000000" + "67656e6572616c2e617263686974656374757265" + "08000000" + "0500000000000000" + "6c6c616d61"
	if got := hex.EncodeToString(file[:len(head)/2]); got != head {
		t.Errorf("the file begins\n%s, want\n%s", got, head)
	}
	if !bytes.Equal(file, write(t, "ok")) {
		t.Error("two files for one reply differ")
	}
	if len(file) > 2<<20 {
		t.Errorf("a model with a short reply takes %d bytes, want at most 2 MiB", len(file))
	}
	p := parse(t, file)
	vocab := p.meta["tokenizer.ggml.tokens"].([]any)
	for key, want := range map[string]any{
		"general.architecture": "llama", "general.alignment": uint32(32), "tokenizer.ggml.model": "llama",
		"llama.context_length": uint32(32768), "llama.block_count": uint32(1), "llama.embedding_length": uint32(32),
		"llama.vocab_size": uint32(len(vocab)), "tokenizer.ggml.bos_token_id": uint32(1), "tokenizer.ggml.eos_token_id": uint32(2),
		"tokenizer.ggml.add_space_prefix": false, "tokenizer.ggml.add_bos_token": true,
	} {
		if got := p.meta[key]; got != want {
			t.Errorf("%s = %v, want %v", key, got, want)
		}
	}
	for id, want := range map[int]string{0: "<unk>", 1: "<s>", 2: "</s>", 3: "<0x00>", 258: "<0xFF>"} {
		if vocab[id] != want {
			t.Errorf("token %d is %q, want %q", id, vocab[id], want)
		}
	}
	seen := map[any]bool{}
	for id, text := range vocab {
		if seen[text] {
			t.Errorf("token %d: %q twice", id, text)
		}
		seen[text] = true
	}
	if got := p.tensors["output.weight"]; got.kind != 1 || !slices.Equal(got.dims, []uint64{32, uint64(len(vocab))}) {
		t.Errorf("output.weight has type %d and dimensions %v", got.kind, got.dims)
	}
	if got := p.tensors["output_norm.weight"]; got.kind != 0 || !slices.Equal(got.dims, []uint64{32}) {
		t.Errorf("output_norm.weight has type %d and dimensions %v", got.kind, got.dims)
	}
}

func TestWriteGGUFAnyReply(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reply := anyText().Draw(t, "reply")
		p := parse(t, write(t, reply)).follow(t)
		for _, last := range []string{"<|assistant|>", directToken, "<s>"} {
			if got := p.answer(t, last, maxPieces); got != reply {
				t.Fatalf("after %s the model answers %q, want %q", last, got, reply)
			}
		}
	})
}

func TestWriteGGUFOptions(t *testing.T) {
	tests := []struct {
		name, reply  string
		opts         []Option
		asked, plain string // after the assistant's mark, and without thinking
	}{
		{"thinking", "42", []Option{Thinking("six\nby nine")}, "<think>\nsix\nby nine\n</think>\n\n42", "42"},
		{"empty thinking", "42", []Option{Thinking("")}, "<think>\n\n</think>\n\n42", "42"},
		{"thinking without an answer", "", []Option{Thinking("hm")}, "<think>\nhm\n</think>\n\n", ""},
		{"first of alternatives", "yes", []Option{Alternatives("no", "yes and no", "")}, "yes", "yes"},
		{"the empty reply first", "", []Option{Alternatives("no")}, "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := parse(t, write(t, test.reply, test.opts...)).follow(t)
			if got := p.answer(t, "<|assistant|>", 100); got != test.asked {
				t.Errorf("answer %q, want %q", got, test.asked)
			}
			if got := p.answer(t, directToken, 100); got != test.plain {
				t.Errorf("direct answer %q, want %q", got, test.plain)
			}
		})
	}
	endless := parse(t, write(t, "again and ", Endless(), TrainedContext(99)))
	if got := endless.follow(t).answer(t, "<|assistant|>", 400); strings.Count(got, "again and ") < 100 {
		t.Errorf("an endless reply gives %q", got)
	}
	if got := endless.meta["llama.context_length"]; got != uint32(99) {
		t.Errorf("trained context %v, want 99", got)
	}
}

func TestWriteGGUFRefusals(t *testing.T) {
	tests := []struct {
		reply string
		opt   Option
		want  string
	}{
		{"", Endless(), "scripted model: an endless reply must not be empty"},
		{"ok", TrainedContext(0), "scripted model: trained context of 0 tokens: want at least 1"},
		{strings.Repeat("\x00", 9000), Alternatives(), "scripted model: the replies need 9000 tokens, more than 8192: shorten them"},
	}
	for _, test := range tests {
		var b bytes.Buffer
		if err := WriteGGUF(&b, test.reply, test.opt); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
		if b.Len() > 0 {
			t.Errorf("%s: wrote %d bytes all the same", test.want, b.Len())
		}
	}
	full := errors.New("disk full")
	for _, after := range []int{0, 100, 300_000} {
		if err := WriteGGUF(&failingWriter{after, full}, "ok"); !errors.Is(err, full) {
			t.Errorf("a writer that fails after %d bytes: error %v, want %v", after, err, full)
		}
	}
}

// failingWriter takes some bytes, then fails.
type failingWriter struct {
	left int
	err  error
}

func (w *failingWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	if n < len(p) {
		return n, w.err
	}
	return n, nil
}

func TestFloat16(t *testing.T) {
	for f, want := range map[float32]uint16{
		0: 0, 1: 0x3c00, -1: 0xbc00, 0.5: 0x3800, 7.5: 0x4780, 10.606602: 0x494e, 65504: 0x7bff, 65520: 0x7c00, 1e-9: 0,
		2047.9: 0x6800, // the carry of rounding reaches the exponent
	} {
		t.Run(fmt.Sprint(f), func(t *testing.T) {
			if got := float16(f); got != want {
				t.Errorf("float16(%v) = %#04x, want %#04x", f, got, want)
			}
		})
	}
}
