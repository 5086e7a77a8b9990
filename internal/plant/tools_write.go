package main

// The writing tools. A guard speaks as the system's own message would, and never says what the right value is.

const (
	form = "At least 2 sentences and 25 words: what was decided, for which day or amount, and what it hangs on. Say of a thing that it is done only when it is."

	guardRecipient = "SELECT 1 FROM people WHERE user_id = :recipient"
	sayRecipient   = "Nobody here is {recipient}."
)

// limitOf is a guard that what a user may decide alone, with what was approved to him for the subject, holds an amount in EUR.
func limitOf(scope, subject, amount string) string {
	return `SELECT 1 FROM approval_limits l WHERE l.user_id = :user AND l.scope = '` + scope + `' AND l.status = 'ACTIVE' AND l.valid_from <= :today
AND (l.valid_to IS NULL OR l.valid_to >= :today) AND CAST(l.amount AS REAL) + 0.001 + coalesce((SELECT sum(CAST(a.amount AS REAL)) FROM approvals a
WHERE a.asked_by = :user AND a.scope = l.scope AND a.subject = ` + subject + ` AND a.state = 'APPROVED' AND a.expires >= :today), 0) >= ` + amount
}

var schedWrites = []tool{
	{
		Name: "sched.jobs.move", Title: "Move a job", Says: "Put a job into another slot of its line. The minutes that it loads are taken from the new slot and given back to the old one.",
		In: `
job_id:text
slot_id:text
load_minutes:count  Minutes that the job loads in the slot
revision:int  The job's revision that was read`, Out: `
job_id:text
slot_id:text
load_minutes:int
revision:int`,
		Steps: []step{
			{Guard: "SELECT 1 FROM jobs WHERE job_id = :job_id", Code: "not_found", Says: "There is no job {job_id}."},
			{Guard: "SELECT status NOT IN ('RUNNING', 'DONE', 'ON_HOLD') FROM jobs WHERE job_id = :job_id", Says: "Job {job_id} is running, done or on hold, and is not moved."},
			{Guard: "SELECT 1 FROM slots s JOIN jobs j ON j.line = s.line WHERE s.slot_id = :slot_id AND j.job_id = :job_id", Code: "not_found", Says: "The line of job {job_id} has no slot {slot_id}."},
			{Guard: "SELECT state = 'OPEN' FROM slots WHERE slot_id = :slot_id", Says: "Slot {slot_id} is not open."},
			{Guard: "SELECT starts >= :today FROM slots WHERE slot_id = :slot_id", Says: "Slot {slot_id} has begun."},
			{Guard: "SELECT coalesce(slot_id, '') <> :slot_id FROM jobs WHERE job_id = :job_id", Code: "conflict", Says: "Job {job_id} stands in slot {slot_id} already."},
			{Guard: "SELECT :load_minutes > 0 AND minutes_free >= :load_minutes FROM slots WHERE slot_id = :slot_id", Code: "limit", Says: "Slot {slot_id} does not have {load_minutes} minutes free."},
			{Run: "UPDATE slots SET minutes_free = minutes_free + (SELECT load_minutes FROM jobs WHERE job_id = :job_id) WHERE slot_id = (SELECT slot_id FROM jobs WHERE job_id = :job_id)"},
			{Run: "UPDATE slots SET minutes_free = minutes_free - :load_minutes WHERE slot_id = :slot_id", Rows: 1, Says: "Slot {slot_id} has changed."},
			{Run: "UPDATE jobs SET slot_id = :slot_id, load_minutes = :load_minutes, moved_by = :user, revision = revision + 1 WHERE job_id = :job_id AND revision = :revision", Rows: 1, Code: "conflict", Says: "Job {job_id} has changed since revision {revision}."},
		},
		Row: "SELECT job_id, slot_id, load_minutes, revision FROM jobs WHERE job_id = :job_id",
	},
	{
		Name: "sched.orders.promise", Title: "Promise a day", Says: "Confirm to a customer order the day on which it will be on his site.",
		In: `
order_id:text
promised:date
revision:int  The order's revision that was read`, Out: `
order_id:text
promised:date
revision:int`,
		Steps: []step{
			{Guard: "SELECT 1 FROM customer_orders WHERE order_id = :order_id", Code: "not_found", Says: "There is no customer order {order_id}."},
			{Guard: "SELECT status NOT IN ('SHIPPED', 'CANCELLED') FROM customer_orders WHERE order_id = :order_id", Says: "Customer order {order_id} is shipped or cancelled."},
			{Guard: "SELECT :promised >= :today", Says: "{promised} is over."},
			{Run: "UPDATE customer_orders SET promised = :promised, revision = revision + 1 WHERE order_id = :order_id AND revision = :revision", Rows: 1, Code: "conflict", Says: "Customer order {order_id} has changed since revision {revision}."},
		},
		Row: "SELECT order_id, promised, revision FROM customer_orders WHERE order_id = :order_id",
	},
	{
		Name: "sched.shifts.open", Title: "Open an extra shift", Says: "Open a shift that a crew has offered, for one item.",
		In: `
shift_id:text
item:text
revision:int  The shift's revision that was read`, Out: `
shift_id:text
line:text
day:date
item:text
state:text
revision:int`,
		Steps: []step{
			{Guard: "SELECT 1 FROM shifts WHERE shift_id = :shift_id", Code: "not_found", Says: "There is no shift {shift_id}."},
			{Guard: "SELECT 1 FROM parts WHERE part = :item", Code: "not_found", Says: "There is no item {item}."},
			{Guard: "SELECT state = 'OFFERED' FROM shifts WHERE shift_id = :shift_id", Says: "Shift {shift_id} is not on offer."},
			{Guard: "SELECT day > :today FROM shifts WHERE shift_id = :shift_id", Says: "Shift {shift_id} is over or begins today."},
			{Run: "UPDATE shifts SET state = 'OPEN', item = :item, opened_by = :user, revision = revision + 1 WHERE shift_id = :shift_id AND revision = :revision", Rows: 1, Code: "conflict", Says: "Shift {shift_id} has changed since revision {revision}."},
		},
		Row: "SELECT shift_id, line, day, item, state, revision FROM shifts WHERE shift_id = :shift_id",
	},
}

