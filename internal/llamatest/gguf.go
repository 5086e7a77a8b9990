package llamatest

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
)

// Value types and tensor types of the GGUF format, version 3.
const (
	ggufUint32  uint32 = 4
	ggufInt32   uint32 = 5
	ggufFloat32 uint32 = 6
	ggufBool    uint32 = 7
	ggufString  uint32 = 8
	ggufArray   uint32 = 9

	tensorF32 uint32 = 0
	tensorF16 uint32 = 1

	ggufVersion uint32 = 3
)

// ggufAlignment is where tensors begin: at multiples of so many bytes.
const ggufAlignment = 32

// headLength is the size of the one attention head. It does nothing but must
// exist; small, it keeps the key-value cache at 4 MB for 32k tokens.
const headLength = 32

// WriteGGUF writes a scripted model that answers reply to every prompt, then
// stops. The reply may be any bytes, also none; bytes that are no valid UTF-8
// come out of the tokenizer as they are. It fails when w does, or when the
// options ask for what no model can do.
func WriteGGUF(w io.Writer, reply string, opts ...Option) error {
	n, err := newScript(reply, opts).build()
	if err != nil {
		return err
	}
	g := &ggufWriter{w: bufio.NewWriterSize(w, 1<<16)}
	g.file(n.metadata(), n.tensors())
	if g.err == nil {
		g.err = g.w.Flush()
	}
	if g.err != nil {
		return fmt.Errorf("write scripted model: %w", g.err)
	}
	return nil
}

// entry is a key of the metadata with its value.
type entry struct {
	key   string
	value any
}

func (n *network) metadata() []entry {
	texts := make([]string, len(n.vocab))
	kinds := make([]int32, len(n.vocab))
	scores := make([]float32, len(n.vocab))
	for i, tok := range n.vocab {
		texts[i], kinds[i], scores[i] = tok.text, int32(tok.kind), -float32(i)
	}
	return []entry{
		{"general.architecture", "llama"},
		{"general.name", "assay scripted model"},
		{"general.alignment", uint32(ggufAlignment)},
		{"general.file_type", uint32(1)}, // mostly 16-bit floats
		{"llama.context_length", uint32(n.context)},
		{"llama.embedding_length", uint32(n.width)},
		{"llama.block_count", uint32(1)},
		{"llama.feed_forward_length", uint32(headLength)},
		{"llama.attention.head_count", uint32(1)},
		{"llama.attention.head_count_kv", uint32(1)},
		{"llama.attention.key_length", uint32(headLength)},
		{"llama.attention.value_length", uint32(headLength)},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-6)},
		{"llama.rope.dimension_count", uint32(headLength)},
		{"llama.vocab_size", uint32(len(n.vocab))},
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.ggml.pre", "default"},
		{"tokenizer.ggml.tokens", texts},
		{"tokenizer.ggml.scores", scores},
		{"tokenizer.ggml.token_type", kinds},
		{"tokenizer.ggml.unknown_token_id", uint32(unknownID)},
		{"tokenizer.ggml.bos_token_id", uint32(beginID)},
		{"tokenizer.ggml.eos_token_id", uint32(endID)},
		{"tokenizer.ggml.add_bos_token", true},
		{"tokenizer.ggml.add_space_prefix", false},
		{"tokenizer.chat_template", n.jinja},
	}
}

// tensor is a matrix of rows × width of 16-bit floats, or, when rows is 0, a
// vector of 32-bit ones: the weights of a norm. Rows are sparse: row calls set
// for each weight that is not 0; a nil row leaves all of them so.
type tensor struct {
	name        string
	rows, width int
	row         func(i int, set func(column int, weight float32))
}

// tensors returns the weights. Only the embedding and the output matrix say
// anything.
func (n *network) tensors() []tensor {
	// Edges by the token they lead to: a row of the output matrix is a token.
	into := make([][]edge, len(n.vocab))
	for _, e := range n.edges {
		into[e.to] = append(into[e.to], e)
	}
	embed := func(i int, set func(int, float32)) { set(n.states[i], 1) }
	output := func(i int, set func(int, float32)) {
		for _, e := range into[i] {
			set(e.from, n.weight(e))
		}
	}
	return []tensor{
		{"token_embd.weight", len(n.vocab), n.width, embed},
		{"output_norm.weight", 0, n.width, nil},
		{"output.weight", len(n.vocab), n.width, output},
		{"blk.0.attn_norm.weight", 0, n.width, nil},
		{"blk.0.attn_q.weight", headLength, n.width, nil},
		{"blk.0.attn_k.weight", headLength, n.width, nil},
		{"blk.0.attn_v.weight", headLength, n.width, nil},
		{"blk.0.attn_output.weight", n.width, headLength, nil},
		{"blk.0.ffn_norm.weight", 0, n.width, nil},
		{"blk.0.ffn_gate.weight", headLength, n.width, nil},
		{"blk.0.ffn_up.weight", headLength, n.width, nil},
		{"blk.0.ffn_down.weight", n.width, headLength, nil},
	}
}

