package main

import "fmt"

// grindingFiles are the papers of the die, of the four shops and of the rules.
func grindingFiles(p *plant) []file {
	return []file{
		{"toolroom/D-4407/card.yaml", "DR-8001", "D-4407, card of the die", "report", text(`
die: D-4407
note: kept from February on, when the meter was read again at every grinding
last_ground: {meter: 7331, by: Norrslip, coated: yes}
before_that: {meter: 6958, by: Slipeteknikk Halden, coated: yes}
punches: {holder: changed, guide: good}
`)},
		{"toolroom/D-4407/card-old.yaml", "DR-8002", "D-4407, card of the die, the old one (closed)", "report_superseded", text(`
tool: D-4407
state: closed in January 2035, the last grinding was never entered here
ground_at_meter: [5718, 6340, 6958]
drawer: 12, left
remarks:
  - the springs of the stripper are from the older die
  - grease only the pillars
`)},
		{"toolroom/D-4407/wear-march.xlsx", "DR-8003", "D-4407, wear of the stations in March", "report", xlsxFile(
			sheet{"Stations", `station|inserts|wear|broken|what is seen
1|4|0.06|0|polished, no edge lost
2|6|0.12|1|corner gone at the kidney
3|8|0.14|2|two corners gone
4|4|0.11|0|dull all round
5|6|0.08|0|still bites`},
			sheet{"How", `what|says
when|measured on 9 March under the microscope, worst edge of each station
unit|wear in mm
who|N. Aaltonen`})},
		{"toolroom/D-4407/wear-january.xlsx", "DR-8004", "D-4407, wear of the stations in January (older)", "report_superseded", xlsxFile(
			sheet{"Stations", `station|inserts|wear|broken|what is seen
1|4|0.04|0|new
2|6|0.07|0|good
3|8|0.11|0|begins to round
4|4|0.08|0|good
5|6|0.05|0|good`},
			sheet{"Remark", `remark
measured on 11 January, before the run for the mower people`})},
		{"toolroom/D-4407/strip-jam.log", "DR-8005", "D-4407, the jam of the last run", "log", text(`
09:02 strip 14 fed, op=santos
09:17 bang at station 3, stopped by hand
09:31 opened: slug not ejected, corner of two inserts off
10:05 closed again, plates have burr on that side, put into a lot of their own
10:40 run broken off, the rest of the strip goes back
10:44 told niko
`)},
		{"toolroom/qp-71-when-an-insert-is-ground.pdf", "DR-8006", "QP-71, when an insert is ground, revision 2", "policy", pdfFile(fmt.Sprintf(`
QP-71   GRINDING OF INSERTS                                       Revision 2

A station is judged by its worst edge. From a wear of %s mm on, all its inserts are taken
down together, otherwise they stand at different heights and the strip climbs.

An insert whose corner is gone is no longer ground. It is replaced from the drawer, by a new
one that comes coated from its maker. It does not travel and is not paid for outside.

Stations below that wear are left alone, however tempting it is to have it done while the
die is away.`, p.cell("procedure_rules", "PR-802", "value")))},
		{"toolroom/qp-71-revision-1.docx", "DR-8007", "QP-71, first revision (replaced)", "policy_superseded", docxFile(`
# Grinding of inserts, first revision
Replaced on 30 November 2034.
It let a station go to nearly a sixth of a millimetre before anybody touched it. With the soft bronze that was enough; the harder one tears at the edge long before.`)},
		{"toolroom/qp-72-when-a-die-comes-home.md", "DR-8008", "QP-72, a die is home again, revision 4", "policy", text(fmt.Sprintf(`
# QP-72, a die is home again

It is unpacked, measured on the granite and put together in the tool room, which takes %s calendar day counted from the working day on which it stands at our gate, and it is not finished at a weekend or on a holiday. A day on which the press was free before does not help.

Proving it under the strip is another matter: that is done on the press, in the same slot as the run, and its hours are those of the work order that is open. Both belong into the load, together with setting up.
`, p.cell("procedure_rules", "PR-804", "value")))},
		{"toolroom/qp-74-tumbling.docx", "DR-8009", "QP-74, plates after the press, revision 3", "policy", docxFile(fmt.Sprintf(`
# Plates after the press
Plates lie in the drum over night and are counted in the morning: %s calendar day from the end of the run, on a working day.
Nobody takes plates out of the drum because the line is waiting.
The second drum that the earlier revision speaks of was sold in winter, and since then the water is changed at night, so that one drum is faster than two were.`, p.cell("procedure_rules", "PR-806", "value")))},
		{"specs/hs-801-second-revision.pdf", "DR-8010", "HS-801, sheet of D-4407, second revision", "specification", pdfFile(`
HS-801   BLANKING DIE D-4407                                      Revision 2

Two rows, five stations, carbide inserts. Runs on the strip press and on no other.

Hours are those of the meter on the die itself and not those of the press. When they are used
up the die is taken off, whatever the order still wants; a die that was run over its hours has
to be taken down twice as far. Until then it may run, dull or not, because the plates are
held to their burr and not to the feeling of the operator.

Inserts are ground AND coated. Ground only, they pick up bronze within a shift.`)},
		{"specs/d-4407-and-d-4470.json", "DR-8011", "D-4407 and D-4470, which is which", "specification", jsonFile(`{"same_name": true, "first": {"number": "D-4407", "stamps": "plates for motors that turn one way", "inserts": "carbide", "rows": 2}, "second": {"number": "D-4470", "stamps": "plates for motors that turn both ways, with a second relief", "inserts": "steel", "rows": 1}, "caution": "the digits were given out by two people in one week; look at the relief"}`)},
		{"specs/tp-44-harder-bronze.md", "DR-8012", "TP-44: what revision D of the plate is about", "specification", text(`
## Thrust plate 44, revision D

The bronze is *harder* and the layer thicker, and the burr may be little more than half of what it was, because a burr now breaks off and goes through the gears. Plates to C are put into pumps for workshops, where nobody minds; they do not go into motors any more.

One plate above the burr and the lot is not used. It goes round the drum again when the drum has time, which it has not before Easter.
`)},
		{"vendors/kessler.eml", "DR-8013", "Kessler: at night", "mail", emlFile(letter{
			From: "Ruth Kessler <auftrag@kesslerprofil.example>", To: "Colm Brennan <c.brennan@ostervelt.example>", At: "2035-03-08T18:20", ID: "rk.night", Subject: "IQ-8807", Body: `
Dear Colm,

we can take your inserts in at night between two dies of our own, and coat them in the small
chamber. That is quick and not cheap, you see it from the quote. We need two days, so anything
that your Thursday tour brings is early enough.

Ruth`})},
		{"vendors/halden-first-answer.json", "DR-8014", "Halden's first answer (replaced)", "confirmation_superseded", jsonFile(`{"answers": "IQ-8807", "number": "CF-8002", "inserts_up_to": 20, "finished": "Monday of week 12", "assumed": "the coater's batch as planned", "replaced_by": "CF-8003"}`)},
		{"vendors/halden-coater.eml", "DR-8015", "Halden: the coater moves his batch", "mail", emlFile(letter{
			From: "Eivind Moe <ordre@slipeteknikk.example>", To: "Colm Brennan <c.brennan@ostervelt.example>", At: "2035-03-09T12:55", ID: "em.batch", Subject: "Re: IQ-8807, another day", Body: `
Hello Colm,

two days later than I wrote, because the chamber is relined. Grinding itself takes us three
days and the batch two, so from the fifth day before that the machine is kept for you and for
nobody else. If your die is not on it by then, I give the machine away, sorry, that is how we
live.

Since autumn coating has become dearer. The price that you still have in your drawer runs out
in the week in which you get the die back.

Eivind`})},
		{"vendors/norrslip.eml", "DR-8016", "Norrslip: price and least quantity", "mail", emlFile(letter{
			From: "Agneta Lund <order@norrslip.example>", To: "Colm Brennan <c.brennan@ostervelt.example>", At: "2035-03-07T10:33", ID: "al.least", Subject: "Your IQ-8807", Body: `
Good day,

as last time: the price by the piece is for a full plate of our machine, which is a score of
inserts. Whoever sends fewer pays for the plate, because it is set up all the same. We are not
in a hurry and you should not be either.

Agneta Lund`})},
		{"vendors/precisa-gap.eml", "DR-8017", "Precisa: a gap between two jobs", "mail", emlFile(letter{
			From: "Mads Friis <salg@precisatools.example>", To: "Colm Brennan <c.brennan@ostervelt.example>", At: "2035-03-08T09:09", ID: "mf.gap", Subject: "A gap", Body: `
Hi,

there is a gap of two days in front of the day that I have confirmed. It is a good price since
the machine would stand. The gap does not move. What I wrote about April is a thought and no
offer.

Mads`})},
	}
}

