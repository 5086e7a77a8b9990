-- Ostervelt Hydraulics, Lindholt plant. A column with a CHECK is one that a tool writes or filters by; the tool lists the
-- same words. Amounts of money are decimal texts in EUR, days are ISO dates, revisions count up with every change.

CREATE TABLE people (
  user_id TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, team TEXT NOT NULL, email TEXT NOT NULL UNIQUE, phone TEXT NOT NULL
) STRICT;

-- sched
CREATE TABLE customer_orders (
  order_id TEXT PRIMARY KEY, customer TEXT NOT NULL, customer_ref TEXT NOT NULL, product TEXT NOT NULL, quantity INTEGER NOT NULL,
  need_date TEXT NOT NULL, promised TEXT, ship_from TEXT NOT NULL, carrier_calendar TEXT NOT NULL, transit_days INTEGER NOT NULL,
  status TEXT NOT NULL, owner TEXT NOT NULL REFERENCES people (user_id), revision INTEGER NOT NULL
) STRICT;
CREATE TABLE lines (
  line TEXT PRIMARY KEY, name TEXT NOT NULL, area TEXT NOT NULL, crew INTEGER NOT NULL, shift_minutes INTEGER NOT NULL,
  availability_pct TEXT NOT NULL, supervisor TEXT NOT NULL REFERENCES people (user_id)
) STRICT;
CREATE TABLE routings (
  routing_id TEXT PRIMARY KEY, item TEXT NOT NULL, line TEXT NOT NULL REFERENCES lines (line), operation TEXT NOT NULL, setup_minutes INTEGER NOT NULL,
  minutes_each TEXT NOT NULL, revision TEXT NOT NULL, status TEXT NOT NULL, valid_from TEXT NOT NULL, valid_to TEXT
) STRICT;
CREATE TABLE slots (
  slot_id TEXT PRIMARY KEY, line TEXT NOT NULL REFERENCES lines (line), starts TEXT NOT NULL, ends TEXT NOT NULL, minutes_free INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('OPEN', 'PROTECTED', 'FULL', 'CLOSED')), reason TEXT
) STRICT;
CREATE TABLE jobs (
  job_id TEXT PRIMARY KEY, order_id TEXT REFERENCES customer_orders (order_id), item TEXT NOT NULL, quantity INTEGER NOT NULL,
  line TEXT NOT NULL REFERENCES lines (line), slot_id TEXT REFERENCES slots (slot_id), load_minutes INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('PLANNED', 'FIRM', 'RUNNING', 'DONE', 'ON_HOLD')), moved_by TEXT, revision INTEGER NOT NULL
) STRICT;
CREATE TABLE calendar_days (
  calendar TEXT NOT NULL, day TEXT NOT NULL, state TEXT NOT NULL, label TEXT NOT NULL, PRIMARY KEY (calendar, day)
) STRICT;
CREATE TABLE shifts (
  shift_id TEXT PRIMARY KEY, line TEXT NOT NULL REFERENCES lines (line), day TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('EARLY', 'LATE', 'NIGHT', 'SATURDAY', 'SUNDAY')),
  minutes INTEGER NOT NULL, crew INTEGER NOT NULL, premium_pct TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('OFFERED', 'OPEN', 'CLOSED', 'REFUSED')), item TEXT, opened_by TEXT, revision INTEGER NOT NULL
) STRICT;

-- stores
CREATE TABLE parts (
  part TEXT PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, family TEXT NOT NULL, spec_id TEXT, standard_cost TEXT NOT NULL
) STRICT;
CREATE TABLE lots (
  lot_id TEXT PRIMARY KEY, part TEXT NOT NULL REFERENCES parts (part), quantity INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('FREE', 'HELD', 'RESERVED', 'INSPECTION', 'BLOCKED')), place TEXT NOT NULL, received TEXT NOT NULL,
  expires TEXT, made_to TEXT NOT NULL, vendor_id TEXT REFERENCES vendors (vendor_id), revision INTEGER NOT NULL
) STRICT;
CREATE TABLE reservations (
  reservation_id TEXT PRIMARY KEY, lot_id TEXT NOT NULL REFERENCES lots (lot_id), part TEXT NOT NULL REFERENCES parts (part), purpose TEXT NOT NULL,
  quantity INTEGER NOT NULL, state TEXT NOT NULL CHECK (state IN ('ACTIVE', 'RELEASED', 'LAPSED')), until TEXT, made_by TEXT NOT NULL, revision INTEGER NOT NULL
) STRICT;

