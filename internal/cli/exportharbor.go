package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/assaybench/assay/contract/harbor"
	"github.com/assaybench/assay/contract/tasks"
)

type harborFlags struct {
	binary, base            string
	noBinary, egress, prove bool
}

// receiptsDir is where proofs of exported packages are kept, beside the packages.
const receiptsDir = "receipts"

// exportHarbor writes each frozen task of a bench as a package, or gives an imported package back.
func (p *Process) exportHarbor(ref, out string, f harborFlags) error {
	if err := p.emptyFolder(out); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(p.path(ref), harbor.ImportFile)); err == nil {
		if f != (harborFlags{}) {
			return usage("%s is an imported package, which is given back as it is; no flag but -o", shown(ref))
		}
		return p.reexportHarbor(ref, out)
	}
	if f.noBinary && (f.binary != "" || f.prove) {
		return usage("--no-binary writes packages without the program, which goes with neither --binary nor --prove")
	}
	o, err := p.open(ref)
	if err != nil {
		return err
	}
	set, ok := o.set.(*tasks.Set)
	if !ok {
		return usage("%s is no bench of agent tasks; the format harbor holds those alone", o.bench.Name())
	}
	opt := harbor.Options{Base: f.base, Egress: f.egress}
	if !f.noBinary {
		if opt.Binary, err = p.packagedProgram(f.binary); err != nil {
			return err
		}
	}
	var packages []*harbor.Package
	for _, t := range set.Tasks() {
		if !t.Frozen {
			p.notef("left out: %s, a draft", t.ID)
			continue
		}
		x, err := harbor.Export(set, t.ID, opt)
		if err != nil {
			return usage("%s: %v", shown(ref), err)
		}
		packages = append(packages, x)
	}
	for _, x := range packages {
		if err := harbor.WriteFolder(p.packageFolder(out, x.Name), x.Files); err != nil {
			return fault(err)
		}
		p.showDigests(x.Name, x.Files)
		for _, m := range x.Missing {
			p.notef("warning: %s is incomplete; missing: %s", x.Name, m)
		}
	}
	if f.prove {
		return p.proveHarbor(out, packages)
	}
	return nil
}

func (p *Process) packageFolder(out, name string) string {
	return filepath.Join(p.path(out), filepath.FromSlash(name))
}

// packagedProgram gives the program that packages hold: the named one, or one that is made of this very program.
func (p *Process) packagedProgram(name string) ([]byte, error) {
	if name == "" {
		b, err := harbor.OwnProgram(p.Context, filepath.Join(p.stateDir(), "programs"))
		if err != nil {
			return nil, usage("a package holds the program, and this one cannot be it: %v; --binary FILE names one built with CGO_ENABLED=0, --no-binary writes packages that are marked incomplete", err)
		}
		return b, nil
	}
	b, err := p.readInput(name, harbor.MaxArchive)
	if err != nil {
		return nil, err
	}
	if b, err = harbor.Program(b); err != nil {
		return nil, usage("--binary %s: %v", shown(name), err)
	}
	return b, nil
}

// proveHarbor runs each written package from its bytes, as many at once as there are processors, and keeps the receipts.
func (p *Process) proveHarbor(out string, packages []*harbor.Package) error {
	type result struct {
		receipt *harbor.Receipt
		err     error
	}
	results := make([]result, len(packages))
	ctx, cancel := context.WithCancel(p.Context)
	defer cancel()
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, x := range packages {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			r, err := harbor.Prove(ctx, x, p.packageFolder(out, x.Name), "")
			if results[i] = (result{r, err}); err != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	unproven := 0
	for i, x := range packages {
		r := results[i].receipt
		if err := results[i].err; err != nil && !errors.Is(err, context.Canceled) {
			return fault(fmt.Errorf("%s: %w", x.Name, err))
		} else if err != nil {
			continue
		}
		b, err := r.Bytes()
		if err != nil {
			return fault(err)
		}
		at := filepath.Join(receiptsDir, filepath.FromSlash(x.Name)+".json")
		if err := os.MkdirAll(filepath.Dir(filepath.Join(p.path(out), at)), 0o755); err != nil {
			return fault(err)
		}
		if err := writeFile(filepath.Join(p.path(out), at), b); err != nil {
			return fault(err)
		}
		if err := r.Proven(); err != nil {
			unproven++
			p.printf("%s: NOT PROVEN by %s: %s; receipt %s\n", plain(x.Name), r.Way, plain(err.Error()), at)
			continue
		}
		p.printf("%s: proven by %s: solution %d, no-op %d; private part %s; receipt %s\n", plain(x.Name), r.Way, r.Oracle.Reward, r.Noop.Reward, r.Private, at)
	}
	if err := p.Context.Err(); err != nil {
		return fault(errInterrupted)
	}
	if unproven > 0 {
		return silent(exitFail)
	}
	return nil
}

func (p *Process) showDigests(name string, files harbor.Files) {
	content, tree, manifest := harbor.Digests(files)
	p.printf("%s\n  content  %s\n  tree     %s\n  manifest %s\n", plain(name), content, tree, manifest)
}

func (p *Process) reexportHarbor(ref, out string) error {
	root, err := os.OpenRoot(p.path(ref))
	if err != nil {
		return usage("%s: %v", shown(ref), reasonOf(err))
	}
	defer root.Close()
	files, edited, err := harbor.Reexport(root.FS())
	if err != nil {
		return usage("%s: %v", shown(ref), err)
	}
	if err := harbor.WriteFolder(p.path(out), files); err != nil {
		return fault(err)
	}
	p.showDigests(out, files)
	if edited {
		p.notef("the package was edited: it has a new version, and names the digest that it came from")
	}
	return nil
}
