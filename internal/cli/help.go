package cli

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"
)

// helpColumns is the width of help, which people read in terminals of any size and in manuals.
const helpColumns = 80

// setHelp makes all commands' help keep to its width.
func setHelp(root *cobra.Command) {
	show := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, a []string) {
		c.Long = layHelp(c.Long)
		show(c, a)
	})
	// The last line of a flag's text may be five columns wider than it is told.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "FlagUsages ", "FlagUsagesWrapped 75 "))
}

// layHelp breaks lines that are too wide. What was broken off goes before the next line of the same paragraph or entry; in an
// entry of a list, a name with two spaces behind it, that is below the text behind the name. A list of exit codes stands apart.
func layHelp(long string) string {
	var out []string
	lines := strings.Split(long, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if line == "Exit status:" && len(out) > 0 && out[len(out)-1] != "" {
			out = append(out, "")
		}
		if text.StringWidth(line) <= helpColumns {
			out = append(out, line)
			continue
		}
		hang := hanging(line)
		at := breakAt(line, hang)
		if at == len(line) {
			out = append(out, line)
			continue
		}
		out = append(out, strings.TrimRight(line[:at], " "))
		rest := strings.Repeat(" ", hang) + strings.TrimLeft(line[at:], " ")
		if i+1 < len(lines) && lines[i+1] != "" && indent(lines[i+1]) == hang && lines[i+1] != "Exit status:" {
			lines[i+1] = rest + " " + strings.TrimLeft(lines[i+1], " ")
		} else {
			lines[i] = rest
			i--
		}
	}
	return strings.Join(out, "\n")
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// hanging is where the text of an entry begins: behind the first two spaces after its name, or with the line.
func hanging(line string) int {
	in := indent(line)
	if in == 0 {
		return 0
	}
	name := strings.Index(line[in:], "  ")
	if name < 0 || name > 45 {
		return in
	}
	return in + name + indent(line[in+name:])
}

// breakAt is the last space before the width behind the hanging, or the first one where a word is wider than that; the whole
// line where there is none.
func breakAt(line string, hang int) int {
	width, at := 0, -1
	for i, r := range line {
		width += text.RuneWidth(r)
		if r == ' ' && i > hang {
			if width > helpColumns && at >= 0 {
				return at
			}
			at = i
		}
	}
	if width > helpColumns && at >= 0 {
		return at
	}
	return len(line)
}
