package main

// promiseRows brings what task 1 stands on, with the orders, lots and slots beside it that look like it.
func promiseRows(p *plant) {
	p.add("customer_orders", "order_id customer customer_ref product quantity need_date promised ship_from carrier_calendar transit_days status owner revision", `
SO-10002|Ahlgren Offshore Winches|AOW-5512|PU-90S|8|2035-03-30|2035-03-29|Lindholt|CARRIER-NORTH|2|RELEASED|u-amira|6
SO-10003|Municipality of Varde, pumping works|VP-2035-08|PU-45C|6|2035-04-11||Lindholt|CARRIER-NORTH|1|ENTERED|u-amira|2
SO-10004|Brennach Lock Works|BL-77213|PU-90E|17|2035-03-28||Lindholt|CARRIER-COAST|1|RELEASED|u-amira|3
SO-10005|Brennach Lock Works|BL-77231|PU-90E|12|2035-05-09|2035-05-08|Lindholt|CARRIER-COAST|1|RELEASED|u-amira|2
SO-10006|Tessin Alpine Railways|TAR-1908|PU-45C|4|2035-04-04|2035-04-03|Lindholt|CARRIER-ALPS|3|RELEASED|u-amira|5
`)
	p.add("slots", "slot_id line starts ends minutes_free state reason", `
SL-1001|PU-2|2035-03-08|2035-03-09|30|OPEN|
SL-1002|PU-2|2035-03-12|2035-03-13|870|PROTECTED|Trial build of the 110 l unit, kept for Engineering
SL-1003|PU-2|2035-03-12|2035-03-13|795|OPEN|
SL-1004|PU-2|2035-03-14|2035-03-15|840|PROTECTED|Acceptance run with Ahlgren's inspector
SL-1005|PU-2|2035-03-15|2035-03-16|800|OPEN|
SL-1006|PU-2|2035-03-19|2035-03-20|640|OPEN|
SL-1007|PU-2|2035-03-20|2035-03-21|0|FULL|
SL-1008|PU-2|2035-03-21|2035-03-22|760|OPEN|
SL-1009|PU-2|2035-03-22|2035-03-27|830|OPEN|
SL-1010|PU-2|2035-03-28|2035-03-29|1350|OPEN|
SL-1011|PU-2|2035-04-16|2035-04-18|610|OPEN|
`)
	p.add("jobs", "job_id order_id item quantity line slot_id load_minutes status revision", `
JB-1002|SO-10002|PU-90S|8|PU-2|SL-1007|455|FIRM|4
JB-1003|SO-10003|PU-45C|6|PU-2|SL-1010|260|PLANNED|1
JB-1004|SO-10004|PU-90E|17|PU-2|SL-1001|870|FIRM|7
JB-1005|SO-10005|PU-90E|12|PU-2|SL-1011|634|PLANNED|2
JB-1006|SO-10006|PU-45C|4|PU-2|SL-1006|210|FIRM|3
`)
	p.add("routings", "routing_id item line operation setup_minutes minutes_each revision status valid_from valid_to", `
RT-101|PU-90E|PU-2|assemble|60|42.5|2|SUPERSEDED|2033-05-02|2035-01-14
RT-102|PU-90E|PU-2|assemble|60|38|3|CURRENT|2035-01-15|2035-12-31
RT-103|PU-90S|PU-2|assemble|45|45.5|1|CURRENT|2033-05-02|2035-12-31
RT-104|PU-45C|PU-2|assemble|40|28.5|2|CURRENT|2034-02-01|2035-12-31
`)
	p.add("parts", "part name unit family spec_id standard_cost", `
PU-90E|Power unit 90 l/min, double pump|piece|power units||4180.00
PU-90S|Power unit 90 l/min, single pump|piece|power units||3020.00
PU-45C|Power unit 45 l/min, compact|piece|power units||1890.00
AX-90|Axial piston pump 90|piece|pumps||780.00
SC-45H|Shaft seal cartridge 45 mm, HNBR|piece|seals|HS-101|38.40
SC-45K|Shaft seal cartridge 45 mm, FKM|piece|seals||61.20
SC-60H|Shaft seal cartridge 60 mm, HNBR|piece|seals|HS-103|52.90
EM-75|Electric motor 7.5 kW, 4 poles|piece|motors||410.00
TK-300|Tank 300 l, painted|piece|tanks||355.00
VB-22|Valve block, size 22|piece|valves||265.00
CP-60|Flexible coupling 60 mm|piece|couplings||44.00
`)
	p.add("boms", "bom_id assembly revision status valid_from valid_to", `
BM-101|PU-90E|D|SUPERSEDED|2033-05-02|2034-09-30
BM-102|PU-90E|E|CURRENT|2034-10-01|2035-04-01
BM-103|PU-90E|F|RELEASED|2035-04-02|
`)
	p.add("bom_lines", "bom_id position part quantity_per scrap_pct note", `
BM-101|10|EM-75|1|0|
BM-101|20|AX-90|1|0|
BM-101|30|SC-45H|1|4|
BM-101|40|TK-300|1|0|
BM-101|50|VB-22|1|0|
BM-102|10|EM-75|1|0|
BM-102|20|AX-90|2|0|
BM-102|30|SC-45H|2|6|Torn lips at fitting
BM-102|40|TK-300|1|0|
BM-102|50|VB-22|1|0|
BM-102|60|CP-60|2|0|
BM-103|10|EM-75|1|0|
BM-103|20|AX-90|2|0|
BM-103|30|SC-45K|2|5|
BM-103|40|TK-300|1|0|
BM-103|50|VB-22|1|0|
BM-103|60|CP-60|2|0|
`)
	p.add("specs", "spec_id revision title subject status valid_from valid_to", `
HS-101|B|Shaft seal cartridge 45 mm, HNBR|SC-45H|SUPERSEDED|2032-01-11|2034-11-05
HS-101|C|Shaft seal cartridge 45 mm, HNBR|SC-45H|CURRENT|2034-11-06|
HS-102|1|Run-in and leak test of power units|PU-90 power units|SUPERSEDED|2031-06-01|2034-06-30
HS-102|2|Run-in and leak test of power units|PU-90 power units|CURRENT|2034-07-01|
HS-103|A|Shaft seal cartridge 60 mm, HNBR|SC-60H|CURRENT|2031-03-15|
`)
	p.add("spec_values", "spec_id revision name value unit note", `
HS-101|B|lip preload|18|N|
HS-101|C|lip preload|22|N|Lips of revision B weep at the speed of the double pump
HS-101|C|oil temperature, highest|100|degC|
HS-102|1|hold after run-in|1|day|
HS-102|1|run-in pressure|210|bar|
HS-102|2|hold after run-in|2|day|Weeping shows on the second day
HS-102|2|run-in pressure|250|bar|
HS-103|A|lip preload|26|N|
`)
	p.add("vendors", "vendor_id name place trade status approved_until calendar transit_days contact email", `
V-101|Marlow Seal Works|Marlow|seals|APPROVED|2036-06-30|PLANT|2|Gareth Pryce|orders@marlowseals.example
V-102|Polytec Ring AB|Västerås|seals|CONDITIONAL|2035-05-31|PLANT|4|Maj Ekström|order@polytecring.example
V-103|Castor Motors|Brescia|motors|APPROVED|2036-12-31|PLANT|5|Dario Fumagalli|vendite@castormotors.example
`)
	p.add("lots", "lot_id part quantity status place received expires made_to vendor_id revision", `
LT-1001|SC-45H|14|FREE|B-04-2|2034-12-04|2035-11-30|C|V-101|3
LT-1002|SC-45H|9|FREE|B-04-1|2034-08-21|2035-07-15|C|V-101|2
LT-1003|SC-45H|11|FREE|B-05-3|2034-10-17|2035-12-31|B|V-102|2
LT-1004|SC-45H|10|INSPECTION|GI-2|2035-03-05|2036-01-31|C|V-101|1
LT-1005|SC-45H|12|FREE|B-04-3|2035-02-12|2036-02-28|C|V-101|4
LT-1006|SC-60H|30|FREE|B-06-1|2035-01-15|2036-01-15|A|V-101|1
`)
	p.add("reservations", "reservation_id lot_id part purpose quantity state until made_by revision", `
RV-101|LT-1005|SC-45H|JB-1002|6|ACTIVE|2035-03-21|u-tomas|1
RV-102|LT-1001|SC-45H|JB-0987|4|LAPSED|2035-02-16|u-tomas|1
RV-103|LT-1005|SC-45H|JB-0991|5|RELEASED|2035-02-23|u-bea|1
`)
	p.add("holds", "hold_id lot_id part reason quantity state opened opened_by revision", `
QH-1001|LT-1001|SC-45H|Packs torn open at the counting, seals dry|3|OPEN|2035-02-27|u-ines|1
QH-1002|LT-1005|SC-45H|Certificate of the compound was missing, came later|5|CLOSED|2035-02-12|u-ines|3
`)
	p.add("inspections", "inspection_id lot_id characteristic sampled rejected lowest highest unit gauge inspected inspector status note", `
QI-1001|LT-1005|lip contact width|12|1|0.21|0.38|mm|OG-14|2035-02-14|u-ines|FINAL|The piece that failed lies in the same box and is not booked out
QI-1002|LT-1005|lip contact width|12|4|0.17|0.39|mm|OG-09|2035-02-13|u-ines|VOID|OG-09 was out of its calibration
`)
	p.add("procedure_rules", "rule_id procedure revision area parameter value unit status valid_from valid_to says", `
PR-101|QP-17|3|stores|least shelf life at issue of seals|90|day|SUPERSEDED|2031-01-01|2034-12-31|Counted from the day on which the need is planned.
PR-102|QP-17|4|stores|least shelf life at issue of seals|150|day|CURRENT|2035-01-01||Counted from the day on which the need is planned. A seal that does not keep so long is not issued.
PR-103|QP-08|5|goods-in|length of the goods-in check of seals|1|day|SUPERSEDED|2031-01-01|2034-05-31|Calendar days; it ends on a working day.
PR-104|QP-08|6|goods-in|length of the goods-in check of seals|2|day|CURRENT|2034-06-01||Calendar days from the working day on which they come; it ends on a working day.
`)
	p.add("supply_contracts", "contract_id vendor_id title revision status valid_from valid_to", `
SK-101|V-101|Frame contract for seals|2|IN_FORCE|2034-07-01|2036-06-30
SK-102|V-101|Frame contract for seals|1|ENDED|2031-07-01|2034-06-30
`)
	p.add("contract_terms", "contract_id clause name value unit says", `
SK-101|5.1|days of payment|45|day|After receipt of the invoice.
SK-101|7.2|surcharge for haste|2.75|EUR/seal|For each seal that comes by another service than the ordinary one, beside the charge of the service.
SK-102|7.2|surcharge for haste|1.90|EUR/seal|For each seal that comes faster than ordinary.
`)
	p.add("purchase_orders", "po_id vendor_id ordered status contract_id buyer revision", `
PO-100008|V-101|2034-11-20|CLOSED|SK-101|u-piet|5
PO-100011|V-101|2035-01-29|CONFIRMED|SK-101|u-piet|4
PO-100013|V-101|2035-02-05|CONFIRMED|SK-101|u-piet|2
`)
	p.add("po_lines", "po_id line_no part quantity received unit_price charge due service", `
PO-100008|1|SC-45H|30|30|38.40|0.00|2034-12-04|STANDARD
PO-100011|1|SC-45H|66|20|38.40|0.00|2035-03-16|STANDARD
PO-100013|1|SC-60H|45|0|52.90|0.00|2035-03-30|STANDARD
`)
	p.add("confirmations", "confirmation_id vendor_id reference part service quantity ready charge confirmed state supersedes note", `
CF-1001|V-101|PO-100011|SC-45H|STANDARD|36|2035-03-09|0.00|2035-02-19|SUPERSEDED||
CF-1002|V-101|PO-100011|SC-45H|STANDARD|36|2035-03-13|0.00|2035-03-02|CONFIRMED|CF-1001|Oven down for four days
CF-1003|V-101|PO-100011|SC-45H|EXPRESS|24|2035-03-09|465.00|2035-03-05|CONFIRMED||From stock that another customer has put off
CF-1004|V-101|PO-100011|SC-45H|AIR|30|2035-03-07|1150.00|2035-03-05|CONFIRMED||From the warehouse in Malmö
CF-1005|V-101|PO-100011|SC-45H|VAN|30|2035-03-06|220.00|2035-03-05|TENTATIVE||If the van is free; call before you count on it
CF-1007|V-101|PO-100011|SC-45H|STANDARD|10|2035-04-10|0.00|2035-03-02|CONFIRMED||The rest of the order
CF-1006|V-101|PO-100013|SC-60H|EXPRESS|45|2035-03-16|190.00|2035-03-01|CONFIRMED||
`)
	p.add("approval_limits", "limit_id user_id scope amount status valid_from valid_to says", `
AL-101|u-maren|EXPEDITE|400.00|ACTIVE|2035-01-01||For each order. What is approved for an order comes on top.
AL-102|u-maren|EXPEDITE|750.00|WITHDRAWN|2033-01-01|2034-12-31|For each order.
AL-103|u-maren|OVERTIME|1500.00|ACTIVE|2035-01-01||For each week and line.
`)
	p.add("approvals", "approval_id subject action scope amount asked_by decided_by state decided expires says", `
AP-101|PO-100011|haste for the seals of BL-77213|EXPEDITE|200.00|u-maren|u-lars|APPROVED|2035-03-05|2035-03-16|On top of the limit, for this order alone.
AP-102|PO-100011|haste for the seals of BL-77213|EXPEDITE|900.00|u-maren|u-lars|EXPIRED|2035-01-31|2035-02-28|For the first date, which has passed.
AP-103|PO-100013|haste for the 60 mm seals|EXPEDITE|250.00|u-maren|u-lars|APPROVED|2035-03-01|2035-03-31|On top of the limit, for this order alone.
AP-104|PO-100011|air freight of seals|EXPEDITE|700.00|u-maren||PENDING|||Not looked at yet.
`)
	p.add("mails", "mail_id sent sender recipients subject body", `
ML-1001|2035-03-05T16:42|Amira Haddad|Maren Dahlke|BL-77213, they call every day|Hallo Maren, Brennach asks for a day for BL-77213. Their site office has sent a new letter about the crane; I have put it into the folder of the order. Please do not give me a day that moves again.
ML-1002|2035-03-05T17:05|Gareth Pryce|Piet van Rossum; Maren Dahlke|PO-100011, what we can do|Dear both, the four ways that we can offer stand in your portal since this afternoon, each under its own confirmation. The van is my own idea and not in my hands. Gareth
ML-1003|2035-03-02T11:20|Tomas Reinholt|Maren Dahlke|Seals|The count of SC-45H is right as booked. Do not go by the sum, though: I have not looked which of them may be used.
`)
	p.add("chat_messages", "message_id channel at author text", `
CM-1001|planning|2035-03-05T09:12|Jonas Weidmann|PU-2 runs to the new times since the second pump bench came, so the old loads in the plan are too high.
CM-1002|planning|2035-03-05T09:20|Ravi Menon|The bay plan was issued again on Friday, the week 9 one is void. Test stays as in HS-102.
CM-1003|planning|2035-03-05T14:31|Beatriz Solano|Seals for JB-1002 are set aside in LT-1005, please leave them where they are.
`)
}
