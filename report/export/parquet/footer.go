package parquet

// Numbers of the format's enumerations.
const (
	encodingPlain = 0
	encodingRLE   = 3

	codecZstd = 6

	typeBool  = 0
	typeInt64 = 2
	typeBytes = 6

	convertedUTF8   = 0
	convertedMicros = 10
)

func (k Kind) physical() int32 {
	switch k {
	case Text:
		return typeBytes
	case Bool:
		return typeBool
	}
	return typeInt64
}

// footer describes the file.
func (p *Writer) footer() []byte {
	var c compact
	c.begin(0)
	c.int32(1, 1)
	c.list(2, isStruct, len(p.columns)+1)
	c.begin(0)
	c.string(4, "table")
	c.int32(5, int32(len(p.columns)))
	c.end()
	for i := range p.columns {
		p.columns[i].describe(&c)
	}
	c.int64(3, p.total)
	c.list(4, isStruct, len(p.groups))
	for _, g := range p.groups {
		c.begin(0)
		c.list(1, isStruct, len(g.chunks))
		for i, x := range g.chunks {
			c.begin(0)
			c.int64(2, x.at)
			c.begin(3)
			c.int32(1, p.columns[i].Kind.physical())
			c.list(2, isInt32, 2)
			c.zigzag(encodingPlain)
			c.zigzag(encodingRLE)
			c.list(3, isBinary, 1)
			c.text(p.columns[i].Name)
			c.int32(4, codecZstd)
			c.int64(5, g.rows)
			c.int64(6, x.raw)
			c.int64(7, x.packed)
			c.int64(9, x.at)
			c.end()
			c.end()
		}
		c.int64(2, g.size)
		c.int64(3, g.rows)
		c.end()
	}
	c.string(6, "assay")
	c.end()
	return c.b
}

// describe writes a column of the schema.
func (col *Column) describe(c *compact) {
	c.begin(0)
	c.int32(1, col.Kind.physical())
	optional := int32(0)
	if col.Optional {
		optional = 1
	}
	c.int32(3, optional)
	c.string(4, col.Name)
	switch col.Kind {
	case Text:
		c.int32(6, convertedUTF8)
		c.begin(10)
		c.begin(1)
		c.end()
		c.end()
	case Time:
		c.int32(6, convertedMicros)
		c.begin(10)
		c.begin(8)
		c.bool(1, true) // of UTC
		c.begin(2)
		c.begin(2) // microseconds
		c.end()
		c.end()
		c.end()
		c.end()
	}
	c.end()
}