var specsWrites = []tool{{
	Name: "specs.effectivities.set", Title: "Set an effectivity", Says: "Set from when a change of an item counts: from a day (DATE), or from a serial number (SERIAL), or when the old stock is used up (STOCK_OUT).",
	In: `
effectivity_id:text
basis:DATE|SERIAL|STOCK_OUT
effective_from?:date  Of DATE
first_serial?:count  Of SERIAL
revision:int  The effectivity's revision that was read`, Out: `
effectivity_id:text
item:text
basis:text
effective_from?:date
first_serial?:int
state:text
revision:int`,
	Steps: []step{
		{Guard: "SELECT 1 FROM effectivities WHERE effectivity_id = :effectivity_id", Code: "not_found", Says: "There is no effectivity {effectivity_id}."},
		{Guard: "SELECT state = 'OPEN' FROM effectivities WHERE effectivity_id = :effectivity_id", Says: "Effectivity {effectivity_id} is set or withdrawn."},
		{Guard: "SELECT (:basis = 'DATE') = (:effective_from IS NOT NULL)", Code: "invalid", Says: "The basis DATE has a day, and no other has."},
		{Guard: "SELECT (:basis = 'SERIAL') = (:first_serial IS NOT NULL)", Code: "invalid", Says: "The basis SERIAL has a serial number, and no other has."},
		{Guard: "SELECT :effective_from IS NULL OR :effective_from >= :today", Says: "{effective_from} is over."},
		{Run: "UPDATE effectivities SET basis = :basis, effective_from = :effective_from, first_serial = :first_serial, state = 'SET', set_by = :user, revision = revision + 1 WHERE effectivity_id = :effectivity_id AND revision = :revision", Rows: 1, Code: "conflict", Says: "Effectivity {effectivity_id} has changed since revision {revision}."},
	},
	Row: "SELECT effectivity_id, item, basis, effective_from, first_serial, state, revision FROM effectivities WHERE effectivity_id = :effectivity_id",
}}

