// What was trained and how well it fits; which levels are alike.

import { fill, h, s } from "/assets/dom.js";
import { count, number, percent, short } from "/assets/format.js";
import { help } from "/assets/help.js";
import { factorMenu } from "/assets/levels.js";
import { chart } from "/assets/plot.js";
import { downloads } from "/assets/save.js";
import { COLOURS, scatter } from "/assets/scatter.js";
import { table } from "/assets/table.js";
import { ask } from "/assets/api.js";

const tile = (value, name, meaning) => h("div", {}, h("b", {}, value), name, help(meaning));

export function overview(view, { app, model, query, signal, trouble }) {
  const factor = model.factors.find(({ name }) => name === query.get("factor"))?.name ?? model.factors[0]?.name;
  const missed = model.held_out === null ? null : Math.exp(Math.sqrt(Math.max(0, model.held_out)));
  const levels = model.rows.length;
  fill(view,
    h("h1", {}, model.name),
    h("p", { class: "lead" }, "How words are used by the groups of a corpus: one vector for each word, seen through the weights of every group. ",
      "Look up a word with / , or begin with the words that moved most."),
    h("div", { class: "tiles" },
      tile(count(model.words), "words"), tile(count(model.tokens), "words of text"), tile(count(model.documents), "documents"),
      tile(count(levels), model.factors.length === 1 ? `levels of ${factor}` : `levels of ${model.factors.length} factors`),
      tile(count(model.dimensions), "dimensions"),
      model.held_out !== null && tile(number(model.held_out), `held-out loss: a count is missed by a factor of ${number(missed, 2)}`, "held_out")),
    h("p", {}, model.drawn
      ? h("span", { class: "badge" }, `${model.drawn.count} draws of the documents: intervals at ${percent(model.confidence)}`)
      : h("span", { class: "badge" }, "no replicates: nothing has an interval"),
    " ", model.shuffled && h("span", { class: "badge" }, `${model.shuffled.count} shuffles of ${model.shuffled.factor ?? "the labels"}`), " ",
    h("span", { class: "badge" }, model.has_corpus ? "corpus at hand: lines are shown" : "no corpus: no lines are shown")),
    model.cautions.map((caution) => h("p", { class: "caution" }, `Take care: ${caution}.`)));
  if (factor) view.append(alike({ app, model, factor, signal, trouble }));
  view.append(fitted({ app, model, signal }));
  return "Overview";
}

