/* The page of one question. */
const { net, question, sections } = data;
const panel = document.getElementById("proof");

if (question) document.getElementById("target").replaceChildren(typeset(question));
showSections(sections, net, panel);
if (net.drawing && !showsNet(sections)) panel.append(make("h3", {}, "Net"), make("div", { class: "drawing" }, drawing(net)));
if (!net.drawing) panel.append(make("p", { class: "note" }, "The net is too large to be drawn: more than 100 places and transitions."));
