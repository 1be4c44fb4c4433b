/* What all pages know: their data, formulas, nets, traces and invariants. Each page's own script follows. */
const data = JSON.parse(document.getElementById("data").textContent);
const { names } = data;
const HEAD = 60, TAIL = 15, CHUNK = 1000, MATRIX = 16, CASES = 12;

/* Elements. Text never becomes HTML. */

function fill(node, parts) {
  for (const part of parts.flat(Infinity)) {
    if (part !== null && part !== undefined && part !== false && part !== "") node.append(part);
  }
  return node;
}
function make(tag, fields, ...parts) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(fields || {})) {
    if (key === "onclick") node.addEventListener("click", value);
    else node.setAttribute(key, value);
  }
  return fill(node, parts);
}
function draw(tag, fields, ...parts) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(fields || {})) node.setAttribute(key, value);
  return fill(node, parts);
}
function math(tag, ...parts) {
  return fill(document.createElementNS("http://www.w3.org/1998/Math/MathML", tag), parts);
}
function counted(number, noun) { return `${grouped(number)} ${noun}${String(number) === "1" ? "" : "s"}`; }

/* Exact integers: numbers where a double holds them, else text. */

function big(value) {
  if (typeof value !== "string") return BigInt(value);
  return value.startsWith("-0x") ? -BigInt(value.slice(1)) : BigInt(value);
}
function digits(value) {
  const text = String(value).replace("-", "−");
  if (text.length <= 40) return text;
  return `${text.slice(0, 12)}…${text.slice(-6)} (${text.length} digits)`;
}
function grouped(value) { return digits(value).replace(/^−?\d+$/, (text) => text.replace(/\B(?=(\d{3})+$)/g, "\u202f")); }
function short(value) {
  const text = String(value);
  return text.length <= 4 ? text : `${text[0]}.${text[1]}e${text.length - 1}`;
}

/* Formulas. Sums are cut into pieces of mathematics, so that long ones break into lines. */

const SIGNS = { "<=": "≤", ">=": "≥", "=": "=", "!=": "≠" };

function operator(text) {
  const node = math("mo", text);
  node.setAttribute("form", "infix");
  return node;
}
function variable(number) {
  const name = names[number];
  const split = /^([A-Za-z])_?(\d+)$/.exec(name);
  if (split) return math("msub", math("mi", split[1]), math("mn", split[2]));
  const node = math("mi", name);
  node.setAttribute("mathvariant", "normal");
  return node;
}
function sum(term) {
  const pieces = [];
  const add = (value, factor) => {
    const minus = String(value).startsWith("-");
    const size = String(value).replace("-", "");
    const parts = [];
    if (pieces.length) parts.push(operator(minus ? "−" : "+"));
    else if (minus) parts.push(math("mo", "−"));
    if (!factor) parts.push(math("mn", digits(size)));
    else if (size === "1") parts.push(factor);
    else parts.push(math("mrow", math("mn", digits(size)), math("mspace"), factor));
    if (parts.length > 1 && factor && size !== "1") parts[parts.length - 1].children[1].setAttribute("width", "0.12em");
    else if (factor && size !== "1") parts[0].children[1].setAttribute("width", "0.12em");
    pieces.push(parts);
  };
  for (let i = 0; i + 1 < term.length; i += 2) add(term[i], variable(term[i + 1]));
  const constant = term[term.length - 1];
  if (String(constant) !== "0" || !pieces.length) add(constant, null);
  return pieces;
}
function atom(...groups) {
  return make("span", { class: "atom" }, groups.map((group) => math("math", math("mrow", group))));
}
function typeset(formula, depth = 0) {
  const [kind, ...rest] = formula;
  switch (kind) {
    case "and":
    case "or": {
      if (!rest.length) return atom([math("mo", kind === "and" ? "⊤" : "⊥")]);
      if (rest.length === 1) return typeset(rest[0], depth);
      const sign = kind === "and" ? "∧" : "∨";
      const parts = rest.map((part, i) => make("span", { class: "operand" }, i ? make("span", { class: "sign" }, sign) : null, typeset(part, depth + 1)));
      return make("span", { class: `${kind} ${depth ? "inner" : ""}` }, parts);
    }
    case "not": return make("span", { class: "not" }, "¬ ", make("span", { class: "inner" }, typeset(rest[0], depth + 1)));
    case "mod":
    case "not mod": {
      const [left, modulus, residue] = rest;
      return atom(...sum(left), [operator(kind === "mod" ? "≡" : "≢"), math("mn", digits(residue))],
        [math("mo", "("), math("mi", "mod"), math("mspace"), math("mn", digits(modulus)), math("mo", ")")]);
    }
    default: {
      const right = sum(rest[1]);
      right[0] = [operator(SIGNS[kind]), ...right[0]];
      return atom(...sum(rest[0]), ...right);
    }
  }
}

