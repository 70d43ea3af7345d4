"""Pictures of answers, by Altair: they show in notebooks, and `chart.save("figure.svg")` keeps them.

Each function takes the data frame of an answer, pandas or any other that Altair reads, and returns a chart to go
on with: `covec.charts.neighbors(frame).properties(title="freedom")`. `frame.plot()` calls the right one.
"""

from __future__ import annotations

from typing import Any, Callable

from .errors import AnalyseError, MissingPackage

# Rows of one picture, beyond which nothing can be read.
MOST = 60
BLUE, RED, GREY = "#3b6fb6", "#c8553d", "#8a8a8a"


def _altair() -> Any:
    try:
        import altair
    except ImportError:
        raise MissingPackage(
            "plot() needs the package altair, which is not installed\n  way out: pip install 'covec[plot]'"
        ) from None
    return altair


def _columns(frame: Any) -> list[str]:
    names = getattr(frame, "column_names", None)
    return list(names if names is not None else frame.columns)


def _data(frame: Any, most: int | None = None) -> Any:
    """The rows as plain records: whatever the frame is of."""
    if hasattr(frame, "to_pylist"):
        rows = frame.to_pylist()
    elif hasattr(frame, "to_dicts"):
        rows = frame.to_dicts()
    else:
        rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    if not rows:
        raise AnalyseError("there are no rows to draw")
    return _altair().Data(values=rows[:most] if most else rows)


def _need(frame: Any, *names: str) -> None:
    """An error unless these columns are there."""
    for name in names:
        if name not in _columns(frame):
            raise KeyError(name)


def _values(data: Any, name: str) -> list[Any]:
    return list(dict.fromkeys(row[name] for row in data.values if row.get(name) is not None))


def _bars(frame: Any, x: str, y: str, title: str, colour: Any = None, most: int = MOST, sort: Any = None) -> Any:
    _need(frame, x, y)
    alt, data = _altair(), _data(frame, most)
    base = alt.Chart(data).encode(
        x=alt.X(f"{_corrected(frame, x)}:Q", title=title),
        y=alt.Y(f"{y}:N", title=None, sort=sort if sort is not None else _values(data, y)),
    )
    bars = base.mark_bar(height={"band": 0.7}).encode(
        color=colour if colour is not None else alt.value(BLUE),
        tooltip=[f"{name}:N" for name in _columns(frame)],
    )
    names = _columns(frame)
    if f"{x}_low" in names:
        bars = bars + base.mark_rule(color="black").encode(x=f"{x}_low:Q", x2=f"{x}_high:Q")
    return bars


def _facets(frame: Any, by: str, x: str, y: str, title: str, columns: int = 4) -> Any:
    """Bars, a panel for every value of a column, each with its own words."""
    _need(frame, by, x, y)
    alt = _altair()
    rows = [row for row in _data(_short(frame, by)).values if row.get(x) is not None]
    panels = []
    for value in dict.fromkeys(row[by] for row in rows):
        own = [row for row in rows if row[by] == value][:MOST]
        panels.append(
            alt.Chart(alt.Data(values=own), title=str(value), width=150)
            .mark_bar(height={"band": 0.7}, color=BLUE)
            .encode(
                x=alt.X(f"{x}:Q", title=title, scale=alt.Scale(domain=_domain(rows, x))),
                y=alt.Y(f"{y}:N", title=None, sort=list(dict.fromkeys(row[y] for row in own))),
                tooltip=[f"{name}:N" for name in _columns(frame)],
            )
        )
    return alt.concat(*panels, columns=columns)


def _domain(rows: list[Any], x: str) -> list[float]:
    values = [row[x] for row in rows]
    return [min(0.0, *values), max(0.0, *values)]


def neighbors(frame: Any) -> Any:
    """A panel for every level: the words nearest, by cosine."""
    names = _columns(frame)
    if "change" in names:
        frame = _kept(frame, lambda row: row["change"] != "lost")
    words = len({row["word"] for row in _data(frame).values})
    if words > 1:
        frame = _changed(frame, lambda row: {**row, "level": f"{row['word']}, {row['level']}"})
    return _facets(frame, "level", "cosine", "neighbor", "cosine")


