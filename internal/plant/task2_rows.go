package main

// dispositionRows brings the charge of shafts, the job that waits for them, and what could close the gap.
func dispositionRows(p *plant) {
	p.add("customer_orders", "order_id customer customer_ref product quantity need_date promised ship_from carrier_calendar transit_days status owner revision", `
SO-20001|Ahlgren Offshore Winches|AOW-5520|AX-90|120|2035-04-06|2035-04-05|Lindholt|CARRIER-NORTH|2|RELEASED|u-amira|4
SO-20002|Kvarnberg Forestry Machines|KF-30114|AX-90|48|2035-04-20||Lindholt|CARRIER-NORTH|2|ENTERED|u-amira|1
`)
	p.add("slots", "slot_id line starts ends minutes_free state reason", `
SL-2001|HT-1|2035-03-08|2035-03-08|420|PROTECTED|Gear blanks of the gearbox shop, a heat of their own
SL-2002|HT-1|2035-03-09|2035-03-09|290|OPEN|
SL-2003|HT-1|2035-03-12|2035-03-12|360|OPEN|
SL-2004|HT-1|2035-03-13|2035-03-13|400|OPEN|
SL-2005|HT-1|2035-03-15|2035-03-15|440|OPEN|
SL-2011|AX-1|2035-03-19|2035-03-22|210|OPEN|
SL-2012|AX-1|2035-04-02|2035-04-04|900|OPEN|
`)
	p.add("jobs", "job_id order_id item quantity line slot_id load_minutes status revision", `
JB-2001|SO-20001|AX-90|120|AX-1|SL-2011|1590|FIRM|3
JB-2002|SO-20002|AX-90|48|AX-1|SL-2012|660|PLANNED|1
`)
	p.add("routings", "routing_id item line operation setup_minutes minutes_each revision status valid_from valid_to", `
RT-201|PS-36|HT-1|harden again|90|5|1|SUPERSEDED|2032-04-01|2034-08-31
RT-202|PS-36|HT-1|harden again|90|6.5|2|CURRENT|2034-09-01|2035-12-31
`)
	p.add("parts", "part name unit family spec_id standard_cost", `
PS-36|Pump shaft 36 mm, case hardened|piece|shafts|HS-201|31.20
BR-36|Roller bearing 36 mm|piece|bearings||27.50
SW-90|Swash plate 90|piece|pump parts||64.00
CB-90|Cylinder block 90|piece|pump parts||118.00
`)
	p.add("boms", "bom_id assembly revision status valid_from valid_to", `
BM-201|AX-90|G|SUPERSEDED|2032-04-01|2034-12-31
BM-202|AX-90|H|CURRENT|2035-01-01|2035-12-31
`)
	p.add("bom_lines", "bom_id position part quantity_per scrap_pct note", `
BM-201|10|PS-36|1|2|
BM-201|20|BR-36|2|0|
BM-201|30|SW-90|1|0|
BM-202|10|PS-36|1|4|Keyway is broached after hardening since revision H
BM-202|20|BR-36|2|0|
BM-202|30|SW-90|1|0|
BM-202|40|CB-90|1|0|
`)
	p.add("specs", "spec_id revision title subject status valid_from valid_to", `
HS-201|C|Pump shaft 36 mm, case and core|PS-36|SUPERSEDED|2031-02-10|2034-12-31
HS-201|D|Pump shaft 36 mm, case and core|PS-36|CURRENT|2035-01-01|
HS-202|1|Hardening shafts again|Rework of PS-36 in the chamber furnace|SUPERSEDED|2031-02-10|2034-08-31
HS-202|2|Hardening shafts again|Rework of PS-36 in the chamber furnace|CURRENT|2034-09-01|
`)
	p.add("spec_values", "spec_id revision name value unit note", `
HS-201|C|surface hardness, least|57.0|HRC|
HS-201|C|surface hardness, most|61.0|HRC|
HS-201|C|case depth, least|0.75|mm|
HS-201|D|surface hardness, least|58.0|HRC|Raised for the double pump
HS-201|D|surface hardness, most|62.0|HRC|
HS-201|D|case depth, least|0.80|mm|
HS-202|1|yield|92|percent|
HS-202|1|tempering|0|day|On the same day
HS-202|2|yield|85|percent|Of what goes in, after straightening
HS-202|2|tempering|1|day|
`)
	p.add("vendors", "vendor_id name place trade status approved_until calendar transit_days contact email", `
V-201|Sundgren Precision Shafts|Eskil|turned parts, shafts|APPROVED|2036-03-31|PLANT|2|Lotta Sundgren|order@sundgrenshafts.example
V-202|Vulkan Heat Treatment|Hagen Mills|heat treatment|APPROVED|2035-09-30|PLANT|1|Rolf Petri|auftrag@vulkanheat.example
`)
	p.add("quotes", "quote_id vendor_id part service minimum multiple unit_price fixed_charge lead_days state quoted valid_until", `
QT-2001|V-201|PS-36|FINISHED PART|10|5|46.50|0.00|4|VALID|2035-02-01|2035-06-30
QT-2002|V-202|PS-36|HARDEN AGAIN|1|1|9.40|0.00|6|VALID|2035-01-15|2035-06-30
QT-2003|V-202|PS-36|HARDEN AGAIN|1|1|8.10|0.00|5|EXPIRED|2034-01-20|2034-12-31
`)
	p.add("lots", "lot_id part quantity status place received expires made_to vendor_id revision", `
LT-2001|PS-36|180|HELD|HC-11|2035-03-02||D||2
LT-2002|PS-36|150|HELD|HC-12|2035-02-09||D||2
LT-2003|PS-36|14|FREE|C-02-1|2034-11-21||C||1
LT-2004|PS-36|9|FREE|C-02-2|2035-02-20||D||3
`)
	p.add("reservations", "reservation_id lot_id part purpose quantity state until made_by revision", `
RV-201|LT-2004|PS-36|Service department, repair of pump 90-0417|4|ACTIVE|2035-03-31|u-bea|1
RV-202|LT-2004|PS-36|Fair in Hanover, cut model|2|LAPSED|2035-02-28|u-bea|1
`)
	p.add("holds", "hold_id lot_id part reason quantity state opened opened_by revision", `
QH-2001|LT-2001|PS-36|Charge K-1187: soft shafts in some baskets|180|OPEN|2035-03-02|u-ines|2
QH-2002|LT-2002|PS-36|Charge K-1178: straightness, lot goes back to straightening|150|OPEN|2035-02-09|u-ines|3
`)
	p.add("inspections", "inspection_id lot_id characteristic sampled rejected lowest highest unit gauge inspected inspector status note", `
QI-2001|LT-2001|hardness, basket 1|13|0|58.6|61.0|HRC|HT-7|2035-03-05|u-ines|FINAL|
QI-2002|LT-2001|hardness, basket 2|13|2|57.4|60.2|HRC|HT-7|2035-03-05|u-ines|FINAL|
QI-2003|LT-2001|hardness, basket 3|13|1|58.1|61.8|HRC|HT-7|2035-03-05|u-ines|FINAL|One piece with a mark of the tongs
QI-2004|LT-2001|hardness, basket 4|13|4|55.9|58.8|HRC|HT-7|2035-03-05|u-ines|FINAL|
QI-2005|LT-2001|hardness, basket 5|13|0|58.3|60.9|HRC|HT-7|2035-03-06|u-ines|FINAL|
QI-2006|LT-2001|hardness, basket 5|13|3|56.8|59.1|HRC|HT-3|2035-03-03|u-ines|VOID|HT-3 read low, see its record
QI-2011|LT-2001|case depth, basket 2|2|0|0.92|0.95|mm|MS-1|2035-03-06|u-ines|FINAL|
QI-2012|LT-2001|case depth, basket 4|2|0|0.86|0.88|mm|MS-1|2035-03-06|u-ines|FINAL|
QI-2021|LT-2002|straightness|20|9|0.02|0.09|mm|SD-2|2035-02-09|u-ines|FINAL|
`)
	p.add("procedure_rules", "rule_id procedure revision area parameter value unit status valid_from valid_to says", `
PR-201|QP-21|1|heat treatment|most pieces out of limits in a basket's sample|0|shaft|SUPERSEDED|2030-05-01|2034-12-31|Of a sample of eight.
PR-202|QP-21|2|heat treatment|most pieces out of limits in a basket's sample|1|shaft|CURRENT|2035-01-01||Of a sample of thirteen, and for marks only: the lowest and the highest reading must be within the specification.
PR-203|QP-21|1|heat treatment|case depth that hardening again takes away|0.05|mm|SUPERSEDED|2030-05-01|2034-12-31|Read on the shallowest cut.
PR-204|QP-21|2|heat treatment|case depth that hardening again takes away|0.10|mm|CURRENT|2035-01-01||What is left must still be the least depth of the specification, read on the shallowest cut.
PR-207|QP-21|1|heat treatment|price of each reading under a concession|3.20|EUR/shaft|SUPERSEDED|2030-05-01|2034-12-31|Each shaft is read by itself.
PR-208|QP-21|2|heat treatment|price of each reading under a concession|4.50|EUR/shaft|CURRENT|2035-01-01||Each shaft that is used under a concession is read by itself.
PR-205|QP-30|3|assembly|days by which parts are kitted before a slot begins|2|day|SUPERSEDED|2030-05-01|2034-09-30|Calendar days.
PR-206|QP-30|4|assembly|days by which parts are kitted before a slot begins|3|day|CURRENT|2034-10-01||Calendar days.
`)
	p.add("confirmations", "confirmation_id vendor_id reference part service quantity ready charge confirmed state supersedes note", `
CF-2001|V-201|QH-2001|PS-36|FINISHED PART|15|2035-03-09|380.00|2035-03-06|CONFIRMED||Set up beside another order, for this once
CF-2002|V-202|QH-2001|PS-36|HARDEN AGAIN|60|2035-03-13|120.00|2035-03-05|SUPERSEDED||
CF-2003|V-202|QH-2001|PS-36|HARDEN AGAIN|60|2035-03-15|120.00|2035-03-06|CONFIRMED|CF-2002|Vacuum pump on order
`)
	p.add("approval_limits", "limit_id user_id scope amount status valid_from valid_to says", `
AL-201|u-ines|QUALITY|500.00|ACTIVE|2035-01-01||What a hold may cost to clear, for each hold. What is approved for a hold comes on top.
AL-202|u-ines|QUALITY|1200.00|WITHDRAWN|2032-01-01|2034-12-31|For each hold.
`)
	p.add("approvals", "approval_id subject action scope amount asked_by decided_by state decided expires says", `
AP-201|QH-2001|use of shafts down to 57 HRC|CONCESSION|0.00|u-ines|u-femke|REFUSED|2035-03-06||Not in a double pump, and the customer would have to be asked.
AP-202|QH-2001|clearing of the hold|QUALITY|150.00|u-ines|u-lars|APPROVED|2035-03-06|2035-03-30|On top of the limit, for this hold alone.
AP-203|QH-2002|clearing of the hold|QUALITY|400.00|u-ines|u-lars|APPROVED|2035-02-12|2035-03-31|For the straightening.
AP-204|QH-2001|overtime in the lab|QUALITY|300.00|u-ines|u-lars|EXPIRED|2035-03-02|2035-03-04|For the first weekend only.
`)
	lab := map[string]string{"2035-03-13": "tester is at the calibration house", "2035-03-14": "tester is at the calibration house", "2035-03-16": "auditors are in the lab", "2035-03-23": "Good Friday", "2035-03-26": "Easter Monday"}
	for _, r := range p.where("calendar_days", "calendar", "PLANT") {
		if r["day"] < "2035-03-07" || r["day"] > "2035-03-23" {
			continue
		}
		n := row{"calendar": "LAB", "day": r["day"], "state": r["state"], "label": r["label"]}
		if says := lab[r["day"]]; says != "" {
			n["state"], n["label"] = "CLOSED", says
		} else if n["state"] == "OPEN" {
			n["label"] = "lots are measured and set free on the day they come"
		}
		p.rows["calendar_days"] = append(p.rows["calendar_days"], n)
	}
	p.add("mails", "mail_id sent sender recipients subject body", `
ML-2001|2035-03-06T15:05|Rolf Petri|Inês Carvalho; Colm Brennan|QH-2001, our furnace|The vacuum pump comes two days later than I hoped, so please take the new confirmation and not the one from yesterday. Petri
ML-2002|2035-03-06T15:48|Femke de Wit|Inês Carvalho|Soft shafts|I will not sign for 57. The second shaft runs at the edge as it is.
`)
	p.add("chat_messages", "message_id channel at author text", `
CM-2001|quality|2035-03-06T08:10|Niko Aaltonen|Charge K-1187: basket 4 stood at the door, the curtain is torn there. The program itself was right.
CM-2002|quality|2035-03-06T11:26|Tomas Reinholt|Ahlgren's pumps, JB-2001, go into the slot on the 19th. Kvarnberg can wait.
CM-2003|quality|2035-03-06T13:02|Inês Carvalho|Basket 5 was measured again with HT-7, the reading of HT-3 is void.
`)
}
