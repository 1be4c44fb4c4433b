/* What all pages do: fold long tables, and step through a trace on the drawn net. Each page's own script follows. */
const HEAD = 60, TAIL = 15;

/* Elements. Text never becomes HTML. */

function make(tag, fields, ...parts) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(fields)) {
    if (key === "onclick") node.addEventListener("click", value);
    else node.setAttribute(key, value);
  }
  node.append(...parts);
  return node;
}
function draw(tag, fields, ...parts) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(fields)) node.setAttribute(key, value);
  node.append(...parts);
  return node;
}
function counted(number, noun) { return `${number} ${noun}${number === 1 ? "" : "s"}`; }

/* Tokens of a place, as the picture shows them: dots, or a number in few letters. */

const LETTERS = 18, DOTS = [[], [[0, 0]], [[-4, 0], [4, 0]], [[0, -4], [-4, 3.5], [4, 3.5]], [[-4, -4], [4, -4], [-4, 4], [4, 4]]];
function short(text) {
  const long = /\((\d+) digits\)$/.exec(text);
  const length = long ? Number(long[1]) : text.length;
  return length <= 6 ? text : text.startsWith("0x") ? "huge" : `${text[0]}.${text[1]}e${length - 1}`;
}
function cut(text) { return text.length <= LETTERS ? text : `${text.slice(0, LETTERS - 1 - (LETTERS - 1 >> 1))}…${text.slice(-(LETTERS - 1 >> 1))}`; }
function hold(place, text, colours) {
  const ring = place.querySelector("circle"), x = Number(ring.getAttribute("cx")), y = Number(ring.getAttribute("cy"));
  const dots = DOTS[text];
  place.querySelector(".held").replaceChildren(...(dots ? dots.map(([dx, dy]) => draw("circle", { cx: x + dx, cy: y + dy, r: 2.7 }))
    : [draw("text", { x, y: y + 3.6, "text-anchor": "middle", ...(short(text).length > 4 && { "font-size": 7 }) }, short(text), draw("title", {}, text))]));
  const note = place.querySelector(".colours");
  if (note) note.replaceChildren(cut(colours), draw("title", {}, colours));
}

/* A copy of a picture with heads of arcs of its own: those in something folded are not drawn. */

let copies = 0;
function copyOf(picture) {
  const copy = picture.cloneNode(true), suffix = `-${++copies}`;
  for (const head of copy.querySelectorAll("marker")) head.id += suffix;
  for (const end of ["marker-start", "marker-end"]) for (const arc of copy.querySelectorAll(`[${end}]`)) arc.setAttribute(end, arc.getAttribute(end).replace(")", `${suffix})`));
  return copy;
}

/* A table of steps: the middle of a long one is folded; beside it the net with the marking after a step. */

function fold(rows) {
  const middle = rows.slice(HEAD + 1, -TAIL);
  if (middle.length <= 5) return;
  const more = make("button", { type: "button" }, `show ${middle.length} more steps`);
  const line = make("tr", { class: "fold" }, make("td", { colspan: "3" }, more));
  for (const row of middle) row.hidden = true;
  more.addEventListener("click", () => { for (const row of middle) row.hidden = false; line.remove(); });
  middle[0].before(line);
}
function play(steps, picture) {
  const rows = [...steps.querySelectorAll("tbody tr")];
  fold(rows);
  if (!picture) return;
  const net = copyOf(picture), places = [...net.querySelectorAll(".place")];
  let at = 0;
  const back = make("button", { type: "button", "aria-label": "Step back", onclick: () => pick(at - 1, true) }, "‹");
  const on = make("button", { type: "button", "aria-label": "Step on", onclick: () => pick(at + 1, true) }, "›");
  const where = make("span", { role: "status" });
  const pick = (n, look) => {
    const marking = new Map();
    for (const row of rows.slice(0, n + 1)) for (const moved of row.querySelectorAll("[data-p]")) marking.set(moved.dataset.p, moved);
    for (const place of places) {
      const moved = marking.get(place.dataset.p); /* Of a place with colours a cell has these, and their number apart. */
      if (!moved) hold(place, place.dataset.n, place.dataset.c);
      else hold(place, moved.dataset.n ?? moved.textContent, moved.tagName === "TD" ? moved.textContent : "");
    }
    for (const part of net.querySelectorAll("[data-t]")) part.classList.toggle("fired", part.dataset.t === rows[n].dataset.t);
    where.textContent = n ? `After step ${rows[n].cells[0].textContent} of ${steps.dataset.total}` : "Initially";
    back.disabled = n === 0;
    on.disabled = n === rows.length - 1;
    rows[at].classList.remove("at");
    rows[n].classList.add("at");
    if (look) rows[n].scrollIntoView({ block: "nearest" });
    at = n;
  };
  steps.querySelector("tbody").classList.add("live");
  steps.querySelector("tbody").addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (rows.includes(row)) pick(rows.indexOf(row));
  });
  const stage = make("div", { class: "stage" }, make("div", { class: "player" }, back, on, where), make("div", { class: "drawing" }, net));
  const wide = Number(picture.getAttribute("width")) > 470;
  steps.classList.add(wide ? "above" : "beside");
  if (wide) steps.prepend(stage); else steps.append(stage);
  pick(0);
}

/* Plays all traces inside; whether one of them is in sight, so that it shows the net. */
function playAll(inside, picture) {
  const all = [...inside.querySelectorAll(".steps")];
  for (const steps of all) play(steps, picture);
  return Boolean(picture) && all.some((steps) => !steps.closest("details:not([open])"));
}
