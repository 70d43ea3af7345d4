// Numbers and names for the eye.

const whole = new Intl.NumberFormat("en");

/** 12,345 */
export const count = (n) => (n === null || n === undefined ? "–" : whole.format(n));

/** Digits that matter, no more. */
export function number(x, digits = 3) {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  const places = Math.min(6, Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(x)))));
  return x.toFixed(places).replace("-", "−");
}

/** A share as a percentage. */
export const percent = (x, places = 0) =>
  x === null || x === undefined ? "–" : `${(100 * x).toFixed(places)} %`;

/** A cosine: always two digits, so that columns align. */
export const cosine = (x) => (x === null || x === undefined ? "–" : x.toFixed(2).replace("-", "−"));

/** era=1790-1860 → 1790-1860; cells of several factors keep what follows each sign. */
export const short = (level) =>
  level.includes("=") ? level.split(",").map((part) => part.slice(part.indexOf("=") + 1)).join(" · ") : level;

/** A measure with its interval, of distances the corrected value. */
export function interval(row, name, digits = 3) {
  const low = row[`${name}_low`], high = row[`${name}_high`];
  if (low === null || low === undefined) return number(row[name], digits);
  const value = row[`${name}_corrected`] ?? row[name];
  return `${number(value, digits)} [${number(low, digits)}, ${number(high, digits)}]`;
}

/** The first letter large. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