/* Drawings. */

function drawing(net, marking, fired) {
  const shown = net.drawing;
  const [width, height] = shown.size;
  const svg = draw("svg", { class: "net", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `the net ${net.file}` });
  for (const [source, target, weight, both, path, x, y] of shown.curves) {
    const hot = fired !== undefined && (source === fired || target === fired);
    const line = draw("path", { class: hot ? "arc fired" : "arc", d: path, "marker-end": "url(#arrow)" });
    if (both) line.setAttribute("marker-start", "url(#arrow)");
    svg.append(line);
    if (String(weight) !== "1") svg.append(draw("text", { class: "weight", x: x + 4, y: y + 3 }, digits(weight)));
  }
  shown.names.forEach((name, number) => {
    const x = shown.nodes[2 * number], y = shown.nodes[2 * number + 1];
    const place = number < shown.places;
    const label = shown.labels[number];
    const group = draw("g", { class: place ? "place" : number === fired ? "transition fired" : "transition" },
      draw("title", {}, names[name] + (label === undefined ? "" : ` – ${names[label]}`)));
    if (place) fill(group, [draw("circle", { cx: x, cy: y, r: 13 }), tokens(marking ? marking[number] : shown.tokens[number], x, y)]);
    else group.append(draw("rect", shown.lying ? { x: x - 3.5, y: y - 15, width: 7, height: 30, rx: 1 } : { x: x - 15, y: y - 3.5, width: 30, height: 7, rx: 1 }));
    const text = names[name];
    group.append(draw("text", shown.lying ? { class: "label below", x, y: y + (place ? 24 : 25) } : { class: "label", x: x + 18, y: y + 3.5 }, text.length > 14 ? text.slice(0, 13) + "…" : text));
    svg.append(group);
  });
  return svg;
}
const DOTS = [[], [[0, 0]], [[-4, 0], [4, 0]], [[0, -4], [-4, 3.5], [4, 3.5]], [[-4, -4], [4, -4], [-4, 4], [4, 4]]];
function tokens(count, x, y) {
  const dots = DOTS[Number(count)];
  if (dots) return dots.map(([dx, dy]) => draw("circle", { class: "token", cx: x + dx, cy: y + dy, r: 2.7 }));
  return draw("text", { class: "tokens", x, y: y + 3.6 }, short(count), draw("title", {}, String(count)));
}

/* Traces. */

