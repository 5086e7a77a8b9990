package main

// quoteHolds are guards that a quote may be ordered by.
var quoteHolds = []step{
	{Guard: "SELECT 1 FROM quotes WHERE quote_id = :quote_id AND vendor_id = :vendor_id", Code: "not_found", Says: "Vendor {vendor_id} has no quote {quote_id}."},
	{Guard: "SELECT status <> 'BLOCKED' FROM vendors WHERE vendor_id = :vendor_id", Says: "Vendor {vendor_id} is blocked."},
	{Guard: "SELECT state = 'VALID' AND valid_until >= :today FROM quotes WHERE quote_id = :quote_id", Says: "Quote {quote_id} does not stand any more."},
	{Guard: "SELECT :quantity >= minimum FROM quotes WHERE quote_id = :quote_id", Code: "limit", Says: "{quantity} is less than quote {quote_id} sells."},
	{Guard: "SELECT :quantity % multiple = 0 FROM quotes WHERE quote_id = :quote_id", Code: "invalid", Says: "Quote {quote_id} sells whole packs, and {quantity} is none."},
}

const priceOfQuote = "(SELECT :quantity * CAST(unit_price AS REAL) + CAST(fixed_charge AS REAL) FROM quotes WHERE quote_id = :quote_id)"

var purchasingWrites = []tool{
	{
		Name: "purchasing.orders.create", Title: "Place a purchase order", Says: "Order a part by a quote that stands. The order is placed at once.",
		In: `
vendor_id:text
quote_id:text
part:text
quantity:count
due:date  Day on which it is to be here`, Out: `
po_id:text
vendor_id:text
status:text
revision:int`,
		Ids: "po_id purchase_orders po_id PO- 6",
		Steps: append(append([]step{}, quoteHolds...),
			step{Guard: "SELECT 1 FROM quotes WHERE quote_id = :quote_id AND part = :part", Code: "not_found", Says: "Quote {quote_id} is not for {part}."},
			step{Guard: "SELECT :due >= :today", Says: "{due} is over."},
			step{Guard: limitOf("PURCHASE", ":part", priceOfQuote), Code: "unauthorised", Says: "This order is above what you may place alone. Ask for an approval."},
			step{Run: "INSERT INTO purchase_orders (po_id, vendor_id, ordered, status, contract_id, buyer, revision) VALUES (:po_id, :vendor_id, :today, 'PLACED', NULL, coalesce(:user, ''), 1)"},
			step{Run: `INSERT INTO po_lines (po_id, line_no, part, quantity, received, unit_price, charge, due, service, quote_id)
SELECT :po_id, 1, part, :quantity, 0, unit_price, fixed_charge, :due, service, quote_id FROM quotes WHERE quote_id = :quote_id`, Rows: 1, Says: "Quote {quote_id} has changed."},
		),
		Row: "SELECT po_id, vendor_id, status, revision FROM purchase_orders WHERE po_id = :po_id",
	},
	{
		Name: "purchasing.orders.expedite", Title: "Expedite a purchase order", Says: "Take up a faster service that the vendor has confirmed for a line of an order. The line gets its charge and its day.",
		In: `
po_id:text
line_no:count
confirmation_id:text
revision:int  The order's revision that was read`, Out: `
po_id:text
line_no:int
due:date
charge:number
service:text
revision:int`,
		Steps: []step{
			{Guard: "SELECT 1 FROM po_lines WHERE po_id = :po_id AND line_no = :line_no", Code: "not_found", Says: "Purchase order {po_id} has no line {line_no}."},
			{Guard: "SELECT status IN ('PLACED', 'CONFIRMED') FROM purchase_orders WHERE po_id = :po_id", Says: "Purchase order {po_id} is not open."},
			{Guard: "SELECT 1 FROM confirmations c JOIN po_lines l ON l.part = c.part WHERE c.confirmation_id = :confirmation_id AND c.reference = :po_id AND l.po_id = :po_id AND l.line_no = :line_no", Code: "not_found", Says: "Confirmation {confirmation_id} is not for this line."},
			{Guard: "SELECT state = 'CONFIRMED' FROM confirmations WHERE confirmation_id = :confirmation_id", Says: "Confirmation {confirmation_id} does not bind the vendor."},
			{Guard: limitOf("EXPEDITE", ":po_id", "(SELECT CAST(charge AS REAL) FROM confirmations WHERE confirmation_id = :confirmation_id)"), Code: "unauthorised", Says: "This charge is above what you may spend alone. Ask for an approval."},
			{Run: `UPDATE po_lines SET service = (SELECT service FROM confirmations WHERE confirmation_id = :confirmation_id), charge = (SELECT charge FROM confirmations WHERE confirmation_id = :confirmation_id),
due = (SELECT add_days(c.ready, v.transit_days) FROM confirmations c JOIN vendors v ON v.vendor_id = c.vendor_id WHERE c.confirmation_id = :confirmation_id) WHERE po_id = :po_id AND line_no = :line_no`, Rows: 1, Says: "Purchase order {po_id} has changed."},
			{Run: "UPDATE purchase_orders SET revision = revision + 1 WHERE po_id = :po_id AND revision = :revision", Rows: 1, Code: "conflict", Says: "Purchase order {po_id} has changed since revision {revision}."},
		},
		Row: "SELECT l.po_id, l.line_no, l.due, l.charge, l.service, p.revision FROM po_lines l JOIN purchase_orders p ON p.po_id = l.po_id WHERE l.po_id = :po_id AND l.line_no = :line_no",
	},
	{
		Name: "purchasing.subcontracts.create", Title: "Place a subcontract", Says: "Order work on our parts or tools from a vendor, by a quote that stands.",
		In: `
vendor_id:text
quote_id:text
item:text
process:text  As the quote names the service
quantity:count
send_on:date
due:date  Day on which it is to be back`, Out: `
subcontract_id:text
vendor_id:text
price:number
state:text`,
		Ids: "subcontract_id subcontracts subcontract_id SC- 4",
		Steps: append(append([]step{}, quoteHolds...),
			step{Guard: "SELECT 1 FROM quotes WHERE quote_id = :quote_id AND part = :item AND service = :process", Code: "not_found", Says: "Quote {quote_id} is not for {process} of {item}."},
			step{Guard: "SELECT :send_on >= :today AND :due >= :send_on", Says: "The days do not follow each other from today."},
			step{Guard: limitOf("SUBCONTRACT", ":item", priceOfQuote), Code: "unauthorised", Says: "This order is above what you may place alone. Ask for an approval."},
			step{Run: `INSERT INTO subcontracts (subcontract_id, vendor_id, quote_id, item, process, quantity, send_on, due, price, state, made_by)
VALUES (:subcontract_id, :vendor_id, :quote_id, :item, :process, :quantity, :send_on, :due, printf('%.2f', ` + priceOfQuote + `), 'PLACED', coalesce(:user, ''))`},
		),
		Row: "SELECT subcontract_id, vendor_id, price, state FROM subcontracts WHERE subcontract_id = :subcontract_id",
	},
}
