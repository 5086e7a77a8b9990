package main

import "fmt"

// promiseFiles are the papers around the order of the lock-gate units.
func promiseFiles(p *plant) []file {
	bay := func(days ...string) string {
		out := "day|state|unit"
		for i := 0; i < len(days); i += 3 {
			out += "\n" + days[i] + "|" + days[i+1] + "|" + days[i+2]
		}
		return out
	}
	return []file{
		{"orders/BL-77213/crane-new-date.eml", "DR-1001", "Brennach: new day of the crane", "mail", emlFile(letter{
			From: "Margit Aasen <site.office@brennachlocks.example>", To: "Amira Haddad <a.haddad@ostervelt.example>", At: "2035-03-02T10:14", ID: "20350302.1014.site",
			Subject: "BL-77213, crane on the upper gate", Body: `
Dear Ms Haddad,

the water board lets us close the upper chamber a week sooner than was agreed. For your
number BL-77213 this means that the crane will stand on the site on 22 March 2035 and is
gone two weeks later. This letter takes the place of our letter of January.

If the power units come later we keep the crane as agreed between us, and you know what
that means for the invoice. BL-77231 stays as it is.

Kind regards
Margit Aasen, site office of the upper lock`})},
		{"orders/BL-77213/site-letter-january.eml", "DR-1002", "Brennach: the site in spring", "mail", emlFile(letter{
			From: "Margit Aasen <site.office@brennachlocks.example>", To: "Amira Haddad <a.haddad@ostervelt.example>", At: "2035-01-22T15:40", ID: "20350122.1540.site",
			Subject: "How we plan the spring at the lock", Body: `
Dear Ms Haddad,

as promised, our plan of the works. Divers until the middle of March, then the gates are
unhooked. For BL-77213 the crane will stand on the site on 28 March 2035. We would like to
have the power units on the quay by then, each on its own pallet, with the oil drained.

For the lower gate (BL-77231) nothing happens before May.

Regards, M. Aasen`})},
		{"orders/BL-77213/terms-of-delivery.docx", "DR-1003", "Brennach: terms of delivery as signed", "contract", docxFile(`
# Terms of delivery, BL-77213 and BL-77231
Agreed between Brennach Lock Works and Ostervelt Hydraulics on 14 December 2034. Signed; in force for both numbers.
# 1 Place
Power units are delivered free on the quay of the upper lock. Unloading is the customer's.
# 2 Delay
If units arrive after the day on which the customer has told us in writing that his crane is there, standby of the crane is charged at EUR 45.00 for each calendar day, up to thirty days. Nothing is owed for days before it.
# 3 Early delivery
Units may come up to three weeks before the crane. The customer stores them under a roof at no cost.
# 4 Partial delivery
The gates work in pairs. A number is delivered whole or not at all.`)},
		{"orders/BL-77213/terms-first-draft.docx", "DR-1004", "Brennach: terms of delivery, first draft, never signed", "contract_superseded", docxFile(`
# First draft for talks, 20 November 2034
This paper was the base of our talks and was not signed. Sales keeps it for the file.
What the customer asked for: standby of the crane is charged at EUR 55.00 for each working day, without an upper end, and beginning with the day that we confirm.
What we answered: calendar days, a lower figure, thirty days at most, and the customer's written day as the only one that counts.
Open when the draft was closed: who pays if the water board changes its mind.`)},
		{"test/bay-plan-week-10.xlsx", "DR-1005", "Test bay plan, week 10 issue", "capacity", xlsxFile(
			sheet{"TB-1", bay("2035-03-12", "taken", "110 l trial", "2035-03-13", "free", "", "2035-03-14", "taken", "Ahlgren winch drive", "2035-03-15", "taken", "Ahlgren winch drive", "2035-03-16", "free", "",
				"2035-03-19", "free", "", "2035-03-20", "taken", "compact units", "2035-03-21", "taken", "compact units", "2035-03-22", "free", "", "2035-03-27", "taken", "calibration of the stand", "2035-03-28", "free", "", "2035-03-29", "free", "")},
			sheet{"Read me", `what|says
issue|week 10 issue, 2 March 2035, R. Menon
takes the place of|the issue of week 9
free|a set of units may begin its run-in on this day, also the day on which its slot ends; it then stays on the racks and does not take the bay
taken|no run-in begins on this day`})},
		{"test/bay-plan-week-09.xlsx", "DR-1006", "Test bay plan, week 9 issue (void)", "capacity_superseded", xlsxFile(
			sheet{"TB-1", bay("2035-03-12", "free", "", "2035-03-13", "free", "", "2035-03-14", "free", "", "2035-03-15", "free", "", "2035-03-16", "taken", "stand is rebuilt", "2035-03-19", "taken", "stand is rebuilt",
				"2035-03-20", "free", "", "2035-03-21", "free", "", "2035-03-27", "free", "", "2035-03-28", "taken", "visitors")},
			sheet{"Remarks", `remark
issued 23 February 2035 before the rebuild of the stand was put off
VOID since 2 March 2035`})},
		{"quality/qp-17-issue-of-seals.pdf", "DR-1007", "QP-17, issue of seals, revision 4", "policy", pdfFile(fmt.Sprintf(`
QP-17  ISSUE OF ELASTOMER SEALS                                     Revision 4

In force from %s. Owner: Quality.

1  A seal ages in its pack. It is issued only if it keeps for at least %s days more, counted
   from the day on which the need is planned, not from the day of fitting.
2  A seal is built in only if it was made to the revision of its specification that is in
   force. Older ones go back to the vendor or to the bin; there is no third way for power
   units, since a weeping seal is found by the customer and not by us.
3  What is on hold, under inspection or set aside for another job is not available, whatever
   the system shows as free. Pieces that failed an inspection are not available either, even
   if they still lie in their box.
4  An inspection that was declared void counts neither for nor against a lot.`, p.cell("procedure_rules", "PR-102", "valid_from"), p.cell("procedure_rules", "PR-102", "value")))},
		{"quality/qp-17-revision-3.md", "DR-1008", "QP-17, issue of seals, revision 3 (withdrawn)", "policy_superseded", text(fmt.Sprintf(`
# QP-17 revision 3, withdrawn on %s

> Kept for the auditor. Do not plan by it.

Seals are first in, first out. A cartridge with less than **%s days** on its label is shown to Quality before it is fitted.

Reason for the withdrawal: units stand with the customer for months before they are filled with oil, and the old figure did not allow for that.
`, p.cell("procedure_rules", "PR-101", "valid_to"), p.cell("procedure_rules", "PR-101", "value")))},
		{"quality/qp-08-goods-in.pdf", "DR-1009", "QP-08, goods-in check of seals, revision 6", "policy", pdfFile(`
QP-08  GOODS-IN CHECK OF SEALS                                      Revision 6

Seals of every delivery are laid out, measured and left for a swelling test in oil.
Day 0 is the working day on which the goods stand at the gate of goods-in; what arrives on a
day on which nobody works waits for the next.

The test takes two calendar days. If it ends on a weekend or a holiday, the lot is set free on
the working day after it, before the early shift, and a job may begin on that same day. Haste
at the vendor does not shorten it: oil does not read orders.

Revision 5 had a dip of one day, and two lots came through it that swelled later.`)},
	}
}
