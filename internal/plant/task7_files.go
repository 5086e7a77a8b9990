package main

import (
	"fmt"
	"strings"
)

// backlogFiles are the papers of the customer, of the crew and of the rules that an extra shift falls under.
func backlogFiles(p *plant) []file {
	return []file{
		{"orders/NFM-3304/norrvik-call-offs-seventh.xlsx", "DR-7001", "Norrvik: call-offs, the list that counts", "report", xlsxFile(
			sheet{"Calls", `day|pieces|state|lorry
2035-02-27|40|SENT|north
2035-03-02|36|SENT|north
2035-03-05|26|FIRM|left empty
2035-03-08|34|FIRM|left empty
2035-03-12|46|FIRM|
2035-03-18|50|FIRM|
2035-03-22|38|FIRM|
2035-03-29|44|FORECAST|
2035-04-05|44|FORECAST|`},
			sheet{"Head", `what|says
list|seventh list, S. Dahl, 7 March 2035, takes the place of the sixth
firm|to be delivered, whether its day has passed or not
forecast|may still change and binds nobody`})},
		{"orders/NFM-3304/norrvik-call-offs-sixth.csv", "DR-7002", "Norrvik: call-offs, sixth list (replaced on 7 March)", "report_superseded", csvFile(`
day|pieces|state
2035-03-02|36|FIRM
2035-03-05|26|FIRM
2035-03-08|34|FIRM
2035-03-12|40|FIRM
2035-03-18|40|FORECAST
2035-03-22|40|FORECAST`)},
		{"personnel/roster/week-10-roster.xlsx", "DR-7003", "Roster of assembly, drawn again", "capacity", xlsxFile(
			sheet{"Manifolds", `from|until|hours|why
2035-03-05|2035-03-11|43.5|two late evenings, paid
2035-03-12|2035-03-18|40|ordinary
2035-03-19|2035-03-25|32|short week
2035-03-26|2035-04-01|32|short week
2035-04-02|2035-04-08|40|ordinary`},
			sheet{"Pumps", `from|until|hours|why
2035-03-05|2035-03-11|40|ordinary
2035-03-12|2035-03-18|41|stocktaking
2035-03-19|2035-03-25|32|short week`},
			sheet{"Issue", `what|says
this is|week 10 roster, drawn on Thursday by E. Baumann
hours|for each of the crew, without any extra shift
before it|week 9 roster, which still had the crane training in it`})},
		{"personnel/roster/week-09-roster.xlsx", "DR-7004", "Roster of assembly, week 9 (drawn again since)", "capacity_superseded", xlsxFile(
			sheet{"Manifolds", `from|until|hours|why
2035-03-05|2035-03-11|40|ordinary
2035-03-12|2035-03-18|45|crane training on two afternoons
2035-03-19|2035-03-25|32|short week
2035-03-26|2035-04-01|32|short week`},
			sheet{"Void", `remark
the crane trainer is ill, training comes in May
not to be used after the eighth of March`})},
		{"finance/hour-cost-2035.pdf", "DR-7005", "Hour cost of the crews, 2035", "policy", pdfFile(`
COST OF AN HOUR                                          Finance, in force for 2035

An hour of one of the crew in assembly costs EUR 31.20, in machining EUR 33.80, in stores
EUR 27.90. Social cost is in it. A premium is a share of this figure and comes on top of it.

Paid is the whole shift as it was offered, also when the work is done sooner. An extra shift
on a day of the weekend carries the cost of the hall beside it, by the rule of its own.`)},
		{"finance/hour-cost-2034.md", "DR-7006", "Hour cost of the crews, last year (ended)", "policy_superseded", text(`
# What an hour cost in 2034

Assembly 29.70, machining 32.10, stores 26.80, all in EUR. **Ended on 31 December 2034** with the pay round. Hall on weekends was charged to nobody until the gas bill came.
`)},
		{"personnel/works-agreement-2.pdf", "DR-7007", "Works agreement 2, extra shifts, fifth version", "policy", pdfFile(fmt.Sprintf(`
WORKS AGREEMENT 2    EXTRA SHIFTS                        Version 5, from January 2035

1  The crew offers, the supervisor opens. Nobody opens what was not offered or was refused.
2  A shift is announced at least %s days before it, by the calendar. It may be on the last of
   these days. The council does not waive this and nobody is asked to.
3  One item for one shift. Who comes in does not sweep the hall.
4  The premium is that of the offer. It is higher at night than on a Saturday, and a Sunday is
   for emergencies of the plant and never for arrears.
5  No extra shift while the air of the line is off.`, p.cell("procedure_rules", "PR-710", "value")))},
		{"personnel/works-agreement-2-version-4.docx", "DR-7008", "Works agreement 2, fourth version (replaced)", "policy_superseded", docxFile(`
# Extra shifts, fourth version
Replaced at the end of 2034.
A shift was announced three days before it. People learned on Wednesdays that their Saturday was gone, and the council took the matter up.
What was kept: the crew offers and the supervisor opens.`)},
		{"personnel/works-agreement-3-hours.md", "DR-7009", "Works agreement 3, hours", "policy", text(fmt.Sprintf(`
# Hours of a week

Monday to Sunday, for each person, ordinary and extra together, **%s hours and no more**. A short week does not make up for a long one beside it. The roster says what somebody has; the extra shift is added to it in full.

*Revision 1 allowed two hours more and ended with the year.*
`, p.cell("procedure_rules", "PR-712", "value")))},
		{"planning/pp-11-call-offs.docx", "DR-7010", "PP-11, planning of call-offs, revision 2", "policy", docxFile(`
# PP-11, second revision
Customers on a frame call off by list. Planned are the firm ones of the next days, as many days as the rule sets, and all firm ones that should have gone before.
Beyond them a small share is kept, because a rack that falls over is always the one for the lorry.
A forecast is looked at and not built. Under the first revision we built it, and Norrvik changed the thread.`)},
		{"planning/pp-11-first-revision.yaml", "DR-7011", "PP-11, first revision (ended)", "policy_superseded", text(`
procedure: PP-11
revision: 1
ended: 2034-06-30
planned_ahead: {days: 20, builds_forecast: true}
kept_beyond: {percent: 10}
why_ended: threads changed from D to E with a hall full of D
`)},
		{"specs/hs-701-thread-and-test.pdf", "DR-7012", "HS-701, manifold 16, what revision E changed", "specification", pdfFile(`
HS-701   MANIFOLD 16, FOUR SECTIONS                       Revision E

Ports           inch thread                     (D: metric)
Test pressure   350 bar                         (D: 300 bar)
Stands          one day, with dye in the oil    (D: two days, without)

A manifold of D does not fit a customer's hose of E, and adapters are not allowed at this
pressure. Pieces of D that are left go to the service department, which has customers of its
own for them. A test in which the stand itself drips is void and is done again.`)},
		{"engineering/mf-16-sixth-cartridge.md", "DR-7013", "The sixth cartridge of the 16", "specification", text(`
## Why six

The load-holding function moved out of the block and into a cartridge of its own. Bill of material 3 therefore has one more than 2 had. Its drilling is deep and keeps its chips, so that a few cartridges in a hundred are scored when they are screwed in; stores issue with that loss, up to a whole one.
`)},
		{"assembly/ap-30-what-an-extra-shift-gives.pdf", "DR-7014", "AP-30, what an extra shift gives", "policy", pdfFile(fmt.Sprintf(`
AP-30   WHAT AN EXTRA SHIFT GIVES                                  Revision 2

On a Saturday and at night nobody is in stores and nobody in the tool room. What is missing is
missing. Counted over a year, an extra shift gives %s percent of what an ordinary one gives.

The minutes that a load takes are therefore divided by this share after they have been divided
by the share that the line runs, and then go up to a whole minute. Setting up is needed once.

An order is not spread over two extra shifts: it is cleared in one, or the shift is too short.`, p.cell("procedure_rules", "PR-706", "value")))},
		{"assembly/mf-1-new-press.csv", "DR-7015", "Manifold line, times before and after the press", "report", csvFile(`
what|before September|since
setting up|half an hour|a third less
a manifold 16|five and a half minutes|a minute less
a manifold 10|four minutes|the same`)},
	}
}

