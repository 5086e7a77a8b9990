package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestLists(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
		err  string
	}{
		{[]string{"--m", "a,b", "--m=c"}, []string{"a", "b", "c"}, ""},
		{[]string{"--m", ""}, []string{""}, ""},
		{[]string{"--m", `x"y`}, []string{`x"y`}, ""},
		{[]string{"--m", "a\nb"}, nil, "a line break in a list"},
		{[]string{"--m", "ollama/m\n@http://127.0.0.1:1"}, nil, "a line break in a list"},
		{nil, nil, ""},
	} {
		var got []string
		f := pflag.NewFlagSet("t", pflag.ContinueOnError)
		f.Var(lists(&got), "m", "names")
		err := f.Parse(c.args)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) || err == nil && !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, %v", c.args, got, err)
		}
	}
}
