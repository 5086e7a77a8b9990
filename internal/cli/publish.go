package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"github.com/assaybench/assay/bench"
	"github.com/assaybench/assay/contract/tasks"
	"github.com/assaybench/assay/grade"
	"github.com/assaybench/assay/report/leaderboard"
	"github.com/assaybench/assay/report/publication"
	"github.com/assaybench/assay/report/signature"
	"github.com/assaybench/assay/store"
)

const maxAbout = 1 << 20

func newPublish(p *Process) *cobra.Command {
	var out, db, about, ref, key string
	c := &cobra.Command{
		Use: "publish RUN -o DIR", Short: "Write a run as an immutable bundle that anybody can grade again",
		Long: `Writes a new folder with everything that a stranger needs to check a run: the bench, the plan, what the models and their
servers said of themselves, every transcript, every verdict with its grader's digest, the figures, and a manifest of digests.
assay verify DIR grades all of it again and compares byte for byte. Keys of providers are searched for before anything is
kept. A run of a private set is not published.

index.html in it shows the whole run without a server. With --sign the manifest is signed by a secret key of SSH or of minisign;
a password is asked for, or taken from $ASSAY_KEY_PASSWORD.` + exitHelp,
		Args: args(1, 1, "RUN"),
	}
	c.Flags().StringVarP(&out, "output", "o", "", "the folder to write, which must not exist")
	c.Flags().StringVar(&db, "db", "", "the database file (default .assay/assay.db)")
	c.Flags().StringVar(&about, "about", "", "a JSON `FILE` about the hardware and whatever else should be known")
	c.Flags().StringVar(&key, "sign", "", "sign with the secret key in a `FILE`, of SSH or of minisign")
	c.Flags().StringVar(&ref, "bench", "", "the bench, where it lies elsewhere than when the run was made")
	c.RunE = func(_ *cobra.Command, a []string) error {
		if out == "" || out == "-" {
			return usage("assay publish wants the folder to write: -o DIR")
		}
		var said jsontext.Value
		if about != "" {
			b, err := p.readInput(about, maxAbout)
			if err != nil {
				return err
			}
			said = jsontext.Value(b)
			if !said.IsValid() || said.Kind() != '{' {
				return usage("%s: is no JSON object; --about is one, such as {\"hardware\": \"…\"}", shown(about))
			}
		}
		sign, err := p.signer(key)
		if err != nil {
			return err
		}
		s, err := p.reading(db)
		if err != nil {
			return err
		}
		defer s.Close()
		r, err := p.findRun(s, a[0])
		if err != nil {
			return storeError(err)
		}
		if ref == "" {
			ref = r.Plan.Source
		}
		fsys, err := p.files(ref)
		if err != nil {
			return err
		}
		m, err := publication.Write(p.Context, s, r, fsys, p.path(out), publication.Options{About: said, Program: version(), Secrets: p.keys(), Sign: sign})
		switch {
		case errors.Is(err, publication.ErrPrivate), errors.Is(err, fs.ErrExist), errors.Is(err, signature.ErrPassword):
			return usage("%v", err)
		case err != nil && store.KindOf(err) != "":
			return storeError(err)
		case err != nil:
			return fault(err)
		}
		if t, err := s.Tally(p.Context, r, r.Plan.Grader); err == nil && t.Done() < t.Planned() {
			p.notef("warning: %d of %d attempts have no result; what is missing stays missing, and the run is ranked nowhere", t.Planned()-t.Done(), t.Planned())
		}
		p.printf("%s: run %s, %d files\n  publication %s\n", plain(out), r.ID, len(m.Files)+1, m.Digest)
		return nil
	}
	return c
}

// keyVariables hold what must never be published.
var keyVariables = []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "OLLAMA_API_KEY", "HF_TOKEN", "ASSAY_TOKEN"}

