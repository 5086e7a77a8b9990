package report

import (
	"fmt"
	"strings"

	"github.com/assaybench/assay/record"
)

const conductTitle = "What the servers did"

// conductSection says, model by model, what became of prompts and settings and who answered. Controls ask nobody and have
// no lines. Lines that hold for several settings stand once.
func (r *Result) conductSection() section {
	sec := section{title: conductTitle}
	type said struct {
		line string
		each bool // it counts the attempts of one setting
	}
	number := map[said][]int{}
	var order []said
	say := func(line string, each bool, settings ...int) {
		l := said{line, each}
		if line == "" {
			return
		}
		if number[l] == nil {
			order = append(order, l)
		}
		number[l] = append(number[l], settings...)
	}
	for i := range r.Servers {
		var mine []int
		var load int64
		for n := range r.Attempts.Settings {
			s := &r.Attempts.Settings[n]
			if s.Model != r.Servers[i].Model || s.Control {
				continue
			}
			mine = append(mine, n)
			if s.Ready != nil {
				load = max(load, s.Ready.LoadNS)
			}
			for _, l := range s.lines() {
				say(l, true, n)
			}
		}
		if len(mine) == 0 {
			continue
		}
		for _, l := range r.Servers[i].lines(load) {
			say(l, false, mine...)
		}
	}
	for _, l := range order {
		sec.lines = append(sec.lines, r.prefix(number[l], l.each)+l.line)
	}
	return sec
}

// prefix names settings by their numbers in the table of results; a run of one has no need of it.
func (r *Result) prefix(settings []int, each bool) string {
	if len(r.Attempts.Settings) == 1 {
		return ""
	}
	var parts []string
	for i := 0; i < len(settings); i++ {
		j := i
		for j+1 < len(settings) && settings[j+1] == settings[j]+1 {
			j++
		}
		if j > i+1 {
			parts = append(parts, fmt.Sprintf("#%d-#%d", settings[i]+1, settings[j]+1))
			i = j
			continue
		}
		parts = append(parts, fmt.Sprintf("#%d", settings[i]+1))
	}
	s := strings.Join(parts, ", ")
	if each && len(settings) > 1 {
		s += " each"
	}
	return s + ": "
}

// lines are what there is to say of a model at a posture: one line where all is as it was asked for.
func (s *Setting) lines() []string {
	first := s.Delivery.String()
	join := func(more string) {
		if first != "" && more != "" {
			first += "; "
		}
		first += more
	}
	var rest []string
	told := 0
	for i := range s.Wishes {
		if w := &s.Wishes[i]; w.told() {
			told++
			rest = append(rest, w.String())
		}
	}
	switch {
	case s.Replies == 0:
	case s.SettingsRead < s.Replies:
		join("settings of attempts: " + s.unreadSettings())
	case told == 0 && s.program:
		join("settings handed to the program")
	case told == 0:
		join("settings as asked")
	}
	if p := s.Probe; p != nil {
		switch p.State {
		case "shown", "unneeded":
			join(p.String())
		default:
			rest = append(rest, p.String())
		}
	}
	rest = append(rest, s.Retries.String(), s.Times.reloadWords())
	return append([]string{first}, rest...)
}

// unreadSettings says that transcripts were not read, and how they can be.
func (s *Setting) unreadSettings() string {
	if s.SettingsRead == 0 {
		return fmt.Sprintf("not read (%s); --full reads them", attemptWords(s.Replies))
	}
	return fmt.Sprintf("read of %s of %s; --full reads all", thousands(int64(s.SettingsRead)), attemptWords(s.Replies))
}

// Ready is what a server said when it was made ready for a posture.
type Ready struct {
	Context int64 `json:"context"` // tokens that one request can hold; 0: not known
	LoadNS  int64 `json:"load_ns"` // to load the model; 0: not known, or it was loaded
	// Settings are those that will not be as the posture asks, or are only asked for.
	Settings []record.Setting `json:"settings"`
}
