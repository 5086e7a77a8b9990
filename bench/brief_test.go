package bench

import (
	"reflect"
	"testing"
	"testing/fstest"
)

// FuzzBrief: an item read without its controls is the item read whole, less its controls.
func FuzzBrief(f *testing.F) {
	for _, s := range []string{
		"prompt: a\ncontrols:\n  accept:\n    - answer: b\n",
		"prompt: \"a\ncontrols:\n  b\"\n",
		"prompt: |\n  a\n  controls:\n\n\ncontrols:\n# c\n  accept: []\n",
		"rules: [\ncontrols:\n ]\n",
		"prompt: |+\n  a\n\n\ncontrols:\n  x: y\n\n",
		"controls:\n- a\nprompt: b\n",
		"prompt: a\ncontrols:\n  x: y\nnotes: z\n",
		"? a\n: b\ncontrols:\n  c\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		head := "id: x\nfamily: f\nbasis: exact\n"
		b := &Bench{Families: []Family{{ID: "f"}}, FS: fstest.MapFS{"items/x.yaml": {Data: []byte(head + s)}}, ids: []string{"x"}}
		whole, err := b.Item("x")
		if err != nil {
			return // what is wrong with a file is told when it is read whole
		}
		brief, err := b.Brief("x")
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		less := func(n *Node) (keys []string, values []*Node) {
			for i, k := range n.Keys {
				if k.Text != "controls" {
					keys, values = append(keys, k.Text), append(values, n.Values[i])
				}
			}
			return keys, values
		}
		wk, wv := less(whole.Node)
		bk, bv := less(brief.Node)
		if !reflect.DeepEqual(wk, bk) || !reflect.DeepEqual(wv, bv) || whole.Head != brief.Head {
			t.Fatalf("%q: read briefly it is another item: %v %v", s, wk, bk)
		}
	})
}
