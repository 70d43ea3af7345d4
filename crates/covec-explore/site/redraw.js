// Pictures that are drawn anew when the light or the width changes.

import { settled } from "/assets/dom.js";

const alive = new Set();
const all = () => {
  for (const picture of alive) {
    if (picture.isConnected) picture.draw();
    else alive.delete(picture);
  }
};
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
addEventListener("resize", settled(150, all));

/** From now on an element's `draw` is called when it should look otherwise. */
export const redrawn = (picture) => alive.add(picture);

/** A colour of the page. */
export const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
