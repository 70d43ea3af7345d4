// A box for words that offers what it knows: arrows choose, Enter takes, Escape leaves.

import { ask } from "/assets/api.js";
import { fill, h, settled, unique } from "/assets/dom.js";
import { count } from "/assets/format.js";

/** The box; `chosen` hears the word. */
export function wordBox({ label, value = "", placeholder = "", chosen, id = unique("word") }) {
  const list = h("ul", { role: "listbox", id: `${id}-list`, "aria-label": `${label}: suggestions`, hidden: true });
  const box = h("input", {
    id, type: "text", role: "combobox", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": list.id, "aria-label": label, placeholder,
  });
  box.value = value;
  let words = [], at = -1, turn = 0;

  function show(found) {
    words = found;
    at = -1;
    fill(list, words.map(({ word, count: n }, k) =>
      h("li", { role: "option", id: `${list.id}-${k}`, "aria-selected": "false",
        onmousedown: (event) => { event.preventDefault(); take(word); } },
      h("span", {}, word), h("small", {}, count(n)))));
    list.hidden = words.length === 0;
    box.setAttribute("aria-expanded", String(words.length > 0));
    box.removeAttribute("aria-activedescendant");
  }
  function mark(to) {
    if (words.length === 0) return;
    at = (to + words.length) % words.length;
    [...list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === at)));
    box.setAttribute("aria-activedescendant", `${list.id}-${at}`);
    list.children[at].scrollIntoView({ block: "nearest" });
  }
  function take(word) {
    turn++;
    show([]);
    box.value = word;
    chosen(word);
  }
  const offer = settled(60, async () => {
    const mine = ++turn;
    const prefix = box.value.trim();
    if (!prefix) return show([]);
    try {
      const { rows } = await ask("words", { prefix, n: 10 });
      if (mine === turn && document.activeElement === box) show(rows);
    } catch { /* The page tells when the server is gone. */ }
  });
  box.addEventListener("input", offer);
  box.addEventListener("focus", () => box.select());
  box.addEventListener("blur", () => { turn++; show([]); });
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { event.preventDefault(); list.hidden ? offer() : mark(at + 1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); mark(at - 1); }
    else if (event.key === "Escape") { turn++; show([]); }
    else if (event.key === "Enter") {
      event.preventDefault();
      const word = at >= 0 ? words[at].word : box.value.trim();
      if (word) take(word);
    }
  });
  const whole = h("div", { class: "word-box" }, box, list);
  whole.box = box;
  return whole;
}
