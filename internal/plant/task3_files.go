package main

import "fmt"

// castingFiles are the papers of the foundries, of haulage and of the rules.
func castingFiles(p *plant) []file {
	return []file{
		{"purchasing/foundries/scorecard-2035-q1.xlsx", "DR-3001", "Scorecard of the foundries, this quarter", "report", xlsxFile(
			sheet{"Rejects", `vendor|percent|what for
V-301|3|blow holes
V-302|9|cores that moved
V-303|12|sand in the gallery`},
			sheet{"Method", `what|says
span|first quarter of 2035 up to now, leak bench and cell together
use|divide by the good share and go up to a whole casting before packs are counted
owner|H. Vestby`})},
		{"purchasing/foundries/scorecard-2034-q4.xlsx", "DR-3002", "Scorecard of the foundries, last quarter (closed)", "report_superseded", xlsxFile(
			sheet{"Rejects", `vendor|percent|what for
V-301|5|shrinkage at the flange
V-302|4|none stands out
V-303|7|sand`},
			sheet{"Closed", `remark
closed on 31 December 2034, before Holmvik changed its core sand`})},
		{"haulage/lindner-march.pdf", "DR-3003", "Lindner Haulage, diesel notice for March", "contract", pdfFile(`
LINDNER HAULAGE                                     Notice for March 2035

To all customers with a contract by weight.

From the first of the month the diesel surcharge on all haulage is 6 percent of what the
contract gives by weight. It is shown as a line of its own and rounded to the cent. Pallets,
waiting and tail lifts carry none.

We have bought two lorries that need less; you will see it in summer.
T. Lindner`)},
		{"haulage/lindner-february.md", "DR-3004", "Lindner Haulage, diesel notice for February (over)", "contract_superseded", text(`
### Lindner Haulage, February

The diesel surcharge on all haulage is 4 percent, for loads that are picked up between the first and the last day of **February**. A load that is picked up later carries the surcharge of its own month.
`)},
		{"haulage/how-we-pay-haulage.docx", "DR-3005", "How we pay haulage of castings", "policy", docxFile(`
# Haulage of castings
We fetch castings ourselves with one haulier, so a foundry's price is always without the road.
He is paid by the kilogram of castings, whichever way he goes. The weight is that of the drawing and not of the scale, because nobody wants to argue about wet pallets.
The drawing got heavier with the last pattern. Old calculations have the old weight in them; take the one of the revision that is poured today.
Whoever signs an order signs its haulage with it.`)},
		{"planning/pp-04-safety-stock.pdf", "DR-3006", "PP-04, safety stock of castings, revision 3", "policy", pdfFile(fmt.Sprintf(`
PP-04   SAFETY STOCK OF CASTINGS                                    Revision 3

1  Beyond what firm jobs need, %s castings of each kind of the 90 family are kept. They are the
   answer to a dropped pallet and are not planned away.
2  Bought is for firm jobs. A planned job may still change, and one on hold usually does.
3  What a bill of material adds for losses is added before the stock and rounded up by itself.

Changed against revision 2: the figure, after two dropped pallets in one year.`, p.cell("procedure_rules", "PR-302", "value")))},
		{"planning/pp-04-revision-2.yaml", "DR-3007", "PP-04, safety stock, revision 2 (replaced)", "policy_superseded", text(`
procedure: PP-04
revision: 2
replaced_on: 2034-12-31
family_90: {castings_beyond_jobs: 8, counts_planned_jobs: true}
family_60: {castings_beyond_jobs: 10, counts_planned_jobs: true}
why_replaced: bought for planned jobs that never came
`)},
		{"quality/qp-33-leak-test.pdf", "DR-3008", "QP-33, how long a leak test holds, revision 2", "policy", pdfFile(fmt.Sprintf(`
QP-33   LEAK TEST OF IRON CASTINGS                                  Revision 2

A tested casting that stands in the yard rusts from inside the gallery. Its test holds for
%s days from the day on which it came. After that it is washed and tested again before it is
issued, and until somebody has done so it is not available, though nothing hinders the system
from showing it as free.

A casting that leaked is marked with chalk and stays in its cage until the next scrap day. It
is not available either. A test in which the bench itself leaked is void.`, p.cell("procedure_rules", "PR-304", "value")))},
		{"quality/qp-33-revision-1.docx", "DR-3009", "QP-33, revision 1 (replaced in summer 2034)", "policy_superseded", docxFile(`
# QP-33, first revision
Replaced on 30 June 2034.
A leak test was held to be good for two years. That was right for painted castings under a roof, and we have neither any more since the yard was opened.
The chalk marks were already in this revision.`)},
		{"specs/hs-301-pattern-f.pdf", "DR-3010", "HS-301, housing casting 90, what pattern F is about", "specification", pdfFile(`
HS-301   HOUSING CASTING 90                         Pattern F

The flange is thicker by two ribs and the wall has half a millimetre more where the pressure
peaks. Castings of pattern E fit the fixture and pass the leak bench, and the flange opens in
the field after a winter. They are not used for new housings. Pattern plates of E were broken
up, so nobody pours them any more, but some still stand about.

The pattern letter is cast on the foot.`)},
		{"specs/hc-90-and-hc-90r.md", "DR-3011", "HC-90 and HC-90R, how to tell them apart", "specification", text(`
# Two castings with nearly one number

**HC-90** is grey iron, left hand, for the machined housing HM-90.
**HC-90R** is ductile iron, right hand. It costs more, has a boss for the second sensor, and goes into offshore housings only.

They stand side by side in the yard, and orders for both run with the same foundry. Look at the letter behind the number.
`)},
		{"vendors/ferrum-relining.eml", "DR-3012", "Ferrum Osten: the melter is relined", "mail", emlFile(letter{
			From: "Henrike Maas <verkauf@ferrumosten.example>", To: "Piet van Rossum <p.vanrossum@ostervelt.example>", At: "2035-03-06T11:44", ID: "hm.relining", Subject: "Relining of melter 2", Body: `
Dear Piet,

the lining of melter 2 is through sooner than we thought and we have to stop it. The first
part of your order is poured and only has to be fettled. For the second part I had to send
you another confirmation, the one of the first of March for it does not hold.

What we can do at night on melter 1 I will tell you tomorrow; it needs a crew that would
otherwise sleep.

Henrike`})},
		{"vendors/ferrum-night-heat.eml", "DR-3013", "Ferrum Osten: a heat at night", "mail", emlFile(letter{
			From: "Henrike Maas <verkauf@ferrumosten.example>", To: "Piet van Rossum <p.vanrossum@ostervelt.example>", At: "2035-03-07T14:05", ID: "hm.night", Subject: "Re: what could you do at night", Body: `
Piet,

it works. Melter 1, one night, forty-eight housings, poured and shaken out by Monday. They
have our ordinary price, and beside it once the charge for the crew and the sand plant, as
confirmed. That is on top of what is on order and not in place of it.

I know what you will say about the charge.

Henrike`})},
		{"vendors/holmvik-cores.eml", "DR-3014", "Holmvik: cores are late", "mail", emlFile(letter{
			From: "Sten Ohlin <order@gjuteriholmvik.example>", To: "Piet van Rossum <p.vanrossum@ostervelt.example>", At: "2035-03-07T09:31", ID: "so.cores", Subject: "QT-3002, new day", Body: `
Hello,

our core maker delivers three days later, so I have confirmed your castings anew. The quote
stands as it is: packs of six, the charge for setting up the pattern once, and the price. We
pour your pattern F, the plates came back from repair in January.

With the new core sand some cores moved in the last weeks. We are on it, but please do not
count on every piece.

Sten Ohlin`})},
		{"vendors/carsi-offer.eml", "DR-3015", "Carsi: castings from the shelf", "mail", emlFile(letter{
			From: "Paola Carsi <vendite@fonderiacarsi.example>", To: "Piet van Rossum <p.vanrossum@ostervelt.example>", At: "2035-03-07T15:50", ID: "pc.shelf", Subject: "From the shelf", Body: `
Caro Piet,

we kept a shelf of your casting from the time before the audit lapsed. Packs of ten, a fair
price, and the lorry needs one day. The auditors come in April, and between friends a paper
that has run out should not stand in the way.

A presto, Paola`})},
	}
}