// size returns the bytes of the tensor's data.
func (t tensor) size() int {
	if t.rows == 0 {
		return t.width * 4
	}
	return t.rows * t.width * 2
}

// ggufWriter writes little-endian GGUF and keeps the first error.
type ggufWriter struct {
	w       *bufio.Writer
	written int
	err     error
}

func (g *ggufWriter) file(meta []entry, tensors []tensor) {
	g.bytes([]byte("GGUF"))
	g.number(ggufVersion)
	g.number(uint64(len(tensors)))
	g.number(uint64(len(meta)))
	for _, e := range meta {
		g.text(e.key)
		g.value(e.value)
	}
	offset := 0
	for _, t := range tensors {
		g.text(t.name)
		// The first dimension is the length of a row.
		if t.rows == 0 {
			g.number(uint32(1))
			g.number(uint64(t.width))
			g.number(tensorF32)
		} else {
			g.number(uint32(2))
			g.number([]uint64{uint64(t.width), uint64(t.rows)})
			g.number(tensorF16)
		}
		g.number(uint64(offset))
		offset += aligned(t.size())
	}
	g.pad()
	for _, t := range tensors {
		g.tensorData(t)
		g.pad()
	}
}

func (g *ggufWriter) tensorData(t tensor) {
	if t.rows == 0 {
		g.number(slices.Repeat([]float32{1}, t.width))
		return
	}
	half := make([]byte, 2*t.width)
	set := func(column int, weight float32) {
		binary.LittleEndian.PutUint16(half[2*column:], float16(weight))
	}
	for i := range t.rows {
		clear(half)
		if t.row != nil {
			t.row(i, set)
		}
		g.bytes(half)
	}
}

// value writes a metadata value with its type before it.
func (g *ggufWriter) value(v any) {
	switch v := v.(type) {
	case uint32:
		g.number(ggufUint32)
		g.number(v)
	case float32:
		g.number(ggufFloat32)
		g.number(v)
	case bool:
		g.number(ggufBool)
		g.number(v)
	case string:
		g.number(ggufString)
		g.text(v)
	case []string:
		g.array(ggufString, len(v))
		for _, s := range v {
			g.text(s)
		}
	case []float32:
		g.array(ggufFloat32, len(v))
		g.number(v)
	case []int32:
		g.array(ggufInt32, len(v))
		g.number(v)
	default:
		panic(fmt.Sprintf("llamatest: no GGUF type for %T", v)) // a key of ours, never input
	}
}

func (g *ggufWriter) array(element uint32, length int) {
	g.number(ggufArray)
	g.number(element)
	g.number(uint64(length))
}

func (g *ggufWriter) text(s string) {
	g.number(uint64(len(s)))
	g.bytes([]byte(s))
}

// number writes a fixed-size value or a slice of them.
func (g *ggufWriter) number(v any) {
	b, err := binary.Append(nil, binary.LittleEndian, v)
	if err != nil {
		panic(fmt.Sprintf("llamatest: %v", err)) // a type of ours, never input
	}
	g.bytes(b)
}

func (g *ggufWriter) pad() { g.bytes(slices.Repeat([]byte{0}, aligned(g.written)-g.written)) }

func (g *ggufWriter) bytes(b []byte) {
	if g.err != nil {
		return
	}
	n, err := g.w.Write(b)
	g.written += n
	g.err = err
}

func aligned(n int) int { return (n + ggufAlignment - 1) / ggufAlignment * ggufAlignment }

// float16 rounds to the nearest IEEE half-precision number, ties away from
// zero. The weights written here are 0, 1 and numbers between 0.1 and 20, so
// neither subnormals nor overflow are rounded with care.
func float16(f float32) uint16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	// Half a unit of the last kept place; a carry runs into the exponent as it should.
	magnitude := bits&0x7fffffff + 0x1000
	exponent := int(magnitude>>23) - 127 + 15
	switch {
	case exponent <= 0:
		return sign
	case exponent >= 31:
		return sign | 0x7c00
	}
	return sign | uint16(exponent)<<10 | uint16(magnitude>>13&0x3ff)
}
