// Two levels, or cells of several factors: all words, how far each moved against how often it occurs.

import { ask } from "/assets/api.js";
import { fill, h } from "/assets/dom.js";
import { count, interval, number, percent, short } from "/assets/format.js";
import { help } from "/assets/help.js";
import { cellMenu } from "/assets/levels.js";
import { downloads } from "/assets/save.js";
import { scatter } from "/assets/scatter.js";
import { table } from "/assets/table.js";

/** Points that are drawn; of more, those that moved most and the most common. */
const MOST = 10_000;

export async function compare(view, { app, model, query, signal, trouble }) {
  if (model.rows.length === 0) {
    fill(view, h("h1", {}, "Compare"), h("p", {}, "This model has no levels to compare: all its documents are of one kind."));
    return "Compare";
  }
  const [from, to] = [query.get("from") ?? "base", query.get("to") ?? model.rows[model.rows.length - 1].level];
  const by = query.get("by") === "topical" ? "topical" : "own";
  const least = query.get("least") ?? "";
  const asked = { from, to, min_support: least };
  const place = h("div", {}, h("p", { class: "waiting" }, "Comparing all words …"));
  const swap = () => app.say({ from: to, to: from });
  fill(view,
    h("h1", {}, `${short(from)} → ${short(to)}`),
    h("p", { class: "lead" }, "Every word that is common enough in both: the higher, the more its use differs; the further right, the more often it occurs. Drag over the points to list them, click one to open it."),
    h("div", { class: "controls" },
      cellMenu({ model, label: "From", value: from, chosen: (value) => app.say({ from: value }) }),
      h("button", { type: "button", "aria-label": "Swap the two levels", onclick: swap }, "⇄"),
      cellMenu({ model, label: "To", value: to, chosen: (value) => app.say({ to: value }) }),
      h("label", { class: "choice" }, h("span", {}, "Part", help("own")), h("select", { onchange: (event) => app.say({ by: event.target.value }) },
        h("option", { value: "own", selected: by === "own" }, "own use"), h("option", { value: "topical", selected: by === "topical" }, "topics"))),
      h("label", { class: "choice" }, h("span", {}, "Least count", help("count")), h("input", { type: "number", min: 1, value: least || model.min_support, onchange: (event) => app.say({ least: event.target.value }) }))),
    place);
  const working = ({ working: stage, share }) => fill(place, h("p", { class: "waiting" }, `Comparing all words: ${stage}${share === null ? "" : ` ${percent(share)}`} …`));
  ask("moved", asked, { signal, working })
    .then((answer) => { draw(place, { app, model, answer, asked, by, to, from, signal }); })
    .catch((error) => { const told = trouble(error); if (told) fill(place, told); });
  return `${short(from)} → ${short(to)}`;
}

function draw(place, { app, model, answer, asked, by, to, from, signal }) {
  let rows = answer.rows, brushed;
  const measure = (row) => row[`${by}_corrected`] ?? row[by];
  const points = () => {
    const sorted = [...rows].sort((a, b) => (Boolean(a.verdict) - Boolean(b.verdict)) || measure(b) - measure(a));
    return sorted.slice(0, MOST).map((row) => ({ x: row.count_to, y: row[by], label: row.word, faint: Boolean(row.verdict), row }));
  };
  const told = h("p", { class: "faint" });
  const plot = scatter({
    points: points(), logX: true, height: 520, named: 70,
    label: `All words by how far they moved from ${short(from)} to ${short(to)}, against how often they occur; the table has the same rows`,
    xTitle: `occurrences in ${short(to)} (logarithmic)`, yTitle: by === "own" ? "own part: change of log counts" : "topical part: change of log counts",
    clicked: ({ label }) => app.go(app.wordAddress(label, wordLevel(model, to))),
    brushed: (under) => { brushed = under && new Set(under.map(({ label }) => label)); list.update(shown()); tell(); },
    describe: ({ row }) => `${row.word}: own ${interval(row, "own")}, topical ${number(row.topical)}, ${count(row.count_to)} times${row.verdict ? `; ${row.verdict}` : ""}`,
  });
  const shown = () => (brushed ? rows.filter((row) => brushed.has(row.word)) : rows).map((row) => ({ ...row, faint: Boolean(row.verdict) }));
  const list = table([
    { name: "word", title: "word", text: true, show: (row) => app.wordLink(row.word, wordLevel(model, to)) },
    { name: "own", title: "own", help: "own", value: (row) => row.own_corrected ?? row.own, show: (row) => interval(row, "own") },
    { name: "topical", title: "topical", help: "topical", show: (row) => number(row.topical) },
    { name: "overlap", title: "kept", help: "overlap", first: "rising", show: (row) => percent(row.overlap) },
    { name: "q", title: "q", help: "q", first: "rising", show: (row) => number(row.q, 2) },
    { name: "count_to", title: "count", help: "count", show: (row) => count(row.count_to) },
  ].filter(({ name }) => name !== "q" || (from === "base" && to.startsWith(`${model.shuffled?.factor}=`) && !to.includes(","))), shown(), { caption: `Words that moved from ${short(from)} to ${short(to)}`, sort: { by }, filter: (row) => row.word, most: 300 });
  const tell = () => {
    const moved = rows.filter((row) => !row.verdict).length;
    const how = rows[0]?.q !== undefined ? "moved by more than chance" : "have intervals above 0, each by itself, so some by chance";
    told.textContent = [
      brushed ? `${count(brushed.size)} words under the brush; click an empty place to see all.` : `${count(rows.length)} words; ${count(answer.left_out)} are too rare.`,
      rows[0]?.verdict !== undefined && `${count(moved)} ${how}; faint: not distinguishable from no change.`,
      rows.length > MOST && `The ${count(MOST)} that moved most are drawn.`,
    ].filter(Boolean).join(" ");
  };
  tell();
  const waiting = model.drawn || model.shuffled ? h("p", { class: "waiting" }, "Asking the replicates which moves are more than chance …") : null;
  fill(place, told, waiting, h("div", { class: "panels" }, h("div", {}, plot), h("div", {}, list)), downloads("moved", asked));
  if (!waiting) return;
  ask("moved", { ...asked, sure: true }, { signal, working: ({ share }) => { waiting.textContent = `Asking the replicates which moves are more than chance … ${share === null ? "" : percent(share)}`; } })
    .then((sure) => { rows = sure.rows; plot.update(points()); list.update(shown()); tell(); })
    .catch(() => {})
    .finally(() => waiting.remove());
}

/** How the word's page is told of the level. */
function wordLevel(model, level) {
  const own = model.rows.find((row) => row.level === level);
  return own ? { factor: own.factor, level } : {};
}
