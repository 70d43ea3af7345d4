// A is to B as C is to which word, level by level.

import { ask } from "/assets/api.js";
import { fill, h } from "/assets/dom.js";
import { count, number, short } from "/assets/format.js";
import { help } from "/assets/help.js";
import { factorMenu } from "/assets/levels.js";
import { downloads } from "/assets/save.js";
import { wordBox } from "/assets/search.js";
import { table } from "/assets/table.js";

const MOST = 23;

export async function analogies(view, { app, model, query, signal, trouble }) {
  const words = ["a", "b", "c"].map((name) => query.get(name) ?? "");
  const score = ["mul", "difference"].includes(query.get("score")) ? query.get("score") : "add";
  const factor = model.factors.find(({ name }) => name === query.get("factor"))?.name ?? model.factors[0]?.name;
  const boxes = ["A", "B", "C"].map((name, k) => wordBox({ label: `Word ${name}`, placeholder: ["man", "woman", "king"][k], value: words[k],
    chosen: () => { const next = boxes[k + 1]; next && !next.box.value ? next.box.focus() : go(); } }));
  const go = () => {
    const [a, b, c] = boxes.map(({ box }) => box.value.trim());
    const empty = [a, b, c].indexOf("");
    if (empty >= 0) boxes[empty].box.focus();
    else app.say({ a, b, c });
  };
  const place = h("div", {});
  fill(view,
    h("h1", {}, "Analogies"),
    h("p", { class: "lead" }, "A is to B as C is to which word? Words that fit far better in one level than in another are enriched there."),
    h("div", { class: "analogy" }, boxes[0], h("span", {}, "is to"), boxes[1], h("span", {}, "as"), boxes[2], h("span", {}, "is to"), h("button", { type: "button", class: "primary", onclick: go }, "which word?")),
    h("div", { class: "controls" },
      factorMenu({ model, value: factor, chosen: (value) => app.say({ factor: value }) }),
      h("label", { class: "choice" }, h("span", {}, "Rank by", help(score)), h("select", { onchange: (event) => app.say({ score: event.target.value }) },
        [["add", "sum"], ["mul", "product"], ["difference", "difference"]].map(([value, text]) => h("option", { value, selected: value === score }, text))))),
    place);
  if (words.some((word) => !word)) {
    const known = [["war", "peace", "army"], ["man", "men", "woman"], ["he", "his", "she"], ["france", "french", "spain"], ["good", "better", "great"]];
    const example = async ([a, b, c]) => {
      const there = await Promise.all([a, b, c].map(async (word) => (await ask("words", { prefix: word, n: 1 }, { signal })).rows[0]?.word === word));
      return there.every(Boolean) && h("li", {}, h("a", { href: `/analogies?${new URLSearchParams({ a, b, c })}`, "data-link": true }, `${a} is to ${b} as ${c} is to …`));
    };
    const found = (await Promise.all(known.map(example))).filter(Boolean);
    fill(place, found.length > 0 && h("div", {}, h("p", { class: "faint" }, "For example:"), h("ul", {}, found)));
    return "Analogies";
  }
  const [a, b, c] = words;
  const views = ["base", ...model.rows.filter((row) => row.factor === factor).map(({ level }) => level).slice(0, MOST)];
  const asked = { a, b, c, score, in: views };
  try {
    const found = await ask("analogy", { ...asked, n: 8 }, { signal });
    // Ranks are compared where two levels have an answer; of words that fit somewhere at all.
    const several = found.levels.filter((own) => own.enough && own.level !== "base").length > 1;
    const rare = several ? await ask("enriched", { ...asked, n: 60 }, { signal }) : { rows: [] };
    const enriched = rare.rows.filter((row) => row.best_rank <= 20);
    const best = new Map(enriched.map((row) => [`${row.best_level}\0${row.word}`, row]));
    const there = found.levels.filter((own) => own.enough), missing = found.levels.filter((own) => !own.enough);
    fill(place,
      missing.length > 0 && h("p", { class: "faint" }, `One of the three is too rare in ${missing.map((own) => short(own.level)).join(", ")}.`),
      h("h2", {}, `${a} : ${b} :: ${c} : ?`),
      h("div", { class: "lists", tabindex: "0", role: "region", "aria-label": "Answers level by level" }, there.map((own) => h("section", {},
        h("h3", {}, short(own.level)),
        h("ol", {}, found.rows.filter((row) => row.level === own.level).map((row) => {
          const marked = best.get(`${own.level}\0${row.word}`);
          return h("li", { title: marked && `rank ${marked.best_rank} here, ${marked.worst_rank} in ${short(marked.worst_level)}` },
            h("span", {}, marked && h("span", { class: "gained", "aria-hidden": "true" }, "★ "), app.wordLink(row.word, { factor }), marked && h("span", { class: "unseen" }, " (enriched)")),
            h("small", {}, number(row[score], 2)));
        }))))),
      h("p", { class: "faint" }, "★ enriched: among the words whose rank differs most between levels, and best here."),
      downloads("analogy", { ...asked, n: 8 }),
      enriched.length > 0 && h("section", {}, h("h2", {}, "Enriched", help("enriched")), table([
        { name: "word", title: "word", text: true, show: (row) => app.wordLink(row.word, { factor }) },
        { name: "best_rank", title: "best rank", first: "rising", help: "enriched", show: (row) => count(row.best_rank) },
        { name: "best_level", title: "in", text: true, show: (row) => short(row.best_level) },
        { name: "worst_rank", title: "worst rank", show: (row) => count(row.worst_rank) },
        { name: "worst_level", title: "in", text: true, show: (row) => short(row.worst_level) },
        { name: "base_rank", title: "rank in the base", first: "rising", show: (row) => count(row.base_rank) },
      ], enriched, { caption: "Words whose rank differs most between levels", filter: (row) => row.word }), downloads("enriched", { ...asked, n: 60 }, { picture: false })));
  } catch (error) { const told = trouble(error); if (told) fill(place, told); }
  return `${a} : ${b} :: ${c} : ?`;
}
