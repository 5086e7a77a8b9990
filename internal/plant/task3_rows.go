package main

// castingRows brings the castings, the jobs that take them, three foundries and a haulier, and the leak bench.
func castingRows(p *plant) {
	p.add("lines", "line name area crew shift_minutes availability_pct supervisor", `
LB-1|Leak bench for castings|Hall A|1|450|90|u-ravi
`)
	p.add("slots", "slot_id line starts ends minutes_free state reason", `
SL-3001|LB-1|2035-03-15|2035-03-15|300|OPEN|
SL-3002|LB-1|2035-03-16|2035-03-16|450|OPEN|
SL-3003|LB-1|2035-03-19|2035-03-19|450|PROTECTED|Valve bodies for the pumping works, tested in the customer's presence
SL-3004|LB-1|2035-03-20|2035-03-20|390|OPEN|
SL-3005|LB-1|2035-03-21|2035-03-21|430|OPEN|
SL-3006|LB-1|2035-03-28|2035-03-28|450|OPEN|
SL-3007|LB-1|2035-04-03|2035-04-03|450|OPEN|
SL-3011|MC-3|2035-03-22|2035-03-28|95|OPEN|
SL-3012|MC-3|2035-03-29|2035-04-03|240|OPEN|
SL-3013|MC-3|2035-04-04|2035-04-10|700|OPEN|
`)
	p.add("jobs", "job_id order_id item quantity line slot_id load_minutes status revision", `
JB-3001||HM-90|44|MC-3|SL-3011|1240|FIRM|2
JB-3002||HM-90|36|MC-3|SL-3012|1030|FIRM|2
JB-3003||HM-90|60|MC-3|SL-3013|1680|PLANNED|1
JB-3004||HM-90|24|MC-3||0|ON_HOLD|3
JB-3005||HM-60|50|MC-3|SL-3013|1105|FIRM|1
`)
	p.add("routings", "routing_id item line operation setup_minutes minutes_each revision status valid_from valid_to", `
RT-301|HC-90|LB-1|leak test|30|5|1|SUPERSEDED|2031-05-01|2034-10-31
RT-302|HC-90|LB-1|leak test, two chambers|30|6|2|CURRENT|2034-11-01|2035-12-31
RT-303|HM-90|MC-3|mill and bore|80|21.5|4|CURRENT|2033-01-01|2035-12-31
`)
	p.add("parts", "part name unit family spec_id standard_cost", `
HC-90|Housing casting 90, grey iron|piece|castings|HS-301|49.80
HC-90R|Housing casting 90, right hand, ductile iron|piece|castings||71.00
HC-60|Housing casting 60, grey iron|piece|castings||33.10
HM-90|Housing 90, machined|piece|housings||96.00
HM-60|Housing 60, machined|piece|housings||68.00
`)
	p.add("boms", "bom_id assembly revision status valid_from valid_to", `
BM-301|HM-90|A|SUPERSEDED|2031-05-01|2034-10-31
BM-302|HM-90|B|CURRENT|2034-11-01|2035-12-31
`)
	p.add("bom_lines", "bom_id position part quantity_per scrap_pct note", `
BM-301|10|HC-90|1|3|
BM-302|10|HC-90|1|7|Blow holes are found at the second bore
`)
	p.add("specs", "spec_id revision title subject status valid_from valid_to", `
HS-301|E|Housing casting 90, pattern and weight|HC-90|SUPERSEDED|2031-05-01|2034-10-31
HS-301|F|Housing casting 90, pattern and weight|HC-90|CURRENT|2034-11-01|
`)
	p.add("spec_values", "spec_id revision name value unit note", `
HS-301|E|weight|6.9|kg|
HS-301|E|wall, least|6.0|mm|
HS-301|F|weight|7.4|kg|Thicker flange
HS-301|F|wall, least|6.5|mm|
`)
	p.add("vendors", "vendor_id name place trade status approved_until calendar transit_days contact email", `
V-301|Ferrum Osten|Osten|iron foundry|APPROVED|2036-01-31|PLANT|3|Henrike Maas|verkauf@ferrumosten.example
V-302|Gjuteri Holmvik|Holmvik|iron foundry|APPROVED|2035-11-30|PLANT|2|Sten Ohlin|order@gjuteriholmvik.example
V-303|Fonderia Carsi|Lecco|iron foundry|CONDITIONAL|2035-02-28|PLANT|1|Paola Carsi|vendite@fonderiacarsi.example
V-304|Lindner Haulage|Lindholt|haulage of castings|APPROVED|2035-12-31|PLANT|0|Timo Lindner|dispo@lindnerhaulage.example
`)
	p.add("quotes", "quote_id vendor_id part service minimum multiple unit_price fixed_charge lead_days state quoted valid_until", `
QT-3001|V-301|HC-90|CASTING|24|4|52.00|0.00|21|VALID|2035-01-10|2035-06-30
QT-3002|V-302|HC-90|CASTING|24|6|58.50|240.00|7|VALID|2035-03-05|2035-04-30
QT-3005|V-302|HC-90|CASTING PRIMED|24|6|61.00|240.00|9|VALID|2035-03-05|2035-04-30
QT-3003|V-303|HC-90|CASTING|20|10|47.00|0.00|5|VALID|2035-03-05|2035-04-30
QT-3004|V-302|HC-90|CASTING|24|6|55.00|180.00|14|EXPIRED|2034-06-01|2034-12-31
`)
	p.add("lots", "lot_id part quantity status place received expires made_to vendor_id revision", `
LT-3001|HC-90|31|FREE|Y-02|2035-02-14||F|V-301|4
LT-3002|HC-90|18|FREE|Y-03|2034-09-12||E|V-301|2
LT-3003|HC-90|22|INSPECTION|Y-11|2035-03-06||F|V-301|1
LT-3004|HC-90|9|FREE|Y-02|2035-01-23||F|V-302|3
LT-3005|HC-90|14|HELD|Y-20|2034-12-19||F|V-302|2
LT-3006|HC-90|7|FREE|Y-05|2033-11-20||F|V-301|5
LT-3007|HC-90R|26|FREE|Y-04|2035-01-30||B|V-301|1
`)
	p.add("reservations", "reservation_id lot_id part purpose quantity state until made_by revision", `
RV-301|LT-3001|HC-90|Service department, spare housings for the fair|6|ACTIVE|2035-04-30|u-bea|1
RV-302|LT-3001|HC-90|Trial of the new cutter|3|LAPSED|2035-02-28|u-niko|1
`)
	p.add("holds", "hold_id lot_id part reason quantity state opened opened_by revision", `
QH-3001|LT-3005|HC-90|Sand in the oil gallery, whole lot goes back|14|OPEN|2034-12-20|u-hanne|2
`)
	p.add("inspections", "inspection_id lot_id characteristic sampled rejected lowest highest unit gauge inspected inspector status note", `
QI-3001|LT-3004|leak at 6 bar|9|2|0.0|4.1|ml/min|LB-1|2035-01-24|u-hanne|FINAL|The two that leak stand in the same cage, chalk mark
QI-3002|LT-3004|leak at 6 bar|9|4|0.0|5.0|ml/min|LB-1|2035-01-23|u-hanne|VOID|Seal of the bench itself leaked
`)
	p.add("procedure_rules", "rule_id procedure revision area parameter value unit status valid_from valid_to says", `
PR-301|PP-04|2|planning|safety stock of castings beyond the jobs|8|casting|SUPERSEDED|2031-01-01|2034-12-31|For each casting of the 90 family.
PR-302|PP-04|3|planning|safety stock of castings beyond the jobs|12|casting|CURRENT|2035-01-01||For each casting of the 90 family. Only jobs that are FIRM are bought for; planned ones and those on hold are not.
PR-303|QP-33|1|stores|days for which a casting's leak test holds|730|day|SUPERSEDED|2030-01-01|2034-06-30|From the day on which it was received.
PR-304|QP-33|2|stores|days for which a casting's leak test holds|365|day|CURRENT|2034-07-01||From the day on which it was received. An older one is not issued until it is tested again.
PR-305|PP-06|1|planning|days within which a delivery on the way counts for a job|35|day|SUPERSEDED|2030-01-01|2034-06-30|From the day on which it is planned.
PR-306|PP-06|2|planning|days within which a delivery on the way counts for a job|12|day|CURRENT|2034-07-01||From the day on which it is planned to the day on which it stands on our dock.
`)
	p.add("supply_contracts", "contract_id vendor_id title revision status valid_from valid_to", `
SK-301|V-304|Haulage of castings|3|IN_FORCE|2034-10-01|2035-09-30
SK-302|V-304|Haulage of castings|2|ENDED|2033-10-01|2034-09-30
`)
	p.add("contract_terms", "contract_id clause name value unit says", `
SK-301|3.1|haulage for each kilogram|0.85|EUR/kg|Whatever the foundry, dock to dock, pallets counted out.
SK-301|3.2|pallet not returned|11.00|EUR/pallet|After sixty days.
SK-302|3.1|haulage for each kilogram|0.78|EUR/kg|Dock to dock.
`)
	p.add("purchase_orders", "po_id vendor_id ordered status contract_id buyer revision", `
PO-300011|V-301|2035-01-12|CONFIRMED||u-piet|3
PO-300012|V-301|2035-01-19|CONFIRMED||u-piet|2
PO-300007|V-302|2034-11-27|CLOSED||u-piet|4
`)
	p.add("po_lines", "po_id line_no part quantity received unit_price charge due service quote_id", `
PO-300011|1|HC-90|60|24|52.00|0.00|2035-03-16|STANDARD|QT-3001
PO-300012|1|HC-90R|30|0|74.50|0.00|2035-04-12|STANDARD|
PO-300007|1|HC-90|24|24|55.00|180.00|2034-12-18|STANDARD|QT-3004
`)
	p.add("confirmations", "confirmation_id vendor_id reference part service quantity ready charge confirmed state supersedes note", `
CF-3001|V-301|PO-300011|HC-90|STANDARD|20|2035-03-13|0.00|2035-03-01|CONFIRMED||First part
CF-3002|V-301|PO-300011|HC-90|STANDARD|16|2035-03-15|0.00|2035-03-01|SUPERSEDED||
CF-3003|V-301|PO-300011|HC-90|STANDARD|16|2035-04-03|0.00|2035-03-06|CONFIRMED|CF-3002|Second part, the melter is relined
CF-3004|V-301|PO-300011|HC-90|EXPRESS|48|2035-03-12|2900.00|2035-03-07|CONFIRMED||A heat of its own at night, on top of what is on order
CF-3005|V-302|QT-3002|HC-90|CASTING|60|2035-03-12|0.00|2035-03-05|SUPERSEDED||
CF-3006|V-302|QT-3002|HC-90|CASTING|60|2035-03-15|0.00|2035-03-07|CONFIRMED|CF-3005|Cores come three days later
CF-3007|V-301|QT-3001|HC-90|CASTING|50|2035-03-29|0.00|2035-03-07|CONFIRMED||After the relining
CF-3008|V-303|QT-3003|HC-90|CASTING|80|2035-03-13|0.00|2035-03-07|CONFIRMED||
`)
	p.add("approval_limits", "limit_id user_id scope amount status valid_from valid_to says", `
AL-301|u-piet|PURCHASE|3500.00|ACTIVE|2035-01-01||For each order, haulage counted in. What is approved for a part comes on top.
AL-302|u-piet|PURCHASE|6000.00|WITHDRAWN|2033-01-01|2034-12-31|For each order.
AL-303|u-piet|EXPEDITE|800.00|ACTIVE|2035-01-01||For each order.
`)
	p.add("approvals", "approval_id subject action scope amount asked_by decided_by state decided expires says", `
AP-301|HC-90|castings outside the frame|PURCHASE|500.00|u-piet|u-yuki|APPROVED|2035-03-07|2035-03-23|On top of the limit, once.
AP-302|HC-90|castings outside the frame|PURCHASE|2500.00|u-piet|u-lars|EXPIRED|2034-12-01|2034-12-31|For the shortage in December.
AP-303|HC-90R|right hand castings|PURCHASE|1200.00|u-piet|u-lars|APPROVED|2035-03-02|2035-04-30|On top of the limit, once.
AP-304|HC-90|a night heat at Ferrum|PURCHASE|2500.00|u-piet||PENDING|||Asked for by telephone.
`)
	p.add("mails", "mail_id sent sender recipients subject body", `
ML-3001|2035-03-07T14:22|Henrike Maas|Piet van Rossum|PO-300011, relining|The second part of your order comes after the relining, it is confirmed anew. A night heat could bring forty-eight more, at the charge that I gave you. I know that it is a lot.
ML-3002|2035-03-07T16:01|Paola Carsi|Piet van Rossum|Castings at once|We have them on the shelf. That our audit is only in April should not keep you, our quality is known.
`)
	p.add("chat_messages", "message_id channel at author text", `
CM-3001|castings|2035-03-07T10:05|Niko Aaltonen|MC-3 begins the 90 housings when JB-3001 begins, and then both firm jobs one after the other. If castings are missing I stop in the middle.
CM-3002|castings|2035-03-07T10:31|Hanne Vestby|Carsi stays off until the audit in April. Their last certificate has run out, so no orders please.
CM-3003|castings|2035-03-07T11:12|Beatriz Solano|The old E castings in Y-03 are for scrap, they are still booked as free.
`)
}