var qualityWrites = []tool{{
	Name: "quality.dispositions.create", Title: "Dispose of a hold", Says: "Decide what becomes of all pieces of a held lot: used as they are for one job or order, reworked, scrapped. Stores split the lot when they carry it out.",
	In: `
hold_id:text
use_quantity:count
rework_quantity:count
scrap_quantity:count
destination:text  Number of the job or order that the pieces are used for
revision:int  The hold's revision that was read`, Out: `
disposition_id:text
hold_id:text
lot_id:text
state:text`,
	Ids: "disposition_id dispositions disposition_id DP- 4",
	Steps: []step{
		{Guard: "SELECT 1 FROM holds WHERE hold_id = :hold_id", Code: "not_found", Says: "There is no hold {hold_id}."},
		{Guard: "SELECT state = 'OPEN' FROM holds WHERE hold_id = :hold_id", Says: "Hold {hold_id} is no longer open."},
		{Guard: "SELECT quantity = :use_quantity + :rework_quantity + :scrap_quantity FROM holds WHERE hold_id = :hold_id", Code: "invalid", Says: "The three quantities are not what hold {hold_id} holds."},
		{Guard: "SELECT EXISTS (SELECT 1 FROM jobs WHERE job_id = :destination) OR EXISTS (SELECT 1 FROM customer_orders WHERE order_id = :destination)", Code: "not_found", Says: "There is no job or order {destination}."},
		{Run: "UPDATE holds SET state = 'DISPOSED', revision = revision + 1 WHERE hold_id = :hold_id AND revision = :revision", Rows: 1, Code: "conflict", Says: "Hold {hold_id} has changed since revision {revision}."},
		{Run: `INSERT INTO dispositions (disposition_id, hold_id, lot_id, use_quantity, rework_quantity, scrap_quantity, destination, state, made_by, made_at)
VALUES (:disposition_id, :hold_id, (SELECT lot_id FROM holds WHERE hold_id = :hold_id), :use_quantity, :rework_quantity, :scrap_quantity, :destination, 'DECIDED', coalesce(:user, ''), :now)`},
	},
	Row: "SELECT disposition_id, hold_id, lot_id, state FROM dispositions WHERE disposition_id = :disposition_id",
}}

var vendorsWrites = []tool{{
	Name: "vendors.claims.create", Title: "Open a claim", Says: "Open a claim against a vendor for pieces of one receipt: he replaces them, we rework them at his cost, or he credits them.",
	In: `
vendor_id:text
po_id:text
receipt_id:text
remedy:REPLACEMENT|REWORK|CREDIT
quantity:count
amount:number  What is claimed, in EUR
text:long  What is wrong with them, as the vendor will read it. Two whole sentences at least.`, Out: `
claim_id:text
vendor_id:text
remedy:text
quantity:int
amount:number
state:text`,
	Ids: "claim_id claims claim_id CL- 4",
	Steps: []step{
		{Guard: "SELECT 1 FROM purchase_orders WHERE po_id = :po_id AND vendor_id = :vendor_id", Code: "not_found", Says: "Vendor {vendor_id} has no purchase order {po_id}."},
		{Guard: "SELECT 1 FROM receipts WHERE receipt_id = :receipt_id AND po_id = :po_id", Code: "not_found", Says: "Purchase order {po_id} has no receipt {receipt_id}."},
		{Guard: "SELECT :quantity > 0 AND :quantity <= quantity FROM receipts WHERE receipt_id = :receipt_id", Code: "limit", Says: "Receipt {receipt_id} does not hold {quantity} pieces."},
		{Run: `INSERT INTO claims (claim_id, vendor_id, po_id, receipt_id, remedy, quantity, amount, state, text, made_by, made_at)
VALUES (:claim_id, :vendor_id, :po_id, :receipt_id, :remedy, :quantity, printf('%.2f', :amount), 'OPENED', :text, coalesce(:user, ''), :now)`},
	},
	Row: "SELECT claim_id, vendor_id, remedy, quantity, amount, state FROM claims WHERE claim_id = :claim_id",
}}