// grindingPapers are what dispatch, the yard of plates, the motors' line, purchasing and approvals have left in the folders.
func grindingPapers(p *plant) []file {
	shelf := "lot|shelf|plates|letter|how it looks"
	for _, r := range p.where("lots", "part", "TP-44") {
		how := map[string]string{"FREE": "box closed", "HELD": "band round it"}[r["status"]]
		shelf += "\n" + r["lot_id"] + "|" + r["place"] + "|" + r["quantity"] + "|" + r["made_to"] + "|" + how
	}
	return []file{
		{"purchasing/outside-work.docx", "DR-8018", "Work outside: what counts when it is placed", "policy", docxFile(`
# Work that is done outside
A price counts when it still stands on the working day on which the work is back at our gate, since the bill is written then. One that ends before is a price of yesterday, even if the shop would take the order by it today.
The day that a shop confirms is the day on which the work is finished at its own dock. It is worth something only if the tool is at the shop's gate, by our own van, no later than as many calendar days before as the quote gives for the work.
We pay for what is worked on, and for the least number where the shop has one.
Who places it, signs the whole of it: pieces and the charge for setting up. The van is ours and costs nothing extra.`)},
		{"purchasing/inquiry-iq-8807.json", "DR-8019", "Inquiry IQ-8807 for D-4407, as sent", "report", jsonFile(`{"inquiry": "IQ-8807", "tool": "D-4407", "as_recorded": "AS-801", "work": "grind and coat carbide inserts, worn stations only", "about": "between a dozen and twenty", "sent_to": ["Kessler Profilschliff", "Slipeteknikk Halden", "Norrslip", "Precisa Tools"], "asked": ["price by the piece and once", "least number", "days of work", "day finished"]}`)},
		{"purchasing/shops-compared.csv", "DR-8020", "Shops that grind for us, what we think of them", "note", csvFile(`
shop|what they are good at|what they are not
Kessler Profilschliff|keeps every day|does not know the word cheap
Slipeteknikk Halden|best edges, honest about the coater|gives the machine away
Norrslip|price|holds no more than it promised
Precisa Tools|small jobs|never two weeks the same people`)},
		{"dispatch/tool-tour.ics", "DR-8021", "Tour of the tool shops, weeks 11 to 13", "calendar", icsFile("Tour of the tool shops",
			event{UID: "tour-11a", Day: "2035-03-13", From: "07:30", To: "15:00", Summary: "Tour, Tuesday", Description: "Aarlund and Halden before noon, the others when there is a load."},
			event{UID: "tour-11b", Day: "2035-03-15", From: "07:30", To: "15:00", Summary: "Tour, Thursday"},
			event{UID: "tour-12a", Day: "2035-03-20", From: "07:30", To: "15:00", Summary: "Tour, Tuesday", Description: "Second driver is on leave."},
			event{UID: "tour-12b", Day: "2035-03-22", From: "07:30", To: "13:00", Summary: "Tour before the holidays"})},
		{"dispatch/how-a-die-travels.md", "DR-8022", "How a die travels", "note", text(`
**A die on the van**

- It leaves in the morning. What comes off the press during a shift goes with the tour after that shift, never with the one that has already gone.
- It sleeps on the van: the shops unload on the next day, Sundvik one later.
- Shops bring things back themselves and need as long for it as we do.
- Inserts stay in the die. Loose ones get lost, ask Mads.

*Oskar*
`)},
		{"press/strip-press-by-hand.log", "DR-8023", "Strip press: why it is fed by hand", "log", text(`
2034-11-28 roller feed slips on harder bronze, plates short by half a millimetre
2034-11-29 rollers re-ground, no better
2034-12-01 decided: fed by hand until new rollers come, routing raised
2035-01-30 new rollers ordered
2035-02-27 new rollers promised for May
`)},
		{"press/minutes-watched.csv", "DR-8024", "Strip press, minutes that were watched", "report", csvFile(`
who|feed|minutes for one plate
Santos|roller|0.6
Santos|hand|0.88
Ilves|hand|0.95
Ilves|hand, with a helper|0.84`)},
		{"press/strip-trial.docx", "DR-8025", "Trial of lead free strip", "note", docxFile(`
# Lead free strip
Femke has the press for the trial at the beginning of week 11 and nobody else gets into that slot, though it looks long enough for a run.
Her own die is on the bolster then. Changing it twice would cost more than the trial.
Monday's other slot is there, and short.`)},
		{"assembly/mower-motors.md", "DR-8026", "The motors for the mower people", "note", text(`
Six hundred and forty, in one go, because their paint shop takes them in one go. If the plates come in two halves we can stand and sing in between. We start only when the last box of plates is on the line. What stands behind it in April is a wish of Sales.

J. Weidmann
`)},
		{"assembly/lapping-losses.xlsx", "DR-8027", "Plates that break at lapping", "report", xlsxFile(
			sheet{"Lapping", `month|what broke|why
October|few|soft bronze
November|more|first harder strip
December|more|edges that the die had torn
January|same|counted into the new bill of material`},
			sheet{"Result", `what|says
bill of material|revision C carries the loss since January
gear pairs|nothing changed`})},
		{"stores/shelf-d-07.csv", "DR-8028", "Shelf D-07 and D-08, boxes of thrust plates", "report", csvFile(shelf)},
		{"stores/fallen-box.eml", "DR-8029", "A box fell from D-07", "mail", emlFile(letter{
			From: "Beatriz Solano <b.solano@ostervelt.example>", To: "Inês Carvalho <i.carvalho@ostervelt.example>", At: "2035-02-26T08:14", ID: "bs.box", Subject: "A box fell from D-07", Body: `
Inês,

the top box slid off the fork this morning. Two layers are scratched; I put a red band round
these and left the others as they were. They are still counted in their lot. The kits for
Service stand on the shelf below and are sealed, nobody opens those.

Bea`})},
		{"quality/burr-of-the-jam.pdf", "DR-8030", "Burr of the plates after the jam", "report", pdfFile(`
MEASUREMENT                                                  thrust plates, last lot

Twenty plates were laid under the microscope. On the side of the second and third station the
burr stands clearly higher than on the other. The first measurement was made on the wrong edge,
shows nothing of it, and was set void.

The lot is still booked as free because nobody had time for a hold. Ravi has one on his desk as
a letter opener.
I. Carvalho`)},
		{"approvals/yuki-on-the-die.eml", "DR-8031", "Yuki on grinding D-4407", "approval_decision", emlFile(letter{
			From: "Yuki Tanabe <y.tanabe@ostervelt.example>", To: "Colm Brennan <c.brennan@ostervelt.example>", At: "2035-03-09T16:31", ID: "yt.die", Subject: "AP-801", Body: `
Colm,

two hundred on top of your limit, once, for this die, to the end of the month. What Lars gave
you last winter was for last winter. The night at Kessler lies with him and he is at the fair;
until he answers it does not exist.

Yuki`})},
		{"approvals/outside-work-2035.yaml", "DR-8032", "Limits for work outside, this year", "authority_current", text(`
scope: SUBCONTRACT
year: 2035
each_order:
  outside processing coordinator: 2500.00
  tool room lead: 575.00
equal_is_within: true
on_top: approvals for the same tool that still run
`)},
		{"approvals/outside-work-until-2033.csv", "DR-8033", "Limits for work outside, until 2033", "authority_superseded", csvFile(`
who|for one order in EUR|why it ended
outside processing coordinator|4200.00|two dies were lost at a shop that nobody knew
tool room lead|1500.00|joined with the above`)},
	}
}