-- specs
CREATE TABLE specs (
  spec_id TEXT NOT NULL, revision TEXT NOT NULL, title TEXT NOT NULL, subject TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('DRAFT', 'RELEASED', 'CURRENT', 'SUPERSEDED')),
  valid_from TEXT, valid_to TEXT, PRIMARY KEY (spec_id, revision)
) STRICT;
CREATE TABLE spec_values (
  spec_id TEXT NOT NULL, revision TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, unit TEXT NOT NULL, note TEXT,
  PRIMARY KEY (spec_id, revision, name), FOREIGN KEY (spec_id, revision) REFERENCES specs (spec_id, revision)
) STRICT;
CREATE TABLE boms (
  bom_id TEXT PRIMARY KEY, assembly TEXT NOT NULL, revision TEXT NOT NULL, status TEXT NOT NULL, valid_from TEXT, valid_to TEXT, UNIQUE (assembly, revision)
) STRICT;
CREATE TABLE bom_lines (
  bom_id TEXT NOT NULL REFERENCES boms (bom_id), position INTEGER NOT NULL, part TEXT NOT NULL REFERENCES parts (part), quantity_per INTEGER NOT NULL,
  scrap_pct TEXT NOT NULL, note TEXT, PRIMARY KEY (bom_id, position)
) STRICT;
CREATE TABLE effectivities (
  effectivity_id TEXT PRIMARY KEY, item TEXT NOT NULL, change_id TEXT NOT NULL, from_revision TEXT NOT NULL, to_revision TEXT NOT NULL,
  basis TEXT NOT NULL CHECK (basis IN ('DATE', 'SERIAL', 'STOCK_OUT')), effective_from TEXT, first_serial INTEGER,
  state TEXT NOT NULL CHECK (state IN ('OPEN', 'SET', 'WITHDRAWN')), set_by TEXT, revision INTEGER NOT NULL
) STRICT;
CREATE TABLE procedure_rules (
  rule_id TEXT PRIMARY KEY, procedure TEXT NOT NULL, revision TEXT NOT NULL, area TEXT NOT NULL, parameter TEXT NOT NULL, value TEXT NOT NULL,
  unit TEXT NOT NULL, status TEXT NOT NULL, valid_from TEXT NOT NULL, valid_to TEXT, says TEXT NOT NULL
) STRICT;

-- quality
CREATE TABLE holds (
  hold_id TEXT PRIMARY KEY, lot_id TEXT NOT NULL REFERENCES lots (lot_id), part TEXT NOT NULL REFERENCES parts (part), reason TEXT NOT NULL,
  quantity INTEGER NOT NULL, state TEXT NOT NULL CHECK (state IN ('OPEN', 'DISPOSED', 'CLOSED')), opened TEXT NOT NULL, opened_by TEXT NOT NULL, revision INTEGER NOT NULL
) STRICT;
CREATE TABLE inspections (
  inspection_id TEXT PRIMARY KEY, lot_id TEXT NOT NULL REFERENCES lots (lot_id), characteristic TEXT NOT NULL, sampled INTEGER NOT NULL,
  rejected INTEGER NOT NULL, lowest TEXT, highest TEXT, unit TEXT NOT NULL, gauge TEXT NOT NULL, inspected TEXT NOT NULL, inspector TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('OPEN', 'FINAL', 'VOID')), note TEXT
) STRICT;
CREATE TABLE dispositions (
  disposition_id TEXT PRIMARY KEY, hold_id TEXT NOT NULL REFERENCES holds (hold_id), lot_id TEXT NOT NULL REFERENCES lots (lot_id),
  use_quantity INTEGER NOT NULL, rework_quantity INTEGER NOT NULL, scrap_quantity INTEGER NOT NULL, destination TEXT NOT NULL,
  state TEXT NOT NULL, made_by TEXT NOT NULL, made_at TEXT NOT NULL
) STRICT;