// backlogPapers are what the shop, the makers of cartridges, the compressor and approvals have left in the folders.
func backlogPapers(p *plant) []file {
	racks := "lot|rack|pieces|thread|what Bea says"
	for _, r := range p.where("lots", "part", "MF-16") {
		says := map[string]string{"FREE": "closed and greased", "HELD": "plugs are blue and should be red", "INSPECTION": "on the stand since Thursday"}[r["status"]]
		racks += "\n" + strings.Join([]string{r["lot_id"], r["place"], r["quantity"], r["made_to"], says}, "|")
	}
	return []file{
		{"orders/NFM-3304/amira-on-norrvik.eml", "DR-7016", "Amira: what Norrvik said on the telephone", "mail", emlFile(letter{
			From: "Amira Haddad <a.haddad@ostervelt.example>", To: "Jonas Weidmann <j.weidmann@ostervelt.example>", At: "2035-03-08T11:30", ID: "ah.norrvik", Subject: "Norrvik, just now", Body: `
Jonas,

Sigrun was polite, which is worse. She does not want to hear of part deliveries any more: the
rest in one lorry, on a day that we name. They fetch from the terminal in the north by
themselves, so what counts for her is the day on which it leaves us.

Their other number, NFM-3340, is for the small manifolds and runs well. Please do not touch it.

Amira`})},
		{"orders/NFM-3304/frame-with-norrvik.docx", "DR-7017", "Norrvik: the frame in short", "contract", docxFile(`
# What we agreed for the manifolds
A frame for a year, called off by list. A list replaces the one before it, whole.
If the customer's line stands because of us he may charge the day. He tells us in writing until when his shelf lasts, and the last letter counts.
Goods are his when they leave our dock.`)},
		{"stores/racks-mf-16.csv", "DR-7018", "Finished manifolds in the racks", "report", csvFile(racks)},
		{"test/sweating-manifolds.log", "DR-7019", "Pressure stands, lot LT-7001", "log", text(`
2035-03-06T09:05 stand=2 lot=LT-7001 start 350 bar, dye in
2035-03-06T15:40 stand=2 seven wet, hose of the stand drips, VOID, hose changed
2035-03-07T06:10 stand=4 lot=LT-7001 start again
2035-03-07T14:20 stand=4 three sweat at the last cartridge, marked, stay in the rack
2035-03-07T14:25 stand=4 the others dry
`)},
		{"vendors/kestrel-springs.eml", "DR-7020", "Kestrel: springs were late", "mail", emlFile(letter{
			From: "Moira Haig <sales@kestrelvalves.example>", To: "Piet van Rossum <p.vanrossum@ostervelt.example>", At: "2035-03-05T16:02", ID: "mh.springs", Subject: "PO-700004, new day for the main lot", Body: `
Piet,

the springs came on Friday and not the week before, so the main lot is ready on Monday and no
sooner. I have confirmed it again and the old line is void. What is left of the last batch can
go at once if you want it, but it is less than half of what you usually take.

The express that I had offered is off, the driver is on holiday.

Moira`})},
		{"vendors/kestrel-portal-february.json", "DR-7021", "Kestrel's portal, saved in February (replaced)", "confirmation_superseded", jsonFile(`{"saved": "2035-02-20T09:12", "order": "PO-700004", "lines": [{"number": "CF-7001", "valve": "CV-16", "pieces": 240, "ready": "2035-03-08", "state": "confirmed"}], "note": "springs on their way"}`)},
		{"stores/flushing-stand.md", "DR-7022", "Flushing stand for cartridges", "note", text(`
The new stand does a whole pallet in a night. What Oskar unloads before noon is flushed, dried and looked at until the next morning, then it may be fitted the same day, also on a late or a night shift. With the old stand it was three days and a smell. **Bea**
`)},
		{"stores/held-cartridges.pdf", "DR-7023", "Cartridges of Brenta, why they are held", "report", pdfFile(`
NOTE OF QUALITY                                           lot of January, Valvole Brenta

The papers do not show the spring rate. Hanne has asked twice. Until it is shown the lot stays
where it is, and nobody takes a handful for a rainy day. The maker is approved; this lot is not.`)},
		{"maintenance/air-of-hall-b.ics", "DR-7024", "Air of hall B, when it is off", "calendar", icsFile("Air of hall B",
			event{UID: "air-seals", Day: "2035-03-10", From: "07:00", To: "13:00", Summary: "Manifold line: second stage open", Description: "New seals. No air until it is closed and tight."},
			event{UID: "air-filters", Day: "2035-03-24", Summary: "Filters, whole hall off"})},
		{"maintenance/compressor-seals.json", "DR-7025", "Compressor of the manifolds, readings", "report", jsonFile(`{"machine": "KX-20771", "read_by": "s.okonkwo", "readings": [{"on": "2035-02-21", "second_stage_bar": 9.1}, {"on": "2035-03-01", "second_stage_bar": 8.4}, {"on": "2035-03-07", "second_stage_bar": 7.6}], "remark": "falls; seals are ordered and come with the fitter"}`)},
		{"approvals/extra-shifts-2035.yaml", "DR-7026", "Who may open extra shifts and for how much, 2035", "authority_current", text(`
group: Assembly
counts_from: 2035-01-01
for_each_extra_shift_with_hall:
  Jonas Weidmann: 1100.00
  Ravi Menon: 500.00
beside_it: what the plant manager puts on top for a line
same_as_limit: allowed
`)},
		{"approvals/extra-shifts-before.csv", "DR-7027", "Who could open extra shifts before (ended)", "authority_superseded", csvFile(`
who|EUR for a shift|ended
Jonas Weidmann|1800.00|2034-12-31
Ravi Menon|900.00|2034-12-31`)},
		{"approvals/lars-on-arrears.eml", "DR-7028", "Lars on the arrears", "approval_decision", emlFile(letter{
			From: "Lars Enevoldsen <l.enevoldsen@ostervelt.example>", To: "Jonas Weidmann <j.weidmann@ostervelt.example>", At: "2035-03-08T17:40", ID: "le.arrears", Subject: "AP-701", Body: `
Jonas,

three hundred beside your own, for one shift at the manifolds, until the end of March. What I
gave in February was for February. A night I have not signed: bring me the Saturdays first, and
if none of them does it we talk.

And find out why we were behind twice.

Lars`})},
		{"chat/weekend-thursday.json", "DR-7029", "Channel weekend, Thursday, as exported", "chat", jsonFile(chatExport(p, "weekend", "2035-03-08"))},
		{"assembly/what-the-crew-offered.md", "DR-7030", "What the crew offered, from the board", "note", text(`
# From the board at the line

- a Saturday at once, if it must be
- a night in the middle of the month, all four, but not for nothing
- the Saturday after, a bit shorter because of the cup match; *or* only the morning, for those who want
- the last Saturday of the month, three of us, Ilse is at a wedding
- no Sunday. No Monday night.

What stands in the system is what we meant. *Gunnar*
`)},
		{"assembly/why-we-were-behind.xlsx", "DR-7031", "Why the manifold line fell behind", "report", xlsxFile(
			sheet{"Stops", `when|what stood|lost
end of February|no cartridges, springs at the maker|an afternoon
first of March|air fell below seven bar|two hours
Tuesday|torque driver at its check|a morning`},
			sheet{"Said", `by|says
Gunnar|we were never asked whether we could
Jonas|the list of Norrvik came by mail and nobody had opened it`})},
		{"dispatch/lorry-to-the-north.docx", "DR-7032", "The lorry to the north", "note", docxFile(`
# Twice a week
It loads on Tuesdays and Fridays at four. What comes off the stands in the morning is packed by then.
On a holiday it does not run, and it is not made up for.
Norrvik takes over at the terminal.`)},
	}
}
