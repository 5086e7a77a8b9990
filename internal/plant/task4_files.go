package main

import "fmt"

// pressFiles are the papers that lie in the folder of the big press.
func pressFiles() []file {
	return []file{
		{"maint/LZ-4087/press-log.log", "DR-4001", "LZ-4087: press log, entries on the ram", "log", text(`
2033-12-19 06:40 upper packing renewed, counter 17,316, oil filled up 38 l
2034-03-02 22:10 pump 2 noisy, coupling tightened
2034-08-24 14:30 ram packing changed at meter 19,702, three fitters, one shift, upper gland alone
2034-11-13 05:55 trial stroke with the flange die, 380 t held for a minute, dry
2035-02-21 03:20 first drops below the lower gland, cup hung up
2035-03-05 06:00 reading of the meter passed on to the system
2035-03-07 06:50 cup emptied twice in the night, pressure holds
`)},
		{"maint/LZ-4087/weep.csv", "DR-4002", "LZ-4087: what the drip cup caught", "report", csvFile(`
shift|cup in ml|oil at the tank|who
Monday early|45|warm|Dogan
Monday late|60|warm|Pires
Tuesday early|85|hot|Dogan
Tuesday late|95|hot|Pires
Wednesday early|140|hot|Dogan
Wednesday night|two cups|hot|nobody signed`)},
		{"maint/LZ-4087/drawer-card-new.csv", "DR-4003", "LZ-4087: drawer card of the rings, written anew", "report", csvFile(`
spare|drawer|looks|pressed|how it is known|rings
SP-401|C-3|like new|2033-05-16|read off the ring itself|13
SP-402|C-7|like new|2030-11-04|read off the ring itself|12
SP-403|C-9|shiny|2033-05-16|taken out of the lower gland in the trial and laid back|8`)},
		{"maint/LZ-4087/drawer-card-old.csv", "DR-4004", "LZ-4087: drawer card of the rings, until this week", "report_superseded", csvFile(`
spare|drawer|rings|pressed|remark
SP-401|C-3|15|2033-05-16|
SP-402|C-7|12|2032-11-04|label hard to read
SP-403|C-9|8||nobody knows`)},
		{"rosters/fitters-week-11.xlsx", "DR-4005", "Fitters: roster, week 11 issue", "capacity", xlsxFile(
			sheet{"Fitters", `day|fitters|why not more
2035-03-09|3|
2035-03-10|2|one is at a wedding
2035-03-12|3|
2035-03-13|2|crane course in Lindholt
2035-03-14|3|
2035-03-15|3|
2035-03-16|3|
2035-03-17|3|names are down for it
2035-03-19|3|
2035-03-20|2|holiday
2035-03-21|3|
2035-03-22|3|
2035-03-24|4|shutdown crew, yearly plan`},
			sheet{"Issue", `what|says
which|week 11 issue, E. Baumann, 6 March 2035
takes the place of|week 10 issue
counted|only who holds the ticket for presses
Saturdays|are paid by QP-41`})},
		{"rosters/fitters-week-10.xlsx", "DR-4006", "Fitters: roster, week 10 issue (replaced)", "capacity_superseded", xlsxFile(
			sheet{"Fitters", `day|fitters
2035-03-09|3
2035-03-10|3
2035-03-12|3
2035-03-13|3
2035-03-14|2
2035-03-15|3
2035-03-16|3
2035-03-17|2
2035-03-19|3
2035-03-21|2
2035-03-24|4`},
			sheet{"Remarks", `remark|by
course is on the Wednesday|E. Baumann
REPLACED on 6 March 2035 because the course was moved|E. Baumann`})},
		{"finance/standstill-rates-2035.yaml", "DR-4007", "Standstill rates for 2035", "policy", text(`
# What Finance reckons a standstill with. Ask Yuki before you use it for anything else.
year: 2035
takes_the_place_of: standstill rates of 2034
presses:
  PR-4: {lost_minute: 3.40, with: die wear and the oven behind it}
  trimming: {lost_minute: 1.15, with: nothing}
people:
  fitter_hour: 31.50
  who: those with a ticket for presses, premium not in it
free_minutes: lost pressing that fits into free minutes of the same days is not lost
`)},
		{"finance/standstill-rates-2034.md", "DR-4008", "Standstill rates for 2034 (ended)", "policy_superseded", text(`
Standstill, old year
--------------------

* the 400 t press: **EUR 2.65** each minute
* the trimming press: EUR 1.05
* a fitter: EUR 29.80 the hour

Ended with the old year. In that table the furnace behind the press was not counted, which flattered every repair on a weekday.
`)},
		{"maint/LZ-4087/insurer-new-day.eml", "DR-4009", "LZ-4087: the insurer names another day", "mail", emlFile(letter{
			From: "Randi Moen <machines@havnevakt.example>", To: "Sade Okonkwo <s.okonkwo@ostervelt.example>", At: "2035-03-06T10:31", ID: "hv.4087.2", Subject: "Press LZ-4087, visit of our engineer", Body: `
Good morning Ms Okonkwo,

our engineer is held up at a shipyard, so instead of the day in my first letter
Mr Solheim will be with you on 22 March 2035. He wants to see LZ-4087 at its full
force and takes no half measures: if it is in pieces, or throttled, he writes that down
and comes again at your cost.

LZ-4078 is not on his list this year.

With kind regards
Randi Moen, Havnevakt machine insurance`})},
		{"maint/LZ-4087/insurer-first-letter.eml", "DR-4010", "LZ-4087: the insurer's first letter", "mail", emlFile(letter{
			From: "Randi Moen <machines@havnevakt.example>", To: "Sade Okonkwo <s.okonkwo@ostervelt.example>", At: "2035-02-14T09:02", ID: "hv.4087.1", Subject: "Yearly visits", Body: `
Dear Ms Okonkwo,

for the policy of your plant the yearly visits begin again. For the press LZ-4087 we have
put down 13 March 2035 in the forenoon. Please have the test book and the settings of
the relief valves at hand.

Your reference with us is the number on the plate.
Randi Moen`})},
		{"maint/LZ-4087/builder-offer.eml", "DR-4011", "LZ-4087: what the builder's people would do", "mail", emlFile(letter{
			From: "Ute Zorn <service@lanzzorn.example>", To: "Sade Okonkwo <s.okonkwo@ostervelt.example>", At: "2035-03-07T14:48", ID: "lz.svc.311", Subject: "Your ram by night", Body: `
Hello Sade,

three of us over two nights was what I had first; forget that. I now have a crew of four,
they go by your instruction and not by ours, and they carry their own rings. The charge is
in the portal, the night comes on top as our contract has it. After Monday they are in Ulm
for three weeks.

One of yours should be there to say where the valves are. Ute`})},
		{"maint/LZ-4087/tryout.ics", "DR-4012", "LZ-4087: the flange die is tried", "calendar", icsFile("Tryouts in hall C",
			event{UID: "tryout-flange", Day: "2035-03-09", From: "06:00", To: "18:00", Summary: "Tryout of the flange die on the 400 t press", Description: "Die maker sends four people, booked since January. Not to be moved."},
			event{UID: "tryout-clean", Day: "2035-03-09", From: "18:00", To: "19:00", Summary: "Bed is cleaned"})},
	}
}

