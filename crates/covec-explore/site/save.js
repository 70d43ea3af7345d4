// Rows and pictures to keep.

import { address } from "/assets/api.js";
import { h } from "/assets/dom.js";

/** Links to the rows of a question, and to its picture where there is one. */
export function downloads(question, values, { picture = true } = {}) {
  const link = (format) =>
    h("a", { href: address(question, { ...values, format }), download: `covec-${question}.${format}`, "data-format": format,
      onclick: (event) => { event.preventDefault(); keep(question, values, format); } }, format.toUpperCase());
  const kinds = picture ? ["csv", "json", "svg", "png"] : ["csv", "json"];
  return h("p", { class: "downloads" }, "Download: ", kinds.flatMap((format, k) => [k ? " · " : "", link(format)]));
}

/** Waits for a file that is being worked on, and then saves it. */
export async function keep(question, values, format, body) {
  for (;;) {
    const init = body === undefined ? {} : { method: "POST", body, headers: { "Content-Type": "text/plain" } };
    const response = await fetch(address(question, { ...values, format }), init);
    if (response.status === 202) {
      await new Promise((go) => setTimeout(go, 200));
      continue;
    }
    const content = await response.blob();
    if (!response.ok) {
      const told = JSON.parse(await content.text());
      dispatchEvent(new CustomEvent("covec-trouble", { detail: told.error }));
      return;
    }
    save(content, `covec-${question}.${format}`);
    return;
  }
}

/** Saves a file. */
export function save(content, name) {
  const url = URL.createObjectURL(content);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
