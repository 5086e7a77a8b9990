package main

import (
	"fmt"
	"strings"
)

// cutInFiles are the papers of the change itself.
func cutInFiles(p *plant) []file {
	return []file{
		{"changes/EC-2291/change-sheet.docx", "DR-5001", "EC-2291: sheet of the change, signed", "specification", docxFile(`
# Change EC-2291
Item VP-63D, double vane pump 63. Cam ring CR-63F becomes CR-63G. Sheet released with signature of F. de Wit on 8 March 2035.
# Why
The old profile lets the vanes lift for a moment when the oil is thick. What is heard is a note like that of a wet glass. On a ferry it was taken for a failing bearing, and the society that classes her has asked for our answer.
# How it is brought in
By serial number, which the customer can read on the plate. The number is that of the first pump of a job. Parts, jobs and stores go by QP-51 (parts kept), QP-52 (firm jobs), QP-53 (first articles) and QP-54 (what is scrapped).
# Money
Budget of the change is EUR 2,600.00 for everything that it causes until the finished tool delivers, with what is written off. The price of the rings that are built in is no part of it.`)},
		{"changes/EC-2291/change-sheet-draft.docx", "DR-5002", "EC-2291: sheet of the change, draft of January", "specification_superseded", docxFile(`
# EC-2291, draft for the round of 17 January
Not signed. Superseded by the sheet that Design released.
# Idea
Bring the ring in when the old ones are used up, whenever that may be, and tell nobody. Money asked for: EUR 4,100.00.
# What the round said
Sales: the ferry people want a number they can read, not a promise. Finance: not with that money. Stores: nobody has counted what may be used.`)},
		{"sales/vane-pumps-sold.xlsx", "DR-5003", "Double vane pumps sold, by year", "report", xlsxFile(
			sheet{"Sold", `year|pumps|mostly to
2031|198|dredgers
2032|241|dredgers
2033|287|ferries
2034|325|ferries`},
			sheet{"How counted", `what|says
basis|invoices with returns taken off
closed|12 January 2035 by A. Haddad
not in it|singles and exchange pumps`})},
		{"sales/vane-pumps-forecast.csv", "DR-5004", "Vane pumps: what Sales expected a year ago", "report_superseded", csvFile(`
season|ferries|dredgers|remark
spring 2034|some ninety|few|orders were put off
summer 2034|a hundred|few|
autumn 2034|more than that|none|never looked at again
winter 2034|not said|not said|file ends here`)},
		{"assembly/number-striking.log", "DR-5005", "Vane pumps: record of the numbers that were struck", "log", text(`
2035-02-19 double vane pump, numbers struck for the job of the week, 24079 to 24094, J. Weidmann
2035-03-02 double vane pump, numbers struck for the job of the week, 24095 to 24106, J. Weidmann
2035-03-02 last number struck 24106, plate sent with the pump
2035-03-02 numbers behind it kept for service 6, asked for by A. Haddad, exchange pumps for the ferries
2035-03-09 running job not struck yet, plates are at the engraver
`)},
		{"assembly/number-plan-january.yaml", "DR-5006", "Vane pumps: plan of numbers, January", "report_superseded", text(`
# made for the old sequence of jobs; the order of jobs was changed twice since then
drawn_up: 2035-01-22
pump: VP-63D
next_free: 24079
kept_for_service: none
remark: whoever plans by this strikes the plates of another customer
`)},
		{"tool-room/regrinding-trial.md", "DR-5007", "EC-2291: regrinding of old rings, what the trials gave", "report", text(`
# Regrinding, second trial

Niko, Friday

1. Two old rings were clamped on the new mandrel and taken down by the full depth all round. The profile is right, the flank finer than it need be.
2. A first batch could be on the measuring table on 15 March 2035, **more** of them each day as they are wanted.
3. Wheel, mandrel and hours together, each ring costs us EUR 11.20.

What I cannot say is whether the wall is still what Design wants. It *looks* thin.
`)},
		{"tool-room/regrinding-first-trial.txt", "DR-5008", "EC-2291: regrinding, first trial (of no use)", "report_superseded", text(`
First trial, in the last week of February. The ring was held on the old mandrel and
came out oval. Reckoned at EUR 8.40 a piece because the dressing of the wheel was forgotten.
Could be ready within a day, I said then. I should not have. N. A.
`)},
		{"finance/changes-february.json", "DR-5009", "EC-2291 and others: what changes have cost, February", "report", jsonFile(`{"state": "closing of February", "by": "Yuki Tanabe", "changes": [{"change": "EC-2219", "what": "drain plug", "spent": 118.00}, {"change": "EC-2291", "what": "cam ring", "spent": 845.50, "for": ["two trials", "gauge for the flank"]}, {"change": "EC-2288", "what": "single pump", "spent": 0}]}`)},
		{"finance/changes-january.json", "DR-5010", "EC-2291 and others: what changes have cost, January", "report_superseded", jsonFile(`{"state": "provisional", "month": "January", "by": "Yuki Tanabe", "changes": [{"change": "EC-2219", "spent": 118.00}, {"change": "EC-2291", "spent": 310.00, "open": "invoice for the gauge"}]}`)},
		{"changes/EC-2291/surveyor-stays.eml", "DR-5011", "EC-2291: the surveyor stays on", "mail", emlFile(letter{
			From: "Ragna Falk <ragna.falk@nordklasse.example>", To: "Greta Lindqvist <g.lindqvist@ostervelt.example>", At: "2035-03-09T17:20", ID: "nk.falk.88", Subject: "First build with the new ring", Body: `
Dear Greta,

the yard keeps me here over the holidays, so please forget the day in my note of February.
I can stand beside the bench up to 9 April 2035; then I go to Bergen and the file goes with
me. If I have seen the first pump of EC-2291 being put together, the approval is a letter.
If not, somebody has to come and you know our fees.

I need the serial number from you, not the week.

Ragna Falk, surveyor`})},
		{"changes/EC-2291/surveyor-february.eml", "DR-5012", "EC-2291: note of the surveyor from February", "mail", emlFile(letter{
			From: "Ragna Falk <ragna.falk@nordklasse.example>", To: "Greta Lindqvist <g.lindqvist@ostervelt.example>", At: "2035-02-15T08:41", ID: "nk.falk.61", Subject: "Your noisy ring", Body: `
Dear Ms Lindqvist,

thank you for the recording; my cat left the room. I am in Lindholt until 30 March 2035 and
would like to be there when the first pump with the other ring is built.

Kind regards, R. Falk`})},
	}
}

