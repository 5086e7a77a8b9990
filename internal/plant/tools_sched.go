package main

// The reading tools, server by server. A search takes words that begin words of the record; without words it lists everything.

var schedReads = []tool{
	{
		Name: "sched.orders.search", Title: "Search customer orders", Says: "Customer orders by words of their number, the customer, the customer's own reference or the product.",
		In: `
query?:text
status?:ENTERED|RELEASED|SHIPPED|CANCELLED`,
		Out: `
order_id:text
customer:text
customer_ref:text  The customer's own number
product:text
quantity:int
status:text`,
		Rows: `SELECT order_id, customer, customer_ref, product, quantity, status FROM customer_orders
WHERE search(:query, order_id, customer, customer_ref, product) AND (:status IS NULL OR status = :status)`, As: "orders", Order: "order_id",
	},
	{
		Name: "sched.orders.get", Title: "Get a customer order", Says: "One customer order with the jobs that make it.",
		In: "order_id:text", Out: `
order_id:text
customer:text
customer_ref:text
product:text
quantity:int
need_date:date  The day on which the customer wants it on his site
promised?:date  The day that we have confirmed to him
ship_from:text
carrier_calendar:text  Calendar of the days on which it can leave
transit_days:int  Calendar days on the road
status:text
owner:text  Who speaks with the customer
revision:int
jobs[]
  job_id:text
  line:text
  status:text`,
		Row: `SELECT order_id, customer, customer_ref, product, quantity, need_date, promised, ship_from, carrier_calendar, transit_days, status, owner, revision
FROM customer_orders WHERE order_id = :order_id`, Missing: "There is no customer order {order_id}.",
		With: []with{{"jobs", "SELECT job_id, line, status FROM jobs WHERE order_id = :order_id", "job_id"}},
	},
	{
		Name: "sched.jobs.search", Title: "Search jobs", Says: "Jobs by words of their number, the item, the order or the line.",
		In: `
query?:text
status?:PLANNED|FIRM|RUNNING|DONE|ON_HOLD`,
		Out: `
job_id:text
order_id?:text
item:text
quantity:int
line:text
slot_id?:text
status:text`,
		Rows: `SELECT job_id, order_id, item, quantity, line, slot_id, status FROM jobs
WHERE search(:query, job_id, item, order_id, line) AND (:status IS NULL OR status = :status)`, As: "jobs", Order: "job_id",
	},
	{
		Name: "sched.jobs.get", Title: "Get a job", Says: "One job, with the slot that it stands in and the minutes that it loads there.",
		In: "job_id:text", Out: `
job_id:text
order_id?:text
item:text
quantity:int
line:text
slot_id?:text
starts?:date
ends?:date
load_minutes:int
status:text
moved_by?:text
revision:int`,
		Row: `SELECT j.job_id, j.order_id, j.item, j.quantity, j.line, j.slot_id, s.starts, s.ends, j.load_minutes, j.status, j.moved_by, j.revision
FROM jobs j LEFT JOIN slots s ON s.slot_id = j.slot_id WHERE j.job_id = :job_id`, Missing: "There is no job {job_id}.",
	},
	{
		Name: "sched.lines.list", Title: "List lines", Says: "Lines and work centres by words of their code, name or area, with crew and the share of a shift that they really run. What a job loads is what its routing takes divided by this share, up to a whole minute.",
		In: "query?:text", Out: `
line:text
name:text
area:text
crew:int
shift_minutes:int
availability_pct:number  Of the minutes of a shift, the share that is work
supervisor:text`,
		Rows: `SELECT line, name, area, crew, shift_minutes, availability_pct, supervisor FROM lines WHERE search(:query, line, name, area)`, As: "lines", Order: "line",
	},
	{
		Name: "sched.routings.list", Title: "List routings", Says: "How long an item takes on a line: minutes to set up and minutes for each. All revisions are listed, with the days for which they count.",
		In: `
item:text
line?:text`, Out: `
routing_id:text
item:text
line:text
operation:text
setup_minutes:int
minutes_each:number
revision:text
status:text
valid_from:date
valid_to?:date`,
		Rows: `SELECT routing_id, item, line, operation, setup_minutes, minutes_each, revision, status, valid_from, valid_to FROM routings
WHERE item = :item AND (:line IS NULL OR line = :line)`, As: "routings", Order: "routing_id",
	},
	{
		Name: "sched.slots.list", Title: "List slots", Says: "Slots of a line by the day they begin. A PROTECTED slot is kept for what its reason says and is not ours to fill.",
		In: `
line:text
from?:date
until?:date
state?:OPEN|PROTECTED|FULL|CLOSED`, Out: `
slot_id:text
line:text
starts:date
ends:date
minutes_free:int
state:text
reason?:text`,
		Rows: `SELECT slot_id, line, starts, ends, minutes_free, state, reason FROM slots
WHERE line = :line AND (:from IS NULL OR starts >= :from) AND (:until IS NULL OR starts <= :until) AND (:state IS NULL OR state = :state)`, As: "slots", Order: "starts, slot_id",
	},
	{
		Name: "sched.calendar.list", Title: "List calendar days", Says: "Days of a calendar: the plant's, a carrier's, a vendor's. Days that are not listed are neither open nor closed here; ask for a span.",
		In: `
calendar:text
from?:date
until?:date
state?:OPEN|CLOSED`, Out: `
calendar:text
day:date
state:text
label:text`,
		Rows: `SELECT calendar, day, state, label FROM calendar_days
WHERE calendar = :calendar AND (:from IS NULL OR day >= :from) AND (:until IS NULL OR day <= :until) AND (:state IS NULL OR state = :state)`, As: "days", Order: "day",
	},
	{
		Name: "sched.shifts.list", Title: "List extra shifts", Says: "Extra shifts that a crew has offered, that are open, or that were refused, by line.",
		In: `
line:text
from?:date
until?:date
state?:OFFERED|OPEN|CLOSED|REFUSED`, Out: `
shift_id:text
line:text
day:date
kind:text
minutes:int
crew:int
premium_pct:number
state:text
item?:text
opened_by?:text
revision:int`,
		Rows: `SELECT shift_id, line, day, kind, minutes, crew, premium_pct, state, item, opened_by, revision FROM shifts
WHERE line = :line AND (:from IS NULL OR day >= :from) AND (:until IS NULL OR day <= :until) AND (:state IS NULL OR state = :state)`, As: "shifts", Order: "day, shift_id",
	},
}
