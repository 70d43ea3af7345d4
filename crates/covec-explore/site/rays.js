// The words around a word, which move as one goes from level to level.

import { h, s } from "/assets/dom.js";
import { cosine, short } from "/assets/format.js";

const SIZE = 560, MIDDLE = SIZE / 2, ROOM = 218;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const STEP = 900, GLIDE = 550;

/**
 * `rows` are the places of the server, `levels` those in which the word is common enough. `chosen` hears a neighbour,
 * `moved` the level that is shown.
 */
export function rays({ word, rows, levels, level, near, chosen, moved }) {
  const words = [...new Set(rows.map((row) => row.neighbor))];
  const place = new Map(rows.map((row) => [`${row.level}\0${row.neighbor}`, row]));
  const distances = rows.map((row) => row.distance).filter((d) => d !== null);
  const [least, most] = [Math.min(...distances), Math.max(...distances)];
  // The middle is not as near as it looks: rings say how far things are.
  const inner = Math.max(0, least - 0.12 * (most - least) - 0.05);
  const radius = (d) => 34 + ((d - inner) / (most - inner || 1)) * (ROOM - 34);
  const svg = s("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "group", "aria-label": `Words around ${word}` });

  // A few rings, far enough apart to be read.
  let last = 0;
  for (const c of [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0, -0.2, -0.4]) {
    const r = radius(Math.sqrt(2 - 2 * c));
    if (r < 46 || r > ROOM + 14 || r - last < 36) continue;
    last = r;
    svg.append(s("circle", { cx: MIDDLE, cy: MIDDLE, r, class: "ring" }),
      s("text", { x: MIDDLE, y: MIDDLE - r - 3, class: "ring-name" }, `cosine ${c.toFixed(1).replace("-", "−")}`));
  }
  const items = words.map((name) => {
    const { angle } = rows.find((row) => row.neighbor === name);
    const ray = s("line", { x1: MIDDLE, y1: MIDDLE, class: "ray" });
    const dot = s("circle", { r: 4.5, class: "dot" });
    const text = s("text", { class: "name" }, name);
    const item = s("g", { class: "item", tabindex: "0", role: "button",
      onclick: () => chosen(name),
      onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); chosen(name); } } }, dot, text);
    return { name, angle, ray, dot, text, item, now: null };
  });
  svg.append(...items.map((own) => own.ray), ...items.map((own) => own.item),
    s("circle", { cx: MIDDLE, cy: MIDDLE, r: 6, class: "middle" }),
    s("text", { x: MIDDLE, y: MIDDLE + 22, class: "middle-name" }, word));

  function put(own, d, faint) {
    const r = radius(d);
    const [x, y] = [MIDDLE + r * Math.cos(own.angle), MIDDLE + r * Math.sin(own.angle)];
    own.ray.setAttribute("x2", x); own.ray.setAttribute("y2", y);
    own.dot.setAttribute("cx", x); own.dot.setAttribute("cy", y);
    const right = Math.cos(own.angle) >= -0.001;
    own.text.setAttribute("x", x + (right ? 9 : -9));
    own.text.setAttribute("y", y + 4);
    own.text.setAttribute("text-anchor", right ? "start" : "end");
    own.item.classList.toggle("far", faint);
    own.now = d;
  }

  let turn = 0;
  function show(name, animate = true) {
    const mine = ++turn;
    const targets = items.map((own) => {
      const row = place.get(`${name}\0${own.name}`);
      const unknown = row?.distance === null || row === undefined;
      own.item.classList.toggle("unknown", unknown);
      own.ray.classList.toggle("unknown", unknown);
      const told = unknown ? "too rare to say" : `cosine ${cosine(row.cosine)}`;
      own.item.setAttribute("aria-label", `${own.name}: ${told} in ${short(name)}`);
      own.item.classList.toggle("gained", near(name, own.name) === "gained");
      return { own, from: own.now ?? row?.distance ?? most, to: unknown ? own.now ?? most : row.distance, faint: !near(name, own.name) };
    });
    if (!animate || still.matches) {
      targets.forEach(({ own, to, faint }) => put(own, to, faint));
      return;
    }
    const begun = performance.now();
    const step = (now) => {
      if (mine !== turn) return;
      const t = Math.min(1, (now - begun) / GLIDE);
      const eased = 1 - (1 - t) ** 3;
      targets.forEach(({ own, from, to, faint }) => put(own, from + (to - from) * eased, faint));
      if (t < 1) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  const name = h("output", { class: "level-name" });
  const slider = h("input", { type: "range", min: 0, max: levels.length - 1, step: 1, "aria-label": "Level",
    oninput: () => go(Number(slider.value)) });
  const play = h("button", { type: "button", class: "play", "aria-pressed": "false", onclick: () => running ? stop() : start() }, "Play");
  const back = h("button", { type: "button", "aria-label": "Previous level", onclick: () => { stop(); go(at - 1); } }, "‹");
  const on = h("button", { type: "button", "aria-label": "Next level", onclick: () => { stop(); go(at + 1); } }, "›");
  let at = Math.max(0, levels.findIndex((own) => own.level === level)), running = 0;

  function go(to, animate = true) {
    at = (to + levels.length) % levels.length;
    const own = levels[at];
    slider.value = at;
    slider.setAttribute("aria-valuetext", short(own.level));
    name.textContent = `${short(own.level)}`;
    name.append(h("small", {}, ` ${own.count.toLocaleString("en")} times`));
    show(own.level, animate);
    moved(own.level);
  }
  function start() {
    play.textContent = "Pause";
    play.setAttribute("aria-pressed", "true");
    go(at + 1);
    running = setInterval(() => (whole.isConnected ? go(at + 1) : stop()), STEP);
  }
  function stop() {
    clearInterval(running);
    running = 0;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  }
  const whole = h("div", { class: "rays" },
    h("div", { class: "player" }, back, slider, on, play, name), svg);
  go(at, false);
  /** Goes to a level by its name. */
  whole.go = (to) => { stop(); const k = levels.findIndex((own) => own.level === to); if (k >= 0 && k !== at) go(k); };
  return whole;
}
