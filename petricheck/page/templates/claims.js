/* Claims that answer a question together. */

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
function showPumped(found, net, inside) {
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
function showClaim(found, net, inside) {
  if (found.claim === "never") inside.append(make("p", { class: "note" }, "Below, the target is what is never reached."));
  if (found.claim === "pumped") showPumped(found, net, inside);
  else showEvidence(found, net, inside);
  if (found.claim === "reached" && (found.stops.length > 1 || found.left)) {
    inside.append(make("ul", { class: "facts" }, found.stops.map(([step, formula]) => make("li", {}, step ? `After step ${grouped(step)}: ` : "Initially: ", stopped(formula)))));
    if (found.left) inside.append(make("p", { class: "note" }, `${counted(found.left, "more formula")} that hold on the way are not shown.`));
  }
}
function showSection(found, net, panel, folding) {
  if (!found.claim) return showEvidence(found, net, panel);
  const inside = make("div", { class: "claim" });
  if (!folding) {
    panel.append(make("h3", {}, said(found)), inside);
    return showClaim(found, net, inside);
  }
  const folded = make("details", {}, make("summary", {}, said(found)), inside);
  folded.addEventListener("toggle", () => { if (!inside.childNodes.length) showClaim(found, net, inside); });
  panel.append(folded);
}
function showSections(sections, net, panel) {
  for (const found of sections) showSection(found, net, panel, sections.length > FOLDED);
}
/* Whether one of them draws the net. */
function showsNet(sections) { return sections.length <= FOLDED && sections.some((found) => found.kind === "trace" || found.trace); }
