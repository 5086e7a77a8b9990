package premise

// Holiday is a day off work by name.
type Holiday struct {
	English  string `json:"en"`
	Japanese string `json:"ja"`
}

// holidays are the holidays of the bench's own country by name: known of Japan, which its zone names, and none elsewhere.
func (s *Set) holidays() map[string]Holiday {
	if s.spec.tz == "Asia/Tokyo" {
		return japanese
	}
	return nil
}

// japanese are Japan's of 2026, the year of the benches. A substitute is for a holiday on a Sunday; a citizens' holiday lies
// between two others.
var japanese = map[string]Holiday{
	"2026-01-01": {"New Year's Day", "元日"},
	"2026-01-12": {"Coming of Age Day", "成人の日"},
	"2026-02-11": {"National Foundation Day", "建国記念の日"},
	"2026-02-23": {"the Emperor's Birthday", "天皇誕生日"},
	"2026-03-20": {"Vernal Equinox Day", "春分の日"},
	"2026-04-29": {"Showa Day", "昭和の日"},
	"2026-05-03": {"Constitution Memorial Day", "憲法記念日"},
	"2026-05-04": {"Greenery Day", "みどりの日"},
	"2026-05-05": {"Children's Day", "こどもの日"},
	"2026-05-06": {"substitute for Constitution Memorial Day", "振替休日"},
	"2026-07-20": {"Marine Day", "海の日"},
	"2026-08-11": {"Mountain Day", "山の日"},
	"2026-09-21": {"Respect for the Aged Day", "敬老の日"},
	"2026-09-22": {"citizens' holiday", "国民の休日"},
	"2026-09-23": {"Autumnal Equinox Day", "秋分の日"},
	"2026-10-12": {"Sports Day", "スポーツの日"},
	"2026-11-03": {"Culture Day", "文化の日"},
	"2026-11-23": {"Labour Thanksgiving Day", "勤労感謝の日"},
}