def _kept(frame: Any, wanted: Callable[[Any], bool]) -> Any:
    rows = [row for row in _data(frame).values if wanted(row)]
    return _Rows(rows)


def _changed(frame: Any, change: Callable[[Any], Any]) -> Any:
    return _Rows([change(row) for row in _data(frame).values])


class _Rows:
    """Rows as plain records, with as much of a data frame as is needed to draw them."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows
        self.columns = list(rows[0]) if rows else []

    def to_dicts(self) -> list[dict[str, Any]]:
        return self.rows


def _corrected(frame: Any, x: str) -> str:
    """A distance as it is without what chance adds to it, where that is known."""
    return f"{x}_corrected" if f"{x}_corrected" in _columns(frame) else x


def _short(frame: Any, name: str) -> Any:
    """Levels without their factor, where all are of one."""
    rows = _data(frame).values
    factors = {str(row[name]).partition("=")[0] for row in rows if row[name] != "base"}
    levels = [str(row[name]) for row in rows if row[name] != "base"]
    if len(factors) != 1 or not all("=" in level and "," not in level for level in levels):
        return frame
    return _changed(_Rows(rows), lambda row: {**row, name: str(row[name]).partition("=")[2] or row[name]})


def _dots(frame: Any, x: str, y: str, title: str) -> Any:
    """A dot a row, with its interval where there is one."""
    alt = _altair()
    frame = _short(_kept(frame, lambda row: row.get(x) is not None), y)
    data = _data(frame, MOST)
    base = alt.Chart(data).encode(y=alt.Y(f"{y}:N", title=None, sort=_values(data, y)))
    dots = base.mark_point(filled=True, size=60, color=BLUE, opacity=1).encode(
        x=alt.X(f"{_corrected(frame, x)}:Q", title=title), tooltip=[f"{name}:N" for name in _columns(frame)]
    )
    if f"{x}_low" in _columns(frame):
        dots = base.mark_rule(color=BLUE).encode(x=f"{x}_low:Q", x2=f"{x}_high:Q") + dots
    return dots


def similarity(frame: Any) -> Any:
    """A dot for every level, with its interval where there is one."""
    row = _data(frame).values[0]
    return _dots(frame, "cosine", "level", f"cosine of {row['a']} and {row['b']}")


def drift(frame: Any) -> Any:
    """What moved: words by how far, or words around a word by the ratio of distances."""
    alt, names = _altair(), _columns(frame)
    if "other" in names or "part" in names:
        several = len({(row["to"], row.get("word")) for row in _data(frame).values}) > 1

        def told(row: Any) -> Any:
            name = row["other"] if "other" in row else f"{row['a']} – {row['b']}"
            where = f" ({', '.join(filter(None, [row.get('word'), row['to']]))})" if several else ""
            return {**row, "name": name + where}

        rows = _changed(frame, told)
        data = _data(rows, MOST)
        furthest = max(max(row["ratio"], 1 / row["ratio"]) for row in data.values if row["ratio"] > 0) ** 1.05
        scale = alt.Scale(type="log", domain=[1 / furthest, furthest], nice=False)
        colour = alt.Color(
            "direction:N", title=None, scale=alt.Scale(domain=["closer", "further"], range=[BLUE, RED])
        )
        return (
            alt.Chart(data)
            .mark_bar(height={"band": 0.7})
            .encode(
                x=alt.X("ratio:Q", title="distance, times what it was", scale=scale),
                x2=alt.datum(1),
                y=alt.Y("name:N", title=None, sort=_values(data, "name")),
                color=colour,
                tooltip=[f"{name}:N" for name in names],
            )
        )
    if len({row["to"] for row in _data(frame).values}) > 1:
        return _facets(frame, "to", "own", "word", "own change")
    return _bars(frame, "own", "word", "own change of the predicted log counts")


def explain(frame: Any) -> Any:
    """What every dimension adds to the change of the squared distance."""
    alt = _altair()
    several = len({row["to"] for row in _data(frame).values}) > 1

    def told(row: Any) -> Any:
        words = str(row.get("words", "")).split(" | ")
        short = " | ".join(", ".join(end.split(", ")[:3]) for end in words)
        return {**row, "topic": f"{row['dimension']}: {short}" + (f" ({row['to']})" if several else "")}

    colour = alt.condition("datum.contribution < 0", alt.value(BLUE), alt.value(RED))
    rows = _changed(frame, told)
    chart = _bars(rows, "contribution", "topic", "contribution (below 0: brings them together)", colour)
    return chart.configure_axis(labelLimit=420)


def topics(frame: Any) -> Any:
    """The squared weight of every dimension in every level, 1 being average."""
    alt, names = _altair(), _columns(frame)
    if "kind" in names:
        rows = _kept(frame, lambda row: row["kind"] != "level")
        colour = alt.Color("kind:N", title="end", scale=alt.Scale(range=[BLUE, RED]))
        return _bars(rows, "value", "name", "place along the dimension", colour)
    if "square" in names:
        rows = _changed(frame, lambda row: {**row, "topic": str(row["dimension"])})
    else:
        levels = names[names.index("below") + 1 :]

        def head(row: Any) -> str:
            ends = [", ".join(str(row[end]).split()[:2]) for end in ("above", "below")]
            return f"{row['dimension']}: {ends[0]} | {ends[1]}"

        rows = _Rows(
            [
                {"topic": head(row), "level": level, "square": row[level]}
                for row in _data(frame).values
                for level in levels
            ]
        )
    data = _data(_short(rows, "level"))
    return (
        alt.Chart(data)
        .mark_rect()
        .encode(
            x=alt.X("level:N", title=None, sort=_values(data, "level"), axis=alt.Axis(labelAngle=-40)),
            y=alt.Y("topic:N", title=None, sort=_values(data, "topic")),
            color=alt.Color("square:Q", title="squared weight", scale=alt.Scale(scheme="blueorange", domainMid=1)),
            tooltip=["topic:N", "level:N", "square:Q"],
        )
        .configure_axis(labelLimit=420)
    )


def specificity(frame: Any) -> Any:
    """Words by how much their meaning depends on the level, or how many words have which."""
    if "from" in _columns(frame):
        return _histogram(frame, "specificity")
    return _bars(frame, "specificity", "word", "mean cosine distance between levels")


def _histogram(frame: Any, title: str) -> Any:
    alt = _altair()
    return (
        alt.Chart(_data(frame))
        .mark_bar(color=BLUE)
        .encode(x=alt.X("from:Q", title=title, bin="binned"), x2="to:Q", y=alt.Y("count:Q", title="how many"))
    )


def covariates(frame: Any) -> Any:
    """Levels on a map, as a tree, or by their distances."""
    alt, names = _altair(), _columns(frame)
    if "height" in names:
        return _tree(frame)
    data = _data(_short(frame, "level") if "level" in names else frame)
    if "x" in names:
        # Alike in all directions: distances on the map are to be seen.
        points = [(row["x"], row["y"]) for row in data.values]
        span = max(max(p[at] for p in points) - min(p[at] for p in points) for at in (0, 1)) * 0.75 or 1.0
        scales = []
        for at in (0, 1):
            middle = (max(p[at] for p in points) + min(p[at] for p in points)) / 2
            scales.append(alt.Scale(domain=[middle - span, middle + span], nice=False))
        base = alt.Chart(data, width=440, height=440).encode(
            x=alt.X("x:Q", title=None, scale=scales[0]), y=alt.Y("y:Q", title=None, scale=scales[1])
        )
        grouped = any(row.get("group") for row in data.values)
        colour = alt.Color("group:N", title=None) if grouped else alt.value(BLUE)
        dots = base.mark_point(filled=True, size=60, opacity=1).encode(color=colour, tooltip=["level:N", "tokens:Q"])
        return dots + base.mark_text(align="left", dx=7).encode(text="level:N")
    if "a" in names:
        both = [{**row, "a": a, "b": b} for row in data.values for a, b in ((row["a"], row["b"]), (row["b"], row["a"]))]
        return (
            alt.Chart(alt.Data(values=both))
            .mark_rect()
            .encode(
                x=alt.X("a:N", title=None), y=alt.Y("b:N", title=None),
                color=alt.Color("distance:Q", scale=alt.Scale(scheme="blues", reverse=True)),
                tooltip=["a:N", "b:N", "distance:Q"],
            )
        )
    rows = _changed(frame, lambda row: {**row, "name": f"{row['level']} → {row['nearest']}"})
    return _bars(rows, "distance", "name", "distance to the nearest level").configure_axis(labelLimit=420)


def _tree(frame: Any) -> Any:
    """A dendrogram: leaves on the left, merges where they happen."""
    alt, rows = _altair(), _data(frame).values
    leaves = [row for row in rows if row["kind"] == "leaf"]
    place = {row["a"]: (0.0, float(row["number"])) for row in leaves}
    lines = []
    for row in rows:
        if row["kind"] != "merge":
            continue
        ends = [place[row["a"]], place[row["b"]]]
        for x, y in ends:
            lines.append({"x": x, "x2": row["height"], "y": y, "y2": y})
        lines.append({"x": row["height"], "x2": row["height"], "y": ends[0][1], "y2": ends[1][1]})
        place[f"merge {row['number']}"] = (row["height"], (ends[0][1] + ends[1][1]) / 2)
    scale = alt.Scale(domain=[len(leaves) + 0.5, 0.5], nice=False)
    axis = alt.Axis(
        values=[row["number"] for row in leaves], grid=False, ticks=False, domain=False, labelLimit=300,
        labelExpr="{" + ", ".join(f"'{row['number']}': {_quoted(row['a'])}" for row in leaves) + "}[datum.value]",
    )
    return (
        alt.Chart(alt.Data(values=lines), height=max(120, 18 * len(leaves)))
        .mark_rule(color=GREY)
        .encode(
            x=alt.X("x:Q", title="distance"), x2="x2:Q",
            y=alt.Y("y:Q", title=None, scale=scale, axis=axis), y2="y2:Q",
        )
    )


def _quoted(text: str) -> str:
    import json

    return json.dumps(text)


def sparsity(frame: Any) -> Any:
    """How many dimensions every level does without."""
    alt, names = _altair(), _columns(frame)
    if "sweep" in names:
        return (
            alt.Chart(_data(frame))
            .mark_line()
            .encode(x=alt.X("sweep:Q"), y=alt.Y("zeros:Q"), color=alt.Color("level:N", title=None))
        )
    if "both" in names:
        rows = _changed(frame, lambda row: {**row, "name": f"{row['a']}, {row['b']}"})
        return _bars(rows, "both", "name", "dimensions that both do without")
    if "from" in names:
        return _facets(_changed(frame, lambda row: {**row, "bin": f"{row['from']:.2f}"}), "level", "count", "bin", "weights")
    return _bars(frame, "zeros", "level", "dimensions that the level does without")


def analogy(frame: Any) -> Any:
    """Words that fit, by their score."""
    if "best_rank" in _columns(frame):
        return _bars(frame, "best_rank", "word", "best rank in a level")
    return _facets(frame, "level", "add", "word", "score")


def project(frame: Any) -> Any:
    """Where words stand on the axis, level by level."""
    alt = _altair()
    frame = _short(_kept(frame, lambda row: row["position"] is not None), "level")
    data = _data(frame)
    level = alt.X("level:N", title=None, sort=_values(data, "level"), axis=alt.Axis(labelAngle=-40))
    base = alt.Chart(data, width=alt.Step(60)).encode(x=level, color=alt.Color("word:N", title=None))
    lines = base.mark_line(point=True).encode(
        y=alt.Y("position:Q", title="left end  ←  position  →  right end"),
        tooltip=[f"{name}:N" for name in _columns(frame)],
    )
    if "position_low" in _columns(frame):
        lines = base.mark_rule().encode(y="position_low:Q", y2="position_high:Q") + lines
    return lines


def stability(frame: Any) -> Any:
    """Share of the nearest words that is kept, by how often words occur."""
    alt = _altair()
    rows = []
    for row in _data(frame).values:
        count = row["count"] if "count" in row else (row["from"] + row["to"]) / 2
        for kind, told in (("seeds", "another seed"), ("draws", "other documents")):
            if row.get(kind) is not None:
                rows.append({"count": max(count, 1), "kept": row[kind], "with": told})
    mark = {"mark_line": {"point": True}} if "from" in _columns(frame) else {"mark_point": {}}
    (method, options), = mark.items()
    return getattr(alt.Chart(_data(_Rows(rows))), method)(**options).encode(
        x=alt.X("count:Q", title="occurrences", scale=alt.Scale(type="log")),
        y=alt.Y("kept:Q", title="share of the nearest words kept", scale=alt.Scale(domain=[0, 1])),
        color=alt.Color("with:N", title=None),
    )


def evaluation(frame: Any) -> Any:
    """The score of every test, with its interval."""
    alt = _altair()

    def told(row: Any) -> Any:
        name = f"{row['test']}, {row['measure']}, {row['level']}"
        return {**row, "name": name, "score_low": row["low"], "score_high": row["high"]}

    return _dots(_changed(frame, told), "score", "name", "score").configure_axis(labelLimit=420)


def attribute(frame: Any) -> Any:
    """Candidates for every text, by the likelihood of its words."""
    import os.path

    alt = _altair()
    rows = _changed(frame, lambda row: {**row, "text": os.path.basename(str(row["text"]))})
    if "chosen_in" in _columns(frame):
        rows = _changed(rows, lambda row: {**row, "candidate": f"{row['candidate']} ({row['chosen_in']:.0%})"})
    panels = [
        _dots(_kept(rows, lambda row, text=text: row["text"] == text), "likelihood", "candidate", "likelihood, nats a word")
        .properties(title=text)
        for text in dict.fromkeys(row["text"] for row in rows.rows)
    ]
    return alt.concat(*panels, columns=2)


def collocates(frame: Any) -> Any:
    """What stands near a word, a panel for every level."""
    rows = _changed(frame, lambda row: {**row, "level": f"{row['word']}, {row['level']}"})
    return _facets(rows, "level", "score", "collocate", "score")


def info(frame: Any) -> Any:
    """Words of every level, sweeps of training, and so on."""
    names = _columns(frame)
    if "loss" in names:
        alt = _altair()
        rows = _changed(frame, lambda row: {**row, "held_out": row["held-out loss"]})
        data = _data(rows)
        base = alt.Chart(data).encode(x=alt.X("sweep:Q"))
        return base.mark_line(point=True, color=BLUE).encode(y=alt.Y("loss:Q", scale=alt.Scale(zero=False)))
    if "variance" in names:
        rows = _changed(frame, lambda row: {**row, "topic": str(row["dimension"])})
        return _bars(rows, "variance", "topic", "variance")
    if "words" in names:
        return _bars(frame, "words", "level" if "level" in names else "levels", "words")
    if "word" in names:
        return _bars(frame, "count", "word", "occurrences")
    raise AnalyseError("there is no picture of these rows")


CHARTS: dict[str, Callable[[Any], Any]] = {
    "analogy": analogy,
    "attribute": attribute,
    "collocates": collocates,
    "covariates": covariates,
    "drift": drift,
    "eval": evaluation,
    "explain": explain,
    "info": info,
    "neighbors": neighbors,
    "project": project,
    "similarity": similarity,
    "sparsity": sparsity,
    "specificity": specificity,
    "stability": stability,
    "topics": topics,
}


def draw(kind: str, frame: Any, **properties: Any) -> Any:
    """The chart of an answer; `properties` are those of Altair, such as title and width."""
    if kind not in CHARTS:
        raise AnalyseError(f"there is no picture of {kind}\n  expected: {', '.join(CHARTS)}")
    try:
        chart = CHARTS[kind](frame)
    except KeyError as missing:
        raise AnalyseError(f"there is no column {missing} to draw\n  expected: the columns of {kind}") from None
    return chart.properties(**properties) if properties else chart