// cutInPapers are the papers of the procedures, the houses, the bench and those who sign.
func cutInPapers(p *plant) []file {
	rule := func(id, column string) string { return p.cell("procedure_rules", id, column) }
	value := func(rev, name string) string { return p.cell("spec_values", "HS-501 "+rev+" "+name, "value") }
	var trays strings.Builder
	trays.WriteString("lot|tray|pieces|band")
	for _, r := range p.where("lots", "part", "CR-63F") {
		band := "green"
		if r["status"] != "FREE" {
			band = "red, burnt flank"
		}
		fmt.Fprintf(&trays, "\n%s|%s|%s|%s", r["lot_id"], r["place"], r["quantity"], band)
	}
	return []file{
		{"specs/hs-501-g.pdf", "DR-5013", "HS-501, cam ring 63, what is new in revision G", "specification", pdfFile(fmt.Sprintf(`
HS-501   CAM RING 63                                        Revision G, released

Profile            deeper by %s mm all round, against revision F
Wall at the waist  %s mm at the least
Flank              Ra %s um or finer     (F: %s)

The waist is where the ring is thinnest, between inlet and outlet. A ring that breathes there
under pressure opens the vane tips and the pump loses a tenth of its flow before anybody hears
it. The old ring had wall to spare; that is why nobody had written down a least one for it.
Rings F and G are told apart by a nick on the rim. They do not run together in one pump.`,
			value("G", "profile deeper by"), value("G", "wall at the waist, least"), value("G", "flank, finest"), value("F", "flank, finest")))},
		{"specs/hs-501-f-measured.csv", "DR-5014", "HS-501, old rings measured at the waist", "report", csvFile(`
ring|mm at the waist|burnt|hand
one from D-11-1|4.97|no|Carvalho
another from D-11-1|4.93|no|Carvalho
one from D-11-2|4.95|no|Carvalho
one from Q-03|4.94|yes|Carvalho`)},
		{"engineering/qp-51-parts-kept.pdf", "DR-5015", "QP-51, parts that are kept when they go out of use", "policy", pdfFile(fmt.Sprintf(`
QP-51   PARTS KEPT FOR REPAIRS                                      Revision %s

When a part goes out of new machines, pumps that were sold with it still come back for repair
and want the part that their neighbours have. Stores keep back %s of a ring for each pump sold
in the two full years before (until %s it was %s), in whole rings, rounded up. What is kept
back is not for new pumps, and what is on hold is for nobody. The share is looked at again
when five years have passed.`, rule("PR-502", "revision"), rule("PR-502", "value"), rule("PR-501", "valid_to"), rule("PR-501", "value")))},
		{"planning/qp-52-firm-jobs.md", "DR-5016", "QP-52, jobs that are firm", "policy", text(fmt.Sprintf(`
**QP-52.** Material for a job is picked and stands in trays by its bench %s days ahead. From then on nothing about the job is changed, neither its parts nor its sequence nor its customer.

The old span of %s days dated from the time when the trays were filled on the morning itself. It ended on %s, after a bench had got one half of each kind.
`, rule("PR-504", "value"), rule("PR-503", "value"), rule("PR-503", "valid_to")))},
		{"measuring/qp-53-first-articles.txt", "DR-5017", "QP-53, check of first articles", "policy", text(fmt.Sprintf(`
QP-53 FIRST ARTICLES, revision %s

Whatever is made to another drawing for the first time, by whomever, is measured in full: by
us, on our machine, on our mandrel. It takes %s calendar days with the soaking to twenty
degrees. The stamp is given on a day on which the room works, and a batch without it does not
leave the room. A house that sends its own report saves us nothing.
`, rule("PR-506", "revision"), rule("PR-506", "value")))},
		{"measuring/room-in-march.ics", "DR-5018", "Measuring room, end of March", "calendar", icsFile("Measuring room",
			event{UID: "mr-move", Day: "2035-03-30", Summary: "Machine is moved", Description: "New bed. No stamps on this day; soaking goes on."},
			event{UID: "mr-guest", Day: "2035-03-15", From: "13:00", To: "15:00", Summary: "School class visits", Description: "Please no rush jobs."})},
		{"finance/qp-54-scrap.yaml", "DR-5019", "QP-54, value of scrap", "policy", text(fmt.Sprintf(`
procedure: QP-54
hardened_ring_eur: %s
was_eur: %s
was_until: %s
how: book value less scrap value is what a change loses on each part that stays behind
not_lost: parts kept for repairs, parts that are ground to something else
`, rule("PR-508", "value"), rule("PR-507", "value"), rule("PR-507", "valid_to")))},
		{"vendors/ringhof-frame.pdf", "DR-5020", "Frame contract SK-501 with the grinder, extract", "contract", pdfFile(fmt.Sprintf(`
FRAME CONTRACT SK-501                       Ringhof Precision Grinding / Ostervelt Hydraulics

6.4  The tool becomes the buyer's after %s rings of one kind.
8.2  Old rings are ground again on request in packs; they are charged at the day's price.
9.1  For a pre-series from a soft tool the buyer pays the charge as confirmed, and EUR %s
     beside it for each ring of which he makes use. Rings that he does not use go back.
9.3  What was confirmed last holds. What was called off holds no longer, whatever it said.`, p.cell("contract_terms", "SK-501 6.4", "value"), p.cell("contract_terms", "SK-501 9.1", "value")))},
		{"vendors/ringhof-soft-tool.eml", "DR-5021", "Ringhof: the soft tool", "mail", emlFile(letter{
			From: "Anke Riedel <auftrag@ringhof.example>", To: "Greta Lindqvist <g.lindqvist@ostervelt.example>", At: "2035-03-08T16:30", ID: "rh.0308.2", Subject: "Rings for EC-2291", Body: `
Hello Greta,

our soft tool holds longer than we thought, so you can have more rings of the pre-series than
I wrote in February, only some days later. It is confirmed, with the charge. The hardened
tool comes out of the furnace in the last week of the month, and from it you get as
many as you like for the price that we have agreed.

If you would rather stay with the old profile for a while, we sell that in dozens.

Anke`})},
		{"vendors/ringhof-february.json", "DR-5022", "Ringhof portal as it stood in February", "confirmation_superseded", jsonFile(`{"printed": "2035-02-26", "for": "EC-2291", "rows": [{"no": "CF-5001", "from": "soft tool", "rings": 48, "dock": "2035-03-16", "eur": 560}, {"no": "CF-5004", "from": "hardened tool", "rings": 400, "dock": "2035-03-23", "eur": 0, "if": "hardening goes well"}]}`)},
		{"vendors/tarn-visit.docx", "DR-5023", "Visit to Tarn Wire Erosion", "report", docxFile(`
# Visit to Kiel, 6 March 2035
Present: J. Tarn, P. van Rossum, H. Vestby.
# What we saw
Four wire machines, a clean room for lapping, one man who knows what he does and two who learn it. Rings are cut from bar and not forged; the grain runs across the waist.
# What we think
Good enough for a bridge of a few weeks. The house is conditional for the rest of the year. Its price for haste is what one pays a dentist on a Sunday.`)},
		{"stores/ring-trays.csv", "DR-5024", "Trays with old cam rings, walked through on Friday", "report", csvFile(trays.String())},
		{"quality/burnt-flanks.log", "DR-5025", "Burnt flanks, etching bath", "log", text(`
2035-02-02T10:05 bath 3 nital 4 percent, ring from D-11-2, band of brown at the outlet
2035-02-02T10:40 bath 3, second ring, the same
2035-02-02T13:15 sorted by wheel number, box with wheel 71 set apart and carried to Q-03
2035-02-02T13:30 hold asked for, I. Carvalho
2035-02-05T08:20 Ringhof told, they take the burnt ones back with the next lorry
`)},
		{"test/cold-start.xlsx", "DR-5026", "Cold start on the stand, old ring and new", "report", xlsxFile(
			sheet{"Runs", `oil degC|ring|dB at a metre|heard
12|old|84.5|sings
5|old|88|sings loudly
5|new|71.5|nothing
-5|new|73|a whisper`},
			sheet{"Stand", `what|says
oil|HLP 46 from one drum
by|R. Menon in the first days of March`})},
		{"assembly/vane-bench.md", "DR-5027", "How the vane pump bench works", "note", text(`
### The vane pump bench

It stands at the far end of AX-1 and has its own two people. It builds one job after the other, each from trays that were filled for it.

- Rings of a job that runs are on the bench and no longer in the stores.
- The plate gets its number when the job is finished, in the sequence in which the jobs run. Numbers that the service has asked for are jumped over.
- A tray with two kinds of rings goes back, *all of it*.
`)},
		{"approvals/limits-engineering-2035.yaml", "DR-5028", "Limits of engineering, 2035", "authority_current", text(`
kept_by: Finance
engineering:
  - {who: G. Lindqvist, scope: change, each_change_eur: 2000.00, includes: what is written off}
  - {who: F. de Wit, scope: trial, each_trial_eur: 750.00}
also: nobody spends more on a change than is left of its own money, whatever his limit
before_2035: {G. Lindqvist: 3500.00, without: what is written off}
`)},
		{"approvals/femke-on-walls.eml", "DR-5029", "Femke: no thinner walls", "mail", emlFile(letter{
			From: "Femke de Wit <f.dewit@ostervelt.example>", To: "Niko Aaltonen <n.aaltonen@ostervelt.example>", At: "2035-03-09T14:05", ID: "fdw.0309", Subject: "Re: a little less at the waist?", Body: `
Niko,

your grinding is beautiful, and the answer is no. Half a tenth under the least wall is where ours
cracked in the pulse test two summers ago. I have refused it in the system so that nobody
finds it lying open.

If somebody brings thicker old rings, ask me again. Femke`})},
		{"changes/EC-2219/plug-note.txt", "DR-5030", "EC-2219: the drain plug, not the ring", "note", text(`
EC-2219 is the magnetic drain plug of the same pump. It comes after the ring, has its own
sheet and its own money, and no number has been thought of for it. Its plugs are due in May.
If you are here because two digits changed places: go one folder up.
`)},
		{"assembly/chat-friday.json", "DR-5031", "Channel assembly, Friday", "chat", jsonFile(chatExport(p, "assembly", "2035-03-09"))},
	}
}
