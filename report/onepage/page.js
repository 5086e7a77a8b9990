"use strict";
(async () => {
  const byId = (id) => document.getElementById(id);
  // open gives what one compressed part holds. Nothing is fetched: the part is text of this page.
  const open = async (id) => {
    const raw = Uint8Array.from(atob(byId(id).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return JSON.parse(await new Response(stream).text());
  };
  const make = (tag, text, cls) => {
    const e = document.createElement(tag);
    if (text !== undefined) e.textContent = text;
    if (cls) e.className = cls;
    return e;
  };
  const x = await open("index");
  const total = x.item.length;
  const list = byId("list"), body = list.querySelector("tbody");
  const fill = (id, values) => values.forEach((v, i) => {
    const o = make("option", v === "" ? "none" : v);
    o.value = String(i);
    byId(id).append(o);
  });
  fill("setting", x.settings);
  fill("letter", x.letters);
  fill("outcome", x.outcomes);

  x.letters.forEach((l, i) => {
    if (l === "" || x.meanings[i] === "") return;
    byId("legend").append(byId("legend").childNodes.length ? "; " : "", make("b", l), " " + x.meanings[i]);
  });

  let shown = [], chosen = -1, by = "", down = false;
  const ranked = (texts) => {
    const order = texts.map((_, i) => i).sort((a, b) => (texts[a] < texts[b] ? -1 : texts[a] > texts[b] ? 1 : 0));
    const rank = [];
    order.forEach((i, n) => { rank[i] = n; });
    return rank;
  };
  const ranks = { item: ranked(x.items), setting: ranked(x.settings), letter: ranked(x.letters), outcome: ranked(x.outcomes) };
  const value = (n) => (by === "repeat" ? x.repeat[n] : ranks[by][x[by][n]]);

  const choose = () => {
    const q = byId("q").value.trim().toLowerCase();
    const wanted = (id) => (byId(id).value === "" ? -1 : Number(byId(id).value));
    const setting = wanted("setting"), letter = wanted("letter"), outcome = wanted("outcome");
    const family = x.families.map((f) => f.toLowerCase().includes(q));
    const item = x.items.map((t, i) => family[x.of[i]] || t.toLowerCase().includes(q));
    shown = [];
    for (let n = 0; n < total; n++) {
      if (item[x.item[n]] && (setting < 0 || x.setting[n] === setting) && (letter < 0 || x.letter[n] === letter) && (outcome < 0 || x.outcome[n] === outcome)) shown.push(n);
    }
    if (by) shown.sort((a, b) => (down ? value(b) - value(a) : value(a) - value(b)) || a - b);
    byId("count").textContent = shown.length.toLocaleString("en") + " of " + total.toLocaleString("en") + " attempts";
    list.scrollTop = 0;
    draw();
  };

  const high = 33; // of a row with its line, in pixels; measured at the first drawing
  let row = high;
  const gap = (rows) => {
    const r = make("tr", undefined, "gap"), c = make("td");
    c.colSpan = 5;
    c.style.height = rows * row + "px";
    r.setAttribute("aria-hidden", "true");
    r.append(c);
    return r;
  };
  const draw = () => {
    const first = Math.max(0, Math.floor(list.scrollTop / row) - 20);
    const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / row) + 80);
    const rows = [gap(first)];
    for (let i = first; i < last; i++) {
      const n = shown[i], r = make("tr");
      r.dataset.at = String(i);
      r.setAttribute("aria-rowindex", String(i + 2));
      r.setAttribute("aria-selected", n === chosen ? "true" : "false");
      const letter = x.letters[x.letter[n]];
      const how = x.pass[n] ? "pass" : x.outcomes[x.outcome[n]] === "answered" ? "fail" : "open";
      r.append(make("td", x.items[x.item[n]]), make("td", x.settings[x.setting[n]]), make("td", String(x.repeat[n])), make("td", letter === "" ? "–" : letter, how), make("td", x.outcomes[x.outcome[n]]));
      r.firstChild.title = x.items[x.item[n]] + " (" + x.families[x.of[x.item[n]]] + ")";
      rows.push(r);
    }
    rows.push(gap(shown.length - last));
    body.replaceChildren(...rows);
    list.querySelector("table").setAttribute("aria-rowcount", String(shown.length + 1));
    const real = body.querySelector("tr:not(.gap)");
    if (real && real.offsetHeight > 10 && Math.abs(real.offsetHeight - row) > 0.5) { row = real.offsetHeight; draw(); }
  };

  let held = -1, rows = [];
  const show = async (i) => {
    const n = shown[i];
    chosen = n;
    draw();
    const p = Math.floor(n / x.part);
    if (held !== p) { rows = await open("part" + p); held = p; }
    if (chosen !== n) return;
    const d = rows[n % x.part], one = byId("one");
    const out = [make("h3", x.items[x.item[n]] + ", " + x.settings[x.setting[n]] + ", repeat " + (x.repeat[n]))];
    out.push(make("p", x.families[x.of[x.item[n]]] + " · " + d.basis + " · " + x.outcomes[x.outcome[n]] + " · letter " + (x.letters[x.letter[n]] || "none") + " · " + d.tries + (d.tries === 1 ? " call" : " calls"), "soft"));
    if (d.reason) out.push(make("p", d.reason));
    if (d.findings.length) {
      const ul = make("ul");
      for (const f of d.findings) {
        const li = make("li");
        li.append(make("b", f.skipped ? "not applied " : f.pass ? "holds " : "fails ", f.skipped ? "soft" : f.pass ? "pass" : "fail"), f.rule + (f.why ? ": " + f.why : ""));
        if (f.expected) li.append(make("br"), "expected ", make("code", f.expected));
        if (f.got) li.append(make("br"), "got ", make("code", f.got));
        ul.append(li);
      }
      out.push(make("h3", "Findings"), ul);
      if (d.left) out.push(make("p", d.left + " more findings are in attempts.jsonl", "soft"));
    }
    out.push(make("h3", "Answer"), d.answer === "" ? make("p", "empty", "soft") : make("pre", d.answer));
    if (d.cut) out.push(make("p", d.cut.toLocaleString("en") + " more bytes are in transcripts.jsonl, line of attempt " + n, "soft"));
    one.replaceChildren(...out);
    one.hidden = false;
    const pre = one.querySelector("pre");
    if (pre) { pre.tabIndex = 0; pre.setAttribute("role", "region"); pre.setAttribute("aria-label", "Answer"); }
  };
  const step = (by) => {
    const at = shown.indexOf(chosen);
    const to = at < 0 ? 0 : Math.min(shown.length - 1, Math.max(0, at + by));
    if (!shown.length) return;
    if (to * row < list.scrollTop || (to + 2) * row > list.scrollTop + list.clientHeight) list.scrollTop = Math.max(0, to * row - list.clientHeight / 2);
    show(to);
  };
  const keys = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -total, End: total };
  list.addEventListener("keydown", (e) => {
    if (!(e.key in keys) || e.target !== list) return;
    e.preventDefault();
    step(keys[e.key]);
  });
  body.addEventListener("click", (e) => {
    const r = e.target.closest("tr");
    if (r && r.dataset.at) { list.focus({ preventScroll: true }); show(Number(r.dataset.at)); }
  });
  let waiting = false;
  list.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  });
  for (const b of list.querySelectorAll("thead button")) {
    b.addEventListener("click", () => {
      down = by === b.dataset.by ? !down : false;
      by = b.dataset.by;
      for (const th of list.querySelectorAll("thead th")) th.setAttribute("aria-sort", th.contains(b) ? (down ? "descending" : "ascending") : "none");
      choose();
    });
  }
  byId("tools").addEventListener("input", choose);
  byId("tools").addEventListener("submit", (e) => e.preventDefault());
  byId("tools").hidden = false;
  list.hidden = false;
  choose();
  document.documentElement.dataset.ready = "yes";
})();