// pressPapers are the papers of the tool room, the press shop and those who sign.
func pressPapers(p *plant) []file {
	spec := func(id, rev, name string) string { return p.cell("spec_values", id+" "+rev+" "+name, "value") }
	steps := "step|revision B|revision C|counted in"
	for _, s := range []string{"lock out and cool down", "open the glands", "lay in the rings", "close and draw down", "bleed and try"} {
		steps += fmt.Sprintf("\n%s|%s|%s|%s", s, spec("HS-402", "B", s), spec("HS-402", "C", s), p.cell("spec_values", "HS-402 C "+s, "unit"))
	}
	return []file{
		{"specs/hs-401-chevron-packing.pdf", "DR-4013", "HS-401, chevron packing 280 mm, revision D", "specification", pdfFile(fmt.Sprintf(`
HS-401     CHEVRON PACKING 280 mm                                   Revision D

A stack of vee rings of rubbered cloth in each gland of the main ram. The rings are cut at
one place, laid in with the joints turned against each other, and drawn down by the studs.

Running life     %s h of the press's own meter    (revision C: %s h)
Gap at the gland %s mm at the most                (revision C: %s mm)

The life is that of a packing which stays dry. For one that has begun to weep QP-43 says what
is taken off. A ring that has once been pressed keeps the shape of its gland and seals in no
other; it is not laid in again.`, spec("HS-401", "D", "running life"), spec("HS-401", "C", "running life"), spec("HS-401", "D", "gland gap, most"), spec("HS-401", "C", "gland gap, most")))},
		{"specs/hs-402-times.xlsx", "DR-4014", "HS-402, times of the steps, revisions B and C", "specification", xlsxFile(
			sheet{"Steps", steps},
			sheet{"How to reckon", `kind of step|how it passes
hour|it takes what it takes and nobody can speed it up
fitter-hour|shared among those who are at the press; rounded up to a tenth of an hour`})},
		{"specs/hs-402-why-both-glands.docx", "DR-4015", "HS-402, why revision C opens both glands", "specification", docxFile(`
# Changing the packing of a ram
Note to revision C of the work instruction, January 2035. Owner: Maintenance.
# What happened
In August only the upper gland was opened. The old rings below had soaked and began to let oil pass half a year later, long before the end of their life.
# What follows
Both glands are opened and both stacks renewed. That means more rings and more work than the orders in the system were planned with; they still carry the figure of revision B.
# People
Fewer than three may not lift the gland ring, with the crane or without it. More than four stand in each other's way.`)},
		{"tool-room/qp-42-storage.pdf", "DR-4016", "QP-42, storage of packings, revision 5", "policy", pdfFile(fmt.Sprintf(`
QP-42   STORAGE OF PACKINGS AND RUBBER GOODS IN THE TOOL ROOM       Revision 5

In force from %s.

(a)  Cool, dark, lying flat, in the bag of the maker.
(b)  A ring whose pressing lies more than %s days back on the day on which it is laid out is
     cut through and thrown away, however good it looks. The year and day are moulded into
     its back; where a label says something else, the ring is right.
(c)  What has been in a press is not put back among the new ones. If it lies there all the
     same, it is used for nothing but training.
(d)  Rings that are promised to another repair stay where they are.`, p.cell("procedure_rules", "PR-404", "valid_from"), p.cell("procedure_rules", "PR-404", "value")))},
		{"tool-room/qp-42-revision-4.md", "DR-4017", "QP-42, revision 4 (withdrawn)", "policy_superseded", text(fmt.Sprintf(`
### QP-42/4, withdrawn %s

Rubber goods may lie for **%s days**. Labels are written by whoever puts them away.

*(Both sentences were the reason for revision 5.)*
`, p.cell("procedure_rules", "PR-403", "valid_to"), p.cell("procedure_rules", "PR-403", "value")))},
		{"maint/qp-43-weeping.md", "DR-4018", "QP-43, what a weeping packing is still good for", "policy", text(fmt.Sprintf(`
# QP-43 in two sentences

When a packing weeps, **%s per cent** of the life in its specification are struck off, and at what then remains the press is stopped, whoever is waiting for parts. Until %s it was %s per cent; the valve block of the old press was the price.

Counted is by the meter of the press. How far it will have run on some day: the hours of a day of work for each day on which the plant works, the day of the reading included, the day of the stop not.
`, p.cell("procedure_rules", "PR-402", "value"), p.cell("procedure_rules", "PR-401", "valid_to"), p.cell("procedure_rules", "PR-401", "value")))},
		{"press-shop/qp-44-settling.txt", "DR-4019", "QP-44, settling of a ram", "policy", text(`
QP-44 SETTLING

New rings swell into their gland. Until they have done so the relief is set to half; flanges
and lids can be pressed like that, housings cannot. The valve is set back by the shift lead of
a working day and by nobody else, with his name in the log.
It used to be the next day, and twice the stack was blown out by it.
`)},
		{"press-shop/light-dies.csv", "DR-4020", "What runs at half pressure", "report", csvFile(`
die|runs at half|stock reaches for
flange 140|yes|four days
lid of the 90 tank|yes|a week
housing upper half|no|six days
housing lower half|no|six days
bracket|yes|three weeks`)},
		{"personnel/qp-41-saturdays.docx", "DR-4021", "QP-41, work on Saturdays, as agreed with the works council", "policy", docxFile(fmt.Sprintf(`
# Work on Saturdays
Agreed for 2035 between Personnel and the works council.
# 1
A Saturday is asked for by name and signed by the plant manager. No name, no Saturday.
# 2
Fitters get %s per cent on top of their hour, for the hours that the machine stands. Until the end of 2034 it was %s.
# 3
The crew of the Easter shutdown is fixed in the yearly plan and is paid from it. Work that is given to them costs the repair nothing beside its parts.`, p.cell("procedure_rules", "PR-408", "value"), p.cell("procedure_rules", "PR-407", "value")))},
		{"vendors/lanz-zorn-service.pdf", "DR-4022", "Service contract SK-401 with the press builder", "contract", pdfFile(fmt.Sprintf(`
SERVICE AT THE 400 t PRESS, contract SK-401       Lanz and Zorn / Ostervelt Hydraulics

3.1  The builder comes within %s days when the press can still run.
4.1  Charges are confirmed for each call; the last confirmation is the one that is paid.
4.2  Work that begins after eight in the evening costs %s per cent more on the whole charge.
5.6  The builder's fitters work by the owner's instruction if he has one. Their number is part
     of the confirmation.
7.3  What a standstill costs the owner is the owner's.`, p.cell("contract_terms", "SK-401 3.1", "value"), p.cell("contract_terms", "SK-401 4.2", "value")))},
		{"vendors/kallman-portal.json", "DR-4023", "Kallman portal, saved at the beginning of March", "confirmation_superseded", jsonFile(`{"saved": "2035-03-01T16:20", "house": "Ostervelt", "work": "WO-4001", "lines": [{"number": "CF-4001", "ring": "PK-280V", "pieces": 14, "on_our_dock": "2035-03-08", "service": "ordinary"}], "remark": "Cloth is cut on Friday. Nothing can be pulled ahead at the moment."}`)},
		{"vendors/fiberring-leaflet.md", "DR-4024", "Fiberring: a cheaper ring", "note", text(`
> Piet asked me to put this into the folder. S.

Fiberring of Turku sells a ring of the same size by the bag of twenty-five. They are *conditional* with us since the audit, the cloth is another one, and HS-401 does not know it. For the old trimming press perhaps; not for a ram that holds four hundred tonnes over a man's hands.
`)},
		{"maint/crane-hire.txt", "DR-4025", "Brandt: hire of the 20 t crane", "order", text(`
BRANDT CRANE HIRE                                       order of 6 March

One lorry crane, twenty tonnes, with its driver, for lifting the crosshead of the press.
Two days, on a date that you tell us two days before. Journey both ways is charged once.
The order stands whichever day it becomes; if you cancel, half is charged.
`)},
		{"approvals/limits-maintenance-2035.yaml", "DR-4026", "Limits of maintenance, 2035", "authority_current", text(`
owner: Yuki Tanabe
valid: {from: 2035-01-01}
maintenance_planner:
  standstill_each_repair: 3200.00   # money and lost minutes together
  shelf_each_month: 900.00
counts_already: whatever has been ordered for the same repair, hire included
weekend: not a matter of money, the plant manager signs the names
`)},
		{"approvals/limits-maintenance-2034.csv", "DR-4027", "Limits of maintenance, until 2034", "authority_superseded", csvFile(`
who|what|EUR|until
S. Okonkwo|standstill without the minutes|4500.00|31 December 2034
S. Okonkwo|shelf|900.00|31 December 2034
N. Aaltonen|tools|350.00|31 December 2034`)},
		{"approvals/lars-on-saturday.eml", "DR-4028", "Lars on the Saturday", "mail", emlFile(letter{
			From: "Lars Enevoldsen <l.enevoldsen@ostervelt.example>", To: "Sade Okonkwo <s.okonkwo@ostervelt.example>, Elke Baumann <e.baumann@ostervelt.example>", At: "2035-03-07T15:12", ID: "le.0307.sat", Subject: "Three names", Body: `
Sade, Elke,

I have signed the three names for a Saturday this month at the big press. The one before,
which nobody used, has run out and I do not want to find it in the wages.

The night crew I have not signed. It is a lot of money for a few days, and I would want to
hear first why our own people cannot do it.

L.`})},
		{"press-shop/chat-wednesday.json", "DR-4029", "Channel press-shop, Wednesday", "chat", jsonFile(chatExport(p, "press-shop", "2035-03-07"))},
		{"maint/trimming-press.yaml", "DR-4030", "The other press, so that nobody mixes them up", "note", text(`
plate: LZ-4078
what: trimming press, 160 t, stands behind the furnace
ram: 160 mm, packing PK-160V, its own order in the system
state: dry, change is planned for June
confused_with: the number of the big press, twice last year, once with the wrong rings ordered
`)},
		{"press-shop/weeks-11-13.ics", "DR-4031", "Press shop, what the weeks hold", "calendar", icsFile("Press shop",
			event{UID: "ps-course", Day: "2035-03-13", Summary: "Crane course", Description: "One fitter is away all day."},
			event{UID: "ps-closed", Day: "2035-03-23", Summary: "Plant closed from today", Description: "Shutdown crew comes on Saturday. Power is off on Sunday."},
			event{UID: "ps-open", Day: "2035-03-27", Summary: "Presses are warmed up at four", Description: "First full day after the holidays."})},
	}
}
