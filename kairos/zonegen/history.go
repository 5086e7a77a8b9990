package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// history is a zone: the offset in force at firstMinute, the changes after it, and the rule that goes on after the last
// of them.
type history struct {
	initial int // minutes
	changes []change
	rule    []yearly // none or two, in the order of the year
	from    int64    // the rule's changes are those after this minute
}

// change is a new offset, in minutes, at a minute since 1970.
type change struct {
	minute int64
	off    int
}

// yearly changes to an offset on the week-th weekday of a month, at minutes after 00:00Z of that day. Week 5 is the last.
type yearly struct{ month, week, weekday, at, off int }

var firstMinute = time.Date(1969, 1, 1, 0, 0, 0, 0, time.UTC).Unix() / 60

// add appends a change unless it changes nothing. Of two in the same minute only the later counts.
func (h *history) add(minute int64, off int) {
	h.from = max(h.from, minute)
	if minute <= firstMinute {
		h.initial = off
		return
	}
	if n := len(h.changes); n > 0 && h.changes[n-1].minute == minute {
		h.changes = h.changes[:n-1]
	}
	if h.last() != off {
		h.changes = append(h.changes, change{minute, off})
	}
}

// last gives the offset after the last change.
func (h *history) last() int {
	if n := len(h.changes); n > 0 {
		return h.changes[n-1].off
	}
	return h.initial
}

// compiled reads a zone from the compiled form of RFC 9636. Only the block with times of eight bytes is used.
func compiled(data []byte) (*history, error) {
	const header = 44
	if len(data) < header || string(data[:4]) != "TZif" || data[4] < '2' {
		return nil, errors.New("not a compiled zone of version 2 or later")
	}
	count := func(at, i int) int { return int(binary.BigEndian.Uint32(data[at+20+4*i:])) }
	const isut, isstd, leap, times, types, chars = 0, 1, 2, 3, 4, 5
	at := header + count(0, times)*5 + count(0, types)*6 + count(0, chars) + count(0, leap)*8 + count(0, isstd) + count(0, isut)
	if len(data) < at+header {
		return nil, errors.New("too short")
	}
	nTimes, nTypes := count(at, times), count(at, types)
	instants := at + header
	indexes := instants + 8*nTimes
	offsets := indexes + nTimes
	end := offsets + 6*nTypes + count(at, chars) + count(at, leap)*12 + count(at, isstd) + count(at, isut)
	if nTypes == 0 || count(at, leap) > 0 || len(data) < end+2 || data[end] != '\n' || data[len(data)-1] != '\n' {
		return nil, errors.New("damaged, or with leap seconds")
	}
	offset := func(i int) int {
		seconds := int(int32(binary.BigEndian.Uint32(data[offsets+6*i:])))
		return floorDiv(seconds+30, 60)
	}
	h := &history{initial: offset(0), from: firstMinute}
	for i := range nTimes {
		t := int(int64(binary.BigEndian.Uint64(data[instants+8*i:])))
		h.add(int64(floorDiv(t+59, 60)), offset(int(data[indexes+i])))
	}
	return h, h.setRule(string(data[end+1 : len(data)-1]))
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// setRule reads the rule for the time after the last change, such as EST5EDT,M3.2.0,M11.1.0.
func (h *history) setRule(rule string) error {
	p := ruleParser{rest: rule}
	p.name()
	std := -p.clock()
	if p.rest == "" && p.err == nil {
		if h.last() != std/60 {
			return fmt.Errorf("rule %q does not go on from offset %d", rule, h.last())
		}
		return nil
	}
	p.name()
	dst := std + 3600
	if p.rest != "" && p.rest[0] != ',' {
		dst = -p.clock()
	}
	begin := p.day(std, dst)
	end := p.day(dst, std)
	if p.err == nil && p.rest != "" {
		p.fail()
	}
	if p.err != nil {
		return fmt.Errorf("rule %q: %w", rule, p.err)
	}
	h.rule = []yearly{begin, end}
	if begin.month > end.month {
		h.rule = []yearly{end, begin}
	}
	return nil
}

// ruleParser takes a rule apart from the left.
type ruleParser struct {
	rest string
	err  error
}

func (p *ruleParser) fail() {
	if p.err == nil {
		p.err = fmt.Errorf("cannot read %q", p.rest)
	}
	p.rest = ""
}

// name skips letters or <anything>.
func (p *ruleParser) name() {
	i := 0
	if p.rest != "" && p.rest[0] == '<' {
		for i < len(p.rest) && p.rest[i] != '>' {
			i++
		}
		i++
	} else {
		for i < len(p.rest) && (p.rest[i]|0x20 >= 'a' && p.rest[i]|0x20 <= 'z') {
			i++
		}
	}
	if i < 3 || i > len(p.rest) {
		p.fail()
		return
	}
	p.rest = p.rest[i:]
}

func (p *ruleParser) number() int {
	i := 0
	for i < len(p.rest) && p.rest[i] >= '0' && p.rest[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(p.rest[:i])
	if err != nil {
		p.fail()
		return 0
	}
	p.rest = p.rest[i:]
	return n
}

// skip takes a byte, if it is the next one.
func (p *ruleParser) skip(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// clock reads [+-]h[:m[:s]] as seconds.
func (p *ruleParser) clock() int {
	sign := 1
	if p.skip('-') {
		sign = -1
	} else {
		p.skip('+')
	}
	s := p.number() * 3600
	if p.skip(':') {
		s += p.number() * 60
		if p.skip(':') {
			s += p.number()
		}
	}
	return sign * s
}

// day reads ,Mm.w.d[/time]: when the offset changes from before to after, both in seconds.
func (p *ruleParser) day(before, after int) yearly {
	ok := p.skip(',') && p.skip('M')
	month := p.number()
	ok = ok && p.skip('.')
	week := p.number()
	ok = ok && p.skip('.')
	weekday := p.number()
	at := 2 * 3600
	if p.skip('/') {
		at = p.clock()
	}
	if !ok || (at-before)%60 != 0 || after%60 != 0 {
		p.fail()
	}
	return yearly{month, week, weekday, (at - before) / 60, after / 60}
}
