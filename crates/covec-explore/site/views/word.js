// A word: what it is near to in every level, what moved around it and why, along an ordered factor, and in the text.

import { ask } from "/assets/api.js";
import { fill, h } from "/assets/dom.js";
import { cosine, count, interval, number, percent, short } from "/assets/format.js";
import { help } from "/assets/help.js";
import { factorMenu } from "/assets/levels.js";
import { chart } from "/assets/plot.js";
import { rays } from "/assets/rays.js";
import { downloads } from "/assets/save.js";
import { table } from "/assets/table.js";

const MOST = 23;

export async function word(view, { app, model, query, signal, trouble }) {
  const name = query.get("w");
  if (!name) return welcome(view, { app, model, signal });
  const factor = model.factors.find((own) => own.name === query.get("factor")) ?? model.factors[0];
  const all = model.rows.filter((row) => row.factor === factor?.name).map((row) => row.level);
  const views = ["base", ...all.slice(0, MOST)];
  const asked = { word: name, in: views };
  const found = await ask("neighbors", { ...asked, n: 10 }, { signal });
  const there = found.levels.filter((own) => own.enough);
  const rare = found.levels.filter((own) => !own.enough);
  if (there.length === 0) {
    fill(view, h("h1", {}, name), h("p", {}, `“${name}” occurs ${count(found.levels[0]?.count ?? 0)} times, too rarely to say what it means (fewer than ${model.min_support}).`));
    return name;
  }
  let level = query.get("level");
  if (!there.some((own) => own.level === level)) level = there.length > 1 ? there[there.length - 1].level : "base";

  const state = { app, model, name, factor, views, there, found, signal, trouble, level, near: query.get("near") };
  const lists = h("div", { class: "lists", tabindex: "0", role: "region", "aria-label": "Neighbours level by level" });
  const map = h("div", {}), moves = h("section", {}), why = h("section", {}), lines = h("section", {}), trend = h("section", {});
  state.parts = { lists, map, moves, why, lines, trend };
  fill(view,
    h("h1", {}, name),
    h("p", { class: "lead" }, `Occurs ${count(found.levels[0].count)} times. `,
      rare.length > 0 && `Too rare to say (fewer than ${model.min_support} times) in ${rare.map((own) => `${short(own.level)} (${count(own.count)})`).join(", ")}. `,
      all.length > MOST && `The first ${MOST} of ${all.length} levels are shown.`),
    h("div", { class: "controls" }, factorMenu({ model, value: factor?.name, chosen: (value) => app.say({ factor: value, level: null }) })),
    h("h2", {}, "What it is near to", help("cosine")),
    h("p", { class: "faint" }, "Nearest words by cosine. ", h("span", { class: "gain-key" }, "+ gained"), ": not among the ten nearest in the first list; struck out: lost since."),
    lists, downloads("neighbors", { ...asked, n: 10 }),
    h("div", { class: "panels" },
      h("section", {}, h("h2", {}, "As a map", help("rays")), map, downloads("neighborhood", { ...asked, n: 6 })),
      moves),
    why, trend, lines);
  drawLists(state, found.rows);
  steady(state, asked);
  drawMap(state, asked);
  choose(state, level);
  return name;
}

/** Words to begin with, where none is named. */
async function welcome(view, { app, model, signal }) {
  const { rows } = await ask("words", { n: 150 }, { signal });
  const long = rows.filter(({ word: own }) => own.length > 5).slice(0, 40);
  fill(view, h("h1", {}, "Which word?"), h("p", { class: "lead" }, "Type one into the box above (press /), or begin with one of these; words that moved most between two levels are under ",
    h("a", { href: "/compare", "data-link": true }, "Compare"), "."),
  h("p", { class: "words" }, (long.length ? long : rows.slice(0, 40)).flatMap(({ word: own }, k) => [k ? ", " : "", app.wordLink(own)])),
  model.factors.length === 0 && h("p", { class: "faint" }, "This model has no levels to compare."));
  return "Word";
}

function drawLists({ app, name, there, found, level, parts: { lists } }, rows) {
  fill(lists, there.map((own) => {
    const mine = rows.filter((row) => row.level === own.level);
    const list = (change) => mine.filter((row) => (row.change === "lost") === change);
    const item = (row) => h("li", { class: [row.change === "lost" && "lost", row.among_nearest !== undefined && row.among_nearest !== null && row.among_nearest < 0.5 && "unsteady"].filter(Boolean).join(" ") || undefined },
      h("span", {}, row.change === "gained" && h("span", { class: "gained", "aria-hidden": "true" }, "+ "),
        app.wordLink(row.neighbor), row.change === "gained" && h("span", { class: "unseen" }, " (gained)"), row.change === "lost" && h("span", { class: "unseen" }, " (lost)")),
      h("small", { title: row.cosine_low === undefined ? undefined : `interval ${interval(row, "cosine", 2)}; among the 10 nearest in ${percent(row.among_nearest)} of the draws` },
        row.cosine_low === undefined || row.cosine_low === null ? cosine(row.cosine) : `${cosine(row.cosine)} ${percent(row.among_nearest)}`));
    return h("section", { "data-level": own.level, class: own.level === level ? "now" : undefined },
      h("h3", {}, h("button", { type: "button", class: "link", onclick: () => lists.choose?.(own.level) }, short(own.level)), " ", h("small", {}, count(own.count))),
      h("ol", {}, list(false).map(item)),
      list(true).length > 0 && h("ul", { "aria-label": `Lost in ${short(own.level)}` }, list(true).slice(0, 5).map(item)));
  }));
  if (found && name) lists.setAttribute("aria-label", `Neighbours of ${name} level by level`);
}

