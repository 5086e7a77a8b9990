package main

// pressRows brings the two presses with their work, windows and spares, and what the ways to repair the big one stand on.
func pressRows(p *plant) {
	p.add("assets", "asset_id name area line kind serial meter_hours metered hours_per_day status", `
AS-401|Hydraulic press, 400 t|Hall C|PR-4|press|LZ-4087|21766|2035-03-05|15.5|RUNNING
AS-402|Trimming press, 160 t|Hall C||press|LZ-4078|9318|2035-03-05|7.5|RUNNING
AS-403|Travelling crane, 8 t|Hall C||crane|KB-0622|4120|2035-02-26|3|RUNNING
`)
	p.add("work_orders", "work_order asset_id task plan_id hours crew due status revision", `
WO-4001|AS-401|Change the packing of the main ram, RAM-280|HS-402|8.1|3||OPEN|2
WO-4002|AS-401|Hoses of the die cushion|HS-405|4|2|2035-05-31|OPEN|1
WO-4003|AS-401|Change the packing of the main ram, RAM-280|HS-402|8.1|3|2034-08-31|DONE|4
WO-4005|AS-402|Change the packing of the trimming ram|HS-406|5|2|2035-06-15|OPEN|1
`)
	p.add("windows", "window_id asset_id day starts hours state reason lost_minutes", `
MW-4001|AS-401|2035-03-09|06:00|12|PROTECTED|Tryout of the flange die, with the die maker's people|690
MW-4002|AS-401|2035-03-10|06:00|12|OPEN||0
MW-4003|AS-401|2035-03-12|21:00|9|OPEN||300
MW-4004|AS-401|2035-03-13|06:00|12|OPEN||705
MW-4005|AS-401|2035-03-14|06:00|12|OPEN||720
MW-4006|AS-401|2035-03-16|06:00|8|OPEN||480
MW-4007|AS-401|2035-03-17|06:00|12|OPEN||0
MW-4008|AS-401|2035-03-21|06:00|14|OPEN||840
MW-4009|AS-401|2035-03-24|06:00|14|OPEN||0
MW-4011|AS-402|2035-03-15|06:00|8|OPEN||210
MW-4012|AS-402|2035-03-17|06:00|12|OPEN||0
`)
	p.add("spares", "spare_id asset_id part name on_hand reserved condition place", `
SP-401|AS-401|PK-280V|Chevron ring 280 mm|13|4|NEW|C-3
SP-402|AS-401|PK-280V|Chevron ring 280 mm|12|0|NEW|C-7
SP-403|AS-401|PK-280V|Chevron ring 280 mm|8|0|USED|C-9
SP-404|AS-401|GB-280|Guide band 280 mm|6|0|NEW|C-4
SP-405|AS-402|PK-160V|Chevron ring 160 mm|24|0|NEW|C-5
`)
	p.add("parts", "part name unit family spec_id standard_cost", `
RAM-280|Main ram 280 mm, complete|piece|press parts||9400.00
PK-280V|Chevron ring 280 mm, fabric and rubber|piece|packings|HS-401|14.60
PK-160V|Chevron ring 160 mm, fabric and rubber|piece|packings||8.90
GB-280|Guide band 280 mm|piece|press parts||21.70
GS-280|Gland studs, set|piece|press parts||58.00
`)
	p.add("boms", "bom_id assembly revision status valid_from valid_to", `
BM-401|RAM-280|3|SUPERSEDED|2029-05-01|2034-10-31
BM-402|RAM-280|4|CURRENT|2034-11-01|2036-12-31
`)
	p.add("bom_lines", "bom_id position part quantity_per scrap_pct note", `
BM-401|10|PK-280V|9|5|For each gland
BM-401|20|GB-280|2|0|
BM-402|10|PK-280V|12|10|For each gland; the joints are cut by hand and some are lost
BM-402|20|GB-280|2|0|
BM-402|30|GS-280|1|0|
`)
	p.add("specs", "spec_id revision title subject status valid_from valid_to", `
HS-401|C|Chevron packing 280 mm|Main ram of the 400 t press|SUPERSEDED|2029-05-01|2034-10-31
HS-401|D|Chevron packing 280 mm|Main ram of the 400 t press|CURRENT|2034-11-01|
HS-402|B|Changing the packing of a ram, work instruction|Presses, fitters|SUPERSEDED|2029-05-01|2034-12-31
HS-402|C|Changing the packing of a ram, work instruction|Presses, fitters|CURRENT|2035-01-01|
`)
	p.add("spec_values", "spec_id revision name value unit note", `
HS-401|C|running life|2600|hour|
HS-401|C|gland gap, most|0.85|mm|
HS-401|D|running life|2400|hour|Taken back after two rams had wept early; what is left of it once one weeps, says QP-43
HS-401|D|gland gap, most|0.7|mm|
HS-402|B|lock out and cool down|0.8|hour|
HS-402|B|open the glands|9.0|fitter-hour|
HS-402|B|lay in the rings|5.2|fitter-hour|
HS-402|B|close and draw down|3.6|fitter-hour|
HS-402|B|bleed and try|1.6|hour|
HS-402|B|glands opened|1|gland|The upper one alone
HS-402|C|lock out and cool down|1.2|hour|Below 40 degC before a nut is touched
HS-402|C|open the glands|10.5|fitter-hour|
HS-402|C|lay in the rings|7.0|fitter-hour|None that QP-42 does not let out of the drawer
HS-402|C|close and draw down|5.0|fitter-hour|
HS-402|C|bleed and try|1.7|hour|At half pressure; full force is given back by QP-44
HS-402|C|glands opened|2|gland|Upper and lower, since the oil of one ruins the other
`)
	p.add("procedure_rules", "rule_id procedure revision area parameter value unit status valid_from valid_to says", `
PR-401|QP-43|1|maintenance|share of its life that is not used once a packing weeps|3|percent|SUPERSEDED|2030-01-01|2034-12-31|Of the running life that its specification states.
PR-402|QP-43|2|maintenance|share of its life that is not used once a packing weeps|6|percent|CURRENT|2035-01-01||Of the running life that its specification states.
PR-403|QP-42|4|tool room|greatest storage age of packings|2190|day|SUPERSEDED|2028-01-01|2034-06-30|From the day of pressing to the day on which it is laid out.
PR-404|QP-42|5|tool room|greatest storage age of packings|1460|day|CURRENT|2034-07-01||From the day of pressing, which stands on the ring. What is older is cut up.
PR-405|QP-44|1|press shop|settling of a ram after a new packing|1|day|SUPERSEDED|2028-01-01|2034-12-31|Counted from the day on which the work begins.
PR-406|QP-44|2|press shop|settling of a ram after a new packing|2|day|CURRENT|2035-01-01||Counted in calendar days from the day on which the work begins; full force is given on a working day. Light dies run meanwhile.
PR-407|QP-41|2|personnel|premium for fitters on a Saturday|40|percent|SUPERSEDED|2031-01-01|2034-12-31|On top of the hour.
PR-408|QP-41|3|personnel|premium for fitters on a Saturday|50|percent|CURRENT|2035-01-01||On top of the hour. The shutdown crew at Easter is on the yearly plan and costs nothing more.
`)
	p.add("vendors", "vendor_id name place trade status approved_until calendar transit_days contact email", `
V-401|Kallman Packings|Borås|packings|APPROVED|2036-03-31|PLANT|2|Stig Kallman|order@kallmanpackings.example
V-402|Lanz and Zorn Press Service|Esslingen|press builders|APPROVED|2036-12-31|PLANT|1|Ute Zorn|service@lanzzorn.example
V-403|Fiberring Oy|Turku|packings|CONDITIONAL|2035-06-30|PLANT|4|Pekka Salo|sales@fiberring.example
V-404|Brandt Crane Hire|Lindholt|crane hire|APPROVED|2035-12-31|PLANT|0|Olaf Brandt|yard@brandtcranes.example
`)
	p.add("quotes", "quote_id vendor_id part service minimum multiple unit_price fixed_charge lead_days state quoted valid_until", `
QT-4001|V-401|PK-280V|STANDARD|7|7|14.60|22.50|7|VALID|2035-02-27|2035-04-30
QT-4002|V-401|PK-280V|STANDARD|4|4|13.90|18.00|10|EXPIRED|2034-07-18|2034-12-31
QT-4003|V-403|PK-280V|STANDARD|25|25|9.80|0.00|21|VALID|2035-01-15|2035-06-30
`)
	p.add("confirmations", "confirmation_id vendor_id reference part service quantity ready charge confirmed state supersedes note", `
CF-4001|V-401|WO-4001|PK-280V|STANDARD|14|2035-03-08|0.00|2035-03-01|SUPERSEDED||
CF-4002|V-401|WO-4001|PK-280V|STANDARD|21|2035-03-13|0.00|2035-03-06|CONFIRMED|CF-4001|The cloth came late
CF-4003|V-401|WO-4001|PK-280V|AHEAD|28|2035-03-09|165.00|2035-03-06|CONFIRMED||If we put the rings of another house back
CF-4004|V-402|WO-4001|FITTERS|NIGHT|4|2035-03-10|1750.00|2035-02-28|SUPERSEDED||Two nights, three people
CF-4005|V-402|WO-4001|FITTERS|NIGHT|4|2035-03-12|1980.00|2035-03-07|CONFIRMED|CF-4004|Four people, and they bring the rings
CF-4006|V-401|WO-4005|PK-160V|STANDARD|12|2035-03-20|0.00|2035-03-06|CONFIRMED||
`)
	p.add("slots", "slot_id line starts ends minutes_free state reason", `
SL-4001|PR-4|2035-03-12|2035-03-13|60|OPEN|
SL-4002|PR-4|2035-03-14|2035-03-15|115|OPEN|
SL-4003|PR-4|2035-03-16|2035-03-16|0|FULL|
SL-4004|PR-4|2035-03-19|2035-03-20|245|OPEN|
SL-4005|PR-4|2035-03-21|2035-03-22|130|OPEN|
`)
	p.add("supply_contracts", "contract_id vendor_id title revision status valid_from valid_to", `
SK-401|V-402|Service at the 400 t press|3|IN_FORCE|2034-04-01|2037-03-31
SK-402|V-402|Service at the 400 t press|2|ENDED|2031-04-01|2034-03-31
`)
	p.add("contract_terms", "contract_id clause name value unit says", `
SK-401|3.1|days of notice|3|day|For work that is not urgent.
SK-401|4.2|surcharge for work by night|25|percent|On the whole charge that was confirmed, when the work begins after eight in the evening.
SK-402|4.2|surcharge for work by night|20|percent|On the charge, by night.
`)
	p.add("purchase_orders", "po_id vendor_id ordered status contract_id buyer revision", `
PO-400001|V-404|2035-03-06|CONFIRMED||u-piet|1
PO-400002|V-404|2034-08-22|CLOSED||u-piet|3
`)
	p.add("po_lines", "po_id line_no part quantity received unit_price charge due service", `
PO-400001|1|CRANE-20T|2|0|260.00|45.00|2035-03-12|HIRE
PO-400002|1|CRANE-20T|1|1|245.00|45.00|2034-08-24|HIRE
`)
	p.add("approval_limits", "limit_id user_id scope amount status valid_from valid_to says", `
AL-401|u-sade|STANDSTILL|3200.00|ACTIVE|2035-01-01||For each repair: what it costs, with the minutes that the machine loses. What has been ordered for it already counts.
AL-402|u-sade|STANDSTILL|4500.00|WITHDRAWN|2032-01-01|2034-12-31|For each repair, without the minutes.
AL-403|u-sade|SPARES|900.00|ACTIVE|2035-01-01||For each month, what goes on the shelf.
`)
	p.add("approvals", "approval_id subject action scope amount asked_by decided_by state decided expires says", `
AP-401|WO-4001|three fitters at the big press on a Saturday|WEEKEND|0.00|u-sade|u-lars|APPROVED|2035-03-07|2035-03-31|The works council has nodded. The money is yours to mind.
AP-402|WO-4001|the builder's crew by night|STANDSTILL|700.00|u-sade||PENDING|||On top of the limit. Lars is away until the fourteenth.
AP-403|WO-4001|two fitters on the first Saturday of March|WEEKEND|0.00|u-sade|u-lars|EXPIRED|2035-02-28|2035-03-03|Not used.
AP-404|WO-4005|a Saturday at the trimming press|WEEKEND|0.00|u-sade|u-lars|REFUSED|2035-03-05||That one can wait for June.
`)
	p.add("mails", "mail_id sent sender recipients subject body", `
ML-4001|2035-03-07T15:20|Lars Enevoldsen|Sade Okonkwo|Saturday at the press|Sade, the Saturday is in the approvals. What the builder asks for I have only skimmed; I am off to the fair and look at it when I am back.
ML-4002|2035-03-07T09:05|Stig Kallman|Sade Okonkwo|Your rings, WO-4001|Good morning, the new day stands in your portal. I can also make yours ahead of another house's, that has its price and is confirmed there too. Stig
ML-4003|2035-03-06T13:44|Elke Baumann|Sade Okonkwo; Niko Aaltonen|Roster of the fitters|The roster was issued again for week 11, somebody goes to the course on the Tuesday and three have put their names down for the second Saturday.
`)
	p.add("chat_messages", "message_id channel at author text", `
CM-4001|press-shop|2035-03-07T07:10|Niko Aaltonen|Drip cup under the ram had to be emptied twice last night. She still holds pressure, but the smell is there.
CM-4002|press-shop|2035-03-07T07:25|Niko Aaltonen|Drawer C-7 is full of rings, so do not let anybody tell you we have none. I only cannot read when they were made.
CM-4003|press-shop|2035-03-07T11:48|Beatriz Solano|I turned the rings of C-7 under the lamp, the year is moulded in. Card is written again.
CM-4004|press-shop|2035-03-07T16:02|Sade Okonkwo|Crane is hired for two days, on whatever day it will be. Brandt needs to hear it two days before.
`)
}
