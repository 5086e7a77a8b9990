package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// strictArgs reads a command line as the reference implementation of Kairos does, which differs from other commands: a
// value of its own word must not begin with a dash, and --json takes none. It gives the arguments that are no options.
// Help says that help was asked for.
func strictArgs(c *cobra.Command, args []string) (rest []string, help bool, err error) {
	flags := c.Flags()
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return append(rest, args[i+1:]...), false, nil
		}
		if len(a) < 2 || a[0] != '-' {
			rest = append(rest, a)
			continue
		}
		if a == "--help" || a == "-h" {
			return nil, true, nil
		}
		name, value, inline, long := option(a)
		flag := flags.Lookup(strings.TrimPrefix(name, "--")) // none is named -n
		if !long && len(name) == 2 {
			flag = flags.ShorthandLookup(name[1:])
		}
		switch {
		case flag == nil:
			return nil, false, fmt.Errorf("unknown option %s; a file whose name begins with a dash stands after --", name)
		case flag.Value.Type() == "bool":
			if inline {
				return nil, false, fmt.Errorf("%s takes no value", name)
			}
			value = "true"
		case !inline:
			if i++; i == len(args) {
				return nil, false, fmt.Errorf("%s wants a value", name)
			}
			if value = args[i]; len(value) > 1 && value[0] == '-' {
				return nil, false, fmt.Errorf("%s wants a value, and %s follows; a value that begins with a dash is written %s=VALUE", name, value, name)
			}
		}
		if err := flags.Set(flag.Name, value); err != nil {
			return nil, false, err
		}
	}
	return rest, false, nil
}

// option takes --name, --name=value, -n or -nvalue apart; the name keeps its dashes.
func option(a string) (name, value string, inline, long bool) {
	if strings.HasPrefix(a, "--") {
		name, value, inline = strings.Cut(a, "=")
		return name, value, inline, true
	}
	_, size := utf8.DecodeRuneInString(a[1:])
	return a[:1+size], a[1+size:], len(a) > 1+size, false
}

// strictCommand makes a command read its arguments with strictArgs and want one file, and end with 1 when anything is
// wrong.
func (p *Process) strictCommand(c *cobra.Command, run func(file string) error) {
	c.DisableFlagParsing = true
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(_ *cobra.Command, a []string) error {
		if len(p.Args) > 1 && p.Args[0] == "kairos" && strings.HasPrefix(p.Args[1], "-") {
			fmt.Fprint(p.Stderr, kairosUsage) // options stand behind the command
			return silent(exitFail)
		}
		files, help, err := strictArgs(c, a)
		switch {
		case help:
			return c.Help()
		case err != nil:
			return failed(fmt.Errorf("%w; see %s --help", err, c.CommandPath()))
		case len(files) != 1:
			return failed(fmt.Errorf("%s wants one FILE, and got %d; see %s --help", c.CommandPath(), len(files), c.CommandPath()))
		}
		err = run(files[0])
		if e, ok := err.(*coded); ok && e.code == exitUsage && !e.silent {
			return failed(e.err)
		}
		return err
	}
}
