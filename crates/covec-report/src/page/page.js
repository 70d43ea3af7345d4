// Draws every figure of the page in the reader's colours; names of points find places of their own.
(() => {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const family = '"Noto Sans","Open Sans","Segoe UI",Helvetica,Arial,sans-serif';
  // plotly.js drops the place of an empty text for good; this one only shows nothing.
  const unseen = "\u200b";
  const narrow = (plot) => plot.clientWidth < 620;
  const cut = (text, most) => {
    // An escaped character counts, and is kept or dropped, as one.
    const parts = text.match(/&[#\w]+;|[\s\S]/gu) || [];
    return parts.length > most ? parts.slice(0, most - 1).join("") + "…" : text;
  };

  function layoutFor(spec, plot, light) {
    const night = dark.matches && !light;
    const ink = night ? "#e6e6e6" : "#1f1f1f";
    const grid = night ? "#34373c" : "#e6e6e6";
    const small = narrow(plot);
    const layout = structuredClone(spec.layout);
    for (const axis of [layout.xaxis, layout.yaxis]) {
      axis.gridcolor = grid;
      axis.linecolor = "#8a8a8a";
      axis.title.standoff = 10;
      // On a narrow screen only powers of ten have room.
      if (small && axis.type === "log") axis.dtick = 1;
      if (axis.title.text) axis.title.text = cut(axis.title.text, small ? 44 : 110);
      if (axis.ticktext) axis.ticktext = axis.ticktext.map((name) => cut(name, small ? 18 : 44));
    }
    const names = layout.xaxis.ticktext;
    if (names) {
      // As many names below the axis as have room.
      const every = Math.ceil((names.length * 20) / Math.max(plot.clientWidth - 120, 100));
      layout.xaxis.tickvals = layout.xaxis.tickvals.filter((_, k) => k % every === 0);
      layout.xaxis.ticktext = names.filter((_, k) => k % every === 0);
    }
    for (const shape of layout.shapes || []) {
      if (shape.label) shape.label.font = { color: ink, size: 12 };
    }
    // The legend stands above the drawing and must not take its room.
    const entries = spec.data.filter((trace) => trace.showlegend);
    const wide = entries.reduce((sum, trace) => sum + 60 + 7 * trace.name.length, 0);
    const legend = 20 * Math.ceil(wide / Math.max(plot.clientWidth - 60, 100));
    const height = legend + (small && !spec.rows ? Math.min(spec.height, 420) : spec.height);
    return Object.assign(layout, {
      height,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { family, size: small ? 12 : 13, color: ink },
      margin: { l: 12, r: small ? 12 : 24, t: 24, b: 12 },
      hoverlabel: {
        font: { family, color: ink },
        bgcolor: night ? "#26292e" : "#ffffff",
        bordercolor: "#8a8a8a",
        align: "left",
      },
      legend: { orientation: "h", x: 0, y: 1.01, yanchor: "bottom", itemsizing: "constant" },
      modebar: { bgcolor: "rgba(0,0,0,0)", color: "#8a8a8a", activecolor: ink },
      dragmode: small ? false : "zoom",
      // What the reader zoomed to outlives new colours, a new width and the printer.
      uirevision: "reader",
    });
  }

  // Greedy, as in the static picture: the most important names first, none over another.
  function placeNames(plot) {
    const index = plot.data.findIndex((trace) => trace.meta && trace.meta.names !== undefined);
    if (index < 0) return;
    const trace = plot.data[index];
    const { xaxis, yaxis } = plot._fullLayout;
    if (!trace.x.length || !xaxis || !xaxis.d2p) return;
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = "12px " + family;
    const most = narrow(plot) ? Math.min(14, trace.meta.names) : trace.meta.names;
    const decode = document.createElement("textarea");
    const taken = [], positions = [], texts = [];
    const inside = (x, y) => x >= 0 && x <= xaxis._length && y >= 0 && y <= yaxis._length;
    const free = (box, own) =>
      inside(box[0], box[1]) && inside(box[2], box[3]) &&
      taken.every((b) => b[4] === own || box[2] <= b[0] || b[2] <= box[0] || box[3] <= b[1] || b[3] <= box[1]);
    const places = trace.x.map((x, k) => [xaxis.d2p(x), yaxis.d2p(trace.y[k])]);
    // The most important points that are in sight stay uncovered.
    for (let k = 0, seen = 0; k < places.length && seen < most; k++) {
      const [x, y] = places[k];
      if (inside(x, y)) { taken.push([x - 3, y - 3, x + 3, y + 3, k]); seen++; }
    }
    let written = 0;
    for (let k = 0; k < trace.x.length; k++) {
      positions.push("middle right");
      texts.push(unseen);
      if (written >= most) continue;
      const [x, y] = places[k];
      if (!inside(x, y)) continue;
      const text = cut(plot.covecNames[k], 30);
      decode.innerHTML = text;
      const w = pen.measureText(decode.value).width + 4;
      const sides = [
        ["middle right", [x + 6, y - 7, x + 6 + w, y + 7]],
        ["middle left", [x - 6 - w, y - 7, x - 6, y + 7]],
        ["top center", [x - w / 2, y - 19, x + w / 2, y - 5]],
        ["bottom center", [x - w / 2, y + 5, x + w / 2, y + 19]],
      ];
      const side = sides.find(([, box]) => free(box, k));
      if (!side) continue;
      taken.push([...side[1], -1], [x - 3, y - 3, x + 3, y + 3, k]);
      positions[k] = side[0];
      texts[k] = text;
      written++;
    }
    plot.covecTexts = texts;
    plot.covecPositions = positions;
    Plotly.restyle(plot, { text: [texts], textposition: [positions], "textfont.size": [12] }, [index]);
  }

  function draw(figure, light) {
    const plot = figure.querySelector(".plot");
    const spec = JSON.parse(figure.querySelector("script").textContent);
    if (dark.matches && !light) {
      // Faint points vanish on black.
      for (const { marker } of spec.data) {
        if (marker && marker.opacity) marker.opacity = Math.min(0.95, 1.6 * marker.opacity);
      }
    }
    const names = spec.data.find((trace) => trace.meta && trace.meta.names !== undefined);
    if (names) {
      plot.covecNames = names.text;
      // Until they are placed anew, names stay where they were: a printer does not wait.
      names.text = plot.covecTexts || names.text.map(() => unseen);
      names.textposition = plot.covecPositions || "middle right";
    }
    const config = {
      responsive: false,
      displaylogo: false,
      modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d"],
      toImageButtonOptions: { format: "svg" },
    };
    plot.covecWidth = plot.clientWidth;
    const layout = layoutFor(spec, plot, light);
    plot.style.minHeight = layout.height + "px";
    return Plotly.react(plot, spec.data, layout, config).then(() => {
      placeNames(plot);
      if (!plot.covecListens && plot.on) {
        plot.covecListens = true;
        plot.on("plotly_relayout", () => placeNames(plot));
      }
    });
  }

  const figures = [...document.querySelectorAll("figure.chart")].filter((f) => f.querySelector(".plot"));
  // A figure within something hidden has no width; it is drawn when it is shown.
  const shown = (figure) => figure.querySelector(".plot").clientWidth > 0;
  const stale = (figure) => {
    const plot = figure.querySelector(".plot");
    return shown(figure) && plot.clientWidth !== plot.covecWidth;
  };
  const all = (light) => {
    for (const figure of figures) {
      if (shown(figure)) draw(figure, light);
      else figure.querySelector(".plot").covecWidth = 0;
    }
  };
  // One after the other, so that the page can be read and scrolled meanwhile; the room of all is
  // kept first, so that nothing moves.
  function drawStale() {
    const next = figures.find(stale);
    if (!next) return;
    draw(next, false);
    setTimeout(drawStale);
  }
  for (const figure of figures.filter(shown)) {
    const plot = figure.querySelector(".plot");
    const spec = JSON.parse(figure.querySelector("script").textContent);
    plot.style.minHeight = layoutFor(spec, plot, false).height + "px";
  }
  drawStale();
  dark.addEventListener("change", () => all(false));
  addEventListener("beforeprint", () => all(true));
  addEventListener("afterprint", () => all(false));
  addEventListener("covec-shown", drawStale);
  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(drawStale, 150);
  });
})();
