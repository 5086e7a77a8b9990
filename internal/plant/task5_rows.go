package main

import "time"

// cutInRows brings the vane pump with its changes, jobs and rings, and what the ways to the first new rings stand on.
func cutInRows(p *plant) {
	p.add("effectivities", "effectivity_id item change_id from_revision to_revision basis effective_from first_serial state set_by revision", `
EF-501|VP-63D|EC-2291|F|G|STOCK_OUT|||OPEN||2
EF-502|VP-63D|EC-2219|G|H|STOCK_OUT|||OPEN||2
EF-503|VP-63D|EC-2140|E|F|DATE|2033-06-01||SET|u-greta|3
EF-504|VP-40S|EC-2288|B|C|DATE|||WITHDRAWN||2
`)
	p.add("customer_orders", "order_id customer customer_ref product quantity need_date promised ship_from carrier_calendar transit_days status owner revision", `
SO-50001|Nordhavn Ferries|NF-7719|VP-63D|54|2035-04-20|2035-04-18|Lindholt|CARRIER-COAST|2|RELEASED|u-amira|3
SO-50002|Sund Dredging|SD-440-1|VP-63D|54|2035-05-11||Lindholt|CARRIER-COAST|2|RELEASED|u-amira|2
`)
	p.add("slots", "slot_id line starts ends minutes_free state reason", `
SL-5001|AX-1|2035-03-08|2035-03-13|0|FULL|Vane pump bench
SL-5002|AX-1|2035-03-14|2035-03-16|0|FULL|Vane pump bench
SL-5003|AX-1|2035-03-20|2035-03-22|0|FULL|Vane pump bench
SL-5004|AX-1|2035-03-27|2035-03-28|0|FULL|Vane pump bench
SL-5005|AX-1|2035-04-03|2035-04-06|0|FULL|Vane pump bench
SL-5006|AX-1|2035-04-11|2035-04-13|0|FULL|Vane pump bench
`)
	p.add("jobs", "job_id order_id item quantity line slot_id load_minutes status revision", `
JB-5001|SO-50001|VP-63D|12|AX-1|SL-5001|570|RUNNING|5
JB-5002|SO-50001|VP-63D|16|AX-1|SL-5002|745|FIRM|4
JB-5003||VP-63D|22|AX-1|SL-5003|1010|PLANNED|2
JB-5004||VP-63D|14|AX-1|SL-5004|655|PLANNED|2
JB-5005|SO-50001|VP-63D|26|AX-1|SL-5005|1185|PLANNED|1
JB-5006|SO-50002|VP-63D|18|AX-1|SL-5006|835|PLANNED|1
`)
	p.add("parts", "part name unit family spec_id standard_cost", `
VP-63D|Vane pump 63, double|piece|vane pumps||1240.00
VP-40S|Vane pump 40, single|piece|vane pumps||655.00
CR-63F|Cam ring 63, ground, old profile|piece|cam rings|HS-501|31.80
CR-63G|Cam ring 63, ground, new profile|piece|cam rings|HS-501|35.10
CR-40B|Cam ring 40|piece|cam rings||22.40
VK-63|Vane kit 63, twelve vanes|set|vanes||47.50
PP-63|Port plate 63|piece|vane pump parts||26.90
DP-08|Drain plug, magnetic|piece|vane pump parts||3.15
`)
	p.add("boms", "bom_id assembly revision status valid_from valid_to", `
BM-501|VP-63D|E|SUPERSEDED|2030-02-01|2033-05-31
BM-502|VP-63D|F|CURRENT|2033-06-01|2036-12-31
BM-503|VP-63D|G|RELEASED||
BM-504|VP-63D|H|DRAFT||
`)
	p.add("bom_lines", "bom_id position part quantity_per scrap_pct note", `
BM-501|10|CR-63F|2|2|
BM-501|20|VK-63|2|0|
BM-502|10|CR-63F|2|4|Corners chip when the vanes are run in
BM-502|20|VK-63|2|0|
BM-502|30|PP-63|2|0|
BM-503|10|CR-63G|2|6|The deeper flank chips more; first figure, from the trial
BM-503|20|VK-63|2|0|
BM-503|30|PP-63|2|0|
BM-504|10|CR-63G|2|6|
BM-504|20|VK-63|2|0|
BM-504|30|PP-63|2|0|
BM-504|40|DP-08|1|0|
`)
	p.add("specs", "spec_id revision title subject status valid_from valid_to", `
HS-501|E|Cam ring 63, profile and wall|CR-63F and CR-63G of vane pumps|SUPERSEDED|2030-02-01|2033-05-31
HS-501|F|Cam ring 63, profile and wall|CR-63F and CR-63G of vane pumps|CURRENT|2033-06-01|
HS-501|G|Cam ring 63, profile and wall|CR-63F and CR-63G of vane pumps|RELEASED||
`)
	p.add("spec_values", "spec_id revision name value unit note", `
HS-501|E|wall at the waist|5.2|mm|
HS-501|F|wall at the waist|4.95|mm|
HS-501|F|flank, finest|0.4|um|
HS-501|G|wall at the waist, least|4.20|mm|Below it the ring breathes at 210 bar
HS-501|G|profile deeper by|0.80|mm|Against revision F, all round
HS-501|G|flank, finest|0.2|um|
`)
	p.add("lots", "lot_id part quantity status place received expires made_to vendor_id revision", `
LT-5001|CR-63F|85|FREE|D-11-1|2034-11-20||F|V-501|4
LT-5002|CR-63F|65|FREE|D-11-2|2035-01-29||F|V-501|2
LT-5003|CR-63F|23|HELD|Q-03|2035-01-29||F|V-501|2
LT-5004|CR-40B|140|FREE|D-12-1|2035-02-05||B|V-501|1
`)
	p.add("holds", "hold_id lot_id part reason quantity state opened opened_by revision", `
QH-5001|LT-5003|CR-63F|Grinding burn on the flank, etched and seen|23|OPEN|2035-02-02|u-ines|1
`)
	p.add("procedure_rules", "rule_id procedure revision area parameter value unit status valid_from valid_to says", `
PR-501|QP-51|1|engineering|rings kept for each pump sold when a part goes out|0.02|ring/pump|SUPERSEDED|2029-01-01|2033-12-31|Pumps of the two full years before. Whole rings, rounded up.
PR-502|QP-51|2|engineering|rings kept for each pump sold when a part goes out|0.03|ring/pump|CURRENT|2034-01-01||Pumps of the two full years before. Whole rings, rounded up.
PR-503|QP-52|2|planning|days before which a job is not changed|4|day|SUPERSEDED|2029-01-01|2034-06-30|Calendar days from today. A job that begins on the last of them may be changed.
PR-504|QP-52|3|planning|days before which a job is not changed|7|day|CURRENT|2034-07-01||Calendar days from today. A job that begins on the last of them may be changed.
PR-505|QP-53|5|measuring room|length of the first article check|2|day|SUPERSEDED|2029-01-01|2034-10-31|Calendar days from the day on which the parts are there.
PR-506|QP-53|6|measuring room|length of the first article check|3|day|CURRENT|2034-11-01||Calendar days from the day on which the parts are there; they are released on a day on which the measuring room works.
PR-507|QP-54|1|finance|what a hardened ring brings as scrap|3.10|EUR/ring|SUPERSEDED|2032-01-01|2034-12-31|Taken off the value in the books.
PR-508|QP-54|2|finance|what a hardened ring brings as scrap|2.60|EUR/ring|CURRENT|2035-01-01||Taken off the value in the books.
`)
	p.add("vendors", "vendor_id name place trade status approved_until calendar transit_days contact email", `
V-501|Ringhof Precision Grinding|Suhl|cam rings|APPROVED|2036-09-30|PLANT|3|Anke Riedel|auftrag@ringhof.example
V-502|Tarn Wire Erosion|Kiel|eroded parts|CONDITIONAL|2035-12-31|PLANT|1|Jesper Tarn|jesper@tarnerosion.example
`)
	p.add("quotes", "quote_id vendor_id part service minimum multiple unit_price fixed_charge lead_days state quoted valid_until", `
QT-5001|V-501|CR-63F|STANDARD|12|12|36.50|75.00|9|VALID|2035-03-05|2035-05-31
QT-5002|V-501|CR-63F|STANDARD|24|24|31.80|0.00|14|EXPIRED|2034-01-15|2034-12-31
`)
	p.add("confirmations", "confirmation_id vendor_id reference part service quantity ready charge confirmed state supersedes note", `
CF-5001|V-501|EC-2291|CR-63G|PRE-SERIES|48|2035-03-16|560.00|2035-02-26|SUPERSEDED||
CF-5002|V-501|EC-2291|CR-63G|PRE-SERIES|60|2035-03-21|640.00|2035-03-08|CONFIRMED|CF-5001|From the soft tool; more of them, and later
CF-5003|V-501|EC-2291|CR-63G|FINISHED TOOL|400|2035-03-30|0.00|2035-03-08|CONFIRMED||
CF-5004|V-501|EC-2291|CR-63G|FINISHED TOOL|400|2035-03-23|0.00|2035-02-19|WITHDRAWN||If hardening goes well
CF-5005|V-502|EC-2291|CR-63G|OTHER HOUSE|90|2035-03-16|2150.00|2035-03-09|CONFIRMED||Eroded from the bar, flank lapped
CF-5006|V-501|EC-2219|DP-08|STANDARD|300|2035-05-02|0.00|2035-02-20|CONFIRMED||
`)
	p.add("supply_contracts", "contract_id vendor_id title revision status valid_from valid_to", `
SK-501|V-501|Frame contract for cam rings|4|IN_FORCE|2034-10-01|2037-09-30
SK-502|V-501|Frame contract for cam rings|3|ENDED|2031-10-01|2034-09-30
`)
	p.add("contract_terms", "contract_id clause name value unit says", `
SK-501|6.4|tool stays ours after|5000|ring|Of one kind that were ordered.
SK-501|9.1|surcharge for a pre-series|4.25|EUR/ring|For each ring that is used of it, beside the charge that was confirmed.
SK-502|9.1|surcharge for a pre-series|3.60|EUR/ring|For each ring.
`)
	p.add("approval_limits", "limit_id user_id scope amount status valid_from valid_to says", `
AL-501|u-greta|CHANGE|2000.00|ACTIVE|2035-01-01||For each change, with what is written off for it; and never more than is left of the change's own money.
AL-502|u-greta|CHANGE|3500.00|WITHDRAWN|2031-01-01|2034-12-31|For each change, without what is written off.
`)
	p.add("approvals", "approval_id subject action scope amount asked_by decided_by state decided expires says", `
AP-501|EC-2291|thinner wall for reground rings|CONCESSION|0.00|u-niko|u-femke|REFUSED|2035-03-09||The least wall is there for a reason. I have seen what happens below it.
AP-502|EC-2291|rings from the other house|CHANGE|2200.00|u-greta||PENDING|||Not looked at before the budget talk at the end of March.
AP-503|EC-2219|second supplier of plugs|CHANGE|400.00|u-greta|u-lars|APPROVED|2035-02-28|2035-06-30|For the plugs alone.
`)
	p.add("mails", "mail_id sent sender recipients subject body", `
ML-5001|2035-03-09T10:18|Femke de Wit|Greta Lindqvist|EC-2291 is signed|Greta, the sheet is signed and in the folder. Mind that the old number EC-2219 is the drain plug, people mix them up in the canteen already.
ML-5002|2035-03-09T13:50|Jesper Tarn|Piet van Rossum; Greta Lindqvist|Ninety rings by wire|We would cut ninety from the bar next week. My confirmation is in your system, the price is what it is for this haste. Jesper
ML-5003|2035-03-08T16:33|Anke Riedel|Greta Lindqvist|Soft tool, new words|The first word of February is void. More rings, some days later, and the hardened tool as it stands in the portal.
`)
	p.add("chat_messages", "message_id channel at author text", `
CM-5001|assembly|2035-03-09T07:45|Jonas Weidmann|For the vane pumps: I do not want two kinds of rings on one bench. One job one ring, or the trays get mixed.
CM-5002|assembly|2035-03-09T07:58|Beatriz Solano|The rings of the running job are issued and on the bench, what you see in D-11 is for the jobs after it.
CM-5003|assembly|2035-03-09T11:30|Ravi Menon|Cold start on the stand: the new ring is quiet down to minus five. The old one sings at plus ten.
`)
	setUp := "2035-03-30" // the measuring machine is moved onto its new bed
	p.calendar("MEASURING", func(day time.Time) (string, string) {
		d := day.Format(time.DateOnly)
		if w := day.Weekday(); w == time.Saturday || w == time.Sunday || d == "2035-03-23" || d == "2035-03-26" {
			return "", ""
		}
		if d == setUp {
			return "CLOSED", "the machine is moved and set up anew"
		}
		return "OPEN", "parts are released"
	})
}
