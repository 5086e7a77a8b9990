package parquet

import "encoding/binary"

// compact writes structures in Thrift's compact protocol, in which Parquet keeps what it says of itself.
type compact struct {
	b     []byte
	last  int16   // number of the structure's last field
	outer []int16 // of the structures around it
}

// Types of the protocol.
const (
	isTrue   = 1
	isFalse  = 2
	isInt32  = 5
	isInt64  = 6
	isBinary = 8
	isList   = 9
	isStruct = 12
)

func (c *compact) varint(n uint64) { c.b = binary.AppendUvarint(c.b, n) }

func (c *compact) zigzag(n int64) { c.varint(uint64(n<<1) ^ uint64(n>>63)) }

// field begins a field; numbers grow within a structure by at most 15.
func (c *compact) field(number int16, kind byte) {
	c.b = append(c.b, byte(number-c.last)<<4|kind)
	c.last = number
}

func (c *compact) int32(number int16, n int32) {
	c.field(number, isInt32)
	c.zigzag(int64(n))
}

func (c *compact) int64(number int16, n int64) {
	c.field(number, isInt64)
	c.zigzag(n)
}

func (c *compact) bool(number int16, v bool) {
	if v {
		c.field(number, isTrue)
	} else {
		c.field(number, isFalse)
	}
}

func (c *compact) string(number int16, s string) {
	c.field(number, isBinary)
	c.text(s)
}

// text writes a string without a field, as lists hold it.
func (c *compact) text(s string) {
	c.varint(uint64(len(s)))
	c.b = append(c.b, s...)
}

func (c *compact) list(number int16, kind byte, n int) {
	c.field(number, isList)
	if n < 15 {
		c.b = append(c.b, byte(n)<<4|kind)
		return
	}
	c.b = append(c.b, 0xf0|kind)
	c.varint(uint64(n))
}

// begin opens a structure: a field's, or with number 0 one of a list. end closes it.
func (c *compact) begin(number int16) {
	if number > 0 {
		c.field(number, isStruct)
	}
	c.outer, c.last = append(c.outer, c.last), 0
}

func (c *compact) end() {
	c.b = append(c.b, 0)
	c.last, c.outer = c.outer[len(c.outer)-1], c.outer[:len(c.outer)-1]
}
