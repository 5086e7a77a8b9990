package main

// backlogRows brings the manifold line with its orders, stock and cartridges, the shifts that its crew offers, and their rules.
func backlogRows(p *plant) {
	p.add("lines", "line name area crew shift_minutes availability_pct supervisor", `
MF-1|Manifold assembly|Hall B|4|450|86|u-jonas
`)
	p.add("customer_orders", "order_id customer customer_ref product quantity need_date promised ship_from carrier_calendar transit_days status owner revision", `
SO-70001|Norrvik Forest Machines|NFM-3304|MF-16|900|2035-12-15||Lindholt|CARRIER-NORTH|2|RELEASED|u-amira|5
SO-70002|Norrvik Forest Machines|NFM-3340|MF-10|400|2035-11-30||Lindholt|CARRIER-NORTH|2|RELEASED|u-amira|2
SO-70003|Lyse Harvesters|LH-88|MF-16|60|2035-05-21|2035-05-18|Lindholt|CARRIER-COAST|1|RELEASED|u-amira|1
`)
	p.add("slots", "slot_id line starts ends minutes_free state reason", `
SL-7001|MF-1|2035-03-12|2035-03-12|170|OPEN|
SL-7002|MF-1|2035-03-13|2035-03-14|310|PROTECTED|First pieces of the valve with the sensor, kept for Femke
SL-7003|MF-1|2035-03-15|2035-03-16|140|OPEN|
SL-7004|MF-1|2035-03-19|2035-03-20|120|OPEN|
SL-7005|MF-1|2035-03-21|2035-03-22|260|OPEN|
SL-7006|MF-1|2035-03-20|2035-03-21|0|FULL|
`)
	p.add("jobs", "job_id order_id item quantity line slot_id load_minutes status revision", `
JB-7001|SO-70001|MF-16|36|MF-1|SL-7001|212|FIRM|2
JB-7002|SO-70002|MF-10|40|MF-1|SL-7003|185|FIRM|1
`)
	p.add("routings", "routing_id item line operation setup_minutes minutes_each revision status valid_from valid_to", `
RT-701|MF-16|MF-1|assemble and seal|30|5.5|1|SUPERSEDED|2032-01-01|2034-08-31
RT-702|MF-16|MF-1|assemble and seal|20|4.5|2|CURRENT|2034-09-01|2035-12-31
RT-703|MF-10|MF-1|assemble and seal|20|4|1|CURRENT|2032-01-01|2035-12-31
`)
	p.add("shifts", "shift_id line day kind minutes crew premium_pct state item opened_by revision", `
SH-701|MF-1|2035-03-10|SATURDAY|420|4|50|OFFERED|||2
SH-702|MF-1|2035-03-15|NIGHT|450|4|75|OFFERED|||2
SH-703|MF-1|2035-03-11|SUNDAY|420|4|100|REFUSED|||3
SH-704|MF-1|2035-03-17|SATURDAY|405|4|50|OFFERED|||2
SH-705|MF-1|2035-03-31|SATURDAY|420|3|50|OFFERED|||2
SH-706|MF-1|2035-03-17|SATURDAY|240|4|40|OFFERED|||2
SH-707|AX-1|2035-03-17|SATURDAY|420|4|50|OFFERED|||2
SH-708|MF-1|2035-03-03|SATURDAY|360|4|50|CLOSED|MF-10|u-jonas|4
SH-709|MF-1|2035-03-12|NIGHT|450|4|75|REFUSED|||1
`)
	p.add("parts", "part name unit family spec_id standard_cost", `
MF-16|Manifold 16, four sections|piece|manifolds|HS-701|284.00
MF-10|Manifold 10, four sections|piece|manifolds||196.00
CV-16|Cartridge valve 16|piece|cartridges||21.70
CV-10|Cartridge valve 10|piece|cartridges||17.90
BK-16|Block for manifold 16, drilled|piece|blocks||73.50
`)
	p.add("boms", "bom_id assembly revision status valid_from valid_to", `
BM-701|MF-16|2|SUPERSEDED|2032-01-01|2034-08-31
BM-702|MF-16|3|CURRENT|2034-09-01|2035-12-31
`)
	p.add("bom_lines", "bom_id position part quantity_per scrap_pct note", `
BM-701|10|BK-16|1|0|
BM-701|20|CV-16|5|2|
BM-702|10|BK-16|1|0|
BM-702|20|CV-16|6|5|The sixth holds the load; chips in the drilling cost one now and then
`)
	p.add("specs", "spec_id revision title subject status valid_from valid_to", `
HS-701|D|Manifold 16, ports and pressure test|MF-16|SUPERSEDED|2032-01-01|2034-08-31
HS-701|E|Manifold 16, ports and pressure test|MF-16|CURRENT|2034-09-01|
`)
	p.add("spec_values", "spec_id revision name value unit note", `
HS-701|D|stands under pressure|2|day|
HS-701|D|test pressure|300|bar|
HS-701|E|stands under pressure|1|day|With dye, which shows sooner
HS-701|E|test pressure|350|bar|
`)
	p.add("vendors", "vendor_id name place trade status approved_until calendar transit_days contact email", `
V-701|Kestrel Cartridge Valves|Telford|cartridge valves|APPROVED|2036-09-30|PLANT|2|Moira Haig|sales@kestrelvalves.example
V-702|Valvole Brenta|Bassano|cartridge valves|APPROVED|2035-08-31|PLANT|4|Enzo Tosin|ordini@valvolebrenta.example
`)
	p.add("lots", "lot_id part quantity status place received expires made_to vendor_id revision", `
LT-7001|MF-16|38|FREE|D-02-1|2035-03-06||E||3
LT-7002|MF-16|20|HELD|D-09-1|2035-02-22||E||2
LT-7003|MF-16|14|FREE|D-02-4|2034-07-18||D||2
LT-7004|MF-16|11|INSPECTION|TB-R3|2035-03-08||E||1
LT-7005|MF-10|52|FREE|D-03-1|2035-03-02||B||2
LT-7011|CV-16|190|FREE|E-07-2|2035-02-27||4|V-701|5
LT-7012|CV-16|60|HELD|E-09-1|2035-01-16||4|V-702|2
LT-7013|CV-10|300|FREE|E-07-3|2035-02-12||2|V-701|1
`)
	p.add("reservations", "reservation_id lot_id part purpose quantity state until made_by revision", `
RV-701|LT-7001|MF-16|Lyse Harvesters, samples for their approval|5|ACTIVE|2035-03-30|u-bea|1
RV-702|LT-7001|MF-16|Show in Hanover|8|RELEASED|2035-02-28|u-amira|2
RV-711|LT-7011|CV-16|JB-7001|25|ACTIVE|2035-03-13|u-tomas|1
RV-712|LT-7011|CV-16|JB-6990|30|LAPSED|2035-02-23|u-tomas|1
`)
	p.add("holds", "hold_id lot_id part reason quantity state opened opened_by revision", `
QH-7001|LT-7002|MF-16|Plugs of the wrong colour, ports have to be looked at|20|OPEN|2035-02-23|u-ines|1
QH-7002|LT-7012|CV-16|Spring rate not shown in the papers|60|OPEN|2035-01-17|u-hanne|2
`)
	p.add("inspections", "inspection_id lot_id characteristic sampled rejected lowest highest unit gauge inspected inspector status note", `
QI-7001|LT-7001|tight at test pressure|38|3|||piece|stand 4|2035-03-07|u-ravi|FINAL|Three sweat at the sixth cartridge and lie in the same rack
QI-7002|LT-7001|tight at test pressure|38|7|||piece|stand 2|2035-03-06|u-ravi|VOID|Hose of the stand dripped on them
`)
	p.add("procedure_rules", "rule_id procedure revision area parameter value unit status valid_from valid_to says", `
PR-701|PP-11|1|planning|days for which call-offs are planned|20|day|SUPERSEDED|2031-01-01|2034-06-30|From today.
PR-702|PP-11|2|planning|days for which call-offs are planned|12|day|CURRENT|2034-07-01||From today. What was called off for an earlier day and not sent counts with it.
PR-703|PP-11|1|planning|share kept beyond the call-offs|10|percent|SUPERSEDED|2031-01-01|2034-06-30|Up to a whole piece.
PR-704|PP-11|2|planning|share kept beyond the call-offs|6|percent|CURRENT|2034-07-01||Of what is planned, up to a whole piece.
PR-705|AP-30|1|assembly|output of an extra shift, of an ordinary one|100|percent|SUPERSEDED|2030-01-01|2033-12-31|As if nothing were different on a Saturday.
PR-706|AP-30|2|assembly|output of an extra shift, of an ordinary one|92|percent|CURRENT|2034-01-01||Stores and tool room are not there. The minutes of a load are divided by this share as well.
PR-707|QP-09|2|stores|days for flushing and checking cartridges|3|day|SUPERSEDED|2031-01-01|2034-10-31|With the old flushing stand.
PR-708|QP-09|3|stores|days for flushing and checking cartridges|1|day|CURRENT|2034-11-01||From the working day on which they come to the working day on which they may be fitted.
PR-709|WA-2|4|personnel|announcing a shift under the works agreement|3|day|SUPERSEDED|2031-01-01|2034-12-31|Calendar days.
PR-710|WA-2|5|personnel|announcing a shift under the works agreement|5|day|CURRENT|2035-01-01||Calendar days from the day of the announcement; the shift may be on the last of them. Nobody may be asked to waive it.
PR-711|WA-3|1|personnel|most hours in a week|50|hour|SUPERSEDED|2029-01-01|2034-12-31|For each of the crew.
PR-712|WA-3|2|personnel|most hours in a week|48|hour|CURRENT|2035-01-01||Monday to Sunday, for each of the crew. Just so many are allowed.
PR-713|FI-08|6|finance|hall on a day of the weekend|69|EUR|SUPERSEDED|2033-01-01|2034-12-31|For one shift.
PR-714|FI-08|7|finance|hall on a day of the weekend|84|EUR|CURRENT|2035-01-01||Heat, light and air for one shift. At night in the week they run anyhow.
`)
	p.add("purchase_orders", "po_id vendor_id ordered status contract_id buyer revision", `
PO-700002|V-702|2035-01-08|CLOSED||u-piet|3
PO-700004|V-701|2035-02-12|CONFIRMED||u-piet|2
PO-700005|V-701|2035-02-19|CONFIRMED||u-piet|1
`)
	p.add("po_lines", "po_id line_no part quantity received unit_price charge due service", `
PO-700002|1|CV-16|60|60|20.90|0.00|2035-01-16|STANDARD
PO-700004|1|CV-16|340|0|21.70|0.00|2035-03-15|STANDARD
PO-700005|1|CV-10|200|0|17.90|0.00|2035-03-29|STANDARD
`)
	p.add("confirmations", "confirmation_id vendor_id reference part service quantity ready charge confirmed state supersedes note", `
CF-7001|V-701|PO-700004|CV-16|STANDARD|240|2035-03-08|0.00|2035-02-20|SUPERSEDED||
CF-7002|V-701|PO-700004|CV-16|STANDARD|240|2035-03-12|0.00|2035-03-05|CONFIRMED|CF-7001|Springs were late
CF-7003|V-701|PO-700004|CV-16|STANDARD|100|2035-03-09|0.00|2035-03-05|CONFIRMED||What is left of the last batch
CF-7004|V-701|PO-700004|CV-16|EXPRESS|240|2035-03-09|380.00|2035-03-05|WITHDRAWN||
`)
	p.add("assets", "asset_id name area line kind serial meter_hours metered hours_per_day status", `
AS-701|Compressor of the manifold line|Hall B|MF-1|compressor|KX-20771|21480|2035-03-07|9.5|RUNNING
AS-702|Compressor of the pump lines|Hall B|AX-1|compressor|KX-20774|18310|2035-03-07|11.0|RUNNING
`)
	p.add("windows", "window_id asset_id day starts hours state reason lost_minutes", `
MW-7001|AS-701|2035-03-10|07:00|6|TAKEN|New seals in the second stage|0
MW-7002|AS-701|2035-03-17|07:00|6|OPEN||0
MW-7003|AS-701|2035-03-24|07:00|6|TAKEN|Filters, with the whole hall off|0
MW-7004|AS-701|2035-03-31|12:00|4|OPEN||0
`)
	p.add("work_orders", "work_order asset_id task plan_id hours crew due status revision", `
WO-7001|AS-701|Seals of the second stage||5|2|2035-03-16|BOOKED|3
WO-7002|AS-701|Filters||4|1|2035-03-30|BOOKED|2
`)
	p.add("approval_limits", "limit_id user_id scope amount status valid_from valid_to says", `
AL-701|u-jonas|EXTRA_SHIFT|1100.00|ACTIVE|2035-01-01||For each extra shift, hall counted in. What is put on top for a line comes beside it.
AL-702|u-jonas|EXTRA_SHIFT|1800.00|WITHDRAWN|2033-01-01|2034-12-31|For each extra shift.
AL-703|u-jonas|TOOLS|250.00|ACTIVE|2035-01-01||For each order.
`)
	p.add("approvals", "approval_id subject action scope amount asked_by decided_by state decided expires says", `
AP-701|MF-1|one extra shift for the arrears|EXTRA_SHIFT|300.00|u-jonas|u-lars|APPROVED|2035-03-08|2035-03-31|On top of the limit, for one shift.
AP-702|MF-1|extra shifts in February|EXTRA_SHIFT|700.00|u-jonas|u-lars|EXPIRED|2035-02-02|2035-02-28|For February alone.
AP-703|MF-1|a night for the arrears|EXTRA_SHIFT|620.00|u-jonas||PENDING|||Lars wants to see the other ways first.
AP-704|AX-1|extra shift for the seventies|EXTRA_SHIFT|450.00|u-jonas|u-lars|APPROVED|2035-03-06|2035-03-30|On top of the limit, for one shift.
`)
	p.add("mails", "mail_id sent sender recipients subject body", `
ML-7001|2035-02-28T13:20|Sigrun Dahl|Amira Haddad; Jonas Weidmann|NFM-3304, how long we can wait|Hello both, on our side it is not so bad yet. By the computer our own shelf lasts until 30 March 2035, at six machines a day. Sigrun
ML-7002|2035-03-08T09:45|Sigrun Dahl|Amira Haddad; Jonas Weidmann|NFM-3304, this is getting serious|Hello both, two lorries have come without your manifolds. We have counted again by hand and not by the computer, and our own shelf lasts until 24 March 2035, if we build Saturdays too. What has left your dock by that day we fetch from the terminal ourselves. After it the line stands, and you know what I think of that. Sigrun
ML-7003|2035-03-08T15:05|Elke Baumann|Jonas Weidmann|Hours of your crew|The roster was drawn again on Thursday, the old one still had the training in it. Do not count on anybody for a Saturday unless it is announced as the agreement says.
`)
	p.add("chat_messages", "message_id channel at author text", `
CM-7001|weekend|2035-03-08T10:10|Elke Baumann|New agreement since January: five days. I cannot bend it, and I have been asked three times this week.
CM-7002|weekend|2035-03-08T10:26|Sade Okonkwo|The compressor at the manifolds is open on the tenth, seals are out, nobody gets air that day.
CM-7003|weekend|2035-03-08T13:58|Ravi Menon|Three of LT-7001 sweat. They are in rack 3 with the rest, I have not booked them out.
`)
}
