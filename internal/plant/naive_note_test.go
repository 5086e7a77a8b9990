package main

import (
	"strings"
)

// wordedIn names the argument in which a tool takes a text to a colleague; "" where it takes none.
func wordedIn[T any](tool string, args map[string]T) string {
	if !strings.Contains(tool, ".drafts.") && !strings.Contains(tool, ".handovers.") {
		return ""
	}
	for _, name := range []string{"body", "text"} {
		if _, ok := args[name]; ok {
			return name
		}
	}
	return ""
}

// text writes to the first colleague whom the request names, by the tool that it speaks of, about what the task is about.
func (d *desk) text(n *notes, body string) does {
	request, _ := d.asked["request"].(string)
	var best deskTool
	for _, tool := range d.tools {
		if tool.Access != "write" || wordedIn(tool.Name, tool.Input.Properties) == "" {
			continue
		}
		if best.Name == "" || inCommon(wordsOf(tool.Name+" "+tool.Title), wordsOf(request)) > inCommon(wordsOf(best.Name+" "+best.Title), wordsOf(request)) {
			best = tool
		}
	}
	if r := []rune(body); len(r) > 1500 {
		body = string(r[:1500])
	}
	args := map[string]any{}
	for _, name := range best.Input.Required {
		args[name] = "What was decided"
		if known := n.known[name]; len(known) > 0 {
			args[name] = known[0]
		}
	}
	args["recipient"] = ""
	args[wordedIn(best.Name, best.Input.Properties)] = body
	for _, v := range handles(d.asked) {
		args["about"] = v
	}
	for _, r := range n.records {
		name, _ := r.fields["name"].(string)
		if id, ok := r.fields["user_id"].(string); ok && name != "" && (args["recipient"] == "" || strings.Contains(request, strings.Fields(name)[0])) {
			args["recipient"] = id
		}
	}
	return does{best.Name, args}
}

// hand hands the answer in.
func (d *desk) hand(answer map[string]any) bool {
	_, ok := d.call(does{"assay.submit_answer", answer})
	return ok
}