/** The same with intervals, once the replicates have been asked. */
function steady(state, asked) {
  const { model, signal, found, parts: { lists } } = state;
  if (!model.drawn) return;
  const told = h("p", { class: "waiting" }, "Asking the replicates how steady these are …");
  lists.after(told);
  ask("neighbors", { ...asked, n: 10, sure: true }, { signal, working: ({ share }) => {
    told.textContent = `Asking the replicates how steady these are … ${share === null ? "" : percent(share)}`;
  } }).then(({ rows }) => {
    const lost = found.rows.filter((row) => row.change === "lost");
    drawLists(state, [...rows, ...lost]);
    mark(state);
    told.className = "faint";
    fill(told, "Beside each cosine: in what share of the draws of the documents the word is among the ten nearest", help("among_nearest"), "; in italics where that is less than half.");
  }).catch(() => told.remove());
}

async function drawMap(state, asked) {
  const { app, name, there, found, signal, trouble, level, parts: { map } } = state;
  try {
    const { rows } = await ask("neighborhood", { ...asked, n: 6 }, { signal });
    const rank = new Map(found.rows.filter((row) => row.change !== "lost").map((row) => [`${row.level}\0${row.neighbor}`, row.change ?? "kept"]));
    state.player = rays({ word: name, rows, levels: there, level,
      near: (own, neighbor) => rank.get(`${own}\0${neighbor}`),
      chosen: (neighbor) => look(state, neighbor),
      moved: (own) => { if (state.level !== own) choose(state, own); } });
    fill(map, state.player, h("p", { class: "faint" }, "Choose a word to see why it moved, and lines in which both occur; ", h("span", { class: "gain-key" }, "gained"), " ones stand out."));
  } catch (error) { fill(map, trouble(error)); }
}

/** Marks the level that is looked at. */
function mark({ level, parts: { lists } }) {
  for (const own of lists.children) own.classList.toggle("now", own.dataset.level === level);
}

/** Looks at a level: what moved there, compared with the base. */
function choose(state, level) {
  const { app, parts: { lists } } = state;
  state.level = level;
  lists.choose = (own) => { state.player?.go(own); if (!state.player) choose(state, own); };
  mark(state);
  app.say({ level }, { replace: true, quiet: true });
  clearTimeout(state.later);
  // While the slider moves there is nothing to read.
  state.later = setTimeout(() => { drawMoves(state); if (state.near) look(state, state.near, false); }, state.drawn ? 250 : 0);
  state.drawn = true;
}

async function drawMoves(state) {
  const { app, model, name, level, there, signal, trouble, parts: { moves } } = state;
  const from = state.from ?? "base";
  const others = there.map((own) => own.level).filter((own) => own !== level);
  if (level === from || others.length === 0) {
    fill(moves, h("h2", {}, "What moved"), h("p", { class: "faint" }, "Choose a level with the slider to see what is closer there than in the base."));
    return;
  }
  const asked = { word: name, from, to: level, n: 8 };
  let answer;
  const draw = () => fill(moves,
    h("h2", {}, `What moved in ${short(level)}`, help("ratio")),
    h("p", { class: "faint" }, `Compared with ${short(from)}; it keeps ${percent(answer.overlap)} of its ${answer.nearest} nearest words`, help("overlap"), "."),
    table([
      { name: "other", title: "word", text: true, show: (row) => h("button", { type: "button", class: "link", onclick: () => look(state, row.other) }, row.other) },
      { name: "ratio", title: "distance", help: "ratio", show: (row) => `× ${interval(row, "ratio", 3)}` },
      { name: "topical", title: "topical", help: "topical", show: (row) => number(row.topical) },
      { name: "own", title: "own", help: "own", show: (row) => number(row.own) },
      { name: "count_to", title: "count", help: "count", show: (row) => count(row.count_to) },
    ], answer.rows.map((row) => ({ ...row, faint: row.ratio_low !== undefined && row.ratio_low !== null && row.ratio_low <= 1 && row.ratio_high >= 1 })),
    { caption: `What moved around ${name} in ${short(level)}` }),
    answer.rows.some((row) => row.ratio_low !== undefined) && h("p", { class: "faint" }, "Faint: not distinguishable from no change."),
    downloads("drift", asked));
  try {
    answer = await ask("drift", asked, { signal });
    if (state.level !== level) return;
    draw();
    if (model.drawn) {
      answer = await ask("drift", { ...asked, sure: true }, { signal });
      if (state.level === level) draw();
    }
  } catch (error) { const told = trouble(error); if (told && state.level === level) fill(moves, h("h2", {}, "What moved"), told); }
}

