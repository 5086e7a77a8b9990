package onepage

import (
	"context"
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
	"github.com/chromedp/chromedp/kb"
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
	ctx, late := context.WithTimeout(ctx, 120*time.Second)
	t.Cleanup(late)
	return ctx
}

// TestInBrowser opens 100,000 attempts from a file as anybody would, and looks through them by mouse and keys. Every text in
// them is hostile; the title tells whether one of them ran.
func TestInBrowser(t *testing.T) {
	ctx := browser(t)
	file := filepath.Join(t.TempDir(), "index.html")
	page := write(t, 100_000)
	if err := os.WriteFile(file, page, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("100,000 attempts are %.1f MB", float64(len(page))/1e6)
	do := func(what string, actions ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, actions...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	text := func(js string) string {
		t.Helper()
		s, err := chromedp.Run(ctx, chromedp.Evaluate[string](js))
		if err != nil {
			t.Fatalf("%s: %v", js, err)
		}
		return s
	}
	until := func(what, js, want string) {
		t.Helper()
		got := ""
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if got = text(js); strings.Contains(got, want) {
				return
			}
		}
		t.Fatalf("%s: %q, without %q", what, got, want)
	}
	count := `document.getElementById("count").textContent`
	one := `document.getElementById("one").innerText`
	begun := time.Now()
	do("open", chromedp.EmulateViewport(1280, 900), chromedp.Navigate("file://"+file), chromedp.WaitVisible(chromedp.CSS(`html[data-ready=yes]`)))
	t.Logf("ready after %v", time.Since(begun).Round(time.Millisecond))
	until("all", count, "100,000 of 100,000")
	if got := text(`String(document.querySelectorAll("#list tbody tr").length)`); len(got) > 3 {
		t.Errorf("%s rows are drawn at once", got)
	}
	do("letter", chromedp.Evaluate[chromedp.Void](`{const s = document.getElementById("letter"); s.value = [...s.options].find((o) => o.text === "x").value; s.dispatchEvent(new Event("input", {bubbles: true}))}`))
	until("the wrong ones", count, "14,286 of 100,000")
	do("search", chromedp.SendKeys(chromedp.CSS(`#q`), "item-24999"))
	until("searched", count, "1 of 100,000")
	do("click", chromedp.Click(chromedp.CSS(`#list tbody tr:not(.gap) td`)))
	until("the attempt", one, "it is there")
	do("all again", chromedp.Evaluate[chromedp.Void](`{document.getElementById("q").value = ""; document.getElementById("letter").value = ""; document.getElementById("q").dispatchEvent(new Event("input", {bubbles: true})); document.getElementById("list").focus()}`))
	until("all", count, "100,000 of 100,000")
	do("another", chromedp.Click(chromedp.CSS(`#list tbody tr:not(.gap) td`)))
	until("the first", one, "item-00000")
	do("the last", chromedp.KeyEvent(kb.End))
	until("the last one", one, "item-24999")
	until("the chosen row", `(document.querySelector("#list tr[aria-selected=true] td") || {}).textContent || ""`, "item-24999")
	do("sort", chromedp.Click(chromedp.CSS(`[data-by=letter]`)), chromedp.Click(chromedp.CSS(`[data-by=letter]`)))
	until("sorted", `document.querySelector("#list tbody tr:not(.gap)").innerText`, "x")
	if got := text(`document.title`); strings.TrimSpace(got) == "run" || !strings.HasPrefix(got, "made@1") {
		t.Errorf("the title is %q: something ran", got)
	}
	if got := text(`String(document.querySelectorAll("img, iframe, object, link, [onerror], [onload]").length)`); got != "0" {
		t.Errorf("%s elements that nobody wrote", got)
	}
	for _, at := range []struct {
		name          string
		width, height int64
		dark          bool
	}{{"wide", 1280, 900, false}, {"dark", 1280, 900, true}, {"narrow", 360, 780, false}} {
		scheme := "light"
		if at.dark {
			scheme = "dark"
		}
		do(at.name, chromedp.EmulateViewport(at.width, at.height), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
			return err
		}))
		if got := text(`String(document.documentElement.scrollWidth - window.innerWidth)`); got != "0" && !strings.HasPrefix(got, "-") {
			t.Errorf("%s: the page is %s px wider than the window", at.name, got)
		}
		if folder := os.Getenv("ASSAY_PICTURES"); folder != "" {
			shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "onepage-"+at.name+".png"), shot, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
