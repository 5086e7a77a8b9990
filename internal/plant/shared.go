package main

import (
	"fmt"
	"strings"
	"time"
)

// shared puts in the rows that every task may stand on and none may change: people, lines, the plant's calendar, the carriers'
// days, and the notice that says what these systems are.
func shared(p *plant) {
	p.add("people", "user_id name role team email phone", `
u-maren|Maren Dahlke|production planner, pump units|Planning|m.dahlke@ostervelt.example|4110
u-tomas|Tomas Reinholt|materials planner|Planning|t.reinholt@ostervelt.example|4112
u-ines|Inês Carvalho|quality engineer|Quality|i.carvalho@ostervelt.example|4230
u-piet|Piet van Rossum|buyer, castings and bearings|Purchasing|p.vanrossum@ostervelt.example|4310
u-sade|Sade Okonkwo|maintenance planner|Maintenance|s.okonkwo@ostervelt.example|4420
u-greta|Greta Lindqvist|change engineer|Engineering|g.lindqvist@ostervelt.example|4510
u-hanne|Hanne Vestby|supplier quality engineer|Quality|h.vestby@ostervelt.example|4233
u-jonas|Jonas Weidmann|assembly supervisor|Assembly|j.weidmann@ostervelt.example|4140
u-colm|Colm Brennan|outside processing coordinator|Purchasing|c.brennan@ostervelt.example|4316
u-amira|Amira Haddad|customer service|Sales office|a.haddad@ostervelt.example|4610
u-lars|Lars Enevoldsen|plant manager|Management|l.enevoldsen@ostervelt.example|4001
u-yuki|Yuki Tanabe|cost controller|Finance|y.tanabe@ostervelt.example|4021
u-bea|Beatriz Solano|stores lead|Stores|b.solano@ostervelt.example|4150
u-niko|Niko Aaltonen|tool room lead|Tool room|n.aaltonen@ostervelt.example|4428
u-ravi|Ravi Menon|test bay engineer|Test|r.menon@ostervelt.example|4145
u-elke|Elke Baumann|shift rosters|Personnel|e.baumann@ostervelt.example|4031
u-oskar|Oskar Thorsen|dispatch|Stores|o.thorsen@ostervelt.example|4155
u-femke|Femke de Wit|design engineer, pumps|Engineering|f.dewit@ostervelt.example|4514
`)
	p.add("lines", "line name area crew shift_minutes availability_pct supervisor", `
AX-1|Axial pump assembly|Hall B|4|450|88|u-jonas
PU-2|Power unit assembly|Hall B|5|450|90|u-jonas
TB-1|Test bay|Hall B|2|450|84|u-ravi
MC-3|Housing machining|Hall A|3|450|82|u-niko
PR-4|Press shop, 400 t press|Hall C|2|450|78|u-niko
HT-1|Heat treatment|Hall C|2|480|92|u-niko
`)
	closed := map[string]string{"2035-03-23": "Good Friday", "2035-03-26": "Easter Monday", "2035-05-01": "Labour Day"}
	p.calendar("PLANT", func(day time.Time) (string, string) {
		if label := closed[day.Format(time.DateOnly)]; label != "" {
			return "CLOSED", label
		}
		if w := day.Weekday(); w == time.Saturday || w == time.Sunday {
			return "CLOSED", w.String()
		}
		return "OPEN", "working day"
	})
	carrier := func(name string, days ...time.Weekday) {
		p.calendar(name, func(day time.Time) (string, string) {
			for _, d := range days {
				if day.Weekday() == d && closed[day.Format(time.DateOnly)] == "" {
					return "OPEN", "departure"
				}
			}
			return "", ""
		})
	}
	carrier("CARRIER-NORTH", time.Tuesday, time.Friday)
	carrier("CARRIER-ALPS", time.Wednesday)
	carrier("CARRIER-COAST", time.Monday, time.Thursday)
	p.add("drive_files", "file_id path title kind media_type text sha256 size", noticeRow())
}

// calendar adds the days of March and April 2035 for which state gives something.
func (p *plant) calendar(name string, state func(time.Time) (string, string)) {
	for day := time.Date(2035, 3, 1, 0, 0, 0, 0, time.UTC); day.Month() <= time.April; day = day.AddDate(0, 0, 1) {
		if s, label := state(day); s != "" {
			p.rows["calendar_days"] = append(p.rows["calendar_days"], row{"calendar": name, "day": day.Format(time.DateOnly), "state": s, "label": label})
		}
	}
}

// notice says what the systems are and what they are not. It holds no line break and no bar, since it is one cell of a row.
var notice = strings.Join([]string{
	"What these systems are.",
	"All twelve are small systems of their own, made for this plant: tables of one episode with tools over them. Nothing outside is called. None of them is a copy of a product, and none claims to behave like one.",
	"Reading: a search finds records whose words begin with the words that were asked. Lists have pages of 20 unless limit says otherwise, at most 100, and total says how many there are. Reading changes nothing.",
	"Writing: a call is done whole or not at all. Who changes a record gives the revision that he has read, and is refused when it has changed since. A refusal says why. Where there is a request_key, the same key with the same values is done once.",
	"The clock begins at eight on the day of the request and moves by a minute with each call. Drafts and notes are kept and not sent; an order that is placed reaches no vendor; a vendor's confirmation stands in the tables and was not asked of anybody.",
	"Not there: attachments of mail, rights of single records, workflows that go on by themselves, faults by chance.",
}, " ")

func noticeRow() string {
	return fmt.Sprintf("DR-0001|it/what-these-systems-are.txt|What these systems are, and what is not real in them|provider_contract|text/plain|%s|%s|%d", notice, sha(notice), len(notice))
}
