package main

import "time"

// grindingRows brings the die and the one that looks like it, the plates that it stamps, the motors that take them, the strip press,
// four shops that grind, and the van that goes round them.
func grindingRows(p *plant) {
	p.calendar("TOOL-VAN", func(day time.Time) (string, string) {
		if w := day.Weekday(); w == time.Tuesday || w == time.Thursday {
			return "OPEN", "tour of the tool shops"
		}
		return "", ""
	})
	p.add("lines", "line name area crew shift_minutes availability_pct supervisor", `
ST-6|Strip stamping, 125 t|Hall C|1|450|80|u-niko
GA-7|Gear motor assembly|Hall B|3|450|86|u-jonas
`)
	p.add("assets", "asset_id name area line kind serial meter_hours metered hours_per_day status", `
AS-801|Blanking die, thrust plates of the GM-44|Tool room|ST-6|blanking die|D-4407|7725|2035-03-09|6|WAITS FOR ITS RUN
AS-802|Blanking die, thrust plates of the GM-44|Tool room|ST-6|blanking die|D-4470|3102|2035-03-09|4|ON THE SHELF
`)
	p.add("spares", "spare_id asset_id part name on_hand reserved condition place", `
SP-801|AS-801|IN-4407|Insert, coated|7|2|NEW|T-12
SP-802|AS-801|IN-4407|Insert, coated|4|0|USED|T-13
SP-803|AS-802|IN-4470|Insert, coated|9|0|NEW|T-14
`)
	p.add("work_orders", "work_order asset_id task plan_id hours crew due status revision", `
WO-8001|AS-801|Fit ground inserts and prove the die under the strip|HS-801|1.6|2||OPEN|2
WO-8002|AS-801|Fit ground inserts and prove the die under the strip|HS-801|2.4|2|2034-02-16|DONE|3
WO-8003|AS-801|Polish the stripper plate|HS-801|3.5|1||CANCELLED|2
WO-8004|AS-802|Fit ground inserts and prove the die under the strip||2|2|2035-06-29|OPEN|1
`)
	p.add("slots", "slot_id line starts ends minutes_free state reason", `
SL-8001|ST-6|2035-03-12|2035-03-12|390|OPEN|
SL-8003|ST-6|2035-03-12|2035-03-13|610|PROTECTED|Trial of the lead free strip, kept for Engineering
SL-8002|ST-6|2035-03-13|2035-03-14|545|OPEN|
SL-8004|ST-6|2035-03-15|2035-03-16|830|OPEN|
SL-8005|ST-6|2035-03-20|2035-03-20|765|OPEN|
SL-8006|ST-6|2035-03-21|2035-03-22|800|OPEN|
SL-8008|ST-6|2035-03-27|2035-03-27|820|PROTECTED|Lock plates for the dispatch of Wednesday
SL-8007|ST-6|2035-03-27|2035-03-28|770|OPEN|
SL-8009|ST-6|2035-03-29|2035-03-30|0|FULL|
SL-8010|ST-6|2035-04-02|2035-04-02|430|OPEN|
SL-8011|ST-6|2035-04-03|2035-04-04|790|OPEN|
SL-8012|ST-6|2035-04-10|2035-04-11|860|OPEN|
SL-8021|GA-7|2035-03-30|2035-04-05|35|OPEN|
SL-8022|GA-7|2035-04-17|2035-04-20|660|OPEN|
`)
	p.add("jobs", "job_id order_id item quantity line slot_id load_minutes status revision", `
JB-8001||GM-44|640|GA-7|SL-8021|1680|FIRM|4
JB-8002||GM-44|220|GA-7|SL-8022|590|PLANNED|1
JB-8003||GM-62|90|GA-7|SL-8022|405|FIRM|2
`)
	p.add("routings", "routing_id item line operation setup_minutes minutes_each revision status valid_from valid_to", `
RT-801|TP-44|ST-6|blank and pierce, strip fed by roller|50|0.6|1|SUPERSEDED|2031-02-01|2034-11-30
RT-802|TP-44|ST-6|blank and pierce, strip fed by hand|50|0.88|2|CURRENT|2034-12-01|2035-12-31
RT-803|TP-44R|ST-6|blank and pierce|50|0.7|1|CURRENT|2033-01-01|2035-12-31
`)
	p.add("parts", "part name unit family spec_id standard_cost", `
GM-44|Gear motor 44|piece|gear motors||318.00
GM-62|Gear motor 62|piece|gear motors||402.00
TP-44|Thrust plate 44, bronze on steel|piece|thrust plates|HS-802|2.15
TP-44R|Thrust plate 44 for both directions, bronze on steel|piece|thrust plates||2.60
GB-44|Gear pair 44|piece|gears||61.00
IN-4407|Insert of die D-4407, carbide, coated|piece|inserts||236.00
IN-4470|Insert of die D-4470, steel, coated|piece|inserts||148.00
`)
	p.add("boms", "bom_id assembly revision status valid_from valid_to", `
BM-801|GM-44|B|SUPERSEDED|2031-02-01|2034-12-31
BM-802|GM-44|C|CURRENT|2035-01-01|2036-12-31
`)
	p.add("bom_lines", "bom_id position part quantity_per scrap_pct note", `
BM-801|10|GB-44|1|0|
BM-801|20|TP-44|2|2|
BM-802|10|GB-44|1|0|
BM-802|20|TP-44|2|4|Edges that break at lapping
`)
	p.add("specs", "spec_id revision title subject status valid_from valid_to", `
HS-801|1|Blanking die, sheet of the tool|D-4407|SUPERSEDED|2030-06-01|2034-11-30
HS-801|2|Blanking die, sheet of the tool|D-4407|CURRENT|2034-12-01|
HS-802|C|Thrust plate 44|TP-44|SUPERSEDED|2031-02-01|2034-09-30
HS-802|D|Thrust plate 44|TP-44|CURRENT|2034-10-01|
HS-803|A|Thrust plate 44 for both directions|TP-44R|CURRENT|2033-01-01|
`)
	p.add("spec_values", "spec_id revision name value unit note", `
HS-801|1|running hours between grindings|460|hour|
HS-801|1|clearance of the punches|0.03|mm|
HS-801|2|running hours between grindings|400|hour|Harder bronze
HS-801|2|clearance of the punches|0.04|mm|
HS-802|C|burr, most|0.09|mm|
HS-802|C|layer of bronze|0.25|mm|
HS-802|D|burr, most|0.05|mm|
HS-802|D|layer of bronze|0.32|mm|
HS-803|A|burr, most|0.08|mm|
`)
	p.add("lots", "lot_id part quantity status place received expires made_to vendor_id revision", `
LT-8001|TP-44|410|FREE|D-07-1|2035-01-22||D||3
LT-8002|TP-44|230|FREE|D-07-3|2034-07-11||C||2
LT-8003|TP-44|180|HELD|D-08-1|2035-02-02||D||4
LT-8004|TP-44|150|FREE|D-07-2|2035-03-02||D||1
LT-8005|TP-44|96|FREE|D-07-4|2034-12-15||D||5
LT-8006|TP-44R|340|FREE|D-09-1|2035-02-20||A||1
`)
	p.add("reservations", "reservation_id lot_id part purpose quantity state until made_by revision", `
RV-801|LT-8005|TP-44|Service department, repair kits|60|ACTIVE|2035-06-30|u-bea|1
RV-802|LT-8001|TP-44|Samples for the lapping machine|18|RELEASED|2035-01-31|u-jonas|2
`)
	p.add("holds", "hold_id lot_id part reason quantity state opened opened_by revision", `
QH-8001|LT-8003|TP-44|Bronze does not hold on the steel, whole lot|180|OPEN|2035-02-05|u-ines|2
QH-8002|LT-8001|TP-44|Scratched when a box fell, marked with a red band|25|OPEN|2035-02-26|u-ines|1
QH-8003|LT-8001|TP-44|Paper of the strip was missing, came later|90|CLOSED|2035-01-23|u-ines|3
`)
	p.add("inspections", "inspection_id lot_id characteristic sampled rejected lowest highest unit gauge inspected inspector status note", `
QI-8001|LT-8004|burr|20|7|0.03|0.08|mm|OG-21|2035-03-05|u-ines|FINAL|The side of stations two and three
QI-8002|LT-8004|burr|20|0|0.01|0.04|mm|OG-09|2035-03-02|u-ines|VOID|Measured on the wrong edge
`)
	p.add("procedure_rules", "rule_id procedure revision area parameter value unit status valid_from valid_to says", `
PR-801|QP-71|1|tool room|edge wear from which an insert is ground|0.15|mm|SUPERSEDED|2030-01-01|2034-11-30|All inserts of a station together, by its worst edge.
PR-802|QP-71|2|tool room|edge wear from which an insert is ground|0.10|mm|CURRENT|2034-12-01||All inserts of a station together, by its worst edge. Broken ones are replaced by new ones that are coated already.
PR-803|QP-72|3|tool room|days for fitting and measuring a die that is home again|2|day|SUPERSEDED|2031-01-01|2034-08-31|From the working day on which it comes; it ends on a working day.
PR-804|QP-72|4|tool room|days for fitting and measuring a die that is home again|1|day|CURRENT|2034-09-01||Calendar days from the working day on which it comes; it ends on a working day. Only then does the press take it.
PR-805|QP-74|2|stamping|days for tumbling and counting thrust plates|2|day|SUPERSEDED|2031-01-01|2035-01-31|From the day on which the run ends.
PR-806|QP-74|3|stamping|days for tumbling and counting thrust plates|1|day|CURRENT|2035-02-01||Calendar days from the day on which the run ends; it ends on a working day.
`)
	p.add("vendors", "vendor_id name place trade status approved_until calendar transit_days contact email", `
V-801|Kessler Profilschliff|Aarlund|tool grinding and coating|APPROVED|2036-02-28|TOOL-VAN|1|Ruth Kessler|auftrag@kesslerprofil.example
V-802|Slipeteknikk Halden|Halden|tool grinding and coating|APPROVED|2035-12-31|TOOL-VAN|1|Eivind Moe|ordre@slipeteknikk.example
V-803|Norrslip|Sundvik|tool grinding and coating|APPROVED|2036-06-30|TOOL-VAN|2|Agneta Lund|order@norrslip.example
V-804|Precisa Tools|Lyngby|tool grinding and coating|APPROVED|2035-09-30|TOOL-VAN|1|Mads Friis|salg@precisatools.example
`)
	p.add("quotes", "quote_id vendor_id part service minimum multiple unit_price fixed_charge lead_days state quoted valid_until", `
QT-8001|V-801|AS-801|REGRIND AND COAT|10|1|165.00|893.00|2|VALID|2035-03-08|2035-04-30
QT-8002|V-802|AS-801|REGRIND AND COAT|12|1|128.00|640.00|5|VALID|2035-03-09|2035-05-31
QT-8003|V-803|AS-801|REGRIND AND COAT|20|1|92.00|318.00|9|VALID|2035-03-07|2035-06-30
QT-8004|V-804|AS-801|REGRIND AND COAT|8|1|118.00|433.00|2|VALID|2035-03-08|2035-04-15
QT-8006|V-802|AS-801|REGRIND AND COAT|8|1|119.00|520.00|6|VALID|2034-09-20|2035-03-20
QT-8007|V-802|AS-801|REGRIND|8|1|74.00|290.00|3|VALID|2035-03-09|2035-05-31
QT-8005|V-803|AS-801|REGRIND AND COAT|16|1|88.00|300.00|9|EXPIRED|2034-01-15|2034-12-31
QT-8011|V-801|AS-802|REGRIND AND COAT|10|1|121.00|700.00|2|VALID|2035-02-12|2035-05-31
QT-8012|V-802|AS-802|REGRIND AND COAT|12|1|97.00|455.00|5|VALID|2035-02-12|2035-05-31
QT-8013|V-803|AS-802|REGRIND AND COAT|20|1|71.00|260.00|9|VALID|2035-02-12|2035-05-31
QT-8014|V-804|AS-802|REGRIND AND COAT|8|1|93.00|380.00|2|VALID|2035-02-12|2035-05-31
`)
	p.add("confirmations", "confirmation_id vendor_id reference part service quantity ready charge confirmed state supersedes note", `
CF-8001|V-801|IQ-8807|AS-801|REGRIND AND COAT|24|2035-03-19|0.00|2035-03-08|CONFIRMED||At night, between two of our own dies
CF-8002|V-802|IQ-8807|AS-801|REGRIND AND COAT|20|2035-03-19|0.00|2035-03-08|SUPERSEDED||
CF-8003|V-802|IQ-8807|AS-801|REGRIND AND COAT|20|2035-03-21|0.00|2035-03-09|CONFIRMED|CF-8002|The coater has moved his batch
CF-8004|V-803|IQ-8807|AS-801|REGRIND AND COAT|30|2035-03-28|0.00|2035-03-07|CONFIRMED||
CF-8005|V-804|IQ-8807|AS-801|REGRIND AND COAT|16|2035-03-15|0.00|2035-03-08|CONFIRMED||Our machine is free only then
CF-8006|V-804|IQ-8807|AS-801|REGRIND AND COAT|16|2035-04-11|0.00|2035-03-08|TENTATIVE||If the first day is missed; not settled
`)
	p.add("approval_limits", "limit_id user_id scope amount status valid_from valid_to says", `
AL-801|u-colm|SUBCONTRACT|2500.00|ACTIVE|2035-01-01||For each order. What is approved for a tool or part comes on top.
AL-802|u-colm|SUBCONTRACT|4200.00|WITHDRAWN|2032-01-01|2033-12-31|For each order.
AL-803|u-colm|EXPEDITE|250.00|ACTIVE|2035-01-01||For each order.
`)
	p.add("approvals", "approval_id subject action scope amount asked_by decided_by state decided expires says", `
AP-801|AS-801|grinding of the die for thrust plates|SUBCONTRACT|200.00|u-colm|u-yuki|APPROVED|2035-03-09|2035-03-31|On top of the limit, once.
AP-802|AS-801|grinding of the die for thrust plates|SUBCONTRACT|950.00|u-colm|u-lars|EXPIRED|2034-02-08|2034-03-31|For the grinding of last winter.
AP-803|AS-802|grinding of the die for both directions|SUBCONTRACT|300.00|u-colm|u-yuki|APPROVED|2035-02-14|2035-06-30|On top of the limit, once.
AP-804|AS-801|Kessler at night|SUBCONTRACT|1200.00|u-colm||PENDING|||Asked on Friday, Lars is at the fair.
`)
	p.add("mails", "mail_id sent sender recipients subject body", `
ML-8001|2035-03-09T13:12|Eivind Moe|Colm Brennan|IQ-8807, the coater|Hello Colm, the coater has moved his batch and I had to confirm you another day. The new price stands until the end of May. Ours of last autumn is still good for a few days, but you know what that is worth to a die that is here.
ML-8002|2035-03-09T15:44|Mads Friis|Colm Brennan|IQ-8807, why so soon|Hi Colm, the machine is free for a gap between two jobs and then not for weeks. If the die is at our gate in time we do it, otherwise it is a question for April.
`)
	p.add("chat_messages", "message_id channel at author text", `
CM-8001|toolroom|2035-03-09T07:48|Niko Aaltonen|D-4407 stays on the shelf by the strip press until its run. It gets the hours that are left in it and then it may go, not before.
CM-8002|toolroom|2035-03-09T08:15|Colm Brennan|IQ-8807 is out to all four, with the drawing and without the broken inserts.
CM-8003|toolroom|2035-03-09T11:30|Jonas Weidmann|The motors for the mowers are firm, the rest of the year is a plan. I begin on the day that stands there.
CM-8004|toolroom|2035-03-09T14:02|Oskar Thorsen|Van for the tool shops goes Tuesdays and Thursdays, as always. A die needs two men and a pallet, tell me before.
`)
}