-- vendors
CREATE TABLE vendors (
  vendor_id TEXT PRIMARY KEY, name TEXT NOT NULL, place TEXT NOT NULL, trade TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('APPROVED', 'CONDITIONAL', 'BLOCKED')), approved_until TEXT, calendar TEXT NOT NULL, transit_days INTEGER NOT NULL,
  contact TEXT NOT NULL, email TEXT NOT NULL
) STRICT;
CREATE TABLE quotes (
  quote_id TEXT PRIMARY KEY, vendor_id TEXT NOT NULL REFERENCES vendors (vendor_id), part TEXT NOT NULL, service TEXT NOT NULL,
  minimum INTEGER NOT NULL, multiple INTEGER NOT NULL, unit_price TEXT NOT NULL, fixed_charge TEXT NOT NULL, lead_days INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('VALID', 'EXPIRED', 'WITHDRAWN')), quoted TEXT NOT NULL, valid_until TEXT NOT NULL
) STRICT;
CREATE TABLE confirmations (
  confirmation_id TEXT PRIMARY KEY, vendor_id TEXT NOT NULL REFERENCES vendors (vendor_id), reference TEXT NOT NULL, part TEXT NOT NULL,
  service TEXT NOT NULL, quantity INTEGER NOT NULL, ready TEXT NOT NULL, charge TEXT NOT NULL, confirmed TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('TENTATIVE', 'CONFIRMED', 'SUPERSEDED', 'WITHDRAWN')), supersedes TEXT, note TEXT
) STRICT;
CREATE TABLE claims (
  claim_id TEXT PRIMARY KEY, vendor_id TEXT NOT NULL REFERENCES vendors (vendor_id), po_id TEXT NOT NULL REFERENCES purchase_orders (po_id),
  receipt_id TEXT NOT NULL REFERENCES receipts (receipt_id), remedy TEXT NOT NULL CHECK (remedy IN ('REPLACEMENT', 'REWORK', 'CREDIT')),
  quantity INTEGER NOT NULL, amount TEXT NOT NULL, state TEXT NOT NULL, text TEXT NOT NULL, made_by TEXT NOT NULL, made_at TEXT NOT NULL
) STRICT;

-- purchasing
CREATE TABLE purchase_orders (
  po_id TEXT PRIMARY KEY, vendor_id TEXT NOT NULL REFERENCES vendors (vendor_id), ordered TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('DRAFT', 'PLACED', 'CONFIRMED', 'RECEIVED', 'CLOSED', 'CANCELLED')), contract_id TEXT, buyer TEXT NOT NULL, revision INTEGER NOT NULL
) STRICT;
CREATE TABLE po_lines (
  po_id TEXT NOT NULL REFERENCES purchase_orders (po_id), line_no INTEGER NOT NULL, part TEXT NOT NULL, quantity INTEGER NOT NULL, received INTEGER NOT NULL,
  unit_price TEXT NOT NULL, charge TEXT NOT NULL, due TEXT NOT NULL, service TEXT NOT NULL, quote_id TEXT, PRIMARY KEY (po_id, line_no)
) STRICT;
CREATE TABLE receipts (
  receipt_id TEXT PRIMARY KEY, po_id TEXT NOT NULL REFERENCES purchase_orders (po_id), line_no INTEGER NOT NULL, part TEXT NOT NULL, lot_id TEXT NOT NULL REFERENCES lots (lot_id),
  quantity INTEGER NOT NULL, received TEXT NOT NULL, delivery_note TEXT NOT NULL
) STRICT;
CREATE TABLE supply_contracts (
  contract_id TEXT PRIMARY KEY, vendor_id TEXT NOT NULL REFERENCES vendors (vendor_id), title TEXT NOT NULL, revision TEXT NOT NULL, status TEXT NOT NULL,
  valid_from TEXT NOT NULL, valid_to TEXT NOT NULL
) STRICT;
CREATE TABLE contract_terms (
  contract_id TEXT NOT NULL REFERENCES supply_contracts (contract_id), clause TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, unit TEXT NOT NULL,
  says TEXT NOT NULL, PRIMARY KEY (contract_id, clause)
) STRICT;
CREATE TABLE subcontracts (
  subcontract_id TEXT PRIMARY KEY, vendor_id TEXT NOT NULL REFERENCES vendors (vendor_id), quote_id TEXT NOT NULL REFERENCES quotes (quote_id), item TEXT NOT NULL,
  process TEXT NOT NULL, quantity INTEGER NOT NULL, send_on TEXT NOT NULL, due TEXT NOT NULL, price TEXT NOT NULL, state TEXT NOT NULL, made_by TEXT NOT NULL
) STRICT;

