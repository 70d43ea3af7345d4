// Many points on a canvas: names that do not overlap, hover, click, and a brush that lists what lies under it.

import { h } from "/assets/dom.js";
import { redrawn, style } from "/assets/redraw.js";

// Colours that people of all kinds of sight can tell apart (Okabe and Ito).
export const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f7f7f"];

/** Round places along an axis. */
function ticks(low, high, log, room) {
  if (log) {
    const powers = [];
    for (let p = Math.ceil(low - 1e-9); p <= high + 1e-9; p++) powers.push(p);
    return powers.map((p) => [p, (10 ** p).toLocaleString("en")]);
  }
  const rough = (high - low) / Math.max(2, room / 80);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const places = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) places.push([k * step, (k * step).toFixed(digits)]);
  return places;
}

/**
 * Points are `{ x, y, label, colour, faint, marked }`, the most important first. `clicked` hears a point, `brushed` the
 * points under the brush, or nothing when there is none.
 */
export function scatter({ points, label, xTitle, yTitle, logX = false, named = 40, radius = 2.6, height = 460, square = false, clicked, brushed, describe }) {
  const canvas = h("canvas", { role: "img", "aria-label": label, tabindex: "-1" });
  const tip = h("div", { class: "tip", hidden: true });
  const whole = h("div", { class: "scatter" }, canvas, tip);
  const X = (p) => (logX ? Math.log10(Math.max(p.x, 1)) : p.x);
  let places = [], frame, start, brush, hovered, dragging = false;

  function bounds() {
    const xs = points.map(X), ys = points.map((p) => p.y);
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0; k < xs.length; k++) {
      if (xs[k] < x0) x0 = xs[k];
      if (xs[k] > x1) x1 = xs[k];
      if (ys[k] < y0) y0 = ys[k];
      if (ys[k] > y1) y1 = ys[k];
    }
    const pad = (low, high) => { const room = (high - low || 1) * (square ? 0.16 : 0.05); return [low - room, high + room]; };
    return [...pad(x0, x1), ...pad(y0, y1)];
  }

  whole.draw = () => {
    const width = whole.clientWidth;
    if (width === 0 || points.length === 0) return;
    const tall = width < 560 ? Math.min(height, 380) : height;
    const scale = devicePixelRatio || 1;
    canvas.width = width * scale;
    canvas.height = tall * scale;
    canvas.style.height = `${tall}px`;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    pen.clearRect(0, 0, width, tall);
    const family = getComputedStyle(document.body).fontFamily;
    const [ink, muted, line, accent] = ["--ink", "--muted", "--line", "--accent"].map(style);
    frame = { left: yTitle ? 58 : 6, right: width - 6, top: 6, bottom: tall - (xTitle ? 46 : 6) };
    let [x0, x1, y0, y1] = bounds();
    if (square) {
      const each = Math.max((x1 - x0) / (frame.right - frame.left), (y1 - y0) / (frame.bottom - frame.top));
      const grow = (low, high, room) => { const mid = (low + high) / 2, half = (each * room) / 2; return [mid - half, mid + half]; };
      [x0, x1] = grow(x0, x1, frame.right - frame.left);
      [y0, y1] = grow(y0, y1, frame.bottom - frame.top);
    }
    const toX = (x) => frame.left + ((x - x0) / (x1 - x0)) * (frame.right - frame.left);
    const toY = (y) => frame.bottom - ((y - y0) / (y1 - y0)) * (frame.bottom - frame.top);
    pen.font = `12px ${family}`;
    pen.lineWidth = 1;
    pen.strokeStyle = line;
    pen.fillStyle = muted;
    if (!xTitle) pen.strokeRect(frame.left, frame.top, frame.right - frame.left, frame.bottom - frame.top);
    if (xTitle) {
      pen.textAlign = "center";
      for (const [x, text] of ticks(x0, x1, logX, frame.right - frame.left)) {
        pen.beginPath(); pen.moveTo(toX(x), frame.top); pen.lineTo(toX(x), frame.bottom); pen.stroke();
        pen.fillText(text, toX(x), frame.bottom + 16);
      }
      pen.fillText(xTitle, (frame.left + frame.right) / 2, frame.bottom + 36);
    }
    if (yTitle) {
      pen.textAlign = "right";
      for (const [y, text] of ticks(y0, y1, false, frame.bottom - frame.top)) {
        pen.beginPath(); pen.moveTo(frame.left, toY(y)); pen.lineTo(frame.right, toY(y)); pen.stroke();
        pen.fillText(text, frame.left - 6, toY(y) + 4);
      }
      pen.save();
      pen.translate(14, (frame.top + frame.bottom) / 2);
      pen.rotate(-Math.PI / 2);
      pen.textAlign = "center";
      pen.fillText(yTitle, 0, 0);
      pen.restore();
    }
    places = points.map((p) => [toX(X(p)), toY(p.y)]);
    // From the least important on: what matters lies on top.
    for (let k = points.length - 1; k >= 0; k--) {
      const p = points[k];
      pen.globalAlpha = p.faint ? 0.25 : 0.75;
      pen.fillStyle = p.faint ? muted : p.colour ?? accent;
      pen.beginPath();
      pen.arc(places[k][0], places[k][1], p.marked ? radius + 2 : radius, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
    names(pen, width < 560 ? Math.min(named, 16) : named, ink, muted);
    if (brush) {
      const [a, b, c, d] = brush;
      pen.fillStyle = accent; pen.globalAlpha = 0.12;
      pen.fillRect(a, b, c - a, d - b);
      pen.globalAlpha = 1; pen.strokeStyle = accent; pen.strokeRect(a, b, c - a, d - b);
    }
  };

  // Greedy: the most important names first, none over another nor over the points that matter.
  function names(pen, most, ink, muted) {
    const taken = places.slice(0, most).map(([x, y]) => [x - radius, y - radius, x + radius, y + radius]);
    const free = (box, own) => box[0] >= frame.left && box[2] <= frame.right && box[1] >= frame.top && box[3] <= frame.bottom &&
      taken.every((t, k) => k === own || box[2] <= t[0] || t[2] <= box[0] || box[3] <= t[1] || t[3] <= box[1]);
    pen.textAlign = "left";
    let written = 0;
    for (let k = 0; k < points.length && k < 4 * most && written < most; k++) {
      const [x, y] = places[k];
      const text = points[k].label.length > 28 ? `${points[k].label.slice(0, 27)}…` : points[k].label;
      const w = pen.measureText(text).width + 2;
      const own = k < most ? k : -1;
      const r = radius + 3;
      const box = [[x + r, y - 7], [x - r - w, y - 7], [x - w / 2, y - 14 - r], [x - w / 2, y + r], [x + r, y - 15], [x + r, y + 1], [x - r - w, y - 15], [x - r - w, y + 1]]
        .map(([a, b]) => [a, b, a + w, b + 14]).find((b) => free(b, own));
      if (!box) continue;
      taken.push(box);
      pen.fillStyle = points[k].faint ? muted : ink;
      pen.fillText(text, box[0] + 1, box[1] + 11);
      written++;
    }
  }

  function nearest(event) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    let best, least = 144;
    for (let k = 0; k < places.length; k++) {
      const d = (places[k][0] - x) ** 2 + (places[k][1] - y) ** 2;
      if (d < least) [best, least] = [k, d];
    }
    return [best, x, y];
  }
  canvas.addEventListener("pointermove", (event) => {
    const [k, x, y] = nearest(event);
    if (start && brushed && (dragging || Math.hypot(x - start[0], y - start[1]) > 4)) {
      dragging = true;
      brush = [Math.min(start[0], x), Math.min(start[1], y), Math.max(start[0], x), Math.max(start[1], y)];
      tip.hidden = true;
      whole.draw();
      return;
    }
    if (k !== hovered) {
      hovered = k;
      tip.hidden = k === undefined;
      canvas.style.cursor = k === undefined ? (brushed ? "crosshair" : "default") : "pointer";
      if (k !== undefined) {
        tip.textContent = describe ? describe(points[k]) : points[k].label;
        const left = Math.min(places[k][0] + 10, whole.clientWidth - tip.offsetWidth - 4);
        tip.style.left = `${Math.max(4, left)}px`;
        tip.style.top = `${places[k][1] + 12}px`;
      }
    }
  });
  canvas.addEventListener("pointerleave", () => { hovered = undefined; tip.hidden = true; });
  canvas.addEventListener("pointerdown", (event) => {
    // A finger scrolls the page.
    if (event.pointerType === "touch") return;
    const [, x, y] = nearest(event);
    start = [x, y];
    dragging = false;
    canvas.setPointerCapture(event.pointerId);
  });
  const end = (event) => {
    start = undefined;
    if (dragging) {
      dragging = false;
      const [a, b, c, d] = brush;
      brushed(points.filter((_, k) => places[k][0] >= a && places[k][0] <= c && places[k][1] >= b && places[k][1] <= d));
      return;
    }
    const had = brush;
    brush = undefined;
    if (had) { brushed?.(); whole.draw(); }
    const [k] = nearest(event);
    if (k !== undefined) clicked?.(points[k]);
    else if (brushed) brushed();
  };
  canvas.addEventListener("pointerup", end);
  /** Shows other points. */
  whole.update = (other) => { points = other; brush = undefined; whole.draw(); };
  /** Where a point lies on the canvas, by its name. */
  whole.place = (name) => places[points.findIndex((p) => p.label === name)];
  redrawn(whole);
  new ResizeObserver(() => whole.draw()).observe(whole);
  return whole;
}
