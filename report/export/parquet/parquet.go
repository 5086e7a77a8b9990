// Package parquet writes flat tables as Apache Parquet files: plain encoding, pages compressed by Zstandard, texts in UTF-8,
// times in microseconds of UTC. It holds one group of rows in memory and writes no statistics. It is kept so small since a whole
// implementation of the format would be a quarter of the program.
package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
)

// Kind is what a column's cells are. The zero value is text.
type Kind uint8

const (
	Text Kind = iota // string
	Int              // int64
	Bool             // bool
	Time             // time.Time
)

// Column is a column of a table. Only an optional one may hold nil.
type Column struct {
	Name     string
	Kind     Kind
	Optional bool
}

// What a group holds at the most before it is written.
const (
	groupRows  = 50_000
	groupBytes = 32 << 20
)

const magic = "PAR1"

// Writer writes one file.
type Writer struct {
	w       io.Writer
	columns []Column
	chunks  []chunk
	rows    int // in the group
	size    int
	total   int64
	at      int64 // offset in the file
	groups  []group
	zstd    *zstd.Encoder
	err     error
}

// chunk is a column's part of the group that is being gathered.
type chunk struct {
	values []byte
	levels []byte // 1 for a value, 0 for none; optional columns only
	bits   int    // of a column of truths
}

type group struct {
	rows, size int64
	chunks     []placed
}

// placed is a chunk that has been written.
type placed struct{ at, raw, packed int64 }

// NewWriter begins a file. Names of columns are not empty, and differ.
func NewWriter(w io.Writer, columns []Column) (*Writer, error) {
	seen := map[string]bool{}
	for _, c := range columns {
		if c.Name == "" || seen[c.Name] || c.Kind > Time {
			return nil, fmt.Errorf("parquet: the column %q has no name, stands twice or has a kind that is not known", c.Name)
		}
		seen[c.Name] = true
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("parquet: a table without a column")
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	p := &Writer{w: w, columns: columns, chunks: make([]chunk, len(columns)), zstd: z}
	p.write([]byte(magic))
	return p, p.err
}

func (p *Writer) write(b []byte) {
	if p.err == nil {
		_, p.err = p.w.Write(b)
		p.at += int64(len(b))
	}
}

// Row adds a row, a cell for each column in their order. A cell of another kind than its column's is an error, after which
// the file cannot be gone on with.
func (p *Writer) Row(cells []any) error {
	if p.err != nil {
		return p.err
	}
	if len(cells) != len(p.columns) {
		p.err = fmt.Errorf("parquet: %d cells for %d columns", len(cells), len(p.columns))
		return p.err
	}
	for i, v := range cells {
		if p.err = p.chunks[i].add(&p.columns[i], v, &p.size); p.err != nil {
			return p.err
		}
	}
	p.rows++
	if p.rows >= groupRows || p.size >= groupBytes {
		p.flush()
	}
	return p.err
}

func (c *chunk) add(col *Column, v any, size *int) error {
	if v == nil {
		if !col.Optional {
			return fmt.Errorf("parquet: the column %s has a row without a value", col.Name)
		}
		c.levels = append(c.levels, 0)
		return nil
	}
	before := len(c.values)
	switch v := v.(type) {
	case string:
		if col.Kind != Text {
			return col.wrong(v)
		}
		v = strings.ToValidUTF8(v, "\ufffd")
		if len(v) > math.MaxInt32/2 {
			return fmt.Errorf("parquet: the column %s has a text of %d bytes", col.Name, len(v))
		}
		c.values = append(binary.LittleEndian.AppendUint32(c.values, uint32(len(v))), v...)
	case int64:
		if col.Kind != Int {
			return col.wrong(v)
		}
		c.values = binary.LittleEndian.AppendUint64(c.values, uint64(v))
	case time.Time:
		if col.Kind != Time {
			return col.wrong(v)
		}
		c.values = binary.LittleEndian.AppendUint64(c.values, uint64(v.UnixMicro()))
	case bool:
		if col.Kind != Bool {
			return col.wrong(v)
		}
		if c.bits%8 == 0 {
			c.values = append(c.values, 0)
		}
		if v {
			c.values[c.bits/8] |= 1 << (c.bits % 8)
		}
		c.bits++
	default:
		return col.wrong(v)
	}
	if col.Optional {
		c.levels = append(c.levels, 1)
	}
	*size += len(c.values) - before
	return nil
}

func (c *Column) wrong(v any) error {
	return fmt.Errorf("parquet: the column %s has a %T", c.Name, v)
}

// page is the chunk's one page, before it is compressed: for optional columns which rows have a value, and then the values.
func (c *chunk) page() []byte {
	if c.levels == nil {
		return c.values
	}
	var runs []byte
	for i := 0; i < len(c.levels); {
		j := i + 1
		for j < len(c.levels) && c.levels[j] == c.levels[i] {
			j++
		}
		runs = append(binary.AppendUvarint(runs, uint64(j-i)<<1), c.levels[i])
		i = j
	}
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(runs)))
	return append(append(out, runs...), c.values...)
}

// flush writes the group that was gathered.
func (p *Writer) flush() {
	if p.rows == 0 || p.err != nil {
		return
	}
	g := group{rows: int64(p.rows)}
	for i := range p.chunks {
		raw := p.chunks[i].page()
		packed := p.zstd.EncodeAll(raw, nil)
		if len(raw) > math.MaxInt32 || len(packed) > math.MaxInt32 {
			p.err = fmt.Errorf("parquet: a page of %d bytes", len(raw))
			return
		}
		var h compact
		h.begin(0)
		h.int32(1, 0) // a data page
		h.int32(2, int32(len(raw)))
		h.int32(3, int32(len(packed)))
		h.begin(5)
		h.int32(1, int32(p.rows))
		h.int32(2, encodingPlain)
		h.int32(3, encodingRLE)
		h.int32(4, encodingRLE)
		h.end()
		h.end()
		x := placed{p.at, int64(len(h.b) + len(raw)), int64(len(h.b) + len(packed))}
		p.write(h.b)
		p.write(packed)
		g.chunks, g.size = append(g.chunks, x), g.size+x.raw
		p.chunks[i] = chunk{}
	}
	p.groups = append(p.groups, g)
	p.total, p.rows, p.size = p.total+g.rows, 0, 0
}

// Close writes what is left and the footer. It does not close the stream below.
func (p *Writer) Close() error {
	p.flush()
	footer := p.footer()
	p.write(footer)
	p.write(binary.LittleEndian.AppendUint32(nil, uint32(len(footer))))
	p.write([]byte(magic))
	p.zstd.Close()
	return p.err
}
