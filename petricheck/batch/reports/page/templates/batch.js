/* The page of a batch. */
const { cells, nets, hosts, limits, evidence } = data;
const table = document.getElementById("table");
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const COLUMN = { question: 0, collection: 1, net: 2, configuration: 3, expected: 4, outcome: 5, engine: 6 };
const NUMBERS = { 7: "iterations", 8: "states", 9: "seconds", 10: "cpu", 11: "memory" };

document.getElementById("nets").addEventListener("toggle", (event) => {
  const place = event.target.querySelector("[data-net]");
  if (!place || place.childNodes.length) return;
  const net = nets[place.dataset.net];
  if (net.drawing) place.append(drawing(net));
  else place.append(make("p", { class: "note" }, net.complaint ? "" : "Nets of more than 100 places and transitions are not drawn, nor those that would make the page too large."));
}, true);

/* The detail of a cell. */

const dialog = document.getElementById("detail");

function fact(title, ...parts) {
  const shown = parts.flat(Infinity).filter((part) => part !== "" && part !== null && part !== undefined);
  return shown.length ? [make("dt", {}, title), make("dd", {}, shown)] : [];
}
function name(number) { return number === undefined ? "" : names[number]; }
function entry(n, column) { return rows[n].cells[column].textContent; }
function seconds(value) { return value === null ? null : `${value.toFixed(3)} s`; }

function facts(n) {
  const cell = cells[n], net = nets[cell.net], limit = limits[cell.limits];
  const found = evidence[cell.evidence];
  const sizes = net.complaint || `${counted(net.places, "place")}, ${counted(net.transitions, "transition")}, ${counted(net.arcs, "arc")}`;
  const bounded = cell.bounded === null ? "" : cell.bounded ? ", bounded" : ", unbounded";
  const bounds = [`${limit.seconds} s`, limit.cpu === null ? null : `${limit.cpu} s of CPU`, limit.memory === null ? null : `${limit.memory} MiB`].filter(Boolean);
  const costs = [seconds(cell.seconds), cell.cpu === null ? null : `${seconds(cell.cpu)} of CPU`, entry(n, 11) && `${entry(n, 11)} MiB`].filter(Boolean);
  const work = [cell.iterations ? counted(cell.iterations, cell.unit) : null, cell.states ? counted(cell.states, "state") : null].filter(Boolean);
  return make("dl", {},
    fact("Net", make("a", { href: `#net-${cell.net}` }, entry(n, 2)), make("span", { class: "note" }, ` ${sizes}${bounded}`)),
    fact("Question", found.target ? typeset(found.target) : name(cell.target) || name(cell.asked), found.target && name(cell.asked).length <= 120 ? make("div", { class: "note" }, name(cell.asked)) : null),
    fact("Expected", entry(n, 4), cell.why === undefined ? null : make("span", { class: "note" }, ` ${name(cell.why)}`)),
    fact("Audit", name(cell.audit)),
    fact("Reason", name(cell.reason)),
    fact("Error", name(cell.error)),
    fact("Engine", entry(n, 6), work.length ? make("span", { class: "note" }, ` ${work.join(", ")}`) : null),
    fact("Cost", costs.join(", "), make("span", { class: "note" }, ` within ${bounds.join(", ")}${cell.attempts > 1 ? `; ${cell.attempts} attempts` : ""}`)));
}
function circumstances(n) {
  const cell = cells[n], host = hosts[cell.host];
  const verify = cell.file && cell.copy ? make("code", {}, `petricheck verify ${cell.copy} ${cell.file}`) : null;
  return make("dl", {},
    fact("Configuration", make("code", {}, name(cell.definition))),
    host ? fact("Host", `${host.name}, ${host.system}, ${counted(host.cores, "core")}, ${(host.memory / 2 ** 30).toFixed(1)} GiB`, make("div", { class: "note" }, host.versions.join(", "))) : [],
    fact("Finished", cell.finished.slice(0, 19).replace("T", " "), " UTC"),
    fact("Source", name(cell.source)),
    fact("Check again", verify, verify && make("span", { class: "note" }, " in a folder that petricheck batch export --evidence has written")));
}
function proof(n, panel) {
  const cell = cells[n], found = evidence[cell.evidence], net = nets[cell.net];
  const sections = found.kind === "claims" ? found.claims : [found];
  if (found.kind === "claims") panel.append(...found.says.map((line) => make("p", {}, line)));
  if (found.kind !== "none") showSections(sections, net, panel);
  else if (["correct", "wrong", "solved"].includes(cell.state)) panel.append(make("p", { class: "note" }, "This verdict came without evidence."));
  if (found.left) panel.append(make("p", { class: "note" }, `${counted(found.left, "more claim")} not shown here.`));
  if (net.drawing && !showsNet(sections)) panel.append(make("h3", {}, "Net"), make("div", { class: "drawing" }, drawing(net)));
}
function go(where) { history.replaceState(null, "", where); follow(); }

