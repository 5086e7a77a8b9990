// Keeps the page of a run up to date. Without it the page is the same, as it was when it was loaded.
"use strict";
(() => {
  const body = document.body, live = body.dataset.live;
  if (!live) return;
  let state = body.dataset.state, wait = 2000, timer = 0;

  // The server's own page, parsed as a document in which nothing runs; its parts take the place of those here.
  const load = () => new Promise((done, fail) => {
    const x = new XMLHttpRequest();
    x.open("GET", location.href);
    x.responseType = "document";
    x.timeout = 30000;
    x.onload = () => x.status === 200 && x.response ? done(x.response) : fail(new Error("status " + x.status));
    x.onerror = x.ontimeout = () => fail(new Error("no answer"));
    x.send();
  });

  const key = (e) => e && (e.id ? "#" + CSS.escape(e.id) : e.getAttribute("href") ? 'a[href="' + CSS.escape(e.getAttribute("href")) + '"]' : "");

  const take = (page) => {
    for (const old of document.querySelectorAll("[data-part]")) {
      const part = page.getElementById(old.id);
      if (!part) continue;
      const focus = old.contains(document.activeElement) ? key(document.activeElement) : "";
      const open = [...old.querySelectorAll("details")].map((d) => d.open);
      const at = [...old.querySelectorAll(".scroll")].map((d) => d.scrollLeft);
      const now = document.adoptNode(part);
      old.replaceWith(now);
      now.querySelectorAll("details").forEach((d, i) => { d.open = !!open[i]; });
      now.querySelectorAll(".scroll").forEach((d, i) => { d.scrollLeft = at[i] || 0; });
      const again = focus && now.querySelector(focus);
      if (again) again.focus({preventScroll: true});
    }
    state = page.body.dataset.state;
    const say = document.getElementById("live-status");
    if (say) say.textContent = "The page was brought up to date.";
  };

  const look = async () => {
    try {
      if (!document.hidden) {
        const r = await fetch(live, {cache: "no-store"});
        if (r.ok && (await r.text()) !== state) take(await load());
        wait = 2000;
      }
    } catch {
      wait = Math.min(wait * 2, 60000); // the server has ended, or is busy
    }
    timer = setTimeout(look, wait);
  };
  timer = setTimeout(look, wait);
  addEventListener("pagehide", () => clearTimeout(timer));
})();
