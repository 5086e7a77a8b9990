package main

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
