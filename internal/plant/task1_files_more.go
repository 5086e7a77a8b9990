package main

import (
	"fmt"
	"strings"
)

// promisePapers are the further papers: what the vendor, the line, the carrier and the approvals have left in the folders.
func promisePapers(p *plant) []file {
	count := "lot|place|counted|counted by|label says"
	for _, r := range p.where("lots", "part", "SC-45H") {
		count += fmt.Sprintf("\n%s|%s|%s|B. Solano|made to %s, keeps to %s", r["lot_id"], r["place"], r["quantity"], r["made_to"], r["expires"])
	}
	boms := "part|what|D|E|F"
	for _, part := range []string{"EM-75", "AX-90", "SC-45H", "SC-45K", "TK-300", "VB-22", "CP-60"} {
		line := []string{part, p.cell("parts", part, "name")}
		for _, bom := range []string{"BM-101", "BM-102", "BM-103"} {
			per := "-"
			for _, l := range p.where("bom_lines", "bom_id", bom) {
				if l["part"] == part {
					per = l["quantity_per"]
				}
			}
			line = append(line, per)
		}
		boms += "\n" + strings.Join(line, "|")
	}
	var departures []event
	for _, r := range p.where("calendar_days", "calendar", "CARRIER-COAST") {
		if r["day"] < "2035-03-16" {
			departures = append(departures, event{UID: "coast-" + r["day"], Day: r["day"], From: "15:30", To: "16:00", Summary: "Coast lorry loads", Description: "Papers are ready at noon. One day on the road to the upper lock."})
		}
	}
	return []file{
		{"specs/hs-101-seal-cartridge.pdf", "DR-1010", "HS-101, shaft seal cartridge 45 mm, what revision C changed", "specification", pdfFile(`
HS-101   SHAFT SEAL CARTRIDGE 45 mm, HNBR                           Revision C

Lip preload                    22 N    (revision B: 18 N)
Oil temperature, highest       100 degC
Pressure behind the lip        0.5 bar

Why revision C. The double pump turns the second shaft through its own whirl at start. Lips of
revision B lift there and weep; nothing is seen on the stand on the first day, a ring of oil on
the second. A cartridge of revision B is recognised by the grey case, one of C by a black one.
B may be used up in single pumps of other families by their own papers, in none of the PU-90.`)},
		{"specs/hs-102-run-in.md", "DR-1011", "HS-102, run-in and leak test, what is done on the racks", "specification", text(`
# HS-102 in practice

1. Units are filled, vented, and run in at the pressure of the revision that counts.
2. They go to the racks **under pressure**. The hold is counted in calendar days; nobody has to be there, so weekends count.
3. Whoever lifts them off looks at the drip cup. A dry cup is a pass.

*Revision 1 let the units go the next day. Since July 2034 they stay longer, see the values of the specification.*
`)},
		{"vendors/marlow-frame-contract.pdf", "DR-1012", "Frame contract SK-101 with Marlow, clauses 5 to 8", "contract", pdfFile(fmt.Sprintf(`
FRAME CONTRACT FOR SEALS, No. SK-101            Marlow Seal Works / Ostervelt Hydraulics

5.1   Invoices are paid %s days after they are received.
6.3   A confirmation binds the vendor. What he calls tentative does not, and neither party may
      rely on it. A later confirmation for the same service takes the place of the earlier.
7.1   Ordinary deliveries travel at the vendor's cost.
7.2   If the buyer takes another service for a part of an order, he pays the charge that was
      confirmed for it, and EUR %s beside it for each seal that comes by that service.
8.4   Road time is counted in calendar days from dock to dock for every service; air freight
      saves the vendor's own queue and not the road.`, p.cell("contract_terms", "SK-101 5.1", "value"), p.cell("contract_terms", "SK-101 7.2", "value")))},
		{"vendors/marlow-portal-friday.json", "DR-1013", "Marlow portal, saved on Friday before the offers came", "confirmation_superseded", jsonFile(`{"saved": "2035-03-02T17:10", "saved_by": "p.vanrossum", "order": "PO-100011", "note": "Nothing for haste yet. Ask Gareth on Monday.",
"answers": [{"number": "CF-1001", "service": "STANDARD", "pieces": 36, "on_dock": "2035-03-09", "state": "superseded"}, {"number": "CF-1002", "service": "STANDARD", "pieces": 36, "on_dock": "2035-03-13", "state": "confirmed"}, {"number": "CF-1007", "service": "STANDARD", "pieces": 10, "on_dock": "2035-04-10", "state": "confirmed"}]}`)},
		{"vendors/marlow-oven.eml", "DR-1014", "Marlow: why the ordinary delivery slips", "mail", emlFile(letter{
			From: "Gareth Pryce <orders@marlowseals.example>", To: "Piet van Rossum <p.vanrossum@ostervelt.example>", At: "2035-03-02T08:55", ID: "b7c1.oven", Subject: "Our curing oven", Body: `
Piet,

the big curing oven tripped on Wednesday and the fitter needs a part from abroad. Batches
move by a few days; you find the new day for PO-100011 under its own confirmation, please
throw the old one away. I am looking for pieces that somebody else can spare, and on Monday
I will know what I can offer and what it would cost you.

Sorry for the trouble. Gareth`})},
		{"stores/sc-45h-count.csv", "DR-1015", "Count of SC-45H, Monday", "report", csvFile(count)},
		{"stores/torn-packs.md", "DR-1016", "Torn packs in B-04", "note", text(`
**To:** Inês  **From:** Bea  **27 February**

While we counted shelf B-04 three packs of LT-1001 came out torn, foil open, the grease gone dry. I have put a red band round them and left them in the tray, so the count is right but nobody should fit them. The other packs of the lot look new. Will you open a hold for just these? No need to stop the whole lot.
`)},
		{"quality/og-09-calibration.log", "DR-1017", "Gauge OG-09, calibration record", "log", text(`
2035-02-13T14:02 OG-09 used QI-1002 operator=carvalho
2035-02-14T07:31 OG-09 master ring 0.300 reads 0.262 WARN deviation above 0.010
2035-02-14T07:33 OG-09 master ring 0.300 reads 0.264 FAIL gauge taken out of use
2035-02-14T07:40 QI-1002 set void reason="gauge out of calibration"
2035-02-14T08:15 OG-14 master ring 0.300 reads 0.301 OK
2035-02-14T09:20 OG-14 used QI-1001 operator=carvalho
`)},
		{"planning/pu-2-weeks.csv", "DR-1018", "PU-2 by weeks, for the Monday round", "report", csvFile(`
week|what is booked|what worries us
10|units for the railways, two trials|seals for the lock gates
11|trial build for Engineering, inspector of Ahlgren on two days|nothing may slip into the protected slots
12|compact units|short week before Easter
13|lock gates, if they are not done before|Monday is a holiday
14|pumping works at Varde, first half|customer wants to come and look`)},
		{"planning/time-study-pu-2.xlsx", "DR-1019", "Time study at PU-2 after the second bench", "report", xlsxFile(
			sheet{"Study", `unit|bench|minutes seen|remark
PU-90E|1|41|lifting the tank waits for the crane
PU-90E|2|39|
PU-90E|2|36|
PU-90E|1|38|
PU-90S|1|45|no second bench needed`},
			sheet{"Result", `what|says
PU-90E|new routing, revision 3, from 15 January
setting up|as before
single pump|unchanged`})},
		{"planning/plan-import.log", "DR-1020", "Import of loads into the plan", "log", text(`
02:00:07 import of loads begins, source=routings
02:00:09 JB-1002 load kept (PU-90S rev 1)
02:00:09 JB-1004 SKIPPED: job is firm, load is not recalculated by night; last calculated 2034-12-11
02:00:09 JB-1005 SKIPPED: planned before 2035-01-15, waits for the planner
02:00:10 JB-1006 load kept (PU-45C rev 2)
02:00:11 done, 2 jobs wait for a planner
`)},
		{"dispatch/coast-lorry.ics", "DR-1021", "Coast lorry, next departures", "calendar", icsFile("Coast lorry", departures...)},
		{"dispatch/how-the-coast-lorry-works.md", "DR-1022", "How the coast lorry works", "note", text(`
# The coast lorry

It loads on **Mondays and Thursdays**, never on a holiday, and what misses it waits for the next. A unit that comes off the test racks in the morning still makes the lorry of the same day.

There is no Saturday lorry any more. Oskar can hire one, but that is a cost for Lars to look at, and nobody unloads at the lock on a Sunday.
`)},
		{"plant/easter.ics", "DR-1023", "Days on which the plant is closed in spring", "calendar", icsFile("Plant closed",
			event{UID: "easter-1", Day: "2035-03-23", Summary: "Good Friday, plant closed"}, event{UID: "easter-2", Day: "2035-03-26", Summary: "Easter Monday, plant closed"},
			event{UID: "may-1", Day: "2035-05-01", Summary: "Labour Day, plant closed", Description: "Dispatch and goods-in closed as well."})},
		{"approvals/lars-haste.eml", "DR-1024", "Lars on haste for the seals", "approval_decision", emlFile(letter{
			From: "Lars Enevoldsen <l.enevoldsen@ostervelt.example>", To: "Maren Dahlke <m.dahlke@ostervelt.example>", At: "2035-03-05T18:20", ID: "le.haste", Subject: "Re: seals for the lock gates", Body: `
Maren,

two hundred on top of your own, for PO-100011 and until Friday of next week. It is in the
system as AP-101. What I signed in January was for a date that is gone, do not count on it.

Air freight I have not looked at. If that is what you want, bring me the numbers of the
other ways first.

Lars`})},
		{"approvals/limits-2035.yaml", "DR-1025", "Limits of planning, 2035", "authority_current", text(`
# kept by Finance; the approvals system is filled from this file
year: 2035
team: Planning
limits:
  - who: Maren Dahlke
    haste_per_order: 400.00
    overtime_per_week_and_line: 1500.00
  - who: Tomas Reinholt
    haste_per_order: 250.00
equal_to_the_limit: is within it
`)},
		{"approvals/limits-2034.md", "DR-1026", "Limits of planning, 2034 (ended)", "authority_superseded", text(`
| who | haste, each order | ended |
|---|---|---|
| Maren Dahlke | 750.00 | 31 December 2034 |
| Tomas Reinholt | 250.00 | 31 December 2034 |

Yuki lowered the first line after the autumn, when haste had become a habit.
`)},
		{"chat/planning-monday.json", "DR-1027", "Channel planning, Monday, as exported", "chat", jsonFile(chatExport(p, "planning", "2035-03-05"))},
		{"engineering/bom-e-to-f.docx", "DR-1028", "What revision F of the PU-90E brings", "specification", docxFile(`
# Power unit PU-90E, bill of material F
Released for builds that begin on or after 2 April 2035. Units that are begun before are built by E to the end, also if their order is shipped later.
# What changes
The shaft seals become FKM (SC-45K), for oils that the harbours ask for. They are dearer and have another vendor. Nothing else changes.
# What does not
Both pumps stay, and so do the two cartridges on each unit. There is no mixed build: a unit has seals of one compound.`)},
		{"engineering/bom-compare.csv", "DR-1029", "PU-90E, bills of material D, E and F side by side", "report", csvFile(boms)},
		{"assembly/torn-lips.md", "DR-1030", "Why we lose seals at fitting", "note", text(`
## Torn lips

- The second pump is fitted blind. The keyway catches the lip on the way in.
- With the sleeve that Niko turned we lose fewer, yet still a few in a hundred; Engineering has put the figure of the last half year into the bill of material.
- A loss is taken from the same issue. Nobody opens a new box on a Friday night, so stores issue **with** the loss, rounded up to a whole seal.
`)},
		{"sales/brennach-calls.yaml", "DR-1031", "Calls with Brennach", "note", text(`
customer: Brennach Lock Works
numbers: [BL-77213, BL-77231]
calls:
  - {on: 2035-02-26, with: site office, said: they may get the chamber sooner and will write}
  - {on: 2035-03-02, with: site office, said: the letter is on its way and they want a day in return}
  - {on: 2035-03-05, with: works manager, said: he would rather hear a later day that holds than a sooner one that moves}
do_not_mix: BL-77231 is the lower gate, the same units, and is wanted in May
`)},
		{"sales/open-orders.csv", "DR-1032", "Open orders, sales office", "report", csvFile(openOrders(p))},
	}
}

// chatExport writes a day of a channel as JSON.
func chatExport(p *plant, channel, day string) string {
	var parts []string
	for _, r := range p.where("chat_messages", "channel", channel) {
		if strings.HasPrefix(r["at"], day) {
			parts = append(parts, fmt.Sprintf(`{"author": %s, "at": %s, "text": %s}`, quoted(r["author"]), quoted(r["at"]), quoted(r["text"])))
		}
	}
	return `{"channel": ` + quoted(channel) + `, "messages": [` + strings.Join(parts, ", ") + `]}`
}

// openOrders lists the customer orders as Sales sees them, without our own days.
func openOrders(p *plant) string {
	out := "their number|customer|unit|pieces|wanted"
	for _, id := range []string{"SO-10002", "SO-10003", "SO-10004", "SO-10005", "SO-10006"} {
		r := p.find("customer_orders", id)
		out += "\n" + strings.Join([]string{r["customer_ref"], strings.ReplaceAll(r["customer"], ",", ""), r["product"], r["quantity"], r["need_date"]}, "|")
	}
	return out
}
