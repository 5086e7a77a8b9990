package surface_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// browser starts Chromium with scripts switched off in its pages, or skips.
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
	ctx, late := context.WithTimeout(ctx, 90*time.Second)
	t.Cleanup(late)
	return ctx
}

// action is something that is done in the browser.
type action = chromedp.Action[chromedp.Void]

// TestReferenceInBrowser does the example's task as an employee would: by links, forms and keys, without scripts.
func TestReferenceInBrowser(t *testing.T) {
	ctx := browser(t)
	s := serve(t, files(t, nil))
	var cookies []*network.Cookie
	run := func(what string, actions ...action) {
		t.Helper()
		if err := chromedp.Do(ctx, actions...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	where := func() string {
		t.Helper()
		at, err := chromedp.Run(ctx, chromedp.Location())
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	// field types into a field by keys, as a person does.
	field := func(name, value string) action {
		return chromedp.SendKeys(chromedp.CSS(`[id="f-`+name+`"]`), value)
	}
	link := func(text string) action {
		return chromedp.Click(fmt.Sprintf(`//main//a[normalize-space()=%q]`, text))
	}
	home := func(system, resource string) []action {
		as := []action{chromedp.Click(`//header//a[1]`), chromedp.WaitVisible(chromedp.CSS(`.request`)), link(system), chromedp.WaitVisible(`//nav`)}
		return append(as, link(resource), chromedp.WaitVisible(chromedp.CSS(`form`)))
	}
	submit := chromedp.Click(chromedp.CSS(`form button`))
	body := func(want string) {
		t.Helper()
		run(want, chromedp.WaitVisible(fmt.Sprintf(`//main[contains(., %q)]`, want)))
	}
	run("the first page", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}), chromedp.Navigate(s.base+"/?token="+s.token), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		got, err := cdp.Call(ctx, t, network.GetCookies, network.GetCookiesParams{})
		cookies = got.Cookies
		return err
	}))
	at := where()
	if at != s.base+"/" || len(cookies) != 1 || !cookies[0].HTTPOnly || cookies[0].SameSite != network.CookieSameSiteStrict {
		t.Fatalf("the browser is at %s with %d cookies", at, len(cookies))
	}
	body("Ada in passenger services")
	run("the order", append(home("Maintenance orders", "Search orders"), field("query", "217"), submit)...)
	body("MO-31")
	run("its page", link("MO-31"))
	body("Drums")
	run("the specification", append(home("Specifications and letters", "Search files"), field("query", "mooring drums\r"))...) // Enter sends a form
	body("SPEC-4")
	run("its page", link("SPEC-4"))
	body("Ropes per drum")
	run("the lots", append(home("Stock of the yard", "List lots"), field("part", "RP-12"), submit)...)
	body("LT-9")
	run("the offers", append(home("Offers of suppliers", "List offers"), field("part", "RP-12"), submit)...)
	body("OF-2")
	run("the limit", append(home("What may be spent without asking", "Get a limit"), field("user_id", "u-wren"), submit)...)
	body("Limit")
	run("the slots", append(home("Slips and their bookings", "List slots"), field("slip", "SLIP-2"), submit)...)
	body("2034-05-16")
	run("the booking", append(home("Slips and their bookings", "Book a slip"), field("slip", "SLIP-2"), field("day", "2034-05-16"), field("vessel", "217"), submit)...)
	body("Done.")
	run("its record", link("See BK-0001"))
	body("BOOKED")
	note := "Vessel 217 lies on slip 2 on 2034-05-16, and the booking is BK-0001. We still wait for 5 ropes, which come by the ordinary delivery before that day."
	run("the note", append(home("Notes to colleagues", "Write a note"), field("recipient", "u-ada"), field("subject", "Vessel 217"), field("body", note), submit)...)
	body("Done.")
	run("the answer", chromedp.Click(`//header//a[.="Answer"]`), chromedp.WaitVisible(chromedp.CSS(`form`)),
		field("required_quantity", "12"), field("usable_quantity", "7"), field("gap", "5"), field("option", "A"), field("outcome_date", "2034-05-16"),
		field("cost", "80.00"), field("held", "LT-8\rLT-9"), field("record", "BK-0001"), submit)
	body("The answer was handed in.")
	mustPass(t, s.judge())
	for i, e := range s.session.Events() {
		if e.Surface != "console" || !e.OK() {
			t.Errorf("event %d is %s of %s: %v", i+1, e.Tool, e.Surface, e.Error)
		}
	}
	if n := len(s.session.Events()); n != 12 { // the reference's 13 without reading the brief, which stands on the first page
		t.Errorf("%d events: %v", n, s.calls())
	}
	// Every field has a label, and the keys alone reach the button.
	run("the form", chromedp.Navigate(s.base+"/app/notes/drafts/create"), chromedp.WaitVisible(chromedp.CSS(`form`)), field("subject", "\t\t\r"))
	if at := where(); at != s.base+"/app/notes/drafts/create" {
		t.Errorf("the browser went to %s with a form that is not filled", at)
	}
}

// TestReferenceByCurl does the example's task with curl alone: the interface, and the protocol by hand.
func TestReferenceByCurl(t *testing.T) {
	curl, err := exec.LookPath("curl")
	if err != nil {
		t.Skip("no curl is installed")
	}
	s := serve(t, files(t, nil))
	for i, st := range reference(t) {
		args := []string{"-sS", "--fail-with-body", "-H", "Authorization: Bearer " + s.token, "-H", "Content-Type: application/json", "--data-binary", "@-"}
		in := string(st.Args)
		if i%2 == 0 {
			b, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": i, "method": "tools/call", "params": map[string]any{"name": st.Tool, "arguments": st.Args}})
			if err != nil {
				t.Fatal(err)
			}
			in, args = string(b), append(args, "-H", "Accept: application/json, text/event-stream", s.base+"/mcp")
		} else {
			args = append(args, s.base+"/api/v1/tools/"+st.Tool)
		}
		cmd := exec.CommandContext(t.Context(), curl, args...)
		cmd.Stdin = strings.NewReader(in)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		out, err := cmd.Output()
		if err != nil || strings.Contains(string(out), `"isError":true`) {
			t.Fatalf("%s: %v %s %s", st.Tool, err, out, &errs)
		}
	}
	mustPass(t, s.judge())
}