// castingPapers are what the cell, the yard, approvals and the leak bench have left in the folders.
func castingPapers(p *plant) []file {
	yard := "lot|cage|pieces|letter on the foot|how it stands"
	for _, r := range p.where("lots", "part", "HC-90") {
		how := map[string]string{"FREE": "open", "HELD": "red band, back to the foundry", "INSPECTION": "waits for the bench"}[r["status"]]
		yard += "\n" + r["lot_id"] + "|" + r["place"] + "|" + r["quantity"] + "|" + r["made_to"] + "|" + how
	}
	return []file{
		{"yard/count-hc-90.csv", "DR-3016", "Yard, count of HC-90", "report", csvFile(yard)},
		{"yard/open-yard.md", "DR-3017", "Why castings rust since last summer", "note", text(`
The roof over row Y came off in the storm and was not put back, the lorries turn better without it. Since then whatever stands longer than a winter is brown inside. Y-05 is the oldest cage; those seven came when Oskar was new here. *Bea*
`)},
		{"cell/mc-3-first-bore.log", "DR-3018", "Cell MC-3, last run of 90 housings", "log", text(`
06:12 op=niko item=HM-90 start, fixture 2
07:50 part 5 blow hole at second bore, scrapped
09:31 part 11 ok after weld? NO, scrapped, welding is not allowed
11:02 part 16 chatter, insert changed
13:40 part 22 blow hole at second bore, scrapped
14:05 end of run, three lost
`)},
		{"cell/losses-at-second-bore.csv", "DR-3019", "Losses at the second bore by run", "report", csvFile(`
run|crew|what was lost
November|early|one, clamp mark
December|late|two, blow holes
January|early|three, blow holes
February|early|three, blow holes and a weld that should not have been`)},
		{"engineering/housing-a-to-b.docx", "DR-3020", "Housing 90, bill of material from A to B", "specification", docxFile(`
# Bill of material of the housing, from A to B
Nothing is built in that was not built in before: one casting makes one housing.
What changed is what is lost. The second bore goes deeper into the rib, where blow holes are, and B carries the loss of the runs since autumn.
A is kept for old calculations.`)},
		{"purchasing/who-we-may-buy-from.docx", "DR-3021", "Who we may buy castings from", "policy", docxFile(`
# Approved foundries
We buy castings that hold pressure from foundries that are approved on the day on which the castings come, and from no others. A foundry whose audit has lapsed is conditional: samples yes, orders no, whatever it has on its shelf.
An order that is above the buyer's signature is not cut into two.
Quality lifts a condition; Purchasing does not.`)},
		{"purchasing/carsi-certificate.pdf", "DR-3022", "Carsi: certificate that has run out", "report", pdfFile(`
CERTIFICATE OF APPROVAL                                  copy for the file

Foundry        Fonderia Carsi, Lecco
Scope          grey iron castings, pressure tight, up to 15 kg
Holds until    28 February 2035

Renewal was asked for on 2 March, after it had ended. The audit is set down for the third
week of April. Until it has been passed the status in the system is conditional.`)},
		{"approvals/buyers-2035.yaml", "DR-3023", "What buyers may sign, 2035", "authority_current", text(`
group: Purchasing
year: 2035
signature_for_each_order:
  Piet van Rossum: {goods_and_haulage: 3500.00, haste: 800.00}
  Colm Brennan: {subcontracts: 2500.00}
added: approvals for the same part, as long as they run
inclusive: true
`)},
		{"approvals/buyers-2034.csv", "DR-3024", "What buyers could sign last year", "authority_superseded", csvFile(`
buyer|for each order in EUR|ended
Piet van Rossum|6000.00|31 December 2034
Colm Brennan|2500.00|31 December 2034`)},
		{"approvals/yuki-once.eml", "DR-3025", "Yuki on castings outside the frame", "approval_decision", emlFile(letter{
			From: "Yuki Tanabe <y.tanabe@ostervelt.example>", To: "Piet van Rossum <p.vanrossum@ostervelt.example>", At: "2035-03-07T17:12", ID: "yt.once", Subject: "AP-301", Body: `
Piet,

five hundred on top, once, for HC-90, until the 23rd. The December one was for December. What
you told me on the telephone about the night heat is not an approval; write it down with the
ways beside it and it goes to Lars.

Yuki`})},
		{"bench/leak-bench-march.ics", "DR-3026", "Leak bench, days that are promised", "calendar", icsFile("Leak bench",
			event{UID: "lb-varde", Day: "2035-03-19", Summary: "Valve bodies with the customer", Description: "The pumping works send their own inspector, nobody else gets on the bench."},
			event{UID: "lb-seal", Day: "2035-03-26", Summary: "Easter Monday, bench cold"})},
		{"bench/two-chambers.md", "DR-3027", "Leak bench: why it takes longer since November", "note", text(`
# Two chambers

Since the recall we test oil side **and** water side. That is one clamp more for each casting, so the routing was raised; setting up is what it was. If you still plan with the old time you will find a slot that is too short by a quarter of an hour. An order is tested in one go, on the day of its slot and not in pieces; what is unloaded in the morning can be on the bench the same day.

R. Menon
`)},
		{"chat/castings-wednesday.json", "DR-3028", "Channel castings, Wednesday, as exported", "chat", jsonFile(chatExport(p, "castings", "2035-03-07"))},
		{"purchasing/inquiry-hc-90.json", "DR-3029", "Inquiry for castings, as sent round on Monday", "report", jsonFile(`{"inquiry": "castings for housings 90", "sent": "2035-03-05T08:40", "asked_for": {"casting": "HC-90", "pattern": "F", "about": "four to six dozen"}, "sent_to": ["Ferrum Osten", "Gjuteri Holmvik", "Fonderia Carsi"], "wanted_back": ["price", "packs", "charge once", "day on your dock"]}`)},
		{"purchasing/holmvik-first-answer.json", "DR-3030", "Holmvik's answer of Monday (replaced)", "confirmation_superseded", jsonFile(`{"quote": "QT-3002", "confirmation": "CF-3005", "said_on": "2035-03-05", "up_to": 60, "dock_day": "2035-03-12", "with": "old cores", "replaced_by": "CF-3006"}`)},
		{"service/spare-housings.csv", "DR-3031", "Spare housings for the fair", "report", csvFile(`
what|from|who asked|must stay
castings 90 for a cut model|Y-02|service department|until the end of April
cutter trial|Y-02|cell|given back in February`)},
	}
}
