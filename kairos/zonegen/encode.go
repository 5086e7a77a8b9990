package main

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"
)

// encode lays the zones out; equal ones are stored once.
func encode(zones map[string]*history) ([]byte, error) {
	names := slices.SortedFunc(maps.Keys(zones), func(a, b string) int {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	})
	var dir, text, ends, data []byte
	numbers := map[string]int{}
	for _, name := range names {
		record := string(zones[name].encode())
		n, known := numbers[record]
		if !known {
			n = len(numbers)
			numbers[record] = n
			data = append(data, record...)
			ends = binary.LittleEndian.AppendUint32(ends, uint32(len(data)))
		}
		text = append(text, name...)
		dir = binary.LittleEndian.AppendUint16(dir, uint16(len(text)))
		dir = binary.LittleEndian.AppendUint16(dir, uint16(n))
	}
	if len(text) > 0xFFFF {
		return nil, errors.New("the names do not fit")
	}
	table := binary.LittleEndian.AppendUint16(nil, uint16(len(names)))
	table = append(table, dir...)
	table = append(table, text...)
	table = binary.LittleEndian.AppendUint16(table, uint16(len(numbers)))
	table = append(table, ends...)
	return append(table, data...), nil
}

func (h *history) encode() []byte {
	offs := []int{h.initial}
	for _, c := range h.changes {
		if !slices.Contains(offs, c.off) {
			offs = append(offs, c.off)
		}
	}
	b := binary.AppendUvarint(nil, uint64(len(offs)))
	for _, off := range offs {
		b = appendMinutes(b, off)
	}
	b = binary.AppendUvarint(b, uint64(len(h.changes)))
	before := firstMinute
	for _, c := range h.changes {
		b = binary.AppendUvarint(b, uint64(c.minute-before))
		b = binary.AppendUvarint(b, uint64(slices.Index(offs, c.off)))
		before = c.minute
	}
	b = binary.AppendUvarint(b, uint64(len(h.rule)))
	if len(h.rule) > 0 {
		b = binary.AppendUvarint(b, uint64(h.from-before))
	}
	for _, r := range h.rule {
		b = append(b, byte(r.month), byte(r.week), byte(r.weekday))
		b = appendMinutes(appendMinutes(b, r.at), r.off)
	}
	return b
}

func appendMinutes(b []byte, n int) []byte {
	return binary.LittleEndian.AppendUint16(b, uint16(int16(n)))
}