var maintWrites = []tool{{
	Name: "maint.windows.book", Title: "Book a maintenance window", Says: "Book a window of an asset for one of its work orders.",
	In: `
work_order:text
window_id:text
provider:text  OWN for our own crew, or the number of a vendor
crew:count  People who do it
revision:int  The work order's revision that was read`, Out: `
booking_id:text
work_order:text
window_id:text
day:date
state:text`,
	Ids: "booking_id bookings booking_id MB- 4",
	Steps: []step{
		{Guard: "SELECT 1 FROM work_orders WHERE work_order = :work_order", Code: "not_found", Says: "There is no work order {work_order}."},
		{Guard: "SELECT 1 FROM windows x JOIN work_orders w ON w.asset_id = x.asset_id WHERE x.window_id = :window_id AND w.work_order = :work_order", Code: "not_found", Says: "The asset of {work_order} has no window {window_id}."},
		{Guard: "SELECT status = 'OPEN' FROM work_orders WHERE work_order = :work_order", Says: "Work order {work_order} is not open."},
		{Guard: "SELECT state = 'OPEN' FROM windows WHERE window_id = :window_id", Says: "Window {window_id} is not open."},
		{Guard: "SELECT day >= :today FROM windows WHERE window_id = :window_id", Says: "Window {window_id} is over."},
		{Guard: "SELECT :provider = 'OWN' OR EXISTS (SELECT 1 FROM vendors WHERE vendor_id = :provider)", Code: "not_found", Says: "There is no vendor {provider}."},
		{Run: "UPDATE windows SET state = 'TAKEN' WHERE window_id = :window_id", Rows: 1, Says: "Window {window_id} has changed."},
		{Run: "UPDATE work_orders SET status = 'BOOKED', revision = revision + 1 WHERE work_order = :work_order AND revision = :revision", Rows: 1, Code: "conflict", Says: "Work order {work_order} has changed since revision {revision}."},
		{Run: `INSERT INTO bookings (booking_id, work_order, window_id, asset_id, day, provider, crew, state, made_by)
SELECT :booking_id, :work_order, window_id, asset_id, day, :provider, :crew, 'BOOKED', coalesce(:user, '') FROM windows WHERE window_id = :window_id`, Rows: 1, Says: "Window {window_id} has changed."},
	},
	Row: "SELECT booking_id, work_order, window_id, day, state FROM bookings WHERE booking_id = :booking_id",
}}

var officeWrites = []tool{
	{
		Name: "mail.drafts.create", Title: "Draft a mail", Says: "Write the draft of a mail to a colleague. " + form + " It stays a draft until you send it yourself.",
		In: `
recipient:text  user_id of the colleague
about:text  Number of the record that it is about
subject:text
body:long`, Out: `
draft_id:text
recipient:text
state:text`,
		Ids: "draft_id mail_drafts draft_id MD- 4",
		Steps: []step{
			{Guard: guardRecipient, Code: "not_found", Says: sayRecipient},
			{Run: "INSERT INTO mail_drafts (draft_id, author, recipient, about, subject, body, state, made_at) VALUES (:draft_id, coalesce(:user, ''), :recipient, :about, :subject, :body, 'DRAFT', :now)"},
		},
		Row: "SELECT draft_id, recipient, state FROM mail_drafts WHERE draft_id = :draft_id",
	},
	{
		Name: "chat.drafts.create", Title: "Draft a chat message", Says: "Write the draft of a message to a colleague in a channel. " + form + " It stays a draft until you post it yourself.",
		In: `
channel:text
recipient:text  user_id of the colleague whom it is for
about:text  Number of the record that it is about
text:long`, Out: `
draft_id:text
channel:text
recipient:text
state:text`,
		Ids: "draft_id chat_drafts draft_id CD- 4",
		Steps: []step{
			{Guard: guardRecipient, Code: "not_found", Says: sayRecipient},
			{Guard: "SELECT 1 FROM chat_messages WHERE channel = :channel", Code: "not_found", Says: "There is no channel {channel}."},
			{Run: "INSERT INTO chat_drafts (draft_id, author, channel, recipient, about, text, state, made_at) VALUES (:draft_id, coalesce(:user, ''), :channel, :recipient, :about, :text, 'DRAFT', :now)"},
		},
		Row: "SELECT draft_id, channel, recipient, state FROM chat_drafts WHERE draft_id = :draft_id",
	},
	{
		Name: "notes.handovers.create", Title: "Write a handover note", Says: "Write a note to a colleague that is kept with a record. " + form + " The colleague reviews it before it is filed.",
		In: `
recipient:text  user_id of the colleague
about:text  Number of the record that it is about
title:text
body:long`, Out: `
note_id:text
recipient:text
state:text`,
		Ids: "note_id notes note_id NT- 4",
		Steps: []step{
			{Guard: guardRecipient, Code: "not_found", Says: sayRecipient},
			{Run: "INSERT INTO notes (note_id, author, recipient, about, title, body, state, made_at) VALUES (:note_id, coalesce(:user, ''), :recipient, :about, :title, :body, 'DRAFT', :now)"},
		},
		Row: "SELECT note_id, recipient, state FROM notes WHERE note_id = :note_id",
	},
}
