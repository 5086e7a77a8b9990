package kairos

import (
	_ "embed"
	"slices"
	"strings"
)

// zoneTable holds every zone; zonegen describes and makes it.
//
//go:embed zones.bin
var zoneTable string

// loadZone makes the zone of a name, which is one of the names of the time zone database in any case of letters, or an
// offset from -14:59 to +14:59.
func loadZone(name string) (*zone, *Error) {
	if offsetLike(name) {
		off, ok := parseOffset(name)
		if !ok {
			return nil, fail(Span{}, "tz.offset-form", name)
		}
		return &zone{name: name, starts: []int64{minusInf}, offs: []int64{off}}, nil
	}
	data, ok := findZone(name)
	if !ok {
		return nil, fail(Span{}, "tz.unknown", name, zoneLike(name))
	}
	z := decodeZone(data)
	z.name = name
	return z, nil
}

// offsetLike says whether a name is to be read as an offset, if at all.
func offsetLike(name string) bool {
	if name == "Z" || strings.HasPrefix(name, "+") || strings.HasPrefix(name, "-") {
		return true
	}
	after, ok := strings.CutPrefix(name, "UTC")
	return ok && after != "" && after[0] != '\n' && after[0] != '\r'
}

// parseOffset reads +09:00 as milliseconds.
func parseOffset(s string) (int64, bool) {
	if len(s) != 6 || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, false
	}
	for _, i := range [...]int{1, 2, 4, 5} {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	h, m := int64(s[1]-'0')*10+int64(s[2]-'0'), int64(s[4]-'0')*10+int64(s[5]-'0')
	if h > 14 || m > 59 {
		return 0, false
	}
	off := (h*60 + m) * minuteMs
	if s[0] == '-' {
		off = -off
	}
	return off, true
}

const minuteMs = 60_000

// The table is, with numbers of two bytes, low byte first: the number of names; for each name, in the order of their
// lower-case forms, the offset of its end among the names and the number of its zone; the names; the number of zones;
// for each zone, the offset of its end among the data; the data. Offsets of data have four bytes.
type zoneDir struct {
	count int
	names int // where the names begin
	zones int // where the ends of the data begin
	data  int // where the data begin
}

func readZoneDir() zoneDir {
	d := zoneDir{count: number16(0)}
	d.names = 2 + 4*d.count
	d.zones = d.names + number16(d.names-4)
	d.data = d.zones + 2 + 4*number16(d.zones)
	d.zones += 2
	return d
}

// name gives the i-th name.
func (d zoneDir) name(i int) string {
	from := 0
	if i > 0 {
		from = number16(2 + 4*(i-1))
	}
	return zoneTable[d.names+from : d.names+number16(2+4*i)]
}

// zone gives the data of the i-th name's zone.
func (d zoneDir) zone(i int) string {
	n := number16(2 + 4*i + 2)
	from := 0
	if n > 0 {
		from = number32(d.zones + 4*(n-1))
	}
	return zoneTable[d.data+from : d.data+number32(d.zones+4*n)]
}

func number16(at int) int { return int(zoneTable[at]) | int(zoneTable[at+1])<<8 }

func number32(at int) int { return number16(at) | number16(at+2)<<16 }

// findZone gives the data of a zone by its name.
func findZone(name string) (data string, ok bool) {
	d := readZoneDir()
	lo, hi := 0, d.count
	for lo < hi {
		m := int(uint(lo+hi) >> 1)
		c := compareFold(d.name(m), name)
		if c == 0 {
			return d.zone(m), true
		}
		if c < 0 {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return "", false
}

// compareFold compares as if all letters A to Z were lower case. Other letters have no case here: no zone has them.
func compareFold(a, b string) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if x, y := lower(a[i]), lower(b[i]); x != y {
			return int(x) - int(y)
		}
	}
	return len(a) - len(b)
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// zoneNames gives the names of all zones in their usual spelling, sorted.
func zoneNames() []string {
	d := readZoneDir()
	names := make([]string, d.count)
	for i := range names {
		names[i] = d.name(i)
	}
	slices.Sort(names)
	return names
}
