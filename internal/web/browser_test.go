package web_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/assaybench/assay/internal/web"
	"github.com/assaybench/assay/internal/web/viewtest"
)

// browser starts Chromium, or skips.
func browser(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		if os.Getenv("ASSAY_REQUIRE_BROWSER") == "1" {
			t.Fatal("no Chromium is installed")
		}
		t.Skip("no Chromium is installed (apt-get install chromium)")
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(60*time.Second))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(ctx)
	t.Cleanup(func() {
		if err := chromedp.Cancel(ctx); err != nil {
			t.Log(err)
		}
		end()
	})
	if err := chromedp.Do(ctx); err != nil { // starts it
		t.Fatal(err)
	}
	limit := 150 * time.Second
	if raced {
		limit = 8 * time.Minute
	}
	ctx, late := context.WithTimeout(ctx, limit)
	t.Cleanup(late)
	return ctx
}

// tab is a page of the browser that is looked at.
type tab struct {
	*testing.T
	ctx  context.Context
	base string
}

func (p *tab) do(what string, actions ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, actions...); err != nil {
		p.Fatalf("%s: %v", what, err)
	}
}

func (p *tab) open(path string) {
	p.Helper()
	p.do(path, chromedp.Navigate(p.base+path))
}

// eval gives what an expression comes to in the page, outside its policy as the browser's own tools are.
func eval[T any](p *tab, js string) T {
	p.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		p.Fatalf("%.80s: %v", js, err)
	}
	return v
}

// until waits for an expression to be true.
func (p *tab) until(js string) {
	p.Helper()
	for range 150 {
		if eval[bool](p, js) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	p.Fatalf("this was never so: %s", js)
}

func (p *tab) where() string {
	p.Helper()
	return eval[string](p, "location.pathname + location.search")
}

// size sets the window, and light or dark.
func (p *tab) size(width, height int64, scheme string) {
	p.Helper()
	p.do("size", chromedp.EmulateViewport(width, height), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	}))
}

// shot keeps a picture of the page where ASSAY_SHOTS names a folder, for a person to look at.
func (p *tab) shot(name string) {
	p.Helper()
	dir := os.Getenv("ASSAY_SHOTS")
	if dir == "" {
		return
	}
	b, err := chromedp.Run(p.ctx, chromedp.FullScreenshot(100))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), b, 0o644)
	}
	if err != nil {
		p.Fatal(err)
	}
}

// TestBrowse goes about in the pages by links, forms and keys.
func TestBrowse(t *testing.T) {
	ctx := browser(t)
	s := serve(t, nil)
	if _, err := viewtest.Many(t.Context(), s.db, "made1", 240, 960); err != nil {
		t.Fatal(err)
	}
	p := &tab{t, ctx, s.base}
	p.open("/")
	p.do("the run", chromedp.Click(`//main//a[.="made1"]`), chromedp.WaitVisible(chromedp.CSS("table.matrix")))
	if at := p.where(); at != "/run/made1" {
		t.Fatalf("the browser is at %s", at)
	}
	if n := eval[int](p, `document.querySelectorAll("table.matrix tbody tr").length`); n != 100 {
		t.Errorf("%d items on the first page, want 100", n)
	}
	p.do("the last page", chromedp.Click(`//nav[@aria-label="Pages"]//a[.="Next page"]`), chromedp.WaitVisible(`//th[.="item-000199"]`), chromedp.Click(`//nav[@aria-label="Pages"]//a[.="Next page"]`), chromedp.WaitVisible(`//th[.="item-000239"]`))
	if n := eval[int](p, `document.querySelectorAll("table.matrix tbody tr").length`); n != 40 {
		t.Errorf("%d items on the last page, want 40", n)
	}
	// Attempts 0 and 211 were cut off (every 211th), of the items 0 and 211; 422, 633 and 844 are repeats of 182, 153 and 124.
	p.open("/run/made1?letter=C")
	got := eval[string](p, `[...document.querySelectorAll("table.matrix tbody th")].map(e => e.textContent).join(" ")`)
	if want := "item-000000 item-000124 item-000153 item-000182 item-000211"; got != want {
		t.Errorf("cut off: %s, want %s", got, want)
	}
	// By keys alone: Tab to the search, type, Enter.
	p.open("/run/made1")
	p.do("search by keys", chromedp.Focus(chromedp.CSS("#f-search")), chromedp.KeyEvent("item-00010\r"), chromedp.WaitVisible(`//nav[@aria-label="Pages"]`))
	p.until(`location.search.includes("search=item-00010")`)
	if n := eval[int](p, `document.querySelectorAll("table.matrix tbody tr").length`); n != 10 {
		t.Errorf("%d items named item-00010…, want 10", n)
	}
	p.do("an attempt by its letter", chromedp.Focus(chromedp.CSS("table.matrix tbody a.letter")), chromedp.KeyEvent("\r"), chromedp.WaitVisible(chromedp.CSS("#findings-h")))
	if at := p.where(); at != "/run/made1/attempt/100" {
		t.Errorf("the first letter of item-000100 leads to %s", at)
	}
	if got := eval[string](p, `document.querySelector("pre.text mark").textContent`); !strings.HasPrefix(got, "ANSWER: 4") {
		t.Errorf("underlined: %q", got)
	}
	p.open("/run/made1")
	p.do("the skip link", chromedp.KeyEvent("\t"))
	if got := eval[string](p, `document.activeElement.className`); got != "skip" {
		t.Errorf("the first stop of the Tab key is %q, want the skip link", got)
	}
}

