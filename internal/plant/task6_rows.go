package main

import "time"

// claimRows brings the bearing shells with their makers, the delivery among its neighbours, the job that waits and the bench.
func claimRows(p *plant) {
	p.calendar("UT-BENCH", func(day time.Time) (string, string) {
		switch d := day.Format(time.DateOnly); {
		case d == "2035-03-19":
			return "CLOSED", "at its calibration"
		case d == "2035-03-23" || d == "2035-03-26":
			return "CLOSED", "plant closed"
		case day.Weekday() == time.Saturday || day.Weekday() == time.Sunday:
			return "", ""
		}
		return "OPEN", "tester is here"
	})
	p.add("slots", "slot_id line starts ends minutes_free state reason", `
SL-6001|AX-1|2035-03-19|2035-03-22|120|OPEN|
SL-6002|AX-1|2035-04-10|2035-04-12|300|OPEN|
`)
	p.add("jobs", "job_id order_id item quantity line slot_id load_minutes status revision", `
JB-6001||AX-70|74|AX-1|SL-6001|1515|FIRM|3
JB-6002||AX-70|28|AX-1|SL-6002|590|PLANNED|1
JB-6003||AX-70H|16|AX-1|SL-6002|410|FIRM|1
`)
	p.add("parts", "part name unit family spec_id standard_cost", `
AX-70|Axial piston pump 70|piece|pumps||655.00
AX-70H|Axial piston pump 70, hardened cradle|piece|pumps||730.00
CS-70|Cradle bearing shell 70|piece|bearing shells|HS-601|47.50
CS-45|Cradle bearing shell 45|piece|bearing shells|HS-602|31.20
`)
	p.add("boms", "bom_id assembly revision status valid_from valid_to", `
BM-601|AX-70|B|SUPERSEDED|2031-03-01|2033-12-31
BM-602|AX-70|C|CURRENT|2034-01-01|2035-12-31
`)
	p.add("bom_lines", "bom_id position part quantity_per scrap_pct note", `
BM-601|10|CS-70|1|0|One long shell
BM-602|10|CS-70|2|0|Left and right are the same shell
`)
	p.add("specs", "spec_id revision title subject status valid_from valid_to", `
HS-601|C|Cradle bearing shell 70, steel back with lining|CS-70|SUPERSEDED|2031-03-01|2034-05-31
HS-601|D|Cradle bearing shell 70, steel back with lining|CS-70|CURRENT|2034-06-01|
HS-602|B|Cradle bearing shell 45, steel back with lining|CS-45|SUPERSEDED|2030-02-01|2034-05-31
`)
	p.add("spec_values", "spec_id revision name value unit note", `
HS-601|C|peel strength, least|28|N/mm|
HS-601|C|rolling of the lining again, most|1|time|
HS-601|D|peel strength, least|32|N/mm|Tilting at idle pulls at the edge
HS-601|D|rolling of the lining again, most|0|time|A lining that has lifted once lifts again
HS-601|D|wall|4|mm|
`)
	p.add("vendors", "vendor_id name place trade status approved_until calendar transit_days contact email", `
V-601|Rhätia Gleitlager|Chur|plain bearings|APPROVED|2036-04-30|CARRIER-ALPS|2|Urs Caflisch|qs@rhaetiagleitlager.example
V-602|Tribomet|Graz|plain bearings|APPROVED|2035-12-31|PLANT|1|Jana Zupan|prodaja@tribomet.example
V-603|Solvik Bushes|Solvik|plain bearings|CONDITIONAL|2035-06-30|PLANT|3|Arne Lie|salg@solvikbushes.example
`)
	p.add("quotes", "quote_id vendor_id part service minimum multiple unit_price fixed_charge lead_days state quoted valid_until", `
QT-6001|V-602|CS-70|SHELL|24|12|63.50|120.00|0|VALID|2035-03-09|2035-03-30
QT-6002|V-602|CS-70|SHELL|24|10|58.00|95.00|6|EXPIRED|2034-03-01|2034-09-30
`)
	p.add("lots", "lot_id part quantity status place received expires made_to vendor_id revision", `
LT-6001|CS-70|47|FREE|C-11-2|2035-02-06||D|V-601|4
LT-6002|CS-70|240|HELD|GI-5|2035-03-05||D|V-601|2
LT-6003|CS-70|34|FREE|C-11-1|2034-04-17||C|V-601|3
LT-6004|CS-70|18|BLOCKED|C-19-9|2034-11-08||D|V-602|2
LT-6005|CS-45|90|FREE|C-12-1|2035-01-29||B|V-601|1
`)
	p.add("reservations", "reservation_id lot_id part purpose quantity state until made_by revision", `
RV-601|LT-6001|CS-70|Repair shop, pumps that come back in April|15|ACTIVE|2035-04-30|u-bea|1
RV-602|LT-6001|CS-70|Trial of the new press-in tool|8|RELEASED|2035-02-20|u-niko|2
`)
	p.add("holds", "hold_id lot_id part reason quantity state opened opened_by revision", `
QH-6001|LT-6002|CS-70|Lining lifts on two shells at goods-in|240|OPEN|2035-03-06|u-hanne|2
QH-6002|LT-6001|CS-70|One carton stood in water|6|OPEN|2035-02-21|u-hanne|1
QH-6003|LT-6001|CS-70|Carton without a label, found since|9|CLOSED|2035-02-07|u-ines|3
`)
	p.add("inspections", "inspection_id lot_id characteristic sampled rejected lowest highest unit gauge inspected inspector status note", `
QI-6001|LT-6002|dents at the back, boxes 1, 2 and 10 to 12|96|5|||shell|eye|2035-03-08|u-hanne|FINAL|The five lie in a tray of their own, none of them from another box
QI-6002|LT-6002|dents at the back, all boxes|240|17|||shell|eye|2035-03-06|u-bea|VOID|Counted grease marks too, done again
`)
	p.add("procedure_rules", "rule_id procedure revision area parameter value unit status valid_from valid_to says", `
PR-601|QP-21|3|supplier quality|days around a bad one that are suspect too|5|day|SUPERSEDED|2030-01-01|2034-08-31|Counted on either side.
PR-602|QP-21|4|supplier quality|days around a bad one that are suspect too|2|day|CURRENT|2034-09-01||Calendar days before the first and after the last day that is known to be bad, whoever knows it, and both of them included.
PR-603|AP-12|1|assembly|shells kept for fitting with each dozen of pumps|4|shell/dozen|SUPERSEDED|2031-01-01|2033-12-31|A dozen that is begun counts whole.
PR-604|AP-12|2|assembly|shells kept for fitting with each dozen of pumps|2|shell/dozen|CURRENT|2034-01-01||A dozen that is begun counts whole.
PR-605|QP-27|1|supplier quality|shells that go over the ultrasonic bench in a day|50|shell/day|SUPERSEDED|2033-01-01|2034-10-31|By two testers.
PR-606|QP-27|2|supplier quality|shells that go over the ultrasonic bench in a day|36|shell/day|CURRENT|2034-11-01||By one tester. A day that is begun counts whole; shells are free on the first day after it on which the bench is open by the calendar UT-BENCH.
`)
	p.add("supply_contracts", "contract_id vendor_id title revision status valid_from valid_to", `
SK-601|V-601|Supply of bearing shells|4|IN_FORCE|2034-06-01|2036-05-31
SK-602|V-601|Supply of bearing shells|3|ENDED|2031-06-01|2034-05-31
`)
	p.add("contract_terms", "contract_id clause name value unit says", `
SK-601|11.1|days for a claim|18|day|From the day of receipt, for faults that goods-in cannot see at once.
SK-601|11.2|sorting for each hour|41|EUR/hour|For hours that the buyer shows by a signed sheet.
SK-601|11.3|most of the sorting|12|percent|Of the price of the pieces that are claimed.
SK-601|11.5|our share of a special way|50|percent|Of a courier, or of working the pieces over, the buyer bears this share and the maker the rest.
SK-601|11.6|days by courier|1|day|From their dock to the buyer's.
SK-602|11.1|days for a claim|30|day|From the day of receipt.
SK-602|11.2|sorting for each hour|36|EUR/hour|For signed hours.
SK-602|11.3|most of the sorting|20|percent|Of the price of the delivery.
`)
	p.add("purchase_orders", "po_id vendor_id ordered status contract_id buyer revision", `
PO-600009|V-601|2034-10-02|CLOSED|SK-601|u-colm|5
PO-600012|V-601|2034-12-11|RECEIVED|SK-601|u-colm|4
PO-600015|V-601|2035-02-19|CONFIRMED|SK-601|u-colm|1
`)
	p.add("po_lines", "po_id line_no part quantity received unit_price charge due service", `
PO-600009|1|CS-70|120|120|46.10|0.00|2034-11-10|STANDARD
PO-600012|1|CS-70|400|400|46.80|0.00|2035-03-05|STANDARD
PO-600015|1|CS-45|150|0|30.40|0.00|2035-04-16|STANDARD
`)
	p.add("receipts", "receipt_id po_id line_no part lot_id quantity received delivery_note", `
GR-6001|PO-600012|1|CS-70|LT-6001|160|2035-02-06|AG-48231
GR-6002|PO-600012|1|CS-70|LT-6002|240|2035-03-05|AG-48213
`)
	p.add("confirmations", "confirmation_id vendor_id reference part service quantity ready charge confirmed state supersedes note", `
CF-6001|V-601|PO-600012|CS-70|REPLACEMENT FROM STOCK|60|2035-03-12|310.00|2035-03-08|SUPERSEDED||
CF-6002|V-601|PO-600012|CS-70|REPLACEMENT FROM STOCK|60|2035-03-14|310.00|2035-03-09|CONFIRMED|CF-6001|By courier, at the charge named. The rest of a claim comes with the next run.
CF-6003|V-601|PO-600012|CS-70|REPLACEMENT NEXT RUN|160|2035-03-19|0.00|2035-03-09|CONFIRMED||With the ordinary lorry
CF-6004|V-601|PO-600012|CS-70|REPLACEMENT OF OTHER MAKE|100|2035-03-12|0.00|2035-03-09|TENTATIVE||If a friend of ours has them
CF-6005|V-602|QT-6001|CS-70|SHELL|80|2035-03-09|0.00|2035-03-08|SUPERSEDED||
CF-6006|V-602|QT-6001|CS-70|SHELL|80|2035-03-12|0.00|2035-03-09|CONFIRMED|CF-6005|On our shelf from Monday
`)
	p.add("claims", "claim_id vendor_id po_id receipt_id remedy quantity amount state text made_by made_at", `
CL-6001|V-601|PO-600012|GR-6001|CREDIT|6|280.80|SETTLED|Of the delivery six shells were wet. They were paid back.|u-hanne|2035-02-22T10:05:00
`)
	p.add("approval_limits", "limit_id user_id scope amount status valid_from valid_to says", `
AL-601|u-hanne|CLAIM_COST|430.00|ACTIVE|2035-01-01||What a claim may leave with us. What is added for an order comes on top.
AL-602|u-hanne|CLAIM_COST|1000.00|WITHDRAWN|2032-01-01|2034-12-31|What a claim may leave with us.
AL-603|u-hanne|TESTS|700.00|ACTIVE|2035-01-01||For tests outside, for each lot.
`)
	p.add("approvals", "approval_id subject action scope amount asked_by decided_by state decided expires says", `
AP-601|PO-600012|what the shells may leave with us|CLAIM_COST|150.00|u-hanne|u-yuki|APPROVED|2035-03-09|2035-03-30|On top of the limit, for this order.
AP-602|PO-600012|wet carton|CLAIM_COST|220.00|u-hanne|u-yuki|EXPIRED|2035-02-21|2035-03-02|For the carton in February.
AP-603|PO-600012|shells from another maker|CLAIM_COST|900.00|u-hanne||PENDING|||Asked in passing, no paper yet.
AP-604|PO-600015|samples of the small shell|CLAIM_COST|300.00|u-hanne|u-yuki|APPROVED|2035-03-05|2035-04-30|On top of the limit, for this order.
`)
	p.add("mails", "mail_id sent sender recipients subject body", `
ML-6001|2035-03-09T15:12|Urs Caflisch|Hanne Vestby; Colm Brennan|AG-48213, our second letter|Dear Hanne, I have sent the letter to your folder, with the days of the bath put right, and confirmed both ways of replacing under your order. Urs
ML-6002|2035-03-09T16:40|Jonas Weidmann|Hanne Vestby|Cradle shells|I have sent my first pumps around again, please look at the new one. If the shells are late I would rather know it now than on the morning.
`)
	p.add("chat_messages", "message_id channel at author text", `
CM-6001|incoming|2035-03-09T08:20|Beatriz Solano|Sorting of GI-5 is done, the sheet with the hours is in the folder of the delivery note. Dented ones are in the tray.
CM-6002|incoming|2035-03-09T08:41|Femke de Wit|No rolling again of those linings, please. Revision D took it out and I will not sign it back in.
CM-6003|incoming|2035-03-09T11:02|Hanne Vestby|Shells from boxes outside the window can be used once they have been looked at for dents. The suspect ones stay where they are.
`)
}