function open(n) {
  const order = visible(), at = order.indexOf(n);
  const step = (sign, label, text) => make("button", { type: "button", "aria-label": label, title: label, ...(at >= 0 && order[at + sign] !== undefined ? {} : { disabled: "" }), onclick: () => go(`#cell-${order[at + sign]}`) }, text);
  const panel = make("div", { class: "proof" });
  const close = make("button", { type: "button", "aria-label": "Close", title: "Close (Esc)", onclick: () => dialog.close() }, "×");
  dialog.replaceChildren(
    make("header", {}, make("div", {}, make("h2", { id: "detail-title" }, entry(n, 0)),
      make("p", {}, make("span", { class: `badge ${cells[n].state}` }, entry(n, 5)), ` ${entry(n, 1)} · ${entry(n, 3)}`)),
      make("div", { class: "steer" }, step(-1, "Previous cell", "‹"), step(1, "Next cell", "›"), close)),
    make("div", { class: "content", tabindex: "0" }, facts(n), panel, make("h3", {}, "Run"), circumstances(n)));
  proof(n, panel);
  for (const row of body.querySelectorAll("tr.open")) row.classList.remove("open");
  rows[n].classList.add("open");
  if (!dialog.open) dialog.showModal();
  dialog.querySelector(".content").focus();
}
dialog.addEventListener("close", () => {
  if (dialog.open) return;
  if (location.hash.startsWith("#cell-")) history.replaceState(null, "", "#cells");
  const row = body.querySelector("tr.open");
  if (row) { row.classList.remove("open"); row.querySelector("a").focus({ preventScroll: true }); }
});
/* What is modal fills one sheet of paper at most, so an open detail is printed as if it were not. */
let printed = false;
addEventListener("beforeprint", () => { printed = dialog.open; if (printed) { dialog.close(); dialog.show(); } });
addEventListener("afterprint", () => { if (printed) { dialog.close(); dialog.showModal(); } });
dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
dialog.addEventListener("keydown", (event) => {
  const way = { ArrowLeft: 0, ArrowRight: 1 }[event.key];
  if (event.target.closest(".scroll, .drawing, .formula")) return;
  if (way === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  dialog.querySelectorAll(".steer button")[way].click();
});
function follow() {
  const found = /^#(cell|net)-(\d+)$/.exec(location.hash);
  if (found && found[1] === "cell" && rows[found[2]]) return open(Number(found[2]));
  if (found && found[1] === "net" && nets[found[2]]) {
    if (dialog.open) { const hash = location.hash; dialog.close(); history.replaceState(null, "", hash); }
    const net = document.getElementById(`net-${found[2]}`);
    net.open = true;
    return requestAnimationFrame(() => net.scrollIntoView({ block: "start" }));
  }
  if (dialog.open) dialog.close();
}
addEventListener("hashchange", follow);
body.addEventListener("click", (event) => {
  const row = event.target.closest("tr");
  if (!row || event.target.closest("a") || String(getSelection())) return;
  location.hash = row.querySelector("a").hash;
});

/* Sorting. */

const number = new Map(rows.map((row, n) => [row, n]));
const compare = new Intl.Collator("en", { numeric: true }).compare;
function sort(column, descending) {
  const key = NUMBERS[column];
  const value = key ? (n) => cells[n][key] : (n) => rows[n].cells[column].textContent;
  const values = rows.map((_, n) => value(n));
  const lacks = (x) => x === null || x === "";
  const order = rows.map((_, n) => n).sort((a, b) => {
    const x = values[a], y = values[b];
    if (lacks(x) || lacks(y)) return lacks(x) - lacks(y) || a - b;
    const way = key ? x - y : compare(x, y);
    return (descending ? -way : way) || a - b;
  });
  body.append(...order.map((n) => rows[n]));
  Array.from(table.tHead.rows[0].cells).forEach((head, n) => {
    if (n === column) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  });
}
Array.from(table.tHead.rows[0].cells).forEach((head, n) => {
  const button = make("button", { type: "button" }, head.textContent);
  button.addEventListener("click", () => {
    const was = head.getAttribute("aria-sort");
    sort(n, was ? was === "ascending" : n in NUMBERS);
  });
  head.replaceChildren(button);
});

/* Filtering. */

const form = document.getElementById("filter");
const control = (id) => document.getElementById(id);
let texts = null;

function options(id, title, column) {
  const counts = new Map();
  rows.forEach((_, n) => { const text = column === null ? cells[n].state : entry(n, column); counts.set(text, (counts.get(text) || 0) + 1); });
  const choices = [...counts.keys()].sort(compare).map((text) => ["=" + text, text]);
  if (id === "by-outcome") {
    const verdicts = [...new Set(rows.map((_, n) => entry(n, COLUMN.outcome).slice(2)))].sort(compare);
    choices.push(...verdicts.filter((text) => !counts.has(text)).map((text) => ["?" + text, text]));
  }
  fill(control(id), [make("option", { value: "" }, title), choices.map(([value, text]) => make("option", { value }, text || "–"))]);
}
function visible() { return Array.from(body.rows).filter((row) => !row.hidden).map((row) => number.get(row)); }
function filter() {
  const words = control("text").value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length && !texts) texts = rows.map((row) => row.textContent.toLowerCase());
  const outcome = control("by-outcome").value, configuration = control("by-configuration").value, collection = control("by-collection").value;
  const fits = (n) => words.every((word) => texts[n].includes(word)) &&
    (!outcome || (outcome[0] === "=" ? cells[n].state : entry(n, COLUMN.outcome).slice(2)) === outcome.slice(1)) &&
    (!configuration || entry(n, COLUMN.configuration) === configuration.slice(1)) &&
    (!collection || entry(n, COLUMN.collection) === collection.slice(1)) &&
    wanted.every((column) => tests[column](entry(n, column)));
  const tests = narrow.map((input, column) => demand(input.value, column));
  narrow.forEach((input, column) => input.classList.toggle("wrong", !tests[column]));
  const wanted = Array.from(tests.keys()).filter((column) => tests[column] && narrow[column].value.trim());
  let shown = 0;
  rows.forEach((row, n) => { const fit = fits(n); if (row.hidden === fit) row.hidden = !fit; shown += fit; });
  control("shown").textContent = shown === rows.length ? counted(shown, "cell") : `${grouped(shown)} of ${counted(rows.length, "cell")}`;
}
/* A field below each heading: words that a text has, or the range of a number, as it is shown. */

