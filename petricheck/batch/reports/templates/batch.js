/* The page of a batch. */
const table = document.getElementById("table");
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const COLUMN = { question: 0, collection: 1, net: 2, configuration: 3, expected: 4, outcome: 5, engine: 6 };
const NUMBERS = 7; /* the first column of numbers */
const states = rows.map((row) => row.className);
function state(n) { return states[n]; }

const dialog = document.getElementById("detail");
function entry(n, column) { return rows[n].cells[column].textContent; }

/* The detail of a cell: copies of what the page holds of it. */

function copy(id) { return document.getElementById(id).content.cloneNode(true); }
function go(where) { history.replaceState(null, "", where); follow(); }

function open(n) {
  const order = visible(), at = order.indexOf(n);
  const step = (sign, label, text) => make("button", { type: "button", "aria-label": label, title: label, ...(at >= 0 && order[at + sign] !== undefined ? {} : { disabled: "" }), onclick: () => go(`#cell-${order[at + sign]}`) }, text);
  const { net, evidence } = document.getElementById(`detail-${n}`).dataset;
  const content = make("div", { class: "content", tabindex: "0" }, copy(`detail-${n}`));
  const panel = content.querySelector(".proof"), picture = document.querySelector(`#net-${net} svg`);
  panel.append(copy(`evidence-${evidence}`));
  if (!panel.childElementCount && ["correct", "wrong", "solved"].includes(state(n))) panel.append(make("p", { class: "note" }, "This verdict came without evidence."));
  if (!playAll(panel, picture) && picture) panel.append(make("h3", {}, "Net"), make("div", { class: "drawing" }, copyOf(picture)));
  const close = make("button", { type: "button", "aria-label": "Close", title: "Close (Esc)", onclick: () => dialog.close() }, "×");
  dialog.replaceChildren(
    make("header", {}, make("div", {}, make("h2", { id: "detail-title" }, entry(n, 0)),
      make("p", {}, make("span", { class: `badge ${state(n)}` }, entry(n, 5)), ` ${entry(n, 1)} · ${entry(n, 3)}`)),
      make("div", { class: "steer" }, step(-1, "Previous cell", "‹"), step(1, "Next cell", "›"), close)),
    content);
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
  if (found && found[1] === "net" && document.getElementById(`net-${found[2]}`)) {
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
  const values = rows.map((_, n) => entry(n, column));
  const lacks = (x) => x === "";
  const order = rows.map((_, n) => n).sort((a, b) => {
    const x = values[a], y = values[b];
    if (lacks(x) || lacks(y)) return lacks(x) - lacks(y) || a - b;
    const way = column >= NUMBERS ? x - y : compare(x, y);
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
    sort(n, was ? was === "ascending" : n >= NUMBERS);
  });
  head.replaceChildren(button);
});

/* Filtering. */

const form = document.getElementById("filter");
const control = (id) => document.getElementById(id);
let texts = null;

function options(id, title, column) {
  const counts = new Map();
  rows.forEach((_, n) => { const text = column === null ? state(n) : entry(n, column); counts.set(text, (counts.get(text) || 0) + 1); });
  const choices = [...counts.keys()].sort(compare).map((text) => ["=" + text, text]);
  if (id === "by-outcome") {
    const verdicts = [...new Set(rows.map((_, n) => entry(n, COLUMN.outcome).slice(2)))].sort(compare);
    choices.push(...verdicts.filter((text) => !counts.has(text)).map((text) => ["?" + text, text]));
  }
  control(id).append(make("option", { value: "" }, title), ...choices.map(([value, text]) => make("option", { value }, text || "–")));
}
function visible() { return Array.from(body.rows).filter((row) => !row.hidden).map((row) => number.get(row)); }
function filter() {
  const words = control("text").value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length && !texts) texts = rows.map((row) => row.textContent.toLowerCase());
  const outcome = control("by-outcome").value, configuration = control("by-configuration").value, collection = control("by-collection").value;
  const fits = (n) => words.every((word) => texts[n].includes(word)) &&
    (!outcome || (outcome[0] === "=" ? state(n) : entry(n, COLUMN.outcome).slice(2)) === outcome.slice(1)) &&
    (!configuration || entry(n, COLUMN.configuration) === configuration.slice(1)) &&
    (!collection || entry(n, COLUMN.collection) === collection.slice(1)) &&
    wanted.every((column) => tests[column](entry(n, column)));
  const tests = narrow.map((input, column) => demand(input.value, column));
  narrow.forEach((input, column) => input.classList.toggle("wrong", !tests[column]));
  const wanted = Array.from(tests.keys()).filter((column) => tests[column] && narrow[column].value.trim());
  let shown = 0;
  rows.forEach((row, n) => { const fit = fits(n); if (row.hidden === fit) row.hidden = !fit; shown += fit; });
  control("shown").textContent = shown === rows.length ? counted(shown, "cell") : `${shown} of ${counted(rows.length, "cell")}`;
}
/* A field below each heading: words that a text has, or the range of a number, as it is shown. */

const narrow = Array.from(table.tHead.rows[0].cells).map((head, column) => {
  const title = head.textContent;
  const fields = { type: "search", form: "filter", autocomplete: "off", spellcheck: "false" };
  if (!(column >= NUMBERS)) return make("input", { ...fields, "aria-label": `${title}: words`, title: "Words that it has" });
  const values = rows.map((_, n) => entry(n, column)).filter(Boolean).sort((a, b) => a - b);
  const range = values.length ? `${values[0]}–${values[values.length - 1]}` : "";
  return make("input", { ...fields, placeholder: range, "aria-label": `${title}: a range such as >1, <10 or 1-10`,
    title: `A range such as >1, <10 or 1-10${range ? `; there is ${range}` : ""}` });
});
table.tHead.append(make("tr", { class: "narrow" }, ...narrow.map((input) => make("th", {}, input))));
function demand(text, column) {
  /* What the field asks of an entry; null where it cannot be read. */
  if (!(column >= NUMBERS)) {
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
