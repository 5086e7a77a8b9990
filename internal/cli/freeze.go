package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/qualify"
)

func newFreeze(p *Process) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use: "freeze DIR", Short: "Fix a bench: write FREEZE.json with every file's SHA-256",
		Long: "Writes FREEZE.json into a bench's folder. From then on the bench refuses to run when any file differs.\nA bench that is frozen already is left alone unless --again is given; raise its version first." + exitHelp,
		Args: args(1, 1, "DIR"),
	}
	c.Flags().BoolVar(&force, "again", false, "replace the FREEZE.json that stands there")
	c.RunE = func(_ *cobra.Command, a []string) error {
		dir := p.path(a[0])
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			return usage("%s: not a folder; assay freeze wants a bench's folder", a[0])
		}
		fsys := os.DirFS(dir)
		file := filepath.Join(dir, bench.FreezeFile)
		if _, err := os.Stat(file); err == nil && !force {
			return usage("%s: is frozen already; raise the version in bench.yaml and use --again", a[0])
		}
		b, err := bench.Load(fsys, a[0])
		if err != nil {
			return inBench(a[0], err)
		}
		set, err := grade.Compile(b)
		if err != nil {
			return inBench(a[0], err)
		}
		frozen, drafted := count(set)
		data, err := bench.NewFreeze(fsys, p.Now(), set.Digest(), frozen, drafted)
		if err != nil {
			return inBench(a[0], err)
		}
		if err := writeFile(file, data); err != nil {
			return fault(err)
		}
		st, err := bench.Inspect(fsys)
		if err != nil {
			return inBench(a[0], err)
		}
		proofs, err := p.proofs(&opened{state: st})
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(proofs, func(x qualify.Proof) bool { return x.Grader == set.Digest() }) {
			how := "check"
			if b.Shape == bench.ShapeAgent {
				how = "qualify"
			}
			p.notef("a freeze says nothing about the graders; assay %s %s proves them", how, asRef(a[0]))
		}
		p.printf("%s is frozen: %d of %s, digest %s\n", b.Name(), frozen, counted(drafted, "item"), st.Digest)
		return nil
	}
	return c
}

// writeFile writes a file whole or not at all, readable by all.
func writeFile(name string, data []byte) error { return writeFileMode(name, data, 0o644) }

// writeFileMode writes a file whole or not at all. Where the name is a link, what it points to is written; devices, pipes,
// folders and links to nothing are not, since they would be replaced by the file. Errors name the file as it was asked for,
// and not the one beside it that is written first.
func writeFileMode(name string, data []byte, mode os.FileMode) error {
	if err := replaceFile(name, data, mode); err != nil {
		return &namedError{shown(name), err}
	}
	return nil
}

func replaceFile(name string, data []byte, mode os.FileMode) error {
	switch info, err := os.Stat(name); {
	case err == nil && !info.Mode().IsRegular():
		return errors.New("not a plain file, and not written")
	case err == nil:
		if name, err = filepath.EvalSymlinks(name); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		if _, err := os.Lstat(name); err == nil {
			return errors.New("a link to a file that does not exist, and not written; name that file")
		}
	}
	tmp, err := os.CreateTemp(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err := tmp.Write(data); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Chmod(mode); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Sync(); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), name)
}
