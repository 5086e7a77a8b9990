package main

// dispositionFiles are the papers of the furnace, the lab and the rules.
func dispositionFiles(*plant) []file {
	return []file{
		{"furnace/K-1187/charge-record.xlsx", "DR-2001", "Charge K-1187, record with the second count", "report", xlsxFile(
			sheet{"Baskets", `basket|shafts|place in the chamber
1|38|back, left
2|34|back, right
3|36|middle
4|31|door, left
5|41|door, right`},
			sheet{"Remarks", `remark
baskets were counted again on 5 March 2035 before the lab took its samples; this takes the place of the first print
quench oil at 62 degC, program 14, nobody opened the door
the pieces that the lab took are still counted here`})},
		{"furnace/K-1187/first-print.xlsx", "DR-2002", "Charge K-1187, first print (void)", "report_superseded", xlsxFile(
			sheet{"Baskets", `basket|shafts
1|36
2|36
3|36
4|36
5|36`},
			sheet{"Void", `why
printed on 2 March 2035 by the program, which divides a lot evenly and has never seen a basket`})},
		{"lab/K-1187/cutting-note.docx", "DR-2003", "Charge K-1187, what the lab has cut", "report", docxFile(`
# Note of the lab on charge K-1187
6 March 2035, for the hold of this charge.
For the depth of the case we have cut up from each basket 2 shafts, ground, polished and etched them. They lie in the tray under the microscope.
The three baskets that are hard enough were looked at for the record only. Depths of the others are in the system under their baskets.
Remnants go to the scrap box when the hold is disposed of and not before, so that the count stays whole.`)},
		{"lab/K-1178/cutting-note.docx", "DR-2004", "Charge K-1178, what the lab has cut", "report", docxFile(`
# Note of the lab on charge K-1178
9 February 2035. Not to be mixed up with the charge of March, whose number has the same figures.
Because of the bends we have cut up from each basket 3 shafts and followed the grain. The case is sound everywhere.
The lot goes to the straightening press when Niko has the new anvils.`)},
		{"finance/rates-2035.pdf", "DR-2005", "Rates of the plant, furnace and machines, 2035", "policy", pdfFile(`
RATES OF THE PLANT                                              valid for 2035

These rates are for decisions between ways of making. They hold energy, wear and the people
who stand at the machine, and nothing of the building.

Heat treatment.   Each minute of load of the chamber furnace is charged at EUR 1.60, setting
                  up and cooling counted in. Gas rose in autumn, see the difference to last
                  year.
Machining.        Cell 3 has a rate of its own per part family.
Assembly.         By the hour of a person, see the table of Personnel.

Y. Tanabe, Finance`)},
		{"finance/rates-2034.md", "DR-2006", "Rates of the plant, furnace and machines, 2034 (ended)", "policy_superseded", text(`
# Rates, last year

*Ended on 31 December 2034.*

- The chamber furnace is charged at EUR 1.45, by the minute of load.
- The washing machine is free of charge, it runs anyway.
- Whoever calculates an old job again uses the rate of the year in which it was run.
`)},
		{"specs/hs-201-shaft.pdf", "DR-2007", "HS-201, how the hardness of a shaft is read", "specification", pdfFile(`
HS-201   PUMP SHAFT 36 mm                           how it is read

Three prints on the bearing seat, 120 degrees apart; the reading of a shaft is the least.
A basket's sample is thirteen shafts: four from each corner layer and one from the middle.
The lowest and the highest reading of the sample stand for the basket, since what differs in
a charge is the place in the chamber and not the single shaft.

A basket that is too soft is soft as a whole. Nobody sorts shafts of such a basket by hand:
the soft ones are those that were not read.`)},
		{"specs/shaft-c-to-d.docx", "DR-2008", "Shaft 36 mm, from revision C to D", "specification", docxFile(`
# Change of the pump shaft 36 mm, revision C to D
In force for all pumps from the first of January. Shafts made to C may be used up in single pumps by the service department; new pumps take D alone.
# Surface
The window of hardness moves up by one. The double pump hammers the seat of the second bearing, and C left prints there after four hundred hours.
# Case
A little deeper, so that a regrind leaves enough.
# What nobody should conclude
That a reading which was fine in December is fine now.`)},
		{"specs/second-heat.md", "DR-2009", "Second heat of shafts, for the furnace crew", "specification", text(`
# A second heat

Allowed **once**. Stamp an R on the end face before it goes in.

| step | remark |
|---|---|
| wash | no oil into the chamber |
| heat, quench | program 14R, not 14 |
| temper | over night since revision 2; the short temper cracked two of fifty |
| straighten | some break here, that is what the yield is about |
| lab | a shaft is free when the lab has read it, on a day on which the lab reads |
`)},
		{"quality/qp-21-baskets.pdf", "DR-2010", "QP-21, disposing of a charge by baskets, revision 2", "policy", pdfFile(`
QP-21   DISPOSING OF A CHARGE BY BASKETS                            Revision 2

1  The basket is the smallest unit. It is used, hardened again or scrapped as a whole, less
   what the lab has cut.
2  It is used when its sample's lowest and highest reading lie within the specification and no
   more pieces were rejected for marks than the rule allows.
3  If not, it is hardened again when the shallowest cut, less what the second heat takes, is
   still the least case of the specification.
4  Everything else is scrap. A reading by a gauge that was found wrong is no reading.
5  The disposition names one job. What the job does not need goes to the shelf afterwards.
6  It is carried out from the day after it is made. A heat is put into one slot, not into two.`)},
		{"quality/qp-21-revision-1.md", "DR-2011", "QP-21, disposing of a charge, revision 1 (withdrawn)", "policy_superseded", text(`
# QP-21, first revision

Withdrawn at the end of 2034 because it sampled eight pieces and let none of them have a mark, so that good baskets were scrapped for the print of a pair of tongs.

For the second heat it counted with half of the loss that we have measured since.
`)},
		{"lab/ht-3.log", "DR-2012", "Hardness tester HT-3, record", "log", text(`
2035-03-03T09:10 HT-3 used QI-2006 basket=5
2035-03-05T07:20 HT-3 block 60.3 reads 58.7 FAIL
2035-03-05T07:25 HT-3 taken out of use, label red
2035-03-05T07:40 HT-7 block 60.3 reads 60.2 OK
2035-03-05T08:00 HT-7 used QI-2001 QI-2002 QI-2003 QI-2004
2035-03-06T08:05 HT-7 used QI-2005
2035-03-06T08:30 QI-2006 set void reason="HT-3 read low"
`)},
		{"lab/tester-away.ics", "DR-2013", "When the tester is away", "calendar", icsFile("Lab",
			event{UID: "ht7-out", Day: "2035-03-13", Summary: "HT-7 to the calibration house", Description: "Yearly. Nothing is read on these two days."},
			event{UID: "ht7-back", Day: "2035-03-14", Summary: "HT-7 still at the calibration house"},
			event{UID: "audit", Day: "2035-03-16", Summary: "Auditors in the lab", Description: "No lots are set free, all hands show papers."})},
		{"lab/diary.yaml", "DR-2014", "Lab diary, first week of March", "report", text(`
week: first of March
lead: Inês Carvalho
entries:
  - {day: friday, did: opened the hold after the first prints of K-1187}
  - {day: saturday, did: basket 5 with the old tester because the new one was charging, result: not to be trusted}
  - {day: monday, did: baskets 1 to 4 with the new tester}
  - {day: tuesday, did: basket 5 again and all cuts}
still_to_do: dispose of it before the furnace plan of next week is frozen
`)},
		{"lab/K-1187/microsections.json", "DR-2015", "Charge K-1187, microsections", "report", jsonFile(`{"charge": "K-1187", "microscope": "MS-1", "sections": [
{"basket": 1, "structure": "martensite, fine needles"}, {"basket": 2, "structure": "martensite with some bainite near the edge"}, {"basket": 3, "structure": "martensite, fine needles"},
{"basket": 4, "structure": "bainite and ferrite near the edge, quenched late"}, {"basket": 5, "structure": "martensite, coarse needles"}],
"says": "Bainite can be cured by a second heat if enough case is left. Structure alone does not tell whether it is."}`)},
	}
}

