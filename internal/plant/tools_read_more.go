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

var maintReads = []tool{
	{
		Name: "maint.assets.search", Title: "Search assets", Says: "Machines and tools by words of their number, name, area, kind, line or serial number, with the hours on their meter.",
		In: "query?:text", Out: `
asset_id:text
name:text
area:text
line?:text
kind:text
serial:text
meter_hours:int
metered:date
hours_per_day:number  Hours that it runs on a day of work
status:text`,
		Rows: `SELECT asset_id, name, area, line, kind, serial, meter_hours, metered, hours_per_day, status FROM assets WHERE search(:query, asset_id, name, area, kind, line, serial)`, As: "assets", Order: "asset_id",
	},
	{
		Name: "maint.work_orders.list", Title: "List work orders", Says: "Maintenance work of an asset: planned, booked and done.",
		In: `
asset_id:text
status?:OPEN|BOOKED|DONE|CANCELLED`, Out: `
work_order:text
asset_id:text
task:text
plan_id?:text
hours:number
crew:int
due?:date
status:text
revision:int`,
		Rows: `SELECT work_order, asset_id, task, plan_id, hours, crew, due, status, revision FROM work_orders WHERE asset_id = :asset_id AND (:status IS NULL OR status = :status)`, As: "work_orders", Order: "work_order",
	},
	{
		Name: "maint.windows.list", Title: "List maintenance windows", Says: "Windows in which an asset may stand. A PROTECTED window is kept for what its reason says.",
		In: `
asset_id:text
from?:date
until?:date
state?:OPEN|PROTECTED|TAKEN`, Out: `
window_id:text
asset_id:text
day:date
starts:text
hours:number
state:text
reason?:text
lost_minutes:int  Minutes of making that it costs`,
		Rows: `SELECT window_id, asset_id, day, starts, hours, state, reason, lost_minutes FROM windows
WHERE asset_id = :asset_id AND (:from IS NULL OR day >= :from) AND (:until IS NULL OR day <= :until) AND (:state IS NULL OR state = :state)`, As: "windows", Order: "day, window_id",
	},
	{
		Name: "maint.spares.list", Title: "List spares", Says: "Spares of an asset in the tool room, with their condition.",
		In: "asset_id:text", Out: `
spare_id:text
asset_id:text
part:text
name:text
on_hand:int
reserved:int
condition:text
place:text`,
		Rows: `SELECT spare_id, asset_id, part, name, on_hand, reserved, condition, place FROM spares WHERE asset_id = :asset_id`, As: "spares", Order: "spare_id",
	},
	{
		Name: "maint.bookings.get", Title: "Get a booking", Says: "One booking of a maintenance window.",
		In: "booking_id:text", Out: `
booking_id:text
work_order:text
window_id:text
asset_id:text
day:date
provider:text
crew:int
state:text
made_by:text`,
		Row: `SELECT booking_id, work_order, window_id, asset_id, day, provider, crew, state, made_by FROM bookings WHERE booking_id = :booking_id`, Missing: "There is no booking {booking_id}.",
	},
}

var approvalsReads = []tool{
	{
		Name: "approvals.limits.list", Title: "List limits", Says: "What somebody may decide alone, by scope, in EUR. An amount that equals the limit is within it.",
		In: "user_id:text", Out: `
limit_id:text
user_id:text
scope:text
amount:number
status:text
valid_from:date
valid_to?:date
says:text`,
		Rows: `SELECT limit_id, user_id, scope, amount, status, valid_from, valid_to, says FROM approval_limits WHERE user_id = :user_id`, As: "limits", Order: "limit_id",
	},
	{
		Name: "approvals.decisions.search", Title: "Search approvals", Says: "What was asked for and how it was decided, by words of the number, the subject, the action or the scope.",
		In: `
query?:text
state?:PENDING|APPROVED|REFUSED|EXPIRED`, Out: `
approval_id:text
subject:text
action:text
scope:text
amount:number
asked_by:text
decided_by?:text
state:text
decided?:date
expires?:date
says:text`,
		Rows: `SELECT approval_id, subject, action, scope, amount, asked_by, decided_by, state, decided, expires, says FROM approvals
WHERE search(:query, approval_id, subject, action, scope) AND (:state IS NULL OR state = :state)`, As: "approvals", Order: "approval_id",
	},
}

var officeReads = []tool{
	{
		Name: "mail.people.search", Title: "Search people", Says: "Colleagues by words of their name, role or team.",
		In: "query?:text", Out: `
user_id:text
name:text
role:text
team:text
email:text
phone:text`,
		Rows: `SELECT user_id, name, role, team, email, phone FROM people WHERE search(:query, user_id, name, role, team)`, As: "people", Order: "user_id",
	},
	{
		Name: "mail.messages.search", Title: "Search mail", Says: "Mail that you may see, by words of the subject, the sender or the recipients, newest first. The text is given by mail.messages.get.",
		In: "query?:text", Out: `
mail_id:text
sent:text
sender:text
recipients:text
subject:text`,
		Rows: `SELECT mail_id, sent, sender, recipients, subject FROM mails WHERE search(:query, subject, sender, recipients)`, As: "messages", Order: "sent DESC, mail_id",
	},
	{
		Name: "mail.messages.get", Title: "Get a mail", Says: "One mail with its text.",
		In: "mail_id:text", Out: `
mail_id:text
sent:text
sender:text
recipients:text
subject:text
body:text`,
		Row: `SELECT mail_id, sent, sender, recipients, subject, body FROM mails WHERE mail_id = :mail_id`, Missing: "There is no mail {mail_id}.",
	},
	{
		Name: "chat.messages.search", Title: "Search chat", Says: "Chat by words of what was said, who said it, or the channel, newest first.",
		In: `
query?:text
channel?:text`, Out: `
message_id:text
channel:text
at:text
author:text
text:text`,
		Rows: `SELECT message_id, channel, at, author, text FROM chat_messages WHERE search(:query, text, author, channel) AND (:channel IS NULL OR channel = :channel)`, As: "messages", Order: "at DESC, message_id",
	},
	{
		Name: "drive.files.search", Title: "Search files", Says: "Files by words of their title, path or kind.",
		In: "query?:text", Out: `
file_id:text
path:text
title:text
kind:text
media_type:text
size:int`,
		Rows: `SELECT file_id, path, title, kind, media_type, size FROM drive_files WHERE search(:query, title, path, kind)`, As: "files", Order: "file_id",
	},
	{
		Name: "drive.files.read", Title: "Read a file", Says: "One file as text: of a workbook every sheet as CSV under its name, of a letter its heads and its body.",
		In: "file_id:text", Out: `
file_id:text
path:text
title:text
kind:text
media_type:text
text?:text`,
		Row: `SELECT file_id, path, title, kind, media_type, text FROM drive_files WHERE file_id = :file_id`, Missing: "There is no file {file_id}.",
	},
}
