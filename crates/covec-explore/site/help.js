// A `?` beside a number that says what it means.

import { h, unique } from "/assets/dom.js";

const MEANINGS = {
  cosine: "Cosine of the two words' vectors: 1 for the same direction, 0 for words that have nothing in common. With replicates: the interval in brackets.",
  topical: "The part that the level's weights alone make: the same topics, stressed otherwise.",
  own: "The part of the words' own use there, beyond reweighted topics. For all words: root mean square change of the predicted log counts of its company; 0.1 means that a typical companion is met some 10 % more or less often.",
  ratio: "Distance after over distance before: below 1 the two words are closer, above 1 further apart. It is the topical part times the own part.",
  overlap: "Share of its nearest words that a word keeps from one level to the other. The fewer, the more its use differs.",
  count: "How often the word occurs there. Rare words move by chance.",
  held_out: "Squared error on the scale of log counts, on pairs of words that were kept out of training. Lower is better; small levels have higher ones because their counts are small.",
  explained: "How much of what tells the level apart is said by giving the shared dimensions other weights. Where it is low, read its topics with care.",
  own_words: "Words that deviate from their base vector in this level.",
  square: "The squared weight that a level gives a dimension: 1 on average, 0 where the level does without it.",
  spread: "Variance of the squared weights over the levels: what tells the levels apart comes first.",
  among_nearest: "Share of the replicates in which it is among the 10 nearest: how steady the neighbour is when other documents are drawn.",
  interval: "Where most draws of the documents put the number, wider by what fits from the start add: what corpora of this size would say. More text can say something else of weights and topical parts.",
  q: "Of all rows with this q or less about that share is there by chance, as shuffled labels tell.",
  map: "The two directions in which the levels' weights differ most. Near: alike. The axes have no names of their own.",
  tree: "The nearest levels are joined first; where a join stands says how far apart its sides are.",
  rays: "Distance from the middle is the true distance to the word in the level; the direction is the same in every level, so that all movement is closer or further. Words that are alike lie side by side.",
  contribution: "Of the change of the squared distance between the two words, the part of this dimension. Negative: it brings them together.",
  likelihood: "By how many nats a word the candidate predicts the text's words better than the average does.",
  closeness: "Cosine of the text's and the candidate's weights, each less the average.",
  combined: "Mean of both scores, each standardised over the candidates.",
  chosen_in: "Share of the replicates in which this candidate is named first.",
  add: "Cosine of D with b − a + c.",
  mul: "Product of D's similarities to B and C over that to A.",
  difference: "Cosine of b − a with d − c.",
  enriched: "The word's best rank over the levels, and its worst: it fits there, and hardly here.",
  tokens: "Words of the level's documents.",
  agreement: "How far other seeds find the same dimension, from 0 to 1; below 0.9 it is marked as not stable.",
  expected: "Counts are of the words as the corpus was counted.",
};

let open;

function close() {
  if (!open) return;
  open.note.remove();
  open.button.setAttribute("aria-expanded", "false");
  open = undefined;
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && open) {
    const { button } = open;
    close();
    button.focus();
  }
});
addEventListener("click", (event) => {
  if (open && !open.note.contains(event.target) && event.target !== open.button) close();
});

/** A button that says what a number means; nothing where nothing is known of it. */
export function help(name) {
  const text = MEANINGS[name];
  if (!text) return null;
  const button = h("button", { type: "button", class: "help", "aria-label": `What does ${name.replaceAll("_", " ")} mean?`, "aria-expanded": "false" }, "?");
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    const mine = open?.button === button;
    close();
    if (mine) return;
    const id = unique("help");
    const note = h("div", { class: "note", role: "note", id }, text);
    document.body.append(note);
    const box = button.getBoundingClientRect();
    const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - note.offsetWidth - 8));
    note.style.left = `${left + scrollX}px`;
    note.style.top = `${box.bottom + scrollY + 6}px`;
    button.setAttribute("aria-expanded", "true");
    button.setAttribute("aria-describedby", id);
    open = { button, note };
  });
  return button;
}