function replay(found, each) {
  /* Calls each(step, transition, times, marking) from the initial marking on; null where a gap is. */
  let marking = found.start.map(big), number = 0;
  each(0, null, null, marking);
  const run = (steps) => {
    for (let i = 0; i < steps.length; i += 2) {
      const transition = found.transitions[steps[i]], times = big(steps[i + 1]);
      marking = marking.slice();
      for (let k = 0; k < transition.effect.length; k += 2) marking[transition.effect[k]] += times * big(transition.effect[k + 1]);
      each(++number, transition, times, marking);
    }
  };
  run(found.steps);
  if (found.gap) {
    number += found.gap.skipped;
    marking = found.gap.start.map(big);
    each(number, null, null, marking);
    run(found.gap.steps);
  }
}
function showTrace(found, net, panel) {
  const states = [];
  replay(found, (...state) => states.push(state));
  const matrix = found.places.length <= MATRIX;
  const head = make("tr", {}, make("th", { scope: "col", class: "n" }, "Step"), make("th", { scope: "col" }, "Fires"),
    matrix ? found.places.map((place) => make("th", { scope: "col", class: "n" }, names[place])) : make("th", { scope: "col" }, "Changes, and then the marking"));
  const lines = make("tbody");
  const count = states.length - 1;
  const first = (state) => make("tr", { class: "start" }, make("td", { class: "n" }, String(state[0])), make("td", {}, state[0] ? "…" : "initially"), marked(state[3], null));
  const marked = (now, before) => {
    if (matrix) return now.map((value, p) => {
      const moved = before && before[p] !== value;
      return make("td", { class: `n ${moved ? "moved" : value ? "" : "nought"}`, ...(moved ? { title: `${before[p]} before` } : {}) }, grouped(value));
    });
    const changes = [], rest = [];
    now.forEach((value, p) => {
      if (before && before[p] !== value) changes.push(make("span", { class: "moved" }, `${names[found.places[p]]} ${grouped(before[p])} → ${grouped(value)}`));
      else if (value) rest.push(make("span", {}, `${names[found.places[p]]} ${grouped(value)}`));
    });
    return make("td", { class: "changes" }, changes, rest);
  };
  const line = (n) => {
    const [number, transition, times, now] = states[n];
    if (!transition) return first(states[n]);
    return make("tr", {}, make("td", { class: "n" }, grouped(number)),
      make("td", { class: "fires" }, names[transition.name], times > 1n ? make("span", { class: "times" }, ` × ${grouped(times)}`) : null), marked(now, states[n - 1][3]));
  };
  const add = (from, to, before) => {
    const fresh = document.createDocumentFragment();
    for (let n = from; n < to; n++) { const made = line(n); made.dataset.n = n; fresh.append(made); }
    lines.insertBefore(fresh, before);
  };
  if (count <= HEAD + TAIL + 5) add(0, states.length, null);
  else fold(HEAD + 1, states.length - TAIL);
  function fold(from, to) {
    add(0, from, null);
    const more = make("button", { type: "button" });
    const whole = make("tr", { class: "fold" }, make("td", { colspan: "2" }, more), make("td", { colspan: String(matrix ? found.places.length || 1 : 1) }));
    const tell = () => { more.textContent = `show ${grouped(Math.min(CHUNK, to - from))} of ${grouped(to - from)} more steps`; };
    more.addEventListener("click", () => {
      const next = Math.min(to, from + CHUNK);
      add(from, next, whole);
      from = next;
      if (from >= to) whole.remove(); else tell();
    });
    tell();
    lines.append(whole);
    add(to, states.length, null);
  }
  const scroll = make("div", { class: "scroll steps" }, make("table", { class: `trace ${matrix ? "matrix" : ""}` }, make("thead", {}, head), lines));
  if (net.drawing) {
    const stage = make("div", { class: "stage" });
    let at = -1;
    const pick = (n, look) => {
      if (n < 0 || n >= states.length) return;
      at = n;
      const [number, transition, , now] = states[n];
      const marking = net.drawing.tokens.map(big);
      found.numbers.forEach((place, p) => { marking[place] = now[p]; });
      const fired = transition ? net.drawing.places + transition.number : undefined;
      const say = number ? `After step ${grouped(number)} of ${grouped(count + (found.gap ? found.gap.skipped - 1 : 0))}` : "Initially";
      stage.replaceChildren(make("div", { class: "player" },
        make("button", { type: "button", onclick: () => pick(at - 1, true), "aria-label": "Step back", ...(n ? {} : { disabled: "" }) }, "‹"),
        make("button", { type: "button", onclick: () => pick(at + 1, true), "aria-label": "Step on", ...(n < states.length - 1 ? {} : { disabled: "" }) }, "›"),
        make("span", { role: "status" }, say)), make("div", { class: "drawing" }, drawing(net, marking, fired)));
      for (const row of lines.querySelectorAll("tr.at")) row.classList.remove("at");
      const row = lines.querySelector(`tr[data-n="${n}"]`);
      if (row) { row.classList.add("at"); if (look) row.scrollIntoView({ block: "nearest" }); }
    };
    lines.addEventListener("click", (event) => {
      const row = event.target.closest("tr[data-n]");
      if (row) pick(Number(row.dataset.n));
    });
    lines.classList.add("live");
    pick(0);
    const wide = net.drawing.size[0] > 470;
    panel.append(make("div", { class: wide ? "above" : "beside" }, wide ? [stage, scroll] : [scroll, stage]));
  } else panel.append(scroll);
  if (found.gap) panel.append(make("p", { class: "note" }, `${grouped(found.gap.skipped)} steps in the middle are left out; the evidence file has them.`));
  const quiet = found.quiet.map(([place, value]) => `${names[place]} = ${digits(value)}`);
  if (found.hushed) quiet.push(`and ${grouped(found.hushed)} more`);
  if (quiet.length) panel.append(make("p", { class: "note" }, `Marked, and not changed by this trace: ${quiet.join(", ")}.`));
}

/* Invariants. */

