// The frame: which view an address means, links, the search box, and what to say when things go wrong.

import { Gone, Refusal, ask } from "/assets/api.js";
import { fill, h, say } from "/assets/dom.js";
import { wordBox } from "/assets/search.js";
import { analogies } from "/assets/views/analogies.js";
import { compare } from "/assets/views/compare.js";
import { overview } from "/assets/views/overview.js";
import { text } from "/assets/views/text.js";
import { topics } from "/assets/views/topics.js";
import { word } from "/assets/views/word.js";

const VIEWS = {
  "/": ["Overview", overview],
  "/word": ["Word", word],
  "/compare": ["Compare", compare],
  "/topics": ["Topics", topics],
  "/analogies": ["Analogies", analogies],
  "/text": ["Whose text", text],
};

const place = document.getElementById("view");
const gone = document.getElementById("gone");
let model, leaving = new AbortController(), path;

/** Goes to an address; one that only says the same view otherwise need not be drawn again. */
function go(address, { replace = false, quiet = false } = {}) {
  if (address === location.pathname + location.search) return;
  history[replace ? "replaceState" : "pushState"](null, "", address);
  if (!quiet) show();
}

/** What a view can use. */
const app = {
  go,
  /** Says the view otherwise, in the address. */
  say(values, options = {}) {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(values)) {
      query.delete(name);
      for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null && one !== "") query.append(name, one);
    }
    const text = query.toString();
    go(location.pathname + (text ? `?${text}` : ""), options);
  },
  wordAddress: (name, more = {}) => `/word?${new URLSearchParams({ w: name, ...more })}`,
  wordLink: (name, more) => h("a", { href: app.wordAddress(name, more), "data-link": true }, name),
};

/** A sentence on what went wrong. */
export function trouble(error) {
  if (error.name === "AbortError") return null;
  if (error instanceof Gone) return h("p", { class: "trouble" }, error.message);
  if (error instanceof Refusal) {
    // The way out names flags of the command line, which are no use here.
    const more = error.more.filter((line) => !line.includes("--"));
    return h("div", { class: "trouble", role: "alert" }, h("p", {}, error.message), more.map((line) => h("p", { class: "faint" }, line)));
  }
  return h("p", { class: "trouble" }, `Something is wrong with this page: ${error.message}`);
}

async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const [name, view] = VIEWS[location.pathname] ?? [];
  document.querySelectorAll("nav a").forEach((link) => {
    if (link.getAttribute("href") === location.pathname) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  if (!view) {
    document.title = "Nothing here – covec explorer";
    fill(place, h("h1", {}, "Nothing here"), h("p", {}, "There is no page at this address. ", h("a", { href: "/", "data-link": true }, "Go to the overview"), "."));
    return;
  }
  const fresh = path !== location.pathname;
  path = location.pathname;
  try {
    model ??= await ask("model");
    document.getElementById("model-name").textContent = model.name;
    const query = new URLSearchParams(location.search);
    const element = h("div", { class: "view" });
    const title = view(element, { app, model, query, signal, trouble });
    document.title = `${(await title) || name} – ${model.name} – covec explorer`;
    if (signal.aborted) return;
    fill(place, element);
    element.dispatchEvent(new Event("shown"));
    if (fresh) { scrollTo(0, 0); say(`${name}`); }
  } catch (error) {
    const told = trouble(error);
    if (told) fill(place, h("h1", {}, name), told);
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-link]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
addEventListener("popstate", show);
addEventListener("covec-gone", () => {
  gone.textContent = "The explorer has ended. Start it again with covec explore, then reload this page.";
  gone.hidden = false;
});
addEventListener("covec-there", () => { gone.hidden = true; });
addEventListener("covec-trouble", ({ detail }) => { gone.textContent = detail; gone.hidden = false; });

const search = wordBox({ label: "Look up a word", placeholder: "Look up a word ( / )", id: "lookup", chosen: (name) => {
  search.box.blur();
  go(app.wordAddress(name));
} });
document.getElementById("search").append(search);
addEventListener("keydown", (event) => {
  const typing = event.target.matches?.("input, textarea, select");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.box.focus();
  }
});

show();
