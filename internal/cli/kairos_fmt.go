package cli

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/kairos"
)

func newKairosFmt(p *Process) *cobra.Command {
	var write, list bool
	lang := "en"
	c := &cobra.Command{
		Use: "fmt FILE...", Short: "Print programs in the one form",
		Long: `Prints programs in the form in which everybody writes them. What a program means and its comments stay. A program that cannot be
read is left alone and told of; the others are printed all the same. -w writes a file whole or not at all.

Exit status, the highest of those that the files give:
  0  good
  1  a program cannot be read, or with -l a file would change
  2  the command line or a file is wrong
  3  a fault of the environment or of ours, such as a file that cannot be written, or an interrupt`,
		Args: args(1, 10_000, "at least one FILE, or - for standard input"),
	}
	c.Flags().BoolVarP(&write, "write", "w", false, "write each file in place and print nothing")
	c.Flags().BoolVarP(&list, "list", "l", false, "print the names of the files that would change, and no programs")
	c.Flags().StringVar(&lang, "lang", "en", "the `LANGUAGE` of messages, en or ja")
	c.RunE = func(_ *cobra.Command, a []string) error {
		if err := checkLang(lang); err != nil {
			return err
		}
		code := exitGood
		for _, name := range a {
			if p.Context.Err() != nil {
				return fault(errInterrupted)
			}
			changed, err := p.formatOne(name, lang, write, list)
			switch {
			case errors.Is(err, errInterrupted):
				return err
			case err != nil:
				p.notef("%v", err)
				code = max(code, codeOf(err))
			case list && changed:
				code = max(code, exitFail)
			}
		}
		return silent(code)
	}
	return c
}

// formatOne prints, writes or lists one program, and says whether its text is not the formatted one.
func (p *Process) formatOne(name, lang string, write, list bool) (changed bool, err error) {
	src, err := p.readProgram(name)
	if err != nil {
		return false, err
	}
	f, err := kairos.Parse(src)
	if err != nil {
		o := &openedSchedule{schedule: &schedule{lang: lang}, name: name, src: src}
		return false, o.failure(err)
	}
	text := kairos.Format(f)
	if len(text) > kairos.MaxSource {
		return false, failed(fmt.Errorf("%s: formatted, it would have %d bytes, and a program may have %d (1 MiB); divide it, the file is as it was", shown(name), len(text), kairos.MaxSource))
	}
	if _, err := kairos.Parse(text); err != nil {
		return false, fault(fmt.Errorf("%s: its formatted text cannot be read (%w); please report it, the file is as it was", shown(name), err))
	}
	changed = text != src
	if list && changed {
		p.printf("%s\n", shown(name))
	}
	switch {
	case write && name == "-":
		return changed, usage("-w writes files in place, and standard input is none; leave -w out")
	case write && changed:
		return changed, fault(rewrite(p.path(name), text))
	case !write && !list:
		_, err = io.WriteString(p.Stdout, text)
		return changed, fault(err)
	}
	return changed, nil
}

// rewrite replaces a file's text, whole or not at all, and keeps its mode. A file that may not be written stays as it is, even
// where its folder lets it be replaced.
func rewrite(name, text string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.Mode().IsRegular() {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		f.Close()
	}
	return writeFileMode(name, []byte(text), info.Mode().Perm())
}
