// Whose is a text: which level it is closest to, how sure that is, and how often that is right.

import { ask } from "/assets/api.js";
import { fill, h, s, say } from "/assets/dom.js";
import { count, number, percent, short } from "/assets/format.js";
import { help } from "/assets/help.js";
import { factorMenu } from "/assets/levels.js";
import { keep } from "/assets/save.js";
import { table } from "/assets/table.js";

const LEAST = 1000;
/** What was pasted outlives a change of the factor. */
let kept = "";

export function text(view, { app, model, query, signal, trouble }) {
  if (model.rows.length === 0) {
    fill(view, h("h1", {}, "Whose text"), h("p", {}, "This model has no levels, so there is nobody to attribute a text to."));
    return "Whose text";
  }
  const factor = model.factors.find(({ name }) => name === query.get("factor"))?.name ?? model.factors[0].name;
  const score = ["closeness", "combined"].includes(query.get("score")) ? query.get("score") : "likelihood";
  const place = h("div", { "aria-live": "polite" });
  const area = h("textarea", { id: "text", placeholder: "Paste a text, or drop a file here. It stays on this machine.", oninput: () => { kept = area.value; tell(); } });
  area.value = kept;
  const sizes = h("p", { class: "faint" });
  const tell = () => {
    const words = area.value.trim() ? area.value.trim().split(/\s+/).length : 0;
    sizes.textContent = words === 0 ? `${count(LEAST)} words or more give an answer worth reading.` : `About ${count(words)} words${words < LEAST ? `; short texts are told apart badly, ${count(LEAST)} or more are better` : ""}.`;
  };
  const drop = h("div", { class: "drop",
    ondragover: (event) => { event.preventDefault(); drop.classList.add("over"); },
    ondragleave: () => drop.classList.remove("over"),
    ondrop: async (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      const file = event.dataTransfer.files[0];
      if (!file) return;
      area.value = kept = await file.text();
      tell();
      run();
    } }, area);
  async function run() {
    const body = area.value;
    const words = body.trim() ? body.trim().split(/\s+/).length : 0;
    if (words === 0) { area.focus(); return; }
    const asked = { factor, score, min_words: words < LEAST ? 1 : LEAST / 2 };
    fill(place, h("p", { class: "waiting" }, "Reading the text …"));
    try {
      const draw = (answer) => fill(place, told({ answer, asked, score, words, body, model }));
      draw(await ask("attribute", asked, { signal, body }));
      say("The answer is below the text.");
      if (model.drawn) {
        const waiting = h("p", { class: "waiting" }, "Asking the replicates how sure that is …");
        place.prepend(waiting);
        draw(await ask("attribute", { ...asked, sure: true }, { signal, body, working: ({ share }) => { waiting.textContent = `Asking the replicates how sure that is … ${share === null ? "" : percent(share)}`; } }));
      }
    } catch (error) { const found = trouble(error); if (found) fill(place, found); }
  }
  fill(view,
    h("h1", {}, "Whose text"),
    h("p", { class: "lead" }, `Which level of ${factor} is a text closest to? A model always names somebody: see below how far apart the candidates are.`),
    h("div", { class: "controls" },
      factorMenu({ model, value: factor, chosen: (value) => app.say({ factor: value }) }),
      h("label", { class: "choice" }, h("span", {}, "Score", help(score)), h("select", { onchange: (event) => app.say({ score: event.target.value }) },
        ["likelihood", "closeness", "combined"].map((name) => h("option", { value: name, selected: name === score }, name))))),
    h("label", { for: "text", class: "unseen" }, "The text"), drop, sizes,
    h("p", {}, h("button", { type: "button", class: "primary", onclick: run }, "Whose is it?")), place);
  tell();
  if (kept) run();
  return "Whose text";
}

function told({ answer, asked, score, words, body, model }) {
  const [first, second] = answer.rows;
  const [low, high] = [Math.min(0, ...answer.rows.map((row) => row[score])), Math.max(...answer.rows.map((row) => row[score]))];
  const bar = (row) => s("svg", { class: "meter", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    s("rect", { class: "track", x: 0, y: 4, width: 100, height: 2 }), s("rect", { x: 0, y: 1.5, width: (100 * (row[score] - low)) / (high - low || 1), height: 7 }));
  const trust = answer.trust.find((own) => own.score === score);
  const sure = first.chosen_in !== undefined;
  const files = ["csv", "json", "svg", "png"];
  return h("div", {},
    h("h2", {}, `Closest to ${short(first.candidate)}`),
    h("p", { class: "sums" }, `By ${score}, on ${count(first.words)} words that the model knows. `,
      second && `Next is ${short(second.candidate)}. `,
      sure && `In ${percent(first.chosen_in)} of the draws of the known texts it is named first.`),
    words < LEAST && h("p", { class: "trouble" }, "The text is short: take this for a hint at most."),
    h("p", { class: "faint" }, trust
      ? `This score names the right ${model.groups} for ${trust.right} of ${trust.of} known levels, each left out in turn (${percent(trust.right / trust.of)}; always naming the largest: ${percent(trust.guessing)}).`
      : "How often this is right is not known: levels that stand alone cannot be left out. Start the explorer with --group to gather them."),
    table([
      { name: "rank", title: "rank", first: "rising", show: (row) => String(row.rank) },
      { name: "candidate", title: "candidate", text: true, show: (row) => short(row.candidate) },
      { name: score, title: score, help: score, show: (row) => number(row[score]) },
      { name: "bar", title: "", text: true, value: (row) => row[score], show: bar },
      ...["likelihood", "closeness"].filter((name) => name !== score).map((name) => ({ name, title: name, help: name, show: (row) => number(row[name]) })),
      sure && { name: "chosen_in", title: "named first in", help: "chosen_in", show: (row) => percent(row.chosen_in) },
      trust && { name: "known_right", title: "known ones named rightly", show: (row) => row.known ? `${row.known_right} of ${row.known}` : "–" },
    ].filter(Boolean), answer.rows, { caption: "Candidates for the text" }),
    h("p", { class: "downloads" }, "Download: ", files.flatMap((format, k) => [k ? " · " : "", h("button", { type: "button", class: "link", "data-format": format, onclick: () => keep("attribute", { ...asked, sure: sure || undefined }, format, body) }, format.toUpperCase())])));
}
