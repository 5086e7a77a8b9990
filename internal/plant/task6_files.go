package main

import "fmt"

// claimFiles are the papers of the delivery: what came, what was measured, what its maker writes and what the contract says.
func claimFiles(p *plant) []file {
	return []file{
		{"claims/AG-48213/packing-list-put-right.xlsx", "DR-6001", "AG-48213, packing list put right", "report", xlsxFile(
			sheet{"Boxes", `box|clad|pieces
1|2035-01-04|22
2|2035-01-05|18
3|2035-01-08|20
4|2035-01-09|24
5|2035-01-10|16
6|2035-01-11|20
7|2035-01-12|21
8|2035-01-15|19
9|2035-01-16|24
10|2035-01-18|18
11|2035-01-19|20
12|2035-01-22|18`},
			sheet{"Remark", `what|says
issued|8 March 2035, Rhätia, shipping
status|takes the place of the list in the lorry, which had the days of pressing in place of those of cladding
order of the boxes|by the day on which the strip was clad`})},
		{"claims/AG-48213/packing-list-in-the-lorry.csv", "DR-6002", "AG-48213, packing list that came with the lorry (replaced)", "report_superseded", csvFile(`
box|pressed|pieces
1|2035-01-15|22
2|2035-01-15|18
3|2035-01-16|20
4|2035-01-18|24
5|2035-01-18|16
6|2035-01-19|20
7|2035-01-22|21
8|2035-01-23|19
9|2035-01-24|24
10|2035-01-24|18
11|2035-01-25|20
12|2035-01-26|18`)},
		{"claims/AG-48213/peel-tests.xlsx", "DR-6003", "AG-48213, peel tests of our lab", "report", xlsxFile(
			sheet{"Peel", `clad|peel|state|remark
2035-01-05|41.2|FINAL|
2035-01-08|36.5|FINAL|
2035-01-09|30.4|FINAL|edge lifts without a sound
2035-01-11|22.8|FINAL|comes off like tape
2035-01-12|33.9|FINAL|
2035-01-16|24.1|VOID|jaw slipped
2035-01-16|35.3|FINAL|done again
2035-01-18|38.0|FINAL|`},
			sheet{"About", `what|says
figure|N/mm, the lower of two strips of one shell
void|readings before the jaw slipped are kept, the day was tested again after the jaw was changed
not tested|days of which no shell could be spared`})},
		{"claims/AG-48213/rhaetia-second-letter.eml", "DR-6004", "Rhätia: second letter on the bath", "mail", emlFile(letter{
			From: "Urs Caflisch <qs@rhaetiagleitlager.example>", To: "Hanne Vestby <h.vestby@ostervelt.example>", At: "2035-03-09T14:50", ID: "uc.second", Subject: "AG-48213, the bath, second letter", Body: `
Dear Hanne,

this letter takes back what we wrote on Wednesday about the days. We have now read the
recorder of the pickling bath and not only the shift book. The bath was out of its limits from
10 January 2035 on, when the dosing pump lost its prime, and it stayed so until it was drained on
15 January 2035. Strip that was clad in between may not hold.

We think that nothing before or after is touched. If you find a shell of another day that
fails, tell us, and we take it as it is. The drawing says that a lining is not rolled again;
we would have liked to, but that is your drawing.

Urs Caflisch, quality`})},
		{"claims/AG-48213/rhaetia-first-letter.eml", "DR-6005", "Rhätia: first letter on the bath (taken back)", "mail_superseded", emlFile(letter{
			From: "Urs Caflisch <qs@rhaetiagleitlager.example>", To: "Hanne Vestby <h.vestby@ostervelt.example>", At: "2035-03-07T17:25", ID: "uc.first", Subject: "Your two shells", Body: `
Dear Hanne,

thank you for the pictures. By the shift book the bath was low on the night from 11 January
2035 to 12 January 2035, one night and no more. I would expect two boxes and have asked
shipping which ones these are.

We are sorry and shall make it good.
U. Caflisch`})},
		{"claims/AG-48213/sorting-hours.xlsx", "DR-6006", "AG-48213, hours of sorting", "report", xlsxFile(
			sheet{"Hours", `day|hours|who
2035-03-06|4.5|goods-in, two people
2035-03-07|9|goods-in and a temporary
2035-03-08|8.5|goods-in and a temporary
2035-03-09|4.5|tray, labels, sweeping`},
			sheet{"Signature", `what|says
sheet|signed by Bea on Friday, copy to the maker
not in it|tests of the lab, which the contract does not speak of`})},
		{"assembly/ax-1-first-pumps-sent-again.ics", "DR-6007", "AX-1 first pumps, sent again", "calendar", icsFile("AX-1 first pumps",
			event{UID: "ax1-seventies-2", Day: "2035-03-19", Summary: "First seventies go on the bench", Description: "Sent again on Friday. One day later than the first one because Gunnar is away."})},
		{"assembly/ax-1-first-pumps.csv", "DR-6008", "AX-1 first pumps, as planned in February (sent again since)", "calendar_superseded", csvFile(`
what|planned|fitter
first seventies|2035-03-16|Gunnar
first forty-fives|2035-04-11|Gunnar
hardened cradles|when Femke says so|not known`)},
		{"quality/rates/ultrasonic-bench-2035.pdf", "DR-6009", "Ultrasonic bench, what it is charged at", "policy", pdfFile(`
ULTRASONIC BENCH                                         Rates of Quality, counts for 2035

A shell on the bench is charged at EUR 2.35, whoever asks and whatever is found. A
connecting rod is charged at EUR 6.10, a housing by the hour.

The charge goes to the order or the claim for which the piece is tested. Calibration is in it.
Y. Tanabe, Finance`)},
		{"quality/rates/ultrasonic-bench-2034.md", "DR-6010", "Ultrasonic bench, rates of last year (over)", "policy_superseded", text(`
## Rates of the ultrasonic bench, 2034

| piece | EUR |
|---|---|
| bearing shell | 2.10 |
| connecting rod | 5.80 |

Ended on 31 December 2034 when the second tester left.
`)},
		{"quality/qp-21-bad-batches.pdf", "DR-6011", "QP-21, how far a suspicion reaches, revision 4", "policy", pdfFile(fmt.Sprintf(`
QP-21   HOW FAR A SUSPICION REACHES                                 Revision 4

1  A fault that a process makes does not begin on the day on which it is found. Suspect is
   whatever went through the process from %s days before the first day that is known to be bad
   up to as many days after the last, counted by the calendar and with both ends.
2  Known to be bad is a day of which one piece fails our own test, or which the maker himself
   says was bad. The wider of both counts. A void reading shows nothing.
3  Pieces from outside are used when they have been looked at one by one. Pieces from inside
   are claimed, also those that would pass: nobody tests a bond twice.
4  Pieces with another fault are claimed with them if they came by the same delivery.`, p.cell("procedure_rules", "PR-602", "value")))},
		{"quality/qp-21-revision-3.docx", "DR-6012", "QP-21, revision 3 (withdrawn)", "policy_superseded", docxFile(`
# QP-21, third revision
Withdrawn on 31 August 2034.
A whole working week on either side was suspect. We sent back deliveries that were sound, and makers stopped telling us when something had gone wrong with them.
The fourth revision asks for fewer days and believes the maker where he says more than we know.`)},
		{"specs/hs-601-what-d-changed.pdf", "DR-6013", "HS-601, cradle shell, what revision D changed", "specification", pdfFile(`
HS-601   CRADLE BEARING SHELL 70                         Revision D

Peel strength of the lining    32 N/mm at least      (C: 28 N/mm)
Rolling the lining again       not allowed           (C: once)
Wall                           4 mm, unchanged

The cradle tilts some forty times a minute at idle, and each time the edge of the lining is
pulled. Shells of C went into the first two hundred pumps; three of them came back. Shells made
to C are left for the repair shop's museum pumps and for nothing new.`)},
		{"vendors/rhaetia-contract-sk-601.pdf", "DR-6014", "Contract SK-601 with Rhätia, section 11", "contract", pdfFile(fmt.Sprintf(`
SUPPLY OF BEARING SHELLS, No. SK-601        Rhätia Gleitlager / Ostervelt Hydraulics

11.1  Faults that cannot be seen at the gate are claimed within %s days of receipt.
11.2  Sorting by the buyer is paid for each hour on a signed sheet.
11.3  It is paid up to a share of the price of the claimed pieces, rounded to the cent. What is
      above stays with the buyer.
11.4  Replacement comes free by the ordinary lorry. A credit is the price of the order.
11.5  Of a courier, or of working pieces over, each side bears its share of what was confirmed
      or charged.
11.6  A courier needs one day from dock to dock.
11.7  A confirmation binds. What is called tentative does not.`, p.cell("contract_terms", "SK-601 11.1", "value")))},
		{"vendors/rhaetia-contract-sk-602.docx", "DR-6015", "Contract SK-602 with Rhätia, notes to the section on claims (ended)", "contract_superseded", docxFile(`
# What the old contract said on claims
Ended on 31 May 2034 with contract SK-602.
A claim had thirty days. Sorting was paid at a lower hour and up to a fifth of the whole delivery, wanted or not.
Couriers were the maker's, and he never sent one.
Colm asked for the higher hour and gave the rest for it.`)},
	}
}

