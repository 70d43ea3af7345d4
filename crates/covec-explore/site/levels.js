// Choosing levels, or cells of several factors.

import { h } from "/assets/dom.js";
import { short } from "/assets/format.js";

/** A menu of the base and all levels, by factor; with several factors also of a level of each. */
export function levelMenu({ model, label, value, base = true, chosen }) {
  const known = model.rows.some((row) => row.level === value) || value === "base";
  const select = h("select", { "aria-label": label, onchange: (event) => chosen(event.target.value) },
    base && h("option", { value: "base", selected: value === "base" }, "base: all together"),
    model.factors.map((factor) => h("optgroup", { label: factor.name },
      model.rows.filter((row) => row.factor === factor.name).map((row) =>
        h("option", { value: row.level, selected: row.level === value }, row.name)))),
    !known && value && h("option", { value, selected: true }, short(value)));
  return h("label", { class: "choice" }, h("span", {}, label), select);
}

/** A menu for every factor, each of which may be left open: a cell of several factors. */
export function cellMenu({ model, label, value, chosen }) {
  if (model.factors.length < 2) return levelMenu({ model, label, value, chosen });
  const parts = new Map(value === "base" ? [] : value.split(",").map((part) => [part.slice(0, part.indexOf("=")), part]));
  const change = () => {
    const levels = [...whole.querySelectorAll("select")].map((select) => select.value).filter(Boolean);
    chosen(levels.length ? levels.join(",") : "base");
  };
  const whole = h("fieldset", { class: "cell" }, h("legend", {}, label),
    model.factors.map((factor) => h("label", { class: "choice" }, h("span", {}, factor.name),
      h("select", { onchange: change },
        h("option", { value: "" }, "any"),
        model.rows.filter((row) => row.factor === factor.name).map((row) =>
          h("option", { value: row.level, selected: parts.get(factor.name) === row.level }, row.name))))));
  return whole;
}

/** A menu of the factors; nothing where there is only one. */
export function factorMenu({ model, value, chosen }) {
  if (model.factors.length < 2) return null;
  return h("label", { class: "choice" }, h("span", {}, "Factor"),
    h("select", { onchange: (event) => chosen(event.target.value) },
      model.factors.map(({ name }) => h("option", { value: name, selected: name === value }, name))));
}