// TestLive looks at a run while it goes on.
func TestLive(t *testing.T) {
	ctx := browser(t)
	s := serve(t, nil)
	r, err := viewtest.Many(t.Context(), s.db, "made1", 20, 10)
	if err != nil {
		t.Fatal(err)
	}
	p := &tab{t, ctx, s.base}
	p.open("/run/made1")
	missing := `document.querySelectorAll("a.letter.missing").length`
	if n := eval[int](p, missing); n != 70 {
		t.Errorf("%d letters are missing, want 70", n)
	}
	p.do("focus", chromedp.Focus(chromedp.CSS(`a[href="/run/made1/attempt/30"]`)))
	if err := viewtest.Make(t.Context(), s.db, r, 10, 80); err != nil {
		t.Fatal(err)
	}
	p.until(missing + ` === 0`)
	if got := eval[string](p, `document.activeElement.getAttribute("href") || ""`); got != "/run/made1/attempt/30" {
		t.Errorf("the focus went to %q", got)
	}
	p.until(`document.getElementById("part-figures").textContent.includes("0 missing")`)
}

// axe is the checker of accessibility that npm installs, or skips.
func axe(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("testdata/axe/node_modules/axe-core/axe.min.js")
	if err != nil {
		if os.Getenv("ASSAY_REQUIRE_BROWSER") == "1" {
			t.Fatal("axe-core is not installed: (cd internal/web/testdata/axe && npm ci --ignore-scripts)")
		}
		t.Skip("axe-core is not installed: (cd internal/web/testdata/axe && npm ci --ignore-scripts)")
	}
	return string(b)
}

// TestAccessible runs axe-core in every kind of page, light and dark, narrow and wide, and looks for what does not fit.
func TestAccessible(t *testing.T) {
	script := axe(t)
	ctx := browser(t)
	s := serve(t, func(o *web.Options) { o.Open = example })
	pages := everyPage(t, s)
	p := &tab{t, ctx, s.base}
	for _, v := range []struct {
		name          string
		width, height int64
		scheme        string
		axe           bool // what it finds in one width it finds in all
	}{{"360", 360, 780, "light", true}, {"1280", 1280, 900, "light", false}, {"dark", 1280, 900, "dark", true}, {"4k", 3840, 2160, "light", false}} {
		p.size(v.width, v.height, v.scheme)
		for name, path := range pages {
			p.open(path)
			p.until(`document.readyState === "complete"`)
			p.shot(name + "-" + v.name)
			if wide := eval[int](p, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
				t.Errorf("%s at %s: the page is %d pixels wider than its window", name, v.name, wide)
			}
			if !v.axe {
				continue
			}
			eval[any](p, script+";0")
			found := eval[string](p, `window.axe.run(document, {resultTypes: ["violations"]}).then(r => JSON.stringify(r.violations.filter(v => v.impact === "serious" || v.impact === "critical").map(v => v.id + ": " + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(" | "))))`)
			var list []string
			if err := json.Unmarshal([]byte(found), &list); err != nil {
				t.Fatalf("%s: %v: %s", name, err, found)
			}
			for _, f := range list {
				t.Errorf("%s at %s: %s", name, v.name, f)
			}
		}
	}
	if len(pages) < 12 {
		t.Errorf("only %d kinds of pages were looked at", len(pages))
	}
}

// TestNothingRuns opens every page that shows a hostile text, and looks for anything of it that is more than text.
func TestNothingRuns(t *testing.T) {
	ctx := browser(t)
	s := hostile(t)
	if len(payloads) != 50 {
		t.Fatalf("%d payloads, want 50", len(payloads))
	}
	p := &tab{t, ctx, s.base}
	for _, path := range hostilePages {
		p.open(path)
		p.until(`document.readyState === "complete"`)
		if got := eval[string](p, `String(window.pwned) + " " + location.host`); got != "undefined "+strings.TrimPrefix(s.base, "http://") {
			t.Errorf("%s: something ran or led away: %s", path, got)
		}
		got := eval[string](p, `[...document.querySelectorAll("*")].flatMap(e => [...e.attributes].filter(a => /^on/i.test(a.name) || /^\s*(javascript|data|vbscript):/i.test(a.value) && /^(href|src|action|formaction|xlink:href|srcdoc)$/i.test(a.name)).map(a => e.tagName + " " + a.name)).concat(
			[...document.querySelectorAll("script:not([src='/static/view.js']), iframe, img, object, embed, base, video, audio, math, svg script, svg a, svg animate, link:not([href='/static/style.css']), meta[http-equiv]")].map(e => e.tagName)).join(", ")`)
		if got != "" {
			t.Errorf("%s: there are %s", path, got)
		}
		if n := eval[int](p, `performance.getEntriesByType("resource").filter(e => !e.name.startsWith(location.origin + "/")).length`); n != 0 {
			t.Errorf("%s: %d requests left for elsewhere", path, n)
		}
	}
	p.open("/run/hostile1/attempt/0")
	p.shot("hostile")
	text := eval[string](p, `document.querySelector("section.block pre.text").textContent`)
	for _, want := range []string{payloads[0], payloads[15], "⟦FF⟧⟦FE⟧", "␛]0;title␇", "⟦U+202E⟧⟦U+200B⟧", "<scr␀ipt>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the answer on the page lacks %q", want)
		}
	}
}