-- maint
CREATE TABLE assets (
  asset_id TEXT PRIMARY KEY, name TEXT NOT NULL, area TEXT NOT NULL, line TEXT, kind TEXT NOT NULL, serial TEXT NOT NULL, meter_hours INTEGER NOT NULL,
  metered TEXT NOT NULL, hours_per_day TEXT NOT NULL, status TEXT NOT NULL
) STRICT;
CREATE TABLE work_orders (
  work_order TEXT PRIMARY KEY, asset_id TEXT NOT NULL REFERENCES assets (asset_id), task TEXT NOT NULL, plan_id TEXT, hours TEXT NOT NULL, crew INTEGER NOT NULL,
  due TEXT, status TEXT NOT NULL CHECK (status IN ('OPEN', 'BOOKED', 'DONE', 'CANCELLED')), revision INTEGER NOT NULL
) STRICT;
CREATE TABLE windows (
  window_id TEXT PRIMARY KEY, asset_id TEXT NOT NULL REFERENCES assets (asset_id), day TEXT NOT NULL, starts TEXT NOT NULL, hours TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('OPEN', 'PROTECTED', 'TAKEN')), reason TEXT, lost_minutes INTEGER NOT NULL
) STRICT;
CREATE TABLE bookings (
  booking_id TEXT PRIMARY KEY, work_order TEXT NOT NULL REFERENCES work_orders (work_order), window_id TEXT NOT NULL REFERENCES windows (window_id), asset_id TEXT NOT NULL,
  day TEXT NOT NULL, provider TEXT NOT NULL, crew INTEGER NOT NULL, state TEXT NOT NULL, made_by TEXT NOT NULL
) STRICT;
CREATE TABLE spares (
  spare_id TEXT PRIMARY KEY, asset_id TEXT NOT NULL REFERENCES assets (asset_id), part TEXT NOT NULL, name TEXT NOT NULL, on_hand INTEGER NOT NULL,
  reserved INTEGER NOT NULL, condition TEXT NOT NULL, place TEXT NOT NULL
) STRICT;

-- approvals
CREATE TABLE approval_limits (
  limit_id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES people (user_id), scope TEXT NOT NULL, amount TEXT NOT NULL, status TEXT NOT NULL,
  valid_from TEXT NOT NULL, valid_to TEXT, says TEXT NOT NULL
) STRICT;
CREATE TABLE approvals (
  approval_id TEXT PRIMARY KEY, subject TEXT NOT NULL, action TEXT NOT NULL, scope TEXT NOT NULL, amount TEXT NOT NULL, asked_by TEXT NOT NULL REFERENCES people (user_id),
  decided_by TEXT REFERENCES people (user_id), state TEXT NOT NULL CHECK (state IN ('PENDING', 'APPROVED', 'REFUSED', 'EXPIRED')), decided TEXT, expires TEXT, says TEXT NOT NULL
) STRICT;

-- mail, chat, notes, drive
CREATE TABLE mails (
  mail_id TEXT PRIMARY KEY, sent TEXT NOT NULL, sender TEXT NOT NULL, recipients TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE TABLE mail_drafts (
  draft_id TEXT PRIMARY KEY, author TEXT NOT NULL, recipient TEXT NOT NULL REFERENCES people (user_id), about TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
  state TEXT NOT NULL, made_at TEXT NOT NULL
) STRICT;
CREATE TABLE chat_messages (
  message_id TEXT PRIMARY KEY, channel TEXT NOT NULL, at TEXT NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE TABLE chat_drafts (
  draft_id TEXT PRIMARY KEY, author TEXT NOT NULL, channel TEXT NOT NULL, recipient TEXT NOT NULL REFERENCES people (user_id), about TEXT NOT NULL, text TEXT NOT NULL,
  state TEXT NOT NULL, made_at TEXT NOT NULL
) STRICT;
CREATE TABLE notes (
  note_id TEXT PRIMARY KEY, author TEXT NOT NULL, recipient TEXT NOT NULL REFERENCES people (user_id), about TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL,
  state TEXT NOT NULL, made_at TEXT NOT NULL
) STRICT;
CREATE TABLE drive_files (
  file_id TEXT PRIMARY KEY, path TEXT NOT NULL, title TEXT NOT NULL, kind TEXT NOT NULL, media_type TEXT NOT NULL, text TEXT, sha256 TEXT NOT NULL, size INTEGER NOT NULL
) STRICT;

CREATE INDEX jobs_by_order ON jobs (order_id);
CREATE INDEX lots_by_part ON lots (part);
CREATE INDEX slots_by_line ON slots (line, starts);