// claimPapers are what stores, the bench, approvals and the other maker have left in the folders.
func claimPapers(p *plant) []file {
	count := "lot|where|shells|drawing|seen on the shelf"
	for _, r := range p.where("lots", "part", "CS-70") {
		seen := map[string]string{"FREE": "cartons closed", "HELD": "red band over all twelve boxes", "BLOCKED": "rust under the grease"}[r["status"]]
		count += "\n" + r["lot_id"] + "|" + r["place"] + "|" + r["quantity"] + "|" + r["made_to"] + "|" + seen
	}
	return []file{
		{"claims/AG-48213/what-we-saw.md", "DR-6016", "AG-48213, what was seen at goods-in", "note", text(`
# Two shells on a tray

I bent one open with the thumbnail and the lining came along, bright underneath, no bronze left on the steel. The second needed a knife. Neither had been dropped. The others of the same box look as they should, which says nothing.

Put a band round everything that came in that morning. *Hanne, 6 March*
`)},
		{"quality/ut-bench-week-10.log", "DR-6017", "Ultrasonic bench, week 10", "log", text(`
2035-03-07T08:10 probe 4 MHz, reference block reads 12.01 of 12.00 OK
2035-03-07T08:32 shell AG-48213/6 echo at bond line, whole width
2035-03-07T08:34 shell AG-48213/6 second echo, same place
2035-03-07T09:15 shell AG-48213/1 no echo
2035-03-08T10:40 coupling gel low, ordered
2035-03-09T15:55 reference block reads 12.06 of 12.00, WARN, goes to calibration on the Monday after next
`)},
		{"vendors/rhaetia-portal-thursday.json", "DR-6018", "Rhätia's portal, saved on Thursday (replaced)", "confirmation_superseded", jsonFile(`{"saved_on": "2035-03-08", "order": "PO-600012", "answers": [{"no": "CF-6001", "way": "from stock, courier", "shells": 60, "on_our_dock": "2035-03-12", "charge_eur": 310.0}], "remark": "The stock of the other customer is counted tomorrow, the day may move."}`)},
		{"vendors/tribomet-offer.eml", "DR-6019", "Tribomet: shells from the shelf", "mail", emlFile(letter{
			From: "Jana Zupan <prodaja@tribomet.example>", To: "Colm Brennan <c.brennan@ostervelt.example>", At: "2035-03-09T12:08", ID: "jz.shelf", Subject: "QT-6001", Body: `
Dear Colm,

eighty shells to your drawing stand here from Monday, packed by the dozen. They are dearer than
your usual ones because we machine the back, and for a small lot we charge once for the papers.
The quote holds until the end of the month.

If Quality wants to see our bond tests, they are in the box.

Jana`})},
		{"assembly/ap-12-shells-for-fitting.docx", "DR-6020", "AP-12, shells kept for fitting, revision 2", "policy", docxFile(`
# AP-12, second revision
Shells are fitted by touch. One in a few pumps does not seat, and the fitter takes the next pair out of the box.
For each dozen of pumps that is begun, one pair is laid beside the job. The first revision had two pairs, from the time of the long shell.
What is left over goes back to the shelf and is not counted as lost.`)},
		{"approvals/claim-costs-2035.yaml", "DR-6021", "What claims may leave with us, 2035", "authority_current", text(`
group: Supplier quality
counts_from: 2035-01-01
what_a_claim_may_leave_with_us:
  Hanne Vestby: 430.00
  anybody_else_in_quality: 150.00
on_top: what Finance adds for the order, while it runs
equal_is_inside: yes
decides_beyond: Yuki Tanabe
`)},
		{"approvals/claim-costs-before.csv", "DR-6022", "What claims could leave with us before (ended)", "authority_superseded", csvFile(`
who|EUR for a claim|ended
Hanne Vestby|1000.00|2034-12-31
Inês Carvalho|1000.00|2034-12-31`)},
		{"approvals/yuki-on-shells.eml", "DR-6023", "Yuki on the cost of the shells", "approval_decision", emlFile(letter{
			From: "Yuki Tanabe <y.tanabe@ostervelt.example>", To: "Hanne Vestby <h.vestby@ostervelt.example>", At: "2035-03-09T16:15", ID: "yt.shells", Subject: "AP-601", Body: `
Hanne,

a hundred and fifty on top for this order, until the end of the month. February's was for the
wet carton and is gone. As to another maker: I have heard it in the corridor, and corridors
are not signed. Bring me the price difference and we will see.

Yuki`})},
		{"chat/incoming-friday.json", "DR-6024", "Channel incoming, Friday, as exported", "chat", jsonFile(chatExport(p, "incoming", "2035-03-09"))},
		{"quality/ut-bench-away.ics", "DR-6025", "Ultrasonic bench, when it is away", "calendar", icsFile("Ultrasonic bench",
			event{UID: "ut-cal-march", Day: "2035-03-19", Summary: "Bench at its calibration", Description: "Collected early, back the next morning."},
			event{UID: "ut-easter", Day: "2035-03-26", Summary: "Easter Monday"})},
		{"stores/shelf-c-11.csv", "DR-6026", "Cradle shells, count of the shelves", "report", csvFile(count)},
		{"stores/wet-carton.md", "DR-6027", "The carton that stood in water", "note", text(`
**21 February.** The hose of the floor cleaner ran under shelf C-11. One carton of the older delivery drew water; six shells in it, they look clean and still nobody should trust the back of them. Hold is open for those. The credit for another six, wet on *their* lorry, is settled and has nothing to do with it. /Bea
`)},
		{"vendors/rhaetia-bond-certificate.pdf", "DR-6028", "Rhätia: certificate of the bond, January", "report", pdfFile(`
PRUEFZEUGNIS / CERTIFICATE                              Rhätia Gleitlager, Chur

Strip          steel with bronze lining, for shells of size 70
Samples        one at the start of each week
Result         all samples of January above 40 N/mm

The certificate speaks of the samples. A sample of a Monday morning says little about the
Wednesday after it.`)},
		{"claims/AG-48213/questions-to-rhaetia.yaml", "DR-6029", "AG-48213, questions to the maker", "note", text(`
delivery_note: AG-48213
not_to_be_mixed_with: AG-48231
asked:
  - {what: which strip is in which box, answer: packing list was wrong and came anew}
  - {what: since when was the bath bad, answer: two letters and the second one counts}
  - {what: can shells be had from stock, answer: yes with a courier}
open: why the recorder did not ring
`)},
		{"dispatch/over-the-alps.md", "DR-6030", "The lorry over the Alps", "note", text(`
### Over the Alps

One lorry a week, Wednesday at noon from Chur, whoever is not on the ramp waits a week. Two days to us. If the second day is a holiday our gate is shut and it stands in the yard until somebody is back.

A courier is a man with a small van. He comes when you call, and you pay.
`)},
		{"engineering/ax-70-one-shell-to-two.docx", "DR-6031", "AX-70, from one long shell to two", "specification", docxFile(`
# Cradle of the seventies
Until the end of 2033 the cradle ran on one long shell. It was hard to press and came out crooked.
Bill of material C has two short ones, left and right alike. The long shell is not made any more; its number was kept, which was not our best idea.`)},
		{"claims/earlier-claims-rhaetia.csv", "DR-6032", "Earlier claims against Rhätia", "report", csvFile(`
when|what|remedy|ended
June 2033|shells too wide|replaced|after five weeks
May 2034|wrong box|replaced|after a week
February 2035|wet on the lorry|credit|settled`)},
	}
}