/* What heads a kind, and what it means; each sentence is true of every transition, as `kinds` has checked. */
const KINDS = {
  "trivial": ["trivial", () => "holds in every marking"],
  "kept residue": ["congruence", () => "no transition changes this residue"],
  "place invariant": ["place invariant", (sum) => `no transition changes ${sum}`],
  "never grows": ["never grows", (sum) => `no transition increases ${sum}`],
  "never shrinks": ["never shrinks", (sum) => `no transition decreases ${sum}`],
  "siphon": ["siphon", () => "what puts on these places takes from them, so once empty they stay empty"],
  "empty siphon": ["empty siphon", () => "what puts on these places takes from them, so they stay empty"],
  "trap": ["trap", () => "what takes from these places puts on them, so once one is marked, one stays marked"],
  "marked trap": ["marked trap", () => "what takes from these places puts on them, so one stays marked"],
};

function list(numbers, more) {
  const shown = numbers.map((number) => names[number]).join(", ");
  return more > 0 ? `${shown} and ${grouped(more)} more` : shown;
}
function showPart(part, n, found) {
  const sum = part.initially && part.formula[2].length > 1 ? "the left side minus the right" : "this sum";
  const meaning = part.kinds.map((kind) => make("div", {}, make("span", { class: "kind" }, KINDS[kind][0]),
    make("span", { class: "meaning" }, ` ${KINDS[kind][1](sum)}`)));
  if (!meaning.length && found.audited) meaning.push(make("div", { class: "meaning" }, "as part of the whole invariant"));
  const origin = part.by.length ? make("div", { class: "origin" }, `suggested by ${part.by.map((name) => names[name].replaceAll("_", " ")).join(", ")}`) : null;
  let initially = part.holds ? "holds" : "does not hold";
  if (part.initially) {
    const sign = part.formula[0] === "mod" ? "≡" : part.formula[0] === "not mod" ? "≢" : SIGNS[part.formula[0]];
    initially = [digits(part.initially[0]), ` ${sign} `, digits(part.initially[1])];
  }
  return make("tr", {}, make("td", { class: "n" }, String(n + 1)), make("td", {}, typeset(part.formula)), make("td", {}, meaning, origin),
    make("td", { class: part.holds ? "holds" : "fails" }, make("b", {}, part.holds ? "✓ " : "✗ "), initially));
}
function showCase(shown, number, found) {
  const holds = shown.parts.every((part) => part.holds);
  const total = found.cases.length + found.more;
  const box = make("section", { class: "case" });
  if (total > 1) box.append(make("h4", {}, `Case ${number + 1}`, make("span", { class: "note" }, holds ? " – holds initially" : "")));
  box.append(make("div", { class: "scroll" }, make("table", { class: "parts" },
    make("thead", {}, make("tr", {}, ["", "Says", "How it is kept", "Initially"].map((text) => make("th", { scope: "col" }, text)))),
    make("tbody", {}, shown.parts.map((part, n) => showPart(part, n, found))))));
  const facts = make("ul", { class: "facts" });
  for (const [cube, target, part] of shown.clashes) {
    const where = found.cubes > 1 ? `Target, alternative ${cube + 1}: ` : "Target: ";
    facts.append(make("li", {}, where, typeset(target), shown.parts.length > 1 ? ` contradicts ${part + 1}.` : " contradicts it."));
  }
  if (found.cubes === null || shown.clashes.length < found.cubes) {
    const rest = shown.clashes.length ? "the rest of the target contradicts" : "the target contradicts";
    facts.append(make("li", {}, `Why ${rest} this is not explained here${found.audited ? "; that it does, the audit found" : ""}.`));
  }
  if (total > 1) for (const [to, some, all] of shown.moves) {
    const text = list(some, all - some.length);
    facts.append(make("li", {}, to === null ? "Disabled here: " : to === number ? "Stay in this case: " : `Lead to case ${to + 1}: `, make("span", { class: "ids" }, text)));
  }
  box.append(facts);
  return box;
}
function showInvariant(found, panel) {
  panel.append(make("p", {}, "It holds initially.", found.audited ? " As the audit found, every transition keeps it, and no marking in the target satisfies it." : " No audit of it is recorded."));
  if (found.formula) panel.append(make("div", { class: "formula" }, typeset(found.formula)));
  else panel.append(make("p", { class: "note" }, "It is too long to be typeset as a whole."));
  panel.append(make("h3", {}, found.cases.length > 1 ? `Its ${counted(found.cases.length + found.more, "case")}` : "Explained"));
  const boxes = found.cases.slice(0, CASES).map((each, n) => showCase(each, n, found));
  panel.append(...boxes);
  if (found.cases.length > CASES) {
    const more = make("button", { type: "button" }, `show the other ${found.cases.length - CASES} cases`);
    more.addEventListener("click", () => more.replaceWith(...found.cases.slice(CASES).map((each, n) => showCase(each, CASES + n, found))));
    panel.append(more);
  }
  if (found.more) panel.append(make("p", { class: "note" }, `${counted(found.more, "more case")}: the evidence file has all.`));
}
function showStateEquation(found, panel) {
  const equation = math("math", math("mi", "m"), operator("="), math("msub", math("mi", "m"), math("mn", "0")), operator("+"), math("mi", "D"), math("mo", "⋅"), math("mi", "x"));
  panel.append(make("p", {}, found.audited ? "As the audit found, no " : "The evidence says, and no audit is recorded, that no ", math("math", math("mi", "x"), operator("≥"), math("mn", "0")), " makes ", make("span", { class: "atom" }, equation), " a marking in the target",
    found.traps.length ? " that leaves every trap marked" : "", found.blocks ? ", where blocked transitions do not count" : "", "."));
  const facts = make("ul", { class: "facts" });
  for (const { places, always } of found.traps) facts.append(make("li", {}, make("span", { class: "kind" }, "marked trap"), ` {${places.map(([place]) => names[place]).join(", ")}}`,
    make("span", { class: "meaning" }, ` initially ${places.filter(([, value]) => value).map(([place, value]) => `${names[place]} = ${digits(value)}`).join(", ")}; what takes from it${always ? "" : " and is not blocked"} puts on it`)));
  if (found.siphon.length) facts.append(make("li", {}, make("span", { class: "kind" }, "empty siphon"), ` {${list(found.siphon, 0)}}`, make("span", { class: "meaning" }, " initially empty; what puts on it takes from it")));
  if (found.blocks) facts.append(make("li", {}, `Blocked by the siphon: ${list(found.blocked, found.blocks - found.blocked.length)}.`));
  facts.append(make("li", {}, `${counted(found.open, "transition")} in the equation.`));
  panel.append(facts);
}


