package surface_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestClickedAddress opens the console by a link that stands on a page of another site, as in a chat or a terminal in a browser.
func TestClickedAddress(t *testing.T) {
	ctx := browser(t)
	s := serve(t, files(t, nil))
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<main><a href="%s/?token=%s">open</a></main>`, s.base, s.token)
	}))
	defer other.Close()
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1) // another site than 127.0.0.1
	if err := chromedp.Do(ctx, chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}), chromedp.Navigate(elsewhere), chromedp.Click(`//main//a`), chromedp.WaitVisible(`//main[contains(., "Ada in passenger services")]`)); err != nil {
		at, _ := chromedp.Run(ctx, chromedp.Location())
		t.Fatalf("%v, at %s", err, at)
	}
	at, err := chromedp.Run(ctx, chromedp.Location())
	if err != nil || strings.Contains(at, "token") {
		t.Errorf("%v: the browser is at %s", err, at)
	}
}