/** Looks at a neighbour: why the two moved, level by level, and in the text. */
function look(state, near, scroll = true) {
  const { app, name, level, parts: { why } } = state;
  state.near = near;
  app.say({ near }, { replace: true, quiet: true });
  if (near === name) return;
  drawWhy(state, near, level);
  drawTrend(state, near);
  drawLines(state, near, level);
  if (scroll) why.scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth", block: "start" });
}

async function drawWhy(state, near, level) {
  const { app, name, signal, trouble, parts: { why } } = state;
  const heading = h("h2", {}, `${name} and ${near} in ${short(level)}`, help("contribution"));
  if (level === "base") {
    fill(why, heading, h("p", { class: "faint" }, "Choose a level to see which dimensions brought them together there, or drove them apart."));
    return;
  }
  const asked = { a: name, b: near, from: "base", to: level, n: 6 };
  try {
    const answer = await ask("explain", asked, { signal });
    if (state.near !== near || state.level !== level) return;
    fill(why, heading, h("p", {}, answer.paragraph),
      table([
        { name: "dimension", title: "dimension", first: "rising", show: (row) => h("a", { href: `/topics?${new URLSearchParams({ dimension: row.dimension })}`, "data-link": true }, String(row.dimension)) },
        { name: "words", title: "its words: one end | the other", text: true, long: true, show: (row) => row.words },
        { name: "contribution", title: "contribution", help: "contribution", value: (row) => Math.abs(row.contribution), show: (row) => number(row.contribution) },
        { name: "weight_from", title: "weight before", help: "square", show: (row) => number(row.weight_from) },
        { name: "weight_to", title: "weight there", help: "square", show: (row) => number(row.weight_to) },
      ], answer.rows, { caption: `Dimensions that moved ${name} and ${near}` }),
      h("p", {}, app.wordLink(near), " has a page of its own."),
      downloads("explain", asked));
  } catch (error) { const told = trouble(error); if (told) fill(why, heading, told); }
}

function drawTrend(state, near) {
  const { model, name, factor, views, signal, parts: { trend } } = state;
  if (!factor || views.length < 3) return;
  const asked = { a: name, b: near, in: views };
  const label = `Cosine of ${name} and ${near} level by level`;
  const plot = chart("similarity", asked, { label, signal });
  plot.ready.catch(() => {});
  fill(trend, h("h2", {}, factor.ordered ? `Along ${factor.name}` : `Level by level`, help("cosine")), plot, downloads("similarity", asked));
  if (!model.drawn) return;
  const sure = chart("similarity", { ...asked, sure: true }, { label: `${label}, with intervals`, signal });
  const told = h("p", { class: "waiting" }, "Asking the replicates for intervals …");
  plot.after(told);
  sure.ready.then(() => { if (state.near === near) { plot.replaceWith(sure); return sure.draw(); } return undefined; }).catch(() => {}).finally(() => told.remove());
}

async function drawLines(state, near, level) {
  const { model, name, signal, trouble, parts: { lines } } = state;
  const heading = h("h2", {}, `In the text`);
  if (!model.has_corpus) {
    fill(lines, heading, h("p", { class: "faint" }, "A model does not hold its corpus. Start the explorer with ", h("code", {}, "--corpus FILE"), " to see lines in which both words occur."));
    return;
  }
  const asked = { word: name, near, level: level === "base" ? undefined : level, n: 8 };
  fill(lines, heading, h("p", { class: "waiting" }, "Reading the corpus …"));
  try {
    const answer = await ask("evidence", asked, { signal });
    if (state.near !== near || state.level !== level) return;
    fill(lines, heading,
      h("p", { class: "faint" }, answer.found === 0 ? `${name} and ${near} do not occur near each other in ${short(level)}: they are near because they keep the same company.`
        : `${count(answer.rows.length)} of ${count(answer.found)} places in ${short(level)} where both occur, drawn by lot.`),
      h("ul", { class: "kwic" }, answer.rows.map((row) => h("li", {}, other(row.left, near), h("mark", {}, row.written), other(row.right, near), h("small", {}, `${row.document.split(/[\\/]/).pop()} · ${row.level}`)))),
      downloads("evidence", asked, { picture: false }));
  } catch (error) { const told = trouble(error); if (told) fill(lines, heading, told); }
}

/** A text with the other word marked, as it is written. */
function other(text, near) {
  const parts = [];
  const letters = /[\p{L}\p{M}\p{N}'’_-]+/gu;
  let last = 0;
  for (const match of text.matchAll(letters)) {
    const bare = match[0].toLowerCase();
    if (bare !== near && !bare.split(/['’_-]/).includes(near)) continue;
    parts.push(text.slice(last, match.index), h("mark", { class: "other" }, match[0]));
    last = match.index + match[0].length;
  }
  parts.push(text.slice(last));
  return parts;
}

