// A table that sorts by any column and can be filtered by a word.

import { fill, h } from "/assets/dom.js";
import { help } from "/assets/help.js";

/**
 * Columns are `{ name, title, help, show(row), value(row), text, first }`: what is shown, what is sorted by, whether it is
 * text, and which way the first click sorts. At most `most` rows are shown; the rest is counted.
 */
export function table(columns, rows, { caption, most = 200, sort, filter, onfilter } = {}) {
  let [by, falling] = sort ? [sort.by, sort.falling !== false] : [undefined, true];
  let shown = rows, wanted = "";
  const body = h("tbody"), rest = h("p", { class: "faint" });
  const heads = columns.map((column) => {
    // A column that only draws another one is not sorted by.
    const button = column.title ? h("button", { type: "button", class: "sort", onclick: () => order(column) }, column.title) : h("span", { class: "unseen" }, "drawn");
    return h("th", { scope: "col", class: column.text ? "" : "number", "data-name": column.name }, button, help(column.help));
  });

  function order(column) {
    if (by === column.name) falling = !falling;
    else [by, falling] = [column.name, column.first ? column.first === "falling" : !column.text];
    draw();
  }
  function draw() {
    const column = columns.find(({ name }) => name === by);
    let list = wanted ? shown.filter((row) => filter(row).toLowerCase().includes(wanted)) : [...shown];
    if (column) {
      const of = column.value ?? ((row) => row[column.name]);
      const sign = falling ? -1 : 1;
      list = list.map((row, k) => [of(row), k, row]).sort(([a, j], [b, k]) => {
        if (a === b) return j - k;
        // What is not known comes last, whichever way.
        if (a === null || a === undefined) return 1;
        if (b === null || b === undefined) return -1;
        return (typeof a === "string" ? a.localeCompare(b) : a - b) * sign || j - k;
      }).map(([, , row]) => row);
    }
    heads.forEach((head, k) => {
      if (columns[k].name === by) head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    fill(body, list.slice(0, most).map((row) =>
      h("tr", { class: row.faint ? "faint" : undefined }, columns.map((column, k) => {
        const content = column.show ? column.show(row) : String(row[column.name] ?? "–");
        return h(k === 0 ? "th" : "td", { scope: k === 0 ? "row" : undefined, class: column.text ? (column.long ? "long" : "") : "number" }, content);
      }))));
    rest.textContent = list.length > most ? `The first ${most} of ${list.length.toLocaleString("en")} rows.` : list.length === 0 ? "No rows." : "";
    onfilter?.(list);
  }

  const find = filter && h("input", { type: "search", class: "filter", placeholder: "Filter words", "aria-label": "Filter the rows by a word",
    oninput: (event) => { wanted = event.target.value.trim().toLowerCase(); draw(); } });
  const element = h("div", { class: "table" },
    find,
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      h("table", {}, h("caption", { class: "unseen" }, caption), h("thead", {}, h("tr", {}, heads)), body)),
    rest);
  /** Shows other rows. */
  element.update = (other) => { shown = other; draw(); };
  draw();
  return element;
}
