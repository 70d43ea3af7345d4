// Elements, made of text alone: what a corpus or a model says never becomes markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes, listeners (onclick, …) and children: elements, texts, or nothing. */
export function h(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** The same of SVG. */
export function s(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child);
  }
  return element;
}

/** Puts new children in place of what is there. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Tells a screen reader something. */
export function say(text) {
  document.getElementById("said").textContent = text;
}

/** Calls a function once things have been quiet for a while. */
export function settled(wait, call) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...values), wait);
  };
}

let numbered = 0;
/** A name that no other element has. */
export const unique = (name) => `${name}-${++numbered}`;
