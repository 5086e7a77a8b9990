package realism

import (
	"context"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// What a bench claims of itself in words. A claim that nothing here enforces or has tested fails: the words are read in every
// text that an agent or a reader of the bench can see.

var claimChecks = []check{
	{key: "sandbox.osLevelNoEgressMustNotBeClaimedWithoutEnforcement", scope: OfRelease, how: Static, measure: egressRow},
	{key: "sandbox.unsupportedOneToOneProviderClaimsAllowed", scope: OfRelease, how: Static, measure: parityRow},
}

var (
	noEgress = regexp.MustCompile(`(?i)\bno[ -](?:network )?egress\b|\bwithout (?:any )?(?:network|internet|egress)(?: access)?\b|\bno (?:internet|network|outbound)(?: access| connection| connectivity| traffic)?\b|\bair-?gapped\b|\bnetwork(?:ing)?(?: is| access is)?:? ?(?:closed|disabled|off|blocked|isolated)\b|\bisolated network\b|\b(?:fully|completely|runs?|works?|operates?) offline\b|\bcut off from the (?:internet|network)\b|\bfirewalled\b|\bnetwork[_-]mode: ?none\b`)
	parity   = regexp.MustCompile(`(?i)\b(?:1:1|one[- ]to[- ]one)\b|\b(?:full|complete|exact|feature|api)[ -](?:parity|fidelity|compatib(?:le|ility))\b|\bdrop-?in(?: replacement)?\b|\bbyte[- ](?:for[- ]byte|compatible|identical)\b|\b(?:identical|indistinguishable|the same) (?:to|from|as) (?:the )?(?:real|official|live|original|production)\b|\b(?:mirrors?|clones?|replicates?|emulates?|reproduces?|behaves (?:exactly )?(?:like|as))\b|\bofficial\b`)
	// product are the words by which a text speaks of somebody's product or its interface, and not of the plant's own trade.
	product = regexp.MustCompile(`(?i)\b(?:api|rest api|graph api|v\d+ api|sdk|endpoints?|saas|provider|salesforce|servicenow|slack|gmail|google (?:drive|calendar|workspace)|outlook|microsoft|office 365|sharepoint|jira|confluence|sap|s/4hana|oracle|netsuite|workday|zendesk|github|gitlab|notion|hubspot|dynamics|teams|dropbox|asana|trello|stripe|quickbooks|xero|maximo|infor|epicor)\b`)
	denied  = regexp.MustCompile(`(?i)\b(?:not|no|never|nor|neither|without|cannot|isn't|aren't|doesn't)\b(?:\W+\w+){0,6}\W*$`)
)

const (
	productWithin = 60 // characters around a claim in which the product is named
	largeText     = 1 << 20
)

// proseFiles are the texts of a bench that are read by people: at its root and below docs/.
func (r *Release) proseFiles() ([]text, error) {
	return once(&r.facts, "prose", func() ([]text, error) {
		var out []text
		fsys := r.Set.Bench().FS
		err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if p != "." && strings.Contains(p, "/") || slices.Contains([]string{"tasks", "world", "worlds", "items", "reports", ".git"}, p) {
					return fs.SkipDir
				}
				return nil
			}
			ext := strings.ToLower(path.Ext(p))
			if !d.Type().IsRegular() || !slices.Contains([]string{".md", ".txt", ".yaml", ".yml", ".html", ""}, ext) {
				return nil
			}
			info, err := d.Info()
			if err != nil || info.Size() > largeText {
				return err
			}
			b, err := fs.ReadFile(fsys, p)
			out = append(out, text{Where: p, Text: string(b)})
			return err
		})
		return out, err
	})
}

// spoken are all texts in which a release could claim something, each once.
func (r *Release) spoken(ctx context.Context) ([]text, error) {
	return once(&r.facts, "spoken", func() ([]text, error) {
		out, err := r.proseFiles()
		if err != nil {
			return nil, err
		}
		out = slices.Clone(out)
		seen := map[string]bool{}
		for _, s := range r.Tasks {
			list := s.visible()
			cells, err := s.cells(ctx)
			if err != nil {
				return nil, err
			}
			for _, c := range cells {
				if t, ok := c.value.(string); ok && strings.ContainsAny(t, " \n") {
					list = append(list, text{Where: c.table + " " + c.key, Field: c.column, Text: t})
				}
			}
			if s.World.Name != "" {
				list = append(list, text{Where: "world.yaml", Field: "name", Text: s.World.Name})
			}
			for _, t := range list {
				if k := t.Where + "\x00" + t.Field + "\x00" + t.Text; !seen[k] {
					seen[k] = true
					out = append(out, t)
				}
			}
		}
		return out, nil
	})
}

// claims finds an expression that is not denied right before it.
func claims(list []text, re *regexp.Regexp, counts func(line string, m []int) bool) []Evidence {
	var out []Evidence
	for _, t := range list {
		n := 0
		for line := range strings.Lines(t.Text) {
			n++
			for _, m := range re.FindAllStringIndex(line, -1) {
				if denied.MatchString(line[:m[0]]) || counts != nil && !counts(line, m) {
					continue
				}
				at := n
				if t.Field != "" {
					at = t.Line
				}
				out = append(out, Evidence{File: t.Where, Line: at, Cell: t.Field, Span: clip(strings.TrimSpace(line), 160), Note: "claims " + strings.ToLower(line[m[0]:m[1]])})
			}
		}
	}
	return out
}

// egressRow refuses a claim of a closed network: Assay runs worlds as processes of the machine, and enforces none.
func egressRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	list, err := r.spoken(ctx)
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	ev := claims(list, noEgress, nil)
	return judged(len(ev) == 0, map[string]any{"texts": len(list), "claims": len(ev)}, counted(len(ev), "claim")+" of a closed network, which nothing here enforces", ev...)
}

// parityRow refuses claims to be as some product is. Nothing in a bench can link a test of that.
func parityRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == true {
		return allowed(nil)
	}
	list, err := r.spoken(ctx)
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	ev := claims(list, parity, func(line string, m []int) bool {
		near := line[max(0, m[0]-productWithin):min(len(line), m[1]+productWithin)]
		return product.MatchString(strings.ToValidUTF8(near, " "))
	})
	return judged(len(ev) == 0, map[string]any{"texts": len(list), "claims": len(ev)}, counted(len(ev), "claim")+" to be as somebody's product is, without a test that shows it", ev...)
}
