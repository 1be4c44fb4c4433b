/* The page of one question. */
const { net, question, sections } = data;
const panel = document.getElementById("proof");
const FOLDED = 3;

/* What a claim says, in a line. */
function said(found) {
  switch (found.claim) {
    case "reached": return ["Reached: ", found.stops.length === 1 && !found.left ? stopped(found.stops[0][1]) : `${grouped(found.stops.length + found.left)} formulas, one after the other`];
    case "never": return ["Never: ", stopped(found.says)];
    case "pumped": return ["Grows without end: ", found.sums.slice(0, 5).map((term, n) => [n ? ", " : "", atom(...sum(term))]), found.sums.length + found.left > 5 ? ` and ${grouped(found.sums.length + found.left - 5)} more` : ""];
    default: return [];
  }
}
function stopped(formula) { return formula ? typeset(formula) : "a formula that is too long to be shown"; }
function fired({ steps, more }) {
  return make("span", { class: "ids" }, steps.map(([step, times]) => `${names[step]}${String(times) === "1" ? "" : `^${digits(times)}`}`).join(" "), more ? ` and ${grouped(more)} more steps` : "");
}
function showPumped(found, inside) {
  if (found.left) inside.append(make("p", { class: "note" }, `${counted(found.left, "more sum")} of the same kind.`));
  for (const { stem, loop, changes, left } of found.stages) {
    const listed = changes.map(([place, value]) => `${names[place]} ${String(value).startsWith("-") ? "" : "+"}${digits(value)}`).join(", ");
    inside.append(make("ul", { class: "facts" },
      stem.steps.length ? make("li", {}, "Fire ", fired(stem)) : null,
      make("li", {}, "Repeat ", fired(loop)),
      make("li", {}, `One repetition changes ${listed}${left ? ` and ${counted(left, "more place")}` : ""}.`)));
  }
  if (found.stages.length > 1) inside.append(make("p", { class: "note" }, "What is taken from places to which loops before have added is there: those loops are repeated as often as it needs."));
  if (found.trace) {
    inside.append(make("p", {}, found.trace.loop ? `The loop once, after step ${grouped(found.trace.loop)}:` : "The loop once:"));
    showTrace(found.trace, net, inside);
  }
}
function showClaim(found, inside) {
  if (found.claim === "never") inside.append(make("p", { class: "note" }, "Below, the target is what is never reached."));
  if (found.claim === "pumped") showPumped(found, inside);
  else showEvidence(found, net, inside);
  if (found.claim === "reached" && (found.stops.length > 1 || found.left)) {
    inside.append(make("ul", { class: "facts" }, found.stops.map(([step, formula]) => make("li", {}, step ? `After step ${grouped(step)}: ` : "Initially: ", stopped(formula)))));
    if (found.left) inside.append(make("p", { class: "note" }, `${counted(found.left, "more formula")} that hold on the way are not shown.`));
  }
}
function showSection(found) {
  if (!found.claim) return showEvidence(found, net, panel);
  if (sections.length <= FOLDED) {
    const inside = make("div", { class: "claim" });
    panel.append(make("h3", {}, said(found)), inside);
    return showClaim(found, inside);
  }
  const inside = make("div", { class: "claim" });
  const folded = make("details", {}, make("summary", {}, said(found)), inside);
  folded.addEventListener("toggle", () => { if (!inside.childNodes.length) showClaim(found, inside); });
  panel.append(folded);
}

if (question) document.getElementById("target").replaceChildren(typeset(question));
sections.forEach(showSection);
const drawn = sections.length <= FOLDED && sections.some((found) => found.kind === "trace" || found.trace);
if (net.drawing && !drawn) panel.append(make("h3", {}, "Net"), make("div", { class: "drawing" }, drawing(net)));
if (!net.drawing) panel.append(make("p", { class: "note" }, "The net is too large to be drawn: more than 100 places and transitions."));
