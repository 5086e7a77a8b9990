package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

var tools = slices.Concat(schedReads, schedWrites, storesReads, specsReads, specsWrites, qualityReads, qualityWrites, vendorsReads, vendorsWrites,
	purchasingReads, purchasingWrites, maintReads, maintWrites, approvalsReads, officeReads, officeWrites)

func toolsYAML() []byte {
	var b strings.Builder
	b.WriteString("# The plant's systems, written by internal/plant.\ntools:\n")
	for i := range tools {
		tools[i].yaml(&b)
	}
	return []byte(b.String())
}

// kinds says once for the world what kind of record each table holds.
var kinds = map[string]string{
	"people": "person", "customer_orders": "order", "lines": "capacity", "routings": "specification", "slots": "capacity", "jobs": "schedule", "calendar_days": "calendar",
	"shifts": "capacity", "parts": "stock", "lots": "stock", "reservations": "stock", "specs": "specification", "spec_values": "specification", "boms": "bom",
	"bom_lines": "bom", "effectivities": "specification", "procedure_rules": "policy", "holds": "quality", "inspections": "quality", "dispositions": "quality",
	"vendors": "vendor", "quotes": "vendor", "confirmations": "confirmation", "claims": "vendor", "purchase_orders": "order", "po_lines": "order", "receipts": "stock",
	"supply_contracts": "contract", "contract_terms": "contract", "subcontracts": "order", "assets": "maintenance", "work_orders": "maintenance", "windows": "calendar",
	"bookings": "maintenance", "spares": "stock", "approval_limits": "approval", "approvals": "approval", "mails": "message", "mail_drafts": "message",
	"chat_messages": "message", "chat_drafts": "message", "notes": "note", "drive_files": "file",
}

const worldHead = `# Ostervelt Hydraulics makes hydraulic pump units in Lindholt. Written by internal/plant.
id: lindholt
name: The Lindholt plant
organisation: {id: ovh, name: Ostervelt Hydraulics, site: Lindholt plant}
clock: {start: "2035-03-05T08:00:00", step: 60}
servers:
  sched: Customer orders, jobs, slots, shifts and calendars
  stores: Parts, lots and reservations
  specs: Specifications, bills of material, effectivities and the figures of procedures
  quality: Holds, inspections and dispositions
  vendors: Vendors, quotes, confirmations and claims
  purchasing: Purchase orders, receipts, supply contracts and subcontracts
  maint: Machines, maintenance work, windows and spares
  approvals: Limits and approvals
  mail: Mail and the directory
  chat: Chat
  drive: Files
  notes: Handover notes
evidence: {table: drive_files, columns: {id: file_id, path: path, title: title, kind: kind, media_type: media_type, text: text, sha256: sha256, size: size}}
`

// recordsKnown says whether worlds take the key records.
const recordsKnown = true

func worldYAML(p *plant) []byte {
	var b strings.Builder
	b.WriteString(worldHead + "users:\n")
	for _, r := range p.rows["people"] {
		fmt.Fprintf(&b, "  - {id: %s, name: %s, role: %s}\n", r["user_id"], quoted(r["name"]), quoted(r["role"]))
	}
	if recordsKnown {
		b.WriteString("records:\n")
		for _, t := range slices.Sorted(maps.Keys(kinds)) {
			fmt.Fprintf(&b, "  %s: %s\n", t, kinds[t])
		}
	}
	return []byte(b.String())
}

// families are the shapes that a task's decision has.
var families = [][2]string{
	{"date", "When it can be done: a day that holds"},
	{"quantity", "How much of it: what may be used, bought or claimed"},
	{"resource", "Who does it and where: a window, a shift, a vendor"},
}

func benchYAML(list []*task) []byte {
	var b strings.Builder
	n := len(list)
	fmt.Fprintf(&b, `# Eight jobs in one plant. docs/shopfloor.md tells of it; internal/plant writes it.
id: shopfloor
version: "1"
title: Shopfloor, planning work in a pump plant
shape: agent
licence: CC-BY-4.0
attribution: The Assay project.
notice: >-
  Ostervelt Hydraulics, its people, vendors, customers and papers are invented. The tools are small systems of their own; none of
  them is, or behaves like, a product that is sold.
contamination: >-
  The bench is public with its contracts and references. A model that was trained after its publication may have seen them.
families:
`)
	for _, f := range families {
		quota := 0
		for _, t := range list {
			if t.Family == f[0] {
				quota++
			}
		}
		if quota > 0 {
			fmt.Fprintf(&b, "  - {id: %s, title: %s, quota: %d}\n", f[0], quoted(f[1]), quota)
		}
	}
	fmt.Fprintf(&b, `counts: {frozen: %d, drafted: %d, exact: %d, proxy: 0}
agent:
  limits: {turns: 120, calls: 300, time: 40m}
protocol:
  temperature: 0
  repeats: 1
  pass_rule: all
  context: 65536
  default_posture: plain
  postures:
    plain: {max_output: 8192, timeout: 600s}
`, n, n, n)
	return []byte(b.String())
}
