package main

var vendorsReads = []tool{
	{
		Name: "vendors.search", Title: "Search vendors", Says: "Vendors by words of their number, name, place or trade.",
		In: `
query?:text
status?:APPROVED|CONDITIONAL|BLOCKED`, Out: `
vendor_id:text
name:text
place:text
trade:text
status:text
approved_until?:date
calendar:text
transit_days:int  Calendar days from their dock to ours
contact:text
email:text`,
		Rows: `SELECT vendor_id, name, place, trade, status, approved_until, calendar, transit_days, contact, email FROM vendors
WHERE search(:query, vendor_id, name, place, trade) AND (:status IS NULL OR status = :status)`, As: "vendors", Order: "vendor_id",
	},
	{
		Name: "vendors.quotes.list", Title: "List quotes", Says: "What vendors have quoted for a part or a service on one: the price of each, what is charged once, least quantity, pack, days from order to their dock.",
		In: `
part:text
vendor_id?:text
state?:VALID|EXPIRED|WITHDRAWN`, Out: `
quote_id:text
vendor_id:text
part:text
service:text
minimum:int
multiple:int
unit_price:number
fixed_charge:number
lead_days:int
state:text
quoted:date
valid_until:date`,
		Rows: `SELECT quote_id, vendor_id, part, service, minimum, multiple, unit_price, fixed_charge, lead_days, state, quoted, valid_until FROM quotes
WHERE part = :part AND (:vendor_id IS NULL OR vendor_id = :vendor_id) AND (:state IS NULL OR state = :state)`, As: "quotes", Order: "quote_id",
	},
	{
		Name: "vendors.confirmations.list", Title: "List confirmations", Says: "What a vendor has confirmed to us, by the number that it answers (an order, an inquiry, a claim). A later confirmation supersedes an earlier one.",
		In: `
reference:text
state?:TENTATIVE|CONFIRMED|SUPERSEDED|WITHDRAWN`, Out: `
confirmation_id:text
vendor_id:text
reference:text
part:text
service:text
quantity:int
ready:date  When it stands on their dock
charge:number  What they charge for this service, once
confirmed:date
state:text
supersedes?:text
note?:text`,
		Rows: `SELECT confirmation_id, vendor_id, reference, part, service, quantity, ready, charge, confirmed, state, supersedes, note FROM confirmations
WHERE reference = :reference AND (:state IS NULL OR state = :state)`, As: "confirmations", Order: "confirmation_id",
	},
	{
		Name: "vendors.claims.list", Title: "List claims", Says: "Claims against a vendor.",
		In: "vendor_id:text", Out: `
claim_id:text
vendor_id:text
po_id:text
receipt_id:text
remedy:text
quantity:int
amount:number
state:text
text:text
made_by:text
made_at:text`,
		Rows: `SELECT claim_id, vendor_id, po_id, receipt_id, remedy, quantity, amount, state, text, made_by, made_at FROM claims WHERE vendor_id = :vendor_id`, As: "claims", Order: "claim_id",
	},
}

var purchasingReads = []tool{
	{
		Name: "purchasing.orders.search", Title: "Search purchase orders", Says: "Purchase orders by words of their number, the vendor's number or name, or a part on them.",
		In: `
query?:text
status?:DRAFT|PLACED|CONFIRMED|RECEIVED|CLOSED|CANCELLED`, Out: `
po_id:text
vendor_id:text
ordered:date
status:text
buyer:text
parts:text`,
		Rows: `SELECT p.po_id, p.vendor_id, p.ordered, p.status, p.buyer, coalesce((SELECT group_concat(x.part, ' ') FROM (SELECT l.part FROM po_lines l WHERE l.po_id = p.po_id ORDER BY l.line_no) x), '') AS parts
FROM purchase_orders p JOIN vendors v ON v.vendor_id = p.vendor_id
WHERE search(:query, p.po_id, v.vendor_id, v.name, (SELECT group_concat(l.part, ' ') FROM po_lines l WHERE l.po_id = p.po_id)) AND (:status IS NULL OR p.status = :status)`, As: "orders", Order: "po_id",
	},
	{
		Name: "purchasing.orders.get", Title: "Get a purchase order", Says: "One purchase order with its lines.",
		In: "po_id:text", Out: `
po_id:text
vendor_id:text
ordered:date
status:text
contract_id?:text
buyer:text
revision:int
lines[]
  line_no:int
  part:text
  quantity:int
  received:int
  unit_price:number
  charge:number
  due:date
  service:text
  quote_id?:text`,
		Row: `SELECT po_id, vendor_id, ordered, status, contract_id, buyer, revision FROM purchase_orders WHERE po_id = :po_id`, Missing: "There is no purchase order {po_id}.",
		With: []with{{"lines", "SELECT line_no, part, quantity, received, unit_price, charge, due, service, quote_id FROM po_lines WHERE po_id = :po_id", "line_no"}},
	},
	{
		Name: "purchasing.receipts.list", Title: "List receipts", Says: "What was received of a purchase order, with the lots that it went into.",
		In: "po_id:text", Out: `
receipt_id:text
po_id:text
line_no:int
part:text
lot_id:text
quantity:int
received:date
delivery_note:text`,
		Rows: `SELECT receipt_id, po_id, line_no, part, lot_id, quantity, received, delivery_note FROM receipts WHERE po_id = :po_id`, As: "receipts", Order: "receipt_id",
	},
	{
		Name: "purchasing.contracts.list", Title: "List terms of supply contracts", Says: "The terms that supply contracts with a vendor set, clause by clause, with the contract's status and the days for which it counts.",
		In: "vendor_id:text", Out: `
contract_id:text
title:text
contract_revision:text
status:text
valid_from:date
valid_to:date
clause:text
name:text
value:number
unit:text
says:text`,
		Rows: `SELECT c.contract_id, c.title, c.revision AS contract_revision, c.status, c.valid_from, c.valid_to, t.clause, t.name, t.value, t.unit, t.says
FROM supply_contracts c JOIN contract_terms t ON t.contract_id = c.contract_id WHERE c.vendor_id = :vendor_id`, As: "terms", Order: "contract_id, clause",
	},
	{
		Name: "purchasing.subcontracts.get", Title: "Get a subcontract", Says: "One order for work that somebody else does on our parts or tools.",
		In: "subcontract_id:text", Out: `
subcontract_id:text
vendor_id:text
quote_id:text
item:text
process:text
quantity:int
send_on:date
due:date
price:number
state:text
made_by:text`,
		Row: `SELECT subcontract_id, vendor_id, quote_id, item, process, quantity, send_on, due, price, state, made_by FROM subcontracts WHERE subcontract_id = :subcontract_id`, Missing: "There is no subcontract {subcontract_id}.",
	},
}