// keys are the keys of providers in the environment: they must stand in nothing that is published.
func (p *Process) keys() []string {
	var out []string
	for _, name := range keyVariables {
		if v := p.Getenv(name); len(v) >= 8 {
			out = append(out, v)
		}
	}
	return out
}

func newVerify(p *Process) *cobra.Command {
	var asJSON bool
	var signers string
	c := &cobra.Command{
		Use: "verify DIR", Short: "Grade a publication again, and compare it byte for byte",
		Long: `Holds every file of a publication against its manifest, and then grades every transcript again by the bench inside. Whatever
is not as it was published is named with its file and line. The figures and the page are made again from the attempts.
Nothing is fetched and nobody is asked. With --signers a signature by one of the keys in the file is asked for: lines as in
authorized_keys or allowed_signers of SSH, or a public key of minisign.

Exit status:
  0  everything is as it was published
  1  something is not
  2  the command line is wrong
  3  a fault of the environment or of ours`,
		Args: args(1, 1, "DIR"),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().StringVar(&signers, "signers", "", "ask for a signature by one of the public keys in a `FILE`")
	c.RunE = func(_ *cobra.Command, a []string) error {
		trust, err := p.trust(signers)
		if err != nil {
			return err
		}
		v, pub, err := p.verify(a[0])
		if err != nil {
			return err
		}
		if pub != nil {
			list, faults := pub.Signatures(trust)
			v.Signatures, v.Faults = list, append(v.Faults, faults...)
		}
		if asJSON {
			if err := p.writeJSON(v); err != nil {
				return err
			}
		} else {
			for _, f := range v.Faults {
				p.printf("%s\n", plain(f.String()))
			}
			if len(v.Faults) == 0 {
				p.printf("%s: run %s of %s@%s, %s, %s made again, the same bytes\n  publication %s\n", plain(a[0]), plain(pub.Head.Run), plain(pub.Head.Plan.Bench), plain(pub.Head.Plan.Version), counted(v.Attempts, "attempt"), counted(v.Graded, "verdict"), v.Digest)
				if len(v.Unmade) > 0 {
					p.printf("  not made again, as another version (%s) wrote them, so do not take their word: %s\n", plain(pub.Head.Program), strings.Join(v.Unmade, ", "))
				}
				for _, s := range v.Signatures {
					p.printf("  %s\n", plain(signedBy(s)))
				}
			} else {
				p.printf("%s: not as it was published, in %s\n", plain(a[0]), counted(len(v.Faults), "place"))
			}
		}
		if len(v.Faults) > 0 {
			return silent(exitFail)
		}
		return nil
	}
	return c
}

// signedBy says what a signature is worth.
func signedBy(s publication.Signature) string {
	switch {
	case s.Trusted:
		return "signed by " + s.By
	case s.By == "":
		return s.File + ": signed by a key that only its public half can check; give it with --signers"
	}
	return "signed by " + s.By + ", which is none that was given with --signers"
}

// publication opens a publication's folder.
func (p *Process) publication(dir string) (*publication.Publication, []publication.Fault, error) {
	path := p.path(dir)
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		return nil, nil, usage("%s is no folder; a publication is one", shown(dir))
	}
	pub, faults := publication.Open(os.DirFS(path))
	return pub, faults, nil
}

