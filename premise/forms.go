package premise

import (
	"encoding/json"
	"fmt"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/check/strictjson"
)

// fileForms is a file beside the published ones, which have no place for what it holds: the forms of the messages of a bench
// that are not the published protocol's.
const fileForms = "forms.json"

// forms are how a bench speaks with a model.
type forms struct {
	Language   string `json:"language"`
	TZ         string `json:"tz"`
	User       string `json:"user"`
	UserAllDay string `json:"user_all_day"`
	Repair     string `json:"repair"`
}

// published are the forms of the published protocol, with this program's own words where it has none.
func published() forms { return forms{"ja", "Asia/Tokyo", userTemplate, userAllDayTemplate, ownRepair} }

// forms gives a bench's own; kept says whether the published files alone would lose them. Words for a reply that is to be mended
// are always some program's own, and are no reason.
func (s *Set) forms() (f forms, kept bool, err error) {
	repair, err := s.bench.Fixture(s.bench.Own.Get("repair").Text)
	f = forms{s.spec.language, s.spec.tz, s.spec.user, s.spec.userAllDay, string(repair)}
	usual := published()
	usual.Repair = f.Repair
	return f, f != usual, err
}

func (f forms) file() ([]byte, error) {
	out, err := json.MarshalIndent(f, "", "  ")
	return append(out, '\n'), err
}

// readForms reads the file of an export; nil gives the published forms. What the texts must hold is checked where the bench is
// compiled.
func readForms(data []byte) (forms, error) {
	f := published()
	if data == nil {
		return f, nil
	}
	fault := func(format string, args ...any) (forms, error) {
		return forms{}, &bench.Error{File: fileForms, Msg: fmt.Sprintf("not {language, tz, user, user_all_day, repair}: "+format, args...)}
	}
	v, err := strictjson.Parse(string(data))
	if err != nil {
		return fault("%v", err)
	}
	if err := members(v, place{"it", "これ"}, "language", "tz", "user", "user_all_day", "repair"); err != nil {
		return fault("%v", err)
	}
	for name, to := range map[string]*string{"language": &f.Language, "tz": &f.TZ, "user": &f.User, "user_all_day": &f.UserAllDay, "repair": &f.Repair} {
		if *to, err = textOf(v.Get(name), name); err != nil {
			return fault("%v", err)
		}
	}
	return f, nil
}
