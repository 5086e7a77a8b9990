package wording

import (
	"slices"
	"strings"
	"testing"
)

func rules(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		if !slices.Contains(out, h.Rule) {
			out = append(out, h.Rule)
		}
	}
	slices.Sort(out)
	return out
}

var yard = Case{
	Handles: []string{"MO-31", "RP-12"},
	Resources: []Resource{{"orders", []string{"orders"}}, {"specifications", []string{"specifications", "spec"}}, {"lots", []string{"lots"}},
		{"offers", []string{"offers"}}, {"slots", []string{"slots"}}},
	Fields: []string{"required_quantity", "usable_quantity", "status", "ropes_per_drum"},
	Methods: []Method{
		{Name: "usable", Excludes: []string{"HELD", "QUARANTINE"}},
		{Name: "gap", Operands: [][]string{{"required"}, {"usable"}}},
		{Name: "ready", Excludes: []string{"PROPOSED"}},
	},
}

func TestRecipe(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"an honest request": {`Ada in passenger services needs a day on which vessel 217 lies on slip 2 for its new mooring ropes, and she should not be
given a hopeful one. Work out how many ropes (RP-12) the order really needs and how many of ours may be used, then which way of getting the rest
brings her the earliest day that we may decide on without asking anybody. Book slip 2 for that day, and leave Ada a note.`, ""},
		"chain":               {"Please check the schedule, then read the spec, then email the vendor.", "R2"},
		"chain of looks":      {"Check the schedule, read the specification and compare the offers. Ada needs a date.", "R3"},
		"chain of gerunds":    {"Start by checking the schedule, then reading the drawing, and comparing what vendors say.", "R3"},
		"numbered":            {"What to do:\n1. Open the order.\n2. Look up the lots.\n", "R1"},
		"numbered inline":     {"You do this: 1) open the order 2) look up the lots", "R1"},
		"bullets":             {"- list the offers\n- book the slip", "R1"},
		"bullets of facts":    {"We know two things:\n- the hull is red\n- the ropes are old\nGet her back by Friday.", ""},
		"told to":             {"First you should open the order. Next you must compare the offers.", "R2"},
		"once you have":       {"Find the order. Once you have the number, look up the lots.", "R2"},
		"condition":           {"If the seals are late, then tell Ada and move the job.", ""},
		"then of time":        {"We were full until May and then the yard moved. Ada wants to know whether June is real.", ""},
		"sources in order":    {"I wonder what the orders say, whether the specifications agree, if our lots will do and which offers are real.", "R4"},
		"sources in another":  {"I wonder which offers are real, if our lots will do, whether the specifications agree and what the orders say.", ""},
		"file":                {"The figures in lots-2034.xlsx looked wrong to her; can we promise May?", "R5"},
		"record":              {"Ada wants MO-31 done, and LT-8 looks usable to her.", "R5"},
		"own record":          {"Ada wants MO-31 done with RP-12.", ""},
		"field":               {"Tell me the usable_quantity that we have.", "R5"},
		"exclusion":           {"How many may be used? Do not count held lots.", "R6"},
		"no exclusion":        {"She held on to the ropes for a year.", ""},
		"formula":             {"The gap is required minus usable, and she needs it by May.", "R6"},
		"imperfect tense":     {"We checked the schedule, opened the crates, read the letter and listed what is missing. What can we promise?", ""},
		"three that disclose": {"Do not count held lots nor quarantine stock. The gap is the required count minus the usable one. Never take a proposed slot.", "R6"},
	} {
		if got := strings.Join(rules(Recipe(c.text, yard)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if n := len(Methods("Do not count held lots nor quarantine stock. The gap is the required count minus the usable one. Never take a proposed slot.", yard.Methods)); n != 4 {
		t.Errorf("%d methods disclosed, want 4", n)
	}
}

func TestToolNames(t *testing.T) {
	v := Vocabulary{Tools: []string{"stores.lots.list", "maint.orders.get", "drive.files.read"}, Names: []string{"lots", "valid_from", "status", "outcome_date", "A"}, Servers: []string{"drive", "stores", "calendar"}}
	for text, want := range map[string]string{
		"Use stores.lots.list for it.":                    "stores.lots.list",
		"Use stores_lots_list for it.":                    "stores_lots_list",
		"Look into storesLotsList please.":                "storesLotsList",
		"In orders.get you see it.":                       "orders.get",
		"The column valid_from says so.":                  "valid_from",
		"ask the drive server about it":                   "drive server",
		"use the tool calendar":                           "tool calendar",
		"It is at /mcp/stores on the host.":               " /mcp/stores",
		"Run assay world and look.":                       "assay world",
		"Put it on the drive and into the calendar.":      "",
		"Our stores hold 12 lots; the status is A.":       "",
		"She said done.Then she left; see e.g. the note.": "",
		"The outcome date is open.":                       "",
	} {
		var got []string
		for _, h := range ToolNames(text, v) {
			got = append(got, text[h.Start:h.End])
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q: %q, want %q", text, s, want)
		}
	}
}

func TestHarness(t *testing.T) {
	for _, text := range []string{"Use the MCP server.", "Send JSON-RPC.", "Use tools/call", "curl it", "```\nx\n```", `Give {"a": 1}`, "SELECT a FROM b", "It is in /workspace/x", "See /tests",
		"Set $ASSAY_URL", "Read ASSAY_TOKEN", "Then submit the answer.", "Reply exactly OK", "Write exactly this", "Call stores.lots.list with RP-12", "Call the list tool with it", "The output format is one line",
		"Done when the slip is booked.", "as base64", "a required field", "one of the enum", "- please help", "---\ntitle: x\n---\nHelp"} {
		if len(Harness(text)) == 0 {
			t.Errorf("%q: nothing found", text)
		}
	}
	for _, text := range []string{"Call Ada with the date once it is settled.", "We submit the tender on Friday.", "The answer matters to her.", "I need exactly 12 ropes.", "She enumerated 3 reasons; call me.", "R&D - the red one - is late."} {
		if h := Harness(text); len(h) > 0 {
			t.Errorf("%q: %v", text, h)
		}
	}
}

func TestGrading(t *testing.T) {
	for _, text := range []string{"The rubric asks for it.", "The verifier looks.", "You will be graded on it.", "Your answer will be scored.", "to pass this task", "hidden tests", "Your grade depends on it.",
		"The evaluation of your work follows.", "This task has three milestones.", "Each of the criteria counts for you."} {
		if len(Grading(text)) == 0 {
			t.Errorf("%q: nothing found", text)
		}
	}
	for _, text := range []string{"The signal degraded and was upgraded.", "Their credit score is bad.", "Which steel grade do you need?", "Tell me whether your acceptance criteria hold.", "The contract milestone is yours to plan.",
		"snake_upgrade", "An underscore in your text", "The evaluation of suppliers is due.", "A score of ropes came."} {
		if h := Grading(text); len(h) > 0 {
			t.Errorf("%q: %v", text, h)
		}
	}
}

func FuzzRules(f *testing.F) {
	f.Add("1. Check x, then read y. Do not count held lots; call stores.lots.list with LT-8.")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 4000 {
			return
		}
		v := Vocabulary{Tools: []string{"stores.lots.list"}, Names: []string{"lot_id"}, Servers: []string{"stores"}}
		for _, h := range slices.Concat(Recipe(s, yard), ToolNames(s, v), Harness(s), Grading(s), Outcomes(s)) {
			if h.Start < 0 || h.End > len(s) || h.Start >= h.End || h.Rule == "" {
				t.Fatalf("%q: %v", s, h)
			}
		}
	})
}