// dispositionPapers are what vendors, engineering, the furnace and assembly have left in the folders.
func dispositionPapers(p *plant) []file {
	shelf := "lot|place|on the shelf|made to|remark"
	for _, r := range p.where("lots", "part", "PS-36") {
		remark := map[string]string{"HELD": "cage, red band", "FREE": "open shelf"}[r["status"]]
		shelf += "\n" + r["lot_id"] + "|" + r["place"] + "|" + r["quantity"] + "|" + r["made_to"] + "|" + remark
	}
	return []file{
		{"customers/ahlgren-deviations.eml", "DR-2016", "Ahlgren on deviations", "mail", emlFile(letter{
			From: "Pelle Ahlgren <pelle@ahlgrenwinches.example>", To: "Amira Haddad <a.haddad@ostervelt.example>", At: "2034-11-11T13:30", ID: "pa.deviations", Subject: "Deviations on rotating parts", Body: `
Hello Amira,

you asked what our class surveyor says. He takes paint, tags and hoses by a deviation. He does
not take shafts, pins or hooks, whatever number is on the paper. Please do not send me such
requests, I have to refuse them all.

Pelle`})},
		{"vendors/sundgren-offer.eml", "DR-2017", "Sundgren: finished shafts at once", "mail", emlFile(letter{
			From: "Lotta Sundgren <order@sundgrenshafts.example>", To: "Piet van Rossum <p.vanrossum@ostervelt.example>", At: "2035-03-06T10:02", ID: "ls.offer", Subject: "PS-36, a small lot beside another order", Body: `
Hi Piet,

we run a similar shaft this week and can add a small lot for you. We sell them in fives, as
always, and I have to charge the extra set-up once. Confirmed under the number of your hold,
as you wished. They are hardened and ground to your revision D with our papers.

Lotta`})},
		{"vendors/vulkan-furnace.eml", "DR-2018", "Vulkan Heat Treatment: their vacuum pump", "mail", emlFile(letter{
			From: "Rolf Petri <auftrag@vulkanheat.example>", To: "Colm Brennan <c.brennan@ostervelt.example>", At: "2035-03-06T14:58", ID: "rp.pump", Subject: "Spätere Fertigstellung / later", Body: `
Dear Mr Brennan,

our furnace is without a vacuum pump, the new one is on the road. I had to move your shafts
by two days and have confirmed it anew. The charge for a heat of its own and the price for
each shaft stay as quoted in January; the quote of last year has run out.

Mit freundlichen Grüßen
Petri`})},
		{"vendors/vulkan-portal-monday.json", "DR-2019", "Vulkan's answer of Monday (no longer right)", "confirmation_superseded", jsonFile(`{"answer_to": "QH-2001", "of": "2035-03-05", "service": "harden again", "up_to_shafts": 60, "on_our_dock": "2035-03-13", "number": "CF-2002", "remark": "subject to our pump"}`)},
		{"furnace/programs-march.csv", "DR-2020", "Furnace programs run in March", "report", csvFile(`
charge|program|what|remark
K-1185|9|gear blanks|
K-1186|14|pins|
K-1187|14|shafts 36 mm|curtain at the door torn since this charge
K-1188|22|gear blanks|run without the door places
K-1189|14|bushes|small charge, middle only`)},
		{"furnace/controller-k-1187.log", "DR-2021", "Furnace controller during K-1187", "log", text(`
05:58:00 program 14 start, setpoint 870
07:41:20 zone back 868, zone middle 866, zone door 849 DEVIATION
07:41:21 alarm acknowledged by operator 17
09:05:00 quench, transfer 21 s (door places 34 s) NOTE
09:31:10 program 14 end, charge K-1187 released to washing
`)},
		{"furnace/torn-curtain.md", "DR-2022", "The curtain at the furnace door", "note", text(`
Niko here. The curtain on the left of the door has a hand's breadth missing, so what stands there waits in cold air before the quench. Sade has the new one on order. Until then: **nothing into the door places on the left**, and second heats go to the middle. That is enough room for a basket or so, not for a full charge.
`)},
		{"assembly/shafts-by-pump.xlsx", "DR-2023", "Which pump takes which shaft", "specification", xlsxFile(
			sheet{"Pumps", `pump|shaft|bearing seats
AX-90|PS-36|2
AX-60|PS-28|2
AX-45|PS-28|1`},
			sheet{"Changes", `pump|what changed
AX-90|keyway is cut after hardening, since bill of material H
AX-60|nothing since 2031`})},
		{"assembly/keyway-losses.csv", "DR-2024", "Losses at the keyway since January", "report", csvFile(`
week|who|what happened
2|early shift|broach chipped, two shafts
4|late shift|hard spot, one shaft
6|early shift|fixture was dirty, three shafts
8|early shift|none lost
9|late shift|hard spot, two shafts`)},
		{"approvals/quality-2035.yaml", "DR-2025", "What Quality may spend on a hold, 2035", "authority_current", text(`
team: Quality
year: 2035
per_hold:
  Inês Carvalho: 500.00
  Hanne Vestby: 500.00
counts: furnace, lab, bought parts and carriers; not the pieces that are scrapped
approved_on_top: is added for the hold that it names, until it expires
`)},
		{"approvals/quality-2034.md", "DR-2026", "What Quality could spend on a hold until last year", "authority_superseded", text(`
# Ended 31 December 2034

Engineers of Quality: **1200.00** for a hold, with a report at the end of the quarter.
The reports never came, which is why it was more than halved.
`)},
		{"engineering/no-concession.eml", "DR-2027", "Femke: no concession for soft shafts", "approval_decision", emlFile(letter{
			From: "Femke de Wit <f.dewit@ostervelt.example>", To: "Inês Carvalho <i.carvalho@ostervelt.example>", At: "2035-03-06T16:10", ID: "fdw.no", Subject: "AP-201", Body: `
Inês,

refused, sorry. The number came up for a reason, and with a single pump I might have talked.
If somebody wants to argue, the customer is the next one who has to agree, and you know what
he wrote in November.

Femke`})},
		{"chat/quality-tuesday.json", "DR-2028", "Channel quality, Tuesday, as exported", "chat", jsonFile(chatExport(p, "quality", "2035-03-06"))},
		{"furnace/next-heats.ics", "DR-2029", "Furnace, heats that are fixed", "calendar", icsFile("Furnace HT-1",
			event{UID: "heat-blanks", Day: "2035-03-08", From: "06:00", To: "14:00", Summary: "Gear blanks, protected", Description: "The gearbox shop waits for them; nothing is put beside them."},
			event{UID: "heat-bushes", Day: "2035-03-13", From: "06:00", To: "08:00", Summary: "Bushes"})},
		{"assembly/qp-30-kitting.docx", "DR-2030", "QP-30, kits for assembly, revision 4", "policy", docxFile(`
# QP-30, kits for assembly
A job is begun with a whole kit or not at all. Half kits stand in the way and are robbed.
The kit is ready three calendar days before the slot begins, weekends counted in, so that what is wrong in it can still be changed. Two days were not enough when the slot began on a Monday.
A part that is free in the lab on the kit's day itself is in time.
Kits are built for one job; what is left over is brought back the same day.`)},
		{"stores/shafts-shelf.csv", "DR-2031", "Shafts 36 mm, where they lie", "report", csvFile(shelf)},
	}
}
