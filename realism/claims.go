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
	// cutOff are claims of the same in which the network is what something is done to, or cannot be reached: a "not" is a part of them.
	cutOff = regexp.MustCompile(`(?i)\b(?:cannot|can't|can not|could not|unable to|never|no way to|nothing (?:\w+ )?(?:can|may)|nobody (?:\w+ )?can|no (?:agent|process|program|tool|call)(?: \w+){0,5} (?:can|may|could))\b[^.\n]{0,30}\b(?:reach|access|contact|connect to|get (?:out )?to|talk to|phone|dial|leave for)\b[^.\n]{0,16}\b(?:internet|networks?|outside(?: world| hosts?)?|web|external (?:hosts?|services?|systems?|world))\b` +
		`|\b(?:internet|network|outbound|outgoing|egress|external)(?: (?:access|traffic|connections?|connectivity|calls?|requests?|packets?))? (?:is|are|has been|have been|stays?|remains?|gets?) (?:\w+ ){0,2}(?:closed|disabled|blocked|isolated|unavailable|unreachable|cut|shut|denied|dropped|filtered|forbidden|impossible|prevented|switched off|turned off|off)\b` +
		`|\b(?:blocks?|den(?:y|ies)|drops?|cuts?(?: off)?|shuts?(?: off| out)?|disables?|prevents?|forbids?|stops?) (?:all |any |every |the )?(?:outbound|outgoing|egress|external|network|internet)(?: (?:access|traffic|connections?|connectivity|calls?|requests?|packets?))?\b` +
		`|\b(?:disconnected|sealed off|shut off|shielded|walled off|isolated|separated|detached) from (?:the )?(?:internet|networks?|outside(?: world)?|web)\b|\bhermetic(?:ally)?\b|\bnetwork-?less\b|\b(?:internet|network|egress)-free\b|\b(?:no|without|zero) (?:outgoing|external|outside)(?: network| internet)? (?:connections?|traffic|access|requests?)\b|\bno packets? (?:leaves?|can leave|gets? out)\b|\b(?:loopback|localhost)[ -]only\b|\begress[ -](?:closed|blocked|denied|disabled|deny)\b|\b(?:no|without) (?:a )?(?:route|way|line|path) (?:out|to the (?:internet|outside(?: world)?|network))\b|\bno (?:way|line) out\b`)
	parity = regexp.MustCompile(`(?i)\b(?:1:1|one[- ]to[- ]one)\b|\b(?:full|complete|exact|feature|api)[ -](?:parity|fidelity|compatib(?:le|ility))\b|\bdrop-?in(?: replacement)?\b|\bbyte[- ](?:for[- ]byte|compatible|identical)\b|\b(?:identical|indistinguishable|the same) (?:to|from|as) (?:the )?(?:real|official|live|original|production)\b|\b(?:mirrors?|clones?|replicates?|emulates?|reproduces?|behaves (?:exactly )?(?:like|as))\b|\bofficial\b`)
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
				if re != cutOff && denied.MatchString(line[:m[0]]) || counts != nil && !counts(line, m) {
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

// claimed says whether words of a cut network are meant: "does not block outgoing calls" and "it is not so that" are none.
func claimed(line string, m []int) bool { return !disclaimed.MatchString(line[:m[0]]) }

var disclaimed = regexp.MustCompile(`(?i)\b(?:does not|do not|don't|doesn't|is not|are not|isn't|aren't|not claimed|no claim|nobody claims|nothing claims|is no|neither)\b(?:\W+\w+){0,6}\W*$`)

// egressRow refuses a claim of a closed network: Assay runs worlds as processes of the machine, and enforces none.
func egressRow(ctx context.Context, r *Release, l Leaf) Row {
	if l.Value == false {
		return allowed(nil)
	}
	list, err := r.spoken(ctx)
	if err != nil {
		return unmeasured(oneLine(err.Error()))
	}
	ev := append(claims(list, noEgress, nil), claims(list, cutOff, claimed)...)
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