func (p *Process) verify(dir string) (*publication.Verified, *publication.Publication, error) {
	pub, faults, err := p.publication(dir)
	if err != nil {
		return nil, nil, err
	}
	if len(faults) > 0 {
		return &publication.Verified{Faults: faults}, nil, nil
	}
	fsys, err := pub.Bench()
	if err != nil {
		return &publication.Verified{Digest: pub.Manifest.Digest, Faults: []publication.Fault{{Path: publication.BenchFile, What: err.Error()}}}, pub, nil
	}
	b, err := bench.Load(fsys, publication.BenchFile)
	if err != nil {
		return nil, nil, usage("%s: the bench inside: %v", shown(dir), err)
	}
	set, err := grade.Compile(b)
	if err != nil {
		return nil, nil, usage("%s: the bench inside: %v", shown(dir), err)
	}
	o := &opened{bench: b, set: set}
	box, _, _, err := p.box(o, false)
	if err != nil {
		return nil, nil, err
	}
	if box != nil {
		defer box.Close()
	}
	v, err := pub.Verify(p.Context, set, version(), nil)
	if err != nil {
		return nil, nil, fault(err)
	}
	if len(v.Faults) == 0 {
		if v.Faults, err = p.figuresAgain(pub, dir); err != nil {
			return nil, nil, err
		}
	}
	return v, pub, nil
}

func newLeaderboard(p *Process) *cobra.Command {
	var asJSON, markdown bool
	var html string
	c := &cobra.Command{
		Use: "leaderboard BENCH DIR...", Short: "Rank publications of complete runs on one release of agent tasks",
		Long: `Ranks models by the tasks of BENCH that they solved in every repeat. Each DIR is a publication. A row needs every task of exactly
this release, every attempt with a result, and every trajectory judged again to the same bytes. A run of another release, a part
of a run, a control, and a run that an agent made with the sealed part in view have no row: they stand below with a dash and the
reason.` + exitHelp,
		Args: args(1, 10000, "BENCH DIR..."),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&markdown, "markdown", false, "print Markdown")
	c.Flags().StringVar(&html, "html", "", "write one HTML page to a `FILE`")
	c.RunE = func(_ *cobra.Command, a []string) error {
		if asJSON && markdown {
			return usage("--json and --markdown exclude each other")
		}
		o, err := p.open(a[0])
		if err != nil {
			return err
		}
		set, ok := o.set.(*tasks.Set)
		if !ok {
			return usage("%s has the shape %s; a leaderboard is of agent tasks", o.bench.Name(), o.bench.Shape)
		}
		rel, err := leaderboard.Open(set, o.state.Digest)
		if err != nil {
			return usage("%v", err)
		}
		var rows []*leaderboard.Row
		var refused []leaderboard.Refusal
		for _, dir := range a[1:] {
			pub, faults, err := p.publication(dir)
			switch {
			case err != nil:
				return err
			case len(faults) > 0:
				return usage("%s: %s", shown(dir), faults[0])
			}
			run, err := rel.Read(p.Context, pub)
			if err != nil {
				return fault(err)
			}
			r, no := rel.Admit(run)
			rows, refused = append(rows, r...), append(refused, no...)
		}
		return p.showBoard(rel.Table(rows, refused), asJSON, markdown, html)
	}
	return c
}

func (p *Process) showBoard(b *leaderboard.Board, asJSON, markdown bool, html string) error {
	if html != "" {
		var page strings.Builder
		if err := b.HTML(&page); err != nil {
			return fault(err)
		}
		if err := writeFile(p.path(html), []byte(page.String())); err != nil {
			return fault(err)
		}
	}
	switch {
	case asJSON:
		return fault(b.JSON(p.Stdout))
	case markdown:
		return fault(b.Markdown(p.Stdout))
	}
	lines := b.Lines()
	if len(lines) == 0 {
		p.printf("%s: nothing was run\n", plain(b.Release.Name))
	}
	for _, l := range lines {
		p.printf("%3s  %-40s %-10s %7s  %-14s gated %s\n", l.Rank, plain(l.Model), plain(l.Posture), l.Strict, l.Interval, l.Gated)
		for i, w := range l.Why {
			if i == 3 {
				p.printf("     and %d more\n", len(l.Why)-3)
				break
			}
			p.printf("     %s\n", plain(w))
		}
	}
	p.printf("%s, digest %s, %s\n", plain(b.Release.Name), fmt.Sprintf("%.12s", b.Release.Digest), counted(len(b.Release.Tasks()), "task"))
	return nil
}
