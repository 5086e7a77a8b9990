package main

import "strings"

// promiseWays are the derivations of the four ways, from the vendor's dock to the customer's site. They are the same for each
// way but for the service, and for the van of which nothing is confirmed.
var promiseWays = func() string {
	var b strings.Builder
	b.WriteString(`  late: {do: {const: LATE, why: the word for a day after the crane's}}
  in_time: {do: {const: ON_TIME, why: the word for a day that is not}}
  b_confirmation: {do: {lookup: {of: offers, field: confirmation_id, where: {service: EXPRESS, state: CONFIRMED}}}}
  left_over: {do: {sub: [{lookup: {of: slots, field: minutes_free, where: {slot_id: {value: b_slot}}}}, load]}}
`)
	for _, w := range [][2]string{{"a", "STANDARD"}, {"b", "EXPRESS"}, {"c", "AIR"}, {"d", "VAN"}} {
		way := `  X_dock: {do: {min: {of: offers, field: ready, where: {service: SERVICE, state: STATE, quantity: {ge: {value: missing}}}}}}
  X_bound: {do: {exists: {of: offers, where: {service: SERVICE, state: CONFIRMED, quantity: {ge: {value: missing}}}}}}
  X_charge: {do: {lookup: {of: offers, field: charge, where: {service: SERVICE, state: STATE, quantity: {ge: {value: missing}}}}}}
  X_pieces: {do: {lookup: {of: offers, field: quantity, where: {service: SERVICE, state: STATE, quantity: {ge: {value: missing}}}}}}
  X_here: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [X_dock, vendor_road]}}}}
  X_free: {do: {next_of: {of: plant_days, field: day, where: {state: OPEN}, from: {add_days: [X_here, check_days]}}}}
  X_start: {do: {next_of: {of: slots, field: starts, where: {state: OPEN, minutes_free: {ge: {value: load}}}, from: X_free}}}
  X_slot: {do: {lookup: {of: slots, field: slot_id, where: {state: OPEN, minutes_free: {ge: {value: load}}, starts: {value: X_start}}}}}
  X_end: {do: {lookup: {of: slots, field: ends, where: {slot_id: {value: X_slot}}}}}
  X_bay: {do: {next_of: {of: bay, field: day, where: {state: free}, from: X_end}}}
  X_tested: {do: {add_days: [X_bay, hold_days]}}
  X_leaves: {do: {next_of: {of: departures, field: day, where: {state: OPEN}, from: X_tested}}}
  X_site: {do: {add_days: [X_leaves, road]}}
  X_late: {do: {max: [no_days, {days_between: [crane_day, X_site]}]}, unit: day}
  X_cost: {do: {add: [X_charge, HASTE{mul: [standby, X_late]}]}, unit: EUR}
`
		state, haste := "CONFIRMED", "{mul: [surcharge, "+w[0]+"_pieces]}, "
		switch w[0] {
		case "a":
			haste = ""
			way = without(way, "X_bound", "X_pieces")
		case "d":
			state = "TENTATIVE"
		}
		b.WriteString(strings.NewReplacer("X_", w[0]+"_", "SERVICE", w[1], "STATE", state, "HASTE", haste).Replace(way))
	}
	return strings.TrimRight(b.String(), "\n")
}()

// without leaves out the lines that begin with one of the names.
func without(lines string, names ...string) string {
	var out []string
	for line := range strings.SplitSeq(lines, "\n") {
		keep := true
		for _, n := range names {
			keep = keep && !strings.HasPrefix(line, "  "+n+":")
		}
		if keep {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}
