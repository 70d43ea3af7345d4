// Dimensions by levels: which a level stresses, which it does without.

import { ask } from "/assets/api.js";
import { fill, h, s } from "/assets/dom.js";
import { count, interval, number, short } from "/assets/format.js";
import { help } from "/assets/help.js";
import { factorMenu } from "/assets/levels.js";
import { downloads } from "/assets/save.js";
import { table } from "/assets/table.js";

const WORDS = 3;

export async function topics(view, { app, model, query, signal, trouble }) {
  const factor = model.factors.find(({ name }) => name === query.get("factor"))?.name ?? model.factors[0]?.name;
  if (!factor) {
    fill(view, h("h1", {}, "Topics"), h("p", {}, "This model has no levels, so its dimensions have no weights to compare."));
    return "Topics";
  }
  const order = query.get("order") === "spread" ? "spread" : "alike";
  const answer = await ask("topics", { factor, order, n: 8 }, { signal });
  const detail = h("section", {});
  let now = Number(query.get("dimension")) || undefined;
  const levels = answer.levels.map((k) => answer.rows[0].levels[k].level);
  const open = (dimension, quiet = false) => {
    now = dimension;
    app.say({ dimension }, { replace: true, quiet: true });
    map.mark(dimension);
    one(detail, { app, model, factor, dimension, signal, trouble });
    if (!quiet) detail.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth", block: "start" });
  };
  const map = heatmap(answer, levels, open);
  fill(view,
    h("h1", {}, "Topics"),
    h("p", { class: "lead" }, "Each row is a dimension, told by words at its two ends; each column a level. Blue: the level stresses it; orange: it does with less, or without. Choose a row for its words."),
    h("div", { class: "controls" },
      factorMenu({ model, value: factor, chosen: (value) => app.say({ factor: value }) }),
      h("label", { class: "choice" }, h("span", {}, "Order"), h("select", { onchange: (event) => app.say({ order: event.target.value }) },
        h("option", { value: "alike", selected: order === "alike" }, "alike ones together"), h("option", { value: "spread", selected: order === "spread" }, "what tells levels apart first")))),
    h("div", { class: "topics" }, h("div", {}, map, downloads("topics", { factor, order, n: 8 })), detail));
  open(now ?? [...answer.rows].sort((a, b) => b.spread - a.spread)[0].dimension, true);
  return "Topics";
}

/** From 0 over 1, the average, to 2 and more: orange, paper, blue, which all kinds of sight can tell apart. */
function shade(square) {
  const t = Math.max(-1, Math.min(1, square - 1));
  return t < 0 ? ["var(--low)", -t] : ["var(--high)", t];
}

function heatmap(answer, levels, open) {
  const place = new Map(answer.rows[0].levels.map(({ level }, k) => [level, k]));
  const most = innerWidth < 760 ? 20 : 44;
  const wide = Math.max(14, Math.min(most, 240 / levels.length)), tall = 20;
  const words = (ends) => ends.slice(0, WORDS).map(({ word }) => word).join(", ");
  const rows = answer.rows.map((row) => {
    const cells = levels.map((level, k) => {
      const { square } = row.levels[place.get(level)];
      const [fill_, opacity] = shade(square);
      return s("rect", { x: k * wide, y: 0, width: wide - 1, height: tall - 1, fill: fill_, "fill-opacity": opacity.toFixed(3) }, s("title", {}, `${short(level)}: ${number(square, 2)}`));
    });
    const told = `Dimension ${row.dimension}: ${words(row.above)} | ${words(row.below)}`;
    return h("tr", { "data-dimension": row.dimension },
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => open(row.dimension) },
        h("b", {}, `${row.unstable ? "? " : ""}${row.dimension}`), " ", words(row.above), h("span", { class: "faint" }, " | "), words(row.below))),
      h("td", { class: "strip", onclick: () => open(row.dimension) }, s("svg", { width: wide * levels.length, height: tall, role: "img", "aria-label": `${told}: ${levels.map((level) => `${short(level)} ${number(row.levels[place.get(level)].square, 2)}`).join(", ")}` }, cells)));
  });
  const heads = s("svg", { width: wide * levels.length, height: 96, "aria-hidden": "true" }, levels.map((level, k) =>
    s("text", { transform: `translate(${(k + 0.5) * wide + 3},92) rotate(-55)`, class: "column-name" }, short(level).length > 15 ? `${short(level).slice(0, 14)}…` : short(level))));
  const element = h("div", { class: "heat" },
    h("p", { class: "faint key" }, s("svg", { width: 120, height: 12, "aria-hidden": "true" }, [0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2].map((x, k) => { const [fill_, opacity] = shade(x); return s("rect", { x: k * 13, y: 0, width: 13, height: 12, fill: fill_, "fill-opacity": opacity }); })), " weight 0 – 1 – 2 and more", help("square")),
    h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Dimensions by levels" }, h("table", {}, h("caption", { class: "unseen" }, "The weight that every level gives each dimension"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "dimension: one end | the other"), h("th", { scope: "col" }, h("span", { class: "unseen" }, "levels"), heads))), h("tbody", {}, rows))));
  element.mark = (dimension) => rows.forEach((row) => row.classList.toggle("now", row.dataset.dimension === String(dimension)));
  return element;
}

async function one(place, { app, model, factor, dimension, signal, trouble }) {
  try {
    const { rows: [topic] } = await ask("topics", { factor, dimension, n: 20 }, { signal });
    const list = (words) => h("p", { class: "words" }, words.flatMap(({ word }, k) => [k ? ", " : "", app.wordLink(word, { factor })]));
    const weights = h("div", {});
    fill(place,
      h("h2", {}, `Dimension ${topic.dimension}`),
      topic.unstable && h("p", { class: "faint" }, `Not the same in every seed (agreement ${number(topic.agreement, 2)}): read it with care.`),
      h("div", { class: "panels" },
        h("div", {}, h("h3", {}, "At one end"), list(topic.above), h("h3", {}, "At the other"), list(topic.below),
          h("p", { class: "faint" }, "Words at the same end draw each other, words at opposite ends repel each other.")),
        weights),
      downloads("weights", { factor, dimension }));
    const draw = (rows) => {
      const most = Math.max(2, ...rows.map((row) => row.square_high ?? row.square));
      const bar = (row) => s("svg", { class: "meter", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
        s("rect", { class: "track", x: 0, y: 4, width: 100, height: 2 }), s("rect", { x: 0, y: 1.5, width: (100 * row.square) / most, height: 7 }));
      fill(weights, table([
        { name: "level", title: factor, text: true, show: (row) => h("a", { href: `/compare?${new URLSearchParams({ from: "base", to: row.level, by: "topical" })}`, "data-link": true }, short(row.level)) },
        { name: "square", title: "weight", help: "square", show: (row) => interval(row, "square", 2) },
        { name: "bar", title: "", text: true, value: (row) => row.square, show: bar },
        { name: "tokens", title: "words", help: "tokens", show: (row) => count(row.tokens) },
      ], rows, { caption: `The weight every level gives dimension ${dimension}`, sort: { by: "square" } }));
    };
    draw(topic.levels);
    if (model.drawn) draw((await ask("weights", { factor, dimension, sure: true }, { signal })).rows);
  } catch (error) { const told = trouble(error); if (told) fill(place, told); }
}