/** The map of the levels beside their tree. */
function alike({ app, model, factor, signal, trouble }) {
  const map = h("div", { class: "panel" }), tree = h("div", { class: "panel" });
  const rows = model.rows.filter((row) => row.factor === factor);
  const first = (level) => `/compare?${new URLSearchParams({ from: "base", to: level })}`;
  const colourings = ["nothing", model.groups && "group", ...model.factors.map(({ name }) => name).filter((name) => name !== factor), "words"].filter(Boolean);
  let by = model.groups ? "group" : "nothing";

  (async () => {
    const { rows: points, explained } = await ask("levels", { factor, show: "map" }, { signal });
    const plot = scatter({
      points: [], label: `Map of the levels of ${factor}; the table below has the same levels`, square: true, radius: 5, height: 340, named: 80,
      xTitle: "", yTitle: "", clicked: (point) => app.go(first(point.level)),
      describe: (point) => `${point.label}: ${count(point.tokens)} words${point.group ? `, ${point.group}` : ""}`,
    });
    const legend = h("ul", { class: "legend" });
    const colour = () => {
      const most = Math.max(...points.map((row) => row.tokens));
      const groups = by === "group" ? [...new Set(points.map((row) => row.group).filter(Boolean))].sort() : [];
      fill(legend, groups.map((name, k) => h("li", {}, s("svg", { viewBox: "0 0 10 10", "aria-hidden": "true" }, s("circle", { cx: 5, cy: 5, r: 5, fill: COLOURS[k % COLOURS.length] })), name)));
      const shade = (row) => by === "words" ? `hsl(207 60% ${75 - 45 * Math.sqrt(row.tokens / most)}%)` : by === "group" ? COLOURS[groups.indexOf(row.group) % COLOURS.length] : undefined;
      plot.update([...points].sort((a, b) => b.tokens - a.tokens).map((row) => ({ ...row, label: short(row.level), colour: shade(row) })));
    };
    const choices = ["nothing", model.groups && "group", "words"].filter(Boolean);
    fill(map, h("h2", {}, "Which levels are alike", help("map")),
      h("p", { class: "faint" }, `The two directions in which they differ most: ${percent(explained[0])} and ${percent(explained[1])} of the differences. Click a level to see what moved there.`),
      h("div", { class: "controls" },
        factorMenu({ model, value: factor, chosen: (name) => app.say({ factor: name }) }),
        h("label", { class: "choice" }, h("span", {}, "Colour by"), h("select", { onchange: (event) => { by = event.target.value; colour(); } },
          choices.map((name) => h("option", { value: name, selected: name === by }, name === "group" ? model.groups : name === "words" ? "size" : name))))),
      plot, legend, downloads("levels", { factor, show: "map" }));
    colour();
  })().catch((error) => fill(map, h("h2", {}, "Which levels are alike"), factorMenu({ model, value: factor, chosen: (name) => app.say({ factor: name }) }), trouble(error)));

  if (rows.length > 2) {
    const plot = chart("levels", { factor, show: "clusters" }, { label: `Tree of the levels of ${factor}`, signal });
    plot.ready.catch((error) => fill(tree, trouble(error)));
    fill(tree, h("h2", {}, "As a tree", help("tree")), plot, downloads("levels", { factor, show: "clusters" }));
  }
  const list = table([
    { name: "name", title: factor, text: true, show: (row) => h("a", { href: first(row.level), "data-link": true }, row.name) },
    model.groups && { name: "group", title: model.groups, text: true },
    { name: "documents", title: "documents", show: (row) => count(row.documents) },
    { name: "tokens", title: "words", help: "tokens", show: (row) => count(row.tokens) },
    { name: "held_out", title: "held-out loss", help: "held_out", show: (row) => number(row.held_out) },
    { name: "explained", title: "explained by shared topics", help: "explained", show: (row) => percent(row.explained) },
    { name: "own_words", title: "words with a use of their own", help: "own_words", show: (row) => count(row.own_words) },
  ].filter(Boolean), rows, { caption: `The levels of ${factor}` });
  return h("div", { class: "panels" }, map, tree, h("div", { class: "wide" }, h("h2", {}, "Level by level"), list, downloads("model", {}, { picture: false })));
}

function fitted({ model, signal }) {
  const plot = model.sweeps.length > 1 && chart("model", {}, { label: "Training and held-out loss, sweep by sweep", signal });
  plot?.ready?.catch(() => plot.remove());
  const facts = [
    ["Texts", model.inputs.join(", ") || "–"],
    ["Training", `${model.sweeps.length} sweeps (${model.stopped}); ridge ${number(model.ridge)}`],
    ["Own uses", `${count(model.deviations)} words in levels deviate from their base vector`],
    ["Seeds", model.seeds ? `${model.seeds} seeds compared` : "one seed: whether another would find these dimensions is not known"],
    ["Made by", `covec ${model.covec}; fingerprint ${model.fingerprint.slice(0, 12)}`],
    ["Most common", model.common.join(", ")],
  ];
  return h("section", {}, h("h2", {}, "How it was trained"),
    h("div", { class: "panels" }, h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "How it was trained" }, h("table", {}, h("caption", { class: "unseen" }, "How the model was trained"),
      h("tbody", {}, facts.map(([name, value]) => h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "long" }, value)))))),
    plot && h("div", {}, plot, downloads("model", {}))),
    h("p", { class: "faint" }, "For programs: ", h("a", { href: "/api/v1/openapi.json" }, "/api/v1"), "."));
}