/* Evidence of any kind. */

function showEvidence(found, net, panel) {
  showKind(found, net, panel);
  if (found.called && found.called.length) panel.append(make("p", { class: "note" }, `Names: ${found.called.map(([id, name]) => `${names[id]} is “${names[name]}”`).join(", ")}.`));
}
function showKind(found, net, panel) {
  switch (found.kind) {
    case "trace":
      panel.append(make("h3", {}, "Trace"), make("p", {}, found.length ? `${counted(found.length, "firing")} in ${counted(found.steps.length / 2 + (found.gap ? found.gap.skipped + found.gap.steps.length / 2 : 0), "step")}${found.leads ? " lead into the target" : ""}.` : found.leads ? "The initial marking is in the target; nothing has to fire." : "Nothing fires."));
      showTrace(found, net, panel);
      break;
    case "invariant":
      panel.append(make("h3", {}, "Invariant"));
      showInvariant(found, panel);
      break;
    case "state equation":
      panel.append(make("h3", {}, "State equation"));
      showStateEquation(found, panel);
      break;
    case "told":
      panel.append(make("h3", {}, "Certificate"), make("p", { class: "note" }, found.audited ? "What the evidence says; the audit has accepted it." : "What the evidence says; no audit of it is recorded."),
        ...found.words.map((line) => make("p", { class: "ids" }, line)));
      break;
    case "formula":
      panel.append(make("h3", {}, "Invariant"), make("div", { class: "formula" }, typeset(found.formula)), make("p", { class: "note" }, `Not explained, since ${found.why}.`));
      break;
    case "steps":
      panel.append(make("h3", {}, "Trace"), make("p", { class: "ids" }, found.steps.map(([step, times]) => `${names[step]}${String(times) === "1" ? "" : `^${digits(times)}`}`).join(" "), found.more ? ` and ${grouped(found.more)} more steps` : ""),
        make("p", { class: "note" }, `Without markings, since ${found.why}.`));
      break;
    case "missing":
      panel.append(make("h3", {}, "Evidence"), make("p", {}, `The evidence is not shown: ${found.why}.`));
      break;
  }
}
