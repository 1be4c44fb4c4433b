/* The page of one answer. */
const { net, question, evidence } = data;
const panel = document.getElementById("proof");

if (question) document.getElementById("target").replaceChildren(typeset(question));
if (evidence.kind !== "none") showEvidence(evidence, net, panel);
if (net.drawing && evidence.kind !== "trace") panel.append(make("h3", {}, "Net"), make("div", { class: "drawing" }, drawing(net)));
if (!net.drawing) panel.append(make("p", { class: "note" }, "The net is too large to be drawn: more than 100 places and transitions."));