const narrow = Array.from(table.tHead.rows[0].cells).map((head, column) => {
  const title = head.textContent;
  const fields = { type: "search", form: "filter", autocomplete: "off", spellcheck: "false" };
  if (!(column in NUMBERS)) return make("input", { ...fields, "aria-label": `${title}: words`, title: "Words that it has" });
  const values = rows.map((_, n) => entry(n, column)).filter(Boolean).sort((a, b) => a - b);
  const range = values.length ? `${values[0]}–${values[values.length - 1]}` : "";
  return make("input", { ...fields, placeholder: range, "aria-label": `${title}: a range such as >1, <10 or 1-10`,
    title: `A range such as >1, <10 or 1-10${range ? `; there is ${range}` : ""}` });
});
table.tHead.append(make("tr", { class: "narrow" }, narrow.map((input) => make("th", {}, input))));
function demand(text, column) {
  /* What the field asks of an entry; null where it cannot be read. */
  if (!(column in NUMBERS)) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return (shown) => words.every((word) => shown.toLowerCase().includes(word));
  }
  const found = /^\s*(?:(>=?|<=?|)\s*(\d*\.?\d+)|(\d*\.?\d+)\s*[-–]\s*(\d*\.?\d+))?\s*$/.exec(text);
  if (!found) return null;
  const [, sign, bound, least, most] = found;
  return (shown) => {
    const value = Number(shown);
    if (shown === "") return false;
    if (least !== undefined) return value >= Number(least) && value <= Number(most);
    switch (sign) {
      case ">": return value > Number(bound);
      case ">=": return value >= Number(bound);
      case "<": return value < Number(bound);
      case "<=": return value <= Number(bound);
      default: return value === Number(bound);
    }
  };
}
table.tHead.addEventListener("input", filter);

const differing = document.getElementById("differing");
if (differing) {
  differing.hidden = false;
  differing.addEventListener("change", (event) => {
    for (const row of document.querySelectorAll(".matrix tbody tr")) row.hidden = event.target.checked && !row.className;
  });
}
options("by-outcome", "All outcomes", null);
options("by-configuration", "All configurations", COLUMN.configuration);
options("by-collection", "All collections", COLUMN.collection);
form.hidden = false;
for (const kind of ["input", "change"]) form.addEventListener(kind, filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filter));

/* Numbers of the summary lead to their cells. */

for (const line of document.querySelectorAll(".summary tr[data-configuration]")) {
  for (const count of line.querySelectorAll("td[data-state]")) {
    if (count.textContent === "0") continue;
    const link = make("button", { type: "button", title: "Show these cells" }, count.textContent);
    link.addEventListener("click", () => {
      form.reset();
      control("by-outcome").value = `=${count.dataset.state}`;
      control("by-configuration").value = `=${line.dataset.configuration}`;
      filter();
      control("cells").scrollIntoView();
    });
    count.replaceChildren(link);
  }
}
filter();
follow();
