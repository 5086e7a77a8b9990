package main

import (
	"fmt"
	"time"
)

// databaseWanted is the version of the database that the lists below have been checked against.
const databaseWanted = "2025c"

// left are entries of the database that are no zones in a schedule.
var left = map[string]bool{"Factory": true}

// aliases are names that platforms know beyond the database, and names whose meaning is another one there.
var aliases = map[string]string{
	"ACT": "Australia/Darwin", "AET": "Australia/Sydney", "AGT": "America/Argentina/Buenos_Aires",
	"ART": "Africa/Cairo", "AST": "America/Anchorage", "BET": "America/Sao_Paulo", "BST": "Asia/Dhaka",
	"CAT": "Africa/Maputo", "CNT": "America/St_Johns", "CST": "America/Chicago", "CTT": "Asia/Shanghai",
	"EAT": "Africa/Nairobi", "ECT": "Europe/Paris", "IET": "America/Indiana/Indianapolis", "IST": "Asia/Kolkata",
	"JST": "Asia/Tokyo", "MIT": "Pacific/Apia", "NET": "Asia/Yerevan", "NST": "Pacific/Auckland",
	"PLT": "Asia/Karachi", "PNT": "America/Phoenix", "PRT": "America/Puerto_Rico", "PST": "America/Los_Angeles",
	"SST": "Pacific/Guadalcanal", "VST": "Asia/Ho_Chi_Minh",

	"Canada/East-Saskatchewan": "America/Regina", "US/Pacific-New": "America/Los_Angeles",

	"EET": "Europe/Athens", "WET": "Europe/Lisbon", "Pacific/Majuro": "Pacific/Tarawa",
}

// systemV are zones without a place: the hours west of Greenwich, some with the daylight saving time of the United
// States between 1976 and 1986 for ever.
var systemV = map[string]int{
	"AST4": 4, "CST6": 6, "EST5": 5, "HST10": 10, "MST7": 7, "PST8": 8, "YST9": 9,
	"AST4ADT": 4, "CST6CDT": 6, "EST5EDT": 5, "MST7MDT": 7, "PST8PDT": 8, "YST9YDT": 9,
}

// amend adds the names that the database lacks.
func amend(zones map[string]*history) error {
	for name, target := range aliases {
		h := zones[target]
		if h == nil {
			return fmt.Errorf("alias %s of %s, which the database lacks", name, target)
		}
		zones[name] = h
	}
	for name, hours := range systemV {
		h := &history{initial: -60 * hours, from: firstMinute}
		if len(name) > 5 {
			h.saveDaylight(hours)
		}
		zones["SystemV/"+name] = h
	}
	return nil
}

// saveDaylight adds an hour from the last Sunday in April to the last one in October, and for longer in the two years
// of the oil crisis.
func (h *history) saveDaylight(hours int) {
	lastSunday := func(year int, month time.Month) time.Time {
		t := time.Date(year, month+1, 0, 2, 0, 0, 0, time.UTC)
		return t.AddDate(0, 0, -int(t.Weekday()))
	}
	for year := 1969; year <= 1975; year++ {
		begin, end := lastSunday(year, time.April), lastSunday(year, time.October)
		switch year {
		case 1974:
			begin, end = time.Date(year, time.January, 6, 2, 0, 0, 0, time.UTC), lastSunday(year, time.November)
		case 1975:
			begin = time.Date(year, time.February, 23, 2, 0, 0, 0, time.UTC)
		}
		h.add(begin.Unix()/60+int64(hours*60), 60-60*hours)
		h.add(end.Unix()/60+int64(hours*60-60), -60*hours)
	}
	h.rule = []yearly{{4, 5, 0, 120 + hours*60, 60 - 60*hours}, {10, 5, 0, 60 + hours*60, -60 * hours}}
}
