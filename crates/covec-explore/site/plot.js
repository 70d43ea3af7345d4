// Charts by plotly.js, which is fetched when the first one is wanted. The server makes them (format=plotly), as it
// does the pictures; here they get the colours of the page.

import { ask } from "/assets/api.js";
import { h } from "/assets/dom.js";
import { redrawn, style } from "/assets/redraw.js";

let library;
function plotly() {
  library ??= new Promise((done, failed) => {
    document.head.append(h("script", { src: "/assets/plotly.js", onload: () => done(globalThis.Plotly), onerror: failed }));
  });
  return library;
}

function layoutFor(spec, plot) {
  const layout = structuredClone(spec.layout);
  const ink = style("--ink"), line = style("--line"), family = getComputedStyle(document.body).fontFamily;
  const small = plot.clientWidth < 560;
  for (const name of Object.keys(layout).filter((key) => /^[xy]axis/.test(key))) {
    Object.assign(layout[name], { gridcolor: line, linecolor: line, fixedrange: small });
    if (name.startsWith("x")) layout[name].title = { ...layout[name].title, standoff: 8 };
  }
  for (const shape of layout.shapes ?? []) if (shape.label) shape.label.font = { color: ink, size: 12 };
  return Object.assign(layout, {
    height: small && !spec.rows ? Math.min(spec.height, 380) : spec.height,
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    font: { family, size: small ? 12 : 13, color: ink },
    margin: { l: 12, r: 12, t: 28, b: 12 },
    hoverlabel: { font: { family, color: ink }, bgcolor: style("--paper"), bordercolor: style("--faint"), align: "left" },
    legend: { orientation: "h", x: 0, y: 1.01, yanchor: "bottom", itemsizing: "constant" },
    dragmode: false,
  });
}

/** A chart of a question; `clicked` hears plotly's point, `change` may alter what is drawn. */
export function chart(question, values, { label, clicked, change, signal } = {}) {
  const plot = h("div", { class: "plot", role: "img", "aria-label": label });
  let spec;
  plot.draw = async () => {
    if (!spec || plot.clientWidth === 0) return;
    const Plotly = await plotly();
    const data = structuredClone(spec.data);
    // Names are written where there is room: few on a narrow screen.
    await Plotly.react(plot, data, layoutFor(spec, plot), { displayModeBar: false, responsive: false });
    redrawn(plot);
    if (clicked && !plot.listens) {
      plot.listens = true;
      plot.on("plotly_click", ({ points }) => clicked(points[0]));
    }
  };
  plot.ready = ask(question, { ...values, format: "plotly" }, { signal }).then((found) => {
    spec = change?.(found) ?? found;
    return plot.draw();
  });
  return plot;
}
