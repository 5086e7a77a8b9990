package main

var storesReads = []tool{
	{
		Name: "stores.parts.search", Title: "Search parts", Says: "Parts and items by words of their number, name or family.",
		In: "query?:text", Out: `
part:text
name:text
unit:text
family:text
spec_id?:text
standard_cost:number`,
		Rows: `SELECT part, name, unit, family, spec_id, standard_cost FROM parts WHERE search(:query, part, name, family)`, As: "parts", Order: "part",
	},
	{
		Name: "stores.lots.list", Title: "List lots", Says: "Lots of a part in our stores, whatever their status.",
		In: `
part:text
status?:FREE|HELD|RESERVED|INSPECTION|BLOCKED`, Out: `
lot_id:text
part:text
quantity:int
status:text
place:text
received:date
expires?:date
made_to:text  Revision of the specification or drawing that it was made to
vendor_id?:text
revision:int`,
		Rows: `SELECT lot_id, part, quantity, status, place, received, expires, made_to, vendor_id, revision FROM lots
WHERE part = :part AND (:status IS NULL OR status = :status)`, As: "lots", Order: "lot_id",
	},
	{
		Name: "stores.reservations.list", Title: "List reservations", Says: "What of a part, or of one lot, is set aside, and for what.",
		In: `
part:text
lot_id?:text
state?:ACTIVE|RELEASED|LAPSED`, Out: `
reservation_id:text
lot_id:text
part:text
purpose:text
quantity:int
state:text
until?:date
made_by:text`,
		Rows: `SELECT reservation_id, lot_id, part, purpose, quantity, state, until, made_by FROM reservations
WHERE part = :part AND (:lot_id IS NULL OR lot_id = :lot_id) AND (:state IS NULL OR state = :state)`, As: "reservations", Order: "reservation_id",
	},
}

var specsReads = []tool{
	{
		Name: "specs.documents.search", Title: "Search specifications", Says: "Specifications and drawings by words of their number, title or subject. Every revision is listed with its status and the days for which it counts.",
		In: `
query?:text
status?:DRAFT|RELEASED|CURRENT|SUPERSEDED`, Out: `
spec_id:text
revision:text
title:text
subject:text
status:text
valid_from?:date
valid_to?:date`,
		Rows: `SELECT spec_id, revision, title, subject, status, valid_from, valid_to FROM specs
WHERE search(:query, spec_id, title, subject) AND (:status IS NULL OR status = :status)`, As: "documents", Order: "spec_id, revision",
	},
	{
		Name: "specs.values.list", Title: "List values of a specification", Says: "The values that one revision of a specification states.",
		In: `
spec_id:text
revision:text`, Out: `
spec_id:text
revision:text
name:text
value:number
unit:text
note?:text`,
		Rows: `SELECT spec_id, revision, name, value, unit, note FROM spec_values WHERE spec_id = :spec_id AND revision = :revision`, As: "values", Order: "name",
	},
	{
		Name: "specs.boms.list", Title: "List bills of material", Says: "The bills of material of an assembly: every revision, with its status and the days for which it counts.",
		In: "assembly:text", Out: `
bom_id:text
assembly:text
revision:text
status:text
valid_from?:date
valid_to?:date`,
		Rows: `SELECT bom_id, assembly, revision, status, valid_from, valid_to FROM boms WHERE assembly = :assembly`, As: "boms", Order: "bom_id",
	},
	{
		Name: "specs.boms.get", Title: "Get a bill of material", Says: "One bill of material with its lines. Issued is what is built in and the share that is lost on top of it, up to a whole piece.",
		In: "bom_id:text", Out: `
bom_id:text
assembly:text
revision:text
status:text
lines[]
  position:int
  part:text
  quantity_per:int
  scrap_pct:number  What is lost in making, on top of what is built in
  note?:text`,
		Row: `SELECT bom_id, assembly, revision, status FROM boms WHERE bom_id = :bom_id`, Missing: "There is no bill of material {bom_id}.",
		With: []with{{"lines", "SELECT position, part, quantity_per, scrap_pct, note FROM bom_lines WHERE bom_id = :bom_id", "position"}},
	},
	{
		Name: "specs.effectivities.list", Title: "List effectivities", Says: "From when a change of an item counts: by date, by serial number, or when the old stock is used up.",
		In: `
item:text
state?:OPEN|SET|WITHDRAWN`, Out: `
effectivity_id:text
item:text
change_id:text
from_revision:text
to_revision:text
basis:text
effective_from?:date
first_serial?:int
state:text
set_by?:text
revision:int`,
		Rows: `SELECT effectivity_id, item, change_id, from_revision, to_revision, basis, effective_from, first_serial, state, set_by, revision FROM effectivities
WHERE item = :item AND (:state IS NULL OR state = :state)`, As: "effectivities", Order: "effectivity_id",
	},
	{
		Name: "specs.rules.list", Title: "List rules of procedures", Says: "Figures that our procedures set, by words of the procedure's number, the area or what is ruled. Old revisions are listed beside those that count.",
		In: "query?:text", Out: `
rule_id:text
procedure:text
revision:text
area:text
parameter:text
value:number
unit:text
status:text
valid_from:date
valid_to?:date
says:text`,
		Rows: `SELECT rule_id, procedure, revision, area, parameter, value, unit, status, valid_from, valid_to, says FROM procedure_rules
WHERE search(:query, rule_id, procedure, area, parameter)`, As: "rules", Order: "rule_id",
	},
}

var qualityReads = []tool{
	{
		Name: "quality.holds.search", Title: "Search quality holds", Says: "Holds by words of their number, the lot, the part or the reason.",
		In: `
query?:text
state?:OPEN|DISPOSED|CLOSED`, Out: `
hold_id:text
lot_id:text
part:text
reason:text
quantity:int
state:text
opened:date
opened_by:text
revision:int`,
		Rows: `SELECT hold_id, lot_id, part, reason, quantity, state, opened, opened_by, revision FROM holds
WHERE search(:query, hold_id, lot_id, part, reason) AND (:state IS NULL OR state = :state)`, As: "holds", Order: "hold_id",
	},
	{
		Name: "quality.inspections.list", Title: "List inspections", Says: "What was measured of a lot. Only an inspection that is FINAL counts; one that is VOID was done with a gauge or by a method that did not hold.",
		In: `
lot_id:text
status?:OPEN|FINAL|VOID`, Out: `
inspection_id:text
lot_id:text
characteristic:text
sampled:int
rejected:int
lowest?:number
highest?:number
unit:text
gauge:text
inspected:date
inspector:text
status:text
note?:text`,
		Rows: `SELECT inspection_id, lot_id, characteristic, sampled, rejected, lowest, highest, unit, gauge, inspected, inspector, status, note FROM inspections
WHERE lot_id = :lot_id AND (:status IS NULL OR status = :status)`, As: "inspections", Order: "inspection_id",
	},
	{
		Name: "quality.dispositions.get", Title: "Get a disposition", Says: "One disposition of a hold.",
		In: "disposition_id:text", Out: `
disposition_id:text
hold_id:text
lot_id:text
use_quantity:int
rework_quantity:int
scrap_quantity:int
destination:text
state:text
made_by:text
made_at:text`,
		Row: `SELECT disposition_id, hold_id, lot_id, use_quantity, rework_quantity, scrap_quantity, destination, state, made_by, made_at
FROM dispositions WHERE disposition_id = :disposition_id`, Missing: "There is no disposition {disposition_id}.",
	},
}
